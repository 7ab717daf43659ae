//! How far a long computation is: one plain type for every analysis, the worker's messages and the
//! page.

use super::words;
use serde::{Deserialize, Serialize};

words! {
    /// What a computation works on.
    #[derive(Default)]
    pub enum Stage {
        /// Nothing was started.
        #[default]
        Idle = "idle",
        /// The bounded engine: all inputs at once, up to so many rounds.
        Bounded = "bounded",
        /// post\*: which stores are reached.
        Forward = "forward",
        /// Reading a failing run.
        Witness = "witness",
        /// Checking the invariant behind "safe".
        Proof = "proof",
        /// pre\*: which stores fail.
        Backward = "backward",
        /// Outer contexts.
        Contexts = "contexts",
        /// Deciding each statement.
        Statements = "statements",
        /// Looking for a shortest run; verdict and projection are known.
        Shortest = "shortest run",
        /// Looking for what else can fail; one failing run is known.
        Failures = "further failures",
        /// The slice, to compare with.
        Slice = "slice",
        /// The naive projection, to compare with.
        Naive = "naive projection",
        /// Checking the program.
        Check = "check",
        /// A look ahead of each transition of a failing run.
        Ahead = "ahead",
        /// The interpreter searches for a correct run close to the failing one.
        Close = "close",
        /// Searching for the correct run closest to the failing one.
        Closest = "closest",
        /// Correct edges by a refined abstraction.
        Refined = "refined",
        /// Judging the transitions of a failing run.
        Judging = "judging",
        /// Abstracting statements over predicates.
        Abstract = "abstract",
        /// Collecting all counterexamples in one graph.
        Dag = "DAG",
        /// Computing interpolants.
        Interpolate = "interpolate",
        /// Executing a counterexample on the program.
        Verify = "verify",
        /// Turning interpolants into predicates.
        Refine = "refine",
        /// Checking the proof of the last round.
        Prove = "prove",
        /// Failing runs and their causes.
        Causes = "causes",
        /// Focus-statement sequences.
        Sequences = "sequences",
        /// Statements in the order of suspicion.
        Suspects = "suspects",
        /// Repairs.
        Repairs = "repairs",
        /// Threads under a bound on context switches.
        Threads = "threads",
        /// The failing run of several threads.
        Joining = "joining",
        /// Affine relations.
        Affine = "affine",
        /// Recording a saturation.
        Saturation = "lab",
        /// A failing run that was found with narrow integers is tried with C's own.
        Confirm = "confirm",
        /// The answer for narrow integers is known; C's own are tried again.
        Wider = "wider",
        /// Over.
        Done = "done",
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
    /// Is it known already that some run fails? Messages have a report for that.
    #[serde(skip)]
    pub fails: bool,
}
