//! Models and cubes. Their order depends on the function alone, never on node ids.

use super::manager::Manager;
use super::node::{Bdd, Var};
use crate::util::limits::{Bounded, Limit};

impl Manager {
    /// The lexicographically least model (false before true, upper levels first), as the values of
    /// `over` in the given order. Variables that do not matter are false. Returns `None` iff f is
    /// unsatisfiable. Variables of f outside `over` take part in the order, but are not in the
    /// result.
    pub fn pick(&self, f: Bdd, over: &[Var]) -> Option<Vec<bool>> {
        if f.is_false() {
            return None;
        }
        let mut truths = Vec::new();
        let mut f = f;
        while !f.is_constant() {
            let level = self.level(f);
            let (high, low) = self.cofactors(f, level);
            f = if low.is_false() {
                truths.push(Var(level));
                high
            } else {
                low
            };
        }
        Some(over.iter().map(|v| truths.binary_search(v).is_ok()).collect())
    }

    /// The conjunction of these literals; false if they contradict each other.
    pub fn cube(&mut self, literals: &[(Var, bool)]) -> Bounded<Bdd> {
        let mut sorted = literals.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Ok(Bdd::FALSE);
        }
        if sorted.last().is_some_and(|(v, _)| v.0 >= self.levels()) {
            return Err(Limit::Depth);
        }
        let mut result = Bdd::TRUE;
        for (v, value) in sorted.into_iter().rev() {
            let (low, high) = if value { (Bdd::FALSE, result) } else { (result, Bdd::FALSE) };
            let grown = self.node(v.0, low, high);
            result = self.finish(grown)?;
        }
        Ok(result)
    }

    /// The paths to true, low branches first: disjoint cubes whose union is f.
    pub fn cubes(&self, f: Bdd) -> Cubes<'_> {
        Cubes { manager: self, path: Vec::new(), pending: vec![(f, 0, None)] }
    }
}

/// See [`Manager::cubes`].
pub struct Cubes<'a> {
    manager: &'a Manager,
    path: Vec<(Var, bool)>,
    pending: Vec<Branch>,
}

/// A function, the length of the path above it, and the literal that leads to it.
type Branch = (Bdd, usize, Option<(Var, bool)>);

impl Iterator for Cubes<'_> {
    type Item = Vec<(Var, bool)>;

    fn next(&mut self) -> Option<Vec<(Var, bool)>> {
        while let Some((f, length, literal)) = self.pending.pop() {
            self.path.truncate(length);
            self.path.extend(literal);
            if f.is_true() {
                return Some(self.path.clone());
            }
            if let Some((v, high, low)) = self.manager.root(f) {
                let length = self.path.len();
                self.pending.push((high, length, Some((v, true))));
                self.pending.push((low, length, Some((v, false))));
            }
        }
        None
    }
}
