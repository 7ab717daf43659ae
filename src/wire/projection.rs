//! How an error projection is computed.

use crate::util::words;

words! {
    /// How a projection is computed.
    #[derive(Default)]
    pub enum Method {
        /// Exact, by outer contexts: all statements at once.
        #[default]
        Functional = "functional",
        /// Exact, the paper's: for each statement one path summary over the intersection of post\*
        /// and pre\* (see `analysis::chop`).
        PerNode = "per-node",
        /// Exact: for each statement pre\* of the errors, restricted to it, and pre\* of that.
        DoublePrestar = "double-prestar",
        /// Exact: for each statement post\* of the start, restricted to it, and post\* of that.
        DoublePoststar = "double-poststar",
        /// Join-over-all-paths from the start, extended by join-over-all-paths to the target: keeps
        /// statements that no failing run executes.
        Naive = "naive",
    }
}

impl Method {
    /// Does it ask one question for each statement?
    pub fn is_per_statement(self) -> bool {
        matches!(self, Method::PerNode | Method::DoublePrestar | Method::DoublePoststar)
    }
}
