//! The common part of post\* and pre\*: an automaton whose weights grow, and the transitions that
//! wait.
//!
//! Saturation propagates only what a weight has gained since its transition was last looked at.
//! Invariant: a transition waits iff it has gained something that was not propagated. Transitions
//! from which nothing follows never wait.

use super::automaton::{PAutomaton, Transition};
use super::observer::{Derivation, Observer, Premise};
use super::weights::Weights;
use super::worklist::Worklist;
use crate::bdd::{Roots, impl_roots};
use crate::util::Bounded;

/// A saturation in progress, as [`PostStar`](super::PostStar) and [`PreStar`](super::PreStar) show
/// it.
#[derive(Clone)]
pub struct Saturation<W> {
    pub(super) automaton: PAutomaton<W>,
    pub(super) worklist: Worklist<W>,
    pub(super) steps: u64,
}

/// What [`Saturation::raise`] did.
pub(super) struct Raised<W> {
    /// Number of the transition.
    pub(super) id: u32,
    /// Is it new?
    pub(super) is_new: bool,
    /// The part of the weight that must be propagated.
    pub(super) gained: W,
}

impl<W> Saturation<W> {
    /// The automaton so far. It is complete once [`Self::is_done`].
    pub fn automaton(&self) -> &PAutomaton<W> {
        &self.automaton
    }

    /// Is nothing left to do?
    pub fn is_done(&self) -> bool {
        self.worklist.is_empty()
    }

    /// The number of transitions that were looked at so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The transitions that wait, in the order in which they will be looked at.
    pub fn waiting(&self) -> impl Iterator<Item = u32> + '_ {
        self.worklist.iter()
    }
}

impl<W: Clone + PartialEq> Saturation<W> {
    /// Starts from a given automaton. No transition waits yet.
    pub(super) fn new(given: PAutomaton<W>, rank: impl Fn(Transition) -> u32) -> Saturation<W> {
        let mut worklist = Worklist::new();
        for (transition, weight) in given.transitions().iter().zip(given.weights()) {
            worklist.add(rank(*transition), weight.clone());
        }
        Saturation { automaton: given, worklist, steps: 0 }
    }

    /// Takes out the next transition, with what it gained.
    pub(super) fn next<D: Weights<Weight = W>>(&mut self, domain: &D) -> Option<(u32, W)> {
        self.worklist.pop(domain.zero())
    }

    /// Adds a weight that is not zero to a transition. A new transition gets this rank. Returns
    /// `None` if the transition had the weight already.
    pub(super) fn raise<D: Weights<Weight = W>>(
        &mut self,
        domain: &mut D,
        transition: Transition,
        rank: impl FnOnce() -> u32,
        weight: &W,
        derivation: Derivation<Premise>,
        observer: &mut impl Observer<W>,
    ) -> Bounded<Option<Raised<W>>> {
        let found = self.automaton.find(transition);
        let id = match found {
            Some(id) => id,
            None => {
                self.worklist.add(rank(), domain.zero());
                self.automaton.insert(transition, domain.zero())
            }
        };
        let old = self.automaton.weight(id).clone();
        let new = domain.combine(&old, weight)?;
        if new == old {
            return Ok(None);
        }
        let gained = domain.difference(weight, &old)?;
        let waiting = domain.combine(self.worklist.gained(id), &gained)?;
        self.worklist.set_gained(id, waiting);
        observer.changes(id, weight, &new, derivation);
        self.automaton.set_weight(id, new);
        Ok(Some(Raised { id, is_new: found.is_none(), gained }))
    }

    /// Adds what rounds of a loop make of what its header gained. Returns all that the header
    /// gained then.
    pub(super) fn add_rounds<D: Weights<Weight = W>>(
        &mut self,
        domain: &mut D,
        id: u32,
        gained: &W,
        more: &W,
        observer: &mut impl Observer<W>,
    ) -> Bounded<W> {
        let new = domain.combine(self.automaton.weight(id), more)?;
        observer.changes(id, more, &new, Derivation::Rounds(Premise::gained(id)));
        self.automaton.set_weight(id, new);
        domain.combine(gained, more)
    }
}

impl_roots!([W: Roots] Saturation<W> { automaton, worklist });
