//! The transitions that wait to be looked at, each with what its weight gained since it was looked
//! at the last time.
//!
//! The transition of the least rank is next; among equal ranks the oldest one. A transition keeps
//! the rank that it got when it was added.

use crate::bdd::{Roots, impl_roots};
use std::collections::BTreeSet;

/// The worklist of a saturation, by the numbers of transitions.
#[derive(Clone)]
pub(super) struct Worklist<W> {
    /// The ranks and numbers of the waiting transitions.
    waiting: BTreeSet<(u32, u32)>,
    /// By transition: its rank.
    ranks: Vec<u32>,
    /// By transition: what has not been looked at yet.
    gained: Vec<W>,
}

impl<W> Worklist<W> {
    pub(super) fn new() -> Worklist<W> {
        Worklist { waiting: BTreeSet::new(), ranks: Vec::new(), gained: Vec::new() }
    }

    /// Adds the next transition, with this rank and this weight gained. It does not wait yet.
    pub(super) fn add(&mut self, rank: u32, gained: W) {
        self.ranks.push(rank);
        self.gained.push(gained);
    }

    /// What a transition has gained since it was looked at.
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

    /// Takes out the next transition, with what it gained. From then on it has gained `zero`.
    pub(super) fn pop(&mut self, zero: W) -> Option<(u32, W)> {
        let (_, id) = self.waiting.pop_first()?;
        Some((id, std::mem::replace(&mut self.gained[id as usize], zero)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The waiting transitions, the next one first.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.waiting.iter().map(|(_, id)| *id)
    }
}

impl_roots!([W: Roots] Worklist<W> { gained });
