//! How far a long computation is: one plain type for every analysis, the worker's messages and the
//! page.

use serde::{Deserialize, Serialize};

/// What a computation works on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Nothing was started.
    #[default]
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
    /// The naive projection, to compare with.
    Naive,
    /// Checking the program.
    Check,
    /// A look ahead of each transition of a failing run.
    Ahead,
    /// The interpreter searches for a correct run close to the failing one.
    Close,
    /// Searching for the correct run closest to the failing one.
    Closest,
    /// Correct edges by a refined abstraction.
    Refined,
    /// Judging the transitions of a failing run.
    Judging,
    /// Abstracting statements over predicates.
    Abstract,
    /// Collecting all counterexamples in one graph.
    Dag,
    /// Computing interpolants.
    Interpolate,
    /// Executing a counterexample on the program.
    Verify,
    /// Turning interpolants into predicates.
    Refine,
    /// Checking the proof of the last round.
    Prove,
    /// Failing runs and their causes.
    Causes,
    /// Focus-statement sequences.
    Sequences,
    /// Statements in the order of suspicion.
    Suspects,
    /// Repairs.
    Repairs,
    /// Threads under a bound on context switches.
    Threads,
    /// The failing run of several threads.
    Joining,
    /// Affine relations.
    Affine,
    /// Recording a saturation.
    Saturation,
    /// Over.
    Done,
}

impl Stage {
    /// A word for progress lines.
    pub fn word(self) -> &'static str {
        match self {
            Stage::Idle => "idle",
            Stage::Forward => "forward",
            Stage::Witness => "witness",
            Stage::Proof => "proof",
            Stage::Backward => "backward",
            Stage::Contexts => "contexts",
            Stage::Statements => "statements",
            Stage::Shortest => "shortest run",
            Stage::Slice => "slice",
            Stage::Naive => "naive projection",
            Stage::Check => "check",
            Stage::Ahead => "ahead",
            Stage::Close => "close",
            Stage::Closest => "closest",
            Stage::Refined => "refined",
            Stage::Judging => "judging",
            Stage::Abstract => "abstract",
            Stage::Dag => "DAG",
            Stage::Interpolate => "interpolate",
            Stage::Verify => "verify",
            Stage::Refine => "refine",
            Stage::Prove => "prove",
            Stage::Causes => "causes",
            Stage::Sequences => "sequences",
            Stage::Suspects => "suspects",
            Stage::Repairs => "repairs",
            Stage::Threads => "threads",
            Stage::Joining => "joining",
            Stage::Affine => "affine",
            Stage::Saturation => "lab",
            Stage::Done => "done",
        }
    }
}

/// How far a computation is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// What it works on.
    pub stage: Stage,
    /// Pieces of work done.
    pub items: u64,
    /// Decision-diagram nodes alive now (of the lab: transitions).
    pub nodes: u64,
    /// Kernel steps so far.
    pub steps: u64,
}
