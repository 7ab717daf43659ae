//! Garbage collection: mark from the roots, sweep in place. No node moves, so handles in use stay
//! what they are.

use super::manager::Manager;
use super::node::{Bdd, FREED, TERMINAL};
use super::substitute::COMPOSE;

impl Manager {
    /// Frees every node that no root reaches. All other handles become invalid.
    pub fn collect(&mut self, roots: &[Bdd]) {
        let mut marked = vec![false; self.nodes.len()];
        marked[0] = true;
        let mut pending: Vec<usize> = roots.iter().map(|root| root.index()).collect();
        while let Some(index) = pending.pop() {
            if std::mem::replace(&mut marked[index], true) {
                continue;
            }
            let node = self.nodes[index];
            assert!(node.level != FREED, "a root was collected earlier: it was not listed then");
            pending.extend([node.high.index(), node.low.index()]);
        }
        for (index, node) in self.nodes.iter_mut().enumerate() {
            if marked[index] || node.level == FREED || node.level == TERMINAL {
                continue;
            }
            node.level = FREED;
            self.live -= 1;
            if !self.poisoned {
                self.free.push(index as u32);
            }
        }
        self.unique.sweep(&self.nodes);
        self.substitutions.clear();
        let alive = |f: &Bdd| marked[f.index()];
        self.cache.retain(|word, functions| word >> 24 != COMPOSE && functions.iter().all(alive));
        self.ite_cache.retain(|third, functions| alive(&Bdd(third)) && functions.iter().all(alive));
    }

    /// For tests: from now on freed nodes are never used again, so that any later use of one panics
    /// instead of meeting another function.
    pub fn poison(&mut self, on: bool) {
        self.poisoned = on;
    }
}
