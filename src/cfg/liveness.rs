//! Which of a procedure's own variables can no longer matter at a location?
//!
//! Classic backward liveness (Aho, Sethi, Ullman, § 10.6), in each procedure on its own: callers and callees do not see one another's
//! locals. The result is live at the exit. A write to an element of an array keeps the rest of the array, so it ends no array's life.

use crate::lang::model::{Expression, LocationId, Operation, Place, Program, VariableId, VariableKind};
use std::collections::BTreeSet;

/// By location: the parameters, locals and temporaries of its procedure that may still be read, on some path through its graph, before they are
/// overwritten.
pub fn live_locals(program: &Program) -> Vec<BTreeSet<VariableId>> {
    let mut live: Vec<BTreeSet<VariableId>> = vec![BTreeSet::new(); program.locations.len()];
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); program.locations.len()];
    for (k, edge) in program.edges.iter().enumerate() {
        into[edge.to.0 as usize].push(k);
    }
    let mut uses: Vec<BTreeSet<VariableId>> = Vec::new();
    let mut ends: Vec<Vec<VariableId>> = Vec::new();
    for edge in &program.edges {
        let mut used = BTreeSet::new();
        for check in &edge.checks {
            read_in(&check.condition, &mut used);
        }
        read_by(&edge.operation, &mut used);
        used.retain(|v| program.variable(*v).kind != VariableKind::Global);
        uses.push(used);
        ends.push(overwritten(program, &edge.operation));
    }
    for procedure in &program.procedures {
        live[procedure.exit.0 as usize].extend(procedure.result);
    }
    // Later locations first: most programs then need few rounds.
    let mut waiting: BTreeSet<LocationId> = (0..program.locations.len() as u32).map(LocationId).collect();
    while let Some(location) = waiting.pop_last() {
        for &edge in &into[location.0 as usize] {
            let mut before: BTreeSet<VariableId> = live[location.0 as usize].iter().filter(|v| !ends[edge].contains(v)).copied().collect();
            before.extend(&uses[edge]);
            let from = program.edges[edge].from;
            let known = &mut live[from.0 as usize];
            let count = known.len();
            known.extend(before);
            if known.len() > count {
                waiting.insert(from);
            }
        }
    }
    live
}

/// The variables whose every element an operation sets.
fn overwritten(program: &Program, operation: &Operation) -> Vec<VariableId> {
    match operation {
        Operation::Skip | Operation::Assume(_) => Vec::new(),
        Operation::Havoc(variables) => variables.clone(),
        Operation::Call { result, .. } => result.iter().copied().collect(),
        Operation::Assign(list) => list
            .iter()
            .filter_map(|(place, _)| match place {
                Place::Variable(v) if program.variable(*v).elements() == 1 => Some(*v),
                _ => None,
            })
            .collect(),
    }
}

/// Adds the variables that an operation reads.
pub fn read_by(operation: &Operation, used: &mut BTreeSet<VariableId>) {
    match operation {
        Operation::Skip | Operation::Havoc(_) => {}
        Operation::Assume(condition) => read_in(condition, used),
        Operation::Call { arguments, .. } => arguments.iter().for_each(|argument| read_in(argument, used)),
        Operation::Assign(list) => {
            for (place, value) in list {
                read_in(value, used);
                if let Place::Element(_, index) = place {
                    read_in(index, used);
                }
            }
        }
    }
}

/// Adds the variables that an expression reads. Its nesting is bounded by the front end.
pub fn read_in(expression: &Expression, used: &mut BTreeSet<VariableId>) {
    match expression {
        Expression::Constant(..) | Expression::Choice(..) => {}
        Expression::Variable(v, _) => {
            used.insert(*v);
        }
        Expression::Element(v, index, _) => {
            used.insert(*v);
            read_in(index, used);
        }
        Expression::Unary(_, inner) | Expression::Cast(_, inner) => read_in(inner, used),
        Expression::Binary(_, left, right) => {
            read_in(left, used);
            read_in(right, used);
        }
        Expression::Conditional(condition, then, other) => {
            read_in(condition, used);
            read_in(then, used);
            read_in(other, used);
        }
    }
}
