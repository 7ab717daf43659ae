//! The program in which only the slice of the errors matters (thesis, 1.4, 8.4).
//!
//! Outside of the slice assignments do anything to what they may write, and conditions hold or not; calls stay, so that every frame of the program
//! is one of the sliced program. So every run of the program is a run of the sliced one: if no run of that fails, none fails, with the same
//! invariant. A run of it that fails need not be one of the program: then the loop starts again without the slice.

use crate::lang::model::{Operation, Program, VariableId};

/// The program with statements outside of the slice (by edge) weakened. Locations, edges and variables keep their numbers.
pub fn sliced(program: &Program, inside: &[bool]) -> Program {
    let mut weakened = program.clone();
    for (edge, _) in weakened.edges.iter_mut().zip(inside).filter(|(_, inside)| !**inside) {
        edge.checks.clear();
        let mut written: Vec<VariableId> = Vec::new();
        match &edge.operation {
            Operation::Skip | Operation::Assume(_) => {}
            Operation::Assign(list) => written.extend(list.iter().map(|(place, _)| place.variable())),
            Operation::Havoc(variables) => written.extend(variables),
            Operation::Call { .. } => continue,
        }
        written.sort();
        written.dedup();
        edge.operation = if written.is_empty() { Operation::Skip } else { Operation::Havoc(written) };
    }
    weakened
}
