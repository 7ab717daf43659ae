//! The ranges of bound variables, from the comparisons that stand before the quantifier's body.

use super::terms::behind;
use super::{Bound, Formula};
use crate::lang::syntax::{BinaryOp, Expr, ExprKind};

/// `left < right`, or `left <= right`.
struct Comparison {
    left: Expr,
    right: Expr,
    strict: bool,
}

/// Bound variables, as written and by their own names, with their ranges and what is left to say.
/// The error is a variable without a range.
pub(super) fn ranged(
    names: &[(String, String)],
    body: Formula,
    all: bool,
) -> Result<(Vec<Bound>, Formula), String> {
    let mut found = Vec::new();
    let mut at = &body;
    match all {
        true => {
            while let Formula::Implies(left, right) = at {
                left.conjuncts().into_iter().for_each(|one| found.extend(comparison(one)));
                at = right;
            }
        }
        false => body.conjuncts().into_iter().for_each(|one| found.extend(comparison(one))),
    }
    let mut open: Vec<&(String, String)> = names.iter().collect();
    let mut bounds = Vec::new();
    while !open.is_empty() {
        let unknown: Vec<&str> = open.iter().map(|(_, own)| own.as_str()).collect();
        let next = open.iter().enumerate().find_map(|(k, (_, own))| {
            Some((k, low(own, &found, &unknown, 0)?, end(own, &found, &unknown, 0)?))
        });
        let Some((k, low, end)) = next else { return Err(open[0].0.clone()) };
        let (written, name) = open.remove(k).clone();
        bounds.push(Bound { name, written, low, end });
    }
    Ok((bounds, body))
}

/// Is it a comparison of two terms by their order?
fn comparison(formula: &Formula) -> Option<Comparison> {
    let Formula::Holds(e) = formula else { return None };
    let ExprKind::Mathematical(op, l, r) = &e.kind else { return None };
    let (left, right, strict) = match op {
        BinaryOp::Less => (l, r, true),
        BinaryOp::LessEqual => (l, r, false),
        BinaryOp::Greater => (r, l, true),
        BinaryOp::GreaterEqual => (r, l, false),
        _ => return None,
    };
    Some(Comparison { left: (**left).clone(), right: (**right).clone(), strict })
}

/// The least value of a variable. Through others of the quantifier it may be less than need be: the
/// formula still says what counts.
fn low(own: &str, found: &[Comparison], unknown: &[&str], depth: usize) -> Option<Expr> {
    if depth > unknown.len() {
        return None;
    }
    let mut through = None;
    for one in found.iter().filter(|one| is(&one.right, own)) {
        match &one.left.kind {
            ExprKind::Name(other) if unknown.contains(&other.as_str()) => {
                through = through.or_else(|| low(other, found, unknown, depth + 1));
            }
            _ if mentions(&one.left, unknown) => {}
            _ if one.strict => return Some(behind(one.left.clone())),
            _ => return Some(one.left.clone()),
        }
    }
    through
}

/// One behind the greatest value of a variable.
fn end(own: &str, found: &[Comparison], unknown: &[&str], depth: usize) -> Option<Expr> {
    if depth > unknown.len() {
        return None;
    }
    let mut through = None;
    for one in found.iter().filter(|one| is(&one.left, own)) {
        match &one.right.kind {
            ExprKind::Name(other) if unknown.contains(&other.as_str()) => {
                through = through.or_else(|| end(other, found, unknown, depth + 1));
            }
            _ if mentions(&one.right, unknown) => {}
            _ if one.strict => return Some(one.right.clone()),
            _ => return Some(behind(one.right.clone())),
        }
    }
    through
}

fn is(e: &Expr, name: &str) -> bool {
    matches!(&e.kind, ExprKind::Name(text) if text == name)
}

/// Does a term mention one of these variables?
pub(super) fn mentions(e: &Expr, names: &[&str]) -> bool {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        if matches!(&e.kind, ExprKind::Name(text) if names.contains(&text.as_str())) {
            return true;
        }
        e.children(&mut stack);
    }
    false
}
