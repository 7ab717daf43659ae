//! The library of strings, written in C: what a program calls of it and does not define is added
//! to the program. Its statements have the place of the first call.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::lex;
use crate::lang::model::Span;
use crate::lang::parser;
use crate::lang::syntax::{
    Block, Declaration, Expr, ExprKind, File, Function, Initializer, Item, Statement, StatementKind,
};
use rustc_hash::FxHashMap;

/// The procedures. Each calls none of the others.
const LIBRARY: &str = include_str!("library.c");

/// The file, with what it calls of the library.
pub(super) fn with_library(file: &File) -> File {
    let mut unread = Diagnostics::default();
    let lexed = lex(LIBRARY, &mut unread);
    let library = parser::parse_c(LIBRARY, &lexed.tokens, &mut unread);
    let mut called: FxHashMap<String, Span> = FxHashMap::default();
    let mut note = |e: &Expr| {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            if let ExprKind::Call(name, _) = &e.kind {
                let text = super::calls::plain_name(&name.text).unwrap_or(&name.text);
                called.entry(text.to_string()).or_insert(e.span);
            }
            e.children(&mut stack);
        }
    };
    let mut has_body = Vec::new();
    for item in &file.items {
        if let Item::Function(Function { name, body: Some(body), .. }) = item {
            has_body.push(name.text.clone());
            body.statements.iter().for_each(|s| each(s, &mut note));
        }
    }
    let mut file = File {
        items: file.items.clone(),
        structs: file.structs.clone(),
        procedure_types: file.procedure_types.clone(),
        has_statement_expressions: file.has_statement_expressions,
        rooms: Vec::new(),
    };
    for item in library.items {
        let Item::Function(mut function) = item else { continue };
        let text = function.name.text.clone();
        let Some(span) = called.get(&text).copied() else { continue };
        if has_body.contains(&text) {
            continue;
        }
        file.items.retain(|item| !matches!(item, Item::Function(f) if f.name.text == text));
        move_function(&mut function, span);
        file.items.push(Item::Function(function));
    }
    file
}

/// Visits the expressions of a statement.
pub(super) fn each(statement: &Statement, visit: &mut impl FnMut(&Expr)) {
    match &statement.kind {
        StatementKind::Declaration(declaration) => {
            for declarator in &declaration.declarators {
                if let Some(initializer) = &declarator.initializer {
                    each_value(initializer, visit);
                }
            }
        }
        StatementKind::Expression(e) | StatementKind::Return(Some(e)) => visit(e),
        StatementKind::If { branches, otherwise } => {
            for branch in branches {
                visit(&branch.condition);
                each(&branch.then, visit);
            }
            otherwise.iter().for_each(|o| each(o, visit));
        }
        StatementKind::While { condition, body }
        | StatementKind::DoWhile { condition, body, .. } => {
            visit(condition);
            each(body, visit);
        }
        StatementKind::For { initial, condition, step, body } => {
            initial.iter().for_each(|s| each(s, visit));
            condition.iter().chain(step).for_each(&mut *visit);
            each(body, visit);
        }
        StatementKind::Switch { scrutinee, body } => {
            visit(scrutinee);
            each(body, visit);
        }
        StatementKind::Block(block) => block.statements.iter().for_each(|s| each(s, visit)),
        _ => {}
    }
}

fn each_value(initializer: &Initializer, visit: &mut impl FnMut(&Expr)) {
    match initializer {
        Initializer::Value(e) => visit(e),
        Initializer::List(list, _) => list.iter().for_each(|i| each_value(i, visit)),
        Initializer::Member(_, inner) | Initializer::At(_, inner) => each_value(inner, visit),
    }
}

/// Moves a procedure of the library to this place.
fn move_function(function: &mut Function, to: Span) {
    function.span = to;
    function.name.span = to;
    for parameter in &mut function.parameters {
        parameter.span = to;
        if let Some(name) = &mut parameter.name {
            name.span = to;
        }
    }
    if let Some(body) = &mut function.body {
        move_block(body, to);
    }
}

fn move_block(block: &mut Block, to: Span) {
    block.end = to;
    block.statements.iter_mut().for_each(|s| move_statement(s, to));
}

/// The library has these kinds of statements only.
fn move_statement(statement: &mut Statement, to: Span) {
    statement.span = to;
    match &mut statement.kind {
        StatementKind::Declaration(Declaration { declarators, .. }) => {
            for declarator in declarators {
                declarator.span = to;
                declarator.name.span = to;
                if let Some(Initializer::Value(e)) = &mut declarator.initializer {
                    move_expression(e, to);
                }
            }
        }
        StatementKind::Expression(e) | StatementKind::Return(Some(e)) => move_expression(e, to),
        StatementKind::If { branches, .. } => {
            for branch in branches {
                branch.head = to;
                move_expression(&mut branch.condition, to);
                move_statement(&mut branch.then, to);
            }
        }
        StatementKind::While { condition, body } => {
            move_expression(condition, to);
            move_statement(body, to);
        }
        StatementKind::Block(block) => move_block(block, to),
        _ => {}
    }
}

fn move_expression(e: &mut Expr, to: Span) {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        e.span = to;
        e.children_mut(&mut stack);
    }
}
