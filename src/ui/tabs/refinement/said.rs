//! What is said of the refinement loop: its verdict and how far it is, or why there is no picture.

use super::run::Run;
use super::state::Refinement;
use crate::draw::failure;
use crate::draw::refinement::decided;
use crate::draw::unchecked::{scope, states};
use crate::draw::widths::narrow_words;
use crate::draw::words::{counted, duration, error_place, headline, holds_for, no_answer};
use crate::ui::state::model::Model;
use crate::ui::state::question::Answered;
use crate::ui::state::said::{Ask, CUT, GO_ON, Said, Tone};
use crate::ui::tab::Tab;
use crate::util::Limit;
use crate::wire::cegar::Decider;
use crate::wire::report::{Report, Verdict};

impl Refinement {
    /// The verdict, or how far a run is.
    pub(super) fn verdict(&self, model: &Model) -> Said {
        if let Some(pending) = self.work.pending() {
            let progress = &pending.progress;
            let far = match progress.rounds.len() {
                0 => "Refining…".to_string(),
                round => {
                    format!("Round {round}: {}… {}", progress.stage, duration(progress.millis))
                }
            };
            return Said::working(far, pending.stopping);
        }
        let Some(run) = &self.run else {
            let asks = vec![(Ask::Again, "Run")];
            return Said { headline: "Nothing was run yet".into(), asks, ..Said::default() };
        };
        let report = run.report.as_ref().and_then(|report| report.answer.as_ref());
        if run.report.is_some() && report.is_none() {
            let problems = run.report.iter().flat_map(|report| report.problems.iter().cloned());
            let headline = "The loop cannot begin".into();
            return Said {
                tone: Tone::Refused,
                headline,
                told: problems.collect(),
                ..Said::default()
            };
        }
        let (tone, headline) = said(run, report);
        match self.work.answered() {
            Answered::No => return Said::stale(&headline, "Run again"),
            Answered::Yes if report.is_some_and(is_of_one_thread) => {
                return Said::one_thread(self.name());
            }
            _ => {}
        }
        let lost = matches!(self.work.answered(), Answered::Stopped | Answered::Lost);
        let error = report.and_then(|report| report.error.as_ref());
        let mut told: Vec<String> = error.and_then(failure::values).into_iter().collect();
        if lost {
            told.push(
                "The worker had to be replaced: only the numbers of this run are left.".into(),
            );
        }
        let is_limited = is_limited(run) && !lost;
        if is_limited && self.work.is_cut() {
            told.push(CUT.into());
        }
        let options = model.effective.as_ref().filter(|_| report.is_some());
        let more = (Ask::More, "Search ten times longer");
        let again = (Ask::Again, "Run again");
        Said {
            tone,
            headline,
            scope: report.map(|it| scope(&it.options, true, states(it))).unwrap_or_default(),
            holds: options.map(holds_for).unwrap_or_default(),
            told,
            more: vec![refined(run, tone)],
            figures: figures(run),
            asks: match is_limited {
                true if self.work.is_cut() => vec![GO_ON],
                true => vec![more],
                false if run.stopped || lost => vec![again],
                false => Vec::new(),
            },
            ..Said::default()
        }
    }

    /// The same in a few words; an unknown verdict is no knowledge.
    pub(super) fn known(&self) -> Option<String> {
        let run = self.run.as_ref().filter(|run| self.work.is_fresh() && !run.live)?;
        let report =
            run.report.as_ref().filter(|report| !report.ask.of_formula)?.answer.as_ref()?;
        match report.verdict {
            Verdict::Safe => Some("safe".into()),
            Verdict::Unsafe => Some(match &report.error {
                Some(error) => format!("can fail, {}", error_place(error)),
                None => "can fail".into(),
            }),
            Verdict::Unknown => None,
        }
    }

    /// What is to be read in the place of a run, if there is none.
    pub(crate) fn in_place_of_run(&self, broken: bool) -> Option<String> {
        let Some(run) = &self.run else {
            let said = match self.work.is_busy() {
                _ if broken => "The program cannot be read: see its errors in the source.",
                true => "Refining…",
                false => "Nothing was run yet.",
            };
            return Some(said.into());
        };
        let report = run.report.as_ref().filter(|report| report.answer.is_none())?;
        Some(report.problems.join("\n"))
    }
}

/// Was the first thread alone run, and nothing found?
fn is_of_one_thread(report: &Report) -> bool {
    report.verdict == Verdict::Unknown && report.limit == Some(Limit::Threads)
}

fn said(run: &Run, report: Option<&Report>) -> (Tone, String) {
    match report {
        Some(report) if report.verdict != Verdict::Unknown => {
            let own = run.report.as_ref().and_then(|report| report.said.first().cloned());
            let usual = || headline(report) + &narrow_words(&report.options);
            (report.verdict.into(), own.unwrap_or_else(usual))
        }
        _ if run.stopped => (Tone::Unknown, "Stopped".into()),
        Some(report) if report.fault.is_some() => {
            (Tone::Unknown, "Fault of the engine: no answer".into())
        }
        Some(report) => {
            let limit = report.limit.unwrap_or(Limit::Time);
            (Tone::Unknown, no_answer(Some(limit)))
        }
        None => (Tone::Unknown, "No answer".into()),
    }
}

/// How often the abstraction was refined.
fn refined(run: &Run, tone: Tone) -> String {
    let so_far = if tone == Tone::Unknown { " so far" } else { "" };
    match run.refinements() {
        0 => format!("The abstraction was not refined{so_far}."),
        1 => format!("The abstraction was refined once{so_far}."),
        many => format!("The abstraction was refined {many} times{so_far}."),
    }
}

/// How it was found.
fn figures(run: &Run) -> Vec<String> {
    let most = run.rounds.iter().map(|round| round.max_predicates).max().unwrap_or(0);
    let rounds = counted(run.rounds.len() as u64, "round");
    let mut figures =
        vec![format!("{rounds}, at most {} at one place.", counted(most.into(), "predicate"))];
    let decision = run.report.as_ref().and_then(|report| report.decided.as_ref());
    figures.extend(decision.filter(|it| it.by == Decider::Followed).map(decided));
    figures.push(format!("It took {}.", duration(run.millis)));
    figures
}

/// Did a budget end it, so that a larger one may help?
fn is_limited(run: &Run) -> bool {
    let found = run.report.as_ref().and_then(|report| report.answer.as_ref());
    let unknown = found.filter(|report| report.verdict == Verdict::Unknown && !run.stopped);
    unknown.and_then(|report| report.limit).is_some_and(|limit| limit != Limit::Threads)
}
