//! Names of variables and fields, and what stands behind a point.

use super::body::Body;
use super::{Resolver, expr};
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::span::Span;
use crate::tree::{self, Kind, Name};
use crate::typed::{ClassId, Expr, ExprKind, FieldId, LocalId, Type};

/// What a name, or a name behind a point, stands for.
pub(super) enum Meaning {
    Value(Expr),
    Class(ClassId),
}

impl<'u> Resolver<'u> {
    /// A field that a class has or inherits (JLS 8.3).
    pub(super) fn find_field(&self, class: ClassId, name: &str) -> Option<FieldId> {
        let mut stack = vec![class];
        let mut left = 1000;
        while let Some(at) = stack.pop() {
            let info = self.class(at);
            let mut own = info.fields.iter().copied();
            if let Some(found) = own.find(|f| self.fields[f.index()].name == name) {
                return Some(found);
            }
            left -= 1;
            if left == 0 {
                return None;
            }
            stack.extend(info.superclass);
            stack.extend(info.interfaces.iter().copied());
        }
        None
    }
}

impl<'u> Body<'_, 'u> {
    pub(super) fn local(&self, id: LocalId, span: Span) -> Expr {
        let arguments = self.generics[id.index()].clone();
        let ty = self.locals[id.index()].ty.clone();
        Expr { arguments, ..expr(ExprKind::Local(id), ty, span) }
    }

    /// A name: a variable, a field of this class or of one around it, or a class.
    pub(super) fn name(&mut self, name: &str, span: Span) -> Read<Meaning> {
        let found = self.names.iter().rev().find(|(known, _)| known == name);
        if let Some((_, id)) = found {
            return Ok(Meaning::Value(self.local(*id, span)));
        }
        let mut object = (!self.is_static).then(|| self.this(span));
        let mut next = Some(self.class);
        while let Some(at) = next {
            let captured = self.r.class(at).captures.iter().find(|(known, _)| known == name);
            if let Some((_, field)) = captured {
                let field = *field;
                return self.field(object, field, span).map(Meaning::Value);
            }
            if let Some(value) = self.enumerated(at, name, span)? {
                return Ok(Meaning::Value(value));
            }
            if let Some(field) = self.r.find_field(at, name) {
                return self.field(object, field, span).map(Meaning::Value);
            }
            (object, next) = self.outwards(object, at, span);
        }
        let imported = self.r.static_imports.iter().rev();
        for (class, member) in imported.filter(|(_, member)| member == name || member == "*") {
            let _ = member;
            let Some(class) = self.r.class_named(self.class, class) else { continue };
            if let Some(value) = self.enumerated(class, name, span)? {
                return Ok(Meaning::Value(value));
            }
            if let Some(field) = self.r.find_field(class, name) {
                return self.field(None, field, span).map(Meaning::Value);
            }
        }
        if let Some((_, class)) = self.classes.iter().rev().find(|(known, _)| known == name) {
            return Ok(Meaning::Class(*class));
        }
        match self.r.class_named(self.class, name) {
            Some(class) => Ok(Meaning::Class(class)),
            None => wrong(span, Wrong::Unknown(name.to_string())),
        }
    }

    /// The object and the class around an object of a class.
    pub(super) fn outwards(
        &mut self,
        object: Option<Expr>,
        class: ClassId,
        span: Span,
    ) -> (Option<Expr>, Option<ClassId>) {
        let info = self.r.class(class);
        let outer = info.outer;
        let object = match (object, info.around, outer) {
            (Some(object), Some(around), Some(outer)) => {
                let kind = ExprKind::Field(Box::new(object), around);
                Some(expr(kind, Type::Class(outer), span))
            }
            _ => None,
        };
        (object, outer)
    }

    /// A constant of an enumeration.
    fn enumerated(&mut self, class: ClassId, name: &str, span: Span) -> Read<Option<Expr>> {
        let position = self.r.class(class).constants.iter().position(|known| known == name);
        let Some(position) = position else { return Ok(None) };
        self.r.touch(class, span)?;
        self.r.make(class);
        if let Some(declaration) = self.r.class(class).declaration
            && let Some(constant) = declaration.constants.get(position)
            && constant.body.is_some()
        {
            return not_read(constant.name.span, "a constant with methods of its own");
        }
        let kind = ExprKind::Enumerated(class, position as u32 + 1);
        Ok(Some(expr(kind, Type::Class(class), span)))
    }

    /// A field, of an object if it is not static.
    pub(super) fn field(&mut self, object: Option<Expr>, field: FieldId, span: Span) -> Read<Expr> {
        let info = &self.r.fields[field.index()];
        let (ty, class, is_static) = (info.ty.clone(), info.class, info.is_static);
        if is_static {
            if let Some(value) = self.r.constant_of(field) {
                return Ok(expr(ExprKind::Constant(value), ty, span));
            }
            self.r.fields[field.index()].is_used = true;
            self.r.touch(class, span)?;
            let value = expr(ExprKind::Static(field), ty, span);
            return Ok(self.instantiated_field(value, field, None));
        }
        self.r.fields[field.index()].is_used = true;
        let Some(object) = object else {
            return wrong(span, Wrong::Rule("there is no object here"));
        };
        let of = object.generic();
        let object = self.refer(object, &Type::Class(class))?;
        let value = expr(ExprKind::Field(Box::new(object), field), ty, span);
        Ok(self.instantiated_field(value, field, Some(&of)))
    }

    /// An expression that may be the name of a class.
    pub(super) fn meaning(&mut self, e: &'u tree::Expr) -> Read<Meaning> {
        match &e.kind {
            tree::ExprKind::Name(name) => self.name(name, e.span),
            tree::ExprKind::Member(target, name) => {
                // `a.b.C`, whose first parts are packages.
                if let Some(parts) = path(e)
                    && let Some(first) = parts.first()
                    && let Err(no) = self.name(first, e.span)
                {
                    return match self.r.class_of_name(self.class, &parts) {
                        Some(class) => Ok(Meaning::Class(class)),
                        None => match self.member_of_path(&parts, name, e.span)? {
                            Some(found) => Ok(found),
                            None => Err(no),
                        },
                    };
                }
                match self.meaning(target)? {
                    Meaning::Class(class) => self.member_of_class(class, name, e.span),
                    Meaning::Value(value) => {
                        self.member_of_value(value, name, e.span).map(Meaning::Value)
                    }
                }
            }
            _ => self.expression(e).map(Meaning::Value),
        }
    }

    /// `package.Class.member`
    fn member_of_path(
        &mut self,
        parts: &[String],
        name: &Name,
        span: Span,
    ) -> Read<Option<Meaning>> {
        match self.r.class_of_name(self.class, &parts[..parts.len() - 1]) {
            Some(class) => self.member_of_class(class, name, span).map(Some),
            None => Ok(None),
        }
    }

    fn member_of_class(&mut self, class: ClassId, name: &Name, span: Span) -> Read<Meaning> {
        if name.text == "this" {
            let mut object = (!self.is_static).then(|| self.this(span));
            let mut next = Some(self.class);
            while let Some(at) = next {
                if at == class
                    && let Some(object) = object
                {
                    return Ok(Meaning::Value(object));
                }
                (object, next) = self.outwards(object.take(), at, span);
            }
            return wrong(span, Wrong::Rule("there is no object here"));
        }
        if let Some(value) = self.enumerated(class, &name.text, span)? {
            return Ok(Meaning::Value(value));
        }
        if let Some(field) = self.r.find_field(class, &name.text) {
            return self.field(None, field, span).map(Meaning::Value);
        }
        if let Some(inner) = self.r.member_class(class, &name.text) {
            return Ok(Meaning::Class(inner));
        }
        let info = self.r.class(class);
        match info.is_library {
            true => not_read(span, format!("`{}.{}`", info.name, name.text)),
            false => wrong(name.span, Wrong::Unknown(name.text.clone())),
        }
    }

    fn member_of_value(&mut self, value: Expr, name: &Name, span: Span) -> Read<Expr> {
        match &value.ty {
            Type::Array(_) if name.text == "length" => {
                Ok(expr(ExprKind::Length(Box::new(value)), Type::Int, span))
            }
            Type::Class(class) => {
                let class = *class;
                if let Some(field) = self.r.find_field(class, &name.text) {
                    if !self.r.fields[field.index()].is_static {
                        return self.field(Some(value), field, span);
                    }
                    let found = self.field(None, field, span)?;
                    let ty = found.ty.clone();
                    return Ok(expr(ExprKind::Sequence(vec![value, found]), ty, span));
                }
                let info = self.r.class(class);
                match info.is_library && info.kind == Kind::Class {
                    true => not_read(span, format!("`{}.{}`", info.name, name.text)),
                    false => wrong(name.span, Wrong::Unknown(name.text.clone())),
                }
            }
            Type::String => not_read(span, format!("`String.{}`", name.text)),
            other => {
                let found = self.r.shown(other);
                wrong(value.span, Wrong::Type { found, needed: "an object".to_string() })
            }
        }
    }
}

/// The parts of `a.b.c`.
fn path(e: &tree::Expr) -> Option<Vec<String>> {
    match &e.kind {
        tree::ExprKind::Name(name) => Some(vec![name.clone()]),
        tree::ExprKind::Member(target, name) => {
            let mut parts = path(target)?;
            parts.push(name.text.clone());
            Some(parts)
        }
        _ => None,
    }
}
