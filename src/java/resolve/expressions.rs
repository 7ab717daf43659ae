//! Expressions.

use super::body::Body;
use super::expr;
use super::names::Meaning;
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::tree::{self, ExprKind as Spelt};
use crate::typed::{Constant, Expr, ExprKind, Type};

impl<'u> Body<'_, 'u> {
    /// An expression of which only the effects matter.
    pub(super) fn effect(&mut self, e: &'u tree::Expr) -> Read<Expr> {
        match &e.kind {
            Spelt::Call { .. }
            | Spelt::New { .. }
            | Spelt::Assign(..)
            | Spelt::Step { .. }
            | Spelt::Construct { .. } => self.expression(e),
            _ => wrong(e.span, Wrong::Expected("a statement")),
        }
    }

    pub(super) fn expression(&mut self, e: &'u tree::Expr) -> Read<Expr> {
        let span = e.span;
        let constant = |value, ty| Ok(expr(ExprKind::Constant(value), ty, span));
        match &e.kind {
            Spelt::Integer { value, long, decimal } => {
                let value = *value;
                let fits = match (long, decimal) {
                    (true, true) => value <= 1 << 63,
                    (true, false) => true,
                    (false, true) => value <= 1 << 31,
                    (false, false) => u32::try_from(value).is_ok(),
                };
                match (fits, long) {
                    (false, _) => wrong(span, Wrong::TooLarge),
                    (true, true) => constant(Constant::Integer(value as i64), Type::Long),
                    (true, false) => {
                        constant(Constant::Integer(i64::from(value as u32 as i32)), Type::Int)
                    }
                }
            }
            Spelt::Floating { value, single } => {
                let ty = if *single { Type::Float } else { Type::Double };
                constant(Constant::Floating(*value), ty)
            }
            Spelt::Character(c) => constant(Constant::Integer(i64::from(*c)), Type::Char),
            Spelt::Truth(value) => constant(Constant::Truth(*value), Type::Boolean),
            Spelt::Text(text) => Ok(expr(ExprKind::Text(text.clone()), Type::String, span)),
            Spelt::Null => Ok(expr(ExprKind::Null, Type::Null, span)),
            Spelt::This if self.is_static => wrong(span, Wrong::Rule("there is no object here")),
            Spelt::This => {
                // The object of a lambda is nobody's `this`.
                let mut object = self.this(span);
                let mut class = self.class;
                while self.r.class(class).is_lambda {
                    match self.outwards(Some(object), class, span) {
                        (Some(outer), Some(at)) => (object, class) = (outer, at),
                        _ => return wrong(span, Wrong::Rule("there is no object here")),
                    }
                }
                Ok(object)
            }
            Spelt::Name(_) | Spelt::Member(..) => match self.meaning_of(e)? {
                Meaning::Value(value) => Ok(value),
                Meaning::Class(_) => wrong(span, Wrong::Expected("a value, not a class")),
            },
            Spelt::Index(array, index) => {
                let array = self.expression(array)?;
                let index = self.expression(index)?;
                let index = self.converted(index, &Type::Int)?;
                let Type::Array(element) = array.ty.clone() else {
                    let found = self.r.shown(&array.ty);
                    let needed = "an array".to_string();
                    return wrong(array.span, Wrong::Type { found, needed });
                };
                let arguments = array.arguments.clone();
                let kind = ExprKind::Index(Box::new(array), Box::new(index));
                Ok(Expr { arguments, ..expr(kind, *element, span) })
            }
            Spelt::Call { target, name, arguments } => {
                self.call(target.as_deref(), name, arguments, span)
            }
            Spelt::New { outer, type_name, arguments, body } => {
                self.new_object(outer.as_deref(), type_name, (arguments, body.as_deref()), span)
            }
            Spelt::NewArray { type_name, lengths, values } => {
                let ty = self.local_type(type_name)?;
                match values {
                    Some(values) => self.initial(values, &ty).map(|e| Expr { span, ..e }),
                    None => {
                        let lengths: Read<Vec<Expr>> =
                            lengths.iter().map(|e| self.value(e, &Type::Int)).collect();
                        Ok(expr(ExprKind::NewArray(lengths?), ty, span))
                    }
                }
            }
            Spelt::Unary(operator, inner) => {
                let inner = self.expression(inner)?;
                self.unary(*operator, inner, span)
            }
            Spelt::Binary(operator, left, right) => {
                let left = self.expression(left)?;
                let right = self.expression(right)?;
                self.binary(*operator, left, right, span)
            }
            Spelt::Assign(operator, place, value) => self.assign(*operator, place, value, span),
            Spelt::Step { up, prefix, place } => self.step(*up, *prefix, place, span),
            Spelt::Conditional(parts) => self.conditional(parts, span),
            Spelt::Cast(type_name, inner) => {
                let ty = self.local_type(type_name)?;
                if let Spelt::Lambda(parameters, body) = &inner.kind {
                    let arguments = self.arguments_of(type_name);
                    return self.lambda(parameters, body, (&ty, &arguments), span);
                }
                let arguments = self.arguments_of(type_name);
                let inner = self.expression(inner)?;
                let made = self.cast(inner, &ty, span)?;
                Ok(if self.r.is_exact { Expr { arguments, ..made } } else { made })
            }
            Spelt::InstanceOf(inner, type_name, name) => {
                if let (Some(name), true) = (name, self.r.is_exact) {
                    return self.bound(inner, type_name, name, span);
                }
                if let Some(name) = name {
                    return not_read(name.span, "a variable in `instanceof`");
                }
                let inner = self.expression(inner)?;
                let ty = self.local_type(type_name)?;
                if !inner.ty.is_reference() {
                    return self.mismatch(&inner, &ty);
                }
                match (&inner.ty, &ty) {
                    (Type::Null, _) => {}
                    (Type::Class(from), Type::Class(to)) => self.r.unify(*from, *to),
                    (from, to) if self.r.is_assignable(from, to) => {}
                    (from, to) if self.r.is_exact && self.r.can_be_cast(from, to) => {}
                    (from, to) => {
                        let (from, to) = (self.r.shown(from), self.r.shown(to));
                        return not_read(span, format!("`instanceof` of {from} and {to}"));
                    }
                }
                let kind = ExprKind::InstanceOf(Box::new(inner), ty);
                Ok(expr(kind, Type::Boolean, span))
            }
            Spelt::Construct { .. } => {
                wrong(span, Wrong::Rule("this stands first in a constructor only"))
            }
            Spelt::Values(_) => wrong(span, Wrong::Expected("a value, not an array's")),
            Spelt::Super => wrong(span, Wrong::Expected("a member of `super`")),
            Spelt::ClassLiteral => not_read(span, "a class as a value"),
            Spelt::Lambda(..) => not_read(span, "a lambda where no interface says its type"),
            Spelt::MethodReference(..) => not_read(span, "a reference to a method"),
            Spelt::Switch(value, groups) if self.r.is_exact => {
                let wanted = self.given_type(groups, span)?;
                self.switch_value(value, groups, wanted, span)
            }
            Spelt::Switch(..) => not_read(span, "`switch` as an expression"),
        }
    }

    fn meaning_of(&mut self, e: &'u tree::Expr) -> Read<Meaning> {
        if let Spelt::Member(target, name) = &e.kind
            && matches!(target.kind, Spelt::Super)
        {
            let Some(above) = self.r.class(self.class).superclass.filter(|_| !self.is_static)
            else {
                return wrong(e.span, Wrong::Rule("there is no object here"));
            };
            let Some(field) = self.r.find_field(above, &name.text) else {
                return wrong(name.span, Wrong::Unknown(name.text.clone()));
            };
            let this = self.this(target.span);
            return self.field(Some(this), field, e.span).map(Meaning::Value);
        }
        self.meaning(e)
    }
}
