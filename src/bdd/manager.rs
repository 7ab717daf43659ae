//! The manager: arena, unique table, caches, limits.

use crate::util::Alarm;
use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::cache::Cache;
use super::collection::Collection;
use super::limits::KernelLimits;
use super::node::{Bdd, FREED, Node, Stopped, TERMINAL, Var};
use super::renaming::{Renaming, RenamingLevels, SubstitutionTable};
use super::unique::{Lookup, UniqueTable, Vacancy};
use super::var_set::{QuantifiedLevels, VarSet};
use crate::util::limits::{Bounded, Limit};

/// The most levels a manager may have.
///
/// The native stack does not bound it: past 2,048 nested calls (of the 7,300 to 9,600 that fit into
/// the 984 KB of a worker) operations keep their frames on the heap. At the cap a frame for every
/// level takes less than 1 MB there. `tests/bdd/depth.rs` runs every operation at the cap with 512
/// KB of stack.
pub const MAX_LEVELS: u32 = 65_536;

/// The most native calls that one operation, with the operations it calls, may nest.
///
/// Measured on diagrams of 16,384 levels with 984 KB of stack (V8's default, as in a browser's
/// worker; Node 20): `and`, `xor`, `exists` and `rename` survive 8,300 to 9,600 nested calls,
/// `ite`, `and_exists` and `or_forall` 7,300 to 8,100, the lower numbers in V8's baseline compiler.
/// That leaves a factor of 3.5 in reserve. Natively 512 KB suffice (`tests/bdd/depth.rs`).
const NATIVE_DEPTH: u32 = 2048;

/// Handles have 31 bits for the index, and the last handle is the caches' mark.
const MAX_INDEX: usize = (1 << 31) - 2;

/// Caches grow up to 2^22 entries of 16 bytes each.
const MAX_CACHE: usize = 1 << 22;

/// Steps between two looks at the alarm. They take some tenths of a millisecond.
const BETWEEN_LOOKS: u64 = 4096;

/// The owner of all nodes over a fixed number of levels. In a copy every function has the same
/// handle.
#[derive(Clone)]
pub struct Manager {
    pub(super) nodes: Vec<Node>,
    pub(super) unique: UniqueTable,
    /// Indices of freed nodes that may be used again.
    pub(super) free: Vec<u32>,
    pub(super) live: u64,
    peak: u64,
    pub(super) cache: Cache,
    /// The cache of `ite`, the only operation on three functions.
    pub(super) ite_cache: Cache,
    levels: u32,
    limits: KernelLimits,
    steps: u64,
    /// Steps at which the limits and the alarm are looked at again.
    pause: u64,
    alarm: Option<Alarm>,
    /// The limit that the operation under way ran into.
    stopped: Limit,
    pub(super) collection: Collection,
    /// See [`super::recursion`].
    pub(super) native_depth: u32,
    pub(super) sets: Vec<QuantifiedLevels>,
    pub(super) set_ids: FxHashMap<Vec<u32>, VarSet>,
    pub(super) renamings: Vec<RenamingLevels>,
    pub(super) renaming_ids: FxHashMap<Vec<(u32, u32)>, Renaming>,
    pub(super) substitutions: SubstitutionTable,
}

impl Manager {
    /// A manager with `levels` levels. Returns [`Limit::Depth`] for more than [`MAX_LEVELS`].
    pub fn new(levels: u32, limits: KernelLimits) -> Bounded<Manager> {
        if levels > MAX_LEVELS {
            return Err(Limit::Depth);
        }
        Ok(Manager {
            nodes: vec![Node { level: TERMINAL, low: Bdd::TRUE, high: Bdd::TRUE }],
            unique: UniqueTable::new(),
            free: Vec::new(),
            live: 1,
            peak: 1,
            cache: Cache::new(12),
            ite_cache: Cache::new(8),
            levels,
            limits,
            steps: 0,
            pause: 0,
            alarm: None,
            stopped: Limit::Steps,
            collection: Collection::new(limits),
            native_depth: NATIVE_DEPTH,
            sets: Vec::new(),
            set_ids: HashMap::default(),
            renamings: Vec::new(),
            renaming_ids: HashMap::default(),
            substitutions: SubstitutionTable::default(),
        })
    }

    /// The number of levels.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// The function that is true iff `v` is true. Returns [`Limit::Depth`] for a level outside the
    /// manager.
    pub fn var(&mut self, v: Var) -> Bounded<Bdd> {
        if v.0 >= self.levels {
            return Err(Limit::Depth);
        }
        let result = self.node(v.0, Bdd::FALSE, Bdd::TRUE);
        self.finish(result)
    }

    /// `var` or its negation.
    pub fn literal(&mut self, v: Var, value: bool) -> Bounded<Bdd> {
        Ok(self.var(v)?.flip(u32::from(!value)))
    }

    /// The number of nodes in use, the constant included.
    pub fn live_nodes(&self) -> u64 {
        self.live
    }

    /// The most nodes that were ever in use at once.
    pub fn peak_nodes(&self) -> u64 {
        self.peak
    }

    /// Steps so far: recursive calls that missed the cache.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The number of bytes that arena, table and caches hold.
    pub fn bytes(&self) -> u64 {
        12 * self.nodes.capacity() as u64
            + 4 * self.free.capacity() as u64
            + self.unique.bytes()
            + self.cache.bytes()
            + self.ite_cache.bytes()
    }

    /// The limits in force.
    pub fn limits(&self) -> KernelLimits {
        self.limits
    }

    /// Replaces the limits. Steps count from the manager's creation, so a budget from now on is
    /// `steps() + budget`.
    pub fn set_limits(&mut self, limits: KernelLimits) {
        self.limits = limits;
        self.pause = 0;
    }

    /// Sets the alarm, for a driver that has a clock. It looks into operations every few thousand
    /// steps, and ends them with the limit that it names.
    pub fn set_alarm(&mut self, alarm: Option<Alarm>) {
        self.alarm = alarm;
        self.pause = 0;
    }

    /// One look at the limits and the alarm, for work between operations that takes long.
    pub fn check(&mut self) -> Bounded<()> {
        self.look().ok_or(self.stopped)
    }

    /// For tests and measurements: sets how many native calls may nest before an operation
    /// continues with a stack on the heap. The default suits a browser's worker. Results, nodes and
    /// steps do not depend on it.
    pub fn set_native_depth(&mut self, depth: u32) {
        self.native_depth = depth;
    }

    /// Turns an internal result into the public one.
    pub(super) fn finish(&self, result: Stopped) -> Bounded<Bdd> {
        result.ok_or(self.stopped)
    }

    #[inline(always)]
    pub(super) fn level(&self, f: Bdd) -> u32 {
        let level = self.nodes.as_slice()[f.index()].level;
        debug_assert!(level != FREED, "a collected node was used: a root was not listed");
        level
    }

    /// The cofactors (high, low) of `f`, whose level is `level`, or of a function that does not
    /// depend on it.
    #[inline(always)]
    pub(super) fn cofactors(&self, f: Bdd, level: u32) -> (Bdd, Bdd) {
        let node = &self.nodes.as_slice()[f.index()];
        if node.level == level {
            (node.high.flip(f.sign()), node.low.flip(f.sign()))
        } else {
            (f, f)
        }
    }

    /// Counts a step. Returns `None` if that was one too many.
    #[inline(always)]
    pub(super) fn tick(&mut self) -> Option<()> {
        if self.steps >= self.pause {
            self.look()?;
        }
        self.steps += 1;
        Some(())
    }

    /// Looks at the limits and the alarm. Returns `None` if the operation must end.
    #[cold]
    fn look(&mut self) -> Option<()> {
        if self.steps >= self.limits.max_steps {
            self.stopped = Limit::Steps;
            return None;
        }
        if let Some(limit) = self.alarm.as_ref().and_then(|alarm| alarm.look(self.live)) {
            self.stopped = limit;
            return None;
        }
        self.pause = self.limits.max_steps.min(self.steps.saturating_add(BETWEEN_LOOKS));
        Some(())
    }

    /// `if level then high else low`. Both children lie below `level`.
    #[inline(always)]
    pub(super) fn node(&mut self, level: u32, low: Bdd, high: Bdd) -> Stopped {
        if low == high {
            return Some(low);
        }
        let sign = high.sign();
        let (low, high) = (low.flip(sign), high.flip(sign));
        match self.unique.find(&self.nodes, level, low, high) {
            Lookup::Found(index) => Some(Bdd::new(index).flip(sign)),
            Lookup::Vacant(vacancy) => {
                Some(self.allocate(vacancy, Node { level, low, high })?.flip(sign))
            }
        }
    }

    fn allocate(&mut self, vacancy: Vacancy, node: Node) -> Stopped {
        let (below_low, below_high) = (self.level(node.low), self.level(node.high));
        assert!(
            node.level < self.levels && below_low != FREED && below_high != FREED,
            "a collected node was used: a root was not listed"
        );
        debug_assert!(node.level < below_low.min(below_high), "levels grow downwards");
        if self.live >= self.limits.max_nodes
            || self.nodes.len() >= MAX_INDEX && self.free.is_empty()
        {
            self.stopped = Limit::Nodes;
            return None;
        }
        let index = match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
        };
        self.live += 1;
        self.peak = self.peak.max(self.live);
        self.unique.insert(vacancy, index);
        if self.nodes.len() > 4 * self.cache.size() && self.cache.size() < MAX_CACHE {
            self.cache.grow();
        }
        if self.nodes.len() > 4 * self.ite_cache.size() && self.ite_cache.size() < MAX_CACHE / 4 {
            self.ite_cache.grow();
        }
        Some(Bdd::new(index))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn negation_is_free_and_functions_are_canonical() {
        let mut m = Manager::new(2, KernelLimits::NONE).unwrap();
        let (x, y) = (m.var(Var(0)).unwrap(), m.var(Var(1)).unwrap());
        let nodes = m.live_nodes();
        assert_eq!(!!x, x);
        assert_ne!(!x, x);
        assert_eq!(m.live_nodes(), nodes);
        let conjunction = m.and(x, y).unwrap();
        assert_eq!(m.or(!x, !y).unwrap(), !conjunction);
        assert_eq!(m.node_count(conjunction), m.node_count(!conjunction));
    }

    #[test]
    fn a_literal_is_the_variable_or_its_negation() {
        let mut m = Manager::new(2, KernelLimits::NONE).unwrap();
        let x = m.var(Var(1)).unwrap();
        assert_eq!(m.literal(Var(1), true), Ok(x));
        assert_eq!(m.literal(Var(1), false), Ok(!x));
        assert_eq!(m.literal(Var(2), true), Err(Limit::Depth));
    }

    #[test]
    fn collection_keeps_roots_and_reuses_the_rest() {
        let mut m = Manager::new(8, KernelLimits::NONE).unwrap();
        let build = |m: &mut Manager, value: bool| {
            m.cube(&(0..8).map(|k| (Var(k), value || k % 2 == 0)).collect::<Vec<_>>()).unwrap()
        };
        let kept = build(&mut m, true);
        let dropped = build(&mut m, false);
        let bytes = m.bytes();
        assert_ne!(kept, dropped);
        for _ in 0..50 {
            m.collect(&[kept]);
            assert_eq!(m.live_nodes(), 9, "eight decisions and the constant");
            build(&mut m, false);
        }
        assert_eq!(build(&mut m, true), kept);
        assert!(m.bytes() <= bytes + 64, "freed nodes are used again");
    }

    #[test]
    fn interned_sets_and_renamings_survive_collections() {
        let mut m = Manager::new(4, KernelLimits::NONE).unwrap();
        let set = m.var_set(&[Var(2), Var(0), Var(2)]);
        let renaming = m.renaming(&[(Var(0), Var(1))]);
        m.collect(&[]);
        assert_eq!(m.var_set(&[Var(0), Var(2)]), set);
        let (x0, x1) = (m.var(Var(0)).unwrap(), m.var(Var(1)).unwrap());
        assert_eq!(m.rename(x0, renaming).unwrap(), x1);
        assert!(m.exists(x0, set).unwrap().is_true());
    }
}
