//! What saturation needs to know about weights.
//!
//! For a plain semiring every rule r carries a weight f(r), and everything is an extend. Programs
//! with local variables need more: when a callee returns, the caller's locals come back as they
//! were at the call (Lal, Touili, Kidd, Reps 2007, App. B: *merge*), and a callee starts from a
//! store of its own. So a set of weights offers one method for each place where the textbook has an
//! extend:
//!
//! | trait | needed by |
//! | --- | --- |
//! | [`Weights`] | everything |
//! | [`ForwardWeights`] | post\*: weights run from the entry of a frame to now |
//! | [`BackwardWeights`] | pre\*: weights run from now to the frame's end, or to the target |
//! | [`Compose`] | what reads a saturated automaton: weights of one frame are extended freely |
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
    /// A weight d with old ⊕ d = old ⊕ new, as small as is cheap; saturation propagates it.
    /// Default: `new`. Where extend is only monotone it must be old ⊕ new: what the parts of a
    /// weight lead to, one by one, may be less than what the whole leads to.
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
    /// From the caller's entry to the return site: w at the call, then the push rule, then the
    /// callee's summary, merged.
    fn return_after(
        &mut self,
        at_call: &Self::Weight,
        rule: RuleId,
        summary: &Self::Weight,
    ) -> Bounded<Self::Weight>;
    /// A frame of a given stack was left with `summary`: from the entry of the frame that was given
    /// `below` it. "No path" where given stacks have one frame only.
    fn return_into_given(
        &mut self,
        below: &Self::Weight,
        summary: &Self::Weight,
    ) -> Bounded<Self::Weight>;
    /// What any number of rounds of the loop with the header `symbol`, from one to all, make of
    /// `gained`, a part of `whole`, the weight there; or a part of that, or `None`. Saturation need
    /// not find round by round what it is given here. Default: `None`.
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
    /// From a call to the frame's end: the push rule, the callee's summary, merged, then w from the
    /// return site.
    fn return_before(
        &mut self,
        rule: RuleId,
        summary: &Self::Weight,
        weight: &Self::Weight,
    ) -> Bounded<Self::Weight>;
    /// From a call to a target inside the callee: the push rule, then `callee`; `below` is read off
    /// the caller's part of the stack.
    fn inside_before(
        &mut self,
        rule: RuleId,
        callee: &Self::Weight,
        below: &Self::Weight,
    ) -> Bounded<Self::Weight>;
    /// As [`ForwardWeights::accelerate`], for what rounds of the loop lead to `gained`. Default:
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
