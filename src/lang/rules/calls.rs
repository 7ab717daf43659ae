//! The names of procedures in a syntax tree: who is called, who is named otherwise, and other names
//! in their place.

use crate::lang::model::Span;
use crate::lang::syntax::{
    Block, Declaration, Expr, ExprKind, Function, Initializer, Statement, StatementKind,
};
use rustc_hash::FxHashSet;

/// Visits each expression of a block, those inside of others first.
pub(in crate::lang) fn each_expression(block: &mut Block, visit: &mut impl FnMut(&mut Expr)) {
    block.statements.iter_mut().for_each(|s| statement(s, visit));
}

/// Visits each declaration of a block.
pub(in crate::lang) fn each_declaration(
    block: &mut Block,
    visit: &mut impl FnMut(&mut Declaration),
) {
    for s in &mut block.statements {
        declarations(s, visit);
    }
}

fn declarations(s: &mut Statement, visit: &mut impl FnMut(&mut Declaration)) {
    match &mut s.kind {
        StatementKind::Declaration(declaration) => visit(declaration),
        StatementKind::If { branches, otherwise } => {
            branches.iter_mut().for_each(|branch| declarations(&mut branch.then, visit));
            otherwise.iter_mut().for_each(|s| declarations(s, visit));
        }
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Switch { body, .. } => declarations(body, visit),
        StatementKind::For { initial, body, .. } => {
            initial.iter_mut().for_each(|s| declarations(s, visit));
            declarations(body, visit);
        }
        StatementKind::Block(block)
        | StatementKind::Atomic(block)
        | StatementKind::Ghost(block) => each_declaration(block, visit),
        _ => {}
    }
}

fn statement(s: &mut Statement, visit: &mut impl FnMut(&mut Expr)) {
    match &mut s.kind {
        StatementKind::Declaration(declaration) => {
            for declarator in &mut declaration.declarators {
                for dimension in declarator.dimensions.iter_mut().flatten() {
                    expression(dimension, visit);
                }
                if let Some(value) = &mut declarator.initializer {
                    initializer(value, visit);
                }
            }
        }
        StatementKind::Expression(e) | StatementKind::Return(Some(e)) => expression(e, visit),
        StatementKind::If { branches, otherwise } => {
            for branch in branches {
                expression(&mut branch.condition, visit);
                statement(&mut branch.then, visit);
            }
            otherwise.iter_mut().for_each(|s| statement(s, visit));
        }
        StatementKind::While { condition, body }
        | StatementKind::DoWhile { condition, body, .. } => {
            expression(condition, visit);
            statement(body, visit);
        }
        StatementKind::For { initial, condition, step, body } => {
            initial.iter_mut().for_each(|s| statement(s, visit));
            condition.iter_mut().chain(step).for_each(|e| expression(e, visit));
            statement(body, visit);
        }
        StatementKind::Switch { scrutinee, body } => {
            expression(scrutinee, visit);
            statement(body, visit);
        }
        StatementKind::Block(block)
        | StatementKind::Atomic(block)
        | StatementKind::Ghost(block) => each_expression(block, visit),
        _ => {}
    }
}

/// Visits the expressions of an initial value.
pub(in crate::lang) fn initializer(value: &mut Initializer, visit: &mut impl FnMut(&mut Expr)) {
    match value {
        Initializer::Value(e) => expression(e, visit),
        Initializer::List(list, _) => list.iter_mut().for_each(|one| initializer(one, visit)),
        Initializer::Member(_, inner) => initializer(inner, visit),
        Initializer::At(at, inner) => {
            expression(at, visit);
            initializer(inner, visit);
        }
    }
}

/// The depth of expressions is bounded by the parser.
fn expression(e: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    if let ExprKind::Statements(block) = &mut e.kind {
        each_expression(block, visit);
    }
    let mut children = Vec::new();
    e.children_mut(&mut children);
    children.into_iter().for_each(|child| expression(child, visit));
    visit(e);
}

/// The names that a procedure declares for itself: parameters and locals of all of its blocks.
pub(in crate::lang) fn local_names(function: &mut Function) -> FxHashSet<String> {
    let mut names: FxHashSet<String> = function
        .parameters
        .iter()
        .filter_map(|p| p.name.as_ref())
        .map(|n| n.text.clone())
        .collect();
    if let Some(body) = &mut function.body {
        each_declaration(body, &mut |declaration| {
            names.extend(declaration.declarators.iter().map(|d| d.name.text.clone()));
        });
        each_expression(body, &mut |e| {
            if let ExprKind::Statements(block) = &mut e.kind {
                each_declaration(block, &mut |declaration| {
                    names.extend(declaration.declarators.iter().map(|d| d.name.text.clone()));
                });
            }
        });
    }
    names
}

/// The first call of a procedure in a block: its place and the number of its arguments.
pub(in crate::lang) fn first_call(block: &mut Block, procedure: &str) -> Option<(Span, usize)> {
    let mut found: Option<(Span, usize)> = None;
    each_expression(block, &mut |e| {
        if let ExprKind::Call(name, arguments) = &e.kind
            && name.text == procedure
            && found.is_none_or(|(span, _)| e.span.start < span.start)
        {
            found = Some((e.span, arguments.len()));
        }
    });
    found
}
