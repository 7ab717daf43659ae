//! Expressions: what they do becomes statements, in Java's order; their values have no effects.

use super::build::{
    assign, binary, cast, choice, exactly, expr, member, named, not, number, span_of, truth, when,
};
use super::lower::{LENGTH, SOME_TEXT, THIS};
use super::objects::Refused;
use super::statements::is_leaf;
use super::survey::operands;
use super::writer::Writer;
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Expr as Shared, ExprKind as SharedKind, Size, TypeName, UnaryOp,
};
use faultline_java::{Binary, ClassId, Constant, Expr, ExprKind, MethodId, Type, Unary};

/// Values deeper than this are stored.
const DEEP: u16 = 12;

/// What may be thrown by a call that a statement ends with.
pub(super) type Then = Option<(MethodId, Span)>;

impl Writer<'_, '_> {
    /// What follows the statement with a call.
    pub(super) fn follow(&mut self, then: Then) {
        if let Some((method, span)) = then {
            self.after_call(method, span);
        }
    }

    /// A value for a place of the statement that is written next: it may be a call.
    pub(super) fn direct(&mut self, e: &Expr) -> Result<(Shared, Then), Refused> {
        let span = span_of(e.span);
        match &e.kind {
            ExprKind::Call { method, receiver, is_virtual, arguments } => {
                self.call(*method, receiver.as_deref(), *is_virtual, arguments, (&e.ty, span))
            }
            ExprKind::Open => Ok((choice(span), None)),
            _ => Ok((self.value(e)?, None)),
        }
    }

    /// The value, without effects.
    pub(super) fn value(&mut self, e: &Expr) -> Result<Shared, Refused> {
        let span = span_of(e.span);
        let value = self.any_value(e, span)?;
        Ok(match value.depth > DEEP {
            true => {
                let spelt = self.l.spelt(&e.ty);
                self.fresh(spelt, Some(value), span)
            }
            false => value,
        })
    }

    fn any_value(&mut self, e: &Expr, span: Span) -> Result<Shared, Refused> {
        Ok(match &e.kind {
            ExprKind::Constant(value) => self.constant(*value, &e.ty, span),
            ExprKind::Null => number(0, false, span),
            ExprKind::Text(text) => {
                let (ty, _) = self.l.spelt(&Type::String);
                exactly(self.l.text_number(text), ty, span)
            }
            ExprKind::Texted(list) => {
                list.iter().try_for_each(|e| self.evaluate(e))?;
                let (ty, _) = self.l.spelt(&Type::String);
                exactly(SOME_TEXT, ty, span)
            }
            ExprKind::Shown(object, method) => self.shown_object(object, *method, span)?,
            ExprKind::This => named(THIS, span),
            ExprKind::Local(local) => named(&self.names[local.index()], span),
            ExprKind::Static(field) => {
                self.initialise(self.l.program.fields[field.index()].class, span);
                named(self.l.field_name(*field), span)
            }
            ExprKind::Enumerated(class, n) => {
                self.initialise(*class, span);
                let (ty, _) = self.l.spelt(&e.ty);
                exactly(u64::from(*n), ty, span)
            }
            ExprKind::Field(object, _) => {
                let held = self.value(object)?;
                self.field(held, e, span)
            }
            ExprKind::Length(array) => {
                let held = self.value(array)?;
                let held = self.simple(held, &array.ty, span);
                if self.l.array(&array.ty).is_none() {
                    return Ok(self.of_nothing(&held, array, &e.ty, span));
                }
                self.check_null(&held, array, span, false);
                member(held, LENGTH, span)
            }
            ExprKind::Index(array, at) => {
                let [array_value, at_value] = self.both(array, at)?;
                self.element(array_value, at_value, array, span)
            }
            ExprKind::Call { method, .. } => {
                let (value, then) = self.direct(e)?;
                let spelt = self.l.spelt(&self.l.program.methods[method.index()].result);
                let kept = self.fresh(spelt, Some(value), span);
                self.follow(then);
                kept
            }
            ExprKind::New { class, presets, constructor, arguments } => {
                self.new_object(*class, presets, (*constructor, arguments), span)?
            }
            ExprKind::NewArray(lengths) => self.new_array(lengths, &e.ty, span)?,
            ExprKind::ArrayOf(list) => self.array_of(list, &e.ty, span)?,
            ExprKind::Constants(class) => self.constants(*class, &e.ty, span)?,
            ExprKind::Unary(operator, inner) => {
                let value = self.value(inner)?;
                match operator {
                    Unary::Plus => value,
                    Unary::Not => not(value),
                    Unary::Minus => expr(SharedKind::Unary(UnaryOp::Minus, Box::new(value)), span),
                    Unary::Tilde => expr(SharedKind::Unary(UnaryOp::Tilde, Box::new(value)), span),
                }
            }
            ExprKind::Binary(operator @ (Binary::AndThen | Binary::OrElse), left, right) => {
                self.lazy(*operator, left, right, span)?
            }
            ExprKind::Binary(operator, left, right) => {
                let [a, b] = self.both(left, right)?;
                let is_known =
                    matches!(&right.kind, ExprKind::Constant(Constant::Integer(n)) if *n != 0);
                self.operator(*operator, (a, b), (&left.ty, &e.ty, is_known), span)
            }
            ExprKind::Assign(place, value) => {
                let outer = std::mem::replace(&mut self.wanted, true);
                let done = self.assign(place, value, span);
                self.wanted = outer;
                done?;
                // The place has the value now; its index may have changed since.
                match &place.kind {
                    ExprKind::Local(_) | ExprKind::Static(_) => self.value(place)?,
                    _ => self.last_assigned(span),
                }
            }
            ExprKind::Update { .. } => self.update(e, true, span)?,
            ExprKind::Conditional(parts) => self.conditional(parts, &e.ty, span)?,
            ExprKind::Convert(inner) => {
                let value = self.value(inner)?;
                let (ty, _) = self.l.spelt(&e.ty);
                Shared { span, ..cast(ty, value) }
            }
            ExprKind::Cast(inner) => self.cast_reference(inner, &e.ty, span)?,
            ExprKind::InstanceOf(inner, ty) => {
                let value = self.value(inner)?;
                let value = self.simple(value, &inner.ty, span);
                match self.instance(&value, &inner.ty, ty, span) {
                    Some(test) => test,
                    None => self.is_there(&value, &inner.ty, span),
                }
            }
            ExprKind::Open => {
                let spelt = self.l.spelt(&e.ty);
                self.fresh(spelt, Some(choice(span)), span)
            }
            ExprKind::MayFail => match self.l.catches {
                true => self.fresh((TypeName::Bool, 0), Some(choice(span)), span),
                false => truth(false, span),
            },
            ExprKind::Ordinal(inner) => {
                let value = self.value(inner)?;
                let value = self.simple(value, &inner.ty, span);
                self.check_null(&value, inner, span, true);
                let int = self.l.spelt(&Type::Int).0;
                binary(BinaryOp::Subtract, cast(int, value), number(1, false, span))
            }
            ExprKind::Sequence(list) => {
                let Some((last, first)) = list.split_last() else {
                    return Ok(number(0, false, span));
                };
                first.iter().try_for_each(|e| self.evaluate(e))?;
                self.value(last)?
            }
            ExprKind::Assume(_) | ExprKind::Output(_) | ExprKind::Exit(_) => {
                self.effect(e, span)?;
                number(0, false, span)
            }
            // What is read for an analysis has neither.
            ExprKind::Position(..) => {
                return Err(Refused { what: "a `switch` over texts".to_string(), span: e.span });
            }
            ExprKind::After(..) => {
                let what = "a `switch` whose value is used".to_string();
                return Err(Refused { what, span: e.span });
            }
        })
    }

    fn constant(&self, value: Constant, ty: &Type, span: Span) -> Shared {
        match value {
            Constant::Truth(value) => truth(value, span),
            Constant::Floating(value) => match ty {
                Type::Float => {
                    exactly(u64::from((value as f32).to_bits()), self.l.spelt(ty).0, span)
                }
                _ => exactly(value.to_bits(), self.l.spelt(ty).0, span),
            },
            Constant::Integer(n) => match ty {
                Type::Long => match n == i64::MIN {
                    true => exactly(1 << 63, TypeName::Exact { width: 64, signed: true }, span),
                    false => number(n, true, span),
                },
                Type::Int if n == i64::from(i32::MIN) => {
                    cast(self.l.spelt(ty).0, number(n, false, span))
                }
                Type::Int => number(n, false, span),
                _ => cast(self.l.spelt(ty).0, number(n, false, span)),
            },
        }
    }

    /// Two operands, the first of which keeps its value while the second one is evaluated.
    pub(super) fn both(&mut self, one: &Expr, other: &Expr) -> Result<[Shared; 2], Refused> {
        let mut made = self.values(&[one, other])?.into_iter();
        let nothing = || number(0, false, span_of(one.span));
        Ok([made.next().unwrap_or_else(nothing), made.next().unwrap_or_else(nothing)])
    }

    /// Operands, in their order. Each keeps its value while the next are evaluated.
    pub(super) fn values(&mut self, list: &[&Expr]) -> Result<Vec<Shared>, Refused> {
        let mut made = Vec::with_capacity(list.len());
        for (k, e) in list.iter().enumerate() {
            let value = self.value(e)?;
            let changes = list[k + 1..].iter().any(|later| has_effects(later));
            made.push(match changes && !is_fixed(e, &value) {
                true => {
                    let spelt = self.l.spelt(&e.ty);
                    self.fresh(spelt, Some(value), span_of(e.span))
                }
                false => value,
            });
        }
        Ok(made)
    }

    /// The value, in a variable unless it is one, or a number.
    pub(super) fn simple(&mut self, value: Shared, ty: &Type, span: Span) -> Shared {
        match is_leaf(&value) {
            true => value,
            false => {
                let spelt = self.l.spelt(ty);
                self.fresh(spelt, Some(value), span)
            }
        }
    }

    /// `null` has no members. The lowering of memory checks what is followed; where nothing is,
    /// or where the exception is caught, that is checked here.
    pub(super) fn check_null(&mut self, value: &Shared, of: &Expr, span: Span, always: bool) {
        let is_there = matches!(
            of.kind,
            ExprKind::This
                | ExprKind::New { .. }
                | ExprKind::NewArray(_)
                | ExprKind::ArrayOf(_)
                | ExprKind::Enumerated(..)
                | ExprKind::Text(_)
        );
        let is_caught = self.l.implicit.contains_key("NullPointerException");
        if is_there || !always && !is_caught {
            return;
        }
        let holds = self.is_there(value, &of.ty, span);
        self.require(holds, "NullPointerException", span);
    }

    pub(super) fn is_there(&self, value: &Shared, ty: &Type, span: Span) -> Shared {
        let null = match ty {
            Type::Class(class) => self.l.null(self.l.family(*class).held, span),
            Type::String => exactly(0, self.l.spelt(ty).0, span),
            Type::Array(_) if self.l.array(ty).is_none() => exactly(0, self.l.spelt(ty).0, span),
            _ => number(0, false, span),
        };
        let e = binary(BinaryOp::NotEqual, value.clone(), null);
        Shared { span, ..e }
    }

    /// `&&` and `||`
    fn lazy(
        &mut self,
        operator: Binary,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Result<Shared, Refused> {
        let a = self.value(left)?;
        let (before, b) = self.apart(|writer| writer.value(right))?;
        let is_and = operator == Binary::AndThen;
        if before.is_empty() {
            let op = if is_and { BinaryOp::LogicalAnd } else { BinaryOp::LogicalOr };
            return Ok(Shared { span, ..binary(op, a, b) });
        }
        let kept = self.fresh((TypeName::Bool, 0), Some(a), span_of(left.span));
        let goes_on = if is_and { kept.clone() } else { not(kept.clone()) };
        let mut then = before;
        then.push(assign(kept.clone(), b, span_of(right.span)));
        self.out.push(when(goes_on, then, span));
        Ok(kept)
    }

    fn conditional(&mut self, parts: &[Expr; 3], ty: &Type, span: Span) -> Result<Shared, Refused> {
        let condition = self.value(&parts[0])?;
        let (first, then) = self.apart(|writer| writer.value(&parts[1]))?;
        let (second, otherwise) = self.apart(|writer| writer.value(&parts[2]))?;
        if first.is_empty() && second.is_empty() && !ty.is_reference() {
            let parts = Box::new([condition, then, otherwise]);
            return Ok(expr(SharedKind::Conditional(parts), span));
        }
        let spelt = self.l.spelt(ty);
        let kept = self.fresh(spelt, None, span);
        let set = |mut before: Vec<_>, value: Shared| {
            let at = value.span;
            before.push(assign(kept.clone(), value, at));
            before
        };
        let (first, second) = (set(first, then), set(second, otherwise));
        self.out.push(super::build::if_else(condition, first, second, span));
        Ok(kept)
    }

    /// An operator with the values of its operands.
    pub(super) fn operator(
        &mut self,
        operator: Binary,
        (a, b): (Shared, Shared),
        (operand, result, is_known): (&Type, &Type, bool),
        span: Span,
    ) -> Shared {
        let op = match operator {
            Binary::Add => BinaryOp::Add,
            Binary::Subtract => BinaryOp::Subtract,
            Binary::Multiply => BinaryOp::Multiply,
            Binary::Divide => BinaryOp::Divide,
            Binary::Remainder => BinaryOp::Remainder,
            Binary::ShiftLeft => BinaryOp::ShiftLeft,
            Binary::ShiftRight | Binary::ShiftRightUnsigned => BinaryOp::ShiftRight,
            Binary::Less => BinaryOp::Less,
            Binary::LessEqual => BinaryOp::LessEqual,
            Binary::Greater => BinaryOp::Greater,
            Binary::GreaterEqual => BinaryOp::GreaterEqual,
            Binary::Equal => BinaryOp::Equal,
            Binary::NotEqual => BinaryOp::NotEqual,
            Binary::And => BinaryOp::BitAnd,
            Binary::Or => BinaryOp::BitOr,
            Binary::Xor => BinaryOp::BitXor,
            Binary::AndThen => BinaryOp::LogicalAnd,
            Binary::OrElse => BinaryOp::LogicalOr,
        };
        let divides = matches!(operator, Binary::Divide | Binary::Remainder);
        if divides && operand.is_integral() && !is_known {
            let b = self.simple(b, operand, span);
            if self.l.implicit.contains_key("ArithmeticException") {
                let holds = binary(BinaryOp::NotEqual, b.clone(), number(0, false, span));
                self.require(Shared { span, ..holds }, "ArithmeticException", span);
            }
            return Shared { span, ..binary(op, a, b) };
        }
        let value = match operator {
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightUnsigned => {
                let width = if *operand == Type::Long { 2 * self.l.bits } else { self.l.bits };
                // Only the last bits of the count count (JLS 15.19).
                let count = match width.is_power_of_two() {
                    true => {
                        let mask = number(i64::from(width) - 1, false, span);
                        binary(BinaryOp::BitAnd, b, mask)
                    }
                    false => b,
                };
                match operator {
                    Binary::ShiftRightUnsigned => {
                        let size = if *operand == Type::Long { Size::Long } else { Size::Int };
                        let a = cast(TypeName::Integer { size, signed: false }, a);
                        cast(self.l.spelt(result).0, binary(op, a, count))
                    }
                    _ => binary(op, a, count),
                }
            }
            _ => binary(op, a, b),
        };
        Shared { span, ..value }
    }

    /// Is it an object of this type? `None` if every object is one.
    pub(super) fn instance(
        &self,
        value: &Shared,
        from: &Type,
        to: &Type,
        span: Span,
    ) -> Option<Shared> {
        let (Type::Class(from), Type::Class(to)) = (from, to) else { return None };
        let family = self.l.family(*from);
        let fits: Vec<ClassId> = self.l.classes_below(*to);
        let can_be = self.l.classes_below(*from);
        if can_be.iter().all(|class| fits.contains(class)) {
            return None;
        }
        let test = match self.l.tag(value, family) {
            None => truth(!fits.is_empty(), span),
            Some(_) => self.l.is_one_of(value, family, &fits),
        };
        let there = self.l.not_null(value, family.held);
        Some(Shared { span, ..binary(BinaryOp::LogicalAnd, there, test) })
    }

    fn cast_reference(&mut self, inner: &Expr, ty: &Type, span: Span) -> Result<Shared, Refused> {
        let value = self.value(inner)?;
        let value = self.simple(value, &inner.ty, span);
        if let Some(test) = self.instance(&value, &inner.ty, ty, span) {
            let there = self.is_there(&value, &inner.ty, span);
            let holds = binary(BinaryOp::LogicalOr, not(there), test);
            self.require(Shared { span, ..holds }, "ClassCastException", span);
        }
        Ok(value)
    }

    /// What `toString` says of an object.
    fn shown_object(
        &mut self,
        object: &Expr,
        method: MethodId,
        span: Span,
    ) -> Result<Shared, Refused> {
        let value = self.value(object)?;
        let value = self.simple(value, &object.ty, span);
        let there = self.is_there(&value, &object.ty, span);
        let (then, ()) = self.apart(|writer| {
            let receiver = (value.clone(), object);
            let (value, then) =
                writer.call_on(method, receiver, (true, Vec::new()), (&Type::String, span))?;
            if !is_leaf(&value) {
                writer.out.push(super::build::effect(value));
            }
            writer.follow(then);
            Ok(())
        })?;
        self.out.push(when(there, then, span));
        let (ty, _) = self.l.spelt(&Type::String);
        Ok(exactly(SOME_TEXT, ty, span))
    }
}

/// Can the evaluation change what another expression reads?
pub(super) fn has_effects(e: &Expr) -> bool {
    let own = matches!(
        e.kind,
        ExprKind::Call { .. }
            | ExprKind::Assign(..)
            | ExprKind::Update { .. }
            | ExprKind::New { .. }
            | ExprKind::Static(_)
            | ExprKind::Shown(..)
            | ExprKind::Assume(_)
            | ExprKind::Exit(_)
            | ExprKind::Output(_)
    );
    own || operands(e).into_iter().any(has_effects)
}

/// Does nothing change the value?
pub(super) fn is_fixed(e: &Expr, value: &Shared) -> bool {
    match &e.kind {
        ExprKind::Constant(_)
        | ExprKind::Null
        | ExprKind::Text(_)
        | ExprKind::This
        | ExprKind::Enumerated(..)
        | ExprKind::Open => true,
        // A variable of its own holds it.
        ExprKind::Call { .. } | ExprKind::New { .. } | ExprKind::NewArray(_) => is_leaf(value),
        _ => matches!(
            value.kind,
            SharedKind::Number(..) | SharedKind::Exactly(..) | SharedKind::Truth(_)
        ),
    }
}
