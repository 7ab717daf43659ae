//! Any domain with *merge*, for systems whose symbols belong to procedures with locals (Lal,
//! Touili, Kidd, Reps 2007, App. B; Lal, Reps, Balakrishnan 2005).
//!
//! A weight relates globals and locals at the entry of a frame to those now. A push rule binds the
//! callee's locals (its weight is the callee's first step), a pop rule leaves results in globals.
//! When the callee has returned, its summary counts as merge(f(r) ⊗ summary), so the caller's
//! locals are as they were at the call. For a configuration with several frames the weight ends in
//! the locals of the topmost one.
//!
//! The merging function of the second paper, g(a, b) = a ⊗ merge(b), keeps its three laws: it is
//! strict, distributes over ⊕ in both arguments, and g(a ⊗ b, c) = a ⊗ g(b, c). Sets of
//! configurations given to saturation have one frame, or none whose locals matter below it.

use super::system::RuleId;
use super::weights::{BackwardWeights, Compose, ForwardWeights, Weights, gained};
use crate::semiring::Merge;
use crate::util::Bounded;

/// A semiring with *merge*, and f(r) for each rule.
pub struct Locals<S: Merge> {
    /// The semiring.
    pub semiring: S,
    /// f(r), by rule id.
    pub weights: Vec<S::Weight>,
}

impl<S: Merge> Locals<S> {
    /// What a whole call does to its caller: merge(f(r) ⊗ summary).
    fn call(&mut self, rule: RuleId, summary: &S::Weight) -> Bounded<S::Weight> {
        let inside = self.semiring.extend(&self.weights[rule], summary)?;
        self.semiring.merge(&inside)
    }
}

impl<S: Merge> Weights for Locals<S> {
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

impl<S: Merge> Compose for Locals<S> {
    fn compose(&mut self, left: &S::Weight, right: &S::Weight) -> Bounded<S::Weight> {
        self.semiring.extend(left, right)
    }
}

impl<S: Merge> ForwardWeights for Locals<S> {
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
        let called = self.call(rule, summary)?;
        self.semiring.extend(at_call, &called)
    }
    fn return_into_given(&mut self, below: &S::Weight, summary: &S::Weight) -> Bounded<S::Weight> {
        self.semiring.extend(below, summary)
    }
}

impl<S: Merge> BackwardWeights for Locals<S> {
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
        let called = self.call(rule, summary)?;
        self.semiring.extend(&called, weight)
    }
    fn inside_before(
        &mut self,
        rule: RuleId,
        callee: &S::Weight,
        below: &S::Weight,
    ) -> Bounded<S::Weight> {
        let inside = self.before(rule, callee)?;
        self.semiring.extend(&inside, below)
    }
}
