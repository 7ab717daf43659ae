//! What saturation knows besides the verdict, and a person may want to hear: loops that no run
//! leaves, and conditions that always come out alike.
//!
//! All of it is about a program of which no run fails: a failing check would cut runs off. What
//! follows from the types of a condition alone holds of every program.

use crate::analysis::reach::Reach;
use crate::cfg::loops;
use crate::lang::model::{
    BinaryOperator, EdgeId, Expression, LocationId, Operation, Program, Scalar, StatementKind,
    UnaryOperator,
};
use crate::lang::written::Condition;
use crate::util::Bounded;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A loop that no run leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endless {
    /// Its line.
    pub line: u32,
    /// Does no run end, so that every run comes to such a loop?
    pub every_run: bool,
}

/// How a condition always comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// By the types of its operands.
    ByType(bool),
    /// One of the comparisons in it comes out so by the types of its operands.
    PartByType(bool),
    /// In every run that evaluates it.
    InEveryRun(bool),
}

/// The loops that runs come to and that no run leaves. `executed` is that of [`Reach::executed`].
/// None where an assumption is reached: runs end there.
pub fn endless_loops(reach: &mut Reach, executed: &[bool]) -> Bounded<Vec<Endless>> {
    let program = Rc::clone(&reach.program);
    let mut found: Vec<(Vec<LocationId>, u32)> = Vec::new();
    let leaving = leaving(&program);
    for one in loops(&program) {
        if found.iter().any(|(body, _)| body.binary_search(&one.header).is_ok()) {
            continue;
        }
        let (mut again, mut leaves, mut line) = (false, false, u32::MAX);
        let inside = one.body.iter().flat_map(|location| &leaving[location.0 as usize]);
        for id in inside.filter(|id| executed[id.0 as usize]) {
            let edge = program.edge(*id);
            leaves |= !one.contains(edge.to);
            again |= edge.to == one.header;
            if edge.from == one.header {
                line = line.min(edge.span.line);
            }
        }
        if again && !leaves && line != u32::MAX {
            found.push((one.body, line));
        }
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    for id in program.edge_ids() {
        let edge = program.edge(id);
        if edge.kind == StatementKind::Assumption && !reach.stores_at(edge.from)?.is_false() {
            return Ok(Vec::new());
        }
    }
    let exit = program.procedure(program.main_id()).exit;
    let every_run = reach.stores_at(exit)?.is_false();
    Ok(found.into_iter().map(|(_, line)| Endless { line, every_run }).collect())
}

/// By location: the edges that leave it.
fn leaving(program: &Program) -> Vec<Vec<EdgeId>> {
    let mut leaving = vec![Vec::new(); program.locations.len()];
    for id in program.edge_ids() {
        leaving[program.edge(id).from.0 as usize].push(id);
    }
    leaving
}

/// The edges of a condition that a person wrote.
#[derive(Default)]
struct Outcomes {
    holds: Vec<EdgeId>,
    fails: Vec<EdgeId>,
}

/// The conditions that a person wrote and that always come out alike, by line. `executed` is
/// missing where something fails, or nothing is known of it.
pub fn constant_conditions<'p>(
    program: &'p Program,
    executed: Option<&[bool]>,
) -> Vec<(u32, &'p Condition, Constant)> {
    let written = &program.written;
    let mut all: FxHashMap<(u32, u32), Outcomes> = FxHashMap::default();
    for id in program.edge_ids() {
        let edge = program.edge(id);
        let place = (edge.span.start, edge.span.end);
        if edge.kind != StatementKind::Condition || !written.conditions.contains_key(&place) {
            continue;
        }
        match edge.outcome.as_str() {
            "true" => all.entry(place).or_default().holds.push(id),
            "false" => all.entry(place).or_default().fails.push(id),
            _ => {}
        }
    }
    let leaving = if executed.is_some() { leaving(program) } else { Vec::new() };
    let mut found = Vec::new();
    for (place, condition) in &written.conditions {
        let Some(outcomes) = all.get(place) else { continue };
        let Some(first) = outcomes.holds.iter().chain(&outcomes.fails).min() else { continue };
        let line = program.edge(*first).span.line;
        let by_run = || in_every_run((program, &leaving), executed?, condition, outcomes);
        if let Some(constant) = by_type(program, outcomes).or_else(by_run) {
            found.push((line, condition, constant));
        }
    }
    found.sort_by_key(|(line, ..)| *line);
    found
}

/// Does the condition come out alike in all runs? Asked of a program with input alone: without it
/// there is one run.
fn in_every_run(
    (program, leaving): (&Program, &[Vec<EdgeId>]),
    executed: &[bool],
    condition: &Condition,
    outcomes: &Outcomes,
) -> Option<Constant> {
    let Outcomes { holds, fails } = outcomes;
    if !program.written.has_input || !condition.is_own || holds.is_empty() || fails.is_empty() {
        return None;
    }
    let some = |edges: &[EdgeId]| edges.iter().any(|edge| executed[edge.0 as usize]);
    let (value, never) = match (some(holds), some(fails)) {
        (true, false) => (true, fails),
        (false, true) => (false, holds),
        _ => return None,
    };
    // What guards an error or the end of the run is there in order not to be executed.
    let guards = never.iter().any(|edge| leads_to_an_end((program, leaving), *edge));
    (!guards).then_some(Constant::InEveryRun(value))
}

/// The most locations that are looked at behind a condition.
const NEAR: usize = 24;

/// Does a run come to an error of the program, or to its end, soon behind this edge?
fn leads_to_an_end((program, leaving): (&Program, &[Vec<EdgeId>]), edge: EdgeId) -> bool {
    let mut seen = FxHashSet::default();
    let mut rest = vec![program.edge(edge).to];
    while let Some(location) = rest.pop() {
        if seen.len() >= NEAR || !seen.insert(location) {
            continue;
        }
        for edge in &leaving[location.0 as usize] {
            let edge = program.edge(*edge);
            let is_end = matches!(edge.kind, StatementKind::Assumption | StatementKind::Assertion);
            if is_end || edge.checks.iter().any(|check| check.kind.is_stated()) {
                return true;
            }
            let is_condition = edge.kind == StatementKind::Condition;
            if let Operation::Call { callee, .. } = &edge.operation {
                rest.push(program.procedure(*callee).entry);
            }
            if !is_condition {
                rest.push(edge.to);
            }
        }
    }
    false
}

/// Does the condition come out alike by the types of its operands?
fn by_type(program: &Program, outcomes: &Outcomes) -> Option<Constant> {
    let assumed = |id: &EdgeId| match &program.edge(*id).operation {
        Operation::Assume(condition) => Some(condition),
        _ => None,
    };
    let holds = outcomes.holds.iter().filter_map(assumed);
    let fails = outcomes.fails.iter().filter_map(assumed);
    let is_whole = outcomes.holds.len() == 1 && outcomes.fails.len() == 1;
    for (condition, value) in holds.map(|e| (e, true)).chain(fails.map(|e| (e, false))) {
        if let Some(truth) = truth(condition) {
            let comes_out = truth == value;
            return Some(match is_whole {
                true => Constant::ByType(comes_out),
                false => Constant::PartByType(comes_out),
            });
        }
        let mut rest = vec![(condition, value)];
        while let Some((e, value)) = rest.pop() {
            match e {
                Expression::Unary(UnaryOperator::Not, inner) => rest.push((&**inner, !value)),
                Expression::Binary(BinaryOperator::And | BinaryOperator::Or, left, right)
                    if e.scalar() == Scalar::BOOL =>
                {
                    rest.extend([(&**left, value), (&**right, value)]);
                }
                Expression::Binary(..) => {
                    if let Some(truth) = truth(e) {
                        return Some(Constant::PartByType(truth == value));
                    }
                }
                _ => {}
            }
        }
    }
    None
}

/// The truth of a comparison, if all values of its operands' types agree on it.
fn truth(e: &Expression) -> Option<bool> {
    match e {
        Expression::Unary(UnaryOperator::Not, inner) => truth(inner).map(|truth| !truth),
        Expression::Binary(operator, left, right) => {
            let is_constant = |e: &Expression| matches!(e, Expression::Constant(..));
            if is_constant(left) && is_constant(right) {
                return None;
            }
            let (left, right) = (range(left)?, range(right)?);
            match operator {
                BinaryOperator::Less if left.1 < right.0 => Some(true),
                BinaryOperator::Less if left.0 >= right.1 => Some(false),
                BinaryOperator::LessEqual if left.1 <= right.0 => Some(true),
                BinaryOperator::LessEqual if left.0 > right.1 => Some(false),
                BinaryOperator::Equal if left.1 < right.0 || right.1 < left.0 => Some(false),
                BinaryOperator::NotEqual if left.1 < right.0 || right.1 < left.0 => Some(true),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The least and the greatest number that a value of this type can be. `None` for floating point
/// and truth values.
fn range(e: &Expression) -> Option<(i128, i128)> {
    let scalar = e.scalar();
    if !scalar.is_integer() {
        return None;
    }
    let all = if scalar.signed {
        let half = 1i128 << (scalar.width - 1);
        (-half, half - 1)
    } else {
        (0, (1i128 << scalar.width) - 1)
    };
    Some(match e {
        Expression::Constant(bits, scalar) => (scalar.number(*bits), scalar.number(*bits)),
        Expression::Cast(to, inner) => match range(inner) {
            Some((least, most)) if to.holds(least) && to.holds(most) => (least, most),
            _ => all,
        },
        _ => all,
    })
}
