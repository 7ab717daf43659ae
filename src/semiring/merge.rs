//! Weights of procedures with locals: *merge* (Lal, Touili, Kidd, Reps 2007, App. B).

use super::{Boolean, CheapestPath, MinPath, PathCost, PathLength, Product, Semiring};
use crate::util::Bounded;

/// A domain whose weights speak of globals and of the locals of the procedure that runs. A
/// caller does not see what a callee did to the callee's own locals; its own locals are as they
/// were at the call:
///
/// merge(w) = { (g1, l1, g2, l1) | (g1, l1, g2, l2) ∈ w }.
///
/// Merge distributes over ⊕, as App. B requires, and merge(0) = 0, merge(1) = 1, merge(merge(w)) =
/// merge(w). In domains without variables merge is the identity.
pub trait Merge: Semiring {
    /// The callee's summary as its effect on the caller.
    fn merge(&mut self, weight: &Self::Weight) -> Bounded<Self::Weight>;
}

impl Merge for Boolean {
    fn merge(&mut self, weight: &bool) -> Bounded<bool> {
        Ok(*weight)
    }
}

impl Merge for MinPath {
    fn merge(&mut self, weight: &PathLength) -> Bounded<PathLength> {
        Ok(*weight)
    }
}

impl Merge for CheapestPath {
    fn merge(&mut self, weight: &Option<PathCost>) -> Bounded<Option<PathCost>> {
        Ok(*weight)
    }
}

impl<A: Merge, B: Merge> Merge for Product<A, B> {
    fn merge(&mut self, weight: &Self::Weight) -> Bounded<Self::Weight> {
        Ok((self.first.merge(&weight.0)?, self.second.merge(&weight.1)?))
    }
}
