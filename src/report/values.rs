//! Values of variables, turned from bits into the program's own types.

use crate::cfg::live_locals;
use crate::encode::{Cell, Valuation};
use crate::lang::model::{EdgeId, Origin, Program, Scalar, VariableId, VariableKind};
use crate::readable::scope::names;
use crate::wire::report::{Value, Values};

/// A later variable hides an earlier one of the same name.
pub(in crate::report) fn values(program: &Program, bindings: &[(VariableId, Vec<u64>)]) -> Values {
    let mut values: Vec<(VariableId, String, Value)> = Vec::new();
    for (id, name, value) in named_values(program, bindings) {
        let hides = |old: &VariableId, old_name: &str| {
            *old != id && old_name != name && program.hides(id, *old)
        };
        values.retain(|(old, old_name, _)| !hides(old, old_name));
        match values.iter_mut().find(|(_, old_name, _)| *old_name == name) {
            Some(hidden) => *hidden = (id, name, value),
            None => values.push((id, name, value)),
        }
    }
    Values(values.into_iter().map(|(_, name, value)| (name, value)).collect())
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
    let seen: Vec<(VariableId, Vec<u64>)> = bindings
        .iter()
        .enumerate()
        .filter(|one| !hidden(one))
        .map(|(_, one)| one.clone())
        .collect();
    let (globals, own): (Vec<_>, Vec<_>) =
        named_values(program, &seen).into_iter().partition(|(id, ..)| is_global(*id));
    let count = globals.len() as u32;
    let all = globals.into_iter().chain(own).map(|(_, name, value)| (name, value));
    (Values(all.collect()), count)
}

/// Each variable with its name and value; of memory, each object that exists.
fn named_values(
    program: &Program,
    bindings: &[(VariableId, Vec<u64>)],
) -> Vec<(VariableId, String, Value)> {
    let memory = &program.memory;
    let exists = |room: u16, flag: Option<u32>| {
        let (Some(flag), Some(flags)) = (flag, memory.flags.get(&room)) else { return true };
        let bits = bindings.iter().find(|(id, _)| id == flags).map(|(_, bits)| bits);
        bits.and_then(|bits| bits.get(flag as usize)).is_none_or(|bit| bit & 1 == 1)
    };
    let mut named = Vec::new();
    for (id, bits) in bindings {
        let variable = program.variable(*id);
        let Some(&room) = memory.arrays.get(id) else {
            if let Origin::Rule(states) = &variable.origin {
                let state = bits.first().and_then(|bits| states.get(*bits as usize));
                named.extend(
                    state.map(|state| (*id, variable.name.clone(), Value::Name(state.clone()))),
                );
            } else if !is_bookkeeping(program, *id) {
                named.push((*id, variable.name.clone(), value_of(program, *id, bits)));
            }
            continue;
        };
        let part = member(program, *id);
        let inner = variable.inner() as usize;
        for (number, bits) in (0..).zip(bits.chunks(inner)) {
            let slot = memory.slot(*id, number).filter(|slot| !slot.is_literal());
            let Some(slot) = slot.filter(|slot| exists(room, slot.flag)) else { continue };
            let value = match (bits, variable.dimensions.len()) {
                ([one], 1) => scalar_of(program, *id, *one),
                _ => nested(program, *id, &variable.dimensions[1..], bits),
            };
            // The elements of an array of scalars are one value.
            match (slot.element.filter(|_| part.is_empty()), named.last_mut()) {
                (Some(0), _) => named.push((*id, slot.object.clone(), Value::List(vec![value]))),
                (Some(_), Some((_, _, Value::List(list)))) => list.push(value),
                _ => named.push((*id, format!("{}{part}", slot.place()), value)),
            }
        }
    }
    named
}

/// Does a variable only keep count of memory? No person wrote it.
pub(in crate::report) fn is_bookkeeping(program: &Program, id: VariableId) -> bool {
    let own = program.variable(id);
    own.kind != VariableKind::Temporary && own.origin != Origin::Written
}

/// The member of the slots that an array holds, with its dot; empty if the slots are no structs.
pub(in crate::report) fn member(program: &Program, id: VariableId) -> &str {
    let name = &program.variable(id).name;
    let outer = program.members.get(&id).map_or(name.len(), |length| *length as usize);
    name.get(outer..).unwrap_or("")
}

/// The value of a scalar, or of an element, from its bit pattern.
pub(in crate::report) fn scalar_of(program: &Program, id: VariableId, bits: u64) -> Value {
    if let Some(name) = program.memory.pointer(id, bits) {
        return Value::Name(name.to_string());
    }
    let variable = program.variable(id);
    match variable.scalar {
        Scalar { boolean: true, .. } => Value::Truth(bits & 1 == 1),
        scalar if scalar.floating => Value::Decimal(scalar.show(bits)),
        scalar if is_character(program, scalar) => Value::Character(scalar.number(bits)),
        scalar => Value::Number(scalar.number(bits)),
    }
}

/// Is it the type of characters? Where `int` has no more bits, nothing tells them apart.
pub(in crate::report) fn is_character(program: &Program, scalar: Scalar) -> bool {
    scalar.width == 8 && program.int_width > 8
}

/// A variable's value from the bit patterns of its elements.
pub fn value_of(program: &Program, id: VariableId, bits: &[u64]) -> Value {
    nested(program, id, &program.variable(id).dimensions, bits)
}

/// Elements with these dimensions as lists of lists; without any, one scalar.
fn nested(program: &Program, id: VariableId, dimensions: &[u32], bits: &[u64]) -> Value {
    let one = |bits: &u64| scalar_of(program, id, *bits);
    match dimensions {
        [] => bits.first().map_or(Value::List(Vec::new()), one),
        [_] => Value::List(bits.iter().map(one).collect()),
        [_, rest @ ..] => {
            let row = rest.iter().product::<u32>().max(1) as usize;
            Value::List(bits.chunks(row).map(|row| nested(program, id, rest, row)).collect())
        }
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
        .filter(|(id, _)| !is_bookkeeping(program, *id))
        .map(|(id, name)| (name, value_of(program, id, &elements(id))))
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
