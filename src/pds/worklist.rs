//! The transitions that wait to be looked at, each with what its weight gained since it was looked
//! at the last time.
//!
//! The transition of the least rank is next, among equal ranks the oldest. A transition keeps the
//! rank that it got when it was added.

use crate::bdd::{Roots, impl_roots};
use std::collections::BTreeSet;

/// The worklist of a saturation, by the numbers of transitions.
pub(super) struct Worklist<W> {
    /// Ranks and numbers of those that wait.
    waiting: BTreeSet<(u32, u32)>,
    /// By transition.
    ranks: Vec<u32>,
    /// By transition: what has not been looked at yet.
    gained: Vec<W>,
}

impl<W> Worklist<W> {
    pub(super) fn new() -> Worklist<W> {
        Worklist { waiting: BTreeSet::new(), ranks: Vec::new(), gained: Vec::new() }
    }

    /// The next transition has this rank and has gained this weight. It does not wait yet.
    pub(super) fn add(&mut self, rank: u32, gained: W) {
        self.ranks.push(rank);
        self.gained.push(gained);
    }

    /// What a transition gained since it was looked at.
    #[inline]
    pub(super) fn gained(&self, id: u32) -> &W {
        &self.gained[id as usize]
    }

    /// Replaces what a transition gained.
    #[inline]
    pub(super) fn set_gained(&mut self, id: u32, gained: W) {
        self.gained[id as usize] = gained;
    }

    /// Lets a transition wait.
    #[inline]
    pub(super) fn schedule(&mut self, id: u32) {
        self.waiting.insert((self.ranks[id as usize], id));
    }

    /// Takes the next transition out, with what it gained; `zero` is what it has gained from then
    /// on.
    pub(super) fn pop(&mut self, zero: W) -> Option<(u32, W)> {
        let (_, id) = self.waiting.pop_first()?;
        Some((id, std::mem::replace(&mut self.gained[id as usize], zero)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Those that wait, the next one first.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.waiting.iter().map(|(_, id)| *id)
    }
}

impl_roots!([W: Roots] Worklist<W> { gained });
