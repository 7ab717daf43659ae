//! Numbers as objects and back (JLS 5.1.7, 5.1.8), where a program is executed.

use super::body::Body;
use super::conversions::BOXES;
use super::types::widens;
use super::{Resolver, expr};
use crate::mistake::Read;
use crate::tree::Name;
use crate::typed::{ClassId, Expr, ExprKind, Type};

impl Resolver<'_> {
    /// The class whose objects stand for values of a type.
    pub(super) fn boxed(&self, ty: &Type) -> Option<ClassId> {
        let name = match ty {
            Type::Int => "Integer",
            Type::Long => "Long",
            Type::Short => "Short",
            Type::Byte => "Byte",
            Type::Char => "Character",
            Type::Boolean => "Boolean",
            Type::Float => "Float",
            Type::Double => "Double",
            _ => return None,
        };
        self.is_exact.then(|| self.library_class(name))
    }

    /// The type whose values the objects of a class stand for.
    pub(super) fn unboxed(&self, ty: &Type) -> Option<Type> {
        let Type::Class(class) = ty else { return None };
        let info = self.class(*class);
        if !self.is_exact || !info.is_library || !BOXES.contains(&info.name.as_str()) {
            return None;
        }
        Some(match info.name.as_str() {
            "Integer" => Type::Int,
            "Long" => Type::Long,
            "Short" => Type::Short,
            "Byte" => Type::Byte,
            "Character" => Type::Char,
            "Boolean" => Type::Boolean,
            "Float" => Type::Float,
            _ => Type::Double,
        })
    }

    /// Can a value stand where another type is needed, boxed or unboxed (JLS 5.3)?
    pub(super) fn is_convertible(&self, from: &Type, to: &Type) -> bool {
        if self.is_assignable(from, to) {
            return true;
        }
        match (self.boxed(from), self.unboxed(from)) {
            (Some(class), _) => self.is_assignable(&Type::Class(class), to),
            (_, Some(held)) => held == *to || widens(&held, to),
            _ => false,
        }
    }
}

impl<'u> Body<'_, 'u> {
    /// The value as an object.
    pub(super) fn boxed(&mut self, e: Expr) -> Read<Expr> {
        let Some(class) = self.r.boxed(&e.ty) else { return Ok(e) };
        let (name, span) = (Name { text: "valueOf".to_string(), span: e.span }, e.span);
        let arguments = vec![super::calls::Argument::Typed(e)];
        self.call_of(class, None, &name, arguments, (span, false))
    }

    /// The value that an object stands for, if it is one of those.
    pub(super) fn unboxed(&mut self, e: Expr) -> Read<Expr> {
        let Some(ty) = self.r.unboxed(&e.ty) else { return Ok(e) };
        let Type::Class(class) = e.ty else { return Ok(e) };
        let method = format!("{}Value", self.r.shown(&ty).trim_matches('`'));
        let (name, span) = (Name { text: method, span: e.span }, e.span);
        self.call_of(class, Some(e), &name, Vec::new(), (span, false))
    }

    /// What a conversion is where it boxes or unboxes; `None` if it does neither.
    pub(super) fn boxing(&mut self, e: &Expr, ty: &Type) -> Read<Option<Expr>> {
        if !self.r.is_convertible(&e.ty, ty) {
            return Ok(None);
        }
        if e.ty.is_reference() && !ty.is_reference() {
            let held = self.unboxed(e.clone())?;
            return self.converted(held, ty).map(Some);
        }
        if !e.ty.is_reference() && ty.is_reference() {
            let object = self.boxed(e.clone())?;
            return Ok(Some(Expr { ty: ty.clone(), ..object }));
        }
        Ok(None)
    }

    /// `(T) e`, where one is a number and the other an object.
    pub(super) fn boxing_cast(&mut self, e: Expr, ty: &Type) -> Read<Option<Expr>> {
        let span = e.span;
        if !e.ty.is_reference() && ty.is_reference() {
            let object = self.boxed(e)?;
            return self.cast(object, ty, span).map(Some);
        }
        if let Some(held) = self.r.unboxed(&e.ty) {
            let value = self.unboxed(e)?;
            debug_assert_eq!(value.ty, held);
            return self.cast(value, ty, span).map(Some);
        }
        let (true, Some(class)) = (e.ty.is_reference(), self.r.boxed(ty)) else {
            return Ok(None);
        };
        if ty.is_reference() || !matches!(e.ty, Type::Class(_)) {
            return Ok(None);
        }
        let object = expr(ExprKind::Cast(Box::new(e)), Type::Class(class), span);
        self.unboxed(object).map(Some)
    }
}
