//! What is said of the lab: what was recorded, or how far a recording is.

use super::state::Lab;
use crate::draw::unrolling::{answer, brief};
use crate::draw::words::{counted, limit_sentence};
use crate::ui::state::model::Model;
use crate::ui::state::question::Answered;
use crate::ui::state::said::{Ask, CUT, GO_ON, Said, Tone};
use crate::util::Limit;
use crate::wire::lab::{LabAutomaton, LabReport, LabTask};
use crate::wire::unrolling::UnrollingEnd;

impl Lab {
    /// What was recorded, or how far a recording is; while the check runs, a recording waits.
    pub(super) fn recorded_or_not(&self, model: &Model) -> Said {
        if let Some(pending) = self.work.pending() {
            let far = match pending.progress {
                _ if model.run.is_busy() => "Waiting for the check to end…".into(),
                0 => "Recording…".into(),
                items => format!("Recording… {}", counted(items, "step")),
            };
            return Said::working(far, pending.stopping);
        }
        let again = |headline: &str| Said {
            tone: Tone::Stale,
            headline: headline.into(),
            asks: vec![(Ask::Again, "Record again")],
            ..Said::default()
        };
        match self.work.answered() {
            Answered::Stopped => return again("The recording was stopped"),
            Answered::No if self.is_empty() => {
                return Said { told: vec!["Nothing is recorded yet.".into()], ..Said::default() };
            }
            Answered::No => return again("Changed since this was recorded"),
            Answered::Lost => return again("The worker had to be replaced"),
            Answered::Yes => {}
        }
        let shown = self.recording.as_ref().map(|recording| &recording.report);
        if let Some(report) = shown.filter(|report| !report.bounds.is_empty()) {
            return unrolled(report);
        }
        let found = shown.and_then(|report| Some((report, report.automata.get(self.automaton)?)));
        match found {
            Some((report, automaton)) => told(report, automaton, self.work.is_cut()),
            None => Said {
                tone: Tone::Refused,
                headline: "Nothing was recorded".into(),
                ..Said::default()
            },
        }
    }
}

fn unrolled(report: &LabReport) -> Said {
    let last = report.bounds.last();
    let tone = match last.map(|last| last.end) {
        Some(UnrollingEnd::Fails) => Tone::Unsafe,
        Some(UnrollingEnd::Safe) => Tone::Safe,
        Some(UnrollingEnd::Open) => Tone::Bounded,
        _ => Tone::Unknown,
    };
    let headline = match last {
        Some(last) => format!("Unrolled to k = {}: {}", last.bound, brief(last)),
        None => String::new(),
    };
    let cut = report.limit.map(|limit| format!("Cut short: {}.", limit_sentence(limit)));
    Said {
        tone,
        headline,
        told: last.map(answer).into_iter().chain(cut).collect(),
        ..Said::default()
    }
}

/// `is_cut`: the recording had less time and memory than one that a person asks for.
fn told(report: &LabReport, automaton: &LabAutomaton, is_cut: bool) -> Said {
    let what = match report.options.task {
        LabTask::Post => "All that runs can reach",
        LabTask::Pre => "All from which runs come into the set",
        LabTask::Transducer | LabTask::Unrolling => "All runs, from any configuration to any other",
    };
    let steps = counted(automaton.steps.len().saturating_sub(1) as u64, "step");
    let (tone, headline) = match (report.limit, automaton.steps.is_empty()) {
        (Some(limit), _) => (Tone::Unknown, format!("Cut short: {}", limit_sentence(limit))),
        (None, true) => (Tone::Plain, what.to_string()),
        (None, false) => (Tone::Plain, format!("{what}, in {steps}")),
    };
    let transitions = counted(automaton.transitions.len() as u64, "transition");
    let is_cut = is_cut && matches!(report.limit, Some(Limit::Time | Limit::Nodes));
    let cut = is_cut.then(|| CUT.to_string());
    Said {
        tone,
        headline,
        told: match report.limit {
            Some(_) => {
                cut.into_iter().chain(["What is shown was recorded before.".into()]).collect()
            }
            None => Vec::new(),
        },
        asks: if is_cut { vec![GO_ON] } else { Vec::new() },
        figures: vec![format!("The automaton {} has {transitions}.", automaton.title)],
        ..Said::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_follows_the_work() {
        let (mut lab, mut model) = (Lab::default(), Model::default());
        assert_eq!(lab.in_place_of_picture(false).as_deref(), Some("Nothing is recorded yet."));
        lab.work.begin(1, 0);
        assert_eq!(lab.recorded_or_not(&model).working, "Recording…");
        model.run.begin(2, Default::default());
        assert!(lab.recorded_or_not(&model).working.starts_with("Waiting"));
        model.run.give_up();
        lab.work.give_up();
        assert_eq!(lab.recorded_or_not(&model).asks, [(Ask::Again, "Record again")]);
        lab.work.invalidate();
        assert!(lab.recorded_or_not(&model).asks.is_empty(), "it is recorded by itself");
    }
}
