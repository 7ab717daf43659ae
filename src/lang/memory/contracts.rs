//! What annotations ask of memory: `\valid`, and clauses over places.

use super::build::{all, binary, checked, expr, number};
use super::lowerer::{Lowered, Lowerer, refuse};
use super::pointers::Use;
use super::types::{INT, Type};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Checked, Expr, ExprKind, Name, TypeName};

impl Lowerer<'_> {
    /// A clause: its condition, texts, and bound variables.
    pub(super) fn clause(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Lowered<(Expr, Type)> {
        let mut made = Vec::with_capacity(arguments.len());
        for (k, argument) in arguments.iter().enumerate() {
            made.push(match argument.kind {
                ExprKind::Text(_) | ExprKind::Truth(_) if k > 0 => argument.clone(),
                _ => self.condition(argument)?,
            });
        }
        Ok((expr(ExprKind::Call(name.clone(), made), span), Type::Void))
    }

    /// May the elements from `low` up to before `end` be used? Those behind a pointer are in one
    /// object, so the first and the last say it.
    pub(super) fn valid(
        &mut self,
        pointer: &Expr,
        (low, end): (&Expr, &Expr),
        used: Use,
        span: Span,
    ) -> Lowered<(Expr, Type)> {
        let int = Type::Scalar(INT);
        if self.is_zero(pointer) {
            return Ok((number(0, TypeName::Bool, span), int));
        }
        let one = |n: u64| expr(ExprKind::Number(n, Default::default()), span);
        let at = |k: Expr| expr(ExprKind::Index(Box::new(pointer.clone()), Box::new(k)), span);
        let is = |e: &Expr, n: u64| matches!(e.kind, ExprKind::Number(m, _) if m == n);
        if is(low, 0) && is(end, 1) {
            return Ok((self.is_usable(&at(one(0)), used)?, int));
        }
        let compared = |op, left: &Expr, right: &Expr| {
            expr(ExprKind::Mathematical(op, Box::new(left.clone()), Box::new(right.clone())), span)
        };
        let none = self.condition(&compared(BinaryOp::LessEqual, end, low))?;
        let last = compared(BinaryOp::Subtract, end, &one(1));
        let first = self.is_usable(&at(low.clone()), used)?;
        let last = self.is_usable(&at(last), used)?;
        let both = binary(BinaryOp::LogicalAnd, first, last);
        Ok((binary(BinaryOp::LogicalOr, none, both), int))
    }

    /// Do all conditions hold under which a place may be used?
    fn is_usable(&mut self, place: &Expr, used: Use) -> Lowered<Expr> {
        let span = place.span;
        let found = self.place(place, used)?;
        let e = match &found.spot {
            Some(spot) if matches!(found.ty, Type::Struct(_)) => {
                let byte = Type::Scalar(super::types::CHAR);
                self.load(spot, &byte, span)?
            }
            Some(spot) => self.load(spot, &found.ty, span)?,
            None => found.e,
        };
        if let Type::Other(_) = found.ty {
            return refuse(span, "this place in `\\valid`");
        }
        Ok(holds(&e).unwrap_or_else(|| number(1, TypeName::Bool, span)))
    }
}

/// Whether all conditions in an expression hold; `None` if there are none. Nothing fails.
fn holds(e: &Expr) -> Option<Expr> {
    if let ExprKind::Checked(made) = &e.kind {
        let mut parts: Vec<Expr> = made.held.iter().filter_map(|(_, e)| holds(e)).collect();
        parts.extend(made.conditions.iter().map(|(condition, _)| condition.clone()));
        let conditions = all(parts)?;
        let held = made.held.iter().map(|(k, e)| (*k, unchecked(e.clone()))).collect();
        let mut value = checked(held, Vec::new(), conditions, e.span);
        if let ExprKind::Checked(value) = &mut value.kind {
            value.cuts = made.cuts.clone();
        }
        return Some(value);
    }
    let mut children = Vec::new();
    e.children(&mut children);
    all(children.into_iter().filter_map(holds).collect())
}

/// The expression without its conditions.
fn unchecked(mut e: Expr) -> Expr {
    let mut stack = vec![&mut e];
    while let Some(e) = stack.pop() {
        if let ExprKind::Checked(made) = &mut e.kind {
            let Checked { conditions, .. } = &mut **made;
            conditions.clear();
        }
        e.children_mut(&mut stack);
    }
    e
}
