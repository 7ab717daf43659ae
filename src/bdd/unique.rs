//! The unique table, which makes sure that no function has two nodes. It uses open addressing over
//! node indices.
//!
//! A slot holds 32 bits of its node's hash in addition to the index. So a probe that meets another
//! node, and a table that grows, need not look into the arena, where each look is a cache miss.

use super::node::{Bdd, FREED, Node, TERMINAL};

/// An empty slot. Its index is 0, that of the constant, which is never in the table. All of its
/// bits are zero, so that the system can give zeroed pages for a new table.
const EMPTY: u64 = 0;

/// The slots hold hash and index. At most two of three slots are in use, so that probes stay short.
#[derive(Clone)]
pub(super) struct UniqueTable {
    slots: Box<[u64]>,
    taken: usize,
    shift: u32,
}

/// The slot of a node, or the slot where it would go.
pub(super) enum Lookup {
    Found(u32),
    Vacant(Vacancy),
}

/// A place for a node that is not in the table yet.
#[derive(Clone, Copy)]
pub(super) struct Vacancy {
    slot: usize,
    hash: u32,
}

/// The upper bits choose the slot, so that doubling a table keeps the order of its slots.
#[inline(always)]
fn hash(level: u32, low: Bdd, high: Bdd) -> u32 {
    let children = u64::from(low.0) << 32 | u64::from(high.0);
    ((children ^ u64::from(level).wrapping_mul(0xD6E8_FEB8_6659_FD93))
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        >> 32) as u32
}

impl UniqueTable {
    pub(super) fn new() -> UniqueTable {
        UniqueTable { slots: vec![EMPTY; 1 << 10].into(), taken: 0, shift: 32 - 10 }
    }

    #[inline(always)]
    pub(super) fn find(&self, nodes: &[Node], level: u32, low: Bdd, high: Bdd) -> Lookup {
        let mask = self.slots.len() - 1;
        let hash = hash(level, low, high);
        let mut slot = (hash >> self.shift) as usize;
        loop {
            let entry = self.slots[slot & mask];
            if entry == EMPTY {
                return Lookup::Vacant(Vacancy { slot, hash });
            }
            if (entry >> 32) as u32 == hash {
                let node = &nodes[entry as u32 as usize];
                if node.low == low && node.high == high && node.level == level {
                    return Lookup::Found(entry as u32);
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// `vacancy` must come from the `find` immediately before.
    #[inline(always)]
    pub(super) fn insert(&mut self, vacancy: Vacancy, index: u32) {
        self.slots[vacancy.slot] = u64::from(vacancy.hash) << 32 | u64::from(index);
        self.taken += 1;
        if self.taken * 3 > self.slots.len() * 2 {
            self.grow();
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; size].into());
        self.shift = 32 - size.trailing_zeros();
        old.into_iter().filter(|entry| *entry != EMPTY).for_each(|entry| self.put(entry));
    }

    fn put(&mut self, entry: u64) {
        let mask = self.slots.len() - 1;
        let mut slot = (entry >> 32 >> self.shift) as usize;
        while self.slots[slot & mask] != EMPTY {
            slot = (slot + 1) & mask;
        }
        self.slots[slot & mask] = entry;
    }

    /// Forgets the nodes that were freed since the last sweep.
    pub(super) fn sweep(&mut self, nodes: &[Node]) {
        self.slots.fill(EMPTY);
        self.taken = 0;
        for (index, node) in nodes.iter().enumerate() {
            if node.level != FREED && node.level != TERMINAL {
                self.put(u64::from(hash(node.level, node.low, node.high)) << 32 | index as u64);
                self.taken += 1;
            }
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        8 * self.slots.len() as u64
    }
}
