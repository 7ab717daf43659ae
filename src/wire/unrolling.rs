//! The unrolling of a program up to growing bounds: each copy of a statement as a box, and what a
//! bound says.

use crate::util::{Limit, words};
use crate::wire::graph::Graph;
use serde::{Deserialize, Serialize};

/// The bounds that are unrolled: 1 to this.
pub const MOST_BOUNDS: u32 = 5;

words! {
    /// What is known of the runs within a bound.
    pub enum UnrollingEnd {
        /// None of them fails, and there are longer ones: nothing is proved.
        Open = "open",
        /// None of them fails, and there are no others.
        Safe = "safe",
        /// One of them fails.
        Fails = "fails",
        /// Neither was found out.
        Unknown = "unknown",
    }
}

/// The program unrolled up to one bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnrolledBound {
    /// k: most rounds of a loop, and most calls of a procedure within itself.
    pub bound: u32,
    /// A box for each copy of a statement, laid out.
    pub graph: Graph,
    /// Boxes that stand for runs that are not followed any more, by position.
    pub cut: Vec<u32>,
    /// Boxes where some run fails, by position.
    pub fails: Vec<u32>,
    /// Boxes that no run comes to, by position.
    pub unreached: Vec<u32>,
    /// Copies that are not drawn.
    pub left_out: u32,
    /// Nodes of the circuit.
    pub nodes: u64,
    /// Variables of the clauses.
    pub variables: u64,
    /// Literals of the clauses.
    pub literals: u64,
    /// Clauses that the solver learnt.
    pub conflicts: u64,
    /// What is known.
    pub end: UnrollingEnd,
    /// Of a failing run: the line where it fails, and what it reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<(u32, String)>,
    /// The limit that ended the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
