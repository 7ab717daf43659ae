//! The program in which only the slice of the errors matters (thesis, 1.4, 8.4).
//!
//! Outside of the slice an assignment may give any value to what it writes, and a condition may
//! hold or not. Calls stay, so that every frame of the program is one of the sliced program. So
//! every run of the program is a run of the sliced program. If the sliced program is safe, the
//! program is safe, with the same invariant. A failing run of the sliced program need not be a run
//! of the program: then the loop starts again without the slice.

use crate::lang::model::{Operation, Program, VariableId};

/// The program with statements outside of the slice (by edge) weakened. Locations, edges and
/// variables keep their numbers.
pub fn sliced(program: &Program, inside: &[bool]) -> Program {
    let mut weakened = program.clone();
    for (edge, _) in weakened.edges.iter_mut().zip(inside).filter(|(_, inside)| !**inside) {
        edge.checks.clear();
        if matches!(edge.operation, Operation::Call { .. }) {
            continue;
        }
        let written = written_by(&edge.operation);
        edge.operation =
            if written.is_empty() { Operation::Skip } else { Operation::Havoc(written) };
    }
    weakened
}

/// The variables that an operation itself writes, in order. For a call that is the variable that
/// gets the result, not what the callee writes.
pub(super) fn written_by(operation: &Operation) -> Vec<VariableId> {
    let mut written: Vec<VariableId> = match operation {
        Operation::Skip | Operation::Assume(_) => Vec::new(),
        Operation::Assign(list) => list.iter().map(|(place, _)| place.variable()).collect(),
        Operation::Havoc(variables) => variables.clone(),
        Operation::Call { result, .. } => result.iter().copied().collect(),
    };
    written.sort();
    written.dedup();
    written
}
