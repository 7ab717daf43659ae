//! Globals that have the same value whenever a run is at a location: constant propagation over the
//! whole program, with one result for all callers (Kildall 1973; the flat lattice per scalar and
//! array element, intersection where paths meet).
//!
//! A constraint mentions the value instead of such a global. Otherwise the search would carry the
//! global backward to the statement that wrote it, so that the thresholds of a table that the
//! program fills at its start would be free all the way. The global stays relevant, so the
//! statement that wrote it is a focus statement as before.

use super::term::{Replacement, constant, substitute};
use crate::lang::model::{
    Expression, Initial, LocationId, Operation, Place, Program, Scalar, VariableId, VariableKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Most scalars and elements that are followed.
const MOST_CELLS: usize = 512;
/// Most elements of an array that is followed.
const MOST_ELEMENTS: u32 = 64;
/// Most visits of a location, for each location of the program.
const MOST_VISITS: usize = 64;

/// Bits by scalar (element 0) or array element.
type Values = BTreeMap<(VariableId, u32), u64>;

/// What is known by location. It has no entry for locations that no run reaches.
pub(super) struct Constants {
    at: FxHashMap<LocationId, Values>,
    scalars: FxHashMap<VariableId, Scalar>,
}

impl Constants {
    /// Constants that know nothing.
    pub(super) fn none() -> Constants {
        Constants { at: FxHashMap::default(), scalars: FxHashMap::default() }
    }

    /// The constants of a program without threads.
    pub(super) fn new(program: &Program) -> Constants {
        let mut start = Values::new();
        for id in program.globals() {
            let variable = program.variable(id);
            let Initial::Exactly(values) = &variable.initial else { continue };
            if variable.elements() <= MOST_ELEMENTS && start.len() + values.len() <= MOST_CELLS {
                start.extend(values.iter().enumerate().map(|(k, bits)| ((id, k as u32), *bits)));
            }
        }
        // A global that starts with any value may become constant later, and so may an array of
        // such values. Locals are not followed.
        let mut at: FxHashMap<LocationId, Values> = FxHashMap::default();
        let mut out: FxHashMap<LocationId, Vec<_>> = FxHashMap::default();
        let mut calls: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for id in program.edge_ids() {
            let edge = program.edge(id);
            out.entry(edge.from).or_default().push(id);
            if let Operation::Call { callee, .. } = &edge.operation {
                calls.entry(*callee).or_default().push(id);
            }
        }
        let main = program.procedure(program.main_id()).entry;
        let mut waiting = vec![main];
        at.insert(main, start);
        let mut room = MOST_VISITS.saturating_mul(program.locations.len());
        let scalars: FxHashMap<VariableId, Scalar> =
            program.globals().map(|id| (id, program.variable(id).scalar)).collect();
        while let Some(here) = waiting.pop() {
            let Some(left) = room.checked_sub(1) else { return Constants::none() };
            room = left;
            let Some(values) = at.get(&here).cloned() else { continue };
            let mut reached: Vec<(LocationId, Values)> = Vec::new();
            for id in out.get(&here).map_or(&[][..], Vec::as_slice) {
                let edge = program.edge(*id);
                match &edge.operation {
                    Operation::Call { callee, result, .. } => {
                        let callee = program.procedure(*callee);
                        reached.push((callee.entry, values.clone()));
                        if let Some(after) = at.get(&callee.exit) {
                            reached.push((edge.to, without(after.clone(), result.as_slice())));
                        }
                    }
                    operation => {
                        reached.push((edge.to, after(program, &scalars, operation, &values)))
                    }
                }
            }
            let procedure = program.location(here).procedure;
            if here == program.procedure(procedure).exit {
                for id in calls.get(&procedure).map_or(&[][..], Vec::as_slice) {
                    let edge = program.edge(*id);
                    if let (Operation::Call { result, .. }, true) =
                        (&edge.operation, at.contains_key(&edge.from))
                    {
                        reached.push((edge.to, without(values.clone(), result.as_slice())));
                    }
                }
            }
            for (to, values) in reached {
                let changed = match at.get_mut(&to) {
                    None => {
                        at.insert(to, values);
                        true
                    }
                    Some(known) => {
                        let before = known.len();
                        known.retain(|cell, bits| values.get(cell) == Some(bits));
                        known.len() < before
                    }
                };
                if changed {
                    waiting.push(to);
                }
            }
        }
        Constants { at, scalars }
    }

    /// An expression over the store at a location, with the known values put in.
    pub(super) fn known(&self, location: LocationId, e: Expression) -> Expression {
        match self.at.get(&location) {
            Some(values) if !values.is_empty() => with(values, &self.scalars, &e).unwrap_or(e),
            _ => e,
        }
    }
}

fn without(mut values: Values, variables: &[VariableId]) -> Values {
    values.retain(|(variable, _), _| !variables.contains(variable));
    values
}

/// The expression with the known values put in; `None` if it grows too large.
fn with(
    values: &Values,
    scalars: &FxHashMap<VariableId, Scalar>,
    e: &Expression,
) -> Option<Expression> {
    let mut mentioned = Vec::new();
    let mut waiting = vec![e];
    while let Some(e) = waiting.pop() {
        match e {
            Expression::Variable(id, _) => mentioned.push(*id),
            Expression::Element(id, index, _) => {
                mentioned.push(*id);
                waiting.push(index);
            }
            Expression::Constant(..) | Expression::Choice(..) => {}
            Expression::Unary(_, a) | Expression::Cast(_, a) => waiting.push(a),
            Expression::Binary(_, a, b) => waiting.extend([&**a, &**b]),
            Expression::Conditional(a, b, c) => waiting.extend([&**a, &**b, &**c]),
        }
    }
    let mut cells: FxHashMap<VariableId, Vec<(Expression, Expression)>> = FxHashMap::default();
    for id in mentioned {
        let Some(scalar) = scalars.get(&id) else { continue };
        let index = |k: u32| Expression::Constant(k.into(), Scalar::int(32, false));
        let own = values
            .range((id, 0)..=(id, u32::MAX))
            .map(|((_, k), bits)| (index(*k), Expression::Constant(*bits, *scalar)));
        cells.entry(id).or_insert_with(|| own.collect());
    }
    if cells.values().all(Vec::is_empty) {
        return None;
    }
    // The element 0 of a scalar is its value; arrays are read by an index.
    substitute(e, &mut |id| match cells.get(&id) {
        Some(list) if !list.is_empty() => {
            Replacement::Known(list.iter().map(|(index, value)| (index, value)).collect())
        }
        _ => Replacement::Same,
    })
    .ok()
}

fn after(
    program: &Program,
    scalars: &FxHashMap<VariableId, Scalar>,
    operation: &Operation,
    values: &Values,
) -> Values {
    let global = |id: &VariableId| program.variable(*id).kind == VariableKind::Global;
    let mut next = values.clone();
    match operation {
        Operation::Skip | Operation::Assume(_) | Operation::Call { .. } => {}
        Operation::Havoc(list) => next = without(next, list),
        Operation::Assign(list) => {
            let bits =
                |e: &Expression| constant(e).or_else(|| constant(&with(values, scalars, e)?));
            for (place, value) in list.iter().filter(|(place, _)| global(&place.variable())) {
                let id = place.variable();
                let element = match place {
                    Place::Variable(_) => Some(0),
                    Place::Element(_, index) => bits(index).map(|bits| index.scalar().number(bits)),
                };
                let Some(element) = element else {
                    next = without(next, &[id]);
                    continue;
                };
                let Some(element) =
                    u32::try_from(element).ok().filter(|k| *k < program.variable(id).elements())
                else {
                    continue;
                };
                match bits(value) {
                    Some(bits)
                        if program.variable(id).elements() <= MOST_ELEMENTS
                            && next.len() < MOST_CELLS =>
                    {
                        next.insert((id, element), bits);
                    }
                    _ => {
                        next.remove(&(id, element));
                    }
                }
            }
        }
    }
    next
}
