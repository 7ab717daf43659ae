//! `switch`, as a statement and as an expression.

use super::body::Body;
use super::expr;
use crate::mistake::{Read, Wrong, not_read, wrong};
use crate::span::Span;
use crate::tree::{self, Kind, StatementKind as Spelt};
use crate::typed::{
    Constant, Expr, ExprKind, Generic, Group, LocalId, Statement, StatementKind, Type,
};

impl<'u> Body<'_, 'u> {
    /// A `switch`; `gives` is where the values of its arms go, if they have some.
    pub(super) fn switch(
        &mut self,
        value: &'u tree::Expr,
        groups: &'u [tree::Group],
        name: Option<&str>,
        gives: Option<LocalId>,
    ) -> Read<StatementKind> {
        let value = self.expression(value)?;
        let value = self.unboxed(value)?;
        let mut texts = Vec::new();
        let value = match &value.ty {
            Type::Byte | Type::Short | Type::Char | Type::Int => {
                self.converted(value, &Type::Int)?
            }
            Type::Class(class) if self.r.class(*class).kind == Kind::Enumeration => value,
            Type::String if self.r.is_exact => {
                texts = self.texts_of(groups)?;
                let (span, kind) = (value.span, ExprKind::Position(Box::new(value), texts.clone()));
                expr(kind, Type::Int, span)
            }
            other => {
                let what = format!("`switch` over {}", self.r.shown(other));
                return not_read(value.span, what);
            }
        };
        let label = self.enter(name, false, true);
        if let Some(local) = gives {
            self.yields.push((local, label));
        }
        let names = self.names.len();
        let mut made = Vec::new();
        for group in groups {
            let mut labels = Vec::new();
            for one in &group.labels {
                labels.push(match one {
                    Some(one) => Some(self.case(one, &value.ty, &texts)?),
                    None => None,
                });
            }
            // A variable of one group is in scope in the next.
            let mut body = Vec::new();
            for statement in &group.body {
                match &statement.kind {
                    Spelt::Expression(e) if gives.is_some() && group.arrow => {
                        let kind = self.yield_statement(e, statement.span)?;
                        body.push(Statement { kind, span: statement.span });
                    }
                    _ => self.statement(statement, None, &mut body)?,
                }
            }
            if group.arrow {
                body.push(Statement { kind: StatementKind::Break(label), span: Span::default() });
            }
            made.push(Group { labels, body, span: group.span });
        }
        self.names.truncate(names);
        self.targets.pop();
        if gives.is_some() {
            self.yields.pop();
        }
        Ok(StatementKind::Switch(label, value, made))
    }

    /// The number of a `case`.
    fn case(&mut self, label: &'u tree::Expr, of: &Type, texts: &[String]) -> Read<i64> {
        if let (Type::Class(class), tree::ExprKind::Name(name)) = (of, &label.kind) {
            let found = self.r.class(*class).constants.iter().position(|known| known == name);
            return match found {
                Some(found) => Ok(found as i64 + 1),
                None => wrong(label.span, Wrong::Unknown(name.clone())),
            };
        }
        let value = self.expression(label)?;
        if let ExprKind::Text(text) = &value.kind
            && let Some(found) = texts.iter().position(|known| known == text)
        {
            return Ok(found as i64 + 1);
        }
        match super::constants::value_of(&value) {
            Some(Constant::Integer(value)) => Ok(value),
            _ => wrong(label.span, Wrong::Expected("a constant")),
        }
    }

    /// The texts that a `switch` tells apart.
    fn texts_of(&mut self, groups: &'u [tree::Group]) -> Read<Vec<String>> {
        let mut texts = Vec::new();
        for label in groups.iter().flat_map(|group| &group.labels).flatten() {
            match self.expression(label)?.kind {
                ExprKind::Text(text) if !texts.contains(&text) => texts.push(text),
                ExprKind::Text(text) => return wrong(label.span, Wrong::Twice(text)),
                _ => return not_read(label.span, "a `case` that is no literal"),
            }
        }
        Ok(texts)
    }

    /// A `switch` whose value is used.
    pub(super) fn switch_value(
        &mut self,
        value: &'u tree::Expr,
        groups: &'u [tree::Group],
        wanted: Generic,
        span: Span,
    ) -> Read<Expr> {
        let local = self.fresh(wanted.ty, span);
        self.generics[local.index()] = wanted.arguments;
        let kind = self.switch(value, groups, None, Some(local))?;
        let given = self.local(local, span);
        let (ty, arguments) = (given.ty.clone(), given.arguments.clone());
        // The statement around it is the place.
        let statement = Statement { kind, span: Span::default() };
        let kind = ExprKind::After(vec![statement], Box::new(given));
        Ok(Expr { arguments, ..expr(kind, ty, span) })
    }

    /// `yield value`
    pub(super) fn yield_statement(
        &mut self,
        value: &'u tree::Expr,
        span: Span,
    ) -> Read<StatementKind> {
        let Some((local, label)) = self.yields.last().copied() else {
            return wrong(span, Wrong::Rule("no `switch` here takes a value"));
        };
        let place = self.local(local, span);
        let value = self.value_as(value, &place.ty, &place.arguments)?;
        let ty = place.ty.clone();
        let set = expr(ExprKind::Assign(Box::new(place), Box::new(value)), ty, span);
        let set = Statement { kind: StatementKind::Expression(set), span };
        let leave = Statement { kind: StatementKind::Break(label), span: Span::default() };
        Ok(StatementKind::Block(vec![set, leave]))
    }

    /// The type of a `switch` whose place does not say it: that of its arms.
    pub(super) fn given_type(&mut self, groups: &'u [tree::Group], span: Span) -> Read<Generic> {
        let mut found: Option<Expr> = None;
        for value in groups.iter().filter_map(given_by) {
            let (names, targets) = (self.names.len(), self.targets.len());
            let read = self.expression(value);
            self.names.truncate(names);
            self.targets.truncate(targets);
            let Ok(next) = read else { continue };
            found = Some(match found {
                None => next,
                Some(old) => self.common(old, next)?,
            });
        }
        match found {
            Some(e) if e.ty != Type::Null => Ok(e.generic()),
            _ => not_read(span, "a `switch` whose type does not follow from its place"),
        }
    }

    /// One of two values, as one of the type that both have.
    fn common(&mut self, one: Expr, other: Expr) -> Read<Expr> {
        if one.ty == other.ty || other.ty == Type::Null {
            return Ok(one);
        }
        if one.ty == Type::Null || self.r.is_convertible(&one.ty, &other.ty) {
            return Ok(other);
        }
        if self.r.is_convertible(&other.ty, &one.ty) {
            return Ok(one);
        }
        let span = one.span;
        Ok(expr(ExprKind::Null, Type::Class(self.r.object), span))
    }
}

/// The value that an arm gives, if it is in sight.
fn given_by(group: &tree::Group) -> Option<&tree::Expr> {
    let mut statements = group.body.iter();
    if group.arrow
        && let Some(tree::Statement { kind: Spelt::Block(block), .. }) = group.body.first()
    {
        statements = block.statements.iter();
    }
    statements.find_map(|statement| match &statement.kind {
        Spelt::Expression(e) if group.arrow => Some(e),
        Spelt::Yield(e) => Some(e),
        _ => None,
    })
}
