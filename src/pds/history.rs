//! When each part of a transition's weight appeared. Witnesses are read off this history,
//! backwards.
//!
//! What a weight gained at one moment was derived from parts that had appeared at strictly earlier
//! moments. So a walk back along the history ends, also in recursive programs. (Reps, Schwoon, Jha,
//! Melski 2005, § 3.2, keep derivations instead; moments need less memory.)

use crate::bdd::{Roots, impl_roots};

/// A part of a weight and the moment at which it appeared.
#[derive(Clone, Debug)]
pub struct Entry<W> {
    /// The number of the update in the whole saturation. No two updates have the same number.
    pub moment: u64,
    /// The part that was new at this moment.
    pub gained: W,
}

/// Entries by transition number, each list with ascending moments.
#[derive(Clone, Debug)]
pub struct History<W> {
    moment: u64,
    entries: Vec<Vec<Entry<W>>>,
}

impl<W> Default for History<W> {
    fn default() -> Self {
        History { moment: 0, entries: Vec::new() }
    }
}

impl<W> History<W> {
    /// Notes that a transition gained a part of its weight.
    pub(super) fn note(&mut self, transition: u32, gained: W) {
        self.moment += 1;
        if self.entries.len() <= transition as usize {
            self.entries.resize_with(transition as usize + 1, Vec::new);
        }
        self.entries[transition as usize].push(Entry { moment: self.moment, gained });
    }

    /// The moment of the latest part of all transitions.
    pub(super) fn latest(&self) -> u64 {
        self.moment
    }

    /// What a transition gained before a moment, oldest first.
    pub fn before(&self, transition: u32, moment: u64) -> &[Entry<W>] {
        let all = self.entries.get(transition as usize).map_or(&[][..], Vec::as_slice);
        &all[..all.partition_point(|entry| entry.moment < moment)]
    }

    /// Everything a transition gained, oldest first.
    pub fn all(&self, transition: u32) -> &[Entry<W>] {
        self.before(transition, u64::MAX)
    }
}

impl_roots!([W: Roots] History<W> { entries });
impl_roots!([W: Roots] Entry<W> { gained });
