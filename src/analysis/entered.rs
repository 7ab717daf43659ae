//! The stores with which each frame is really entered.
//!
//! If post\* let a callee start with the weight 1 ([`ProgramDomain::some_start_anywhere`]), the
//! callee's weights relate *every* entry, reached or not, to the stores after it. Then a second,
//! cheap fixpoint finds the entries that are reached: the relation of a caller applied to the
//! caller's entries gives entries of the callee (the functional approach of Sharir and Pnueli 1981,
//! phase two). Afterwards each weight is cut down to the entries found.

use crate::bdd::{Bdd, impl_roots};
use crate::encode::ProgramDomain;
use crate::pds::{PostStar, State};
use crate::util::Bounded;
use std::collections::BTreeMap;

/// The second phase of post\*, in progress or done.
#[derive(Clone, Debug, Default)]
pub(super) struct Entered {
    /// By frame state: entry stores ([`ProgramDomain::as_entries`]) so far.
    stores: BTreeMap<State, Bdd>,
    /// Entries that were added and are not yet passed on to callees.
    pending: BTreeMap<State, Bdd>,
    /// The entries that were added, each with its moment.
    history: BTreeMap<State, Vec<(u64, Bdd)>>,
    moment: u64,
    /// Call transitions by the caller's state.
    calls: BTreeMap<State, Vec<u32>>,
    /// Transitions with weights that are still to be cut down; the last one is next.
    uncut: Vec<u32>,
    done: bool,
}

impl Entered {
    /// Prepares the fixpoint over a finished saturation.
    pub(super) fn new(poststar: &PostStar<ProgramDomain>, start: State, initial: Bdd) -> Entered {
        let mut entered = Entered::default();
        for (id, transition) in poststar.automaton().transitions().iter().enumerate() {
            if transition.via.is_some() {
                entered.calls.entry(transition.to).or_default().push(id as u32);
            }
            entered.uncut.push(id as u32);
        }
        entered.note(start, initial, initial);
        entered
    }

    /// Are all entries known, and is every weight cut down?
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// The entries of a frame state, each with the moment at which it became known, oldest first.
    /// The moments grow along every call.
    pub(super) fn history(&self, state: State) -> &[(u64, Bdd)] {
        self.history.get(&state).map_or(&[], Vec::as_slice)
    }

    /// Passes the new entries of one frame state on to its callees, or cuts down one weight.
    pub(super) fn step(
        &mut self,
        poststar: &mut PostStar<ProgramDomain>,
        domain: &mut ProgramDomain,
    ) -> Bounded<()> {
        if let Some((caller, news)) = self.pending.pop_first() {
            for id in self.calls.get(&caller).cloned().unwrap_or_default() {
                let transition = poststar.automaton().transition(id);
                let rule = transition.via.expect("only calls are listed");
                let at_call = *poststar.automaton().weight(id);
                let at_call = domain.kernel.and(at_call, news)?;
                let entries = domain.as_entries(rule, at_call)?;
                let old = self.stores.get(&transition.from).copied().unwrap_or(Bdd::FALSE);
                let gained = domain.kernel.difference(entries, old)?;
                if gained.is_false() {
                    continue;
                }
                let all = domain.kernel.or(old, gained)?;
                let waiting = self.pending.get(&transition.from).copied().unwrap_or(Bdd::FALSE);
                let waiting = domain.kernel.or(waiting, gained)?;
                self.note(transition.from, gained, all);
                self.pending.insert(transition.from, waiting);
            }
            return Ok(());
        }
        match self.uncut.pop() {
            Some(id) => {
                let entries = self
                    .stores
                    .get(&poststar.automaton().transition(id).to)
                    .copied()
                    .unwrap_or(Bdd::FALSE);
                let weight = domain.kernel.and(*poststar.automaton().weight(id), entries)?;
                poststar.cut(id, weight);
            }
            None => self.done = true,
        }
        Ok(())
    }

    fn note(&mut self, state: State, gained: Bdd, all: Bdd) {
        self.moment += 1;
        self.history.entry(state).or_default().push((self.moment, gained));
        self.stores.insert(state, all);
        self.pending.insert(state, gained);
    }
}

impl_roots!(Entered { stores, pending, history });
