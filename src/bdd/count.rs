//! Counting models exactly.

use rustc_hash::FxHashMap;

use super::manager::Manager;
use super::natural::Natural;
use super::node::{Bdd, Var};
use crate::util::limits::{Bounded, Limit};

impl Manager {
    /// How many valuations of `over` satisfy f. `over` must contain the variables of f, otherwise
    /// this panics. The order of `over` and repetitions in it do not matter.
    pub fn sat_count(&self, f: Bdd, over: &[Var]) -> Natural {
        let mut levels: Vec<u32> = over.iter().map(|v| v.0).collect();
        levels.sort_unstable();
        levels.dedup();
        let total = levels.len() as u32;
        let rank = |f: Bdd| {
            if f.is_constant() {
                total
            } else {
                levels.binary_search(&self.level(f)).expect("the variables contain the support")
                    as u32
            }
        };
        // By function: its models over the variables from the level of its root downwards.
        let mut counts: FxHashMap<Bdd, Natural> = FxHashMap::default();
        counts.insert(Bdd::TRUE, Natural::from(1));
        counts.insert(Bdd::FALSE, Natural::from(0));
        let mut pending = vec![f];
        while let Some(top) = pending.last().copied() {
            if counts.contains_key(&top) {
                pending.pop();
                continue;
            }
            let (high, low) = self.cofactors(top, self.level(top));
            match (counts.get(&high), counts.get(&low)) {
                (Some(high_count), Some(low_count)) => {
                    let below = rank(top) + 1;
                    let (mut sum, mut other) = (high_count.clone(), low_count.clone());
                    sum.shift_left(rank(high) - below);
                    other.shift_left(rank(low) - below);
                    sum.add(&other);
                    counts.insert(top, sum);
                }
                _ => pending
                    .extend([high, low].into_iter().filter(|child| !counts.contains_key(child))),
            }
        }
        let mut count = counts.remove(&f).expect("the loop ends when the root is counted");
        count.shift_left(rank(f));
        count
    }
    /// The share of all valuations that satisfy f, rounded; a share below 2^-1074 becomes 0. The
    /// result is the same on every machine. Takes one step for each node.
    pub fn density(&mut self, f: Bdd) -> Bounded<f64> {
        let mut densities: FxHashMap<Bdd, f64> = FxHashMap::default();
        densities.insert(Bdd::TRUE, 1.0);
        densities.insert(Bdd::FALSE, 0.0);
        let mut pending = vec![f];
        while let Some(top) = pending.last().copied() {
            if densities.contains_key(&top) {
                pending.pop();
                continue;
            }
            let (high, low) = self.cofactors(top, self.level(top));
            match (densities.get(&high), densities.get(&low)) {
                (Some(high), Some(low)) => {
                    let density = (high + low) / 2.0;
                    densities.insert(top, density);
                    self.tick().ok_or(Limit::Steps)?;
                }
                _ => pending
                    .extend([high, low].into_iter().filter(|child| !densities.contains_key(child))),
            }
        }
        Ok(densities[&f])
    }
}
