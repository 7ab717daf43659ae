//! The names that a part of the text mentions: a class in a method takes those that are variables
//! there with it.

use crate::tree::{
    Block, Declarator, Expr, ExprKind, Group, LambdaBody, Member, Statement, StatementKind,
};
use std::collections::BTreeSet;

type Names = BTreeSet<String>;

pub(super) fn mentioned_in_members(members: &[Member], names: &mut Names) {
    for member in members {
        match member {
            Member::Field(_, _, list) => declarators(list, names),
            Member::Method(method) => {
                if let Some(body) = &method.body {
                    block(body, names);
                }
            }
            Member::Initializer { body, .. } => block(body, names),
            Member::Type(declaration) => mentioned_in_members(&declaration.members, names),
        }
    }
}

pub(super) fn mentioned_in_lambda(body: &LambdaBody, names: &mut Names) {
    match body {
        LambdaBody::Value(value) => expression(value, names),
        LambdaBody::Block(body) => block(body, names),
    }
}

fn declarators(list: &[Declarator], names: &mut Names) {
    list.iter().filter_map(|d| d.value.as_ref()).for_each(|value| expression(value, names));
}

fn block(block: &Block, names: &mut Names) {
    statements(&block.statements, names);
}

fn statements(list: &[Statement], names: &mut Names) {
    list.iter().for_each(|one| statement(one, names));
}

fn statement(statement: &Statement, names: &mut Names) {
    match &statement.kind {
        StatementKind::Local(_, list) => declarators(list, names),
        StatementKind::LocalType(declaration) => {
            mentioned_in_members(&declaration.members, names);
        }
        StatementKind::Expression(e) | StatementKind::Throw(e) | StatementKind::Yield(e) => {
            expression(e, names);
        }
        StatementKind::If(condition, then, otherwise) => {
            expression(condition, names);
            self::statement(then, names);
            otherwise.iter().for_each(|one| self::statement(one, names));
        }
        StatementKind::While(condition, body) | StatementKind::Do(body, condition, _) => {
            expression(condition, names);
            self::statement(body, names);
        }
        StatementKind::For { first, condition, step, body } => {
            statements(first, names);
            condition.iter().chain(step).for_each(|e| expression(e, names));
            self::statement(body, names);
        }
        StatementKind::ForEach(_, _, list, body) => {
            expression(list, names);
            self::statement(body, names);
        }
        StatementKind::Switch(value, groups) => {
            expression(value, names);
            groups_of(groups, names);
        }
        StatementKind::Labelled(_, body) => self::statement(body, names),
        StatementKind::Return(value) => value.iter().for_each(|e| expression(e, names)),
        StatementKind::Try { resources, body, catches, finally } => {
            statements(resources, names);
            block(body, names);
            catches.iter().for_each(|catch| block(&catch.body, names));
            finally.iter().for_each(|body| block(body, names));
        }
        StatementKind::Assert(condition, text) => {
            expression(condition, names);
            text.iter().for_each(|e| expression(e, names));
        }
        StatementKind::Synchronized(lock, body) => {
            expression(lock, names);
            block(body, names);
        }
        StatementKind::Block(body) => block(body, names),
        StatementKind::Break(_) | StatementKind::Continue(_) | StatementKind::Empty => {}
    }
}

fn groups_of(groups: &[Group], names: &mut Names) {
    for group in groups {
        group.labels.iter().flatten().for_each(|e| expression(e, names));
        statements(&group.body, names);
    }
}

fn expression(e: &Expr, names: &mut Names) {
    let mut list = |list: &[Expr]| list.iter().for_each(|e| expression(e, names));
    match &e.kind {
        ExprKind::Name(name) => {
            names.insert(name.clone());
        }
        ExprKind::Integer { .. }
        | ExprKind::Floating { .. }
        | ExprKind::Character(_)
        | ExprKind::Text(_)
        | ExprKind::Truth(_)
        | ExprKind::Null
        | ExprKind::This
        | ExprKind::Super
        | ExprKind::ClassLiteral => {}
        ExprKind::MethodReference(direct, _) => list(direct),
        ExprKind::Switch(value, groups) => {
            expression(value, names);
            groups_of(groups, names);
        }
        ExprKind::Member(e, _)
        | ExprKind::Unary(_, e)
        | ExprKind::Step { place: e, .. }
        | ExprKind::Cast(_, e)
        | ExprKind::InstanceOf(e, ..) => expression(e, names),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
            expression(a, names);
            expression(b, names);
        }
        ExprKind::Call { target, arguments, .. } => {
            list(arguments);
            target.iter().for_each(|e| expression(e, names));
        }
        ExprKind::Construct { arguments, .. } => list(arguments),
        ExprKind::New { outer, arguments, body, .. } => {
            list(arguments);
            outer.iter().for_each(|e| expression(e, names));
            body.iter().for_each(|members| mentioned_in_members(members, names));
        }
        ExprKind::NewArray { lengths, values, .. } => {
            list(lengths);
            values.iter().for_each(|e| expression(e, names));
        }
        ExprKind::Values(values) => list(values),
        ExprKind::Conditional(parts) => list(&parts[..]),
        ExprKind::Lambda(_, body) => mentioned_in_lambda(body, names),
    }
}
