//! The slice of the errors: the statements that may influence, by data or by control, whether a
//! check that counts fails.
//!
//! The slice is interprocedural and context-sensitive. It is computed as reachability along valid
//! paths in two phases with summaries (Horwitz, Reps, Binkley 1990), over facts "the value of v at
//! location n matters" instead of a dependence graph (as in Reps, Horwitz, Sagiv 1995). Phase one
//! goes up to callers, phase two goes down into callees. A summary says which values at a
//! procedure's entry matter for a value at its exit.
//!
//! - The slice uses no values of data, so it keeps statements that no failing run executes.
//! - It misses errors of omission, since a missing statement influences nothing.
//! - A statement that may end the run without the error (an assumption; a check that does not
//!   count) influences all statements after it. It is treated as an assignment to an invisible
//!   global that every check reads.
//! - A loop that may never end is no influence (Weiser 1984).
//! - An array is one variable; writing an element leaves the rest.
//! - Jumps are not listed: they belong to the conditions around them.
//!
//! Lal, Kidd, Reps, Touili 2007, § 8 and Table 1, compare the error projection with the slice.

use crate::cfg::{ControlDependence, changed_variables};
use crate::lang::model::{
    Check, EdgeId, Expression, LocationId, Operation, Place, ProcedureId, Program, StatementKind,
    VariableId, VariableKind,
};
use crate::util::{Bounded, Limit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Pieces of work after which the slice is given up: [`Limit::Steps`].
pub const MAX_WORK: usize = 4_000_000;
/// Pieces of work in one [`Slice::step`].
const PORTION: usize = 2_000;

/// The invisible global. Its value says whether the run has not yet ended in another way.
const GOING: VariableId = VariableId(u32::MAX);

/// The purpose for which a fact matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Context {
    /// It matters for the errors: this procedure, or one that it calls, fails. Callers matter, too.
    Up,
    /// It matters for a caller that reads a value which this procedure leaves.
    Down,
    /// It belongs to a summary: it matters for this variable's value at the procedure's exit.
    Exit(VariableId),
}

/// A fact that may matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Fact {
    /// A variable's value at a location.
    Value(LocationId, VariableId),
    /// Whether, and how often, the edge is executed.
    Executed(EdgeId),
    /// Whether the procedure is entered.
    Entered(ProcedureId),
}

/// A fact at a procedure's entry that a value at its exit depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Cause {
    Value(VariableId),
    Entered,
}

/// A number for each pair: 20 bits for the context, 24 for a location, edge or procedure, 20 for a
/// variable.
fn key(context: Context, fact: Fact) -> u64 {
    let variable = |variable: VariableId| (u64::from(variable.0) + 4) & 0xf_ffff;
    let context = match context {
        Context::Up => 0,
        Context::Down => 1,
        Context::Exit(left) => variable(left),
    };
    let (place, kind) = match fact {
        Fact::Executed(edge) => (edge.0, 0),
        Fact::Entered(procedure) => (procedure.0, 1),
        Fact::Value(location, of) => (location.0, variable(of)),
    };
    context << 44 | u64::from(place) << 20 | kind
}

/// A slice in progress.
pub struct Slice {
    program: Rc<Program>,
    control: ControlDependence,
    /// By location: the edges that lead there.
    into: Vec<Vec<EdgeId>>,
    /// By procedure: its calls.
    callers: Vec<Vec<EdgeId>>,
    /// By procedure: the globals that it or one it calls may change, and [`GOING`].
    changes: Vec<FxHashSet<VariableId>>,
    error_line: Option<u32>,
    /// The pairs that were met, by [`key`].
    seen: FxHashSet<u64>,
    waiting: Vec<(ProcedureId, Context, Fact)>,
    summaries: FxHashMap<(ProcedureId, VariableId), Vec<Cause>>,
    /// The calls that wait for a summary, with their contexts.
    asked: FxHashMap<(ProcedureId, VariableId), Vec<(EdgeId, Context)>>,
    inside: Vec<bool>,
}

impl Slice {
    /// Prepares the slice of all checks that count: those on `error_line`, if given.
    pub fn new(program: Rc<Program>, error_line: Option<u32>) -> Slice {
        let count = program.procedures.len();
        let (mut into, mut callers) =
            (vec![Vec::new(); program.locations.len()], vec![Vec::new(); count]);
        let global = |v: &VariableId| program.variable(*v).kind == VariableKind::Global;
        let mut changes: Vec<FxHashSet<VariableId>> = changed_variables(&program)
            .into_iter()
            .map(|set| set.into_iter().filter(global).collect())
            .collect();
        let mut ending = Vec::new();
        for id in program.edge_ids() {
            let edge = program.edge(id);
            into[edge.to].push(id);
            if let Operation::Call { callee, .. } = edge.operation {
                callers[callee].push(id);
            }
        }
        let mut slice = Slice {
            control: ControlDependence::of(&program),
            into,
            callers,
            changes: Vec::new(),
            error_line,
            seen: FxHashSet::default(),
            waiting: Vec::new(),
            summaries: FxHashMap::default(),
            asked: FxHashMap::default(),
            inside: vec![false; program.edges.len()],
            program,
        };
        let program = Rc::clone(&slice.program);
        ending
            .extend(program.edge_ids().filter(|id| slice.may_end(*id)).map(|id| program.owner(id)));
        while let Some(procedure) = ending.pop() {
            if changes[procedure].insert(GOING) {
                ending.extend(slice.callers[procedure].iter().map(|call| program.owner(*call)));
            }
        }
        slice.changes = changes;
        for id in program.edge_ids() {
            slice.begin_at(id);
        }
        slice
    }

    /// The program has too many parts to be numbered in [`key`].
    fn is_too_large(&self) -> bool {
        let program = &self.program;
        let ids = [program.locations.len(), program.edges.len(), program.procedures.len()];
        program.variables.len() + 8 > 1 << 20 || ids.iter().any(|count| *count > 1 << 24)
    }

    /// Is the slice complete?
    pub fn is_done(&self) -> bool {
        self.waiting.is_empty()
    }

    /// By edge: is it in the slice? Complete once done.
    pub fn inside(&self) -> &[bool] {
        &self.inside
    }

    /// A bounded piece of work.
    pub fn step(&mut self) -> Bounded<()> {
        if self.is_too_large() {
            return Err(Limit::Steps);
        }
        for _ in 0..PORTION {
            let Some((procedure, context, fact)) = self.waiting.pop() else { return Ok(()) };
            match fact {
                Fact::Value(location, variable) => {
                    self.value(procedure, context, location, variable)
                }
                Fact::Executed(edge) => self.executed(procedure, context, edge),
                Fact::Entered(_) => self.entered(procedure, context),
            }
        }
        if self.seen.len() > MAX_WORK { Err(Limit::Steps) } else { Ok(()) }
    }

    fn add(&mut self, procedure: ProcedureId, context: Context, fact: Fact) {
        if self.seen.insert(key(context, fact)) {
            self.waiting.push((procedure, context, fact));
        }
    }

    /// Does a failure of the edge's check count? Of a shared procedure's, for some call of it?
    fn counts(&self, id: EdgeId, check: &Check) -> bool {
        self.error_line.is_none_or(|only| self.program.lines_of(id, check).contains(&only))
    }

    /// Is there a failure of it that does not count?
    fn is_passed_over(&self, id: EdgeId, check: &Check) -> bool {
        self.error_line.is_some_and(|only| self.program.lines_of(id, check) != [only])
    }

    /// May the run end here, without an error that counts?
    fn may_end(&self, id: EdgeId) -> bool {
        let edge = self.program.edge(id);
        let alone = self.control.outcomes(edge.from).len() == 1;
        let assumes = matches!(edge.operation, Operation::Assume(_))
            && (alone || edge.kind == StatementKind::Assumption);
        assumes || edge.checks.iter().any(|check| self.is_passed_over(id, check))
    }

    /// Adds the facts on which the edge's counting checks depend: the values that they read, and
    /// whether they are reached.
    fn begin_at(&mut self, id: EdgeId) {
        let program = Rc::clone(&self.program);
        let edge = program.edge(id);
        let Some(last) = edge.checks.iter().rposition(|check| self.counts(id, check)) else {
            return;
        };
        let procedure = program.owner(id);
        for check in &edge.checks[..=last] {
            self.read(procedure, Context::Up, edge.from, &check.condition);
        }
        self.add(procedure, Context::Up, Fact::Value(edge.from, GOING));
        self.add(procedure, Context::Up, Fact::Executed(id));
    }

    fn read(
        &mut self,
        procedure: ProcedureId,
        context: Context,
        at: LocationId,
        expression: &Expression,
    ) {
        let mut parts = vec![expression];
        while let Some(part) = parts.pop() {
            match part {
                Expression::Constant(..) | Expression::Choice(..) => {}
                Expression::Variable(variable, _) => {
                    self.add(procedure, context, Fact::Value(at, *variable))
                }
                Expression::Element(array, index, _) => {
                    self.add(procedure, context, Fact::Value(at, *array));
                    parts.push(index);
                }
                Expression::Unary(_, inner) | Expression::Cast(_, inner) => parts.push(inner),
                Expression::Binary(_, left, right) => parts.extend([&**left, &**right]),
                Expression::Conditional(condition, then, otherwise) => {
                    parts.extend([&**condition, &**then, &**otherwise])
                }
            }
        }
    }

    /// Adds an edge, and the conditions that it depends on.
    fn executed(&mut self, procedure: ProcedureId, context: Context, id: EdgeId) {
        let program = Rc::clone(&self.program);
        let edge = program.edge(id);
        if !matches!(context, Context::Exit(_)) {
            self.inside[id] = true;
        }
        if let Operation::Assume(condition) = &edge.operation {
            self.read(procedure, context, edge.from, condition);
        }
        let mut conditions = self.control.conditions(edge.from).to_vec();
        if self.control.outcomes(edge.from).len() > 1 {
            // All outcomes of a condition are one statement.
            conditions.push(edge.from);
        }
        for condition in conditions {
            for outcome in self.control.outcomes(condition).to_vec() {
                self.add(procedure, context, Fact::Executed(outcome));
            }
        }
        self.add(procedure, context, Fact::Entered(procedure));
    }

    fn entered(&mut self, procedure: ProcedureId, context: Context) {
        match context {
            Context::Up => {
                for call in self.callers[procedure].clone() {
                    self.add(self.program.owner(call), Context::Up, Fact::Executed(call));
                }
            }
            Context::Down => {}
            Context::Exit(variable) => self.summarise(procedure, variable, Cause::Entered),
        }
    }

    /// A variable's value at a location matters: adds the statements that may have written it.
    fn value(
        &mut self,
        procedure: ProcedureId,
        context: Context,
        location: LocationId,
        variable: VariableId,
    ) {
        let program = Rc::clone(&self.program);
        if location == program.procedure(procedure).entry {
            return self.value_at_entry(procedure, context, variable);
        }
        for id in self.into[location].clone() {
            let edge = program.edge(id);
            let before = Fact::Value(edge.from, variable);
            if variable == GOING && self.may_end(id) {
                self.add(procedure, context, Fact::Executed(id));
                let passed_over = |check: &&Check| self.is_passed_over(id, check);
                let checks: Vec<&Check> = edge.checks.iter().filter(passed_over).collect();
                for check in checks {
                    self.read(procedure, context, edge.from, &check.condition);
                }
            }
            match &edge.operation {
                Operation::Skip | Operation::Assume(_) => self.add(procedure, context, before),
                Operation::Havoc(variables) => {
                    if variables.contains(&variable) {
                        self.add(procedure, context, Fact::Executed(id));
                    } else {
                        self.add(procedure, context, before);
                    }
                }
                Operation::Assign(list) => {
                    let mut overwritten = false;
                    for (place, value) in
                        list.iter().filter(|(place, _)| place.variable() == variable)
                    {
                        self.add(procedure, context, Fact::Executed(id));
                        self.read(procedure, context, edge.from, value);
                        match place {
                            Place::Variable(_) => overwritten = true,
                            Place::Element(_, index) => {
                                self.read(procedure, context, edge.from, index)
                            }
                        }
                    }
                    if !overwritten {
                        self.add(procedure, context, before);
                    }
                }
                Operation::Call { callee, result, .. } => {
                    let left = if *result == Some(variable) {
                        program.procedure(*callee).result
                    } else {
                        Some(variable)
                    };
                    match left {
                        Some(left)
                            if *result == Some(variable)
                                || self.changes[*callee].contains(&variable) =>
                        {
                            self.value_after_call(context, id, *callee, left);
                        }
                        Some(_) => self.add(procedure, context, before),
                        None => self.add(procedure, context, Fact::Executed(id)),
                    }
                }
            }
        }
    }

    /// A value that a callee leaves matters: adds its causes.
    fn value_after_call(
        &mut self,
        context: Context,
        call: EdgeId,
        callee: ProcedureId,
        left: VariableId,
    ) {
        let exit = self.program.procedure(callee).exit;
        if !matches!(context, Context::Exit(_)) {
            self.add(callee, Context::Down, Fact::Value(exit, left));
        }
        let key = (callee, left);
        let asked = self.asked.entry(key).or_default();
        if !asked.contains(&(call, context)) {
            asked.push((call, context));
            self.add(callee, Context::Exit(left), Fact::Value(exit, left));
            for cause in self.summaries.get(&key).cloned().unwrap_or_default() {
                self.apply(call, context, cause);
            }
        }
    }

    fn value_at_entry(&mut self, procedure: ProcedureId, context: Context, variable: VariableId) {
        match context {
            Context::Up => {
                for call in self.callers[procedure].clone() {
                    self.apply(call, Context::Up, Cause::Value(variable));
                }
            }
            Context::Down => {}
            Context::Exit(left) => self.summarise(procedure, left, Cause::Value(variable)),
        }
    }

    fn summarise(&mut self, procedure: ProcedureId, left: VariableId, cause: Cause) {
        let causes = self.summaries.entry((procedure, left)).or_default();
        if !causes.contains(&cause) {
            causes.push(cause);
            for (call, context) in self.asked.get(&(procedure, left)).cloned().unwrap_or_default() {
                self.apply(call, context, cause);
            }
        }
    }

    /// A fact at the callee's entry matters: adds the facts at the call that it depends on.
    fn apply(&mut self, call: EdgeId, context: Context, cause: Cause) {
        let program = Rc::clone(&self.program);
        let (edge, caller) = (program.edge(call), program.owner(call));
        let Operation::Call { callee, arguments, .. } = &edge.operation else {
            unreachable!("only calls call")
        };
        match cause {
            Cause::Entered => self.add(caller, context, Fact::Executed(call)),
            Cause::Value(variable) => {
                let parameters = &program.procedure(*callee).parameters;
                if let Some(k) = parameters.iter().position(|parameter| *parameter == variable) {
                    self.add(caller, context, Fact::Executed(call));
                    self.read(caller, context, edge.from, &arguments[k]);
                } else if variable == GOING
                    || program.variable(variable).kind == VariableKind::Global
                {
                    self.add(caller, context, Fact::Value(edge.from, variable));
                }
                // Otherwise it is a local, which has any value at first.
            }
        }
    }
}
