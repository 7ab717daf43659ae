//! Conditions that a person types about a place in a program: `x > 0 && a[1] == y`.

use super::Elaborator;
use super::names::Entity;
use crate::lang::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::lang::lexer::lex;
use crate::lang::model::{Expression, Program, ScopeId, Span};
use crate::lang::options::{Checks, Dialect, EffectiveOptions, Globals};
use crate::lang::parser;

/// Reads a condition over the variables of a scope. Operators mean what the model says (`x / 0` is 0); calls, assignments and choices are
/// refused. The first thing that is wrong comes back, with a span into `text`.
pub(crate) fn elaborate_condition(program: &Program, scope: ScopeId, text: &str) -> Result<Expression, Diagnostic> {
    let mut diagnostics = Diagnostics::default();
    let lexed = lex(text, &mut diagnostics);
    let parsed = parser::parse_expression(text, &lexed.tokens, &mut diagnostics);
    let options = EffectiveOptions {
        dialect: Dialect::Cimple,
        bits: u32::from(program.int_width),
        globals: Globals::Any,
        checks: Checks { bounds: false, division: false, overflow: false, shift: false },
        error: None,
        label: None,
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
            let name = &program.variable(*id).name;
            elaborator.names.bind(name, Entity::Variable { id: *id, constant: false, value: None });
        }
        if elaborator.effects(&parsed).any() {
            elaborator.diagnostics.error(parsed.span, "a condition here neither calls nor assigns", "compare variables, as in `x > 0`");
        } else {
            let value = elaborator.expression(&parsed);
            let truth = elaborator.truth(value, parsed.span);
            if !elaborator.pending.choices.is_empty() {
                elaborator.diagnostics.error(parsed.span, "a condition here makes no choice", "compare variables, as in `x > 0`");
            }
            condition = Some(truth);
        }
    }
    let failed = diagnostics.has_errors();
    let first = diagnostics.finish().into_iter().find(|d| d.severity == Severity::Error);
    match (condition.filter(|_| !failed), first) {
        (Some(condition), _) => Ok(condition),
        (None, Some(first)) => Err(first),
        (None, None) => Err(Diagnostic {
            severity: Severity::Error,
            span: Span { start: 0, end: text.len() as u32, line: 1 },
            message: "this is not a condition".to_string(),
            hint: "compare variables, as in `x > 0`".to_string(),
        }),
    }
}
