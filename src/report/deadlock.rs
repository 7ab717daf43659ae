//! Who waits for whom where no thread can go on.

use crate::lang::interpreter::{Ended, Written};
use crate::lang::model::{EdgeId, Expression, Operation, Program, VariableId};
use crate::session::InterleavedFailure;
use crate::wire::report::{ErrorKind, ErrorReport};
use crate::wire::threads::BlockedReport;

/// The threads that wait for ever.
pub(in crate::report) fn blocked(
    program: &Program,
    run: &InterleavedFailure,
) -> Vec<BlockedReport> {
    let one = |(thread, edge): (usize, EdgeId)| {
        let edge = program.edge(edge);
        BlockedReport { thread: thread as u32, line: edge.span.line, statement: edge.text.clone() }
    };
    waiting(run).map(one).collect()
}

fn waiting(run: &InterleavedFailure) -> impl Iterator<Item = (usize, EdgeId)> + '_ {
    let waits = match &run.replay.ended {
        Ended::Deadlock(waits) => waits.as_slice(),
        _ => &[],
    };
    waits.iter().enumerate().filter_map(|(thread, edge)| Some((thread, (*edge)?)))
}

/// The error that a deadlock is; `name` names threads.
pub(in crate::report) fn deadlock(
    program: &Program,
    run: &InterleavedFailure,
    name: impl Fn(usize) -> String,
) -> ErrorReport {
    let waits: Vec<(usize, EdgeId)> = waiting(run).collect();
    let message = match waits.len() {
        1 => "a thread waits for what will never come".to_string(),
        count => format!("deadlock: {count} threads wait for each other"),
    };
    let told = |(thread, edge): &(usize, EdgeId)| {
        let waits = program.edge(*edge);
        let holder = holder(program, run, *edge);
        let held = holder.map_or(String::new(), |(holder, line)| {
            let who = if holder == *thread { "it itself".to_string() } else { name(holder) };
            format!(", which {who} took at line {line}")
        });
        format!("{} waits at line {} for {}{held}", name(*thread), waits.span.line, waits.text)
    };
    let told: Vec<String> = waits.iter().map(told).collect();
    let line = waits.first().map_or(0, |(_, edge)| program.edge(*edge).span.line);
    let detail = (!told.is_empty()).then(|| told.join("; "));
    ErrorReport::new(line, ErrorKind::Deadlock, message, detail)
}

/// The thread that wrote last what an edge waits for, and where, if the value that it wrote is what
/// the edge waits to change.
pub(super) fn holder(
    program: &Program,
    run: &InterleavedFailure,
    edge: EdgeId,
) -> Option<(usize, u32)> {
    let Operation::Assume(condition) = &program.edge(edge).operation else { return None };
    let (variable, element) = place(condition)?;
    let steps = run.run.steps.iter().zip(&run.replay.observed).rev();
    let mut writes = steps.filter_map(|((thread, step), observed)| {
        let here = |written: &&Written| (written.variable, written.element) == (variable, element);
        let written = observed.writes.iter().rfind(here)?;
        Some((*thread, program.edge(step.edge).span.line, written.after))
    });
    let (thread, line, value) = writes.next()?;
    // A lock that is held is not zero. What a join waits for is zero until it happens.
    (value != 0).then_some((thread, line))
}

/// The one place that a condition reads, where it is known without a run.
fn place(condition: &Expression) -> Option<(VariableId, u32)> {
    match condition {
        Expression::Variable(id, _) => Some((*id, 0)),
        Expression::Element(id, index, _) => match **index {
            Expression::Constant(bits, _) => Some((*id, u32::try_from(bits).ok()?)),
            _ => None,
        },
        Expression::Unary(_, e) | Expression::Cast(_, e) => place(e),
        Expression::Binary(_, left, right) => match (place(left), place(right)) {
            (Some(one), None) | (None, Some(one)) => Some(one),
            _ => None,
        },
        Expression::Constant(..) | Expression::Choice(..) | Expression::Conditional(..) => None,
    }
}
