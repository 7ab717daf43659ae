//! Budgets, and what it means that one ran out.
//!
//! A budget that ran out is a *result*, not an error of the program: analyses answer
//! `Unknown(Limit)` and keep what they found.

use serde::{Deserialize, Serialize};

/// Which budget ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// More live decision-diagram nodes than allowed.
    Nodes,
    /// More kernel steps (recursive calls that missed the operation cache) than allowed.
    Steps,
    /// The driver's clock ran out (the engine itself has no clock).
    Time,
    /// More rounds of a loop than allowed.
    Rounds,
    /// Something is deeper than the stack allows: decision levels, a trace, nesting.
    Depth,
    /// The program has threads, and the analysis let only the first of them run.
    Threads,
}

impl Limit {
    /// The stable word of the command line's contract (`"nodes"`, `"steps"`, `"time"`, `"rounds"`,
    /// `"depth"`, `"threads"`).
    pub fn word(self) -> &'static str {
        match self {
            Limit::Nodes => "nodes",
            Limit::Steps => "steps",
            Limit::Time => "time",
            Limit::Rounds => "rounds",
            Limit::Depth => "depth",
            Limit::Threads => "threads",
        }
    }
}

/// A value, or the limit that was hit while computing it.
pub type Bounded<T> = Result<T, Limit>;
