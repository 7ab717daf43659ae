//! Of a program whose heap has a summary object ([`crate::lang::memory`]): failing runs count only
//! if the two objects to which pointers led last were individual ones.
//!
//! A hidden edge before each statement with checks ends the other failing runs. Nothing is lost: a
//! run that fails ends anyway, and it fails for the choice of objects that counts as well.

use super::memory::{BEFORE, LAST, SUMMARY};
use crate::lang::lowering::expressions::{and, children, or};
use crate::lang::model::{
    BinaryOperator, Edge, Expression, Location, LocationId, Operation, Program, StatementKind,
    VariableId,
};

/// Ends the failing runs that do not count. Returns false if the program has no summary object.
pub(super) fn excuse(program: &mut Program) -> bool {
    let known = |name: &str| program.variables.iter().position(|variable| variable.name == name);
    let (Some(last), Some(before)) = (known(LAST), known(BEFORE)) else { return false };
    let is_summary = [last, before].map(|at| {
        let scalar = program.variables[at].scalar;
        let number = Expression::Variable(VariableId(at as u32), scalar);
        let summary = Expression::Constant(SUMMARY, scalar);
        Expression::binary(BinaryOperator::Equal, number, summary)
    });
    let [last, before] = is_summary;
    let excused = or(last, before);
    for at in 0..program.edges.len() {
        let edge = &program.edges[at];
        if edge.checks.is_empty() {
            continue;
        }
        if edge.checks.iter().any(|check| chooses(&check.condition)) {
            // What is chosen is chosen once, at the edge itself.
            let edge = &mut program.edges[at];
            let conditions = edge.checks.iter().map(|check| check.condition.clone());
            let hold = conditions.reduce(and).unwrap_or_else(Expression::truth);
            match &mut edge.operation {
                Operation::Assume(condition) => *condition = and(condition.clone(), hold),
                operation @ Operation::Skip => *operation = Operation::Assume(hold),
                _ => {}
            }
            for check in &mut edge.checks {
                check.condition = or(excused.clone(), check.condition.clone());
            }
            continue;
        }
        let conditions = edge.checks.iter().map(|check| check.condition.clone());
        let Some(hold) = conditions.reduce(and) else { continue };
        let condition = or(excused.clone().negated(), hold);
        let ends = Edge {
            operation: Operation::Assume(condition),
            checks: Vec::new(),
            choices: Vec::new(),
            kind: StatementKind::Hidden,
            outcome: String::new(),
            ..edge.clone()
        };
        let Location { procedure, line } = *program.location(edge.from);
        program.locations.push(Location { procedure, line });
        let middle = LocationId(program.locations.len() as u32 - 1);
        program.edges[at].from = middle;
        program.edges.push(Edge { to: middle, ..ends });
    }
    true
}

/// Does the value depend on what the run picks?
fn chooses(e: &Expression) -> bool {
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        if matches!(e, Expression::Choice(..)) {
            return true;
        }
        children(e, &mut open);
    }
    false
}
