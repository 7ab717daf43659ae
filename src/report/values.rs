//! Values of variables, turned from bits into the program's own types.

use crate::cfg::live_locals;
use crate::encode::{Cell, Valuation};
use crate::lang::model::{EdgeId, Program, Variable, VariableId, VariableKind};
use crate::readable::scope::names;
use crate::wire::report::{Value, Values};

/// A later variable hides an earlier one of the same name.
pub(in crate::report) fn values(program: &Program, bindings: &[(VariableId, Vec<u64>)]) -> Values {
    let mut values: Vec<(VariableId, Value)> = Vec::new();
    for (id, bits) in bindings {
        let variable = program.variable(*id);
        let value = value(variable, bits);
        values.retain(|(old, _)| {
            program.variable(*old).name == variable.name || !program.hides(*id, *old)
        });
        match values.iter_mut().find(|(old, _)| program.variable(*old).name == variable.name) {
            Some(hidden) => *hidden = (*id, value),
            None => values.push((*id, value)),
        }
    }
    let named = |(id, value): (VariableId, Value)| (program.variable(id).name.clone(), value);
    Values(values.into_iter().map(named).collect())
}

/// As [`values`], globals first, and how many there are of them.
pub(in crate::report) fn store(
    program: &Program,
    bindings: &[(VariableId, Vec<u64>)],
) -> (Values, u32) {
    let is_global = |id: VariableId| program.variable(id).kind == VariableKind::Global;
    let hidden = |(k, (id, _)): &(usize, &(VariableId, Vec<u64>))| {
        let name = &program.variable(*id).name;
        bindings[k + 1..].iter().any(|(later, _)| program.variable(*later).name == *name)
    };
    let seen: Vec<_> =
        bindings.iter().enumerate().filter(|one| !hidden(one)).map(|(_, one)| one).collect();
    let globals = seen.iter().filter(|(id, _)| is_global(*id));
    let own = seen.iter().filter(|(id, _)| !is_global(*id));
    let count = globals.clone().count() as u32;
    let named = |(id, bits): &&(VariableId, Vec<u64>)| {
        let variable = program.variable(*id);
        (variable.name.clone(), value(variable, bits))
    };
    (Values(globals.chain(own).map(named).collect()), count)
}

/// The value of a scalar, or of an element, from its bit pattern.
pub(in crate::report) fn scalar(variable: &Variable, bits: u64) -> Value {
    match variable.scalar.boolean {
        true => Value::Truth(bits & 1 == 1),
        false => Value::Number(variable.scalar.number(bits)),
    }
}

/// A variable's value from the bit patterns of its elements.
pub fn value(variable: &Variable, bits: &[u64]) -> Value {
    let one = |bits: &u64| scalar(variable, *bits);
    match variable.dimensions[..] {
        [] => bits.first().map_or(Value::List(Vec::new()), one),
        [_] => Value::List(bits.iter().map(one).collect()),
        [_, columns, ..] => Value::List(
            bits.chunks(columns.max(1) as usize)
                .map(|row| Value::List(row.iter().map(one).collect()))
                .collect(),
        ),
    }
}

/// `x = 3, a = [0, 1]`: a store's variables in scope before an edge.
pub(in crate::report) fn bindings(
    program: &Program,
    edge: EdgeId,
    store: &Valuation,
) -> Vec<(String, Value)> {
    let elements = |id: VariableId| -> Vec<u64> {
        (0..program.variable(id).elements())
            .map(|element| store.get(Cell { variable: id, element }))
            .collect()
    };
    names(program, edge)
        .into_iter()
        .map(|(id, name)| (name, value(program.variable(id), &elements(id))))
        .collect()
}

/// [`bindings`] without the locals that no statement from here on reads. Their values do not change
/// which runs follow.
pub(in crate::report) fn live_bindings(
    program: &Program,
    edge: EdgeId,
    store: &Valuation,
) -> Vec<(String, Value)> {
    let live = &live_locals(program)[program.edge(edge).from.0 as usize];
    let matters =
        |id: &VariableId| program.variable(*id).kind == VariableKind::Global || live.contains(id);
    let named = names(program, edge).into_iter().zip(bindings(program, edge, store));
    named.filter(|((id, _), _)| matters(id)).map(|(_, binding)| binding).collect()
}
