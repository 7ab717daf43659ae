//! The Boolean connectives.
//!
//! Two recursions, conjunction and exclusive or, carry all binary connectives through complement
//! edges (Brace, Rudell, Bryant 1990); `ite` has a third. Cost of each: at most the product of the
//! operands' sizes in steps.

use super::cache::Key;
use super::manager::Manager;
use super::node::{Bdd, Stopped};
use super::recursion::{Operation, Plan, Split, run};
use crate::util::limits::Bounded;

const AND: u32 = 0;
const XOR: u32 = 1;
const DISJOINT: u32 = 2;

impl Manager {
    /// f ∧ g.
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Bounded<Bdd> {
        let result = self.and_at(f, g, 0);
        self.finish(result)
    }

    /// f ∨ g.
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Bounded<Bdd> {
        let result = self.or_at(f, g, 0);
        self.finish(result)
    }

    /// f ⊕ g.
    pub fn xor(&mut self, f: Bdd, g: Bdd) -> Bounded<Bdd> {
        let result = run(self, Xor, (f, g), 0);
        self.finish(result)
    }

    /// f ↔ g.
    pub fn iff(&mut self, f: Bdd, g: Bdd) -> Bounded<Bdd> {
        self.xor(f, !g)
    }

    /// f → g.
    pub fn implies(&mut self, f: Bdd, g: Bdd) -> Bounded<Bdd> {
        self.or(!f, g)
    }

    /// f ∧ ¬g.
    pub fn difference(&mut self, f: Bdd, g: Bdd) -> Bounded<Bdd> {
        self.and(f, !g)
    }

    /// `if f then g else h`.
    pub fn ite(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Bounded<Bdd> {
        let result = self.ite_at(f, g, h, 0);
        self.finish(result)
    }

    /// The conjunction of all; true of none.
    pub fn and_all(&mut self, all: &[Bdd]) -> Bounded<Bdd> {
        // The fold starts at the end: callers list conjuncts from the root downwards, and diagrams
        // grow best from below.
        all.iter().rev().try_fold(Bdd::TRUE, |acc, f| self.and(*f, acc))
    }

    /// The disjunction of all; false of none.
    pub fn or_all(&mut self, all: &[Bdd]) -> Bounded<Bdd> {
        all.iter().rev().try_fold(Bdd::FALSE, |acc, f| self.or(*f, acc))
    }

    /// f ⊨ g, decided without making a node.
    pub fn is_subset(&mut self, f: Bdd, g: Bdd) -> Bounded<bool> {
        self.disjoint(f, !g)
    }

    /// Is f ∧ g unsatisfiable? Decided without making a node.
    pub fn disjoint(&mut self, f: Bdd, g: Bdd) -> Bounded<bool> {
        let result = run(self, Disjoint, (f, g), 0);
        Ok(self.finish(result)?.is_true())
    }

    #[inline(always)]
    pub(super) fn and_at(&mut self, f: Bdd, g: Bdd, depth: u32) -> Stopped {
        run(self, And, (f, g), depth)
    }

    #[inline(always)]
    pub(super) fn or_at(&mut self, f: Bdd, g: Bdd, depth: u32) -> Stopped {
        Some(!run(self, And, (!f, !g), depth)?)
    }

    #[inline(always)]
    pub(super) fn ite_at(&mut self, f: Bdd, g: Bdd, h: Bdd, depth: u32) -> Stopped {
        run(self, Ite, (f, g, h), depth)
    }
}

/// The expansion of a pair at the upper one's level.
#[inline(always)]
pub(super) fn split_pair(
    manager: &Manager,
    key: Key,
    f: Bdd,
    g: Bdd,
    sign: u32,
) -> Split<(Bdd, Bdd)> {
    let level = manager.level(f).min(manager.level(g));
    let (f1, f0) = manager.cofactors(f, level);
    let (g1, g0) = manager.cofactors(g, level);
    Split { key, level, sign, high: (f1, g1), low: (f0, g0) }
}

/// `if level then high else low`. The result is often one of the operands: then its cofactors are
/// those of the result, and the unique table need not be asked, where each look is a cache miss.
#[inline(always)]
pub(super) fn join_pair(
    manager: &mut Manager,
    split: &Split<(Bdd, Bdd)>,
    high: Bdd,
    low: Bdd,
) -> Stopped {
    let (Key(f, g, _), (f1, g1), (f0, g0)) = (split.key, split.high, split.low);
    if high == low {
        // This case comes first, because an operand that does not depend on the level is its own
        // cofactor.
        Some(high)
    } else if high == f1 && low == f0 {
        Some(f)
    } else if high == g1 && low == g0 {
        Some(g)
    } else {
        manager.node(split.level, low, high)
    }
}

/// As [`join_pair`], for one operand that depends on the level.
#[inline(always)]
pub(super) fn join_one(manager: &mut Manager, split: &Split<Bdd>, high: Bdd, low: Bdd) -> Stopped {
    if high == split.high && low == split.low {
        Some(split.key.0)
    } else {
        manager.node(split.level, low, high)
    }
}

/// f ∧ g.
#[derive(Clone, Copy)]
struct And;

impl Operation for And {
    type Arguments = (Bdd, Bdd);

    #[inline(always)]
    fn plan(self, manager: &mut Manager, (f, g): (Bdd, Bdd), _depth: u32) -> Plan<(Bdd, Bdd)> {
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        // The constants are the two smallest handles.
        if f.is_constant() {
            return Plan::Done(Some(if f.is_true() { g } else { Bdd::FALSE }));
        }
        if f.regular() == g.regular() {
            return Plan::Done(Some(if f == g { f } else { Bdd::FALSE }));
        }
        let key = Key::new(f, g, AND, 0);
        match manager.cache.get(key) {
            Some(result) => Plan::Done(Some(result)),
            None => Plan::Split(split_pair(manager, key, f, g, 0)),
        }
    }

    #[inline(always)]
    fn join(
        self,
        manager: &mut Manager,
        split: &Split<(Bdd, Bdd)>,
        high: Bdd,
        low: Bdd,
        _depth: u32,
    ) -> Stopped {
        join_pair(manager, split, high, low)
    }
}

/// f ⊕ g.
#[derive(Clone, Copy)]
struct Xor;

impl Operation for Xor {
    type Arguments = (Bdd, Bdd);

    #[inline(always)]
    fn plan(self, manager: &mut Manager, (f, g): (Bdd, Bdd), _depth: u32) -> Plan<(Bdd, Bdd)> {
        let sign = f.sign() ^ g.sign();
        let (f, g) = if f < g { (f.regular(), g.regular()) } else { (g.regular(), f.regular()) };
        if f == g {
            return Plan::Done(Some(Bdd::FALSE.flip(sign)));
        }
        if f.is_true() {
            return Plan::Done(Some(g.flip(1 ^ sign)));
        }
        let key = Key::new(f, g, XOR, 0);
        match manager.cache.get(key) {
            Some(result) => Plan::Done(Some(result.flip(sign))),
            None => Plan::Split(split_pair(manager, key, f, g, sign)),
        }
    }
}

/// Is f ∧ g unsatisfiable? As a constant.
#[derive(Clone, Copy)]
struct Disjoint;

impl Operation for Disjoint {
    type Arguments = (Bdd, Bdd);

    #[inline(always)]
    fn plan(self, manager: &mut Manager, (f, g): (Bdd, Bdd), _depth: u32) -> Plan<(Bdd, Bdd)> {
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if f.is_constant() {
            return Plan::Done(Some(Bdd::constant(f.is_false() || g.is_false())));
        }
        if f.regular() == g.regular() {
            return Plan::Done(Some(Bdd::constant(f != g)));
        }
        if let Some(conjunction) = manager.cache.get(Key::new(f, g, AND, 0)) {
            return Plan::Done(Some(Bdd::constant(conjunction.is_false())));
        }
        let key = Key::new(f, g, DISJOINT, 0);
        match manager.cache.get(key) {
            Some(result) => Plan::Done(Some(result)),
            None => Plan::Split(split_pair(manager, key, f, g, 0)),
        }
    }

    #[inline(always)]
    fn settled(self, _manager: &Manager, _level: u32, high: Bdd) -> Option<Bdd> {
        high.is_false().then_some(Bdd::FALSE)
    }

    #[inline(always)]
    fn join(
        self,
        _manager: &mut Manager,
        _split: &Split<Self::Arguments>,
        _high: Bdd,
        low: Bdd,
        _depth: u32,
    ) -> Stopped {
        Some(low)
    }
}

/// `if f then g else h`.
#[derive(Clone, Copy)]
struct Ite;

impl Operation for Ite {
    type Arguments = (Bdd, Bdd, Bdd);

    #[inline(always)]
    fn plan(
        self,
        manager: &mut Manager,
        (f, g, h): (Bdd, Bdd, Bdd),
        depth: u32,
    ) -> Plan<(Bdd, Bdd, Bdd)> {
        let (f, g, h) = if f.sign() == 1 { (!f, h, g) } else { (f, g, h) };
        if f.is_true() || g == h {
            return Plan::Done(Some(g));
        }
        let g = if g.regular() == f { Bdd::TRUE.flip(g.sign()) } else { g };
        let h = if h.regular() == f { Bdd::FALSE.flip(h.sign()) } else { h };
        if g.is_constant() {
            let result =
                if g.is_true() { manager.or_at(f, h, depth) } else { manager.and_at(!f, h, depth) };
            return Plan::Done(result);
        }
        if h.is_constant() {
            let result =
                if h.is_true() { manager.or_at(!f, g, depth) } else { manager.and_at(f, g, depth) };
            return Plan::Done(result);
        }
        if g == !h {
            return Plan::Done(run(manager, Xor, (f, h), depth));
        }
        let sign = g.sign();
        let (g, h) = (g.flip(sign), h.flip(sign));
        let key = Key(f, g, h.0);
        if let Some(result) = manager.ite_cache.get(key) {
            return Plan::Done(Some(result.flip(sign)));
        }
        let level = manager.level(f).min(manager.level(g)).min(manager.level(h));
        let (f1, f0) = manager.cofactors(f, level);
        let (g1, g0) = manager.cofactors(g, level);
        let (h1, h0) = manager.cofactors(h, level);
        Plan::Split(Split { key, level, sign, high: (f1, g1, h1), low: (f0, g0, h0) })
    }

    #[inline(always)]
    fn join(
        self,
        manager: &mut Manager,
        split: &Split<(Bdd, Bdd, Bdd)>,
        high: Bdd,
        low: Bdd,
        _depth: u32,
    ) -> Stopped {
        let (Key(_, g, h), (_, g1, h1), (_, g0, h0)) = (split.key, split.high, split.low);
        if high == low {
            Some(high)
        } else if high == g1 && low == g0 {
            Some(g)
        } else if high == h1 && low == h0 {
            Some(Bdd(h))
        } else {
            manager.node(split.level, low, high)
        }
    }

    #[inline(always)]
    fn store(self, manager: &mut Manager, key: Key, result: Bdd) {
        manager.ite_cache.put(key, result);
    }
}
