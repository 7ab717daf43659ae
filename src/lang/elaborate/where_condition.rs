//! Conditions that a person types about a place in a program: `x > 0 && a[1] == y`.

use super::elaborator::Elaborator;
use super::names::Entity;
use crate::lang::diagnostic::{Diagnostic, Diagnostics};
use crate::lang::lexer::lex;
use crate::lang::model::{Expression, Program, ScopeId, Span, VariableId};
use crate::lang::parser;
use crate::util::names::continues_name;
use crate::util::order::sort_by_key;
use crate::wire::diagnostic::Severity;
use crate::wire::options::{Checks, DataModel, Dialect, EffectiveOptions, Globals};
use rustc_hash::FxHashMap;

/// Reads a condition over the variables of a scope. Operators mean what the model says (`x / 0` is
/// 0); calls, assignments and choices are refused. Errors: the first thing that is wrong, with a
/// span into `text`.
pub(crate) fn elaborate_condition(
    program: &Program,
    scope: ScopeId,
    text: &str,
) -> Result<Expression, Diagnostic> {
    let mut diagnostics = Diagnostics::default();
    let typed = text;
    let (text, stand_ins) = with_stand_ins(program, scope, text);
    let text = text.as_str();
    let lexed = lex(text, &mut diagnostics);
    let parsed = parser::parse_expression(text, &lexed.tokens, &mut diagnostics);
    let options = EffectiveOptions {
        dialect: Dialect::Cimple,
        bits: u32::from(program.int_width),
        open_width: false,
        globals: Globals::Any,
        checks: Checks::NONE,
        error: None,
        reach: None,
        label: None,
        switches: None,
        heap: None,
        model: DataModel::default(),
        rules: Vec::new(),
        function: None,
        array: None,
    };
    let mut condition = None;
    if let Some(parsed) = parsed.filter(|_| !diagnostics.has_errors()) {
        let mut elaborator = Elaborator::new(text, &options, &mut diagnostics);
        elaborator.total = true;
        elaborator.program.variables = program.variables.clone();
        for (name, (bits, scalar)) in &program.constants {
            elaborator.names.bind(name, Entity::Constant(scalar.number(*bits)));
        }
        for id in &program.scope(scope).variables {
            let name = stand_ins.get(id).unwrap_or(&program.variable(*id).name);
            elaborator.names.bind(name, Entity::Variable { id: *id, constant: false, value: None });
        }
        if elaborator.effects(&parsed).any() {
            elaborator.diagnostics.error(
                parsed.span,
                "a condition here neither calls nor assigns",
                "compare variables, as in `x > 0`",
            );
        } else {
            let value = elaborator.expression(&parsed);
            let truth = elaborator.truth(value, parsed.span);
            if !elaborator.pending.choices.is_empty() {
                elaborator.diagnostics.error(
                    parsed.span,
                    "a condition here makes no choice",
                    "compare variables, as in `x > 0`",
                );
            }
            condition = Some(truth);
        }
    }
    let failed = diagnostics.has_errors();
    let first = diagnostics.finish().into_iter().find(|d| d.severity == Severity::Error);
    match (condition.filter(|_| !failed), first) {
        (Some(condition), _) => Ok(condition),
        (None, Some(first)) => Err(first),
        (None, None) => Err(Diagnostic::new(
            Severity::Error,
            Span { start: 0, end: typed.len() as u32, line: 1 },
            "this is not a condition",
            "compare variables, as in `x > 0`",
        )),
    }
}

/// Other languages have names that cannot be read here, like `{x==0}` and `p.x`. Each is replaced
/// by an unused name of the same length, so that places stay the same.
fn with_stand_ins(
    program: &Program,
    scope: ScopeId,
    text: &str,
) -> (String, FxHashMap<VariableId, String>) {
    let mut odd: Vec<(VariableId, &str)> = program
        .scope(scope)
        .variables
        .iter()
        .map(|id| (*id, program.variable(*id).name.as_str()))
        .collect();
    // An inner variable hides an outer one of the same name; longer names are looked for first.
    odd.reverse();
    odd.retain(|(_, name)| name.contains(|c| !continues_name(c)));
    sort_by_key(&mut odd, |(_, name)| std::cmp::Reverse(name.len()));
    odd.dedup_by_key(|(_, name)| *name);
    let mut text = text.to_string();
    let mut stand_ins = FxHashMap::default();
    for (k, (id, name)) in odd.into_iter().enumerate() {
        let stand_in = format!("_{k:_>width$}", width = name.len().saturating_sub(1));
        if stand_in.len() == name.len() && text.contains(name) && !text.contains(&stand_in) {
            text = replaced(&text, name, &stand_in);
            stand_ins.insert(id, stand_in);
        }
    }
    (text, stand_ins)
}

/// Replaces every mention of a name that is not part of a longer name.
fn replaced(text: &str, name: &str, by: &str) -> String {
    let is_part = |c: Option<char>| c.is_some_and(|c| continues_name(c) || c == '.');
    let (starts, ends) = (is_part(name.chars().next()), is_part(name.chars().last()));
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_whole =
            !(starts && is_part(before.chars().last()) || ends && is_part(after.chars().next()));
        result += before;
        result += if is_whole { by } else { name };
        rest = after;
    }
    result + rest
}
