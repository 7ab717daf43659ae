//! The rules of the concrete program as relations that forget no local, for abstraction and
//! interpolation (thesis, 5.2, figs 5.5, 5.6 and 5.9).
//!
//! Saturation lets locals that no later statement reads have any value. But predicates may mention
//! such locals. So [`Relations`] builds the same effects with every local remembered, each once,
//! when it is first asked for.
//!
//! A call has a *pivot point* between caller and callee. A store there is the caller's as it is at
//! the call ([`Copy::Now`], and in a frame with entry copies [`Copy::Entry`]), and the arguments in
//! [`Copy::Middle`] of the callee's parameters. Globals are the same in both.

use super::call::{Call, CallSite};
use super::effect::{Change, Statement, identity};
use super::layout::{Cell, Copy};
use super::program_domain::ProgramDomain;
use crate::bdd::{Bdd, Manager, Renaming, VarSet, impl_roots};
use crate::lang::model::{EdgeId, ProcedureId, Program, VariableId};
use crate::util::Bounded;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A statement (R in fig. 5.5), or the failure of a check.
#[derive(Clone, Debug)]
pub struct StepRelation {
    change: Change,
    forward: Bdd,
}

impl StepRelation {
    /// The cells that it changes, ascending.
    pub fn changed(&self) -> &[Cell] {
        &self.change.cells
    }

    /// The relation. Before: [`Copy::Middle`] for changed cells, [`Copy::Now`] for the others.
    /// After: [`Copy::Now`].
    pub fn relation(&self) -> Bdd {
        self.forward
    }

    /// ∃X1. I(X1) ∧ R: the stores after it (over now; entries are kept).
    pub fn after(&self, kernel: &mut Manager, before: Bdd) -> Bounded<Bdd> {
        let change = &self.change;
        let before = kernel.rename(before, change.now_to_middle)?;
        kernel.and_exists(before, self.forward, change.middle)
    }

    /// ∃X2. R ∧ K(X2): the stores from which it can lead there.
    pub fn before(&self, kernel: &mut Manager, after: Bdd) -> Bounded<Bdd> {
        let change = &self.change;
        let before = kernel.and_exists(after, self.forward, change.now)?;
        kernel.rename(before, change.middle_to_now)
    }

    /// ∀X2. R → K(X2): the stores from which it can lead nowhere else.
    pub fn weakest(&self, kernel: &mut Manager, after: Bdd) -> Bounded<Bdd> {
        Ok(!self.before(kernel, !after)?)
    }
}

/// A call: the push, and the return.
#[derive(Clone, Debug)]
pub struct CallRelation {
    /// The procedure that is called.
    pub callee: ProcedureId,
    /// Relation: the checks hold, and the parameters ([`Copy::Middle`]) are the arguments (caller
    /// in [`Copy::Now`]).
    enter: Bdd,
    /// Relation: the variable that takes the result has its value, both in [`Copy::Now`]. True if
    /// no variable takes it.
    stored: Bdd,
    parameters_middle: VarSet,
    /// The cells that only the caller sees: its locals now, and its entry.
    callers_own: VarSet,
    /// The same without the cell of the callee's result, which belongs to the caller as well in a
    /// recursive call.
    callers_own_but_result: VarSet,
    /// The callee's locals that are no parameters, now.
    others_now: VarSet,
    /// The variable that takes the result and, in a recursive call, the caller's own result, now.
    overwritten: VarSet,
    own_result: VarSet,
    result_now: VarSet,
    /// The globals that the callee may change and the variable that takes the result, now.
    written: VarSet,
    /// The globals that the callee may change and its parameters, before.
    before: VarSet,
    /// Parameters, from [`Copy::Middle`] to [`Copy::Now`].
    middle_to_now: Renaming,
    now_to_middle: Renaming,
    /// Globals that the callee may change, from [`Copy::Now`] to [`Copy::Middle`].
    globals_to_middle: Renaming,
    globals_to_now: Renaming,
    /// From the callee's signature at its end to the copies of the pivot, and back.
    effect_to_pivot: Renaming,
    pivot_to_effect: Renaming,
}

impl CallRelation {
    fn of(domain: &mut ProgramDomain, program: &Program, edge: EdgeId) -> Bounded<CallRelation> {
        let site = CallSite::of(program, edge).expect("counterexample DAGs have pivots at calls");
        let call = Call::of(&mut domain.kernel, &domain.layout, &domain.frames, &site, &[])?;
        let caller = &domain.frames[program.owner(edge)];
        let frame = &domain.frames[call.callee];
        let (kernel, layout) = (&mut domain.kernel, &domain.layout);
        let target = site.target();
        let own_result: Vec<Cell> =
            caller.result.filter(|cell| frame.result == Some(*cell)).into_iter().collect();
        let tracked_parameters =
            frame.parameters.iter().filter(|cell| frame.tracked.contains(cell));
        let tracked: Vec<Cell> =
            frame.changed_globals.iter().chain(tracked_parameters).copied().collect();
        let mut levels = |cells: &mut dyn Iterator<Item = Cell>, copy: Copy, entries: &[Cell]| {
            let cells: Vec<Cell> = cells.collect();
            let mut levels = layout.cells_levels(&cells, copy);
            levels.extend(layout.cells_levels(entries, Copy::Entry));
            kernel.var_set(&levels)
        };
        let globals = || frame.changed_globals.iter().copied();
        let parameters_middle = levels(&mut frame.parameters.iter().copied(), Copy::Middle, &[]);
        let callers_own = levels(&mut caller.locals.iter().copied(), Copy::Now, &caller.tracked);
        let kept = |cell: &Cell| frame.result != Some(*cell);
        let callers_own_but_result =
            levels(&mut caller.locals.iter().copied().filter(kept), Copy::Now, &caller.tracked);
        let others_now = levels(&mut frame.others.iter().copied(), Copy::Now, &[]);
        let overwritten =
            levels(&mut target.into_iter().chain(own_result.iter().copied()), Copy::Now, &[]);
        let own_result = levels(&mut own_result.iter().copied(), Copy::Now, &[]);
        let result_now = levels(&mut frame.result.into_iter(), Copy::Now, &[]);
        let written = levels(&mut globals().chain(target), Copy::Now, &[]);
        let before =
            levels(&mut globals().chain(frame.parameters.iter().copied()), Copy::Middle, &[]);
        let mut to_pivot = layout.shift(&tracked, Copy::Entry, Copy::Middle);
        to_pivot.extend(layout.shift(&frame.constant_parameters, Copy::Now, Copy::Middle));
        let mut to_effect = layout.shift(&tracked, Copy::Middle, Copy::Entry);
        to_effect.extend(layout.shift(&frame.constant_parameters, Copy::Middle, Copy::Now));
        Ok(CallRelation {
            callee: call.callee,
            enter: call.enter,
            stored: call.stored,
            parameters_middle,
            callers_own,
            callers_own_but_result,
            others_now,
            overwritten,
            own_result,
            result_now,
            written,
            before,
            middle_to_now: kernel.renaming(&layout.shift(
                &frame.parameters,
                Copy::Middle,
                Copy::Now,
            )),
            now_to_middle: kernel.renaming(&layout.shift(
                &frame.parameters,
                Copy::Now,
                Copy::Middle,
            )),
            globals_to_middle: kernel.renaming(&layout.shift(
                &frame.changed_globals,
                Copy::Now,
                Copy::Middle,
            )),
            globals_to_now: kernel.renaming(&layout.shift(
                &frame.changed_globals,
                Copy::Middle,
                Copy::Now,
            )),
            effect_to_pivot: kernel.renaming(&to_pivot),
            pivot_to_effect: kernel.renaming(&to_effect),
        })
    }

    /// Relation: the checks hold, and the parameters in [`Copy::Middle`] are the arguments, read
    /// from the caller in [`Copy::Now`].
    pub fn push(&self) -> Bdd {
        self.enter
    }

    /// I‹ = ∃G∃L. I ∧ Push (fig. 5.5): the stores at the pivot. The caller's part is kept.
    pub fn push_after(&self, kernel: &mut Manager, caller: Bdd) -> Bounded<Bdd> {
        kernel.and(caller, self.enter)
    }

    /// ∀G‹∀P‹∀L. Push → J‹ (fig. 5.6).
    pub fn push_weakest(&self, kernel: &mut Manager, pivot: Bdd) -> Bounded<Bdd> {
        Ok(!kernel.and_exists(self.enter, !pivot, self.parameters_middle)?)
    }

    /// I_f0 = (∃L. I‹)\[G‹\\G\]\[P‹\\P\] (fig. 5.9): the stores with which a callee that does not
    /// return starts.
    pub fn enter_after(&self, kernel: &mut Manager, pivot: Bdd) -> Bounded<Bdd> {
        let entered = kernel.exists(pivot, self.callers_own)?;
        kernel.rename(entered, self.middle_to_now)
    }

    /// J‹ = J_f0\[G\\G‹\]\[P\\P‹\] (fig. 5.9). The callee's other locals start with any value.
    pub fn enter_weakest(&self, kernel: &mut Manager, entry: Bdd) -> Bounded<Bdd> {
        let entry = kernel.forall(entry, self.others_now)?;
        kernel.rename(entry, self.now_to_middle)
    }

    /// The effect of a body on the pivot's stores, from I> at its end. Before: [`Copy::Middle`]
    /// (the globals that the callee may change, and the parameters). After: [`Copy::Now`] (the same
    /// globals, and the variable that takes the result).
    pub fn effect(&self, kernel: &mut Manager, returned: Bdd) -> Bounded<Bdd> {
        let effect = kernel.rename(returned, self.effect_to_pivot)?;
        kernel.and_exists(effect, self.stored, self.result_now)
    }

    /// I(m_i+1) = ∃G‹∃P‹. I‹ ∧ I> (fig. 5.5).
    pub fn return_after(&self, kernel: &mut Manager, pivot: Bdd, effect: Bdd) -> Bounded<Bdd> {
        let pivot = kernel.exists(pivot, self.overwritten)?;
        let pivot = kernel.rename(pivot, self.globals_to_middle)?;
        kernel.and_exists(pivot, effect, self.before)
    }

    /// The pivot's stores from which this effect can lead there.
    pub fn return_before(&self, kernel: &mut Manager, effect: Bdd, after: Bdd) -> Bounded<Bdd> {
        let after = kernel.exists(after, self.own_result)?;
        let before = kernel.and_exists(effect, after, self.written)?;
        kernel.rename(before, self.globals_to_now)
    }

    /// J‹ = ∀G>. I> → J(m_i+1) (fig. 5.6).
    pub fn return_weakest(&self, kernel: &mut Manager, effect: Bdd, after: Bdd) -> Bounded<Bdd> {
        Ok(!self.return_before(kernel, effect, !after)?)
    }

    /// J> = ∀L. J‹ → J(m_i+1) (fig. 5.6), in the callee's signature at its end.
    pub fn returned_weakest(&self, kernel: &mut Manager, pivot: Bdd, after: Bdd) -> Bounded<Bdd> {
        Ok(!self.returned_between(kernel, pivot, !after)?)
    }

    /// How a callee may be entered and left so that some caller is in `pivot` before the call and
    /// in `after` behind it.
    pub fn returned_between(&self, kernel: &mut Manager, pivot: Bdd, after: Bdd) -> Bounded<Bdd> {
        let pivot = kernel.exists(pivot, self.overwritten)?;
        let pivot = kernel.rename(pivot, self.globals_to_middle)?;
        let after = kernel.exists(after, self.own_result)?;
        let after = kernel.and(after, self.stored)?;
        let around = kernel.and_exists(pivot, after, self.callers_own_but_result)?;
        kernel.rename(around, self.pivot_to_effect)
    }
}

/// The relations of one program's rules, each built once.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    entered: BTreeMap<ProcedureId, Bdd>,
    steps: BTreeMap<(EdgeId, Option<usize>), Rc<StepRelation>>,
    calls: BTreeMap<EdgeId, Rc<CallRelation>>,
}

impl Relations {
    /// Relations of which none is built yet.
    pub fn new() -> Relations {
        Relations::default()
    }

    /// The relation of an edge that is no call, where all its checks hold. If `check` is given: the
    /// failure of that check, where all earlier ones hold.
    pub fn step(
        &mut self,
        domain: &mut ProgramDomain,
        program: &Program,
        edge: EdgeId,
        check: Option<usize>,
    ) -> Bounded<Rc<StepRelation>> {
        if let Some(known) = self.steps.get(&(edge, check)) {
            return Ok(Rc::clone(known));
        }
        let (kernel, layout) = (&mut domain.kernel, &domain.layout);
        let (change, forward) =
            Statement::forward(kernel, layout, program, (edge, check), &[], Bdd::TRUE)?;
        let relation = Rc::new(StepRelation { change, forward });
        self.steps.insert((edge, check), Rc::clone(&relation));
        Ok(relation)
    }

    /// A call edge.
    pub fn call(
        &mut self,
        domain: &mut ProgramDomain,
        program: &Program,
        edge: EdgeId,
    ) -> Bounded<Rc<CallRelation>> {
        if let Some(known) = self.calls.get(&edge) {
            return Ok(Rc::clone(known));
        }
        let relation = Rc::new(CallRelation::of(domain, program, edge)?);
        self.calls.insert(edge, Rc::clone(&relation));
        Ok(relation)
    }

    /// The stores with which the program starts, over [`Copy::Now`].
    pub fn initial(&mut self, domain: &mut ProgramDomain, program: &Program) -> Bounded<Bdd> {
        let initial = domain.initial(program)?;
        domain.forget_entry(program.main_id(), initial)
    }

    /// Relation: entry and now are the same, as when a frame is entered.
    pub fn entered(&mut self, domain: &mut ProgramDomain, procedure: ProcedureId) -> Bounded<Bdd> {
        self.entered_with(domain, procedure, &|_| true)
    }

    /// The same for some variables only. The caller must give the same variables each time, because
    /// the relation is made once.
    pub fn entered_with(
        &mut self,
        domain: &mut ProgramDomain,
        procedure: ProcedureId,
        of: &dyn Fn(VariableId) -> bool,
    ) -> Bounded<Bdd> {
        if let Some(known) = self.entered.get(&procedure) {
            return Ok(*known);
        }
        let tracked = &domain.frames[procedure].tracked;
        let cells: Vec<Cell> = tracked.iter().copied().filter(|cell| of(cell.variable)).collect();
        let same = identity(&mut domain.kernel, &domain.layout, &cells)?;
        self.entered.insert(procedure, same);
        Ok(same)
    }

    /// I> from I at the exit: locals are dropped, except the result and the parameters that stay as
    /// they are.
    pub fn popped(
        &mut self,
        domain: &mut ProgramDomain,
        procedure: ProcedureId,
        exit: Bdd,
    ) -> Bounded<Bdd> {
        let frame = &domain.frames[procedure];
        let kept = |cell: &&Cell| {
            !frame.constant_parameters.contains(cell) && frame.result != Some(**cell)
        };
        let dropped: Vec<Cell> = frame.locals.iter().filter(kept).copied().collect();
        let dropped = domain.layout.cells_levels(&dropped, Copy::Now);
        let dropped = domain.kernel.var_set(&dropped);
        domain.kernel.exists(exit, dropped)
    }
}

impl_roots!(Relations { entered, steps, calls });

impl_roots!(StepRelation { forward });
impl_roots!(CallRelation { enter, stored });
