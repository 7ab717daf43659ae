//! What is said of the refinement loop: its verdict and how far it is, or why there is no picture.

use super::run::Run;
use super::state::Refinement;
use crate::draw::widths::narrow_words;
use crate::draw::words::{counted, duration, holds_for, limit_sentence};
use crate::ui::state::question::Answered;
use crate::ui::state::said::{Said, Tone};
use crate::util::Limit;
use crate::wire::report::Verdict;

impl Refinement {
    /// The line over the picture.
    pub(crate) fn said(&self) -> Said {
        if let Some(pending) = self.work.pending() {
            let progress = &pending.progress;
            let far = match progress.rounds.len() {
                _ if pending.stopping => "Stopping…".to_string(),
                0 => "Refining…".to_string(),
                round => {
                    format!("Round {round}: {}… {}", progress.stage, duration(progress.millis))
                }
            };
            return Said { working: Some((far, !pending.stopping)), ..Said::default() };
        }
        let Some(run) = &self.run else {
            return Said { again: "Run", ..Said::default() };
        };
        let stale = self.stale();
        let unread = run.report.as_ref().is_some_and(|report| report.answer.is_none());
        let (tone, verdict) = verdict(run);
        Said {
            told: if unread { String::new() } else { told(run, tone) },
            verdict: (!unread).then_some((tone, verdict)),
            more: is_limited(run) && stale.is_none(),
            stale: stale.map(str::to_string),
            again: "Run again",
            working: None,
        }
    }

    /// Why what is shown is not the answer to what is asked now.
    fn stale(&self) -> Option<&'static str> {
        self.run.as_ref()?;
        match self.work.answered() {
            Answered::Yes => None,
            Answered::No => Some("The program has changed since this run."),
            Answered::Stopped | Answered::Lost => {
                Some("The worker had to be replaced: only the numbers of this run are left.")
            }
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

fn verdict(run: &Run) -> (Tone, String) {
    let found = run.report.as_ref().and_then(|report| report.answer.as_ref());
    let verdict = found.map(|report| report.verdict);
    let narrow = found.map(|report| narrow_words(&report.options)).unwrap_or_default();
    let said = match verdict {
        Some(Verdict::Unknown) | None if run.stopped => "Stopped".to_string(),
        Some(Verdict::Safe) => format!("Safe{narrow}"),
        Some(Verdict::Unsafe) => format!("Can fail{narrow}"),
        Some(Verdict::Unknown) if found.is_some_and(|report| report.fault.is_some()) => {
            "Fault of the engine: no answer".to_string()
        }
        Some(Verdict::Unknown) => {
            let limit = found.and_then(|report| report.limit).unwrap_or(Limit::Time);
            format!("Unknown: {}", limit_sentence(limit))
        }
        None => "No answer".to_string(),
    };
    (verdict.map_or(Tone::Unknown, Tone::from), said)
}

/// What it took, and what the answer holds for.
fn told(run: &Run, tone: Tone) -> String {
    let most = run.rounds.iter().map(|round| round.max_predicates).max().unwrap_or(0);
    let told = format!(
        "{}{}, at most {} at a place, {}",
        if tone == Tone::Unknown { "so far " } else { "" },
        counted(run.refinements() as u64, "refinement"),
        counted(most.into(), "predicate"),
        duration(run.millis)
    );
    match run.report.as_ref().and_then(|report| report.answer.as_ref()) {
        Some(answer) => format!("{told}; {}", holds_for(&answer.options)),
        None => told,
    }
}

/// Did a budget end it, so that a larger one may help?
fn is_limited(run: &Run) -> bool {
    let found = run.report.as_ref().and_then(|report| report.answer.as_ref());
    let unknown = found.filter(|report| report.verdict == Verdict::Unknown && !run.stopped);
    unknown.and_then(|report| report.limit).is_some_and(|limit| limit != Limit::Threads)
}
