//! Which locations lie outside of all atomic sections, decided by control flow alone.

use crate::analysis::threads::ThreadSystem;
use crate::lang::model::{Expression, LocationId, Operation, Place};
use std::collections::BTreeSet;

/// By location: can a context end there while no atomic section is open? The flag of a section is
/// only ever set to constants. So a walk along the control flow knows its value; the walk takes
/// each return to every caller.
pub(super) fn outside_atomic_sections(system: &ThreadSystem) -> Vec<bool> {
    let Some(flag) = system.atomic else { return system.switchable.clone() };
    let program = &system.program;
    let out = system.outgoing();
    let mut seen: BTreeSet<(LocationId, bool)> = BTreeSet::new();
    let mut waiting: Vec<(LocationId, bool)> = system
        .threads
        .iter()
        .map(|thread| (program.procedure(thread.procedure).entry, false))
        .collect();
    while let Some((location, open)) = waiting.pop() {
        if !seen.insert((location, open)) {
            continue;
        }
        let procedure = program.location(location).procedure;
        if program.procedure(procedure).exit == location {
            for edge in program.edge_ids().map(|id| program.edge(id)) {
                if matches!(&edge.operation, Operation::Call { callee, .. } if *callee == procedure)
                {
                    waiting.push((edge.to, open));
                }
            }
        }
        for edge in out[location].iter().map(|id| program.edge(*id)) {
            match &edge.operation {
                Operation::Call { callee, .. } => {
                    waiting.push((program.procedure(*callee).entry, open))
                }
                Operation::Assign(list) => {
                    let written = list
                        .iter()
                        .rev()
                        .find(|(place, _)| matches!(place, Place::Variable(v) if *v == flag));
                    match written.map(|(_, value)| value) {
                        None => waiting.push((edge.to, open)),
                        Some(Expression::Constant(bits, _)) => waiting.push((edge.to, *bits != 0)),
                        Some(_) => waiting.extend([(edge.to, false), (edge.to, true)]),
                    }
                }
                Operation::Havoc(variables) if variables.contains(&flag) => {
                    waiting.extend([(edge.to, false), (edge.to, true)])
                }
                _ => waiting.push((edge.to, open)),
            }
        }
    }
    let outside = |k: usize| system.switchable[k] && seen.contains(&(LocationId(k as u32), false));
    (0..program.locations.len()).map(outside).collect()
}
