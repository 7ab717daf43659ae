//! Budgets, and what it means that one ran out.
//!
//! A budget that ran out is a *result*, not an error of the program: analyses answer
//! `Unknown(Limit)` and keep what they found.

use super::words;

words! {
    /// Which budget ran out.
    pub enum Limit {
        /// More live decision-diagram nodes than allowed.
        Nodes = "nodes",
        /// More kernel steps (recursive calls that missed the operation cache) than allowed.
        Steps = "steps",
        /// The driver's clock ran out (the engine itself has no clock).
        Time = "time",
        /// More rounds of a loop than allowed.
        Rounds = "rounds",
        /// Something is deeper than the stack allows: decision levels, a trace, nesting.
        Depth = "depth",
        /// The program has threads, and the analysis let only the first of them run.
        Threads = "threads",
        /// Some run needs more objects in memory than the model has.
        Heap = "heap",
    }
}

/// A value, or the limit that was hit while computing it.
pub type Bounded<T> = Result<T, Limit>;
