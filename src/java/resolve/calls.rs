//! Calls (JLS 15.12): which method a name stands for.

use super::body::Body;
use super::generics::Given;
use super::names::Meaning;
use super::{Resolver, expr};
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::span::Span;
use crate::tree::{self, ExprKind as Spelt, Kind, Name};
use crate::typed::{ClassId, Expr, ExprKind, MethodId, Type};

/// An argument. The type of a lambda comes from the parameter.
pub(super) enum Argument<'u> {
    Typed(Expr),
    Lambda(&'u tree::Expr),
}

impl<'u> Resolver<'u> {
    /// The methods of this name that a class has or inherits, without those that are overridden.
    pub(super) fn methods_named(&self, class: ClassId, name: &str) -> Vec<MethodId> {
        let mut found: Vec<MethodId> = Vec::new();
        let mut seen: Vec<ClassId> = Vec::new();
        let mut stack = vec![class];
        while let Some(at) = stack.pop() {
            if seen.contains(&at) {
                continue;
            }
            seen.push(at);
            let info = self.class(at);
            for method in &info.methods {
                let method_info = &self.methods[method.index()];
                let is_hidden =
                    |m: &MethodId| self.methods[m.index()].parameters == method_info.parameters;
                if method_info.name == name
                    && !method_info.is_constructor
                    && !found.iter().any(is_hidden)
                {
                    found.push(*method);
                }
            }
            stack.extend(info.interfaces.iter().rev().copied());
            // The class above comes before the interfaces.
            stack.extend(info.superclass);
            if stack.is_empty() && !seen.contains(&self.object) {
                stack.push(self.object);
            }
        }
        found
    }

    /// The one abstract method of an interface.
    pub(super) fn functional(&self, ty: &Type) -> Option<MethodId> {
        let Type::Class(class) = ty else { return None };
        if self.class(*class).kind != Kind::Interface {
            return None;
        }
        let mut interfaces = vec![*class];
        interfaces.extend(self.all_interfaces(*class));
        let mut found = interfaces.iter().flat_map(|at| self.class(*at).methods.iter().copied());
        let is_open = |m: &MethodId| {
            let method = &self.methods[m.index()];
            let of_object = self.class(self.object).methods.iter();
            !method.is_concrete()
                && !method.is_static
                && !of_object.clone().any(|o| {
                    let o = &self.methods[o.index()];
                    o.name == method.name && o.parameters == method.parameters
                })
        };
        let first = found.by_ref().find(is_open)?;
        match found.find(is_open) {
            Some(_) => None,
            None => Some(first),
        }
    }
}

impl<'u> Body<'_, 'u> {
    pub(super) fn arguments(&mut self, list: &'u [tree::Expr]) -> Read<Vec<Argument<'u>>> {
        let typed = |e: &'u tree::Expr, body: &mut Self| match &e.kind {
            Spelt::Lambda(..) => Ok(Argument::Lambda(e)),
            Spelt::MethodReference(..) if body.r.is_exact => Ok(Argument::Lambda(e)),
            // The place says what the lambdas of `Comparator.comparing(…)` are given.
            Spelt::Call { .. } if body.r.is_exact && body.is_made_of_lambdas(e) => {
                Ok(Argument::Lambda(e))
            }
            _ => body.expression(e).map(Argument::Typed),
        };
        list.iter().map(|e| typed(e, self)).collect()
    }

    /// Is it a call of a method of a class that is given a lambda?
    fn is_made_of_lambdas(&self, e: &tree::Expr) -> bool {
        let Spelt::Call { target: Some(target), arguments, .. } = &e.kind else { return false };
        let Spelt::Name(name) = &target.kind else { return false };
        let is_lambda =
            |e: &tree::Expr| matches!(e.kind, Spelt::Lambda(..) | Spelt::MethodReference(..));
        arguments.iter().any(is_lambda)
            && !self.names.iter().any(|(known, _)| known == name)
            && self.r.class_named(self.class, name).is_some()
    }

    /// The method among these that takes the arguments (JLS 15.12.2).
    pub(super) fn select(
        &self,
        candidates: &[MethodId],
        arguments: &[Argument<'u>],
        name: &str,
        span: Span,
    ) -> Read<(MethodId, bool)> {
        let takes = |ty: &Type, argument: &Argument<'u>, is_loose: bool| match argument {
            Argument::Typed(e) if is_loose => self.r.is_convertible(&e.ty, ty),
            Argument::Typed(e) => self.r.is_assignable(&e.ty, ty),
            Argument::Lambda(e) if matches!(e.kind, Spelt::MethodReference(..)) => {
                let count = |m: MethodId| self.r.methods[m.index()].parameters.len();
                self.r.functional(ty).is_some_and(|m| self.can_refer(e, count(m)))
            }
            Argument::Lambda(e) => {
                let Spelt::Lambda(parameters, _) = &e.kind else { return ty.is_reference() };
                let method = self.r.functional(ty);
                method
                    .is_some_and(|m| self.r.methods[m.index()].parameters.len() == parameters.len())
            }
        };
        let fixed = |m: &MethodId, is_loose: bool| {
            let parameters = &self.r.methods[m.index()].parameters;
            parameters.len() == arguments.len()
                && parameters
                    .iter()
                    .zip(arguments)
                    .all(|(ty, argument)| takes(ty, argument, is_loose))
        };
        let variadic = |m: &MethodId| {
            let method = &self.r.methods[m.index()];
            let Some((Type::Array(element), first)) = method.parameters.split_last() else {
                return false;
            };
            method.is_variadic
                && arguments.len() >= first.len()
                && first.iter().zip(arguments).all(|(ty, argument)| takes(ty, argument, true))
                && arguments[first.len()..].iter().all(|argument| takes(element, argument, true))
        };
        // Without boxing, with it, and with open arguments.
        for phase in 0..3 {
            let is_variadic = phase == 2;
            let fits: Vec<MethodId> = match is_variadic {
                false => candidates.iter().copied().filter(|m| fixed(m, phase == 1)).collect(),
                true => candidates.iter().copied().filter(variadic).collect(),
            };
            let is_best = |one: &MethodId| {
                fits.iter().all(|other| {
                    let one = &self.r.methods[one.index()].parameters;
                    let other = &self.r.methods[other.index()].parameters;
                    one.len() == other.len()
                        && one.iter().zip(other).all(|(a, b)| self.r.is_assignable(a, b))
                })
            };
            if let Some(found) = fits.iter().copied().find(is_best) {
                return Ok((found, is_variadic));
            }
            if !fits.is_empty() {
                return wrong(span, Wrong::Ambiguous(name.to_string()));
            }
        }
        // A number where an object is needed would be boxed.
        let is_simple = |a: &Argument<'u>| match a {
            Argument::Typed(e) => e.ty.is_numeric() || e.ty == Type::Boolean,
            Argument::Lambda(_) => false,
        };
        let same_count = |m: &MethodId| {
            let parameters = &self.r.methods[m.index()].parameters;
            parameters.len() == arguments.len()
                && parameters.iter().zip(arguments).any(|(ty, a)| is_simple(a) && ty.is_reference())
        };
        match candidates.iter().any(same_count) {
            true => not_read(span, "a number as an object"),
            false => wrong(span, Wrong::NoMethod(name.to_string())),
        }
    }

    /// The arguments as the parameters need them.
    pub(super) fn given(
        &mut self,
        method: MethodId,
        arguments: Vec<Argument<'u>>,
        is_variadic: bool,
        span: Span,
        standing: &Given,
    ) -> Read<Vec<Expr>> {
        let parameters = self.r.methods[method.index()].parameters.clone();
        let mut made = Vec::new();
        let fixed = if is_variadic { parameters.len() - 1 } else { parameters.len() };
        let mut rest = Vec::new();
        let element = match parameters.last() {
            Some(Type::Array(element)) if is_variadic => (**element).clone(),
            _ => Type::Void,
        };
        for (k, argument) in arguments.into_iter().enumerate() {
            let ty = if k < fixed { &parameters[k] } else { &element };
            let value = match argument {
                Argument::Typed(e) => self.converted(e, ty)?,
                Argument::Lambda(e) => {
                    let info = &self.r.methods[method.index()];
                    let spelt = info.spelt.get(k.min(info.spelt.len().saturating_sub(1)));
                    let found = spelt.map(|spelt| {
                        self.r.generic(info.class, info.type_parameters, spelt, standing)
                    });
                    let list = found.and_then(Result::ok).map(|found| found.arguments);
                    self.value_as(e, ty, &list.unwrap_or_default())?
                }
            };
            if k < fixed { made.push(value) } else { rest.push(value) }
        }
        if is_variadic {
            let ty = Type::Array(Box::new(element));
            made.push(expr(ExprKind::ArrayOf(rest), ty, span));
        }
        Ok(made)
    }

    pub(super) fn call(
        &mut self,
        target: Option<&'u tree::Expr>,
        name: &Name,
        arguments: &'u [tree::Expr],
        span: Span,
    ) -> Read<Expr> {
        let hint = self.hint.take();
        let Some(target) = target else { return self.unqualified(name, arguments, span) };
        if let Some(found) = self.output(target, name, arguments, span)? {
            return Ok(found);
        }
        if matches!(target.kind, Spelt::Super) {
            let Some(above) = self.r.class(self.class).superclass.filter(|_| !self.is_static)
            else {
                return wrong(span, Wrong::Rule("there is no object here"));
            };
            let this = self.this(target.span);
            let arguments = self.arguments(arguments)?;
            return self.call_of(above, Some(this), name, arguments, (span, true));
        }
        match self.meaning(target)? {
            Meaning::Class(class) => {
                let library = self.r.class(class).is_library;
                if library && !self.r.is_exact && self.r.class(class).name == "System" {
                    return not_read(span, format!("`System.{}`", name.text));
                }
                if self.r.class(class).kind == Kind::Enumeration
                    && name.text == "values"
                    && arguments.is_empty()
                {
                    self.r.touch(class, span)?;
                    self.r.make(class);
                    let ty = Type::Array(Box::new(Type::Class(class)));
                    return Ok(expr(ExprKind::Constants(class), ty, span));
                }
                if let Some(found) = self.of_enumeration(class, name, arguments, span)? {
                    return Ok(found);
                }
                let arguments = self.arguments(arguments)?;
                self.hint = hint;
                self.call_of(class, None, name, arguments, (span, false))
            }
            Meaning::Value(value) => {
                let arguments = self.arguments(arguments)?;
                self.hint = hint;
                self.call_on(value, name, arguments, span)
            }
        }
    }

    /// A call on an object.
    fn call_on(
        &mut self,
        value: Expr,
        name: &Name,
        arguments: Vec<Argument<'u>>,
        span: Span,
    ) -> Read<Expr> {
        match value.ty.clone() {
            Type::Class(class) => {
                if self.r.class(class).kind == Kind::Enumeration && !self.r.is_exact {
                    match (name.text.as_str(), &arguments[..]) {
                        ("ordinal", []) => {
                            let kind = ExprKind::Ordinal(Box::new(value));
                            return Ok(expr(kind, Type::Int, span));
                        }
                        ("equals", [Argument::Typed(other)]) => {
                            let other = other.clone();
                            return self.binary(tree::Binary::Equal, value, other, span);
                        }
                        _ => {}
                    }
                }
                self.call_of(class, Some(value), name, arguments, (span, false))
            }
            Type::String if self.r.is_exact => {
                let string = self.r.string;
                self.call_of(string, Some(value), name, arguments, (span, false))
            }
            Type::Array(_) if self.r.is_exact => self.call_on_array(value, name, arguments, span),
            Type::String => match (name.text.as_str(), &arguments[..]) {
                ("equals", [Argument::Typed(other)]) if other.ty == Type::String => {
                    let other = other.clone();
                    let object = value.clone();
                    let same = self.binary(tree::Binary::Equal, value, other, span)?;
                    // A literal is there.
                    match object.kind {
                        ExprKind::Text(_) => Ok(same),
                        _ => not_read(span, "`equals` of a text that is no literal"),
                    }
                }
                _ => not_read(span, format!("`String.{}`", name.text)),
            },
            Type::Array(_) => not_read(span, format!("`{}` of an array", name.text)),
            _ => {
                let found = self.r.shown(&value.ty);
                wrong(value.span, Wrong::Type { found, needed: "an object".to_string() })
            }
        }
    }

    /// `Color.valueOf(text)`
    fn of_enumeration(
        &mut self,
        class: ClassId,
        name: &Name,
        arguments: &'u [tree::Expr],
        span: Span,
    ) -> Read<Option<Expr>> {
        let is_wanted = self.r.is_exact
            && self.r.class(class).kind == Kind::Enumeration
            && name.text == "valueOf"
            && arguments.len() == 1;
        if !is_wanted {
            return Ok(None);
        }
        self.r.touch(class, span)?;
        self.r.make(class);
        let own = Type::Class(class);
        let text = self.value(&arguments[0], &Type::String)?;
        let kind = ExprKind::Constants(class);
        let constants = expr(kind, Type::Array(Box::new(own.clone())), span);
        let title = ExprKind::Text(self.r.class(class).name.clone());
        let title = expr(title, Type::String, span);
        let find = Name { text: "find".to_string(), span };
        let arguments = [constants, text, title].map(Argument::Typed);
        let above = self.r.library_class("Enum");
        let found = self.call_of(above, None, &find, arguments.into(), (span, false))?;
        Ok(Some(expr(ExprKind::Cast(Box::new(found)), own, span)))
    }

    /// A call on an array: `clone`, or what an `Object` has.
    fn call_on_array(
        &mut self,
        value: Expr,
        name: &Name,
        arguments: Vec<Argument<'u>>,
        span: Span,
    ) -> Read<Expr> {
        let ty = value.ty.clone();
        if name.text != "clone" || !arguments.is_empty() {
            return self.call_of(self.r.object, Some(value), name, arguments, (span, false));
        }
        let arrays = self.r.library_class("Arrays");
        let name = Name { text: "cloned".to_string(), span };
        let arguments = vec![Argument::Typed(value)];
        let made = self.call_of(arrays, None, &name, arguments, (span, false))?;
        Ok(Expr { ty, ..made })
    }

    /// A call of a method of this class or of one around it.
    fn unqualified(&mut self, name: &Name, arguments: &'u [tree::Expr], span: Span) -> Read<Expr> {
        let arguments = self.arguments(arguments)?;
        let mut object = (!self.is_static).then(|| self.this(span));
        let mut next = Some(self.class);
        while let Some(at) = next {
            if !self.r.class(at).is_lambda && !self.r.methods_named(at, &name.text).is_empty() {
                return self.call_of(at, object, name, arguments, (span, false));
            }
            (object, next) = self.outwards(object.take(), at, span);
        }
        let imported = self.r.static_imports.iter().rev();
        for (class, _) in imported.filter(|(_, m)| *m == name.text || m == "*") {
            if let Some(class) = self.r.class_named(self.class, class)
                && !self.r.methods_named(class, &name.text).is_empty()
            {
                return self.call_of(class, None, name, arguments, (span, false));
            }
        }
        self.call_of(self.class, None, name, arguments, (span, false))
    }

    /// A call of a method of a class, on an object if there is one.
    pub(super) fn call_of(
        &mut self,
        class: ClassId,
        object: Option<Expr>,
        name: &Name,
        arguments: Vec<Argument<'u>>,
        (span, is_super): (Span, bool),
    ) -> Read<Expr> {
        let candidates = self.r.methods_named(class, &name.text);
        if candidates.is_empty() {
            const OF_OBJECT: [&str; 9] = [
                "hashCode",
                "getClass",
                "wait",
                "notify",
                "notifyAll",
                "clone",
                "finalize",
                "compareTo",
                "name",
            ];
            let info = self.r.class(class);
            if info.is_library || OF_OBJECT.contains(&name.text.as_str()) {
                return not_read(span, format!("`{}.{}`", info.name, name.text));
            }
            return wrong(name.span, Wrong::Unknown(name.text.clone()));
        }
        let (method, is_variadic) = self.select(&candidates, &arguments, &name.text, span)?;
        let given = self.given_in_call(method, object.as_ref(), &arguments);
        let arguments = self.given(method, arguments, is_variadic, span, &given)?;
        let call = self.called(method, object, arguments, (span, is_super))?;
        Ok(self.instantiated(call, method, &given))
    }

    pub(super) fn called(
        &mut self,
        method: MethodId,
        object: Option<Expr>,
        mut arguments: Vec<Expr>,
        (span, is_super): (Span, bool),
    ) -> Read<Expr> {
        let info = &self.r.methods[method.index()];
        let (class, is_static, result) = (info.class, info.is_static, info.result.clone());
        let is_native = matches!(info.source, super::Source::Native);
        let is_private = info.is_private;
        if is_static && is_native && !self.r.is_exact {
            let kind = match (&result, info.name.as_str()) {
                (Type::Void, _) => match arguments.pop() {
                    Some(condition) => ExprKind::Assume(Box::new(condition)),
                    None => ExprKind::Sequence(Vec::new()),
                },
                (_, "mayFail") => ExprKind::MayFail,
                _ => ExprKind::Open,
            };
            return Ok(expr(kind, result, span));
        }
        if is_static {
            self.r.touch(class, span)?;
            self.r.request(method, span)?;
            let kind = ExprKind::Call { method, receiver: None, is_virtual: false, arguments };
            let call = expr(kind, result.clone(), span);
            // The object is evaluated all the same.
            return Ok(match object {
                Some(object) if !matches!(object.kind, ExprKind::This | ExprKind::Field(..)) => {
                    expr(ExprKind::Sequence(vec![object, call]), result, span)
                }
                _ => call,
            });
        }
        let Some(object) = object else {
            return wrong(span, Wrong::Rule("there is no object here"));
        };
        let object = self.refer(object, &Type::Class(class))?;
        let is_virtual = !is_super && !is_private;
        match is_virtual {
            true => {
                self.r.virtual_calls.insert(method);
            }
            false => self.r.request(method, span)?,
        }
        let receiver = Some(Box::new(object));
        Ok(expr(ExprKind::Call { method, receiver, is_virtual, arguments }, result, span))
    }

    /// `System.out.println(…)`, `System.exit(…)`
    fn output(
        &mut self,
        target: &'u tree::Expr,
        name: &Name,
        arguments: &'u [tree::Expr],
        span: Span,
    ) -> Read<Option<Expr>> {
        let is_system = |e: &tree::Expr| matches!(&e.kind, Spelt::Name(name) if name == "System");
        let declares = self.r.written.contains_key("System");
        if declares || self.r.is_exact {
            return Ok(None);
        }
        if is_system(target) && name.text == "exit" && arguments.len() == 1 {
            let status = self.value(&arguments[0], &Type::Int)?;
            return Ok(Some(expr(ExprKind::Exit(Box::new(status)), Type::Void, span)));
        }
        let Spelt::Member(system, stream) = &target.kind else { return Ok(None) };
        let is_output = is_system(system) && matches!(stream.text.as_str(), "out" | "err");
        if !is_output {
            return Ok(None);
        }
        if !matches!(name.text.as_str(), "print" | "println" | "printf" | "format" | "flush") {
            return not_read(span, format!("`System.{}.{}`", stream.text, name.text));
        }
        let mut parts = Vec::new();
        for argument in arguments {
            let value = self.expression(argument)?;
            if value.ty == Type::Void {
                return self.mismatch(&value, &Type::String);
            }
            parts.push(self.shown_part(value)?);
        }
        Ok(Some(expr(ExprKind::Output(parts), Type::Void, span)))
    }
}
