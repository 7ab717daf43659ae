//! The weights of a program: relations between stores, with merge for callers' locals.
//!
//! A post\* weight relates the store in which a frame was entered to the store now; a pre\* weight
//! the store now to the store in which the frame is left (for a target inside, it only says which
//! stores now can reach it). Callers' locals survive a call because the effect of a whole call does
//! not mention them (Lal, Touili, Kidd, Reps 2007, App. B.1).

mod saturation;

use super::acceleration::Acceleration;
use super::call::Call;
use super::effect::{Change, Statement, open_failure};
use super::frame::{Frame, forgotten, frames};
use super::layout::{Cell, Copy, Layout};
use super::on_demand::Covered;
use super::program_system::{ProgramSystem, RuleRole};
use crate::bdd::{Bdd, BitVector, Manager, Renaming, Roots, VarSet, impl_roots};
use crate::lang::model::{
    EdgeId, Initial, Operation, ProcedureId, Program, VariableId, VariableKind,
};
use crate::pds::{RuleId, StackSymbol};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A callee is entered this often before it starts with the weight 1; in a program of Boolean
/// variables alone it does so at once.
const RESTARTS: u32 = 3;

/// Only in programs whose variables (and indices of arrays) have no more bits than this. Not with
/// wide numbers: a loop that counts to a value that no run passes would be followed to its end, and
/// the product of all operands has a large diagram.
const WIDEST: u8 = 4;

/// What the rules do to weights.
#[derive(Clone, Debug)]
enum Effect {
    Statement(Rc<Statement>),
    Call(Rc<Call>),
    Return(ProcedureId),
}

/// What entering and leaving a procedure needs.
#[derive(Clone, Copy, Debug)]
struct Border {
    /// Tracked cells: entry equals now.
    entry: Bdd,
    /// The changed globals and the result at the exit are those with which the frame is left.
    exit: Bdd,
    /// Locals now that no caller sees after the return.
    dropped: VarSet,
    /// Entry copies of locals that are not parameters.
    uninitialised: VarSet,
    /// Parameters, [`Copy::Middle`] to [`Copy::Now`], and back.
    middle_to_now: Renaming,
    now_to_middle: Renaming,
    /// Parameters, [`Copy::Entry`] to [`Copy::Now`].
    entry_to_now: Renaming,
    parameters_middle: VarSet,
    parameters_now: VarSet,
    /// Everything that a weight of this procedure may speak of besides the store in which the frame
    /// is left: [`Copy::Entry`] to [`Copy::Middle`], to [`Copy::Now`], and [`Copy::Middle`] to
    /// [`Copy::Now`].
    all_entry_to_middle: Renaming,
    all_entry_to_now: Renaming,
    all_middle_to_now: Renaming,
    /// What a frame is left with.
    left: VarSet,
    /// Entry copies of tracked cells.
    tracked: VarSet,
    /// Tracked cells, [`Copy::Now`] to [`Copy::Entry`].
    tracked_to_entry: Renaming,
}

impl Border {
    fn of(kernel: &mut Manager, layout: &Layout, frame: &Frame) -> Bounded<Border> {
        let left: Vec<Cell> = frame.changed_globals.iter().copied().chain(frame.result).collect();
        let (entry, exit) =
            (identity(kernel, layout, &frame.tracked)?, identity(kernel, layout, &left)?);
        Ok(Border { entry, exit, ..Border::open(kernel, layout, frame) })
    }

    /// Without the two identities, which are as large as the store.
    fn open(kernel: &mut Manager, layout: &Layout, frame: &Frame) -> Border {
        let left: Vec<Cell> = frame.changed_globals.iter().copied().chain(frame.result).collect();
        let kept =
            |cell: &Cell| frame.constant_parameters.contains(cell) || frame.result == Some(*cell);
        let dropped: Vec<Cell> = frame.locals.iter().copied().filter(|cell| !kept(cell)).collect();
        let all: Vec<Cell> = frame
            .locals
            .iter()
            .chain(&frame.changed_globals)
            .chain(&frame.constant_globals)
            .copied()
            .collect();
        Border {
            all_entry_to_middle: kernel.renaming(&layout.shift(&all, Copy::Entry, Copy::Middle)),
            all_entry_to_now: kernel.renaming(&layout.shift(&all, Copy::Entry, Copy::Now)),
            all_middle_to_now: kernel.renaming(&layout.shift(&all, Copy::Middle, Copy::Now)),
            left: kernel.var_set(&layout.cells_levels(&left, Copy::Now)),
            tracked: kernel.var_set(&layout.cells_levels(&frame.tracked, Copy::Entry)),
            tracked_to_entry: kernel.renaming(&layout.shift(
                &frame.tracked,
                Copy::Now,
                Copy::Entry,
            )),
            entry: Bdd::TRUE,
            exit: Bdd::TRUE,
            dropped: kernel.var_set(&layout.cells_levels(&dropped, Copy::Now)),
            uninitialised: kernel.var_set(&layout.cells_levels(&frame.others, Copy::Entry)),
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
            entry_to_now: kernel.renaming(&layout.shift(&frame.parameters, Copy::Entry, Copy::Now)),
            parameters_middle: kernel
                .var_set(&layout.cells_levels(&frame.parameters, Copy::Middle)),
            parameters_now: kernel.var_set(&layout.cells_levels(&frame.parameters, Copy::Now)),
        }
    }
}

/// Entry equals now, for these cells.
pub(super) fn identity(kernel: &mut Manager, layout: &Layout, cells: &[Cell]) -> Bounded<Bdd> {
    let mut pairs: Vec<_> = layout.shift(cells, Copy::Entry, Copy::Now);
    pairs.sort();
    let mut same = Bdd::TRUE;
    for (entry, now) in pairs.into_iter().rev() {
        let (entry, now) = (kernel.var(entry)?, kernel.var(now)?);
        let equal = kernel.iff(entry, now)?;
        same = kernel.and(equal, same)?;
    }
    Ok(same)
}

/// The weight domain of one program. It owns the arena.
pub struct ProgramDomain {
    /// The arena.
    pub kernel: Manager,
    /// Where bits stand.
    pub layout: Layout,
    /// By procedure.
    pub frames: Vec<Frame>,
    /// By edge: locals that no statement behind it reads before it overwrites them; behind the edge
    /// weights let them have any value.
    pub forgotten: Vec<Vec<Cell>>,
    effects: Vec<Effect>,
    borders: Vec<Border>,
    left: Vec<StackSymbol>,
    /// May procedures start with the weight 1?
    may_start_anywhere: bool,
    restarts: u32,
    /// By procedure: how often it was entered, and whether it starts with the weight 1.
    entered: Vec<u32>,
    starts_anywhere: Vec<bool>,
    reached: Option<Vec<Bdd>>,
    pub(super) acceleration: Acceleration,
    /// For statements that are built on demand.
    pub(super) program: Option<Rc<Program>>,
    /// By procedure, once it was asked for: everything that a frame sees, [`Copy::Now`] to
    /// [`Copy::Entry`].
    all_now_to_entry: Vec<Option<Renaming>>,
    /// By push rule, once it was asked for.
    outer: FxHashMap<RuleId, Outer>,
}

/// What the outer context of a call's callee needs.
#[derive(Clone, Copy, Debug)]
struct Outer {
    /// The caller's frame as of its entry, and its result.
    entered: VarSet,
    /// The caller's locals, before and after.
    hidden: VarSet,
    /// To where a context speaks of them.
    shift: Renaming,
}

impl ProgramDomain {
    /// Builds the effects of all rules.
    pub fn new(
        program: &Program,
        system: &ProgramSystem,
        layout: Layout,
        mut kernel: Manager,
    ) -> Bounded<ProgramDomain> {
        let frames = frames(program, &layout);
        let forgotten = forgotten(program, &frames);
        let mut borders = Vec::new();
        for frame in &frames {
            borders.push(Border::of(&mut kernel, &layout, frame)?);
        }
        let mut effects = Vec::new();
        // Where callees may start with the weight 1 all stores come.
        let may_start_anywhere = widest(program) <= WIDEST;
        let on_demand = |kernel: &mut Manager, source| {
            if may_start_anywhere {
                None
            } else {
                Covered::nothing(kernel, &layout, program, source)
            }
        };
        for role in &system.roles {
            effects.push(match *role {
                RuleRole::Return(procedure) => Effect::Return(procedure),
                RuleRole::Fail(edge, check) => {
                    Effect::Statement(Rc::new(match on_demand(&mut kernel, (edge, Some(check))) {
                        Some(covered) => {
                            Statement::on_demand(&mut kernel, &layout, program, covered, &[])
                        }
                        None => Statement::failure(&mut kernel, &layout, program, edge, check)?,
                    }))
                }
                RuleRole::Execute(edge) => match program.edge(edge).operation {
                    Operation::Call { .. } => Effect::Call(Rc::new(Call::of(
                        &mut kernel,
                        &layout,
                        &frames,
                        program,
                        edge,
                        &forgotten[edge.0 as usize],
                    )?)),
                    _ => Effect::Statement(Rc::new({
                        let forgotten = &forgotten[edge.0 as usize];
                        match on_demand(&mut kernel, (edge, None)) {
                            Some(covered) => Statement::on_demand(
                                &mut kernel,
                                &layout,
                                program,
                                covered,
                                forgotten,
                            ),
                            None => Statement::of(&mut kernel, &layout, program, edge, forgotten)?,
                        }
                    })),
                },
            });
        }
        let changed = |rule: RuleId| match &effects[rule.0 as usize] {
            Effect::Statement(statement) => statement.change.cells.clone(),
            Effect::Call(call) => call.change.cells.clone(),
            Effect::Return(_) => Vec::new(),
        };
        let acceleration =
            Acceleration::new(&mut kernel, &layout, &frames, program, system, &changed);
        let left = system.pds.rules().iter().map(|rule| rule.symbol).collect();
        let entered = vec![0; frames.len()];
        let needs_program = effects.iter().any(
            |effect| matches!(effect, Effect::Statement(statement) if statement.covered.is_some()),
        );
        let restarts = if widest(program) <= 1 { 0 } else { RESTARTS };
        let starts_anywhere = vec![false; frames.len()];
        Ok(ProgramDomain {
            kernel,
            layout,
            frames,
            forgotten,
            effects,
            borders,
            left,
            entered,
            may_start_anywhere,
            restarts,
            starts_anywhere,
            reached: None,
            acceleration,
            program: needs_program.then(|| Rc::new(program.clone())),
            all_now_to_entry: vec![None; program.procedures.len()],
            outer: FxHashMap::default(),
        })
    }

    /// The weight of a frame of this procedure with any store, from here to here.
    pub fn unchanged(&self, procedure: ProcedureId) -> Bounded<Bdd> {
        Ok(self.borders[procedure.0 as usize].entry)
    }

    /// For [`Relations`](super::Relations), which build what they are asked for: no rule has an
    /// effect here, and entering a frame says nothing, so weights cannot be passed through. Nothing
    /// of the program is looked at but its variables and frames, and no diagram is made.
    pub fn without_effects(
        program: &Program,
        layout: Layout,
        mut kernel: Manager,
    ) -> ProgramDomain {
        let frames = frames(program, &layout);
        let borders =
            frames.iter().map(|frame| Border::open(&mut kernel, &layout, frame)).collect();
        ProgramDomain {
            kernel,
            layout,
            frames,
            forgotten: vec![Vec::new(); program.edges.len()],
            effects: Vec::new(),
            borders,
            left: Vec::new(),
            entered: Vec::new(),
            may_start_anywhere: false,
            restarts: 0,
            starts_anywhere: Vec::new(),
            reached: None,
            acceleration: Acceleration::default(),
            program: None,
            all_now_to_entry: vec![None; program.procedures.len()],
            outer: FxHashMap::default(),
        }
    }

    /// The weight with which the program starts: globals as declared, everything else arbitrary.
    pub fn initial(&mut self, program: &Program) -> Bounded<Bdd> {
        let mut stores = self.borders[program.main].entry;
        for (k, variable) in program.variables.iter().enumerate() {
            let (VariableKind::Global, Initial::Exactly(values)) =
                (variable.kind, &variable.initial)
            else {
                continue;
            };
            for (cell, bits) in self.layout.cells(VariableId(k as u32)).zip(values) {
                let value = BitVector::constant(*bits, variable.scalar.width.into());
                let levels = self.layout.cell(cell, Copy::Now);
                let now = BitVector::from_variables(&mut self.kernel, &levels)?;
                let fixed = now.equal(&mut self.kernel, &value)?;
                stores = self.kernel.and(stores, fixed)?;
            }
        }
        Ok(stores)
    }

    /// Keeps pre\* weights inside these stores (by symbol, over [`Copy::Entry`]): what no run
    /// reaches needs no way to the target.
    pub fn stay_within(&mut self, reached: Option<Vec<Bdd>>) {
        self.reached = reached;
    }

    /// Did some callee start with the weight 1, so that weights speak of entries that no run has?
    pub fn some_start_anywhere(&self) -> bool {
        self.starts_anywhere.contains(&true)
    }

    /// From now on callees start with what enters them. For what asks about entering after post\*
    /// is done.
    pub fn enter_exactly(&mut self) {
        self.may_start_anywhere = false;
        self.starts_anywhere.fill(false);
    }

    /// The entries of a call's callee, given its caller's weight at the call: tracked cells in
    /// [`Copy::Entry`], constant ones in [`Copy::Now`].
    pub fn as_entries(&mut self, rule: RuleId, at_call: Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let border = self.borders[call.callee.0 as usize];
        let entered = self.kernel.and_exists(at_call, call.enter, call.left_behind)?;
        let entered = self.kernel.rename(entered, border.middle_to_now)?;
        self.start_entries(call.callee, entered)
    }

    /// The same of stores with which a procedure starts (over [`Copy::Now`]).
    pub fn start_entries(&mut self, procedure: ProcedureId, stores: Bdd) -> Bounded<Bdd> {
        let border = self.borders[procedure.0 as usize];
        let stores = self.kernel.exists(stores, border.tracked)?;
        self.kernel.rename(stores, border.tracked_to_entry)
    }

    fn narrow(&mut self, rule: RuleId, weight: Bdd) -> Bounded<Bdd> {
        match &self.reached {
            Some(reached) => {
                let stores = reached[self.left[rule.0 as usize].0 as usize];
                self.kernel.and(weight, stores)
            }
            None => Ok(weight),
        }
    }

    fn call_at(&self, rule: RuleId) -> Rc<Call> {
        match &self.effects[rule.0 as usize] {
            Effect::Call(call) => Rc::clone(call),
            _ => unreachable!("only push rules are asked for their call"),
        }
    }

    /// The starts of a call's callee, whatever [`ForwardWeights::enter`](crate::pds::ForwardWeights::enter) may add to them.
    pub(super) fn exact_starts(&mut self, at_call: Bdd, rule: RuleId) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let border = self.borders[call.callee.0 as usize];
        let entered = self.kernel.and_exists(at_call, call.enter, call.left_behind)?;
        let entered = self.kernel.rename(entered, border.middle_to_now)?;
        self.kernel.and(entered, border.entry)
    }

    /// Whom a push rule calls.
    pub(super) fn callee(&self, rule: RuleId) -> ProcedureId {
        self.call_at(rule).callee
    }

    pub(super) fn replace_statement(&mut self, rule: RuleId, statement: &Rc<Statement>) {
        self.effects[rule.0 as usize] = Effect::Statement(Rc::clone(statement));
    }

    pub(super) fn statement_at(&self, rule: RuleId) -> Rc<Statement> {
        match &self.effects[rule.0 as usize] {
            Effect::Statement(statement) => Rc::clone(statement),
            _ => unreachable!("only step rules are asked for their statement"),
        }
    }

    pub(super) fn pass_forward(
        &mut self,
        change: &Change,
        weight: Bdd,
        relation: Bdd,
    ) -> Bounded<Bdd> {
        if change.cells.is_empty() {
            return self.kernel.and(weight, relation);
        }
        let weight = self.kernel.rename(weight, change.now_to_middle)?;
        self.kernel.and_exists(weight, relation, change.middle)
    }

    pub(super) fn pass_backward(
        &mut self,
        change: &Change,
        relation: Bdd,
        weight: Bdd,
    ) -> Bounded<Bdd> {
        if change.cells.is_empty() {
            return self.kernel.and(weight, relation);
        }
        let weight = self.kernel.rename(weight, change.entry_to_middle)?;
        self.kernel.and_exists(weight, relation, change.middle)
    }

    /// The part of a weight in which nothing has changed since the procedure was entered.
    pub fn at_entry(&mut self, procedure: ProcedureId, weight: Bdd) -> Bounded<Bdd> {
        let entry = self.borders[procedure.0 as usize].entry;
        self.kernel.and(weight, entry)
    }

    /// As `ForwardWeights::after` for an edge without a call, with every local remembered.
    pub fn after_remembering(
        &mut self,
        program: &Program,
        edge: EdgeId,
        weight: Bdd,
    ) -> Bounded<Bdd> {
        let stores = self.forget_entry(program.owner(edge), weight)?;
        let stores = if self.program.is_some() { stores } else { Bdd::TRUE };
        let statement =
            Statement::within(&mut self.kernel, &self.layout, program, (edge, None), &[], stores)?;
        self.pass_forward(&statement.change, weight, statement.forward)
    }

    /// As `ForwardWeights::return_after` for a call, with every local of the caller remembered.
    pub fn return_remembering(
        &mut self,
        program: &Program,
        edge: EdgeId,
        weight: Bdd,
        summary: Bdd,
    ) -> Bounded<Bdd> {
        let call = Call::of(&mut self.kernel, &self.layout, &self.frames, program, edge, &[])?;
        let relation = call.forward(&mut self.kernel, summary)?;
        self.pass_forward(&call.change, weight, relation)
    }

    /// `after` relates frame entries to stores now; the result relates them to the stores before a
    /// forward relation.
    pub(super) fn preimage(&mut self, change: &Change, relation: Bdd, after: Bdd) -> Bounded<Bdd> {
        if change.cells.is_empty() {
            return self.kernel.and(after, relation);
        }
        let before = self.kernel.and_exists(after, relation, change.now)?;
        self.kernel.rename(before, change.middle_to_now)
    }

    /// Frame entries and stores now in which a step rule applies and after which `after` holds
    /// (both over entry and now).
    pub fn before_step(&mut self, rule: RuleId, after: Bdd) -> Bounded<Bdd> {
        // What is asked of all stores, reached or not, needs the whole relation.
        let everything = after.is_true() && self.reached.is_none();
        let statement =
            if everything { self.statement_for(rule, Bdd::TRUE)? } else { self.statement_at(rule) };
        self.preimage(&statement.change, statement.forward, after)
    }

    /// The same of entries and stores that post\* has brought to the rule; of others it says
    /// anything.
    pub fn before_reached(&mut self, rule: RuleId, after: Bdd) -> Bounded<Bdd> {
        let statement = self.statement_at(rule);
        self.preimage(&statement.change, statement.forward, after)
    }

    /// [`Self::before_step`] for a whole call with this post\* summary of its callee.
    pub fn before_call(&mut self, rule: RuleId, summary: Bdd, after: Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let relation = call.forward(&mut self.kernel, summary)?;
        self.preimage(&call.change, relation, after)
    }

    /// The caller's stores now from which a call enters its callee with globals and parameters in
    /// `entered` (over [`Copy::Now`]).
    pub fn before_entry(&mut self, rule: RuleId, entered: Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let border = self.borders[call.callee.0 as usize];
        let entered = self.kernel.rename(entered, border.now_to_middle)?;
        self.kernel.and_exists(entered, call.enter, border.parameters_middle)
    }

    /// The arguments with which a call in one of these stores (now) enters its callee, over the
    /// parameters in [`Copy::Middle`].
    pub fn entering(&mut self, rule: RuleId, at_call: Bdd) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        self.kernel.and_exists(at_call, call.enter, call.left_behind)
    }

    /// What a call's callee is entered and left with, given the caller before (`at_call`) and after
    /// the call (`at_return`), both over entry and now, joined in the same frame. The result speaks
    /// of the callee's entry (tracked cells in [`Copy::Entry`], constant ones in [`Copy::Middle`])
    /// and of the store in which it is left ([`Copy::Now`]).
    pub fn outer_context(
        &mut self,
        rule: RuleId,
        caller: ProcedureId,
        at_call: Bdd,
        at_return: Bdd,
    ) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let Outer { entered, hidden, shift } = match self.outer.get(&rule) {
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

    fn outer_of(&mut self, caller: ProcedureId, callee: ProcedureId) -> Outer {
        let ProgramDomain { kernel, layout, frames, .. } = self;
        let (caller, callee) = (&frames[caller.0 as usize], &frames[callee.0 as usize]);
        // The caller's frame, as of its entry, is forgotten; so is its own result, which must not
        // be taken for the callee's.
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
        Outer {
            entered: kernel.var_set(&entered),
            hidden: kernel.var_set(&hidden),
            shift: kernel.renaming(&shift),
        }
    }

    /// [`Self::outer_context`] as entries and stores at the callee's exit.
    pub fn exits(
        &mut self,
        rule: RuleId,
        caller: ProcedureId,
        at_call: Bdd,
        at_return: Bdd,
    ) -> Bounded<Bdd> {
        let context = self.outer_context(rule, caller, at_call, at_return)?;
        let border = self.borders[self.call_at(rule).callee.0 as usize];
        self.kernel.rename(context, border.all_middle_to_now)
    }

    /// The globals and parameters (over [`Copy::Now`]) with which a procedure starts in these
    /// entries and stores at its entry.
    pub fn entered_with(&mut self, procedure: ProcedureId, at_entry: Bdd) -> Bounded<Bdd> {
        let starting = self.at_entry(procedure, at_entry)?;
        let frame = &self.frames[procedure.0 as usize];
        let mut gone = self.layout.cells_levels(&frame.tracked, Copy::Entry);
        gone.extend(self.layout.cells_levels(&frame.others, Copy::Now));
        let gone = self.kernel.var_set(&gone);
        self.kernel.exists(starting, gone)
    }

    /// What a call's callee may be left with so that some store at the return site is in
    /// `at_return` (over [`Copy::Now`]), whatever the caller's locals are; as
    /// [`Self::outer_context`], with nothing said of the entry.
    pub fn leaving_context(
        &mut self,
        rule: RuleId,
        caller: ProcedureId,
        at_return: Bdd,
    ) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let callee = self.frames[call.callee.0 as usize].clone();
        let caller = self.frames[caller.0 as usize].clone();
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
        let border = self.borders[procedure.0 as usize];
        let to_end = self.kernel.rename(to_end, border.all_entry_to_middle)?;
        let stores = self.kernel.and_exists(to_end, context, border.left)?;
        self.kernel.rename(stores, border.all_middle_to_now)
    }

    /// A set of stores over [`Copy::Entry`] (a pre\* weight into the target), over [`Copy::Now`].
    pub fn entry_to_now(&mut self, procedure: ProcedureId, stores: Bdd) -> Bounded<Bdd> {
        let border = self.borders[procedure.0 as usize];
        self.kernel.rename(stores, border.all_entry_to_now)
    }

    /// A set of stores over [`Copy::Now`], over [`Copy::Entry`].
    pub fn now_to_entry(&mut self, procedure: ProcedureId, stores: Bdd) -> Bounded<Bdd> {
        let shift = match self.all_now_to_entry[procedure.0 as usize] {
            Some(shift) => shift,
            None => {
                let visible = self.visible(procedure);
                let shift =
                    self.kernel.renaming(&self.layout.shift(&visible, Copy::Now, Copy::Entry));
                self.all_now_to_entry[procedure.0 as usize] = Some(shift);
                shift
            }
        };
        self.kernel.rename(stores, shift)
    }

    /// Is the edge's k-th check, in some of these stores (over now) and for some choices, the first
    /// to fail?
    pub fn may_fail(
        &mut self,
        program: &Program,
        edge: EdgeId,
        check: usize,
        stores: Bdd,
    ) -> Bounded<bool> {
        let open = open_failure(&mut self.kernel, &self.layout, program, edge, check, stores)?;
        Ok(!self.kernel.and(open, stores)?.is_false())
    }

    /// Forgets the frame's entry: the stores now of a post\* weight.
    pub fn forget_entry(&mut self, procedure: ProcedureId, weight: Bdd) -> Bounded<Bdd> {
        let border = self.borders[procedure.0 as usize];
        self.kernel.exists(weight, border.tracked)
    }

    /// Forgets the values of uninitialised locals at a callee's entry, over [`Copy::Entry`].
    pub fn forget_uninitialised(&mut self, procedure: ProcedureId, stores: Bdd) -> Bounded<Bdd> {
        let border = self.borders[procedure.0 as usize];
        self.kernel.exists(stores, border.uninitialised)
    }

    /// The cells that a procedure's frame and the globals have, `locals` first.
    pub fn visible(&self, procedure: ProcedureId) -> Vec<Cell> {
        let frame = &self.frames[procedure.0 as usize];
        frame
            .locals
            .iter()
            .chain(&frame.changed_globals)
            .chain(&frame.constant_globals)
            .copied()
            .collect()
    }
}

impl_roots!(ProgramDomain { borders, effects, reached, acceleration });

/// The bits of the widest variable, or of an index of the largest array.
fn widest(program: &Program) -> u8 {
    let bits = |elements: u32| (u32::BITS - elements.saturating_sub(1).leading_zeros()) as u8;
    program
        .variables
        .iter()
        .map(|variable| variable.scalar.width.max(bits(variable.elements())))
        .max()
        .unwrap_or(0)
}

impl_roots!(Border { entry, exit });

impl Roots for Effect {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Effect::Statement(statement) => statement.roots(roots),
            Effect::Call(call) => call.roots(roots),
            Effect::Return(_) => {}
        }
    }
}
