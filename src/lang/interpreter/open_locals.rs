//! Locals that may be read before they are written. Only the initial values of these can make a
//! difference.
//!
//! This is backward liveness per procedure. A call reads its arguments and writes its result; an
//! array is written as a whole only by an edge that writes all its elements.

use crate::lang::model::{Edge, Expression, Operation, Place, Program, VariableId};

/// Per variable of the program; false for globals and parameters.
pub fn open_locals(program: &Program) -> Vec<bool> {
    let mut open = vec![false; program.variables.len()];
    let mut edges: Vec<Vec<&Edge>> = vec![Vec::new(); program.procedures.len()];
    for edge in &program.edges {
        edges[program.location(edge.from).procedure].push(edge);
    }
    let mut used = vec![false; program.variables.len()];
    for edge in &program.edges {
        if let Operation::Call { callee, result: Some(_), .. } = &edge.operation
            && let Some(result) = program.procedure(*callee).result
        {
            used[result] = true;
        }
    }
    let mut live = vec![Vec::new(); program.locations.len()];
    for (procedure, edges) in program.procedures.iter().zip(&edges) {
        let slot = |id: VariableId| procedure.locals.iter().position(|local| *local == id);
        let words = procedure.locals.len().div_ceil(64);
        for edge in edges {
            live[edge.from] = vec![0u64; words];
            live[edge.to] = vec![0u64; words];
        }
        let exit = &mut live[procedure.exit];
        exit.resize(words, 0);
        // The result of a procedure that no call takes a result of is never read.
        if let Some(slot) = procedure.result.filter(|id| used[*id]).and_then(slot) {
            exit[slot / 64] |= 1 << (slot % 64);
        }
        let transfers: Vec<(&Edge, Vec<u64>, Vec<u64>)> = edges
            .iter()
            .rev()
            .map(|edge| {
                let mut reads = vec![0u64; words];
                let mut writes = vec![0u64; words];
                edge_reads(edge, &mut |id| set(&mut reads, slot(id)));
                edge_writes(program, edge, &mut |id| set(&mut writes, slot(id)));
                (*edge, reads, writes)
            })
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (edge, reads, writes) in &transfers {
                for word in 0..words {
                    let after = live[edge.to][word];
                    let before = &mut live[edge.from][word];
                    let grown = *before | reads[word] | (after & !writes[word]);
                    changed |= grown != *before;
                    *before = grown;
                }
            }
        }
        let entry = &live[procedure.entry];
        for (index, id) in procedure.locals.iter().enumerate() {
            open[*id] = entry.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1);
        }
    }
    open
}

fn set(bits: &mut [u64], slot: Option<usize>) {
    if let Some(slot) = slot {
        bits[slot / 64] |= 1 << (slot % 64);
    }
}

/// The variables that an edge reads, some perhaps several times.
pub(crate) fn edge_reads(edge: &Edge, read: &mut impl FnMut(VariableId)) {
    for check in &edge.checks {
        expression_reads(&check.condition, read);
    }
    match &edge.operation {
        Operation::Skip | Operation::Havoc(_) => {}
        Operation::Assume(condition) => expression_reads(condition, read),
        Operation::Assign(pairs) => {
            for (place, value) in pairs {
                expression_reads(value, read);
                if let Place::Element(_, index) = place {
                    expression_reads(index, read);
                }
            }
        }
        Operation::Call { arguments, .. } => {
            for argument in arguments {
                expression_reads(argument, read);
            }
        }
    }
}

fn edge_writes(program: &Program, edge: &Edge, write: &mut impl FnMut(VariableId)) {
    match &edge.operation {
        Operation::Skip | Operation::Assume(_) => {}
        Operation::Havoc(list) => list.iter().for_each(|id| write(*id)),
        Operation::Call { result, .. } => result.iter().for_each(|id| write(*id)),
        Operation::Assign(pairs) => {
            for (place, _) in pairs {
                let id = place.variable();
                let whole = match place {
                    Place::Variable(_) => true,
                    // The front end initialises an array by one edge over all its elements, and by
                    // no other.
                    Place::Element(..) => {
                        pairs.len() == program.variable(id).elements() as usize
                            && constant_indices(pairs, id)
                    }
                };
                if whole {
                    write(id);
                }
            }
        }
    }
}

/// Are these writes to the elements 0, 1, 2, … of this array?
fn constant_indices(pairs: &[(Place, Expression)], id: VariableId) -> bool {
    pairs.iter().enumerate().all(|(position, (place, _))| match place {
        Place::Element(array, Expression::Constant(bits, _)) => {
            *array == id && *bits == position as u64
        }
        _ => false,
    })
}

fn expression_reads(e: &Expression, read: &mut impl FnMut(VariableId)) {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match e {
            Expression::Constant(..) | Expression::Choice(..) => {}
            Expression::Variable(id, _) => read(*id),
            Expression::Element(id, index, _) => {
                read(*id);
                stack.push(index);
            }
            Expression::Unary(_, e) | Expression::Cast(_, e) => stack.push(e),
            Expression::Binary(_, l, r) => stack.extend([&**l, &**r]),
            Expression::Conditional(c, t, f) => stack.extend([&**c, &**t, &**f]),
        }
    }
}
