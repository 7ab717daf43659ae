//! What saturation needs to know about weights.
//!
//! For a plain semiring every rule r carries a weight f(r), and everything is an extend. Programs
//! with local variables need more: when a callee returns, the caller's locals come back as they
//! were at the call (Lal, Touili, Kidd, Reps 2007, App. B: *merge*), and a callee starts from a
//! store of its own. [`Domain`] names these places; [`Plain`] fills them in for any semiring.

use super::system::{Pds, RuleId, StackSymbol};
use crate::semiring::{Precision, Semiring};
use crate::util::Bounded;
use std::fmt::Debug;

/// The weights of one pushdown system. Post\* weights run from the entry of a frame to now; pre\*
/// weights from now to the frame's end (or to the target).
pub trait Domain {
    /// A weight.
    type Weight: Clone + PartialEq + Debug;

    /// "No path".
    fn zero(&self) -> Self::Weight;
    /// Is it "no path"?
    fn is_zero(&self, weight: &Self::Weight) -> bool;
    /// ⊕.
    fn combine(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight>;
    /// A weight d with old ⊕ d = old ⊕ new, as small as is cheap; what saturation propagates.
    /// Default: `new`. Where extend is only monotone it must be old ⊕ new: what the parts of a
    /// weight lead to, one by one, may be less than what the whole leads to.
    fn difference(&mut self, new: &Self::Weight, old: &Self::Weight) -> Bounded<Self::Weight> {
        let _ = old;
        Ok(new.clone())
    }
    /// `left` ⊗ `right` within one frame.
    fn compose(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight>;

    /// post\*: w ⊗ f(r), for step and pop rules.
    fn after(&mut self, weight: &Self::Weight, rule: RuleId) -> Bounded<Self::Weight>;
    /// post\*: the weight with which a callee starts when its caller is at a push rule with weight
    /// w.
    fn enter(&mut self, weight: &Self::Weight, rule: RuleId) -> Bounded<Self::Weight>;
    /// post\*: from the caller's entry to the return site: w at the call, then the push rule, then
    /// the callee's summary, merged.
    fn return_after(
        &mut self,
        at_call: &Self::Weight,
        rule: RuleId,
        summary: &Self::Weight,
    ) -> Bounded<Self::Weight>;
    /// post\*: what any number of rounds of the loop with the header `symbol`, from one to all,
    /// make of `gained`, a part of `whole`, the weight there; or a part of that, or `None`.
    /// Whatever is given here saturation need not find round by round. Default: `None`.
    fn accelerate(
        &mut self,
        pds: &Pds,
        priority: &[u32],
        symbol: StackSymbol,
        gained: &Self::Weight,
        whole: &Self::Weight,
    ) -> Bounded<Option<Self::Weight>> {
        let _ = (pds, priority, symbol, gained, whole);
        Ok(None)
    }

    /// pre\*: f(r), for pop rules.
    fn pop_before(&mut self, rule: RuleId) -> Bounded<Self::Weight>;
    /// pre\*: f(r) ⊗ w, for step rules.
    fn before(&mut self, rule: RuleId, weight: &Self::Weight) -> Bounded<Self::Weight>;
    /// pre\*: from a call to the frame's end: the push rule, the callee's summary, merged, then w
    /// from the return site.
    fn return_before(
        &mut self,
        rule: RuleId,
        summary: &Self::Weight,
        weight: &Self::Weight,
    ) -> Bounded<Self::Weight>;
    /// pre\*: as [`Self::accelerate`], for what rounds of the loop lead to `gained`. Default:
    /// `None`.
    fn accelerate_backward(
        &mut self,
        symbol: StackSymbol,
        gained: &Self::Weight,
    ) -> Bounded<Option<Self::Weight>> {
        let _ = (symbol, gained);
        Ok(None)
    }
    /// pre\*: from a call to a target inside the callee: the push rule, then `callee`; `below` is
    /// read off the caller's part of the stack.
    fn inside_before(
        &mut self,
        rule: RuleId,
        callee: &Self::Weight,
        below: &Self::Weight,
    ) -> Bounded<Self::Weight>;
}

/// Any semiring with a weight for each rule.
pub struct Plain<S: Semiring> {
    /// The semiring.
    pub semiring: S,
    /// f(r), by rule id.
    pub weights: Vec<S::Weight>,
}

impl<S: Semiring> Plain<S> {
    fn rule(&self, rule: RuleId) -> S::Weight {
        self.weights[rule.0 as usize].clone()
    }
}

impl<S: Semiring> Domain for Plain<S> {
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
    fn compose(&mut self, left: &S::Weight, right: &S::Weight) -> Bounded<S::Weight> {
        self.semiring.extend(left, right)
    }
    fn after(&mut self, weight: &S::Weight, rule: RuleId) -> Bounded<S::Weight> {
        let f = self.rule(rule);
        self.semiring.extend(weight, &f)
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
    fn pop_before(&mut self, rule: RuleId) -> Bounded<S::Weight> {
        Ok(self.rule(rule))
    }
    fn before(&mut self, rule: RuleId, weight: &S::Weight) -> Bounded<S::Weight> {
        let f = self.rule(rule);
        self.semiring.extend(&f, weight)
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

/// What saturation propagates of a weight that grew from `old` by `new`: see
/// [`Domain::difference`].
pub(super) fn gained<S: Semiring>(
    semiring: &mut S,
    new: &S::Weight,
    old: &S::Weight,
) -> Bounded<S::Weight> {
    match semiring.precision() {
        Precision::Exact => Ok(new.clone()),
        Precision::Safe => semiring.combine(old, new),
    }
}
