//! Sets of entries: the stores with which a frame was entered. Searches in the order of lengths use
//! them.
//!
//! An entry consists of the cells that a weight keeps up to the frame's end: the entry copies of
//! the cells that the procedure changes, and the other cells as they are now. Uninitialised locals
//! are no part of it, because a callee may pick them anew each time.

use super::ProgramDomain;
use crate::bdd::Bdd;
use crate::encode::layout::{Cell, Copy};
use crate::pds::{EntrySets, RuleId};
use crate::util::Bounded;

impl EntrySets for ProgramDomain {
    fn starts(&mut self, weight: &Bdd, rule: RuleId) -> Bounded<Bdd> {
        self.exact_starts(*weight, rule)
    }

    fn entries(&mut self, rule: RuleId, starts: &Bdd) -> Bounded<Bdd> {
        let frame = &self.frames[self.callee(rule)];
        let now: Vec<Cell> = frame.tracked.iter().chain(&frame.others).copied().collect();
        let now = self.layout.cells_levels(&now, Copy::Now);
        let now = self.kernel.var_set(&now);
        self.kernel.exists(*starts, now)
    }

    fn meet(&mut self, weight: &Bdd, entries: &Bdd) -> Bounded<Bdd> {
        self.kernel.and(*weight, *entries)
    }

    fn beyond(&mut self, weight: &Bdd, old: &Bdd) -> Bounded<Bdd> {
        self.kernel.difference(*weight, *old)
    }
}
