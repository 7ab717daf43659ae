//! Statements and expressions that stand for others: `for` over collections, `try` with resources,
//! patterns, references to methods. Only where a program is executed.

use super::body::Body;
use super::expr;
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::span::Span;
use crate::tree::{self, ExprKind as Spelt, Name, TypeKind};
use crate::typed::{
    Binary, ClassId, Constant, Expr, ExprKind, Generic, Statement, StatementKind, Type,
};

impl<'u> Body<'_, 'u> {
    fn named(&self, text: &str, span: Span) -> Name {
        Name { text: text.to_string(), span }
    }

    /// A call without arguments on an object of a class of the library.
    fn ask(&mut self, object: Expr, class: &str, method: &str) -> Read<Expr> {
        let span = object.span;
        let (class, name) = (self.r.library_class(class), self.named(method, span));
        self.call_of(class, Some(object), &name, Vec::new(), (span, false))
    }

    /// `for` over what gives an iterator (JLS 14.14.2).
    pub(super) fn for_iterator(
        &mut self,
        (spelt, variable, list, body): (&tree::TypeName, &tree::Name, Expr, &'u tree::Statement),
        name: Option<&str>,
        span: Span,
    ) -> Read<StatementKind> {
        let iterable = Type::Class(self.r.library_class("Iterable"));
        if !self.r.is_assignable(&list.ty, &iterable) {
            let found = self.r.shown(&list.ty);
            let needed = "an array or an `Iterable`".to_string();
            return wrong(list.span, Wrong::Type { found, needed });
        }
        let (names, at) = (self.names.len(), list.span);
        let made = self.ask(list, "Iterable", "iterator")?;
        let iterator = self.fresh(made.ty.clone(), at);
        self.generics[iterator.index()].clone_from(&made.arguments);
        let first = vec![Statement { kind: StatementKind::Local(iterator, Some(made)), span: at }];
        let each = self.local(iterator, at);
        let condition = Some(self.ask(each.clone(), "Iterator", "hasNext")?);
        let next = self.ask(each, "Iterator", "next")?;
        let (ty, arguments) = match spelt.kind {
            TypeKind::Inferred => (next.ty.clone(), next.arguments.clone()),
            _ => (self.local_type(spelt)?, self.arguments_of(spelt)),
        };
        let local = self.declare(variable, ty.clone())?;
        self.generics[local.index()] = arguments;
        let next = self.converted(next, &ty)?;
        let taken = Statement { kind: StatementKind::Local(local, Some(next)), span };
        let label = self.enter(name, true, true);
        let body = self.one(body)?;
        self.targets.pop();
        self.names.truncate(names);
        let body = Box::new(Statement { kind: StatementKind::Block(vec![taken, *body]), span });
        Ok(StatementKind::For { label, first, condition, step: Vec::new(), body })
    }

    /// `try` with resources: each is closed when what follows it has ended, the last first.
    pub(super) fn with_resources(
        &mut self,
        resources: &'u [tree::Statement],
        body: &'u tree::Block,
        catches: &'u [tree::Catch],
        finally: Option<&'u tree::Block>,
        span: Span,
    ) -> Read<StatementKind> {
        let names = self.names.len();
        let held = self.held(resources, body, span)?;
        self.names.truncate(names);
        if catches.is_empty() && finally.is_none() {
            return Ok(StatementKind::Block(held));
        }
        self.tried(held, catches, finally)
    }

    fn held(
        &mut self,
        resources: &'u [tree::Statement],
        body: &'u tree::Block,
        span: Span,
    ) -> Read<Vec<Statement>> {
        let Some((first, rest)) = resources.split_first() else {
            return self.statements(&body.statements);
        };
        let mut made = Vec::new();
        let resource = match &first.kind {
            tree::StatementKind::Local(spelt, declarators) => {
                self.locals(spelt, declarators, &mut made)?;
                match made.last().map(|s| &s.kind) {
                    Some(StatementKind::Local(local, _)) => self.local(*local, first.span),
                    _ => return not_read(first.span, "this resource"),
                }
            }
            tree::StatementKind::Expression(e) => self.expression(e)?,
            _ => return not_read(first.span, "this resource"),
        };
        let Type::Class(class) = resource.ty else {
            return wrong(first.span, Wrong::Expected("an object that can be closed"));
        };
        let body = self.held(rest, body, span)?;
        let null = expr(ExprKind::Null, Type::Null, first.span);
        let is_there = self.binary(Binary::NotEqual, resource.clone(), null, first.span)?;
        let close = self.named("close", first.span);
        let close = self.call_of(class, Some(resource), &close, Vec::new(), (first.span, false))?;
        let close = Statement { kind: StatementKind::Expression(close), span: first.span };
        let kind = StatementKind::If(is_there, Box::new(close), None);
        let finally = Some(vec![Statement { kind, span: first.span }]);
        let kind = StatementKind::Try { body, catches: Vec::new(), finally };
        made.push(Statement { kind, span });
        Ok(made)
    }

    /// `e instanceof T name`
    pub(super) fn bound(
        &mut self,
        inner: &'u tree::Expr,
        spelt: &tree::TypeName,
        name: &Name,
        span: Span,
    ) -> Read<Expr> {
        let inner = self.expression(inner)?;
        let ty = self.local_type(spelt)?;
        if !inner.ty.is_reference() || !ty.is_reference() {
            return self.mismatch(&inner, &ty);
        }
        let object = Type::Class(self.r.object);
        let kept = self.fresh(object.clone(), span);
        // The pattern hides one of its name that stood before.
        let local = self.fresh(ty.clone(), span);
        self.locals[local.index()].name.clone_from(&name.text);
        self.generics[local.index()] = self.arguments_of(spelt);
        self.names.push((name.text.clone(), local));
        self.bound.push(local);
        let truth = |value| expr(ExprKind::Constant(Constant::Truth(value)), Type::Boolean, span);
        let set = |place: Expr, value: Expr| {
            let ty = place.ty.clone();
            expr(ExprKind::Assign(Box::new(place), Box::new(value)), ty, span)
        };
        let inner = self.refer(inner, &object)?;
        let keep = set(self.local(kept, span), inner);
        let is = ExprKind::InstanceOf(Box::new(self.local(kept, span)), ty.clone());
        let is = expr(is, Type::Boolean, span);
        let cast = expr(ExprKind::Cast(Box::new(self.local(kept, span))), ty, span);
        let take = set(self.local(local, span), cast);
        let take = expr(ExprKind::Sequence(vec![take, truth(true)]), Type::Boolean, span);
        let both = ExprKind::Binary(Binary::AndThen, Box::new(is), Box::new(take));
        let both = expr(both, Type::Boolean, span);
        Ok(expr(ExprKind::Sequence(vec![keep, both]), Type::Boolean, span))
    }

    /// A reference to a method, as the lambda that the interface needs.
    pub(super) fn reference(
        &mut self,
        (direct, on_first): (&'u [tree::Expr], &'u [tree::Expr]),
        (ty, arguments): (&Type, &[Generic]),
        span: Span,
    ) -> Read<Expr> {
        let Some(method) = self.r.functional(ty) else {
            return not_read(span, "a reference to a method where no interface says its type");
        };
        let count = self.r.methods[method.index()].parameters.len();
        let is_first = self.refers_to_first(direct, count);
        let mut list = if is_first { on_first } else { direct }.iter();
        let takes = |e: &&tree::Expr| match &e.kind {
            Spelt::Lambda(parameters, _) => parameters.len() == count,
            _ => false,
        };
        match list.find(takes).map(|e| &e.kind) {
            Some(Spelt::Lambda(parameters, body)) => {
                self.lambda(parameters, body, (ty, arguments), span)
            }
            _ => not_read(span, "a reference to a method of this kind"),
        }
    }

    /// Can a reference to a method take so many arguments, as far as its class says?
    pub(super) fn can_refer(&self, e: &tree::Expr, count: usize) -> bool {
        let Spelt::MethodReference(direct, _) = &e.kind else { return false };
        let Some((class, name)) = self.class_referred(direct) else { return true };
        self.r.methods_named(class, name).iter().any(|m| {
            let method = &self.r.methods[m.index()];
            let takes = method.parameters.len() + usize::from(!method.is_static);
            takes == count || method.is_variadic
        })
    }

    /// The class before `::`, if it is one, and the name behind.
    pub(super) fn class_referred<'e>(
        &self,
        direct: &'e [tree::Expr],
    ) -> Option<(ClassId, &'e str)> {
        let Spelt::Lambda(_, body) = &direct.first()?.kind else { return None };
        let tree::LambdaBody::Value(call) = &**body else { return None };
        let Spelt::Call { target: Some(target), name, .. } = &call.kind else { return None };
        let Spelt::Name(class) = &target.kind else { return None };
        if self.names.iter().any(|(known, _)| known == class) {
            return None;
        }
        Some((self.r.class_named(self.class, class)?, &name.text))
    }

    /// Is the method called on the first of what it is given: is it one of the objects of a class,
    /// and none of the class itself that takes all?
    fn refers_to_first(&mut self, direct: &'u [tree::Expr], count: usize) -> bool {
        let Some(Spelt::Lambda(_, body)) = direct.first().map(|e| &e.kind) else { return true };
        let tree::LambdaBody::Value(call) = &**body else { return false };
        let Spelt::Call { target: Some(target), name, .. } = &call.kind else { return false };
        if !matches!(target.kind, Spelt::Name(_) | Spelt::Member(..)) {
            return false;
        }
        let Ok(super::names::Meaning::Class(class)) = self.meaning(target) else { return false };
        let found = self.r.methods_named(class, &name.text);
        !found.iter().any(|m| {
            let method = &self.r.methods[m.index()];
            method.is_static && (method.parameters.len() == count || method.is_variadic)
        })
    }
}
