//! A run of the loop: its rounds and their phases.

use crate::draw::refinement::{RoundStep, timeline};
use crate::draw::words::{counted, grouped};
use crate::util::Stage;
use crate::wire::cegar::RoundReport;
use crate::wire::refinement::{CegarPhase, RefinementReport};

/// A run that is over, or that was given up.
#[derive(Debug)]
pub(crate) struct Run {
    /// The worker's answer; `None` if it was given up.
    pub(crate) report: Option<RefinementReport>,
    pub(crate) rounds: Vec<RoundReport>,
    pub(crate) steps: Vec<RoundStep>,
    pub(crate) millis: u64,
    /// The user has ended it.
    pub(crate) stopped: bool,
    /// It is still on its way: these are the rounds so far.
    pub(crate) live: bool,
}

impl Run {
    pub(crate) fn new(
        report: Option<RefinementReport>,
        rounds: Vec<RoundReport>,
        millis: u64,
    ) -> Run {
        Run { report, steps: timeline(&rounds), rounds, millis, stopped: false, live: false }
    }

    /// The round of a step.
    pub(crate) fn round(&self, step: usize) -> Option<&RoundReport> {
        let number = self.steps.get(step)?.round;
        self.rounds.iter().find(|round| round.round == number)
    }

    /// Refinements that were made.
    pub(crate) fn refinements(&self) -> usize {
        self.rounds.iter().filter(|round| round.is_refined()).count()
    }
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Progress {
    pub(crate) stage: Stage,
    pub(crate) millis: u64,
    /// The rounds so far.
    pub(crate) rounds: Vec<RoundReport>,
}

/// What a phase came to, in a few words.
pub(crate) fn summary(round: &RoundReport, phase: CegarPhase) -> String {
    said(round, phase, 0).unwrap_or_else(|| usual(round, phase))
}

/// What the worker says of a phase: 0 in a few words, 1 in a sentence.
pub(crate) fn said(round: &RoundReport, phase: CegarPhase, long: usize) -> Option<String> {
    round.phases.iter().find(|one| one.phase == phase)?.said.get(long).cloned()
}

fn usual(round: &RoundReport, phase: CegarPhase) -> String {
    match phase {
        CegarPhase::Slice => "what matters at all".into(),
        CegarPhase::Abstract => counted(round.rules_abstracted, "statement"),
        CegarPhase::Check if round.dag_nodes == 0 && round.spurious.is_none() => {
            "no error left".into()
        }
        CegarPhase::Check if round.spurious == Some(false) && round.follows.is_some() => {
            "a run that fails".into()
        }
        CegarPhase::Check => "reaches an error".into(),
        CegarPhase::Dag if round.dag_nodes == 0 => "cut short".into(),
        CegarPhase::Dag => {
            format!("{}, {}", counted(round.dag_nodes.into(), "node"), traces(round.traces))
        }
        CegarPhase::Interpolate => match round.spurious {
            Some(true) => "all spurious".into(),
            Some(false) => "a trace is real".into(),
            None => "cut short".into(),
        },
        CegarPhase::Verify if round.proved == 1 => "1 property proved".into(),
        CegarPhase::Verify => format!("{} properties proved", grouped(round.proved)),
        CegarPhase::Refine if round.spurious == Some(false) => "a concrete run".into(),
        CegarPhase::Refine if !round.followed.is_empty() => {
            format!("+{}", counted(round.followed.len() as u64, "variable"))
        }
        CegarPhase::Refine if round.predicates_added == 0 => "nothing added".into(),
        CegarPhase::Refine => format!("+{}", counted(round.predicates_added.into(), "predicate")),
        CegarPhase::Prove => "the invariant".into(),
        CegarPhase::Done => String::new(),
    }
}

/// "3 traces".
pub(crate) fn traces(count: u64) -> String {
    if count == u64::MAX {
        "more traces than can be counted".into()
    } else {
        counted(count, "trace")
    }
}
