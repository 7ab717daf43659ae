//! Quantification, alone and together with a connective.
//!
//! The relational product ∃S. f ∧ g (Burch, Clarke, McMillan, Dill, Hwang 1990) never makes the
//! conjunction. The universal forms are the existential ones through complement edges: ∀S. f ∨ g =
//! ¬∃S. ¬f ∧ ¬g.

use super::apply::{join_one, join_pair, split_pair};
use super::cache::Key;
use super::manager::Manager;
use super::node::{Bdd, Stopped, Var};
use super::recursion::{Operation, Plan, Split, run};
use super::var_set::{QuantifiedLevels, VarSet};
use crate::util::limits::Bounded;

const EXISTS: u32 = 3;
const AND_EXISTS: u32 = 4;

impl Manager {
    /// The set of these variables.
    pub fn var_set(&mut self, variables: &[Var]) -> VarSet {
        let mut levels: Vec<u32> = variables.iter().map(|v| v.0).collect();
        levels.sort_unstable();
        levels.dedup();
        if let Some(set) = self.set_ids.get(&levels) {
            return *set;
        }
        let mut members = vec![false; levels.last().map_or(0, |last| *last as usize + 1)];
        levels.iter().for_each(|level| members[*level as usize] = true);
        let set = VarSet(self.sets.len() as u32);
        assert!(set.0 < 1 << 24, "fewer than 2^24 different sets of variables");
        self.sets.push(QuantifiedLevels { members });
        self.set_ids.insert(levels, set);
        set
    }

    /// The variables of a set, in order.
    pub fn variables(&self, set: VarSet) -> Vec<Var> {
        (0..)
            .zip(&self.sets[set.0 as usize].members)
            .filter(|(_, member)| **member)
            .map(|(level, _)| Var(level))
            .collect()
    }

    /// ∃S. f.
    pub fn exists(&mut self, f: Bdd, set: VarSet) -> Bounded<Bdd> {
        let result = run(self, Exists(set), f, 0);
        self.finish(result)
    }

    /// ∀S. f.
    pub fn forall(&mut self, f: Bdd, set: VarSet) -> Bounded<Bdd> {
        Ok(!self.exists(!f, set)?)
    }

    /// ∃S. f ∧ g, fused.
    pub fn and_exists(&mut self, f: Bdd, g: Bdd, set: VarSet) -> Bounded<Bdd> {
        let result = run(self, AndExists(set), (f, g), 0);
        self.finish(result)
    }

    /// ∀S. f ∨ g, fused.
    pub fn or_forall(&mut self, f: Bdd, g: Bdd, set: VarSet) -> Bounded<Bdd> {
        Ok(!self.and_exists(!f, !g, set)?)
    }

    #[inline(always)]
    fn quantifies(&self, set: VarSet, level: u32) -> bool {
        self.sets.as_slice()[set.0 as usize].contains(level)
    }

    /// If the high cofactor is true, the disjunction of both is true.
    #[inline]
    fn settled_by(&self, set: VarSet, level: u32, high: Bdd) -> Option<Bdd> {
        (high.is_true() && self.quantifies(set, level)).then_some(Bdd::TRUE)
    }
}

#[derive(Clone, Copy)]
struct Exists(VarSet);

impl Operation for Exists {
    type Arguments = Bdd;

    #[inline(always)]
    fn plan(self, manager: &mut Manager, f: Bdd, _depth: u32) -> Plan<Bdd> {
        let level = manager.level(f);
        if manager.sets.as_slice()[self.0.0 as usize].all_above(level) {
            return Plan::Done(Some(f));
        }
        let key = Key::new(f, Bdd::TRUE, EXISTS, self.0.0);
        if let Some(result) = manager.cache.get(key) {
            return Plan::Done(Some(result));
        }
        let (high, low) = manager.cofactors(f, level);
        Plan::Split(Split { key, level, sign: 0, high, low })
    }

    #[inline(always)]
    fn settled(self, manager: &Manager, level: u32, high: Bdd) -> Option<Bdd> {
        manager.settled_by(self.0, level, high)
    }

    #[inline(always)]
    fn join(
        self,
        manager: &mut Manager,
        split: &Split<Self::Arguments>,
        high: Bdd,
        low: Bdd,
        depth: u32,
    ) -> Stopped {
        if manager.quantifies(self.0, split.level) {
            manager.or_at(high, low, depth)
        } else {
            join_one(manager, split, high, low)
        }
    }
}

#[derive(Clone, Copy)]
struct AndExists(VarSet);

impl Operation for AndExists {
    type Arguments = (Bdd, Bdd);

    #[inline(always)]
    fn plan(self, manager: &mut Manager, (f, g): (Bdd, Bdd), depth: u32) -> Plan<(Bdd, Bdd)> {
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        // The constants are the two smallest handles.
        if f.is_constant() {
            return Plan::Done(if f.is_true() {
                run(manager, Exists(self.0), g, depth)
            } else {
                Some(Bdd::FALSE)
            });
        }
        if f.regular() == g.regular() {
            return Plan::Done(if f == g {
                run(manager, Exists(self.0), f, depth)
            } else {
                Some(Bdd::FALSE)
            });
        }
        let level = manager.level(f).min(manager.level(g));
        if manager.sets.as_slice()[self.0.0 as usize].all_above(level) {
            return Plan::Done(manager.and_at(f, g, depth));
        }
        let key = Key::new(f, g, AND_EXISTS, self.0.0);
        match manager.cache.get(key) {
            Some(result) => Plan::Done(Some(result)),
            None => Plan::Split(split_pair(manager, key, f, g, 0)),
        }
    }

    #[inline(always)]
    fn settled(self, manager: &Manager, level: u32, high: Bdd) -> Option<Bdd> {
        manager.settled_by(self.0, level, high)
    }

    #[inline(always)]
    fn join(
        self,
        manager: &mut Manager,
        split: &Split<Self::Arguments>,
        high: Bdd,
        low: Bdd,
        depth: u32,
    ) -> Stopped {
        if manager.quantifies(self.0, split.level) {
            manager.or_at(high, low, depth)
        } else {
            join_pair(manager, split, high, low)
        }
    }
}
