//! What of a program makes no difference to a closed set ([`super::closed_set`]): globals that
//! nothing reads, and values of locals that are overwritten. And where its loops begin, which a
//! thread must not pass without a switch.

use crate::lang::interpreter::{Shape, edge_reads};
use crate::lang::model::{
    EdgeId, Initial, LocationId, Operation, Place, Program, VariableId, VariableKind,
};
use rustc_hash::FxHashSet;

/// The program in which globals that no edge reads start at zero, whatever they held before: their
/// values make no difference.
pub(super) fn with_unread_globals_at_zero(program: &Program) -> Program {
    let mut read = vec![false; program.variables.len()];
    for edge in &program.edges {
        edge_reads(edge, &mut |id| read[id] = true);
    }
    let mut program = program.clone();
    for (variable, read) in program.variables.iter_mut().zip(read) {
        if !read && variable.initial == Initial::Any {
            variable.initial = Initial::Exactly(vec![0; variable.elements() as usize]);
        }
    }
    program
}

/// By location: does an edge lead back to it in a depth-first walk from its procedure's entry?
/// Every circle inside a procedure has such a location.
pub(super) fn heads_of_loops(program: &Program, shape: &Shape) -> Vec<bool> {
    let mut heads = vec![false; program.locations.len()];
    let mut seen = vec![false; program.locations.len()];
    let mut open = vec![false; program.locations.len()];
    for procedure in &program.procedures {
        let mut path = vec![(procedure.entry, 0)];
        seen[procedure.entry] = true;
        open[procedure.entry] = true;
        while let Some((at, taken)) = path.last_mut() {
            let at = *at;
            let Some(edge) = shape.out(at).get(*taken) else {
                open[at] = false;
                path.pop();
                continue;
            };
            *taken += 1;
            let to = program.edge(*edge).to;
            heads[to] |= open[to];
            if !seen[to] {
                seen[to] = true;
                open[to] = true;
                path.push((to, 0));
            }
        }
    }
    heads
}

/// Does an edge do nothing but give locals any values, each of which is overwritten on every path
/// before anything reads it?
pub(super) fn is_forgotten(program: &Program, shape: &Shape, edge: EdgeId) -> bool {
    let forgets = program.edge(edge);
    let Operation::Havoc(list) = &forgets.operation else { return false };
    forgets.checks.is_empty()
        && list.iter().all(|id| {
            program.variable(*id).kind == VariableKind::Local
                && is_written_first(program, shape, *id, forgets.to)
        })
}

/// Is a local written as a whole before it is read, on every path from here? At the end of its
/// procedure it is gone.
fn is_written_first(program: &Program, shape: &Shape, id: VariableId, from: LocationId) -> bool {
    let mut seen = FxHashSet::from_iter([from]);
    let mut pending = vec![from];
    while let Some(location) = pending.pop() {
        for edge in shape.out(location) {
            let edge = program.edge(*edge);
            let mut is_read = false;
            edge_reads(edge, &mut |read| is_read |= read == id);
            if is_read {
                return false;
            }
            let is_written = match &edge.operation {
                Operation::Assign(writes) => {
                    writes.iter().any(|(place, _)| *place == Place::Variable(id))
                }
                Operation::Call { result, .. } => *result == Some(id),
                Operation::Havoc(list) => list.contains(&id),
                _ => false,
            };
            if !is_written && seen.insert(edge.to) {
                pending.push(edge.to);
            }
        }
    }
    true
}
