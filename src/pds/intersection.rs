//! The intersection of a backward with a forward weighted automaton, A_b ⊓ A_f, and its path
//! summary (Lal, Kidd, Reps, Touili 2007, § 4).
//!
//! (A_b ⊓ A_f)(c) = A_b(c) ⊗ A_f(c). With A_b = post\*(S) and A_f = pre\*(T) its sum over a regular
//! set C of configurations is the weight of all runs from S to T through C. The product's
//! transition ((q1, q3), γ, (q2, q4)) carries the functional weight W = λz. w_b ⊗ z ⊗ w_f, read
//! from the top of the stack down; functional weights distribute over ⊕, so an ordinary fixpoint
//! over the product's states sums them up.

use super::automaton::State;
use super::direction::{Backward, Forward, Read};
use super::plain::Plain;
use super::regular::StackAutomaton;
use super::system::{ControlLocation, RuleId, StackSymbol};
use super::weights::ForwardWeights;
use crate::bdd::{Roots, impl_roots};
use crate::semiring::{FunctionalWeight, Semiring};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The operations of the product's transitions on weights.
pub trait Functionals {
    /// The type of weights of both automata and of z.
    type Weight: Clone + PartialEq;
    /// "No path".
    fn zero(&self) -> Self::Weight;
    /// ⊕.
    fn combine(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight>;
    /// w_b ⊗ z for an ε transition of the backward automaton.
    fn before(&mut self, backward: &Self::Weight, z: &Self::Weight) -> Bounded<Self::Weight>;
    /// w_b ⊗ z ⊗ w_f for transitions that read `symbol`. `via` belongs to the backward transition;
    /// `ends` are source and target of the forward one.
    fn around(
        &mut self,
        symbol: StackSymbol,
        via: Option<RuleId>,
        backward: &Self::Weight,
        z: &Self::Weight,
        forward: &Self::Weight,
        ends: (State, State),
    ) -> Bounded<Self::Weight>;
}

impl<S: Semiring> Functionals for Plain<S> {
    type Weight = S::Weight;
    fn zero(&self) -> S::Weight {
        self.semiring.zero()
    }
    fn combine(&mut self, left: &S::Weight, right: &S::Weight) -> Bounded<S::Weight> {
        self.semiring.combine(left, right)
    }
    fn before(&mut self, backward: &S::Weight, z: &S::Weight) -> Bounded<S::Weight> {
        self.semiring.extend(backward, z)
    }
    fn around(
        &mut self,
        _symbol: StackSymbol,
        via: Option<RuleId>,
        backward: &S::Weight,
        z: &S::Weight,
        forward: &S::Weight,
        _ends: (State, State),
    ) -> Bounded<S::Weight> {
        let before = match via {
            Some(rule) => self.after(backward, rule)?,
            None => backward.clone(),
        };
        FunctionalWeight { before, after: forward.clone() }.apply(&mut self.semiring, z)
    }
}

/// A state of the product: of the backward automaton, of the forward one, and of the automaton for
/// C.
type ProductState = (State, State, u32);

/// A path summary in progress.
pub struct FunctionalSummary<W> {
    labels: FxHashMap<ProductState, W>,
    worklist: BTreeSet<ProductState>,
}

impl<W: Clone + PartialEq> FunctionalSummary<W> {
    /// Starts at the top of all stacks at p: l(p, p) = 1.
    pub fn new(p: ControlLocation, one: W) -> FunctionalSummary<W> {
        FunctionalSummary::seeded([((p.into(), p.into(), 0), one)])
    }

    /// Starts with labels of states further down the stacks. All states are different.
    pub fn seeded(seeds: impl IntoIterator<Item = (ProductState, W)>) -> FunctionalSummary<W> {
        let labels: FxHashMap<ProductState, W> = seeds.into_iter().collect();
        let worklist = labels.keys().copied().collect();
        FunctionalSummary { labels, worklist }
    }

    /// Is nothing left to do?
    pub fn is_done(&self) -> bool {
        self.worklist.is_empty()
    }

    /// Passes one label on: l(q') := l(q') ⊕ W(l(q)) for all transitions from q.
    pub fn step<F: Functionals<Weight = W>>(
        &mut self,
        functionals: &mut F,
        backward: Read<'_, W, Backward>,
        forward: Read<'_, W, Forward>,
        set: &StackAutomaton,
    ) -> Bounded<()> {
        // States of later callees come first, because their callers wait for them.
        let Some(key) = self.worklist.pop_last() else { return Ok(()) };
        let (b, f, place) = key;
        let here = self.labels[&key].clone();
        for &id in backward.outgoing(b) {
            let transition = backward.transition(id);
            let before = backward.weight(id);
            let Some(symbol) = transition.symbol else {
                let there = functionals.before(before, &here)?;
                self.update(functionals, (transition.to, f, place), &there)?;
                continue;
            };
            for next in set.read(place, symbol) {
                for to in (0..forward.states()).map(State) {
                    let step = super::automaton::Transition {
                        from: f,
                        symbol: Some(symbol),
                        to,
                        via: None,
                    };
                    let Some(after) = forward.find(step) else { continue };
                    let there = functionals.around(
                        symbol,
                        transition.via,
                        before,
                        &here,
                        forward.weight(after),
                        (f, to),
                    )?;
                    self.update(functionals, (transition.to, to, next), &there)?;
                }
            }
        }
        Ok(())
    }

    fn update<F: Functionals<Weight = W>>(
        &mut self,
        functionals: &mut F,
        key: ProductState,
        weight: &W,
    ) -> Bounded<()> {
        let old = self.labels.get(&key).cloned().unwrap_or_else(|| functionals.zero());
        let new = functionals.combine(&old, weight)?;
        if new != old {
            self.labels.insert(key, new);
            self.worklist.insert(key);
        }
        Ok(())
    }

    /// ⊕ of the labels of the final states. This is the answer once the summary is done.
    pub fn total<F: Functionals<Weight = W>>(
        &self,
        functionals: &mut F,
        backward: Read<'_, W, Backward>,
        forward: Read<'_, W, Forward>,
        set: &StackAutomaton,
    ) -> Bounded<W> {
        let mut ends: Vec<(&ProductState, &W)> = self.labels.iter().collect();
        ends.retain(|((b, f, place), _)| {
            backward.is_final(*b) && forward.is_final(*f) && set.ends_at(*place)
        });
        ends.sort_by_key(|(key, _)| **key);
        let mut total = functionals.zero();
        for (_, weight) in ends {
            total = functionals.combine(&total, weight)?;
        }
        Ok(total)
    }
}

impl_roots!([W: Roots] FunctionalSummary<W> { labels });
