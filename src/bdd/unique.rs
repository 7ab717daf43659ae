//! The unique table: open addressing over node indices, so that no function has two nodes.

use super::node::{Bdd, FREED, Node, TERMINAL};

/// Marks an empty slot; also the one index that no node may have.
const EMPTY: u32 = u32::MAX;

/// Slots hold node indices; at most half of them are taken, so that probes stay short.
pub(super) struct UniqueTable {
    slots: Vec<u32>,
    taken: usize,
    shift: u32,
}

/// Where a node is, or where it would go.
pub(super) enum Place {
    Found(u32),
    Vacant(usize),
}

fn hash(level: u32, low: Bdd, high: Bdd) -> u64 {
    let children = u64::from(low.0) << 32 | u64::from(high.0);
    (children ^ u64::from(level).wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl UniqueTable {
    pub(super) fn new() -> UniqueTable {
        UniqueTable { slots: vec![EMPTY; 1 << 10], taken: 0, shift: 64 - 10 }
    }

    #[inline]
    pub(super) fn find(&self, nodes: &[Node], level: u32, low: Bdd, high: Bdd) -> Place {
        let mask = self.slots.len() - 1;
        let mut slot = (hash(level, low, high) >> self.shift) as usize;
        loop {
            let index = self.slots[slot];
            if index == EMPTY {
                return Place::Vacant(slot);
            }
            let node = &nodes[index as usize];
            if node.low == low && node.high == high && node.level == level {
                return Place::Found(index);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// `slot` comes from the `find` just before; `nodes` already holds the new node.
    #[inline]
    pub(super) fn insert(&mut self, nodes: &[Node], slot: usize, index: u32) {
        self.slots[slot] = index;
        self.taken += 1;
        if self.taken * 2 > self.slots.len() {
            self.rebuild(nodes, self.slots.len() * 2);
        }
    }

    /// Forgets everything and inserts the nodes that are not freed.
    #[cold]
    #[inline(never)]
    pub(super) fn rebuild(&mut self, nodes: &[Node], size: usize) {
        self.slots.clear();
        self.slots.resize(size, EMPTY);
        self.shift = 64 - size.trailing_zeros();
        self.taken = 0;
        for (index, node) in nodes.iter().enumerate() {
            if node.level == FREED || node.level == TERMINAL {
                continue;
            }
            let mut slot = (hash(node.level, node.low, node.high) >> self.shift) as usize;
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = index as u32;
            self.taken += 1;
        }
    }

    pub(super) fn size(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * self.slots.capacity() as u64
    }
}
