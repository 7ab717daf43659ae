//! The effect of a call: it enters the callee, and comes back with the callee's summary merged into
//! the caller.
//!
//! A call's result goes to a local of the caller that is not the caller's own result (the front
//! ends ensure this). So the callee's parameters and result can use copies that the caller does not
//! use, even if a procedure calls itself.

use super::effect::{Change, all_hold, equals};
use super::expression::Encoder;
use super::frame::Frame;
use super::layout::{Cell, Copy, Layout};
use crate::bdd::{Bdd, Manager, Renaming, VarSet, impl_roots};
use crate::lang::model::{Check, EdgeId, Expression, Operation, ProcedureId, Program, VariableId};
use crate::util::Bounded;

/// A call in the program.
pub struct CallSite<'p> {
    /// Its edge.
    edge: EdgeId,
    /// The procedure that has the edge.
    caller: ProcedureId,
    /// The procedure that is called.
    pub callee: ProcedureId,
    /// The values of the parameters.
    arguments: &'p [Expression],
    /// The variable that takes the result.
    result: Option<VariableId>,
    checks: &'p [Check],
}

impl<'p> CallSite<'p> {
    /// The call that an edge makes, if it makes one.
    pub fn of(program: &'p Program, id: EdgeId) -> Option<CallSite<'p>> {
        let edge = program.edge(id);
        let Operation::Call { callee, arguments, result } = &edge.operation else { return None };
        Some(CallSite {
            edge: id,
            caller: program.owner(id),
            callee: *callee,
            arguments,
            result: *result,
            checks: &edge.checks,
        })
    }

    /// The cell that takes the result.
    pub(super) fn target(&self) -> Option<Cell> {
        self.result.map(|variable| Cell { variable, element: 0 })
    }
}

/// The effect of a call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) callee: ProcedureId,
    /// The cells that the whole call changes: those that the callee may change, and the variable
    /// that takes the result.
    pub(super) change: Change,
    /// Relation: the checks hold, and the parameters ([`Copy::Middle`]) are the arguments (caller
    /// in [`Copy::Now`]).
    pub(super) enter: Bdd,
    /// The caller's frame: its entry, and its locals now.
    pub(super) left_behind: VarSet,
    /// The forward merge. The caller is in the copies that `change` gives, the parameters in
    /// [`Copy::Entry`], the result in [`Copy::Now`] and stored.
    pub(super) merge: Bdd,
    /// Relation: the callee's result equals the caller's variable that takes it, both in
    /// [`Copy::Now`].
    pub(super) stored: Bdd,
    merge_shift: Renaming,
    merge_last: VarSet,
    /// Relation: the checks hold, and the parameters ([`Copy::Now`]) are the arguments (caller in
    /// [`Copy::Entry`]).
    pub(super) enter_backward: Bdd,
    merge_backward: Bdd,
    merge_backward_shift: Renaming,
    merge_backward_last: VarSet,
}

impl Call {
    /// Builds the effect. Cells in `forgotten` have any value after the call.
    pub(super) fn of(
        kernel: &mut Manager,
        layout: &Layout,
        frames: &[Frame],
        site: &CallSite<'_>,
        forgotten: &[Cell],
    ) -> Bounded<Call> {
        let target = site.target();
        let stored_target = target.filter(|cell| !forgotten.contains(cell));
        let caller = &frames[site.caller];
        let frame = &frames[site.callee];
        assert!(
            target.is_none_or(|t| caller.locals.contains(&t) && caller.result != Some(t)),
            "see the module's head"
        );

        let changed =
            frame.changed_globals.iter().chain(forgotten).copied().chain(target).collect();
        let change = Change::new(kernel, layout, changed);
        let arguments = |kernel: &mut Manager, from: &dyn Fn(Cell) -> Copy, to: Copy| {
            arguments(kernel, layout, site, frame, from, to)
        };
        let stored = |kernel: &mut Manager, relation: Bdd, to: Copy| -> Bounded<Bdd> {
            let (Some(target), Some(result)) = (stored_target, frame.result) else {
                return Ok(relation);
            };
            let value = layout.value(kernel, result, Copy::Now)?;
            let same = equals(kernel, layout, target, to, &value)?;
            kernel.and(relation, same)
        };

        let enter = arguments(kernel, &|_| Copy::Now, Copy::Middle)?;
        let mut behind = layout.cells_levels(&caller.tracked, Copy::Entry);
        // Relations of loops have an entry copy of locals, too.
        behind.extend(layout.cells_levels(&caller.locals, Copy::Entry));
        behind.extend(layout.cells_levels(&caller.locals, Copy::Now));
        let left_behind = kernel.var_set(&behind);

        let merge = arguments(kernel, &|cell| change.before(cell), Copy::Entry)?;
        let stored_now = stored(kernel, Bdd::TRUE, Copy::Now)?;
        let merge = kernel.and(merge, stored_now)?;
        let mut shift = layout.shift(&frame.changed_globals, Copy::Entry, Copy::Middle);
        shift.extend(layout.shift(&frame.constant_parameters, Copy::Now, Copy::Entry));
        let merge_shift = kernel.renaming(&shift);
        let mut last = layout.cells_levels(&frame.parameters, Copy::Entry);
        last.extend(layout.cells_levels(&frame.result, Copy::Now));
        let merge_last = kernel.var_set(&last);

        let enter_backward = arguments(kernel, &|_| Copy::Entry, Copy::Now)?;
        let merge_backward = stored(kernel, enter_backward, Copy::Middle)?;
        let mut shift = layout.shift(&frame.changed_globals, Copy::Now, Copy::Middle);
        shift.extend(layout.shift(&frame.parameters, Copy::Entry, Copy::Now));
        let merge_backward_shift = kernel.renaming(&shift);
        let mut last = layout.cells_levels(&frame.parameters, Copy::Now);
        last.extend(layout.cells_levels(&frame.result, Copy::Now));
        let merge_backward_last = kernel.var_set(&last);

        Ok(Call {
            callee: site.callee,
            change,
            enter,
            left_behind,
            merge,
            stored: stored_now,
            merge_shift,
            merge_last,
            enter_backward,
            merge_backward,
            merge_backward_shift,
            merge_backward_last,
        })
    }

    /// The effect of the whole call from a post\* summary of the callee: before as
    /// [`Change::before`] says, after in [`Copy::Now`].
    pub(super) fn forward(&self, kernel: &mut Manager, summary: Bdd) -> Bounded<Bdd> {
        let summary = kernel.rename(summary, self.merge_shift)?;
        kernel.and_exists(summary, self.merge, self.merge_last)
    }

    /// The effect of the whole call from a pre\* summary of the callee (whose uninitialised locals
    /// are quantified already): before in [`Copy::Entry`], after in [`Copy::Middle`] for changed
    /// cells.
    pub(super) fn backward(&self, kernel: &mut Manager, summary: Bdd) -> Bounded<Bdd> {
        let summary = kernel.rename(summary, self.merge_backward_shift)?;
        kernel.and_exists(summary, self.merge_backward, self.merge_backward_last)
    }
}

impl_roots!(Call { stored, enter, merge, enter_backward, merge_backward });

/// Relation: the checks hold in the caller (read from the copy `from`), and the parameters in the
/// copy `to` are the arguments.
fn arguments(
    kernel: &mut Manager,
    layout: &Layout,
    site: &CallSite<'_>,
    frame: &Frame,
    from: &dyn Fn(Cell) -> Copy,
    to: Copy,
) -> Bounded<Bdd> {
    let edge = Some(site.edge);
    let mut encoder = Encoder { kernel, layout, edge, copy: from, care: Bdd::TRUE };
    let mut relation = all_hold(&mut encoder, site.checks)?;
    for (parameter, argument) in frame.parameters.iter().zip(site.arguments).rev() {
        let value = encoder.value(argument)?;
        let same = equals(encoder.kernel, layout, *parameter, to, &value)?;
        relation = encoder.kernel.and(relation, same)?;
    }
    let choices = kernel.var_set(&layout.choices(site.edge));
    kernel.exists(relation, choices)
}
