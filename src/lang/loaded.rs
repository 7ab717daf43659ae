//! The result of loading, and what the front ends of Cimple and C share: the condition of an error
//! directive, and the check that some error is at the requested line.

use crate::lang::diagnostic::{Diagnostic, Diagnostics};
use crate::lang::elaborate::ErrorCondition;
use crate::lang::lexer::lex;
use crate::lang::model::{Program, Span};
use crate::lang::parser;
use crate::lang::syntax::{Expr, ExprKind};
use crate::wire::options::{Dialect, EffectiveOptions, RequestedOptions};

/// The result of loading a source text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// `None` iff an error was reported, or the text is a raw pushdown system.
    pub program: Option<Program>,
    /// The options in force.
    pub options: EffectiveOptions,
    /// What is wrong with the whole text, then errors and warnings in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of lines of the source.
    pub source_lines: u32,
}

/// The requested language, or else the language that is guessed.
pub fn dialect_of(source: &str, requested: &RequestedOptions) -> Dialect {
    requested.dialect.unwrap_or_else(|| Dialect::guess(source))
}

/// Reports if no error is at the line that the user names. Otherwise the verdict "safe" would be
/// true but misleading.
pub(crate) fn error_stands_at(
    source: &str,
    program: &Program,
    line: u32,
    diagnostics: &mut Diagnostics,
) {
    let checks = program
        .edge_ids()
        .flat_map(|id| program.edge(id).checks.iter().map(move |check| (id, check)));
    let mut lines: Vec<u32> = checks.flat_map(|(id, check)| program.lines_of(id, check)).collect();
    lines.sort_unstable();
    lines.dedup();
    if lines.contains(&line) {
        return;
    }
    let span = line_span(source, line);
    let shown: Vec<String> = lines.iter().take(12).map(u32::to_string).collect();
    let hint = match lines.len() {
        0 => "the program has no assertion, no error label and no check that is on".to_string(),
        1 => format!("the only error of the program stands at line {}", shown[0]),
        _ => format!(
            "errors stand at lines {}{}",
            shown.join(", "),
            if lines.len() > 12 { ", …" } else { "" }
        ),
    };
    diagnostics.error(
        span,
        format!("only an error at line {line} is to count, but none stands there"),
        hint,
    );
}

/// A whole line of the source; nothing at its end, if it has fewer.
pub(super) fn line_span(source: &str, line: u32) -> Span {
    let before = source.split_inclusive('\n').take(line.saturating_sub(1) as usize);
    let start = before.map(str::len).sum::<usize>().min(source.len());
    let length = source[start..].lines().next().map_or(0, str::len);
    Span { start: start as u32, end: (start + length) as u32, line }
}

/// Reads the condition of an error directive. Its text is not among the tokens, so diagnostics
/// point to the directive.
pub(crate) fn error_condition(
    text: &str,
    span: Span,
    diagnostics: &mut Diagnostics,
) -> Option<ErrorCondition> {
    let mut inner = Diagnostics::default();
    let lexed = lex(text, &mut inner);
    let parsed = parser::parse_expression(text, &lexed.tokens, &mut inner);
    if let Some(first) = inner.finish().into_iter().next() {
        diagnostics.error(
            span,
            format!("error = {text}: {}", first.message),
            "write `//! error = (x == 3)`",
        );
        return None;
    }
    let expression = parsed?;
    let mut mentions = Vec::new();
    let mut stack = vec![&expression];
    let mut plain = true;
    while let Some(e) = stack.pop() {
        match &e.kind {
            ExprKind::Name(name) if !mentions.contains(name) => mentions.push(name.clone()),
            ExprKind::Call(..)
            | ExprKind::Assign(..)
            | ExprKind::Step { .. }
            | ExprKind::Choice => plain = false,
            _ => {}
        }
        e.children(&mut stack);
    }
    if !plain || mentions.is_empty() {
        diagnostics.error(
            span,
            format!("error = {text}: not a comparison of variables"),
            "write `//! error = (x == 3)`",
        );
        return None;
    }
    mentions.sort_unstable();
    Some(ErrorCondition {
        expression: relocate(expression, span),
        mentions,
        text: text.to_string(),
        span,
        used: false,
    })
}

/// Moves all spans to the directive.
fn relocate(mut e: Expr, span: Span) -> Expr {
    let mut stack = vec![&mut e];
    while let Some(e) = stack.pop() {
        e.span = span;
        e.children_mut(&mut stack);
    }
    e
}
