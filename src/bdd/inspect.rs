//! Questions that make no nodes: variables, size, value.

use super::manager::Manager;
use super::node::{Bdd, Var};

impl Manager {
    /// The variables that f depends on, in order.
    pub fn support(&self, f: Bdd) -> Vec<Var> {
        self.support_all(&[f])
    }

    /// The variables that some of these functions depend on, in order.
    pub fn support_all(&self, all: &[Bdd]) -> Vec<Var> {
        let mut levels: Vec<u32> = Vec::new();
        let mut seen = vec![false; self.levels() as usize];
        self.visit(all, |level| {
            if !std::mem::replace(&mut seen[level as usize], true) {
                levels.push(level);
            }
        });
        levels.sort_unstable();
        levels.into_iter().map(Var).collect()
    }

    /// The number of nodes of f, the constant included.
    pub fn node_count(&self, f: Bdd) -> u64 {
        self.node_count_all(&[f])
    }

    /// The number of nodes of these functions together. Shared nodes count once, the constant
    /// included.
    pub fn node_count_all(&self, all: &[Bdd]) -> u64 {
        let mut count = 1;
        self.visit(all, |_| count += 1);
        count
    }

    /// The value of f if `value` gives the values of the variables.
    pub fn eval(&self, f: Bdd, value: &dyn Fn(Var) -> bool) -> bool {
        let mut f = f;
        while !f.is_constant() {
            let level = self.level(f);
            let (high, low) = self.cofactors(f, level);
            f = if value(Var(level)) { high } else { low };
        }
        f.is_true()
    }

    /// The root's variable with the cofactors (high, low). Returns `None` for a constant.
    pub fn root(&self, f: Bdd) -> Option<(Var, Bdd, Bdd)> {
        if f.is_constant() {
            return None;
        }
        let level = self.level(f);
        let (high, low) = self.cofactors(f, level);
        Some((Var(level), high, low))
    }

    /// Calls `see` once for every node below these roots, with the node's level.
    fn visit(&self, roots: &[Bdd], mut see: impl FnMut(u32)) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut pending: Vec<Bdd> = roots.iter().map(|root| root.regular()).collect();
        while let Some(f) = pending.pop() {
            if f.is_constant() || !seen.insert(f) {
                continue;
            }
            let level = self.level(f);
            see(level);
            let (high, low) = self.cofactors(f, level);
            pending.extend([low.regular(), high]);
        }
    }
}
