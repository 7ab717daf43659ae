//! The library of strings, written in C: what a program calls of it and does not define is added
//! to the program. Its statements have the place of the first call.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::lex;
use crate::lang::model::Span;
use crate::lang::parser;
use crate::lang::syntax::{
    Block, Declaration, Expr, ExprKind, File, Function, Initializer, Item, Statement,
    StatementKind, StructId, TypeName,
};
use crate::wire::options::DataModel;
use rustc_hash::FxHashMap;

/// The procedures. Each calls none of the others.
const LIBRARY: &str = include_str!("library.c");

/// Calls what `atexit` was given, the last first.
pub(super) const AT_EXIT: &str = "atexit_run";

/// Called by the library where the model ends.
pub(super) const CUT_OFF: &str = "library_cut_off";

/// The struct of the library.
const TIME: &str = "tm";

/// The file, with what it calls of the library.
///
/// `only`: the line of the one error that counts. What is called there and elsewhere is added
/// twice, so that the checks of the calls on that line can be told from those of the others.
pub(super) fn with_library(file: &File, model: DataModel, only: Option<u32>) -> File {
    let mut unread = Diagnostics::default();
    let lexed = lex(LIBRARY, &mut unread);
    let library = parser::parse_c(LIBRARY, &lexed.tokens, model, &mut unread);
    let mut called: FxHashMap<String, Span> = FxHashMap::default();
    let mut asked: FxHashMap<String, Span> = FxHashMap::default();
    let mut named: FxHashMap<String, Span> = FxHashMap::default();
    let mut note = |e: &Expr| {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            if let ExprKind::Call(name, arguments) = &e.kind {
                let text = super::calls::plain_name(&name.text).unwrap_or(&name.text);
                let text = super::input::reading_a_word(text, arguments).map_or(text, |(it, _)| it);
                let spans = if Some(e.span.line) == only { &mut asked } else { &mut called };
                spans.entry(text.to_string()).or_insert(e.span);
            }
            if let ExprKind::Name(name) = &e.kind {
                named.entry(name.clone()).or_insert(e.span);
            }
            e.children(&mut stack);
        }
    };
    let mut has_body: Vec<String> = Vec::new();
    for item in &file.items {
        if let Item::Function(Function { name, body: Some(body), .. }) = item {
            has_body.push(name.text.clone());
            body.statements.iter().for_each(|s| each(s, &mut note));
        }
    }
    let both: Vec<String> =
        asked.keys().filter(|name| called.contains_key(*name)).cloned().collect();
    for (name, span) in &asked {
        called.entry(name.clone()).or_insert(*span);
    }
    if let (Some(span), false) =
        (called.get("atexit").copied(), has_body.iter().any(|name| name == "atexit"))
    {
        called.insert(AT_EXIT.to_string(), span);
        named.insert("atexit_count".to_string(), span);
        named.insert("atexit_procedures".to_string(), span);
    }
    let mut file = File {
        items: file.items.clone(),
        structs: file.structs.clone(),
        procedure_types: file.procedure_types.clone(),
        array_types: file.array_types.clone(),
        has_statement_expressions: file.has_statement_expressions,
        braced_values: file.braced_values.clone(),
        rooms: Vec::new(),
        traits: file.traits,
    };
    let before = file.procedure_types.len() as u32;
    file.procedure_types.extend(library.procedure_types.iter().copied());
    let uses_time = file.structs.iter().any(|s| s.tag == TIME);
    let mut needed = uses_time;
    let time = match file.structs.iter().position(|s| s.tag == TIME && !s.is_union) {
        Some(known) => StructId(known as u32),
        None => StructId(file.structs.len() as u32),
    };
    let mut globals = Vec::new();
    for item in library.items {
        let mut function = match item {
            Item::Function(function) => function,
            Item::Declaration(declaration) => {
                globals.push(declaration);
                continue;
            }
            Item::Thread(_) => continue,
        };
        let text = function.name.text.clone();
        let Some(span) = called.get(&text).copied() else { continue };
        if has_body.contains(&text) {
            continue;
        }
        file.items.retain(|item| !matches!(item, Item::Function(f) if f.name.text == text));
        needed |= is_of_time(&function);
        if let (true, Some(line), false) = (both.contains(&text), only, has_static(&function)) {
            let mut copy = function.clone();
            copy.name.text = in_line(&text, line);
            move_function(&mut copy, (asked[&text], time, before));
            file.items.push(Item::Function(copy));
        }
        move_function(&mut function, (span, time, before));
        if text == "getdate" {
            named.entry("getdate_err".to_string()).or_insert(span);
        }
        file.items.push(Item::Function(function));
    }
    for mut declaration in globals {
        let Some(declarator) = declaration.declarators.first_mut() else { continue };
        let text = declarator.name.text.clone();
        let Some(span) = named.get(&text).copied() else { continue };
        let is_same = |item: &Item| match item {
            Item::Declaration(other) => other.declarators.iter().any(|d| d.name.text == text),
            _ => false,
        };
        if !file.items.iter().any(is_same) {
            (declarator.span, declarator.name.span) = (span, span);
            move_type(&mut declaration.type_name, (span, time, before));
            file.items.insert(0, Item::Declaration(declaration));
        }
    }
    if let (true, Some(structure)) = (needed, library.structs.into_iter().next()) {
        match file.structs.get_mut(time.0 as usize) {
            Some(known) => known.fields = known.fields.take().or(structure.fields),
            None => file.structs.push(structure),
        }
    }
    file
}

/// The name of the library's procedure for the calls on one line.
pub(super) fn in_line(name: &str, line: u32) -> String {
    format!("{name} in line {line}")
}

/// Does it keep something from call to call?
fn has_static(function: &Function) -> bool {
    let is_static = |statement: &Statement| match &statement.kind {
        StatementKind::Declaration(declaration) => declaration.is_static,
        _ => false,
    };
    function.body.iter().flat_map(|body| &body.statements).any(is_static)
}

/// Does the library define this procedure?
pub(super) fn defines(name: &str) -> bool {
    let call = format!("{name}(");
    LIBRARY.lines().any(|line| {
        line.split_once(&call).is_some_and(|(before, _)| {
            before.ends_with([' ', '*']) && !before.starts_with(' ') && !before.is_empty()
        })
    })
}

/// Does a procedure of the library take or give back a `struct tm`?
fn is_of_time(function: &Function) -> bool {
    let is_struct = |name: TypeName| matches!(name, TypeName::Struct(_));
    is_struct(function.result) || function.parameters.iter().any(|p| is_struct(p.type_name))
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

/// Where a procedure of the library stands, which struct its struct is, and how many types of
/// procedures come before the library's.
type To = (Span, StructId, u32);

/// Moves a procedure of the library to this place.
fn move_function(function: &mut Function, to: To) {
    function.shared = true;
    function.span = to.0;
    function.name.span = to.0;
    move_type(&mut function.result, to);
    for parameter in &mut function.parameters {
        parameter.span = to.0;
        move_type(&mut parameter.type_name, to);
        if let Some(name) = &mut parameter.name {
            name.span = to.0;
        }
    }
    if let Some(body) = &mut function.body {
        move_block(body, to);
    }
}

fn move_type(name: &mut TypeName, to: To) {
    match name {
        TypeName::Struct(id) => *id = to.1,
        TypeName::Procedure(number) => *number += to.2,
        _ => {}
    }
}

fn move_block(block: &mut Block, to: To) {
    block.end = to.0;
    block.statements.iter_mut().for_each(|s| move_statement(s, to));
}

/// The library has these kinds of statements only.
fn move_statement(statement: &mut Statement, to: To) {
    statement.span = to.0;
    match &mut statement.kind {
        StatementKind::Declaration(Declaration { declarators, type_name, .. }) => {
            move_type(type_name, to);
            for declarator in declarators {
                declarator.span = to.0;
                declarator.name.span = to.0;
                if let Some(Initializer::Value(e)) = &mut declarator.initializer {
                    move_expression(e, to);
                }
            }
        }
        StatementKind::Expression(e) | StatementKind::Return(Some(e)) => move_expression(e, to),
        StatementKind::If { branches, .. } => {
            for branch in branches {
                branch.head = to.0;
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

fn move_expression(e: &mut Expr, to: To) {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        e.span = to.0;
        if let ExprKind::PointerCast(pointed, _) = &mut e.kind {
            move_type(&mut pointed.type_name, to);
        }
        e.children_mut(&mut stack);
    }
}
