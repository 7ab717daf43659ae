//! Small pieces of the new tree.

use super::types::{WIDE, unsigned};
use crate::lang::fault::{Fault, Steps};
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Checked, Expr, ExprKind, Spelling, Statement, StatementKind, TypeName,
};
pub(super) use crate::lang::tree::{binary, cast, expr, name, named, not, statement};

pub(super) fn number(n: u64, name: TypeName, span: Span) -> Expr {
    expr(ExprKind::Exactly(n, name), span)
}

pub(super) fn zero(span: Span) -> Expr {
    expr(ExprKind::Number(0, Spelling::default()), span)
}

pub(super) fn held(number: u32, span: Span) -> Expr {
    expr(ExprKind::Held(number), span)
}

/// The value with as many bits as sums of slots and indices need.
pub(super) fn wide(e: Expr) -> Expr {
    cast(WIDE, e)
}

pub(super) fn index(array: Expr, at: Expr) -> Expr {
    let span = at.span;
    expr(ExprKind::Index(Box::new(array), Box::new(at)), span)
}

pub(super) fn assign(place: Expr, value: Expr, span: Span) -> Expr {
    expr(ExprKind::Assign(None, Box::new(place), Box::new(value)), span)
}

pub(super) fn conditional(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    let span = condition.span;
    expr(ExprKind::Conditional(Box::new([condition, then, otherwise])), span)
}

/// All of these; `None` if there are none.
pub(super) fn all(list: Vec<Expr>) -> Option<Expr> {
    list.into_iter().reduce(|one, other| binary(BinaryOp::LogicalAnd, one, other))
}

/// One of these; `None` if there are none.
pub(super) fn any(list: Vec<Expr>) -> Option<Expr> {
    list.into_iter().reduce(|one, other| binary(BinaryOp::LogicalOr, one, other))
}

/// `low <= e && e <= high`.
pub(super) fn between(e: &Expr, low: u64, high: u64, name: TypeName) -> Expr {
    let span = e.span;
    if low == high {
        return binary(BinaryOp::Equal, e.clone(), number(low, name, span));
    }
    let above = binary(BinaryOp::LessEqual, number(low, name, span), e.clone());
    let below = binary(BinaryOp::LessEqual, e.clone(), number(high, name, span));
    binary(BinaryOp::LogicalAnd, above, below)
}

pub(super) fn checked(
    held: Vec<(u32, Expr)>,
    conditions: Vec<(Expr, Fault<Expr>)>,
    value: Expr,
    span: Span,
) -> Expr {
    storing(held, conditions, Vec::new(), value, span)
}

/// As [`checked`]; then places take values, all at once.
pub(super) fn storing(
    held: Vec<(u32, Expr)>,
    conditions: Vec<(Expr, Fault<Expr>)>,
    stores: Vec<(Expr, Expr)>,
    value: Expr,
    span: Span,
) -> Expr {
    let (notes, cuts) = (Vec::new(), Vec::new());
    let checked = Checked { held, notes, cuts, conditions, stores, value };
    expr(ExprKind::Checked(Box::new(checked)), span)
}

/// The fault, with the number of elements by which a pointer is moved.
pub(super) fn counting(fault: Fault<Expr>, count: Expr, back: bool) -> Fault<Expr> {
    Fault { steps: Some(Steps { count, back }), ..fault }
}

pub(super) fn shift_right(e: Expr, bits: u64) -> Expr {
    let span = e.span;
    match bits {
        0 => e,
        _ => binary(BinaryOp::ShiftRight, e, number(bits, unsigned(8), span)),
    }
}

pub(super) fn shift_left(e: Expr, bits: u64) -> Expr {
    let span = e.span;
    match bits {
        0 => e,
        _ => binary(BinaryOp::ShiftLeft, e, number(bits, unsigned(8), span)),
    }
}

/// Places that take any value in one statement.
const MOST_CHOICES: usize = 8;

/// These places take their values, or any value. Many free choices at once would make one large
/// relation: more than a few are made one after the other, behind the known values.
pub(super) fn forget(changes: Vec<(Expr, Option<Expr>)>, span: Span) -> Vec<Statement> {
    changing(changes, StatementKind::Forget, span)
}

/// The same, where an object begins to exist.
pub(super) fn unset(changes: Vec<(Expr, Option<Expr>)>, span: Span) -> Vec<Statement> {
    changing(changes, StatementKind::Unset, span)
}

fn changing(
    changes: Vec<(Expr, Option<Expr>)>,
    kind: fn(Vec<(Expr, Option<Expr>)>) -> StatementKind,
    span: Span,
) -> Vec<Statement> {
    if changes.iter().filter(|(_, value)| value.is_none()).count() <= MOST_CHOICES {
        return vec![statement(kind(changes), span)];
    }
    let (known, open): (Vec<_>, Vec<_>) =
        changes.into_iter().partition(|(_, value)| value.is_some());
    let first = (!known.is_empty()).then_some(known);
    let rest = open.chunks(MOST_CHOICES).map(<[_]>::to_vec);
    let each = |part| statement(kind(part), span);
    first.into_iter().chain(rest).map(each).collect()
}
