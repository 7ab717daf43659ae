//! What is asked of a session, how much it may use up, where it is, and what it answered.

use crate::analysis::error_projection::Method;
use crate::encode::AccelerateLoops;
use crate::util::{Limit, Stage};

/// Budgets of a run, in machine-independent units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// Decision-diagram nodes alive at once.
    pub max_nodes: u64,
    /// Kernel steps.
    pub max_steps: u64,
    /// Collect garbage after every step and poison what was freed: slow, finds missing roots.
    pub collect_every_step: bool,
    /// When the rounds of loops are summed up: answers do not depend on it, for tests and
    /// measurements.
    pub loops: AccelerateLoops,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets {
            max_nodes: 8_000_000,
            max_steps: 2_000_000_000,
            collect_every_step: false,
            loops: AccelerateLoops::default(),
        }
    }
}

/// What to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Can it fail, and on which run?
    Check,
    /// And which statements are on failing runs?
    Projection(Method),
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing was started.
    Idle,
    /// post\*: which stores are reached.
    Forward,
    /// Reading a failing run.
    Witness,
    /// Checking the invariant behind "safe".
    Proof,
    /// pre\*: which stores fail.
    Backward,
    /// Outer contexts.
    Contexts,
    /// Deciding each statement.
    Statements,
    /// Looking for a shortest run; verdict and projection are known.
    Shortest,
    /// The slice, to compare with.
    Slice,
    /// Over.
    Done,
}

impl Phase {
    /// The same for progress reports.
    pub fn stage(self) -> Stage {
        match self {
            Phase::Idle => Stage::Idle,
            Phase::Forward => Stage::Forward,
            Phase::Witness => Stage::Witness,
            Phase::Proof => Stage::Proof,
            Phase::Backward => Stage::Backward,
            Phase::Contexts => Stage::Contexts,
            Phase::Statements => Stage::Statements,
            Phase::Shortest => Stage::Shortest,
            Phase::Slice => Stage::Slice,
            Phase::Done => Stage::Done,
        }
    }

    /// A word for progress lines.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Idle => "idle",
            Phase::Forward => "forward",
            Phase::Witness => "witness",
            Phase::Proof => "proof",
            Phase::Backward => "backward",
            Phase::Contexts => "contexts",
            Phase::Statements => "statements",
            Phase::Shortest => "shortest run",
            Phase::Slice => "slice",
            Phase::Done => "done",
        }
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No run fails.
    Safe,
    /// A run fails; it was replayed.
    Unsafe,
    /// This limit was hit first.
    Unknown(Limit),
    /// The interpreter or the check of the invariant contradicts the engine (see
    /// [`super::Session::fault`]): a defect of Faultline, so nothing is claimed.
    Fault,
}
