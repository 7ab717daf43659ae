//! What is said of a question about whole runs: the answer and how far it is, or why there is no
//! run to show.

use super::state::Liveness;
use crate::draw::liveness::capitalised;
use crate::draw::unchecked::numbers;
use crate::draw::words::{duration, holds_for};
use crate::ui::state::model::Model;
use crate::ui::state::said::{Ask, CUT, GO_ON, Said, Tone};
use crate::util::Stage;
use crate::wire::liveness::{LassoEnding, LivenessVerdict};

impl Liveness {
    /// The answer, or how far the analysis is.
    pub(super) fn verdict(&self, model: &Model) -> Said {
        if let Some(pending) = self.work.pending() {
            let (stage, millis) = pending.progress;
            let far = format!("{} · {}", doing(stage), duration(millis));
            return Said::working(far, pending.stopping);
        }
        if self.is_blank() {
            let told = vec!["Write a formula above the picture.".into()];
            return Said { headline: "Nothing was asked yet".into(), told, ..Said::default() };
        }
        let Some(found) = &self.found else {
            let stopped = self.work.is_stopped();
            let headline = if stopped { "It was stopped" } else { "Nothing was asked yet" };
            let asks = vec![(Ask::Again, "Ask")];
            return Said { headline: headline.into(), asks, ..Said::default() };
        };
        let mistake = found.answer.mistake.as_ref().map(|mistake| &mistake.message);
        if let Some(why) = mistake.or(found.answer.refusal.as_ref()) {
            let read = if mistake.is_some() { "The formula cannot be read" } else { "No answer" };
            return Said {
                tone: Tone::Refused,
                headline: read.into(),
                told: vec![capitalised(why)],
                ..Said::default()
            };
        }
        let Some(answer) = found.found() else { return Said::default() };
        if self.work.is_stale() {
            return Said::stale(&answer.headline, "Ask again");
        }
        let is_cut = self.work.is_cut() && answer.verdict == LivenessVerdict::Unknown;
        Said {
            tone: match answer.verdict {
                LivenessVerdict::Holds => Tone::Safe,
                LivenessVerdict::Violated => Tone::Unsafe,
                LivenessVerdict::Unknown => Tone::Unknown,
            },
            headline: answer.headline.clone(),
            scope: numbers(&answer.options),
            holds: holds_for(&answer.options),
            told: answer.told.iter().cloned().chain(is_cut.then(|| CUT.into())).collect(),
            figures: answer
                .figures
                .iter()
                .cloned()
                .chain([format!("It took {}.", duration(found.millis))])
                .collect(),
            asks: match (is_cut, answer.goes_on) {
                (true, _) => vec![GO_ON],
                (false, true) => vec![(Ask::More, "Search ten times longer")],
                (false, false) => Vec::new(),
            },
            ..Said::default()
        }
        .or_other(self.is_other(), &answer.headline)
        .unless_broken(model)
    }

    /// The same in a few words.
    pub(super) fn known(&self) -> Option<String> {
        let found = self.found().filter(|_| self.work.is_fresh() && !self.is_other())?;
        let of_formula = found.formula.is_some();
        Some(match (found.verdict, of_formula) {
            (LivenessVerdict::Unknown, _) => return None,
            (LivenessVerdict::Holds, true) => "the formula holds".into(),
            (LivenessVerdict::Holds, false) => "every run ends".into(),
            (LivenessVerdict::Violated, true) => "a run violates the formula".into(),
            (LivenessVerdict::Violated, false) => "a run never ends".into(),
        })
    }

    /// How the run goes on behind its last step, in a few words.
    pub(super) fn goes_on(&self) -> String {
        let lasso = self.found.as_ref().and_then(|found| found.lasso());
        match lasso.map(|lasso| lasso.ends) {
            Some(LassoEnding::Cycle) => {
                let first = self.found.as_ref().and_then(|found| found.cycle_at()).unwrap_or(0);
                format!("after the last step it goes on at step {}, for ever; replayed", first + 1)
            }
            Some(LassoEnding::End) => "then the run has ended and stays there; replayed".into(),
            Some(LassoEnding::Failure) => "there it fails and stays; replayed".into(),
            Some(LassoEnding::Exit) => "there the program ends; replayed".into(),
            None => String::new(),
        }
    }
}

impl Said {
    /// Something else stands in the field than what was answered.
    fn or_other(self, is_other: bool, headline: &str) -> Said {
        if is_other { Said::stale(headline, "Ask again") } else { self }
    }

    /// A program with errors has no answer.
    fn unless_broken(self, model: &Model) -> Said {
        if model.broken() { Said::default() } else { self }
    }
}

/// What is worked on.
fn doing(stage: Stage) -> &'static str {
    match stage {
        Stage::Forward => "Which states are reached",
        Stage::Backward => "Looking for a cycle",
        Stage::Witness | Stage::Shortest => "Putting a run together",
        Stage::Proof => "Checking the proof",
        Stage::Contexts | Stage::Statements => "Which statements violating runs execute",
        _ => "Reading the program",
    }
}
