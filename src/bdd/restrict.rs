//! Simplification of a function by stores that do not matter.

use super::cache::Key;
use super::manager::Manager;
use super::node::{Bdd, Stopped};
use super::recursion::{Operation, Plan, Split, run};
use crate::util::limits::Bounded;

const RESTRICT: u32 = 7;

impl Manager {
    /// A function that agrees with f wherever `care` holds, and is usually smaller (Coudert, Madre
    /// 1990). It depends only on variables of f. If `care` is false, it is f itself.
    pub fn restrict(&mut self, f: Bdd, care: Bdd) -> Bounded<Bdd> {
        if care.is_false() {
            return Ok(f);
        }
        let result = run(self, Restrict, (f, care), 0);
        self.finish(result)
    }
}

#[derive(Clone, Copy)]
struct Restrict;

impl Operation for Restrict {
    type Arguments = (Bdd, Bdd);

    fn plan(self, manager: &mut Manager, (f, care): (Bdd, Bdd), depth: u32) -> Plan<(Bdd, Bdd)> {
        let (mut f, mut care) = (f, care);
        loop {
            if f.is_constant() || care.is_true() {
                return Plan::Done(Some(f));
            }
            if f.regular() == care.regular() {
                return Plan::Done(Some(Bdd::constant(f == care)));
            }
            let (sign, regular) = (f.sign(), f.regular());
            let key = Key::new(regular, care, RESTRICT, 0);
            if let Some(result) = manager.cache.get(key) {
                return Plan::Done(Some(result.flip(sign)));
            }
            let (f_level, care_level) = (manager.level(f), manager.level(care));
            let level = f_level.min(care_level);
            let (care1, care0) = manager.cofactors(care, level);
            if care_level < f_level {
                match manager.or_at(care1, care0, depth) {
                    Some(either) => care = either,
                    None => return Plan::Done(None),
                }
                continue;
            }
            let (high, low) = manager.cofactors(f, level);
            if care1.is_false() {
                (f, care) = (low, care0);
            } else if care0.is_false() {
                (f, care) = (high, care1);
            } else {
                let (high, low) = (high.flip(sign), low.flip(sign));
                return Plan::Split(Split {
                    key,
                    level,
                    sign,
                    high: (high, care1),
                    low: (low, care0),
                });
            }
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
        let kept = high == split.high.0 && low == split.low.0;
        if kept { Some(split.key.0) } else { manager.node(split.level, low, high) }
    }
}
