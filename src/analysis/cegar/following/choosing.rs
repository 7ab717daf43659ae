//! Which variables are followed next.

use crate::analysis::cegar::dag::{Action, DagPoint};
use crate::analysis::cegar::extracted::Extracted;
use crate::bdd::{Bdd, Manager};
use crate::cfg::{read_by, read_in};
use crate::encode::Layout;
use crate::lang::model::{Operation, Program, VariableId};
use std::collections::BTreeSet;

/// The variables that some formula mentions.
pub(in crate::analysis) fn mentioned(
    kernel: &Manager,
    layout: &Layout,
    formulas: &[Bdd],
) -> BTreeSet<VariableId> {
    let levels = kernel.support_all(formulas);
    levels
        .into_iter()
        .filter_map(|level| layout.owner(level))
        .map(|(cell, _)| cell.variable)
        .collect()
}

/// The variables that statements of the DAG read. A call that returns reads the callee's result.
pub(in crate::analysis) fn read_along(
    program: &Program,
    extracted: &Extracted,
) -> BTreeSet<VariableId> {
    let mut read = BTreeSet::new();
    let dag = &extracted.dag;
    for id in dag.edge_ids() {
        let (edge, fails) = match dag.edge(id).action {
            Action::Execute(edge) | Action::Push(edge) => (program.edge(edge), false),
            Action::Fail(edge, _) => (program.edge(edge), true),
            Action::Return(_) => {
                if let DagPoint::Pivot(call) = dag.node(dag.edge(id).from).point
                    && let Operation::Call { callee, result: Some(_), .. } =
                        &program.edge(call).operation
                {
                    read.extend(program.procedure(*callee).result);
                }
                continue;
            }
            Action::Begin | Action::Enter | Action::Pop => continue,
        };
        edge.checks.iter().for_each(|check| read_in(&check.condition, &mut read));
        if !fails {
            read_by(&edge.operation, &mut read);
        }
    }
    read
}
