//! The weights of a program: relations between stores, with merge for callers' locals.
//!
//! A post\* weight relates the store in which a frame was entered to the store now; a pre\* weight
//! relates the store now to the store in which the frame is left. (If the target is inside the
//! frame, it only says which stores now can reach it.) Callers' locals survive a call because the
//! effect of a whole call does not mention them (Lal, Touili, Kidd, Reps 2007, App. B.1).

mod entry_sets;
mod frame_relations;
mod outer_context;
mod rounds;
mod stores;
mod weights;

use crate::bdd::{Bdd, BitVector, Manager, Renaming, Roots, impl_roots};
use crate::encode::acceleration::Acceleration;
use crate::encode::call::{Call, CallSite};
use crate::encode::effect::{Change, Statement, equals};
use crate::encode::frame::{Frame, forgotten, frames};
use crate::encode::layout::{Cell, Copy, Layout};
use crate::encode::on_demand::PartialRelation;
use crate::encode::program_system::{ProgramSystem, RuleRole};
use crate::lang::model::{EdgeId, Initial, ProcedureId, Program, VariableId, VariableKind};
use crate::pds::{RuleId, StackSymbol};
use crate::util::{Bounded, Unread};
use frame_relations::FrameRelations;
use outer_context::OuterContext;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How often a callee is entered before it starts with the weight 1. In a program that has only
/// Boolean variables this happens at once.
const RESTARTS: u32 = 3;

/// The most bits of a variable (or an index of an array) in programs where callees may start with
/// the weight 1. With wider numbers saturation would follow a loop that counts to a value which no
/// run passes, and the product of all operands has a large diagram.
const WIDEST: u8 = 4;

/// What the rules do to weights.
#[derive(Clone, Debug)]
enum Effect {
    Statement(Rc<Statement>),
    Call(Rc<Call>),
    Return(ProcedureId),
}

/// The effect of an edge, or of the failure of one of its checks. It is built on demand, unless it
/// must cover `all` stores.
fn statement(
    kernel: &mut Manager,
    layout: &Layout,
    program: &Program,
    source: (EdgeId, Option<usize>),
    forgotten: &[Cell],
    all: bool,
) -> Bounded<Effect> {
    let covered = match all {
        true => None,
        false => PartialRelation::nothing(kernel, layout, program, source),
    };
    let statement = match covered {
        Some(covered) => Statement::on_demand(kernel, layout, program, covered, forgotten),
        None => Statement::within(kernel, layout, program, source, forgotten, Bdd::TRUE)?,
    };
    Ok(Effect::Statement(Rc::new(statement)))
}

/// The weight domain of one program. It owns the arena.
#[derive(Clone)]
pub struct ProgramDomain {
    /// The arena.
    pub kernel: Manager,
    /// The levels of all bits.
    pub layout: Layout,
    /// The frames, by procedure.
    pub frames: Vec<Frame>,
    /// By edge: locals that every statement behind it overwrites before it reads them. Behind the
    /// edge weights let them have any value.
    pub forgotten: Vec<Vec<Cell>>,
    effects: Vec<Effect>,
    /// By procedure.
    frame_relations: Vec<FrameRelations>,
    left: Vec<StackSymbol>,
    /// May procedures start with the weight 1?
    may_start_anywhere: bool,
    restarts: u32,
    /// By procedure: how often it was entered, and whether it starts with the weight 1.
    entered: Vec<u32>,
    starts_anywhere: Vec<bool>,
    reached: Option<Vec<Bdd>>,
    pub(super) acceleration: Acceleration,
    /// The program, for statements that are built on demand.
    pub(super) program: Option<Rc<Program>>,
    /// By procedure, once it was asked for: the renaming of everything that a frame sees, from
    /// [`Copy::Now`] to [`Copy::Entry`].
    all_now_to_entry: Vec<Option<Renaming>>,
    /// By push rule, once it was asked for.
    outer: FxHashMap<RuleId, OuterContext>,
    /// By location: the locals that are live there, once they were asked for.
    live: Option<Rc<Vec<BTreeSet<VariableId>>>>,
}

impl ProgramDomain {
    /// Builds the effects of all rules.
    pub fn new(
        program: &Rc<Program>,
        system: &ProgramSystem,
        layout: Layout,
        mut kernel: Manager,
    ) -> Bounded<ProgramDomain> {
        let frames = frames(program, &layout);
        let forgotten = match layout.unread {
            Unread::Kept => vec![Vec::new(); program.edges.len()],
            Unread::Forgotten => forgotten(program, &frames),
        };
        let mut frame_relations = Vec::new();
        for frame in &frames {
            frame_relations.push(FrameRelations::of(&mut kernel, &layout, frame)?);
        }
        // If callees may start with the weight 1, statements must cover all stores.
        let may_start_anywhere = widest(program) <= WIDEST;
        let mut effects = Vec::new();
        for role in &system.roles {
            effects.push(match *role {
                RuleRole::Return(procedure) => Effect::Return(procedure),
                RuleRole::Fail(edge, check) => {
                    let source = (edge, Some(check));
                    let all = may_start_anywhere;
                    statement(&mut kernel, &layout, program, source, &[], all)?
                }
                RuleRole::Execute(edge) => match CallSite::of(program, edge) {
                    Some(site) => {
                        let forgotten = &forgotten[edge];
                        let call = Call::of(&mut kernel, &layout, &frames, &site, forgotten)?;
                        Effect::Call(Rc::new(call))
                    }
                    None => {
                        let (source, all) = ((edge, None), may_start_anywhere);
                        statement(&mut kernel, &layout, program, source, &forgotten[edge], all)?
                    }
                },
            });
        }
        let changed = |rule: RuleId| match &effects[rule] {
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
            frame_relations,
            left,
            entered,
            may_start_anywhere,
            restarts,
            starts_anywhere,
            reached: None,
            acceleration,
            program: needs_program.then(|| Rc::clone(program)),
            all_now_to_entry: vec![None; program.procedures.len()],
            outer: FxHashMap::default(),
            live: None,
        })
    }

    /// The weight of a frame of this procedure that has any store and has not moved.
    pub fn unchanged(&self, procedure: ProcedureId) -> Bounded<Bdd> {
        Ok(self.frame_relations[procedure].entry)
    }

    /// A domain for [`Relations`](super::Relations), which build their own relations on demand.
    /// Here no rule has an effect, and entering a frame says nothing, so weights cannot be passed
    /// through. Only the variables and frames of the program are read, and no diagram is made.
    pub fn without_effects(
        program: &Program,
        layout: Layout,
        mut kernel: Manager,
    ) -> ProgramDomain {
        let frames = frames(program, &layout);
        let frame_relations =
            frames.iter().map(|frame| FrameRelations::open(&mut kernel, &layout, frame)).collect();
        ProgramDomain {
            kernel,
            layout,
            frames,
            forgotten: vec![Vec::new(); program.edges.len()],
            effects: Vec::new(),
            frame_relations,
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
            live: None,
        }
    }

    /// The weight with which the program starts: globals as declared, and everything else
    /// arbitrary.
    pub fn initial(&mut self, program: &Program) -> Bounded<Bdd> {
        let mut stores = self.frame_relations[program.main].entry;
        for (k, variable) in program.variables.iter().enumerate() {
            let (VariableKind::Global, Initial::Exactly(values)) =
                (variable.kind, &variable.initial)
            else {
                continue;
            };
            for (cell, bits) in self.layout.cells(VariableId(k as u32)).zip(values) {
                let value = BitVector::constant(*bits, variable.scalar.width.into());
                let fixed = equals(&mut self.kernel, &self.layout, cell, Copy::Now, &value)?;
                stores = self.kernel.and(stores, fixed)?;
            }
        }
        Ok(stores)
    }

    /// Keeps pre\* weights inside these stores (by symbol, over [`Copy::Entry`]). Stores that no
    /// run reaches need no way to the target.
    pub fn stay_within(&mut self, reached: Option<Vec<Bdd>>) {
        self.reached = reached;
    }

    /// Did some callee start with the weight 1? Then weights mention entries that no run has.
    pub fn some_start_anywhere(&self) -> bool {
        self.starts_anywhere.contains(&true)
    }

    /// From now on callees start with the stores that enter them. Questions about entering, after
    /// post\* is done, need this.
    pub fn enter_exactly(&mut self) {
        self.may_start_anywhere = false;
        self.starts_anywhere.fill(false);
    }

    fn narrow(&mut self, rule: RuleId, weight: Bdd) -> Bounded<Bdd> {
        match &self.reached {
            Some(reached) => {
                let stores = reached[self.left[rule].0 as usize];
                self.kernel.and(weight, stores)
            }
            None => Ok(weight),
        }
    }

    fn call_at(&self, rule: RuleId) -> Rc<Call> {
        match &self.effects[rule] {
            Effect::Call(call) => Rc::clone(call),
            _ => unreachable!("only push rules are asked for their call"),
        }
    }

    /// The starts of a call's callee, without those that
    /// [`ForwardWeights::enter`](crate::pds::ForwardWeights::enter) may add.
    pub(super) fn exact_starts(&mut self, at_call: Bdd, rule: RuleId) -> Bounded<Bdd> {
        let call = self.call_at(rule);
        let border = self.frame_relations[call.callee];
        let entered = self.kernel.and_exists(at_call, call.enter, call.left_behind)?;
        let entered = self.kernel.rename(entered, border.middle_to_now)?;
        self.kernel.and(entered, border.entry)
    }

    /// The procedure that a push rule calls.
    pub(super) fn callee(&self, rule: RuleId) -> ProcedureId {
        self.call_at(rule).callee
    }

    pub(super) fn replace_statement(&mut self, rule: RuleId, statement: &Rc<Statement>) {
        self.effects[rule] = Effect::Statement(Rc::clone(statement));
    }

    /// The statement of a step rule, with a relation that covers these stores (over [`Copy::Now`];
    /// other copies in `stores` are ignored).
    pub(super) fn statement_for(&mut self, rule: RuleId, stores: Bdd) -> Bounded<Rc<Statement>> {
        let statement = self.statement_at(rule);
        let Some(covered) = &statement.covered else { return Ok(statement) };
        let operands = self.kernel.exists(stores, covered.not_operands)?;
        let new = self.kernel.difference(operands, covered.stores)?;
        if new.is_false() {
            return Ok(statement);
        }
        let program =
            Rc::clone(self.program.as_ref().expect("kept where a statement is built on demand"));
        let forgotten = self.forgotten[covered.source.0].clone();
        let more = Statement::within(
            &mut self.kernel,
            &self.layout,
            &program,
            covered.source,
            &forgotten,
            new,
        )?;
        let stores = self.kernel.or(covered.stores, new)?;
        let forward = self.kernel.or(statement.forward, more.forward)?;
        let backward = self.kernel.or(statement.backward, more.backward)?;
        let covered = Some(PartialRelation { stores, ..covered.clone() });
        let statement =
            Rc::new(Statement { change: statement.change.clone(), forward, backward, covered });
        self.replace_statement(rule, &statement);
        Ok(statement)
    }

    pub(super) fn statement_at(&self, rule: RuleId) -> Rc<Statement> {
        match &self.effects[rule] {
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

    /// The cells that a procedure's frame and the globals have, `locals` first.
    pub fn visible(&self, procedure: ProcedureId) -> Vec<Cell> {
        let frame = &self.frames[procedure];
        frame
            .locals
            .iter()
            .chain(&frame.changed_globals)
            .chain(&frame.constant_globals)
            .copied()
            .collect()
    }
}

impl_roots!(ProgramDomain { frame_relations, effects, reached, acceleration });

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

impl Roots for Effect {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Effect::Statement(statement) => statement.roots(roots),
            Effect::Call(call) => call.roots(roots),
            Effect::Return(_) => {}
        }
    }
}
