//! Replaces variables by functions: renaming, composition, cofactors. All replacements happen at
//! the same time.

use std::collections::BTreeMap;

use super::cache::Key;
use super::manager::Manager;
use super::node::{Bdd, Stopped, TERMINAL, Var};
use super::recursion::{Operation, Plan, Split, run};
use super::renaming::{COMPOSE, Renaming, RenamingLevels};
use crate::util::limits::Bounded;

const RENAME: u32 = 5;

impl Manager {
    /// The renaming that replaces the first variable of each pair by the second. If several pairs
    /// have the same first variable, the last one counts.
    pub fn renaming(&mut self, pairs: &[(Var, Var)]) -> Renaming {
        let map: BTreeMap<u32, u32> = pairs.iter().map(|(from, to)| (from.0, to.0)).collect();
        let pairs: Vec<(u32, u32)> = map.into_iter().filter(|(from, to)| from != to).collect();
        if let Some(renaming) = self.renaming_ids.get(&pairs) {
            return *renaming;
        }
        let mut target: Vec<u32> = (0..pairs.last().map_or(0, |last| last.0 + 1)).collect();
        for (from, to) in &pairs {
            assert!(*to < self.levels(), "a renaming stays within the manager's levels");
            target[*from as usize] = *to;
        }
        let renaming = Renaming(self.renamings.len() as u32);
        assert!(renaming.0 < 1 << 24, "fewer than 2^24 different renamings");
        self.renamings.push(RenamingLevels { target });
        self.renaming_ids.insert(pairs, renaming);
        renaming
    }

    /// Renames the variables of f. Along a path that keeps the order of the levels this copies
    /// nodes; elsewhere it calls `ite`.
    pub fn rename(&mut self, f: Bdd, renaming: Renaming) -> Bounded<Bdd> {
        let result = run(self, Rename(renaming), f, 0);
        self.finish(result)
    }

    /// f with `v` replaced by g.
    pub fn compose(&mut self, f: Bdd, v: Var, g: Bdd) -> Bounded<Bdd> {
        self.compose_all(f, &[(v, g)])
    }

    /// f with variables replaced by functions, all at the same time. If several pairs have the same
    /// variable, the last one counts.
    pub fn compose_all(&mut self, f: Bdd, pairs: &[(Var, Bdd)]) -> Bounded<Bdd> {
        let map: BTreeMap<Var, Bdd> = pairs.iter().copied().collect();
        let pairs: Vec<(Var, Bdd)> = map.into_iter().collect();
        let id = match self.substitutions.ids.get(&pairs) {
            Some(id) => *id,
            None => {
                let id = self.substitutions.all.len() as u32;
                if id == 1 << 24 {
                    self.forget_substitutions();
                    return self.compose_all(f, &pairs);
                }
                let mut image = vec![None; pairs.last().map_or(0, |last| last.0.0 as usize + 1)];
                pairs.iter().for_each(|(v, g)| image[v.0 as usize] = Some(*g));
                self.substitutions.all.push(image);
                self.substitutions.ids.insert(pairs, id);
                id
            }
        };
        let result = run(self, Compose(id), f, 0);
        self.finish(result)
    }

    /// f after these variables got these values. It no longer depends on them.
    pub fn cofactor(&mut self, f: Bdd, values: &[(Var, bool)]) -> Bounded<Bdd> {
        let pairs: Vec<(Var, Bdd)> =
            values.iter().map(|(v, value)| (*v, Bdd::constant(*value))).collect();
        self.compose_all(f, &pairs)
    }

    /// Forgets all substitutions with their results.
    pub(super) fn forget_substitutions(&mut self) {
        self.substitutions.clear();
        self.cache.retain(|word, _| word >> 24 != COMPOSE);
    }

    /// `if level then high else low`. The children may lie above or below the level.
    #[inline(always)]
    fn node_anywhere(&mut self, level: u32, high: Bdd, low: Bdd, depth: u32) -> Stopped {
        if level < self.level(high) && level < self.level(low) {
            return self.node(level, low, high);
        }
        let decision = self.node(level, Bdd::FALSE, Bdd::TRUE)?;
        self.ite_at(decision, high, low, depth)
    }
}

/// The result for f if the cache has it; else the expansion of f at its level. A substitution
/// commutes with ¬, so f and ¬f share one entry of the cache. `operation` is the number of the
/// operation together with that of the substitution.
#[inline]
fn look_up_or_split(manager: &Manager, f: Bdd, level: u32, operation: (u32, u32)) -> Plan<Bdd> {
    let (f, sign) = (f.regular(), f.sign());
    let key = Key::new(f, Bdd::TRUE, operation.0, operation.1);
    if let Some(result) = manager.cache.get(key) {
        return Plan::Done(Some(result.flip(sign)));
    }
    let (high, low) = manager.cofactors(f, level);
    Plan::Split(Split { key, level, sign, high, low })
}

#[derive(Clone, Copy)]
struct Rename(Renaming);

impl Operation for Rename {
    type Arguments = Bdd;

    #[inline(always)]
    fn plan(self, manager: &mut Manager, f: Bdd, _depth: u32) -> Plan<Bdd> {
        let level = manager.level(f);
        if level as usize >= manager.renamings.as_slice()[self.0.0 as usize].target.len() {
            return Plan::Done(Some(f));
        }
        look_up_or_split(manager, f, level, (RENAME, self.0.0))
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
        let level =
            manager.renamings.as_slice()[self.0.0 as usize].target.as_slice()[split.level as usize];
        manager.node_anywhere(level, high, low, depth)
    }
}

#[derive(Clone, Copy)]
struct Compose(u32);

impl Compose {
    #[inline(always)]
    fn image(self, manager: &Manager, level: u32) -> Option<Bdd> {
        manager.substitutions.all.as_slice()[self.0 as usize]
            .as_slice()
            .get(level as usize)
            .copied()
            .flatten()
    }
}

impl Operation for Compose {
    type Arguments = Bdd;

    #[inline(always)]
    fn plan(self, manager: &mut Manager, mut f: Bdd, _depth: u32) -> Plan<Bdd> {
        let past = manager.substitutions.all.as_slice()[self.0 as usize].len() as u32;
        let mut level = manager.level(f);
        // A variable that becomes a constant leaves one branch.
        while level != TERMINAL && level < past {
            let Some(image) = self.image(manager, level).filter(|image| image.is_constant()) else {
                break;
            };
            let (high, low) = manager.cofactors(f, level);
            f = if image.is_true() { high } else { low };
            level = manager.level(f);
        }
        if level >= past {
            return Plan::Done(Some(f));
        }
        look_up_or_split(manager, f, level, (COMPOSE, self.0))
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
        match self.image(manager, split.level) {
            Some(image) => manager.ite_at(image, high, low, depth),
            None => manager.node_anywhere(split.level, high, low, depth),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::bdd::KernelLimits;

    /// The next substitution gets the number of a forgotten one, so no result may stay.
    #[test]
    fn forgotten_substitutions_leave_no_results() {
        let mut m = Manager::new(3, KernelLimits::NONE).unwrap();
        let [x, y, z] = [0, 1, 2].map(|level| m.var(Var(level)).unwrap());
        let both = m.and(x, z).unwrap();
        let first = m.and(y, z).unwrap();
        assert_eq!(m.compose(both, Var(0), y).unwrap(), first);
        m.forget_substitutions();
        assert_eq!(m.compose(both, Var(0), !y).unwrap(), m.and(!y, z).unwrap());
    }
}
