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

/// The procedures, by name; each calls none of the others.
const LIBRARY: [(&str, &str); 11] = [
    (
        "strlen",
        "unsigned long strlen(const char *s) { unsigned long n = 0; while (s[n] != 0) n = n + 1; return n; }",
    ),
    (
        "strcpy",
        "char *strcpy(char *to, const char *from) { unsigned long i = 0; while (from[i] != 0) { to[i] = from[i]; i = i + 1; } to[i] = 0; return to; }",
    ),
    (
        "strncpy",
        "char *strncpy(char *to, const char *from, unsigned long n) { unsigned long i = 0; while (i < n && from[i] != 0) { to[i] = from[i]; i = i + 1; } while (i < n) { to[i] = 0; i = i + 1; } return to; }",
    ),
    (
        "strcat",
        "char *strcat(char *to, const char *from) { unsigned long n = 0; unsigned long i = 0; while (to[n] != 0) n = n + 1; while (from[i] != 0) { to[n + i] = from[i]; i = i + 1; } to[n + i] = 0; return to; }",
    ),
    (
        "strcmp",
        "int strcmp(const char *a, const char *b) { unsigned long i = 0; while (a[i] != 0 && a[i] == b[i]) i = i + 1; if ((unsigned char)a[i] < (unsigned char)b[i]) return -1; return (unsigned char)a[i] > (unsigned char)b[i]; }",
    ),
    (
        "strncmp",
        "int strncmp(const char *a, const char *b, unsigned long n) { unsigned long i = 0; while (i < n && a[i] != 0 && a[i] == b[i]) i = i + 1; if (i >= n) return 0; if ((unsigned char)a[i] < (unsigned char)b[i]) return -1; return (unsigned char)a[i] > (unsigned char)b[i]; }",
    ),
    (
        "strchr",
        "char *strchr(const char *s, int c) { unsigned long i = 0; while (s[i] != 0 && s[i] != (char)c) i = i + 1; return s[i] == (char)c ? (char *)s + i : (char *)0; }",
    ),
    (
        "memset",
        "void *memset(char *to, int c, unsigned long n) { unsigned long i = 0; while (i < n) { to[i] = (char)c; i = i + 1; } return to; }",
    ),
    (
        "memcpy",
        "void *memcpy(char *to, const char *from, unsigned long n) { unsigned long i = 0; while (i < n) { to[i] = from[i]; i = i + 1; } return to; }",
    ),
    (
        "memcmp",
        "int memcmp(const char *a, const char *b, unsigned long n) { unsigned long i = 0; while (i < n && a[i] == b[i]) i = i + 1; if (i >= n) return 0; if ((unsigned char)a[i] < (unsigned char)b[i]) return -1; return 1; }",
    ),
    (
        "strnlen",
        "unsigned long strnlen(const char *s, unsigned long most) { unsigned long n = 0; while (n < most && s[n] != 0) n = n + 1; return n; }",
    ),
];

/// The file, with what it calls of the library.
pub(super) fn with_library(file: &File) -> File {
    let mut called: FxHashMap<&str, Span> = FxHashMap::default();
    let mut note = |e: &Expr| {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            if let ExprKind::Call(name, _) = &e.kind
                && let Some((known, _)) = LIBRARY.iter().find(|(known, _)| *known == name.text)
            {
                called.entry(known).or_insert(e.span);
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
    let added = LIBRARY.iter().filter(|(name, _)| !has_body.iter().any(|known| known == name));
    for (name, text) in added {
        let Some(span) = called.get(name).copied() else { continue };
        let mut unread = Diagnostics::default();
        let lexed = lex(text, &mut unread);
        let read = parser::parse_c(text, &lexed.tokens, &mut unread);
        if unread.has_errors() {
            continue;
        }
        file.items.retain(|item| !matches!(item, Item::Function(f) if f.name.text == *name));
        for mut item in read.items {
            if let Item::Function(function) = &mut item {
                move_function(function, span);
            }
            file.items.push(item);
        }
    }
    file
}

/// Visits the expressions of a statement.
fn each(statement: &Statement, visit: &mut impl FnMut(&Expr)) {
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
