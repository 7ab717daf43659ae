//! Contexts of a call: the stores with which its callee is entered and left, given the caller
//! before and after the call.

use super::ProgramDomain;
use crate::bdd::{Bdd, Renaming, VarSet};
use crate::encode::layout::{Cell, Copy};
use crate::lang::model::ProcedureId;
use crate::pds::RuleId;
use crate::util::Bounded;

/// The sets and renamings for the outer context of a call's callee.
#[derive(Clone, Copy, Debug)]
pub(super) struct OuterContext {
    /// The caller's frame as of its entry, and the caller's result.
    entered: VarSet,
    /// The caller's locals, before and after the call.
    hidden: VarSet,
    /// The renaming to the copies of a context.
    shift: Renaming,
}

impl ProgramDomain {
    /// The stores with which a call's callee is entered and left. The caller is given before
    /// (`at_call`) and after the call (`at_return`), both over entry and now, and both are joined
    /// in the same frame. The result is about the callee's entry (tracked cells in [`Copy::Entry`],
    /// constant ones in [`Copy::Middle`]) and about the store in which it is left ([`Copy::Now`]).
    pub fn outer_context(
        &mut self,
        rule: RuleId,
        caller: ProcedureId,
        at_call: Bdd,
        at_return: Bdd,
    ) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let OuterContext { entered, hidden, shift } = match self.outer.get(&rule) {
            Some(outer) => *outer,
            None => {
                let outer = self.outer_of(caller, call.callee);
                self.outer.insert(rule, outer);
                outer
            }
        };
        let before = self.kernel.rename(at_call, call.change.now_to_middle)?;
        let around = self.kernel.and_exists(before, at_return, entered)?;
        let context = self.kernel.and_exists(around, call.merge, hidden)?;
        self.kernel.rename(context, shift)
    }

    fn outer_of(&mut self, caller: ProcedureId, callee: ProcedureId) -> OuterContext {
        let ProgramDomain { kernel, layout, frames, .. } = self;
        let (caller, callee) = (&frames[caller], &frames[callee]);
        // The caller's frame, as of its entry, is forgotten. So is its own result, which is not the
        // callee's result.
        let mut entered = layout.cells_levels(&caller.tracked, Copy::Entry);
        entered.extend(layout.cells_levels(&caller.result, Copy::Now));
        let mut hidden = layout.cells_levels(
            caller.locals.iter().filter(|cell| callee.result != Some(**cell)),
            Copy::Now,
        );
        hidden.extend(layout.cells_levels(&caller.locals, Copy::Middle));
        let mut shift = layout.shift(&callee.changed_globals, Copy::Middle, Copy::Entry);
        shift.extend(layout.shift(&callee.constant_globals, Copy::Now, Copy::Middle));
        shift.extend(layout.shift(&callee.constant_parameters, Copy::Entry, Copy::Middle));
        OuterContext {
            entered: kernel.var_set(&entered),
            hidden: kernel.var_set(&hidden),
            shift: kernel.renaming(&shift),
        }
    }

    /// [`Self::outer_context`] in the form of entries and stores at the callee's exit.
    pub fn exits(
        &mut self,
        rule: RuleId,
        caller: ProcedureId,
        at_call: Bdd,
        at_return: Bdd,
    ) -> Bounded<Bdd> {
        let context = self.outer_context(rule, caller, at_call, at_return)?;
        let relations = self.frame_relations[self.call_at(rule).callee];
        self.kernel.rename(context, relations.all_middle_to_now)
    }

    /// The stores with which a call's callee may be left so that some store at the return site is
    /// in `at_return` (over [`Copy::Now`]), for any locals of the caller. It has the form of
    /// [`Self::outer_context`], without a condition on the entry.
    pub fn leaving_context(
        &mut self,
        rule: RuleId,
        caller: ProcedureId,
        at_return: Bdd,
    ) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let callee = self.frames[call.callee].clone();
        let caller = self.frames[caller].clone();
        let own = self.kernel.var_set(&self.layout.cells_levels(&caller.result, Copy::Now));
        let at_return = self.kernel.exists(at_return, own)?;
        let at_return = self.kernel.and(at_return, call.stored)?;
        let hidden: Vec<Cell> =
            caller.locals.iter().copied().filter(|cell| callee.result != Some(*cell)).collect();
        let hidden = self.kernel.var_set(&self.layout.cells_levels(&hidden, Copy::Now));
        let left = self.kernel.exists(at_return, hidden)?;
        let shift = self.kernel.renaming(&self.layout.shift(
            &callee.constant_globals,
            Copy::Now,
            Copy::Middle,
        ));
        self.kernel.rename(left, shift)
    }

    /// The stores (with their entries) from which a frame can be left so that its context fails.
    ///
    /// `to_end` is a pre\* weight from now to the frame's end, `context` as [`Self::outer_context`]
    /// makes it; the result speaks of entry and now.
    pub fn fails_outside(
        &mut self,
        procedure: ProcedureId,
        to_end: Bdd,
        context: Bdd,
    ) -> Bounded<Bdd> {
        let relations = self.frame_relations[procedure];
        let to_end = self.kernel.rename(to_end, relations.all_entry_to_middle)?;
        let stores = self.kernel.and_exists(to_end, context, relations.left)?;
        self.kernel.rename(stores, relations.all_middle_to_now)
    }
}
