//! Statements.

use super::body::{Body, Target};
use super::expr;
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::span::Span;
use crate::tree::{self, StatementKind as Spelt, TypeKind};
use crate::typed::{
    Binary, Catch, Constant, Expr, ExprKind, LabelId, Statement, StatementKind, Type,
};

impl<'u> Body<'_, 'u> {
    /// Statements in a scope of their own.
    pub(super) fn statements(&mut self, list: &'u [tree::Statement]) -> Read<Vec<Statement>> {
        let (names, classes) = (self.names.len(), self.classes.len());
        let mut made = Vec::new();
        for statement in list {
            self.statement(statement, None, &mut made)?;
        }
        self.names.truncate(names);
        self.classes.truncate(classes);
        Ok(made)
    }

    pub(super) fn one(&mut self, statement: &'u tree::Statement) -> Read<Box<Statement>> {
        let mut made = self.statements(std::slice::from_ref(statement))?;
        Ok(Box::new(match made.len() {
            1 => made.remove(0),
            _ => Statement { kind: StatementKind::Block(made), span: statement.span },
        }))
    }

    pub(super) fn enter(
        &mut self,
        name: Option<&str>,
        is_loop: bool,
        is_breakable: bool,
    ) -> LabelId {
        let label = self.label();
        let name = name.map(str::to_string);
        self.targets.push(Target { name, label, is_loop, is_breakable });
        label
    }

    pub(super) fn statement(
        &mut self,
        statement: &'u tree::Statement,
        name: Option<&str>,
        made: &mut Vec<Statement>,
    ) -> Read<()> {
        let span = statement.span;
        let kind = match &statement.kind {
            Spelt::Local(spelt, declarators) => {
                return self.locals(spelt, declarators, made);
            }
            Spelt::LocalType(declaration) => {
                return self.local_class(declaration);
            }
            Spelt::Expression(e) => StatementKind::Expression(self.effect(e)?),
            Spelt::If(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                let then = self.one(then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => Some(self.one(otherwise)?),
                    None => None,
                };
                StatementKind::If(condition, then, otherwise)
            }
            Spelt::While(condition, body) => {
                let condition = self.condition(condition)?;
                let label = self.enter(name, true, true);
                let body = self.one(body)?;
                self.targets.pop();
                StatementKind::While(label, condition, body)
            }
            Spelt::Do(body, condition, head) => {
                let label = self.enter(name, true, true);
                let body = self.one(body)?;
                self.targets.pop();
                StatementKind::Do(label, body, self.condition(condition)?, *head)
            }
            Spelt::For { first, condition, step, body } => {
                let names = self.names.len();
                let mut before = Vec::new();
                for one in first {
                    self.statement(one, None, &mut before)?;
                }
                let condition = match condition {
                    Some(condition) => Some(self.condition(condition)?),
                    None => None,
                };
                let label = self.enter(name, true, true);
                let body = self.one(body)?;
                self.targets.pop();
                let step: Read<Vec<Expr>> = step.iter().map(|e| self.effect(e)).collect();
                self.names.truncate(names);
                StatementKind::For { label, first: before, condition, step: step?, body }
            }
            Spelt::ForEach(spelt, variable, list, body) => {
                self.for_each((spelt, variable, list, body), name, span)?
            }
            Spelt::Switch(value, groups) => self.switch(value, groups, name, None)?,
            Spelt::Labelled(label, body) => {
                if self.targets.iter().any(|t| t.name.as_deref() == Some(&label.text)) {
                    return wrong(label.span, Wrong::Twice(label.text.clone()));
                }
                let is_loop = matches!(
                    body.kind,
                    Spelt::While(..) | Spelt::Do(..) | Spelt::For { .. } | Spelt::ForEach(..)
                );
                if is_loop {
                    return self.statement(body, Some(&label.text), made);
                }
                let number = self.enter(Some(&label.text), false, false);
                let body = self.one(body)?;
                self.targets.pop();
                StatementKind::Labelled(number, body)
            }
            Spelt::Break(label) => {
                let mut targets = self.targets.iter().rev();
                let found = match label {
                    Some(label) => targets.find(|t| t.name.as_deref() == Some(&label.text)),
                    None => targets.find(|t| t.is_breakable),
                };
                match found {
                    Some(target) => StatementKind::Break(target.label),
                    None => return wrong(span, Wrong::Rule("nothing here to break out of")),
                }
            }
            Spelt::Continue(label) => {
                let mut targets = self.targets.iter().rev().filter(|t| t.is_loop);
                let found = match label {
                    Some(label) => targets.find(|t| t.name.as_deref() == Some(&label.text)),
                    None => targets.next(),
                };
                match found {
                    Some(target) => StatementKind::Continue(target.label),
                    None => return wrong(span, Wrong::Rule("no loop here to continue")),
                }
            }
            Spelt::Return(value) => {
                let result = self.result.clone();
                match (value, &result) {
                    (None, Type::Void) => StatementKind::Return(None),
                    (None, _) => return wrong(span, Wrong::Rule("a value must be returned here")),
                    (Some(_), Type::Void) => {
                        return wrong(span, Wrong::Rule("no value is returned here"));
                    }
                    (Some(value), _) => {
                        let arguments = self.result_arguments.clone();
                        StatementKind::Return(Some(self.value_as(value, &result, &arguments)?))
                    }
                }
            }
            Spelt::Throw(value) => {
                let ty = Type::Class(self.r.throwable);
                let value = self.expression(value)?;
                if !self.r.is_assignable(&value.ty, &ty) {
                    return self.mismatch(&value, &ty);
                }
                StatementKind::Throw(value)
            }
            Spelt::Try { resources, body, catches, finally } => match resources.first() {
                Some(_) if self.r.is_exact => {
                    self.with_resources(resources, body, catches, finally.as_ref(), span)?
                }
                Some(first) => return not_read(first.span, "`try` with resources"),
                None => self.try_statement(body, catches, finally.as_ref())?,
            },
            Spelt::Assert(condition, text) => {
                let condition = self.condition(condition)?;
                let text = match text {
                    Some(text) if self.r.is_exact => {
                        let text = self.expression(text)?;
                        Some(self.shown_part(text)?)
                    }
                    Some(text) => Some(self.expression(text)?),
                    None => None,
                };
                StatementKind::Assert(condition, text)
            }
            Spelt::Synchronized(lock, body) => {
                // One thread alone never waits for a lock. `null` is none.
                let lock = self.expression(lock)?;
                match lock.kind {
                    // Threads do not run, so a lock is never waited for.
                    _ if self.r.is_exact => {}
                    ExprKind::This | ExprKind::New { .. } => {}
                    _ => return not_read(lock.span, "`synchronized` on anything but `this`"),
                }
                StatementKind::Block(self.statements(&body.statements)?)
            }
            Spelt::Yield(value) if self.r.is_exact => self.yield_statement(value, span)?,
            Spelt::Yield(_) => return not_read(span, "`yield`"),
            Spelt::Block(block) => StatementKind::Block(self.statements(&block.statements)?),
            Spelt::Empty => StatementKind::Empty,
        };
        made.push(Statement { kind, span });
        Ok(())
    }

    pub(super) fn locals(
        &mut self,
        spelt: &tree::TypeName,
        declarators: &'u [tree::Declarator],
        made: &mut Vec<Statement>,
    ) -> Read<()> {
        for declarator in declarators {
            let (local, value) = match (&spelt.kind, &declarator.value) {
                (TypeKind::Inferred, Some(value)) => {
                    let value = self.expression(value)?;
                    if matches!(value.ty, Type::Void | Type::Null) {
                        return wrong(value.span, Wrong::Expected("a value with a type"));
                    }
                    let local = self.declare(&declarator.name, value.ty.clone())?;
                    self.generics[local.index()].clone_from(&value.arguments);
                    (local, Some(value))
                }
                (_, value) => {
                    let mut spelt = spelt.clone();
                    spelt.dimensions += declarator.dimensions;
                    let ty = self.local_type(&spelt)?;
                    // The variable is in scope in its own initial value.
                    let local = self.declare(&declarator.name, ty.clone())?;
                    let arguments = self.arguments_of(&spelt);
                    self.generics[local.index()].clone_from(&arguments);
                    let value = match value {
                        Some(value) => Some(self.initial_as(value, &ty, &arguments)?),
                        None => None,
                    };
                    (local, value)
                }
            };
            let kind = StatementKind::Local(local, value);
            made.push(Statement { kind, span: declarator.span });
        }
        Ok(())
    }

    /// A type as it is spelt in this method.
    pub(super) fn local_type(&self, spelt: &tree::TypeName) -> Read<Type> {
        if let TypeKind::Named(parts) = &spelt.kind
            && let [name] = &parts[..]
            && let Some((_, class)) = self.classes.iter().rev().find(|(known, _)| known == name)
        {
            let mut ty = Type::Class(*class);
            for _ in 0..spelt.dimensions.min(8) {
                ty = Type::Array(Box::new(ty));
            }
            return Ok(ty);
        }
        let (ty, _) = self.r.type_of(self.class, self.type_parameters, spelt)?;
        match ty {
            Type::Void => wrong(spelt.span, Wrong::Expected("a type")),
            ty => Ok(ty),
        }
    }

    fn for_each(
        &mut self,
        (spelt, variable, list, body): (
            &tree::TypeName,
            &tree::Name,
            &'u tree::Expr,
            &'u tree::Statement,
        ),
        name: Option<&str>,
        span: Span,
    ) -> Read<StatementKind> {
        let list = self.expression(list)?;
        if self.r.is_exact && matches!(list.ty, Type::Class(_)) {
            return self.for_iterator((spelt, variable, list, body), name, span);
        }
        let Type::Array(element) = list.ty.clone() else {
            return not_read(list.span, format!("`for` over {}", self.r.shown(&list.ty)));
        };
        let at = list.span;
        let elements = list.arguments.clone();
        let names = self.names.len();
        let array = self.fresh(list.ty.clone(), at);
        let index = self.fresh(Type::Int, at);
        let array_value = || expr(ExprKind::Local(array), Type::Array(element.clone()), at);
        let index_value = || expr(ExprKind::Local(index), Type::Int, at);
        let zero = expr(ExprKind::Constant(Constant::Integer(0)), Type::Int, at);
        let one = expr(ExprKind::Constant(Constant::Integer(1)), Type::Int, at);
        let length = expr(ExprKind::Length(Box::new(array_value())), Type::Int, at);
        let first = vec![
            Statement { kind: StatementKind::Local(array, Some(list)), span: at },
            Statement { kind: StatementKind::Local(index, Some(zero)), span: at },
        ];
        let kind = ExprKind::Binary(Binary::Less, Box::new(index_value()), Box::new(length));
        let condition = Some(expr(kind, Type::Boolean, at));
        let kind = ExprKind::Update {
            operator: Binary::Add,
            ty: Type::Int,
            place: Box::new(index_value()),
            value: Box::new(one),
            is_old: false,
        };
        let step = vec![expr(kind, Type::Int, at)];
        let ty = match spelt.kind {
            TypeKind::Inferred => (*element).clone(),
            _ => self.local_type(spelt)?,
        };
        let local = self.declare(variable, ty.clone())?;
        self.generics[local.index()] = match spelt.kind {
            TypeKind::Inferred => elements,
            _ => self.arguments_of(spelt),
        };
        let kind = ExprKind::Index(Box::new(array_value()), Box::new(index_value()));
        let value = expr(kind, (*element).clone(), at);
        let value = self.converted(value, &ty)?;
        let taken = Statement { kind: StatementKind::Local(local, Some(value)), span };
        let label = self.enter(name, true, true);
        let body = self.one(body)?;
        self.targets.pop();
        self.names.truncate(names);
        let body = Box::new(Statement { kind: StatementKind::Block(vec![taken, *body]), span });
        Ok(StatementKind::For { label, first, condition, step, body })
    }

    pub(super) fn try_statement(
        &mut self,
        body: &'u tree::Block,
        catches: &'u [tree::Catch],
        finally: Option<&'u tree::Block>,
    ) -> Read<StatementKind> {
        let body = self.statements(&body.statements)?;
        self.tried(body, catches, finally)
    }

    /// What is tried, with what catches.
    pub(super) fn tried(
        &mut self,
        body: Vec<Statement>,
        catches: &'u [tree::Catch],
        finally: Option<&'u tree::Block>,
    ) -> Read<StatementKind> {
        let mut made = Vec::new();
        for catch in catches {
            let mut classes = Vec::new();
            for spelt in &catch.types {
                match self.local_type(spelt)? {
                    Type::Class(class) if self.r.is_subclass(class, self.r.throwable) => {
                        classes.push(class)
                    }
                    _ => return wrong(spelt.span, Wrong::Expected("a class of exceptions")),
                }
            }
            let ty = match &classes[..] {
                [only] => Type::Class(*only),
                _ => Type::Class(self.r.throwable),
            };
            let names = self.names.len();
            let local = self.declare(&catch.name, ty)?;
            let body = self.statements(&catch.body.statements)?;
            self.names.truncate(names);
            made.push(Catch { classes, local, body, span: catch.name.span });
        }
        let finally = match finally {
            Some(block) => Some(self.statements(&block.statements)?),
            None => None,
        };
        Ok(StatementKind::Try { body, catches: made, finally })
    }

    pub(super) fn condition(&mut self, e: &'u tree::Expr) -> Read<Expr> {
        self.value(e, &Type::Boolean)
    }
}
