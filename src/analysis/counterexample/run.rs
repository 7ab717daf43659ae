//! A failing run: the statements that are executed, with the stores around them.

use crate::encode::{ErrorSite, Valuation};
use crate::lang::model::EdgeId;

/// Most statements of a run; a longer one is [`Limit::Depth`](crate::util::Limit::Depth).
pub const MAX_STEPS: usize = 100_000;

/// One executed edge.
#[derive(Clone, Debug)]
pub struct Step {
    /// Which.
    pub edge: EdgeId,
    /// Globals and the frame's cells before it.
    pub before: Valuation,
    /// The store after the edge. For a call: the globals and the callee's frame at its entry. For
    /// the failing step: as before.
    pub after: Valuation,
    /// One bit pattern for each of the edge's choices.
    pub choices: Vec<u64>,
}

/// A run from the start to an error.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The store at the start.
    pub initial: Valuation,
    /// The executed edges, in order. The last edge fails `error.check`.
    pub steps: Vec<Step>,
    /// Where it ends.
    pub error: ErrorSite,
}
