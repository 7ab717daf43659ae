//! What is said of the threads' analysis: its verdict and how far it is, or why there is no
//! picture.

use super::state::{Progress, Threads, switches};
use crate::draw::failure;
use crate::draw::unchecked;
use crate::draw::words::{counted, duration, error_place, holds_for, limit_sentence};
use crate::ui::state::model::Model;
use crate::ui::state::said::{Ask, CUT, GO_ON, Said, Tone};
use crate::util::Limit;
use crate::wire::threads::{RaisingEnd, ThreadsReport, ThreadsVerdict};

impl Threads {
    /// The verdict, or how far the analysis is.
    pub(super) fn verdict(&self, model: &Model) -> Said {
        if let Some(pending) = self.work.pending() {
            return Said::working(working(&pending.progress), pending.stopping);
        }
        let again = vec![(Ask::Again, "Analyse again")];
        let Some(found) = &self.found else {
            let asks = vec![(Ask::Again, "Analyse")];
            return Said { headline: "Nothing was analysed yet".into(), asks, ..Said::default() };
        };
        let report = match &found.report {
            Ok(report) => report,
            Err(said) if self.work.is_stopped() => {
                return Said { headline: said.clone(), asks: again, ..Said::default() };
            }
            Err(said) => return refused(said),
        };
        if self.ask.schedule.is_some() && !self.work.is_stale() {
            return by_hand(report);
        }
        let (tone, headline) = verdict(report, found.millis);
        if self.work.is_stale() {
            return Said::stale(&headline, "Analyse again");
        }
        if is_alone(report, model) {
            return one_thread();
        }
        let unknown = report.verdict == ThreadsVerdict::Unknown && report.fault.is_none();
        let is_limited = unknown || could_go_on(report);
        let is_cut = self.work.is_cut() && (unknown || report.raised == Some(RaisingEnd::Limit));
        Said {
            tone,
            headline,
            scope: unchecked::scope(&report.options, true, states(report)),
            unchecked: unchecked::in_order(&report.unchecked),
            holds: holds_for(&report.options),
            told: told(report).into_iter().chain(is_cut.then(|| CUT.into())).collect(),
            figures: figures(report, found.millis),
            asks: match (is_cut, is_limited) {
                (true, _) => vec![GO_ON],
                (false, true) => vec![(Ask::More, "Search ten times longer")],
                (false, false) => Vec::new(),
            },
            ..Said::default()
        }
    }

    /// The same in a few words.
    pub(super) fn known(&self, model: &Model) -> Option<String> {
        let report =
            self.report().filter(|_| self.work.is_fresh() && self.ask.schedule.is_none())?;
        let known = report.verdict != ThreadsVerdict::Unknown && !is_alone(report, model);
        let millis = self.found.as_ref()?.millis;
        known.then(|| lower_case(&verdict(report, millis).1))
    }

    /// What is to be read in the place of the picture, if there is none.
    pub(crate) fn in_place_of_picture(&self, model: &Model) -> Option<String> {
        let Some(report) = self.report() else {
            let said = match self.found {
                None if model.broken() => {
                    "The program cannot be read: see its errors in the source."
                }
                _ if self.work.is_busy() => "Analysing…",
                _ => "Nothing was analysed yet.",
            };
            return Some(said.into());
        };
        if report.trace.is_some() {
            return None;
        }
        Some(match report.verdict {
            ThreadsVerdict::Safe if is_alone(report, model) => {
                "This program starts no threads. The Projection says whether it can fail.".into()
            }
            ThreadsVerdict::Safe => safe_in_full(report),
            ThreadsVerdict::NoErrorWithinBound if is_alone(report, model) => {
                "This program starts no threads. The Projection says whether it can fail.".into()
            }
            ThreadsVerdict::NoErrorWithinBound => {
                let known = format!("No interleaving with up to {} fails.", switches(report.bound));
                match report.raised {
                    Some(RaisingEnd::NothingNew) => {
                        format!("{known} More seem to reach nothing new; that was not proved.")
                    }
                    Some(_) => format!("{known} With more one may fail."),
                    None => format!("{known} More switches may: raise the bound."),
                }
            }
            _ => "There is no failing run to show.".into(),
        })
    }
}

/// Nothing can be switched to, and nothing fails.
fn is_alone(report: &ThreadsReport, model: &Model) -> bool {
    let is_safe =
        matches!(report.verdict, ThreadsVerdict::NoErrorWithinBound | ThreadsVerdict::Safe);
    !model.has_threads && is_safe
}

/// What became of a schedule that is chosen by hand.
/// Is it known that the program says itself what an error is?
fn states(report: &ThreadsReport) -> bool {
    let is_safe = report.verdict == ThreadsVerdict::Safe;
    unchecked::states_error(is_safe, report.error.as_ref(), &report.unchecked)
}

fn by_hand(report: &ThreadsReport) -> Said {
    let failed = report.error.as_ref();
    Said {
        tone: if failed.is_some() { Tone::Unsafe } else { Tone::Bounded },
        headline: failed.map_or("Choose which thread goes on".into(), |error| {
            format!("This interleaving fails: {}", error_place(error))
        }),
        scope: unchecked::numbers(&report.options),
        holds: holds_for(&report.options),
        told: failed.and_then(failure::values).into_iter().collect(),
        ..Said::default()
    }
}

/// There is nothing to analyse.
fn refused(why: &str) -> Said {
    let headline = why.trim_end_matches('.').to_string();
    Said { tone: Tone::Refused, headline, ..Said::default() }
}

fn one_thread() -> Said {
    Said {
        tone: Tone::Refused,
        headline: "This program starts no threads".into(),
        told: vec!["Nothing can be switched to.".into()],
        leads: "See whether it can fail",
        ..Said::default()
    }
}

/// What a bound means, or who takes part.
fn told(report: &ThreadsReport) -> Vec<String> {
    const NAMED: usize = 4;
    let names: Vec<&str> = report.threads.iter().map(|thread| thread.name.as_str()).collect();
    let threads = match names.len() {
        0..=NAMED => format!("Threads: {}.", names.join(", ")),
        more => format!("{}.", counted(more as u64, "thread")),
    };
    let mut told: Vec<String> =
        report.error.as_ref().and_then(failure::values).into_iter().collect();
    told.push(match report.verdict {
        ThreadsVerdict::NoErrorWithinBound => match report.raised {
            Some(RaisingEnd::NothingNew) => {
                format!("{threads} More switches seem to bring nothing; that was not proved.")
            }
            Some(_) => format!("{threads} With more switches it may still fail."),
            None => format!("{threads} With more switches it may still fail: raise the bound."),
        },
        ThreadsVerdict::Safe | ThreadsVerdict::Unsafe | ThreadsVerdict::Unknown => threads,
    });
    told
}

/// How it was found.
fn figures(report: &ThreadsReport, millis: u64) -> Vec<String> {
    let mut figures = vec![
        format!("Method: {}.", report.method.told().0),
        format!("It took {}.", duration(millis)),
    ];
    if let Some(count) = report.proof.and_then(|proof| proof.configurations) {
        let set = counted(count, "configuration");
        let callers = match report.proof.is_some_and(|proof| proof.by_callers) {
            true => " Of the frames below recursive calls it knows who called.",
            false => "",
        };
        figures.push(format!("Proof: {set} of all threads, closed under every step.{callers}"));
    }
    if report.statistics.peak_nodes > 0 {
        let nodes = counted(report.statistics.peak_nodes, "node");
        figures.push(format!("The decision diagrams had at most {nodes}."));
    }
    figures
}

fn lower_case(sentence: &str) -> String {
    let mut characters = sentence.chars();
    let first = characters.next();
    first.map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}

/// Did the bound stop rising although there is more to try with larger budgets?
fn could_go_on(report: &ThreadsReport) -> bool {
    report.raised == Some(RaisingEnd::Limit)
        && matches!(report.limit, Some(Limit::Time | Limit::Steps))
}

/// Why no interleaving fails, in the place of a run.
fn safe_in_full(report: &ThreadsReport) -> String {
    let bound = report.converged.map_or(String::new(), |k| {
        format!(" With {} the threads reach nothing that fewer do not reach.", switches(k))
    });
    let proof = report.proof.and_then(|proof| proof.configurations).map_or(String::new(), |n| {
        let set = counted(n, "configuration");
        format!(
            " The interpreter has checked it apart: {set} of all threads together contain the \
             start, no step of any thread leads out of them, and none of them fails."
        )
    });
    format!("No interleaving fails, with however many switches.{bound}{proof}")
}

fn working(progress: &Progress) -> String {
    let next = progress.no_error_up_to.map_or(0, |k| k + 1);
    let doing = match progress.no_error_up_to {
        _ if progress.found => {
            format!("A run fails with {} · putting it together", switches(next))
        }
        None => "Trying without a switch".to_string(),
        Some(k) => format!("{}: nothing fails so far · trying {next}", switches(k)),
    };
    format!("{doing} · {}", duration(progress.millis))
}

/// The verdict in words: a bound proves nothing beyond itself.
fn verdict(report: &ThreadsReport, millis: u64) -> (Tone, String) {
    match report.verdict {
        ThreadsVerdict::Safe => {
            (Tone::Safe, "Safe, whatever the number of context switches".to_string())
        }
        ThreadsVerdict::NoErrorWithinBound => {
            let beyond = beyond(report, millis);
            (Tone::Bounded, format!("No error with up to {}{beyond}", switches(report.bound)))
        }
        ThreadsVerdict::Unsafe => {
            let how = match report.switches {
                None => String::new(),
                Some(0) => " without a switch".into(),
                Some(k) => format!(" with {}, not with fewer", switches(k)),
            };
            let place = report.error.as_ref().map(|error| format!(": {}", error_place(error)));
            (Tone::Unsafe, format!("It can fail{how}{}", place.unwrap_or_default()))
        }
        ThreadsVerdict::Unknown if report.fault.is_some() => {
            (Tone::Unknown, "No answer: a defect of Faultline".into())
        }
        ThreadsVerdict::Unknown => {
            let known = report
                .no_error_up_to
                .map(|k| format!("; no error with up to {}", switches(k)))
                .unwrap_or_default();
            let limit = limit_sentence(report.limit.unwrap_or(Limit::Time));
            (Tone::Unknown, format!("No answer: {limit}{known}"))
        }
    }
}

/// What is known of more switches than were allowed, if the bound rose by itself.
fn beyond(report: &ThreadsReport, millis: u64) -> String {
    match (report.raised, report.limit) {
        (Some(RaisingEnd::NothingNew), _) => " (more seem to bring nothing: not proved)".into(),
        (Some(RaisingEnd::Most), _) => " (more are not tried)".into(),
        (Some(RaisingEnd::Limit), Some(Limit::Time)) => {
            format!(" (more were not tried: {} spent)", duration(millis))
        }
        (Some(RaisingEnd::Limit), Some(Limit::Threads)) => {
            " (with more, more threads may run than are looked at)".into()
        }
        (Some(RaisingEnd::Limit), Some(limit)) => {
            format!(" (more were not tried: {})", limit_sentence(limit))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_what_is_known_and_what_is_tried() {
        let at = |no_error_up_to, found| working(&Progress { no_error_up_to, found, millis: 700 });
        assert_eq!(at(None, false), "Trying without a switch · 700 ms");
        assert_eq!(at(Some(1), false), "1 switch: nothing fails so far · trying 2 · 700 ms");
        assert_eq!(at(Some(3), false), "3 switches: nothing fails so far · trying 4 · 700 ms");
        assert_eq!(at(Some(3), true), "A run fails with 4 switches · putting it together · 700 ms");
    }
}
