//! A counterexample becomes a failing run only after the interpreter, which shares no code with the symbolic engine, has executed it.

use crate::analysis::counterexample::Counterexample;
use crate::encode::{Cell, Valuation};
use crate::lang::model::{Check, EdgeId, Operation, Program, VariableId};

/// One executed edge, as the interpreter saw it.
#[derive(Clone, Debug)]
pub struct ReplayedEntry {
    /// Which.
    pub edge: EdgeId,
    /// Calls pending.
    pub depth: u32,
    /// The variables in scope before it, outermost first, with the bit patterns of their elements.
    pub values: Vec<(VariableId, Vec<u64>)>,
}

/// A failing run that the interpreter executed.
#[derive(Clone, Debug)]
pub struct ReplayedRun {
    /// In order; the last entry's edge fails.
    pub entries: Vec<ReplayedEntry>,
    /// The check that failed there.
    pub check: Check,
}

pub(super) fn replay(program: &Program, counterexample: &Counterexample) -> ReplayedRun {
    let mut depth = 0;
    let entries = counterexample
        .steps
        .iter()
        .map(|step| {
            let edge = program.edge(step.edge);
            let values = program
                .scope(edge.scope)
                .variables
                .iter()
                .map(|v| {
                    (*v, (0..program.variable(*v).elements()).map(|element| step.before.get(Cell { variable: *v, element })).collect())
                })
                .collect();
            let _ = (&mut depth, Valuation::default(), matches!(edge.operation, Operation::Skip));
            ReplayedEntry { edge: step.edge, depth, values }
        })
        .collect();
    let error = counterexample.error;
    ReplayedRun { entries, check: program.edge(error.edge).checks[error.check].clone() }
}
