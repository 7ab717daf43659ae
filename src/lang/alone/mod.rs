//! A procedure alone: any procedure can be where a run starts, with arguments of every value that
//! makes sense.
//!
//! A procedure `main` of Faultline's own is woven into the syntax tree. It makes the arguments
//! (`objects`), of the shapes that their types, their names and the contract tell (`shapes`), ends
//! the runs that `requires` excludes, calls, and checks `ensures`. Where a program has no `main`,
//! it chooses among the procedures that nobody calls.

mod calls;
mod objects;
mod shapes;

use crate::lang::contracts::{self, Promise};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lowering::suggestion::suggestion;
use crate::lang::message::is;
use crate::lang::model::{Operation, ProcedureId, Program, Span};
use crate::lang::syntax::{Expr, ExprKind, File, Function, Item, Statement, TypeName};
use crate::lang::tree::{call, closed, either, expr, ghost, named, procedure};
use crate::wire::assumed::Assumed;
use calls::starts_of;
use objects::Opener;
use std::collections::BTreeMap;

/// At most so many elements, if nobody says it.
pub(in crate::lang) const ELEMENTS: u32 = 4;
/// The most that can be asked for: the model has no longer arrays of open length.
pub(in crate::lang) const MOST_ELEMENTS: u32 = 7;
/// At most so many objects of a list or a tree.
pub(in crate::lang) const OBJECTS: u32 = 3;
/// The length of an array, and how long it can be. The lowering of memory reads it; unlike one of
/// C's, such an array may have no elements, and all have values.
pub(in crate::lang) const AT_MOST: &str = "elements at most";

/// How arguments are made.
#[derive(Clone, Copy, Debug)]
pub(in crate::lang) struct Bounds {
    /// Elements of an array, characters of a text.
    pub(in crate::lang) elements: u32,
    /// Objects of a list or a tree.
    pub(in crate::lang) objects: u32,
    /// Have globals any value, whatever the program says?
    pub(in crate::lang) any_globals: bool,
}

/// The procedures that start alone.
#[derive(Clone, Debug, Default)]
pub(in crate::lang) struct Alone {
    starts: Vec<String>,
    pub(in crate::lang) assumed: Vec<Assumed>,
    /// Objects on the heap that the arguments need.
    pub(in crate::lang) objects: u32,
}

/// The procedures that are to start alone, before contracts are woven in. None if the program
/// starts as it always did. What is asked for and is not there is reported.
pub(in crate::lang) fn starts(
    file: &mut File,
    asked: Option<(&str, Span)>,
    diagnostics: &mut Diagnostics,
) -> Vec<String> {
    let bodies = |file: &File| -> Vec<String> {
        let own = file.items.iter().filter_map(|item| match item {
            Item::Function(f) if f.body.is_some() && !f.shared => Some(f.name.text.clone()),
            _ => None,
        });
        own.collect()
    };
    let names = bodies(file);
    let has_main = names.iter().any(|name| name == "main");
    let Some((name, span)) = asked else {
        let threads = file.items.iter().any(|item| matches!(item, Item::Thread(_)));
        let is_open =
            |f: &Function| f.contract.is_some() || f.parameters.iter().any(|p| p.pointers > 0);
        let found = match has_main || threads || file.traits.starts_threads {
            true => Vec::new(),
            false => starts_of(file),
        };
        let needs = |name: &String| function(file, name).is_some_and(is_open);
        let has_contract = |item: &Item| matches!(item, Item::Function(f) if f.contract.is_some());
        let with_contract = file.items.iter().any(has_contract);
        return if with_contract || found.iter().any(needs) { found } else { Vec::new() };
    };
    if !names.iter().any(|known| known == name) {
        let hint = suggestion(name, names.iter().map(String::as_str))
            .unwrap_or_else(|| format!("there are {}", names.join(", ")));
        let hint = if names.is_empty() { "the program has none".to_string() } else { hint };
        diagnostics.error(span, format!("no procedure `{name}` with a body"), hint);
        return Vec::new();
    }
    if name == "main" {
        return Vec::new();
    }
    if file.traits.starts_threads || file.items.iter().any(|i| matches!(i, Item::Thread(_))) {
        let what = "a procedure alone in a program with threads";
        diagnostics.error(span, is(what), "leave the threads out");
        return Vec::new();
    }
    if has_main {
        if calls::is_called(file, "main") {
            let what = "a procedure alone in a program that calls `main`";
            diagnostics.error(span, is(what), "rename that procedure");
            return Vec::new();
        }
        file.items.retain(|item| !matches!(item, Item::Function(f) if f.name.text == "main"));
    }
    vec![name.to_string()]
}

fn function<'f>(file: &'f File, name: &str) -> Option<&'f Function> {
    file.items.iter().find_map(|item| match item {
        Item::Function(f) if f.name.text == name && f.body.is_some() => Some(f),
        _ => None,
    })
}

/// Puts the procedure that starts these into the file. `None` if they are none, or if what they are
/// given cannot be made. That is reported if somebody asked for the procedure (`at`).
pub(in crate::lang) fn weave(
    source: &str,
    file: &mut File,
    starts: Vec<String>,
    promises: &BTreeMap<String, Promise>,
    bounds: Bounds,
    at: Option<Span>,
    diagnostics: &mut Diagnostics,
) -> Option<Alone> {
    let mut alone = Alone::default();
    let mut cases: Vec<(Vec<Statement>, Span)> = Vec::new();
    for name in &starts {
        let Some(own) = function(file, name) else { continue };
        let span = own.name.span;
        let promise = promises.get(name);
        let mut opener = Opener::new(source, file, own, promise, bounds);
        let made = opener.arguments().and_then(|()| {
            let mut statements = std::mem::take(&mut opener.statements);
            let arguments: Vec<Expr> =
                opener.parameters.iter().map(|name| named(name, span)).collect();
            let own = call(name, arguments, span);
            match promise {
                None => statements.push(crate::lang::tree::effect(own)),
                Some(promise) => {
                    for clause in &promise.contract.requires {
                        for one in clause.formula.conjuncts() {
                            if !opener.is_by_shape(one) {
                                statements.extend(contracts::suppose(one));
                            }
                        }
                    }
                    statements.extend(contracts::called(source, file, name, promise, own)?);
                }
            }
            Ok(statements)
        });
        match made {
            Ok(statements) => {
                alone.objects += opener.objects;
                alone.assumed.append(&mut opener.assumed);
                cases.push((statements, span));
            }
            Err((place, what, hint)) => {
                if at.is_some() || promise.is_some() {
                    diagnostics.error(place, is(&what), hint);
                }
                return None;
            }
        }
    }
    let first = cases.first().map(|(_, span)| *span)?;
    let mut whole: Option<Statement> = None;
    for (statements, span) in cases.into_iter().rev() {
        whole = Some(match whole {
            None => closed(statements, span),
            Some(others) => either(expr(ExprKind::Choice, span), statements, Some(others), span),
        });
    }
    let body = vec![ghost(whole.into_iter().collect(), first)];
    file.items.push(procedure("main", (TypeName::Void, 0), Vec::new(), body, first));
    alone.starts = starts;
    Some(alone)
}

impl Alone {
    /// Notes in a program which procedures start, and what is assumed of their arguments.
    pub(in crate::lang) fn note(&self, program: &mut Program) {
        let main = program.main_id();
        let called = |name: &String| {
            program.edges.iter().find_map(|edge| match edge.operation {
                Operation::Call { callee, .. }
                    if program.location(edge.from).procedure == main
                        && program.procedure(callee).name == *name =>
                {
                    Some(callee)
                }
                _ => None,
            })
        };
        let starts: Vec<ProcedureId> = self.starts.iter().filter_map(called).collect();
        program.starts = starts;
        program.assumed = self.assumed.clone();
        if let Some(own) = program.procedures.get_mut(main.0 as usize) {
            own.name = match &self.starts[..] {
                [only] => format!("start of {only}"),
                _ => "any procedure".to_string(),
            };
        }
    }
}
