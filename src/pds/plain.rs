//! Any semiring with a weight for each rule: systems without local variables.

use super::system::RuleId;
use super::weights::{BackwardWeights, Compose, ForwardWeights, Weights, gained};
use crate::semiring::Semiring;
use crate::util::Bounded;

/// A semiring, and f(r) for each rule.
pub struct Plain<S: Semiring> {
    /// The semiring.
    pub semiring: S,
    /// f(r), by rule id.
    pub weights: Vec<S::Weight>,
}

impl<S: Semiring> Weights for Plain<S> {
    type Weight = S::Weight;

    fn zero(&self) -> S::Weight {
        self.semiring.zero()
    }
    fn is_zero(&self, weight: &S::Weight) -> bool {
        self.semiring.is_zero(weight)
    }
    fn combine(&mut self, left: &S::Weight, right: &S::Weight) -> Bounded<S::Weight> {
        self.semiring.combine(left, right)
    }
    fn difference(&mut self, new: &S::Weight, old: &S::Weight) -> Bounded<S::Weight> {
        gained(&mut self.semiring, new, old)
    }
}

impl<S: Semiring> Compose for Plain<S> {
    fn compose(&mut self, left: &S::Weight, right: &S::Weight) -> Bounded<S::Weight> {
        self.semiring.extend(left, right)
    }
}

impl<S: Semiring> ForwardWeights for Plain<S> {
    fn after(&mut self, weight: &S::Weight, rule: RuleId) -> Bounded<S::Weight> {
        self.semiring.extend(weight, &self.weights[rule])
    }
    fn enter(&mut self, _weight: &S::Weight, _rule: RuleId) -> Bounded<S::Weight> {
        self.semiring.one()
    }
    fn return_after(
        &mut self,
        at_call: &S::Weight,
        rule: RuleId,
        summary: &S::Weight,
    ) -> Bounded<S::Weight> {
        let called = self.after(at_call, rule)?;
        self.semiring.extend(&called, summary)
    }
    fn return_into_given(&mut self, below: &S::Weight, summary: &S::Weight) -> Bounded<S::Weight> {
        self.semiring.extend(below, summary)
    }
}

impl<S: Semiring> BackwardWeights for Plain<S> {
    fn pop_before(&mut self, rule: RuleId) -> Bounded<S::Weight> {
        Ok(self.weights[rule].clone())
    }
    fn before(&mut self, rule: RuleId, weight: &S::Weight) -> Bounded<S::Weight> {
        self.semiring.extend(&self.weights[rule], weight)
    }
    fn return_before(
        &mut self,
        rule: RuleId,
        summary: &S::Weight,
        weight: &S::Weight,
    ) -> Bounded<S::Weight> {
        let called = self.before(rule, summary)?;
        self.semiring.extend(&called, weight)
    }
    fn inside_before(
        &mut self,
        rule: RuleId,
        callee: &S::Weight,
        below: &S::Weight,
    ) -> Bounded<S::Weight> {
        self.return_before(rule, callee, below)
    }
}
