//! Proves an invariant, obligation by obligation (see [`super`]), apart from the code that found
//! it.

use super::Invariant;
use super::weakest::{Evaluator, Substitution, becomes, read_from};
use crate::bdd::{Bdd, BitVector, Manager};
use crate::cfg::{read_by, read_in};
use crate::encode::{Cell, Copy, Layout};
use crate::lang::model::{
    Edge, EdgeId, Expression, Initial, LocationId, Operation, Place, Procedure, ProcedureId,
    Program, VariableId, VariableKind,
};
use crate::util::Bounded;
use std::collections::{BTreeMap, BTreeSet};

/// The errors that an invariant must exclude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// None.
    None,
    /// Every error.
    All,
    /// The errors on this line.
    Line(u32),
}

/// Something that must hold of an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// Every initial store is in R_entry of the start procedure.
    Start,
    /// A procedure writes no global or parameter that its relations treat as constant.
    Keeps(ProcedureId),
    /// A procedure reads no variable that is stored in part before it has written it.
    Writes(ProcedureId),
    /// A statement leads from R_n into R_m; a call into R_entry of its callee, and from its R_exit
    /// into R_return.
    Statement(EdgeId),
    /// An edge's k-th check does not fail in R_n.
    Excludes(EdgeId, usize),
}

/// All obligations of a program, in order.
pub fn obligations(program: &Program, errors: Errors) -> Vec<Obligation> {
    let mut all = vec![Obligation::Start];
    for procedure in (0..program.procedures.len() as u32).map(ProcedureId) {
        all.extend([Obligation::Keeps(procedure), Obligation::Writes(procedure)]);
    }
    for id in program.edge_ids() {
        for (k, check) in program.edge(id).checks.iter().enumerate() {
            if errors == Errors::All || errors == Errors::Line(check.line) {
                all.push(Obligation::Excludes(id, k));
            }
        }
        all.push(Obligation::Statement(id));
    }
    all
}

/// Does an obligation hold? Makes diagrams, but keeps none.
pub fn holds(
    program: &Program,
    layout: &Layout,
    kernel: &mut Manager,
    invariant: &Invariant,
    obligation: Obligation,
) -> Bounded<bool> {
    match obligation {
        Obligation::Start => start(program, layout, kernel, invariant),
        Obligation::Keeps(procedure) => {
            Ok(keeps(program, &|procedure| invariant.tracked(procedure), procedure))
        }
        Obligation::Writes(procedure) => Ok(writes_first(program, layout, procedure)),
        Obligation::Excludes(edge, check) => {
            let here = invariant.at(program.edge(edge).from);
            if here.is_false() {
                return Ok(true);
            }
            let mut evaluator = Evaluator { kernel, layout, edge, care: here };
            let earlier = evaluator.passes(program, check)?;
            let passes = evaluator.truth(&program.edge(edge).checks[check].condition)?;
            let fails = kernel.difference(earlier, passes)?;
            kernel.disjoint(here, fails)
        }
        Obligation::Statement(edge) => statement(program, layout, kernel, invariant, edge),
    }
}

/// The initial stores: globals as declared, all else arbitrary, entry and now the same.
fn start(
    program: &Program,
    layout: &Layout,
    kernel: &mut Manager,
    invariant: &Invariant,
) -> Bounded<bool> {
    let mut fixed = Vec::new();
    for (k, variable) in program.variables.iter().enumerate() {
        if variable.kind != VariableKind::Global {
            continue;
        }
        let id = VariableId(k as u32);
        let Initial::Exactly(values) = &variable.initial else {
            if layout.is_partial(id) {
                return Ok(false);
            }
            continue;
        };
        for (cell, bits) in layout.cells(id).zip(values) {
            let value = BitVector::constant(*bits, variable.scalar.width.into());
            if !layout.fits(kernel, cell, &value)?.is_true() {
                return Ok(false);
            }
            fixed.extend(
                [Copy::Now, Copy::Entry]
                    .into_iter()
                    .flat_map(|copy| becomes(layout, cell, copy, &value)),
            );
        }
    }
    let main = program.main_id();
    let same = read_from(kernel, layout, invariant.tracked(main), Copy::Entry, Copy::Now)?;
    let entry = invariant.at(program.procedure(main).entry);
    let entry = kernel.compose_all(entry, &same)?;
    Ok(kernel.compose_all(entry, &fixed)?.is_true())
}

/// Does neither the procedure nor one of its callees write a cell that is not tracked? The
/// program's text decides this.
pub(in crate::analysis) fn keeps<'a>(
    program: &Program,
    tracked_by: &dyn Fn(ProcedureId) -> &'a [Cell],
    procedure: ProcedureId,
) -> bool {
    let tracked = tracked_by(procedure);
    let outside = |variable: VariableId| {
        matches!(program.variable(variable).kind, VariableKind::Global | VariableKind::Parameter)
    };
    let may_write = |variable: VariableId| {
        !outside(variable)
            || (0..program.variable(variable).elements())
                .all(|element| tracked.contains(&Cell { variable, element }))
    };
    program.edge_ids().filter(|edge| program.owner(*edge) == procedure).all(|edge| {
        match &program.edge(edge).operation {
            Operation::Skip | Operation::Assume(_) => true,
            Operation::Assign(list) => list.iter().all(|(place, _)| may_write(place.variable())),
            Operation::Havoc(variables) => variables.iter().all(|variable| may_write(*variable)),
            Operation::Call { callee, result, .. } => {
                let global =
                    |cell: &&Cell| program.variable(cell.variable).kind == VariableKind::Global;
                result.is_none_or(may_write)
                    && tracked_by(*callee).iter().filter(global).all(|cell| tracked.contains(cell))
            }
        }
    })
}

/// Does a procedure read no variable that is stored in part before it has written it? Its frame
/// starts with any value of such a variable, and the stored bits cannot tell all of them apart.
fn writes_first(program: &Program, layout: &Layout, procedure: ProcedureId) -> bool {
    let own = program.procedure(procedure);
    let locals = own.locals.iter().chain(&own.result);
    let given = own.parameters.iter().filter(|_| procedure == program.main_id());
    let mut partial = locals.chain(given).filter(|id| layout.is_partial(**id)).peekable();
    if partial.peek().is_none() {
        return true;
    }
    let mut out: BTreeMap<LocationId, Vec<&Edge>> = BTreeMap::new();
    for edge in &program.edges {
        if program.location(edge.from).procedure == procedure {
            out.entry(edge.from).or_default().push(edge);
        }
    }
    partial.all(|variable| is_written_first(own, &out, *variable))
}

/// Does every way from a procedure's entry write a variable as a whole before it reads it?
fn is_written_first(
    own: &Procedure,
    out: &BTreeMap<LocationId, Vec<&Edge>>,
    variable: VariableId,
) -> bool {
    let mut seen = BTreeSet::from([own.entry]);
    let mut waiting = vec![own.entry];
    while let Some(location) = waiting.pop() {
        if location == own.exit && own.result == Some(variable) {
            return false;
        }
        for edge in out.get(&location).into_iter().flatten() {
            let mut read = BTreeSet::new();
            edge.checks.iter().for_each(|check| read_in(&check.condition, &mut read));
            read_by(&edge.operation, &mut read);
            if read.contains(&variable) {
                return false;
            }
            let is_written = match &edge.operation {
                Operation::Assign(list) => list.iter().any(
                    |(place, _)| matches!(place, Place::Variable(written) if *written == variable),
                ),
                Operation::Call { result, .. } => *result == Some(variable),
                // No value that is stored in part comes from here.
                Operation::Skip | Operation::Assume(_) | Operation::Havoc(_) => false,
            };
            if !is_written && seen.insert(edge.to) {
                waiting.push(edge.to);
            }
        }
    }
    true
}

fn statement(
    program: &Program,
    layout: &Layout,
    kernel: &mut Manager,
    invariant: &Invariant,
    id: EdgeId,
) -> Bounded<bool> {
    let edge = program.edge(id);
    let (here, after) = (invariant.at(edge.from), invariant.at(edge.to));
    // 0 implies everything, and everything implies 1, whatever a statement does that writes nothing
    // that is stored in part.
    let entered = match &edge.operation {
        Operation::Call { callee, .. } => invariant.at(program.procedure(*callee).entry),
        _ => Bdd::TRUE,
    };
    let writes_part = match &edge.operation {
        Operation::Skip | Operation::Assume(_) => false,
        Operation::Assign(list) => {
            list.iter().any(|(place, _)| layout.is_partial(place.variable()))
        }
        Operation::Havoc(variables) => variables.iter().any(|id| layout.is_partial(*id)),
        Operation::Call { callee, result, .. } => {
            let parameters = program.procedure(*callee).parameters.iter();
            parameters.chain(result).any(|id| layout.is_partial(*id))
        }
    };
    if here.is_false() || after.is_true() && entered.is_true() && !writes_part {
        return Ok(true);
    }
    let mut evaluator = Evaluator { kernel, layout, edge: id, care: here };
    let passes = evaluator.passes(program, edge.checks.len())?;
    match &edge.operation {
        Operation::Skip => {
            let here = kernel.and(here, passes)?;
            kernel.is_subset(here, after)
        }
        Operation::Assume(condition) => {
            let condition = evaluator.truth(condition)?;
            let passes = kernel.and(passes, condition)?;
            let here = kernel.and(here, passes)?;
            kernel.is_subset(here, after)
        }
        Operation::Assign(list) => {
            let written = evaluator.written(list)?;
            let here = kernel.and(here, passes)?;
            let mut substitution = Substitution::new();
            for (cell, value) in &written {
                let fits = layout.fits(kernel, *cell, value)?;
                if !kernel.is_subset(here, fits)? {
                    return Ok(false);
                }
                substitution.extend(becomes(layout, *cell, Copy::Now, value));
            }
            let weakest = kernel.compose_all(after, &substitution)?;
            kernel.is_subset(here, weakest)
        }
        Operation::Havoc(variables) => {
            let here = kernel.and(here, passes)?;
            if variables.iter().any(|variable| layout.is_partial(*variable)) {
                return Ok(false);
            }
            let cells: Vec<Cell> =
                variables.iter().flat_map(|variable| layout.cells(*variable)).collect();
            let free = kernel.var_set(&layout.cells_levels(&cells, Copy::Now));
            let weakest = kernel.forall(after, free)?;
            kernel.is_subset(here, weakest)
        }
        Operation::Call { callee, arguments, result } => {
            let here = kernel.and(here, passes)?;
            let call = Call::of(program, layout, kernel, invariant, id, *callee, arguments, here)?;
            Ok(enters(program, layout, kernel, invariant, &call, here)?
                && returns(program, layout, kernel, invariant, &call, *result, here, after)?)
        }
    }
}

/// The substitutions of a call: values at the callee's entry, over the caller's store now.
struct Call {
    callee: ProcedureId,
    /// The globals and parameters with which the callee is entered, for [`Copy::Entry`] of what it
    /// tracks.
    entry: Substitution,
    /// The arguments, for [`Copy::Now`] of the parameters.
    arguments: Vec<(Cell, BitVector)>,
}

impl Call {
    #[expect(clippy::too_many_arguments, reason = "what a call is made of")]
    fn of(
        program: &Program,
        layout: &Layout,
        kernel: &mut Manager,
        invariant: &Invariant,
        edge: EdgeId,
        callee: ProcedureId,
        arguments: &[Expression],
        care: Bdd,
    ) -> Bounded<Call> {
        let mut values = Vec::new();
        for (parameter, argument) in program.procedure(callee).parameters.iter().zip(arguments) {
            let value = Evaluator { kernel, layout, edge, care }.value(argument)?;
            values.push((Cell { variable: *parameter, element: 0 }, value));
        }
        let (globals, parameters): (Vec<Cell>, Vec<Cell>) = invariant
            .tracked(callee)
            .iter()
            .partition(|cell| program.variable(cell.variable).kind == VariableKind::Global);
        let mut entry = read_from(kernel, layout, &globals, Copy::Entry, Copy::Now)?;
        for (cell, value) in values.iter().filter(|(cell, _)| parameters.contains(cell)) {
            entry.extend(becomes(layout, *cell, Copy::Entry, value));
        }
        Ok(Call { callee, entry, arguments: values })
    }

    /// The callee's cells other than parameters.
    fn locals(&self, program: &Program, layout: &Layout) -> Vec<Cell> {
        let procedure = program.procedure(self.callee);
        let locals = procedure.locals.iter().chain(&procedure.result);
        let mut cells: Vec<Cell> = locals.flat_map(|variable| layout.cells(*variable)).collect();
        cells.sort();
        cells.dedup();
        cells
    }
}

/// R_call ∧ push ⊨ R_entry(callee), for all values of the callee's other locals.
fn enters(
    program: &Program,
    layout: &Layout,
    kernel: &mut Manager,
    invariant: &Invariant,
    call: &Call,
    here: Bdd,
) -> Bounded<bool> {
    for (parameter, value) in &call.arguments {
        let fits = layout.fits(kernel, *parameter, value)?;
        if !kernel.is_subset(here, fits)? {
            return Ok(false);
        }
    }
    let entry = invariant.at(program.procedure(call.callee).entry);
    if entry.is_true() {
        return Ok(true);
    }
    let others = kernel.var_set(&layout.cells_levels(&call.locals(program, layout), Copy::Now));
    let entry = kernel.forall(entry, others)?;
    let mut substitution = call.entry.clone();
    substitution.extend(
        call.arguments.iter().flat_map(|(cell, value)| becomes(layout, *cell, Copy::Now, value)),
    );
    let weakest = kernel.compose_all(entry, &substitution)?;
    kernel.is_subset(here, weakest)
}

/// R_call ∧ push ∧ R_exit(callee) ∧ merge ⊨ R_return. [`Copy::Now`] is the caller's store at the
/// call. [`Copy::Middle`] holds the values at the callee's exit of its result and of the globals
/// that it may change.
#[expect(clippy::too_many_arguments, reason = "one obligation, spelled out")]
fn returns(
    program: &Program,
    layout: &Layout,
    kernel: &mut Manager,
    invariant: &Invariant,
    call: &Call,
    result: Option<VariableId>,
    here: Bdd,
    after: Bdd,
) -> Bounded<bool> {
    let takes_part = result.is_some_and(|target| layout.is_partial(target));
    if after.is_true() && !takes_part {
        return Ok(true);
    }
    let procedure = program.procedure(call.callee);
    let tracked = invariant.tracked(call.callee);
    let returned = procedure.result.map(|variable| Cell { variable, element: 0 });
    let changed: Vec<Cell> = tracked
        .iter()
        .copied()
        .filter(|cell| program.variable(cell.variable).kind == VariableKind::Global)
        .collect();
    // The cells that the callee's exit keeps: its result, and the parameters that never change.
    let parameters = call.arguments.iter().map(|(cell, _)| *cell);
    let gone: Vec<Cell> = call
        .locals(program, layout)
        .into_iter()
        .filter(|cell| Some(*cell) != returned)
        .chain(parameters.filter(|cell| tracked.contains(cell) && Some(*cell) != returned))
        .collect();
    let gone = kernel.var_set(&layout.cells_levels(&gone, Copy::Now));
    let exit = kernel.exists(invariant.at(procedure.exit), gone)?;
    let mut substitution = call.entry.clone();
    for (cell, value) in call.arguments.iter().filter(|(cell, _)| !tracked.contains(cell)) {
        substitution.extend(becomes(layout, *cell, Copy::Now, value));
    }
    substitution.extend(read_from(kernel, layout, &changed, Copy::Now, Copy::Middle)?);
    if let Some(returned) = returned {
        substitution.extend(read_from(kernel, layout, &[returned], Copy::Now, Copy::Middle)?);
    }
    let exit = kernel.compose_all(exit, &substitution)?;
    let around = kernel.and(here, exit)?;

    let mut substitution = read_from(kernel, layout, &changed, Copy::Now, Copy::Middle)?;
    if let (Some(target), Some(returned)) = (result, returned) {
        let value = layout.value(kernel, returned, Copy::Middle)?;
        let target = Cell { variable: target, element: 0 };
        let fits = layout.fits(kernel, target, &value)?;
        if !kernel.is_subset(around, fits)? {
            return Ok(false);
        }
        substitution.extend(becomes(layout, target, Copy::Now, &value));
    }
    let weakest = kernel.compose_all(after, &substitution)?;
    kernel.is_subset(around, weakest)
}
