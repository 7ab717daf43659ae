//! A recording with what is read off it often, and what was asked about it.

use crate::draw::lab_replay::Replay;
use crate::ui::state::shared::Shared;
use crate::util::Limit;
use crate::wire::lab::{LabAutomaton, LabReport, LabStep, LabWitness};
use crate::wire::unrolling::UnrolledBound;

/// A recording with what is read off it often.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) report: LabReport,
    replays: Vec<Replay>,
}

impl Recording {
    pub(crate) fn new(report: LabReport) -> Recording {
        let replays = report.automata.iter().map(Replay::new).collect();
        Recording { report, replays }
    }

    /// One of the automata.
    pub(crate) fn automaton(&self, index: usize) -> Option<&LabAutomaton> {
        self.report.automata.get(index)
    }

    /// One of the bounds that were unrolled.
    pub(crate) fn bound(&self, step: usize) -> Option<&UnrolledBound> {
        self.report.bounds.get(step)
    }

    /// How many steps an automaton's recording has, the one that it starts from included; of an
    /// unrolling, how many bounds.
    pub(crate) fn steps(&self, index: usize) -> usize {
        match self.report.bounds.len() {
            0 => self.automaton(index).map_or(0, |automaton| automaton.steps.len()),
            bounds => bounds,
        }
    }

    /// An automaton with its replay.
    pub(crate) fn replayed(&self, index: usize) -> Option<(&LabAutomaton, &Replay)> {
        Some((self.report.automata.get(index)?, self.replays.get(index)?))
    }

    /// What a transition weighs after a step; `None` where it is not there yet.
    pub(crate) fn weight(&self, index: usize, transition: u32, step: usize) -> Option<&str> {
        let (automaton, replay) = self.replayed(index)?;
        replay.weight(automaton, transition, step)
    }
}

/// Automaton, transition, and the step that gave it the weight that is explained.
pub(crate) type WitnessOf = (usize, u32, usize);

/// A witness; or why there is none.
pub(crate) type Witness = Result<Shared<LabWitness>, Option<Limit>>;

/// What a weight is asked of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WeightOf {
    /// A set, in an automaton after a step.
    Set { automaton: usize, step: usize, set: String },
    /// The runs from one set to another.
    Runs { from: String, to: String },
}

/// How many transitions a step added, and of how many others it raised the weight.
pub(crate) fn numbers(step: &LabStep) -> (usize, usize) {
    let added = step.changes.iter().filter(|change| change.is_new).count();
    (added, step.changes.len() - added)
}

/// What a step does, in numbers.
pub(crate) fn summary(step: &LabStep, index: usize) -> String {
    let (added, raised) = numbers(step);
    match (index, added, raised) {
        (0, _, _) => "what saturation starts from".into(),
        (_, 0, 0) => "nothing new".into(),
        (_, added, 0) => format!("{added} added"),
        (_, 0, raised) => format!("{raised} raised"),
        (_, added, raised) => format!("{added} added, {raised} raised"),
    }
}
