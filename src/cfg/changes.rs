//! The variables that a procedure may change.

use crate::lang::model::{Operation, ProcedureId, Program, VariableId, VariableKind};
use std::collections::BTreeSet;

/// By procedure: those of its own variables that one of its statements writes, and the globals that
/// it or a procedure it calls writes.
pub fn changed_variables(program: &Program) -> Vec<BTreeSet<VariableId>> {
    let count = program.procedures.len();
    let mut changes: Vec<BTreeSet<VariableId>> = vec![BTreeSet::new(); count];
    let mut calls: Vec<BTreeSet<ProcedureId>> = vec![BTreeSet::new(); count];
    for edge in program.edge_ids() {
        let owner = program.owner(edge).0 as usize;
        let operation = &program.edge(edge).operation;
        changes[owner].extend(written(operation));
        if let Operation::Call { callee, .. } = operation {
            calls[owner].insert(*callee);
        }
    }
    let global = |v: &VariableId| program.variable(*v).kind == VariableKind::Global;
    loop {
        let mut stable = true;
        for caller in 0..count {
            for callee in calls[caller].clone() {
                for v in changes[callee].clone().into_iter().filter(global) {
                    stable &= !changes[caller].insert(v);
                }
            }
        }
        if stable {
            return changes;
        }
    }
}

/// The variables that an operation writes. The effects of a callee are not included.
fn written(operation: &Operation) -> Vec<VariableId> {
    match operation {
        Operation::Skip | Operation::Assume(_) => Vec::new(),
        Operation::Assign(list) => list.iter().map(|(place, _)| place.variable()).collect(),
        Operation::Havoc(variables) => variables.clone(),
        Operation::Call { result, .. } => result.iter().copied().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    #[test]
    fn callees_changes_of_globals_count_also_around_a_cycle() {
        let source = "int a, b, c; void f(int p) { p = 1; g(); } void g() { b = 1; if (*) { f(0); } } void main() { c = a; f(2); }";
        let program =
            crate::lang::load(source, &RequestedOptions::default()).program.expect("a program");
        let names = |k: usize| -> Vec<&str> {
            let mut names: Vec<&str> = changed_variables(&program)[k]
                .iter()
                .map(|v| program.variable(*v).name.as_str())
                .collect();
            names.sort_unstable();
            names
        };
        assert_eq!(names(0), ["b", "p"]);
        assert_eq!(names(1), ["b"]);
        assert_eq!(names(2), ["b", "c"]);
    }
}
