//! Operators (JLS 15.14 to 15.26).

use super::body::Body;
use super::conversions::{promoted, promoted_both};
use super::expr;
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::span::Span;
use crate::tree;
use crate::typed::{Binary, Constant, Expr, ExprKind, Type, Unary};

impl<'u> Body<'_, 'u> {
    pub(super) fn unary(&mut self, operator: Unary, e: Expr, span: Span) -> Read<Expr> {
        let e = self.unboxed(e)?;
        let ty = promoted(&e.ty);
        let fits = match operator {
            Unary::Not => ty == Type::Boolean,
            Unary::Tilde => ty.is_integral(),
            Unary::Plus | Unary::Minus => ty.is_numeric(),
        };
        if !fits {
            let needed = if operator == Unary::Not { Type::Boolean } else { Type::Int };
            return self.mismatch(&e, &needed);
        }
        let e = self.converted(e, &ty)?;
        if operator == Unary::Plus {
            return Ok(Expr { span, ..e });
        }
        Ok(expr(ExprKind::Unary(operator, Box::new(e)), ty, span))
    }

    pub(super) fn binary(
        &mut self,
        operator: Binary,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Read<Expr> {
        if operator == Binary::Add && (left.ty == Type::String || right.ty == Type::String) {
            return self.concatenated(left, right, span);
        }
        let is_equality = matches!(operator, Binary::Equal | Binary::NotEqual);
        let keeps = is_equality && left.ty.is_reference() && right.ty.is_reference();
        let (left, right) = match keeps {
            true => (left, right),
            false => (self.unboxed(left)?, self.unboxed(right)?),
        };
        if is_equality && left.ty.is_reference() && right.ty.is_reference() {
            return self.same_object(operator, left, right, span);
        }
        let both_boolean = left.ty == Type::Boolean && right.ty == Type::Boolean;
        let (ty, result) = match operator {
            Binary::AndThen | Binary::OrElse => (Type::Boolean, Type::Boolean),
            Binary::And | Binary::Or | Binary::Xor if both_boolean => {
                (Type::Boolean, Type::Boolean)
            }
            Binary::Equal | Binary::NotEqual if both_boolean => (Type::Boolean, Type::Boolean),
            _ => {
                for e in [&left, &right] {
                    let is_whole = !matches!(
                        operator,
                        Binary::Add
                            | Binary::Subtract
                            | Binary::Multiply
                            | Binary::Divide
                            | Binary::Remainder
                            | Binary::Less
                            | Binary::LessEqual
                            | Binary::Greater
                            | Binary::GreaterEqual
                            | Binary::Equal
                            | Binary::NotEqual
                    );
                    if !e.ty.is_numeric() || is_whole && !e.ty.is_integral() {
                        return self.mismatch(e, &Type::Int);
                    }
                }
                let ty = match is_shift(operator) {
                    true => promoted(&left.ty),
                    false => promoted_both(&left.ty, &right.ty),
                };
                if operator == Binary::Remainder && ty.is_floating() && !self.r.is_exact {
                    return not_read(span, "a remainder of floating point numbers");
                }
                let result = match operator {
                    Binary::Less
                    | Binary::LessEqual
                    | Binary::Greater
                    | Binary::GreaterEqual
                    | Binary::Equal
                    | Binary::NotEqual => Type::Boolean,
                    _ => ty.clone(),
                };
                (ty, result)
            }
        };
        let left = self.converted(left, &ty)?;
        let right = match is_shift(operator) {
            true => self.count(right)?,
            false => self.converted(right, &ty)?,
        };
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        Ok(expr(kind, result, span))
    }

    /// By how much is shifted: only its last bits count.
    fn count(&mut self, e: Expr) -> Read<Expr> {
        let span = e.span;
        match e.ty {
            Type::Long => Ok(expr(ExprKind::Convert(Box::new(e)), Type::Int, span)),
            _ => self.converted(e, &Type::Int),
        }
    }

    fn same_object(&mut self, operator: Binary, left: Expr, right: Expr, span: Span) -> Read<Expr> {
        let related = self.r.is_assignable(&left.ty, &right.ty)
            || self.r.is_assignable(&right.ty, &left.ty)
            || matches!((&left.ty, &right.ty), (Type::Class(_), Type::Class(_)));
        if !related {
            return self.mismatch(&left, &right.ty);
        }
        self.join(&left.ty, &right.ty, span)?;
        if left.ty != Type::Null && right.ty != Type::Null {
            for e in [&left, &right] {
                match e.ty {
                    Type::Class(class) => {
                        self.r.classes[class.index()].has_identity = true;
                    }
                    Type::String => self.r.compared_texts = Some(span),
                    _ => {}
                }
            }
        }
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        Ok(expr(kind, Type::Boolean, span))
    }

    /// `+` of texts.
    pub(super) fn concatenated(&mut self, left: Expr, right: Expr, span: Span) -> Read<Expr> {
        if let (ExprKind::Text(one), ExprKind::Text(other)) = (&left.kind, &right.kind) {
            return Ok(expr(ExprKind::Text(format!("{one}{other}")), Type::String, span));
        }
        self.r.computes_text = true;
        let mut parts = Vec::new();
        for e in [left, right] {
            match e.kind {
                ExprKind::Texted(inner) => parts.extend(inner),
                _ => {
                    if e.ty == Type::Void {
                        return self.mismatch(&e, &Type::String);
                    }
                    parts.push(self.shown_part(e)?);
                }
            }
        }
        Ok(expr(ExprKind::Texted(parts), Type::String, span))
    }

    /// A value where its text is needed: its `toString` runs.
    pub(super) fn shown_part(&mut self, e: Expr) -> Read<Expr> {
        if self.r.is_exact {
            return self.exact_part(e);
        }
        let Type::Class(class) = e.ty else { return Ok(e) };
        let span = e.span;
        let mut next = Some(class);
        let mut found = None;
        while let (Some(at), None) = (next, found) {
            let info = self.r.class(at);
            found = info.methods.iter().copied().find(|m| {
                let method = &self.r.methods[m.index()];
                method.name == "toString" && method.parameters.is_empty()
            });
            next = info.superclass.or((at != self.r.object).then_some(self.r.object));
        }
        match found {
            Some(method) if self.r.class(class).kind != tree::Kind::Enumeration => {
                self.r.virtual_calls.insert(method);
                let of = self.r.methods[method.index()].class;
                self.r.computes_text = true;
                // An object of another family has the `toString` of its own family only.
                if of != self.r.object {
                    self.r.unify(class, of);
                } else if !self.has_own_text(class) {
                    return Ok(e);
                } else {
                    self.r.unify(class, of);
                }
                Ok(expr(ExprKind::Shown(Box::new(e), method), Type::String, span))
            }
            _ => Ok(e),
        }
    }

    /// As `shown_part`, where the program is executed: each object has a text.
    fn exact_part(&mut self, e: Expr) -> Read<Expr> {
        if !matches!(e.ty, Type::Class(_) | Type::Array(_)) {
            return Ok(e);
        }
        let is_text = |m: &&crate::typed::MethodId| {
            let method = &self.r.methods[m.index()];
            method.name == "toString" && method.parameters.is_empty()
        };
        let Some(method) = self.r.class(self.r.object).methods.iter().find(is_text).copied() else {
            return Ok(e);
        };
        self.r.virtual_calls.insert(method);
        let span = e.span;
        Ok(expr(ExprKind::Shown(Box::new(e), method), Type::String, span))
    }

    /// Does a class below this one say what its text is?
    fn has_own_text(&self, class: crate::typed::ClassId) -> bool {
        (0..self.r.classes.len() as u32).map(crate::typed::ClassId).any(|below| {
            let info = self.r.class(below);
            self.r.is_subclass(below, class)
                && !info.is_library
                && info.methods.iter().any(|m| {
                    let method = &self.r.methods[m.index()];
                    method.name == "toString" && method.parameters.is_empty()
                })
        })
    }

    /// `place = value`, `place op= value`
    pub(super) fn assign(
        &mut self,
        operator: Option<Binary>,
        place: &'u tree::Expr,
        value: &'u tree::Expr,
        span: Span,
    ) -> Read<Expr> {
        let read = self.expression(place)?;
        let place = self.place_of(read.clone(), place.span)?;
        let ty = place.ty.clone();
        let Some(operator) = operator else {
            let value = self.initial_as(value, &ty, &place.arguments)?;
            return Ok(expr(ExprKind::Assign(Box::new(place), Box::new(value)), ty, span));
        };
        let value = self.expression(value)?;
        if ty == Type::String && operator == Binary::Add && self.r.is_exact {
            let value = Box::new(self.shown_part(value)?);
            let place = Box::new(place);
            let (ty, is_old) = (Type::String, false);
            let kind = ExprKind::Update { operator, ty, place, value, is_old };
            return Ok(expr(kind, Type::String, span));
        }
        if ty == Type::String && operator == Binary::Add {
            if !matches!(place.kind, ExprKind::Local(_) | ExprKind::Static(_)) {
                return not_read(span, "`+=` of a text that is a field or an element");
            }
            let text = self.concatenated(place.clone(), value, span)?;
            return Ok(expr(ExprKind::Assign(Box::new(place), Box::new(text)), ty, span));
        }
        if self.r.unboxed(&read.ty).is_some() {
            return self.update_object(operator, (read, place), value, true, span);
        }
        // The operator's own rules say which types fit.
        let worked = self.binary(operator, place.clone(), value, span)?;
        let (kind, result) = (worked.kind, worked.ty);
        let ExprKind::Binary(_, left, right) = kind else {
            return wrong(span, Wrong::Rule("this operator does not assign"));
        };
        if (result == Type::Boolean) != (ty == Type::Boolean) {
            return wrong(span, Wrong::Rule("this operator does not assign"));
        }
        let kind = ExprKind::Update {
            operator,
            ty: left.ty,
            place: Box::new(place),
            value: right,
            is_old: false,
        };
        Ok(expr(kind, ty, span))
    }

    /// `x++` and its kin.
    pub(super) fn step(
        &mut self,
        up: bool,
        prefix: bool,
        place: &'u tree::Expr,
        span: Span,
    ) -> Read<Expr> {
        let read = self.expression(place)?;
        let place = self.place_of(read.clone(), place.span)?;
        let ty = place.ty.clone();
        if self.r.unboxed(&read.ty).is_some() {
            let one = expr(ExprKind::Constant(Constant::Integer(1)), Type::Int, span);
            let operator = if up { Binary::Add } else { Binary::Subtract };
            return self.update_object(operator, (read, place), one, prefix, span);
        }
        if !ty.is_numeric() {
            return self.mismatch(&place, &Type::Int);
        }
        let worked = promoted(&ty);
        let one = match worked.is_floating() {
            true => Constant::Floating(1.0),
            false => Constant::Integer(1),
        };
        let one = expr(ExprKind::Constant(one), worked.clone(), span);
        let operator = if up { Binary::Add } else { Binary::Subtract };
        let kind = ExprKind::Update {
            operator,
            ty: worked,
            place: Box::new(place),
            value: Box::new(one),
            is_old: !prefix,
        };
        Ok(expr(kind, ty, span))
    }

    /// Something that can be assigned.
    fn place_of(&mut self, read: Expr, span: Span) -> Read<Expr> {
        // What is read of a generic class is cast; what is written is not.
        let place = match read.kind {
            ExprKind::Cast(inner) if self.r.is_exact => *inner,
            _ => read,
        };
        match &place.kind {
            ExprKind::Local(_)
            | ExprKind::Static(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..) => Ok(place),
            _ => wrong(span, Wrong::Expected("a variable")),
        }
    }

    /// `place op= value` and `place++` of a number that is an object. The parts of the place are
    /// evaluated twice, so they may do nothing else.
    fn update_object(
        &mut self,
        operator: Binary,
        (read, place): (Expr, Expr),
        value: Expr,
        is_new: bool,
        span: Span,
    ) -> Read<Expr> {
        let is_simple =
            |e: &Expr| matches!(e.kind, ExprKind::This | ExprKind::Local(_) | ExprKind::Static(_));
        let is_plain = match &place.kind {
            ExprKind::Field(object, _) => is_simple(object),
            ExprKind::Index(array, index) => {
                (is_simple(array) || matches!(&array.kind, ExprKind::Field(o, _) if is_simple(o)))
                    && (is_simple(index) || matches!(index.kind, ExprKind::Constant(_)))
            }
            _ => true,
        };
        if !is_plain {
            return not_read(span, "an assignment of this kind to a number that is an object");
        }
        let ty = read.ty.clone();
        let old = self.fresh(ty.clone(), span);
        let keep = expr(
            ExprKind::Assign(Box::new(self.local(old, span)), Box::new(read)),
            ty.clone(),
            span,
        );
        let held = self.r.unboxed(&ty).unwrap_or(Type::Int);
        let known = self.local(old, span);
        let worked = self.binary(operator, known, value, span)?;
        let worked = if worked.ty == held { worked } else { self.cast(worked, &held, span)? };
        let object = self.boxed(worked)?;
        let object = self.converted(object, &place.ty)?;
        let kind = ExprKind::Assign(Box::new(place.clone()), Box::new(object));
        let set = expr(kind, place.ty, span);
        let result = match is_new {
            true => expr(ExprKind::Cast(Box::new(set)), ty.clone(), span),
            false => {
                let known = self.local(old, span);
                return Ok(expr(ExprKind::Sequence(vec![keep, set, known]), ty, span));
            }
        };
        Ok(expr(ExprKind::Sequence(vec![keep, result]), ty, span))
    }

    /// Where one side is a number and the other an object: both as numbers, or both as objects.
    fn both_boxed(&mut self, then: Expr, otherwise: Expr) -> Read<(Expr, Expr)> {
        if !self.r.is_exact || then.ty == otherwise.ty {
            return Ok((then, otherwise));
        }
        let is_number = |r: &Self, e: &Expr| !e.ty.is_reference() || r.r.unboxed(&e.ty).is_some();
        match is_number(self, &then) && is_number(self, &otherwise) {
            true => Ok((self.unboxed(then)?, self.unboxed(otherwise)?)),
            false => Ok((self.boxed(then)?, self.boxed(otherwise)?)),
        }
    }

    /// `a ? b : c` of numbers or truth values (JLS 15.25).
    pub(super) fn conditional(&mut self, parts: &'u [tree::Expr; 3], span: Span) -> Read<Expr> {
        let condition = self.condition(&parts[0])?;
        let then = self.expression(&parts[1])?;
        let otherwise = self.expression(&parts[2])?;
        let (then, otherwise) = self.both_boxed(then, otherwise)?;
        // A constant that the other's type holds.
        let narrow = |from: &Expr, to: &Type| {
            from.ty == Type::Int
                && matches!(
                    super::constants::value_of(from),
                    Some(Constant::Integer(value)) if super::conversions::fits(value, to)
                )
        };
        let is_short = |a: &Expr, b: &Expr| a.ty == Type::Byte && b.ty == Type::Short;
        let ty = if then.ty == otherwise.ty {
            then.ty.clone()
        } else if narrow(&then, &otherwise.ty) {
            otherwise.ty.clone()
        } else if narrow(&otherwise, &then.ty) {
            then.ty.clone()
        } else if is_short(&then, &otherwise) || is_short(&otherwise, &then) {
            Type::Short
        } else if then.ty.is_numeric() && otherwise.ty.is_numeric() {
            promoted_both(&then.ty, &otherwise.ty)
        } else if self.r.is_assignable(&then.ty, &otherwise.ty) {
            otherwise.ty.clone()
        } else if self.r.is_exact
            && !self.r.is_assignable(&otherwise.ty, &then.ty)
            && then.ty.is_reference()
            && otherwise.ty.is_reference()
        {
            Type::Class(self.r.object)
        } else {
            then.ty.clone()
        };
        let then = self.converted(then, &ty)?;
        let otherwise = self.converted(otherwise, &ty)?;
        let kind = ExprKind::Conditional(Box::new([condition, then, otherwise]));
        Ok(expr(kind, ty, span))
    }
}

pub(super) fn is_shift(operator: Binary) -> bool {
    matches!(operator, Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightUnsigned)
}
