//! The names that predicates at the nodes of a counterexample DAG use.
//!
//! The store now has the program's names; the frame's entry is `G at entry`; the parameters with
//! which a pivot's callee is entered are `P of foo`. A returned value is `result`. If several
//! locals have one name, all but the first get a subscript. The value of a call inside an
//! expression is the call itself, `max(a, b)`. What keeps count of memory has no name.

use crate::analysis::cegar::dag::{CounterexampleDag, DagPoint, NodeId};
use crate::encode::{Copy, ProgramDomain};
use crate::lang::model::{Operation, Origin, ProcedureId, Program, VariableId, VariableKind};
use crate::readable::NamedScalar;
use crate::readable::scope::{
    cells_with_names, free_name, is_shown, names_of_values, words_of_made,
};
use std::collections::BTreeSet;

/// Everything that a predicate at this node may mention.
pub fn node_scalars(
    program: &Program,
    domain: &ProgramDomain,
    dag: &CounterexampleDag,
    node: NodeId,
) -> Vec<NamedScalar> {
    place_scalars(program, domain, dag.procedure(node), dag.node(node).point, dag.is_in_body(node))
}

/// The same for a point of a procedure, in a body or in the main part.
pub(crate) fn place_scalars(
    program: &Program,
    domain: &ProgramDomain,
    procedure: ProcedureId,
    point: DagPoint,
    in_body: bool,
) -> Vec<NamedScalar> {
    let frame = &domain.frames[procedure.0 as usize];
    let procedure = program.procedure(procedure);
    if matches!(point, DagPoint::Start | DagPoint::Error) {
        return Vec::new();
    }
    let own: Vec<VariableId> = procedure
        .parameters
        .iter()
        .chain(&procedure.locals)
        .chain(&procedure.result)
        .copied()
        .collect();
    let names = names(program, program.globals().chain(own));
    let is_entered = |id: VariableId| frame.tracked.iter().any(|cell| cell.variable == id);
    let mut scalars = Vec::new();
    let mut add = |id: VariableId, name: &str, suffix: &str, copy: Copy| {
        let is_written = matches!(program.variable(id).origin, Origin::Expression(_));
        for (name, cell) in cells_with_names(program, id, name) {
            if !is_written && !is_shown(program, cell) {
                continue;
            }
            let bits = domain.layout.cell(cell, copy);
            let (scalar, values) = (domain.layout.scalar(cell), names_of_values(program, id));
            // Narrower operands are promoted before they are added.
            let wraps = scalar.is_integer() && scalar.width >= program.int_width;
            scalars.push(NamedScalar { name: name + suffix, scalar, bits, values, wraps });
        }
    };
    for (id, name) in &names {
        let kind = program.variable(*id).kind;
        let left = point != DagPoint::Returned
            || matches!(kind, VariableKind::Global | VariableKind::Result)
            || kind == VariableKind::Parameter && !is_entered(*id);
        if left {
            add(*id, name, "", Copy::Now);
        }
    }
    if in_body {
        for (id, name) in names.iter().filter(|(id, _)| is_entered(*id)) {
            add(*id, name, " at entry", Copy::Entry);
        }
    }
    if let DagPoint::Pivot(edge) = point
        && let Operation::Call { callee, .. } = &program.edge(edge).operation
    {
        let callee = program.procedure(*callee);
        for id in &callee.parameters {
            add(*id, &program.variable(*id).name, &format!(" of {}", callee.name), Copy::Middle);
        }
    }
    scalars
}

/// A name for each scalar, in order. No two names are equal.
fn names(
    program: &Program,
    variables: impl Iterator<Item = VariableId>,
) -> Vec<(VariableId, String)> {
    let mut taken = BTreeSet::new();
    let mut named: Vec<(VariableId, String)> = Vec::new();
    for id in variables {
        if named.iter().any(|(other, _)| *other == id) {
            continue;
        }
        let variable = program.variable(id);
        let words = match (variable.kind, &variable.origin) {
            (VariableKind::Temporary, _) => words_of_made(program, id),
            (VariableKind::Result, _) => ("result".to_string(), 0),
            (_, Origin::Expression(text)) => (text.clone(), 0),
            _ => (variable.name.clone(), 0),
        };
        named.push((id, free_name(&mut taken, &words)));
    }
    named
}
