//! How an error projection is computed.

use serde::{Deserialize, Serialize};

/// How a projection is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Exact, by outer contexts: all statements at once.
    #[default]
    Functional,
    /// Exact, the paper's: for each statement one path summary over the intersection of post\* and
    /// pre\* (see `analysis::chop`).
    PerNode,
    /// Exact: for each statement pre\* of the errors, restricted to it, and pre\* of that.
    DoublePrestar,
    /// Exact: for each statement post\* of the start, restricted to it, and post\* of that.
    DoublePoststar,
    /// Join-over-all-paths from the start, extended by join-over-all-paths to the target: keeps
    /// statements that no failing run executes.
    Naive,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 5] = [
        Method::Functional,
        Method::PerNode,
        Method::DoublePrestar,
        Method::DoublePoststar,
        Method::Naive,
    ];

    /// Does it ask one question for each statement?
    pub fn is_per_statement(self) -> bool {
        matches!(self, Method::PerNode | Method::DoublePrestar | Method::DoublePoststar)
    }

    /// The word of the command line.
    pub fn word(self) -> &'static str {
        match self {
            Method::Functional => "functional",
            Method::PerNode => "per-node",
            Method::DoublePrestar => "double-prestar",
            Method::DoublePoststar => "double-poststar",
            Method::Naive => "naive",
        }
    }
}
