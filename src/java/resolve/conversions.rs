//! Conversions (JLS, chapter 5), without boxing.

use super::body::Body;
use super::types::widens;
use super::{constants, expr};
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::tree;
use crate::typed::{Constant, Expr, ExprKind, Generic, Type};

/// The objects that stand for numbers.
pub(super) const BOXES: [&str; 8] =
    ["Integer", "Long", "Short", "Byte", "Character", "Boolean", "Float", "Double"];

impl<'u> Body<'_, 'u> {
    /// A value for a place of this type.
    pub(super) fn value(&mut self, e: &'u tree::Expr, ty: &Type) -> Read<Expr> {
        self.value_as(e, ty, &[])
    }

    /// A value for a place of this type with these arguments.
    pub(super) fn value_as(
        &mut self,
        e: &'u tree::Expr,
        ty: &Type,
        arguments: &[Generic],
    ) -> Read<Expr> {
        match &e.kind {
            tree::ExprKind::Lambda(parameters, body) => {
                return self.lambda(parameters, body, (ty, arguments), e.span);
            }
            tree::ExprKind::MethodReference(direct, on_first) if self.r.is_exact => {
                return self.reference((direct, on_first), (ty, arguments), e.span);
            }
            tree::ExprKind::Switch(value, groups) if self.r.is_exact => {
                let wanted = Generic { ty: ty.clone(), arguments: arguments.to_vec() };
                return self.switch_value(value, groups, wanted, e.span);
            }
            tree::ExprKind::New { .. } | tree::ExprKind::Call { .. } if self.r.is_exact => {
                self.hint = Some(Generic { ty: ty.clone(), arguments: arguments.to_vec() });
            }
            _ => {}
        }
        if let tree::ExprKind::Conditional(parts) = &e.kind
            && ty.is_reference()
        {
            let condition = self.condition(&parts[0])?;
            let then = self.value_as(&parts[1], ty, arguments)?;
            let otherwise = self.value_as(&parts[2], ty, arguments)?;
            let kind = ExprKind::Conditional(Box::new([condition, then, otherwise]));
            return Ok(expr(kind, ty.clone(), e.span));
        }
        let value = self.expression(e)?;
        self.hint = None;
        self.converted(value, ty)
    }

    /// An initial value: also `{ 1, 2 }`.
    pub(super) fn initial(&mut self, e: &'u tree::Expr, ty: &Type) -> Read<Expr> {
        self.initial_as(e, ty, &[])
    }

    /// An initial value of a place of a type with these arguments.
    pub(super) fn initial_as(
        &mut self,
        e: &'u tree::Expr,
        ty: &Type,
        arguments: &[Generic],
    ) -> Read<Expr> {
        let tree::ExprKind::Values(list) = &e.kind else {
            return self.value_as(e, ty, arguments);
        };
        let Type::Array(element) = ty else {
            return wrong(e.span, Wrong::Expected("a value, not an array's"));
        };
        let list: Read<Vec<Expr>> =
            list.iter().map(|e| self.initial_as(e, element, arguments)).collect();
        Ok(expr(ExprKind::ArrayOf(list?), ty.clone(), e.span))
    }

    /// The value in a place of this type (JLS 5.2).
    pub(super) fn converted(&mut self, e: Expr, ty: &Type) -> Read<Expr> {
        if e.ty == *ty {
            return Ok(e);
        }
        let span = e.span;
        if widens(&e.ty, ty) {
            return Ok(expr(ExprKind::Convert(Box::new(e)), ty.clone(), span));
        }
        // A constant that fits may be narrowed.
        if matches!(e.ty, Type::Byte | Type::Short | Type::Char | Type::Int)
            && let Some(Constant::Integer(value)) = constants::value_of(&e)
            && fits(value, ty)
        {
            return Ok(expr(ExprKind::Constant(Constant::Integer(value)), ty.clone(), span));
        }
        if self.r.is_exact
            && let Some(made) = self.boxing(&e, ty)?
        {
            return Ok(made);
        }
        // `Byte b = 1`
        if let (Some(held), Some(Constant::Integer(n))) =
            (self.r.unboxed(ty), constants::value_of(&e))
            && fits(n, &held)
            && e.ty == Type::Int
        {
            let narrow = expr(ExprKind::Constant(Constant::Integer(n)), held, span);
            return self.boxed(narrow);
        }
        if !self.r.is_assignable(&e.ty, ty) {
            return self.mismatch(&e, ty);
        }
        self.refer(e, ty)
    }

    /// A reference as one of another type. Their objects are of one family then.
    pub(super) fn refer(&mut self, e: Expr, ty: &Type) -> Read<Expr> {
        let span = e.span;
        self.join(&e.ty, ty, span)?;
        let is_typed = matches!(
            e.kind,
            ExprKind::NewArray(_)
                | ExprKind::ArrayOf(_)
                | ExprKind::Constants(_)
                | ExprKind::Cast(_)
        );
        // What these do follows from their type.
        if self.r.is_exact && is_typed && e.ty != *ty {
            let arguments = e.arguments.clone();
            return Ok(Expr { arguments, ..expr(ExprKind::Sequence(vec![e]), ty.clone(), span) });
        }
        Ok(Expr { ty: ty.clone(), ..e })
    }

    pub(super) fn join(&mut self, from: &Type, to: &Type, span: crate::span::Span) -> Read<()> {
        match (from, to) {
            _ if self.r.is_exact => Ok(()),
            (Type::Null, _) | (_, Type::Null) => Ok(()),
            (Type::Class(from), Type::Class(to)) => {
                self.r.unify(*from, *to);
                Ok(())
            }
            (a, b) if a == b => Ok(()),
            // Storing into it may throw an `ArrayStoreException`.
            (Type::Array(_), Type::Array(_)) => {
                let (from, to) = (self.r.shown(from), self.r.shown(to));
                not_read(span, format!("{from} as {to}"))
            }
            (from, _) => not_read(span, format!("{} as an `Object`", self.r.shown(from))),
        }
    }

    /// The value has the wrong type, or one that is not read.
    pub(super) fn mismatch<T>(&self, e: &Expr, ty: &Type) -> Read<T> {
        let is_box = |ty: &Type| match ty {
            Type::Class(class) => {
                let info = self.r.class(*class);
                info.is_library && BOXES.contains(&info.name.as_str()) || *class == self.r.object
            }
            _ => false,
        };
        let is_simple = |ty: &Type| ty.is_numeric() || *ty == Type::Boolean;
        if is_simple(&e.ty) && is_box(ty) || is_simple(ty) && is_box(&e.ty) {
            return not_read(e.span, "a number as an object");
        }
        let is_erased = match &e.kind {
            ExprKind::Call { method, .. } => self.r.methods[method.index()].is_erased,
            ExprKind::Field(_, field) => self.r.fields[field.index()].is_erased,
            ExprKind::Index(..) => e.ty == Type::Class(self.r.object),
            _ => false,
        };
        if is_erased {
            return not_read(e.span, "a value whose type is a parameter of a generic class");
        }
        let (found, needed) = (self.r.shown(&e.ty), self.r.shown(ty));
        wrong(e.span, Wrong::Type { found, needed })
    }

    /// `(T) e`
    pub(super) fn cast(&mut self, e: Expr, ty: &Type, span: crate::span::Span) -> Read<Expr> {
        if e.ty == *ty {
            return Ok(Expr { span, ..e });
        }
        if e.ty.is_numeric() && ty.is_numeric() {
            if e.ty.is_floating() && ty.is_integral() && !self.r.is_exact {
                return not_read(span, "a floating point number as a whole one");
            }
            return Ok(expr(ExprKind::Convert(Box::new(e)), ty.clone(), span));
        }
        if self.r.is_exact && e.ty.is_reference() != ty.is_reference() {
            let shown = e.clone();
            return match self.boxing_cast(e, ty)? {
                Some(made) => Ok(made),
                None => self.mismatch(&shown, ty),
            };
        }
        if !(e.ty.is_reference() && ty.is_reference()) {
            return self.mismatch(&e, ty);
        }
        if self.r.is_assignable(&e.ty, ty) {
            return self.refer(Expr { span, ..e }, ty);
        }
        match (&e.ty, ty) {
            (Type::Class(from), Type::Class(to)) => {
                let (from, to) = (*from, *to);
                let can_be = self.r.is_subclass(to, from)
                    || self.r.class(from).kind == tree::Kind::Interface
                    || self.r.class(to).kind == tree::Kind::Interface;
                if !can_be {
                    return self.mismatch(&e, ty);
                }
                self.r.unify(from, to);
                Ok(expr(ExprKind::Cast(Box::new(e)), ty.clone(), span))
            }
            _ if self.r.is_exact && self.r.can_be_cast(&e.ty, ty) => {
                Ok(expr(ExprKind::Cast(Box::new(e)), ty.clone(), span))
            }
            _ => {
                let what = format!("a cast of {} to {}", self.r.shown(&e.ty), self.r.shown(ty));
                not_read(span, what)
            }
        }
    }
}

/// Does a type hold this number?
pub(super) fn fits(value: i64, ty: &Type) -> bool {
    match ty {
        Type::Byte => i8::try_from(value).is_ok(),
        Type::Short => i16::try_from(value).is_ok(),
        Type::Char => u16::try_from(value).is_ok(),
        _ => false,
    }
}

/// The type in which an operator works on one number (JLS 5.6.1).
pub(super) fn promoted(ty: &Type) -> Type {
    match ty {
        Type::Byte | Type::Short | Type::Char => Type::Int,
        other => other.clone(),
    }
}

/// The type in which an operator works on two numbers (JLS 5.6.2).
pub(super) fn promoted_both(one: &Type, other: &Type) -> Type {
    for ty in [Type::Double, Type::Float, Type::Long] {
        if *one == ty || *other == ty {
            return ty;
        }
    }
    Type::Int
}
