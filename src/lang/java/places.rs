//! Fields, elements and assignments.

use super::build::{assign, binary, cast, exactly, index, member, named, number, span_of};
use super::expressions::{Then, has_effects, is_fixed};
use super::lower::{ELEMENTS, LENGTH};
use super::objects::{Held, Refused};
use super::writer::Writer;
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr as Shared, ExprKind as SharedKind};
use faultline_java::{Constant, Expr, ExprKind, Type};

impl Writer<'_, '_> {
    /// A field of an object.
    pub(super) fn field(&mut self, object: Shared, e: &Expr, span: Span) -> Shared {
        let ExprKind::Field(of, field) = &e.kind else { return object };
        let object = self.simple(object, &of.ty, span);
        let text = self.l.field_name(*field).to_string();
        let held = match &of.ty {
            Type::Class(class) => self.l.family(*class).held,
            _ => Held::Number { width: 1 },
        };
        match held {
            Held::Number { .. } => {
                let is_table = match &of.ty {
                    Type::Class(class) => self.l.family(*class).enumeration.is_some(),
                    _ => false,
                };
                if !is_table {
                    return self.of_nothing(&object, of, &e.ty, span);
                }
                self.check_null(&object, of, span, true);
                index(named(&text, span), object, span)
            }
            Held::Pointer { .. } => {
                self.check_null(&object, of, span, false);
                member(object, &text, span)
            }
        }
    }

    /// A member of an object of a class that has none: the reference is `null`.
    pub(super) fn of_nothing(
        &mut self,
        value: &Shared,
        of: &Expr,
        ty: &Type,
        span: Span,
    ) -> Shared {
        self.check_null(value, of, span, true);
        let spelt = self.l.spelt(ty);
        let none = exactly(0, spelt.0, span);
        let none = if spelt.1 > 0 { number(0, false, span) } else { none };
        self.fresh(spelt, Some(none), span)
    }

    /// An element of an array.
    pub(super) fn element(&mut self, array: Shared, at: Shared, of: &Expr, span: Span) -> Shared {
        let array = self.simple(array, &of.ty, span);
        let at = self.simple(at, &Type::Int, span);
        if self.l.array(&of.ty).is_none() {
            let ty = match &of.ty {
                Type::Array(element) => (**element).clone(),
                other => other.clone(),
            };
            return self.of_nothing(&array, of, &ty, span);
        }
        self.check_null(&array, of, span, false);
        let least = binary(BinaryOp::GreaterEqual, at.clone(), number(0, false, span));
        let length = member(array.clone(), LENGTH, span);
        let most = binary(BinaryOp::Less, at.clone(), length);
        let holds = match at.kind {
            SharedKind::Number(..) => most,
            _ => binary(BinaryOp::LogicalAnd, least, most),
        };
        let holds = Shared { span, ..holds };
        self.require(holds, "ArrayIndexOutOfBoundsException", span);
        if let Some(known) = self.l.array(&of.ty)
            && known.is_open
        {
            let room = number(i64::from(known.room), false, span);
            self.cut_off(binary(BinaryOp::GreaterEqual, at.clone(), room), span);
        }
        index(member(array, ELEMENTS, span), at, span)
    }

    /// `place = value`
    pub(super) fn assign(&mut self, place: &Expr, value: &Expr, span: Span) -> Result<(), Refused> {
        let at = span_of(place.span);
        let changes = has_effects(value);
        match &place.kind {
            ExprKind::Field(object, _) => {
                let held = self.value(object)?;
                let held = match changes && !is_fixed(object, &held) {
                    true => {
                        let spelt = self.l.spelt(&object.ty);
                        self.fresh(spelt, Some(held), at)
                    }
                    false => held,
                };
                let (value, then) = self.assigned(value, span)?;
                let target = self.field(held, place, at);
                self.out.push(assign(target, value, span));
                self.follow(then);
            }
            ExprKind::Index(array, number_of) => {
                let [held, number_held] = self.both(array, number_of)?;
                let keep = |writer: &mut Self, e: &Expr, value: Shared| match changes
                    && !is_fixed(e, &value)
                {
                    true => {
                        let spelt = writer.l.spelt(&e.ty);
                        writer.fresh(spelt, Some(value), at)
                    }
                    false => value,
                };
                let held = keep(self, array, held);
                let number_held = keep(self, number_of, number_held);
                let (value, then) = self.assigned(value, span)?;
                let target = self.element(held, number_held, array, at);
                self.out.push(assign(target, value, span));
                self.follow(then);
            }
            _ => {
                let target = self.value(place)?;
                let (value, then) = self.direct(value)?;
                self.out.push(assign(target, value, span));
                self.follow(then);
            }
        }
        Ok(())
    }

    /// A value for a field or an element, which is still there if somebody asks what was assigned.
    fn assigned(&mut self, value: &Expr, span: Span) -> Result<(Shared, Then), Refused> {
        let made = self.value(value)?;
        let made = match self.wanted {
            true => {
                let kept = self.simple(made, &value.ty, span);
                self.last = Some(kept.clone());
                kept
            }
            false => made,
        };
        Ok((made, None))
    }

    /// The value that the last assignment stored.
    pub(super) fn last_assigned(&mut self, span: Span) -> Shared {
        self.last.take().unwrap_or_else(|| number(0, false, span))
    }

    /// `place op= value`, `place++`: its value if that is wanted.
    pub(super) fn update(&mut self, e: &Expr, wanted: bool, span: Span) -> Result<Shared, Refused> {
        let ExprKind::Update { operator, ty, place, value, is_old } = &e.kind else {
            return self.value(e);
        };
        let at = span_of(place.span);
        // The place is evaluated once, and its old value first (JLS 15.26.2).
        let target = match &place.kind {
            ExprKind::Field(object, _) => {
                let held = self.value(object)?;
                let held = self.simple(held, &object.ty, at);
                self.field(held, place, at)
            }
            ExprKind::Index(array, number_of) => {
                let [held, number_held] = self.both(array, number_of)?;
                self.element(held, number_held, array, at)
            }
            _ => self.value(place)?,
        };
        let old = match has_effects(value) || wanted && *is_old {
            true => {
                let spelt = self.l.spelt(&place.ty);
                self.fresh(spelt, Some(target.clone()), at)
            }
            false => target.clone(),
        };
        let other = self.value(value)?;
        let worked = match place.ty == *ty {
            true => old.clone(),
            false => cast(self.l.spelt(ty).0, old.clone()),
        };
        let is_known = matches!(&value.kind, ExprKind::Constant(Constant::Integer(n)) if *n != 0);
        let result = self.operator(*operator, (worked, other), (ty, ty, is_known), span);
        let result = match place.ty == *ty {
            true => result,
            false if ty.is_floating() && place.ty.is_integral() => {
                let what = "a floating point number as a whole one".to_string();
                return Err(Refused { what, span: e.span });
            }
            false => cast(self.l.spelt(&place.ty).0, result),
        };
        let result = match wanted && !*is_old {
            true => {
                let spelt = self.l.spelt(&place.ty);
                self.fresh(spelt, Some(result), span)
            }
            false => result,
        };
        self.out.push(assign(target, result.clone(), span));
        Ok(if *is_old { old } else { result })
    }
}
