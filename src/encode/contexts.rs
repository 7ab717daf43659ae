//! Sets of stores with which frames are entered and left. Explanations of calling contexts use
//! them.

use super::concretize::Valuation;
use super::expression::Encoder;
use super::layout::{Cell, Copy};
use super::program_domain::ProgramDomain;
use crate::bdd::Bdd;
use crate::lang::model::{Expression, ProcedureId};
use crate::util::Bounded;

impl ProgramDomain {
    /// Globals and parameters, over [`Copy::Now`], with which the frame of these weights was
    /// entered.
    pub fn entry_of(&mut self, procedure: ProcedureId, weight: Bdd) -> Bounded<Bdd> {
        let frame = self.frames[procedure].clone();
        let gone: Vec<Cell> = frame.tracked.iter().chain(&frame.others).copied().collect();
        let gone = self.kernel.var_set(&self.layout.cells_levels(&gone, Copy::Now));
        let entries = self.kernel.exists(weight, gone)?;
        let shift =
            self.kernel.renaming(&self.layout.shift(&frame.tracked, Copy::Entry, Copy::Now));
        self.kernel.rename(entries, shift)
    }

    /// Globals and result, over [`Copy::Now`], with which a frame is left by a pre\* weight from
    /// this one store.
    pub fn end_of(
        &mut self,
        procedure: ProcedureId,
        to_end: Bdd,
        store: &Valuation,
    ) -> Bounded<Bdd> {
        let visible = self.visible(procedure);
        let gone = self.kernel.var_set(&self.layout.cells_levels(&visible, Copy::Entry));
        let left = self.kernel.exists(to_end, gone)?;
        let constant = self.frames[procedure].constant_globals.clone();
        let constant = self.fixed(&constant, Copy::Now, store)?;
        self.kernel.and(left, constant)
    }

    /// The same as a pre\* summary of the procedure, from any entry to this end.
    pub fn end_as_summary(&mut self, procedure: ProcedureId, left: Bdd) -> Bounded<Bdd> {
        let constant = self.frames[procedure].constant_globals.clone();
        let shift = self.kernel.renaming(&self.layout.shift(&constant, Copy::Now, Copy::Entry));
        self.kernel.rename(left, shift)
    }

    /// The stores, over [`Copy::Now`], in which a condition holds. It makes no choices.
    pub fn condition(&mut self, condition: &Expression) -> Bounded<Bdd> {
        let now = |_| Copy::Now;
        Encoder {
            kernel: &mut self.kernel,
            layout: &self.layout,
            edge: None,
            copy: &now,
            care: crate::bdd::Bdd::TRUE,
        }
        .truth(condition)
    }
}
