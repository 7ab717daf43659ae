//! Assignment, compound assignment, `++` and `--`.

use super::build::{assign, binary, cast, expr, number};
use super::expressions::has_effects;
use super::flat::{Given, Spot};
use super::lowerer::{Lowered, Lowerer, refuse};
use super::places::Place;
use super::pointers::Use;
use super::types::{INT, Type};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, Spelling, StructId};

impl Lowerer<'_> {
    pub(super) fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        place: &Expr,
        value: &Expr,
        span: Span,
    ) -> Lowered<(Expr, Type)> {
        let given = match std::mem::take(&mut self.unwanted) {
            true => Given::Nothing,
            false => Given::New,
        };
        if let ExprKind::Name(name) = &place.kind {
            self.note_address(name, value);
        }
        let to = self.place(place, Use::Write)?;
        if let (None, Type::Struct(id), true) = (op, &to.ty, is_place(value)) {
            let copied = self.copied(&to, *id, value, span)?;
            return Ok((copied, Type::Void));
        }
        if let Some(spot) = &to.spot {
            let spot = spot.clone();
            return self.change_bytes(op, &spot, &to.ty, (place, value), given, span);
        }
        match (op, &to.ty) {
            (None, _) => {
                if matches!(to.ty, Type::Array(..) | Type::Other(_)) {
                    return refuse(span, "this assignment");
                }
                let value = self.converted(value, &to.ty)?;
                Ok((assign(to.e, value, span), to.ty))
            }
            (Some(op @ (BinaryOp::Add | BinaryOp::Subtract)), Type::Pointer(pointed, region)) => {
                if matches!(**pointed, Type::Void) || has_effects(&to.e) {
                    return refuse(span, "this arithmetic on a pointer");
                }
                let (steps, ty) = self.value(value)?;
                if !matches!(ty, Type::Scalar(_)) {
                    return refuse(span, "this arithmetic on a pointer");
                }
                let what = self.text(place.span);
                let back = op == BinaryOp::Subtract;
                let pointer = (to.e.clone(), *region);
                let sum = self.walked(pointer, pointed, steps, back, &what, span);
                Ok((assign(to.e, sum, span), to.ty))
            }
            (Some(op), Type::Scalar(name)) => {
                if let ExprKind::Cast(..) = self.retyped(to.e.clone(), &to.ty).kind {
                    return refuse(span, "memory that is used as numbers of two types");
                }
                let (value, _) = self.scalar(value)?;
                let kind = ExprKind::Assign(Some(op), Box::new(to.e), Box::new(value));
                Ok((expr(kind, span), Type::Scalar(*name)))
            }
            _ => refuse(span, "this operator on a pointer"),
        }
    }

    pub(super) fn step(
        &mut self,
        up: bool,
        prefix: bool,
        at: &Expr,
        e: &Expr,
    ) -> Lowered<(Expr, Type)> {
        let span = e.span;
        let given = match (std::mem::take(&mut self.unwanted), prefix) {
            (true, _) => Given::Nothing,
            (false, true) => Given::New,
            (false, false) => Given::Old,
        };
        let place = self.place(at, Use::Write)?;
        if let Some(spot) = &place.spot {
            let spot = spot.clone();
            let one = expr(ExprKind::Number(1, Spelling::default()), span);
            let op = Some(if up { BinaryOp::Add } else { BinaryOp::Subtract });
            return self.change_bytes(op, &spot, &place.ty, (at, &one), given, span);
        }
        match &place.ty {
            Type::Scalar(_) => {
                if let ExprKind::Cast(..) = self.retyped(place.e.clone(), &place.ty).kind {
                    return refuse(span, "memory that is used as numbers of two types");
                }
                let kind = ExprKind::Step { up, prefix, place: Box::new(place.e) };
                Ok((expr(kind, span), place.ty))
            }
            Type::Pointer(to, region) => {
                if matches!(**to, Type::Void) || has_effects(&place.e) {
                    return refuse(span, "this arithmetic on a pointer");
                }
                let what = self.text(at.span);
                let one = number(1, INT, span);
                let pointer = (place.e.clone(), *region);
                let sum = self.walked(pointer, to, one.clone(), !up, &what, span);
                let moved = assign(place.e.clone(), sum, span);
                if prefix {
                    return Ok((moved, place.ty));
                }
                let name = self.written_type(&place.ty);
                let one = number(1, name, span);
                let op = if up { BinaryOp::Subtract } else { BinaryOp::Add };
                let old = cast(name, binary(op, place.e, one));
                Ok((expr(ExprKind::Comma(vec![moved, old]), span), place.ty))
            }
            _ => refuse(span, "this operator"),
        }
    }

    /// An assignment to a place in memory of bytes.
    fn change_bytes(
        &mut self,
        op: Option<BinaryOp>,
        spot: &Spot,
        ty: &Type,
        (place, value): (&Expr, &Expr),
        given: Given,
        span: Span,
    ) -> Lowered<(Expr, Type)> {
        let changed = match (op, ty) {
            (None, Type::Scalar(_) | Type::Pointer(..)) => {
                let value = self.converted(value, ty)?;
                self.store(spot, ty, value, given, span)?
            }
            (Some(op @ (BinaryOp::Add | BinaryOp::Subtract)), Type::Pointer(to, region)) => {
                let (steps, of) = self.value(value)?;
                if !matches!(of, Type::Scalar(_)) || matches!(**to, Type::Void) {
                    return refuse(span, "this arithmetic on a pointer");
                }
                let what = self.text(place.span);
                let make = |this: &mut Self, old: Expr, steps: Expr| {
                    let back = op == BinaryOp::Subtract;
                    this.walked((old, *region), to, steps, back, &what, span)
                };
                self.change(spot, ty, steps, make, given, span)?
            }
            (Some(op), Type::Scalar(_)) => {
                let (value, _) = self.scalar(value)?;
                let make = |_: &mut Self, old: Expr, value: Expr| {
                    expr(ExprKind::Binary(op, Box::new(old), Box::new(value)), span)
                };
                self.change(spot, ty, value, make, given, span)?
            }
            _ => return refuse(span, "this assignment"),
        };
        Ok((changed, ty.clone()))
    }

    /// A struct takes the value of another one, which stands somewhere.
    pub(super) fn copied(
        &mut self,
        to: &Place,
        id: StructId,
        value: &Expr,
        span: Span,
    ) -> Lowered<Expr> {
        let from = self.place(value, Use::Read)?;
        if !matches!(from.ty, Type::Struct(other) if other == id) {
            return refuse(span, "a struct that is used as another one");
        }
        match to.spot.is_some() || from.spot.is_some() {
            true => self.copy(to, &from, id, span),
            false => Ok(assign(to.e.clone(), from.e, span)),
        }
    }
}

/// Is it a place?
pub(super) fn is_place(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Indirect(_)
    )
}
