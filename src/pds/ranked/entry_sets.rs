//! Sets of entries: the stores with which a frame was entered.
//!
//! A search in the order of lengths keeps the entries of a callee by rank, and asks which part of a
//! summary, or of a caller's weight, belongs to them.

use crate::pds::plain::Plain;
use crate::pds::system::RuleId;
use crate::pds::weights::ForwardWeights;
use crate::semiring::Boolean;
use crate::util::Bounded;

/// Weights that show with which entries a frame was entered.
pub trait EntrySets: ForwardWeights {
    /// As [`ForwardWeights::enter`], but without anything that does not enter.
    fn starts(&mut self, weight: &Self::Weight, rule: RuleId) -> Bounded<Self::Weight>;
    /// The entries among the starts of a callee of this push rule, in a form that [`Self::meet`]
    /// takes together with starts and summaries of the same callee.
    fn entries(&mut self, rule: RuleId, starts: &Self::Weight) -> Bounded<Self::Weight>;
    /// The part of `weight` whose frame was entered by one of `entries`.
    fn meet(&mut self, weight: &Self::Weight, entries: &Self::Weight) -> Bounded<Self::Weight>;
    /// Exactly the part of `weight` that `old` does not have.
    fn beyond(&mut self, weight: &Self::Weight, old: &Self::Weight) -> Bounded<Self::Weight>;
}

/// Without data there is only one entry.
impl EntrySets for Plain<Boolean> {
    fn starts(&mut self, weight: &bool, _rule: RuleId) -> Bounded<bool> {
        Ok(*weight)
    }
    fn entries(&mut self, _rule: RuleId, starts: &bool) -> Bounded<bool> {
        Ok(*starts)
    }
    fn meet(&mut self, weight: &bool, entries: &bool) -> Bounded<bool> {
        Ok(*weight && *entries)
    }
    fn beyond(&mut self, weight: &bool, old: &bool) -> Bounded<bool> {
        Ok(*weight && !*old)
    }
}
