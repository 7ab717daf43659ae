//! What is said of an explanation: its verdict and how far it is, or why there is nothing to show.

use super::state::Explain;
use crate::draw::failure;
use crate::draw::widths::narrow_words;
use crate::draw::words::{counted, duration, error_place, limit_sentence};
use crate::ui::state::said::{Ask, CUT, GO_ON, Said, Tone};
use crate::ui::tab::Tab;
use crate::util::{Limit, Stage};
use crate::wire::explain::Explanation;
use crate::wire::localize::SearchEnd;
use crate::wire::report::Verdict;

impl Explain {
    /// The verdict, and how far the explanation is.
    pub(super) fn verdict(&self) -> Said {
        let pending = self.work.pending();
        let working = pending.map(|_| working(self)).unwrap_or_default();
        let stopping = pending.is_some_and(|pending| pending.stopping);
        let idle = pending.is_none();
        let Some(found) = self.found.as_ref().filter(|found| found.problem.is_empty()) else {
            if !idle {
                return Said::working(working, stopping);
            }
            let problem = self.found.as_ref().map(|found| found.problem.clone());
            return Said {
                tone: if problem.is_some() { Tone::Refused } else { Tone::Plain },
                headline: "Nothing was explained".into(),
                told: problem.into_iter().collect(),
                asks: match self.work.is_stopped() {
                    true => vec![(Ask::Again, "Explain")],
                    false => Vec::new(),
                },
                ..Said::default()
            };
        };
        let (tone, headline) = verdict(found);
        if !self.work.is_fresh() {
            return match idle {
                true => Said::stale(&headline, "Explain again"),
                false => Said::working(working, stopping),
            };
        }
        if is_of_one_thread(found) {
            return Said::one_thread(self.name());
        }
        let time_ran_out = |limit: Option<Limit>| limit == Some(Limit::Time);
        let limited = found.verdict == Verdict::Unknown
            || found.cut.is_some()
            || found.ended == Some(SearchEnd::Limit) && found.verdict == Verdict::Unsafe
            || time_ran_out(found.suspects.as_ref().and_then(|suspects| suspects.limit))
            || time_ran_out(found.repairs.as_ref().and_then(|repairs| repairs.limit));
        let more = limited && idle && found.fault.is_none();
        let is_cut = more && self.work.is_cut();
        let counts = counts(found);
        Said {
            tone,
            headline,
            told: told(found, &counts).into_iter().chain(is_cut.then(|| CUT.into())).collect(),
            working,
            stopping,
            figures: match idle {
                true => vec![format!("It took {}.", duration(self.millis))],
                false => Vec::new(),
            },
            asks: match more {
                true if is_cut => vec![GO_ON],
                true => vec![(Ask::More, "Search ten times longer")],
                false => Vec::new(),
            },
            ..Said::default()
        }
    }

    /// What was found, in a few words.
    pub(super) fn known(&self) -> Option<String> {
        let told = self.work.is_fresh() && !self.work.is_busy();
        let found = self.found.as_ref().filter(|found| told && found.problem.is_empty())?;
        let counts = counts(found);
        (!counts.is_empty()).then(|| counts.join(", "))
    }

    /// Why there is nothing to show, in a sentence.
    pub(crate) fn in_place_of_picture(&self, broken: bool) -> Option<String> {
        const LOOKING: &str = "Looking for failing runs…";
        let busy = self.work.is_busy();
        let said = match &self.found {
            None if broken => "The program cannot be read: see its errors in the source.",
            None if busy => LOOKING,
            None => "Nothing was explained yet.",
            Some(found) if !found.problem.is_empty() => &found.problem,
            Some(found) if !found.causes.is_empty() || !found.sequences.is_empty() => return None,
            Some(found) if found.verdict == Verdict::Safe => {
                "No run of this program fails, so there is nothing to explain.\nChange it, or open \
                 an example whose name begins with Explain."
            }
            Some(_) if busy => LOOKING,
            Some(_) => return None,
        };
        Some(said.into())
    }
}

fn working(explain: &Explain) -> String {
    let Some(pending) = explain.work.pending() else { return String::new() };
    let what = match pending.progress.stage {
        Stage::Causes => "Looking for causes…",
        Stage::Sequences => "Looking for the ways to fail…",
        Stage::Suspects => "Executing small changes…",
        _ => "Trying repairs…",
    };
    match pending.progress.millis {
        0..1_000 => what.into(),
        millis => format!("{what} {}", duration(millis)),
    }
}

/// Was the first thread alone explained, and nothing found?
fn is_of_one_thread(found: &Explanation) -> bool {
    found.verdict == Verdict::Unknown && found.limit == Some(Limit::Threads)
}

fn verdict(found: &Explanation) -> (Tone, String) {
    let narrow = found.options.as_ref().map(narrow_words).unwrap_or_default();
    let said = match (found.verdict, &found.error) {
        (Verdict::Unsafe, Some(error)) => format!("It can fail{narrow}: {}", error_place(error)),
        (Verdict::Unsafe, None) => format!("It can fail{narrow}"),
        (Verdict::Safe, _) => format!("Safe: no run fails{narrow}"),
        (Verdict::Unknown, _) if found.fault.is_some() => "Fault of the engine: no answer".into(),
        (Verdict::Unknown, _) => found
            .limit
            .map_or("No answer".into(), |limit| format!("No answer: {}", limit_sentence(limit))),
    };
    (found.verdict.into(), said)
}

/// What fails with which values, and what was found.
fn told(found: &Explanation, counts: &[String]) -> Vec<String> {
    let failure = found.error.as_ref().and_then(failure::values);
    let counted = (!counts.is_empty()).then(|| format!("{}.", counts.join(", ")));
    failure.into_iter().chain(counted).collect()
}

/// What was found, in numbers.
fn counts(found: &Explanation) -> Vec<String> {
    let mut told = Vec::new();
    if !found.causes.is_empty() {
        let independent = found.ended == Some(SearchEnd::NoError) && found.causes.len() > 1;
        let how = if independent { " with independent causes" } else { "" };
        told.push(counted(found.causes.len() as u64, "failing run") + how);
    }
    if !found.sequences.is_empty() {
        let how = if found.complete { " to fail" } else { " to fail, or more" };
        told.push(counted(found.sequences.len() as u64, "way") + how);
    }
    told
}
