//! Checks that can never fail: found by trying all values of what they read.

use crate::definition::used;
use faultline::lang::interpreter::{Configuration, Frame, Machine};
use faultline::lang::model::*;
use std::collections::BTreeSet;

/// Most bits whose values are all tried.
const MOST_BITS: u32 = 12;

/// The program without the checks that hold whatever the values are; runs are the same.
pub fn without_idle_checks(program: &Program) -> Program {
    let mut without = program.clone();
    for id in program.edge_ids() {
        let mut number = 0;
        without.edges[id.0 as usize].checks.retain(|_| {
            number += 1;
            !always_holds(program, id, number - 1)
        });
    }
    without
}

/// Does a check hold whatever the values are, given the one assignment before it? Tried for all
/// values of what is read. (Where these are too many: no.)
fn always_holds(program: &Program, id: EdgeId, check: usize) -> bool {
    let edge = program.edge(id);
    let condition = &edge.checks[check].condition;
    let into: Vec<EdgeId> =
        program.edge_ids().filter(|other| program.edge(*other).to == edge.from).collect();
    let before = match &into[..] {
        [only] if matches!(program.edge(*only).operation, Operation::Assign(_)) => Some(*only),
        _ => None,
    };
    let mut read = Vec::new();
    used(condition, &mut read);
    if let Some(Operation::Assign(pairs)) = before.map(|id| &program.edge(id).operation) {
        for (place, value) in pairs {
            used(value, &mut read);
            if let Place::Element(_, index) = place {
                used(index, &mut read);
            }
        }
    }
    let variables: BTreeSet<VariableId> = read.into_iter().map(|(id, _)| id).collect();
    let picked = |id: EdgeId| program.edge(id).choices.iter().map(|scalar| u32::from(scalar.width));
    let mut slots: Vec<(Option<(VariableId, usize)>, u32)> = Vec::new();
    for id in &variables {
        let variable = program.variable(*id);
        slots.extend(
            (0..variable.elements() as usize)
                .map(|element| (Some((*id, element)), u32::from(variable.scalar.width))),
        );
    }
    let of_before: Vec<u32> = before.into_iter().flat_map(picked).collect();
    let own: Vec<u32> = picked(id).collect();
    slots.extend(of_before.iter().chain(&own).map(|width| (None, *width)));
    let bits: u32 = slots.iter().map(|(_, width)| width).sum();
    if bits > MOST_BITS {
        return false;
    }
    let machine = Machine::new(program);
    let procedure = program.location(edge.from).procedure;
    let zeros = |id: VariableId| vec![0; program.variable(id).elements() as usize];
    let frame: Vec<VariableId> = program
        .procedure(procedure)
        .parameters
        .iter()
        .chain(&program.procedure(procedure).locals)
        .copied()
        .collect();
    let globals: Vec<VariableId> = program.globals().collect();
    (0u64..1 << bits).all(|mut code| {
        let mut store = Configuration {
            globals: globals.iter().map(|id| zeros(*id)).collect(),
            frames: vec![Frame {
                procedure,
                values: frame.iter().map(|id| zeros(*id)).collect(),
                call: None,
            }],
            location: edge.from,
        };
        let mut choices = Vec::new();
        for (slot, width) in &slots {
            let value = code & ((1 << width) - 1);
            code >>= width;
            match slot {
                None => choices.push(value),
                Some((id, element)) => match globals.iter().position(|global| global == id) {
                    Some(k) => store.globals[k][*element] = value,
                    None => {
                        let k = frame
                            .iter()
                            .position(|local| local == id)
                            .expect("a variable in reach");
                        store.frames[0].values[k][*element] = value;
                    }
                },
            }
        }
        let own = choices.split_off(of_before.len());
        if let Some(before) = before {
            store.location = program.edge(before).from;
            machine.pass(&mut store, before, &choices, &Vec::new());
        }
        machine.evaluate(&store, condition, &own) == 1
    })
}
