//! The variables that say what has a value, and the edges that keep them up to date.

use super::flow::{Flow, variable};
use super::{Noted, subject, taken};
use crate::lang::lowering::expressions::{and, or};
use crate::lang::model::{
    Edge, EdgeId, Expression, HAS_VALUE, Initial, Location, LocationId, Operation, Origin, Place,
    Program, Scalar, StatementKind, Subject, Variable, VariableId, VariableKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// By variable: the one that says whether it has a value.
type Says = BTreeMap<VariableId, VariableId>;

/// Completes the checks of reads that can fail, and drops the others.
pub(in crate::lang) fn instrument(program: &mut Program, noted: &Noted) {
    let flow = Flow::of(program, noted);
    let fails: Vec<Vec<bool>> = program.edge_ids().map(|id| flow.fails(id)).collect();
    let read = read(program, &fails);
    let followed = followed(program, &flow, read);
    let results: Vec<(EdgeId, VariableId)> = without_result(program, &flow, &followed);
    for (edge, fails) in program.edges.iter_mut().zip(fails) {
        let mut fails = fails.into_iter();
        edge.checks.retain(|check| {
            let may = fails.next().unwrap_or(true);
            may || !matches!(check.subject, Subject::Value(..) | Subject::Returned(..))
        });
    }
    let says: Says = followed.into_iter().map(|id| (id, add(program, id))).collect();
    if says.is_empty() {
        return;
    }
    let count = program.edges.len() as u32;
    let results_without: BTreeMap<EdgeId, VariableId> = results.into_iter().collect();
    for id in (0..count).map(EdgeId) {
        edge(program, noted, &says, id, results_without.get(&id).copied());
    }
    for procedure in 0..program.procedures.len() {
        begin(program, &says, procedure);
    }
}

/// What the checks that can fail read.
fn read(program: &Program, fails: &[Vec<bool>]) -> BTreeSet<VariableId> {
    let mut read = BTreeSet::new();
    for (edge, fails) in program.edges.iter().zip(fails) {
        for (check, _) in edge.checks.iter().zip(fails).filter(|(_, may)| **may) {
            read.extend(match check.subject {
                Subject::Returned(callee, _) => program.procedure(callee).result,
                _ => subject(check).and_then(variable),
            });
        }
    }
    read
}

/// These, and what they take their values from.
fn followed(
    program: &Program,
    flow: &Flow<'_>,
    mut followed: BTreeSet<VariableId>,
) -> BTreeSet<VariableId> {
    loop {
        let before = followed.len();
        for edge in &program.edges {
            let Operation::Assign(stores) = &edge.operation else { continue };
            for (to, value) in stores {
                if followed.contains(&to.variable()) {
                    let mut sources = Vec::new();
                    taken(edge, value, &mut |id| sources.push(id));
                    followed.extend(sources.into_iter().filter(|id| flow.open[*id]));
                }
            }
        }
        if followed.len() == before {
            return followed;
        }
    }
}

/// The edges to the end of a procedure behind which it has no result.
fn without_result(
    program: &Program,
    flow: &Flow<'_>,
    followed: &BTreeSet<VariableId>,
) -> Vec<(EdgeId, VariableId)> {
    let mut found = Vec::new();
    for procedure in &program.procedures {
        let Some(result) = procedure.result.filter(|result| followed.contains(result)) else {
            continue;
        };
        let ends = program.edge_ids().filter(|id| program.edge(*id).to == procedure.exit);
        found.extend(ends.filter(|id| flow.lacks_result(*id, result)).map(|id| (id, result)));
    }
    found
}

/// Adds the variable that says whether `of` has a value. A result outlives its procedure.
fn add(program: &mut Program, of: VariableId) -> VariableId {
    let id = VariableId(program.variables.len() as u32);
    let variable = program.variable(of);
    let is_local = variable.kind == VariableKind::Local;
    let elements = variable.elements() as usize;
    let says = Variable {
        name: format!("{HAS_VALUE}{}", variable.name),
        scalar: Scalar::BOOL,
        dimensions: variable.dimensions.clone(),
        kind: if is_local { VariableKind::Temporary } else { VariableKind::Global },
        owner: variable.owner.filter(|_| is_local),
        span: variable.span,
        initial: match is_local {
            true => Initial::Any,
            false => Initial::Exactly(vec![1; elements]),
        },
        origin: Origin::Made,
    };
    if let Some(owner) = says.owner {
        program.procedures[owner].locals.push(id);
    }
    program.variables.push(says);
    id
}

/// Does this variable or element have a value?
fn said(says: &Says, read: &Expression) -> Expression {
    match read {
        Expression::Variable(id, _) => {
            let known = says.get(id).map(|says| Expression::Variable(*says, Scalar::BOOL));
            known.unwrap_or_else(Expression::truth)
        }
        Expression::Element(id, index, _) => {
            let element =
                |says: &VariableId| Expression::Element(*says, index.clone(), Scalar::BOOL);
            says.get(id).map_or_else(Expression::truth, element)
        }
        _ => Expression::truth(),
    }
}

/// Is this a value? It is if each part is, or was checked.
fn is_value(edge: &Edge, says: &Says, e: &Expression) -> Expression {
    if edge.checks.iter().any(|check| subject(check) == Some(e)) {
        return Expression::truth();
    }
    match e {
        Expression::Constant(..) | Expression::Choice(..) => Expression::truth(),
        Expression::Variable(..) => said(says, e),
        Expression::Element(_, index, _) => and(is_value(edge, says, index), said(says, e)),
        Expression::Unary(_, e) | Expression::Cast(_, e) => is_value(edge, says, e),
        Expression::Binary(_, l, r) => and(is_value(edge, says, l), is_value(edge, says, r)),
        Expression::Conditional(c, t, e) => {
            let (then, otherwise) = (is_value(edge, says, t), is_value(edge, says, e));
            let chosen = match then == otherwise {
                true => then,
                false => Expression::Conditional(c.clone(), Box::new(then), Box::new(otherwise)),
            };
            and(is_value(edge, says, c), chosen)
        }
    }
}

/// Completes the checks of an edge, and notes what it stores.
fn edge(
    program: &mut Program,
    noted: &Noted,
    says: &Says,
    id: EdgeId,
    without: Option<VariableId>,
) {
    let results: Vec<Option<VariableId>> =
        program.procedures.iter().map(|procedure| procedure.result).collect();
    let edge = &mut program.edges[id];
    for check in &mut edge.checks {
        let there = match &check.subject {
            Subject::Value(read, _) => said(says, read),
            Subject::Returned(callee, _) => results[*callee]
                .and_then(|result| says.get(&result))
                .map_or_else(Expression::truth, |says| Expression::Variable(*says, Scalar::BOOL)),
            _ => continue,
        };
        check.condition = or(check.condition.clone(), there);
    }
    let edge = &program.edges[id];
    let mut later = Vec::new();
    let mut now = Vec::new();
    match &edge.operation {
        Operation::Skip | Operation::Assume(_) => {}
        Operation::Havoc(ids) => {
            ids.iter().for_each(|id| later.extend(all(program, says, *id, false)));
        }
        Operation::Call { result, .. } => {
            result.iter().for_each(|id| later.extend(all(program, says, *id, true)));
        }
        Operation::Assign(stores) => {
            for (index, (place, value)) in stores.iter().enumerate() {
                let Some(says_so) = says.get(&place.variable()) else { continue };
                let has = match (noted.unset.contains(&(id, index)), noted.stored.contains(&id)) {
                    (true, _) => Expression::falsity(),
                    (_, true) => Expression::truth(),
                    _ => is_value(edge, says, value),
                };
                let place = match place {
                    Place::Variable(_) => Place::Variable(*says_so),
                    Place::Element(_, index) => Place::Element(*says_so, index.clone()),
                };
                now.push((place, has));
            }
        }
    }
    later.extend(without.into_iter().flat_map(|result| all(program, says, result, false)));
    if let Operation::Assign(stores) = &mut program.edges[id].operation {
        stores.extend(now);
    }
    if !later.is_empty() {
        behind(program, id, later);
    }
}

/// Says of a whole variable that it has a value, or that it has none.
fn all(program: &Program, says: &Says, of: VariableId, has: bool) -> Vec<(Place, Expression)> {
    let Some(id) = says.get(&of) else { return Vec::new() };
    let value = Expression::Constant(u64::from(has), Scalar::BOOL);
    let variable = program.variable(*id);
    if !variable.is_array() {
        return vec![(Place::Variable(*id), value)];
    }
    let wide = Scalar::int(32, false);
    let place = |at| Place::Element(*id, Expression::Constant(u64::from(at), wide));
    (0..variable.elements()).map(|at| (place(at), value.clone())).collect()
}

/// A new location beside this one.
fn beside(program: &mut Program, location: LocationId) -> LocationId {
    let id = LocationId(program.locations.len() as u32);
    let Location { procedure, line } = *program.location(location);
    program.locations.push(Location { procedure, line });
    if program.concurrency.uninterruptible.contains(&location) {
        program.concurrency.uninterruptible.insert(id);
    }
    id
}

/// Adds an edge behind another one.
fn behind(program: &mut Program, id: EdgeId, stores: Vec<(Place, Expression)>) {
    let to = program.edge(id).to;
    let middle = beside(program, to);
    let edge = &mut program.edges[id];
    edge.to = middle;
    let hidden = hidden(edge, (middle, to), stores);
    program.edges.push(hidden);
}

/// Adds an edge at the beginning of a procedure: its variables have no values.
fn begin(program: &mut Program, says: &Says, procedure: usize) {
    let locals = program.procedures[procedure].locals.clone();
    let open: Vec<VariableId> = (locals.into_iter())
        .filter(|id| program.variable(*id).kind == VariableKind::Local)
        .collect();
    let stores: Vec<_> = open.iter().flat_map(|id| all(program, says, *id, false)).collect();
    let entry = program.procedures[procedure].entry;
    let Some(like) = program.edges.iter().find(|edge| edge.from == entry).cloned() else { return };
    if stores.is_empty() {
        return;
    }
    let middle = beside(program, entry);
    program.edges.iter_mut().filter(|edge| edge.from == entry).for_each(|e| e.from = middle);
    program.edges.push(hidden(&like, (entry, middle), stores));
}

/// An edge that no run shows.
fn hidden(
    like: &Edge,
    (from, to): (LocationId, LocationId),
    stores: Vec<(Place, Expression)>,
) -> Edge {
    Edge {
        from,
        to,
        checks: Vec::new(),
        operation: Operation::Assign(stores),
        choices: Vec::new(),
        kind: StatementKind::Hidden,
        outcome: String::new(),
        ..like.clone()
    }
}
