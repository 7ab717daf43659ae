//! Garbage collection: it marks the nodes that the roots reach, and frees the others in place. No
//! node moves, so handles that are in use stay valid.
//!
//! A manager decides when its collection is due. The analysis that owns the manager asks for this
//! between two steps, and lists the roots ([`Roots`](super::Roots)). A collection is due once the
//! live nodes have doubled since the last one, but not below half a million nodes, unless the
//! budget is smaller. Tests check that all roots are listed: a collection is then due after every
//! step, and freed nodes are never used again.

use super::manager::Manager;
use super::node::{Bdd, FREED, TERMINAL};
use super::renaming::COMPOSE;

impl Manager {
    /// Is a collection due?
    pub fn is_collection_due(&self) -> bool {
        self.collection.every_step || self.live >= self.collection.above
    }

    /// For tests: makes a collection due after every step, and never uses freed nodes again. So any
    /// later use of a freed node panics, and does not meet another function.
    pub fn collect_after_every_step(&mut self, on: bool) {
        self.collection.every_step = on;
    }

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
            if !self.collection.every_step {
                self.free.push(index as u32);
            }
        }
        self.unique.sweep(&self.nodes);
        self.substitutions.clear();
        let alive = |f: &Bdd| marked[f.index()];
        self.cache.retain(|word, functions| word >> 24 != COMPOSE && functions.iter().all(alive));
        self.ite_cache.retain(|third, functions| alive(&Bdd(third)) && functions.iter().all(alive));
        self.collection.after(self.live, self.limits());
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::bdd::{KernelLimits, Var};

    #[test]
    fn a_collection_is_due_at_half_of_a_small_budget() {
        let limits = KernelLimits { max_nodes: 8, ..KernelLimits::NONE };
        let mut kernel = Manager::new(8, limits).unwrap();
        assert!(!kernel.is_collection_due());
        let kept = kernel.cube(&[(Var(0), true), (Var(1), true), (Var(2), true)]).unwrap();
        assert!(kernel.is_collection_due(), "four nodes are live");
        kernel.collect(&[kept]);
        assert!(!kernel.is_collection_due(), "all four are still needed");
    }

    #[test]
    fn a_collection_is_due_after_every_step_if_a_test_says_so() {
        let mut kernel = Manager::new(1, KernelLimits::NONE).unwrap();
        assert!(!kernel.is_collection_due());
        kernel.collect_after_every_step(true);
        kernel.collect(&[]);
        assert!(kernel.is_collection_due());
    }
}
