//! The cells of a procedure's frame, and those that the procedure may change.

use super::layout::{Cell, Layout};
use crate::lang::model::{Operation, Program, VariableId, VariableKind};

/// The cells that the weights of one procedure mention, except untracked globals.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The parameters, locals, temporaries and the result.
    pub locals: Vec<Cell>,
    /// The parameters, in order.
    pub parameters: Vec<Cell>,
    /// Locals that are not parameters.
    pub others: Vec<Cell>,
    /// The cell of the returned value.
    pub result: Option<Cell>,
    /// The globals that the procedure, or one that it calls, may change.
    pub changed_globals: Vec<Cell>,
    /// `changed_globals` and the parameters that the procedure changes: these have an entry copy.
    pub tracked: Vec<Cell>,
    /// The globals that the procedure does not change.
    pub constant_globals: Vec<Cell>,
    /// The parameters that the procedure does not change.
    pub constant_parameters: Vec<Cell>,
}

/// The frames of all procedures.
pub(super) fn frames(program: &Program, layout: &Layout) -> Vec<Frame> {
    let mut changes = crate::cfg::changed_variables(program);
    if program.concurrency.has_threads() {
        // While a thread waits, other threads change what they share, even if the thread's own
        // procedures do not.
        let shared: Vec<VariableId> =
            program.globals().filter(|v| changes.iter().any(|of_one| of_one.contains(v))).collect();
        changes.iter_mut().for_each(|of_one| of_one.extend(&shared));
    }
    let cells = |variables: &[VariableId]| -> Vec<Cell> {
        variables.iter().flat_map(|v| layout.cells(*v)).collect()
    };
    let globals: Vec<VariableId> = program.globals().collect();
    let frame = |k: usize| {
        let procedure = &program.procedures[k];
        let (changed, constant): (Vec<_>, Vec<_>) =
            globals.iter().partition(|v| changes[k].contains(v));
        let (changed_parameters, constant_parameters): (Vec<_>, Vec<_>) =
            procedure.parameters.iter().partition(|v| changes[k].contains(v));
        let parameters = cells(&procedure.parameters);
        let result = procedure.result.map(|variable| Cell { variable, element: 0 });
        let mut others = cells(&procedure.locals);
        if let Some(result) = result
            && !others.contains(&result)
        {
            others.push(result);
        }
        let changed_globals = cells(&changed);
        Frame {
            locals: parameters.iter().chain(&others).copied().collect(),
            tracked: changed_globals.iter().copied().chain(cells(&changed_parameters)).collect(),
            parameters,
            others,
            result,
            changed_globals,
            constant_globals: cells(&constant),
            constant_parameters: cells(&constant_parameters),
        }
    };
    (0..program.procedures.len()).map(frame).collect()
}

/// By edge: the cells that matter before it or that it writes, and that do not matter behind it. A
/// parameter that the procedure never changes is kept, because it is part of the frame's entry.
pub(super) fn forgotten(program: &Program, frames: &[Frame]) -> Vec<Vec<Cell>> {
    let live = crate::cfg::live_locals(program);
    let of = |edge| {
        let (owner, edge) = (program.owner(edge), program.edge(edge));
        let frame = &frames[owner];
        let at_entry = edge.from == program.procedure(owner).entry;
        let written: Vec<VariableId> = match &edge.operation {
            Operation::Assign(list) => list.iter().map(|(place, _)| place.variable()).collect(),
            Operation::Havoc(variables) => variables.clone(),
            Operation::Call { result, .. } => result.iter().copied().collect(),
            Operation::Skip | Operation::Assume(_) => Vec::new(),
        };
        let dies = |variable: VariableId| {
            let known =
                at_entry || live[edge.from].contains(&variable) || written.contains(&variable);
            known && !live[edge.to].contains(&variable)
        };
        let kept = |cell: &&Cell| {
            program.variable(cell.variable).kind != VariableKind::Global
                && !frame.constant_parameters.contains(cell)
        };
        frame.locals.iter().filter(kept).filter(|cell| dies(cell.variable)).copied().collect()
    };
    program.edge_ids().map(of).collect()
}
