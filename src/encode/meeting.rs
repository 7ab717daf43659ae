//! The product of a post\* weight and a pre\* weight in one frame.

use super::layout::{Cell, Copy};
use super::program_domain::ProgramDomain;
use crate::bdd::Bdd;
use crate::lang::model::ProcedureId;
use crate::util::Bounded;

impl ProgramDomain {
    /// w_b ⊗ w_f within a frame: from its entry to now, then from now to its end. The result
    /// relates the stores with which the frame is entered and left, as post\*'s summary of a callee
    /// does.
    pub fn meet(&mut self, procedure: ProcedureId, to_now: Bdd, to_end: Bdd) -> Bounded<Bdd> {
        let all = self.visible(procedure);
        let frame = &self.frames[procedure];
        // The end of the frame has no copy of cells that stay as they are. Their value now is their
        // value at the end.
        let kept: Vec<Cell> =
            frame.constant_globals.iter().chain(&frame.constant_parameters).copied().collect();
        let locals = frame.locals.iter().filter(|cell| !frame.constant_parameters.contains(cell));
        let gone: Vec<Cell> = locals.chain(&frame.changed_globals).copied().collect();
        let now_to_middle = self.kernel.renaming(&self.layout.shift(&all, Copy::Now, Copy::Middle));
        let entry_to_middle =
            self.kernel.renaming(&self.layout.shift(&all, Copy::Entry, Copy::Middle));
        let kept = self.kernel.renaming(&self.layout.shift(&kept, Copy::Middle, Copy::Now));
        let gone = self.kernel.var_set(&self.layout.cells_levels(&gone, Copy::Middle));
        let to_now = self.kernel.rename(to_now, now_to_middle)?;
        let to_end = self.kernel.rename(to_end, entry_to_middle)?;
        let whole = self.kernel.and_exists(to_now, to_end, gone)?;
        self.kernel.rename(whole, kept)
    }

    /// Does a store that a post\* weight brings here lead on into the target, as a pre\* weight
    /// says?
    pub fn meets(&mut self, procedure: ProcedureId, to_now: Bdd, to_target: Bdd) -> Bounded<bool> {
        let failing = self.entry_to_now(procedure, to_target)?;
        Ok(!self.kernel.and(to_now, failing)?.is_false())
    }
}
