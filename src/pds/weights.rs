//! What saturation needs to know about weights.
//!
//! For a plain semiring every rule r carries a weight f(r), and everything is an extend. Programs
//! with local variables need more: when a callee returns, the caller's locals come back as they
//! were at the call (Lal, Touili, Kidd, Reps 2007, App. B: *merge*), and a callee starts from its
//! own store. So a set of weights offers one method for each place where the textbook has an
//! extend:
//!
//! | trait | needed by |
//! | --- | --- |
//! | [`Weights`] | everything |
//! | [`ForwardWeights`] | post\*: weights run from the entry of a frame to now |
//! | [`BackwardWeights`] | pre\*: weights run from now to the frame's end, or to the target |
//! | [`Compose`] | readers of a saturated automaton: weights of one frame can be extended by each other |
//!
//! The methods take a plain [`RuleId`], although each is for one kind of rule: saturation has
//! looked at the right side of the rule before it calls. A type for each kind of rule would need a
//! second numbering of the rules, dense within each kind, because weights are kept in tables by
//! rule. All users of rule ids would have to translate between the two numberings: automata,
//! witnesses and recordings, and the systems that copy a program's rules once for each context and
//! compute the rule of the program from the copy's id. This costs more than the few `unreachable!`
//! that it would remove; each of them stands in the one accessor for its kind of rule.
//!
//! [`Plain`](super::Plain) and [`Locals`](super::Locals) implement all four for any semiring.

use super::system::{Pds, RuleId, StackSymbol};
use crate::semiring::{Precision, Semiring};
use crate::util::Bounded;
use std::fmt::Debug;

/// The weights of one pushdown system, added up.
pub trait Weights {
    /// A weight.
    type Weight: Clone + PartialEq + Debug;

    /// "No path".
    fn zero(&self) -> Self::Weight;
    /// Is it "no path"?
    fn is_zero(&self, weight: &Self::Weight) -> bool;
    /// ⊕.
    fn combine(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight>;
    /// A weight d with old ⊕ d = old ⊕ new that is small and cheap to compute. Saturation
    /// propagates it. Default: `new`. If extend is only monotone, it must be old ⊕ new: the parts
    /// of a weight, one by one, may lead to less than the whole weight does.
    fn difference(&mut self, new: &Self::Weight, old: &Self::Weight) -> Bounded<Self::Weight> {
        let _ = old;
        Ok(new.clone())
    }
}

/// Weights that can be extended by each other within one frame.
pub trait Compose: Weights {
    /// `left` ⊗ `right`: the left one runs first.
    fn compose(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight>;
}

/// Weights of post\*: from the entry of a frame to now.
pub trait ForwardWeights: Weights {
    /// w ⊗ f(r), for step and pop rules.
    fn after(&mut self, weight: &Self::Weight, rule: RuleId) -> Bounded<Self::Weight>;
    /// The weight with which a callee starts when its caller is at a push rule with weight w.
    fn enter(&mut self, weight: &Self::Weight, rule: RuleId) -> Bounded<Self::Weight>;
    /// The weight from the caller's entry to the return site: w at the call, then the push rule,
    /// then the callee's summary, merged.
    fn return_after(
        &mut self,
        at_call: &Self::Weight,
        rule: RuleId,
        summary: &Self::Weight,
    ) -> Bounded<Self::Weight>;
    /// A frame of a given stack was left with `summary`. The weight from the entry of the frame
    /// that was given `below` it. It is "no path" if given stacks have one frame only.
    fn return_into_given(
        &mut self,
        below: &Self::Weight,
        summary: &Self::Weight,
    ) -> Bounded<Self::Weight>;
    /// What any number of rounds of a loop, from one to all, make of `gained`. `symbol` is the
    /// loop's header, and `gained` is a part of `whole`, the weight there. The result may be only a
    /// part of that, or `None`. Saturation then need not find this part round by round. Default:
    /// `None`.
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
}

/// Weights of pre\*: from now to the frame's end, or to the target.
pub trait BackwardWeights: Weights {
    /// f(r), for pop rules.
    fn pop_before(&mut self, rule: RuleId) -> Bounded<Self::Weight>;
    /// f(r) ⊗ w, for step rules.
    fn before(&mut self, rule: RuleId, weight: &Self::Weight) -> Bounded<Self::Weight>;
    /// The weight from a call to the frame's end: the push rule, the callee's summary, merged, then
    /// w from the return site.
    fn return_before(
        &mut self,
        rule: RuleId,
        summary: &Self::Weight,
        weight: &Self::Weight,
    ) -> Bounded<Self::Weight>;
    /// The weight from a call to a target inside the callee: the push rule, then `callee`. `below`
    /// is read off the caller's part of the stack.
    fn inside_before(
        &mut self,
        rule: RuleId,
        callee: &Self::Weight,
        below: &Self::Weight,
    ) -> Bounded<Self::Weight>;
    /// As [`ForwardWeights::accelerate`], for rounds of the loop that lead to `gained`. Default:
    /// `None`.
    fn accelerate_backward(
        &mut self,
        symbol: StackSymbol,
        gained: &Self::Weight,
    ) -> Bounded<Option<Self::Weight>> {
        let _ = (symbol, gained);
        Ok(None)
    }
}

/// [`Weights::difference`] in any semiring.
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
