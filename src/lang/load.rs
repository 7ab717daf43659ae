//! From source text to a program, with everything that is wrong with it.

use crate::lang::boolean_program;
use crate::lang::c;
use crate::lang::diagnostic::{Diagnostic, Diagnostics};
use crate::lang::directives;
use crate::lang::elaborate::{self, ErrorCondition};
use crate::lang::lexer::lex;
use crate::lang::model::{Expression, Program, ScopeId, Span};
use crate::lang::parser;
use crate::lang::remopla;
use crate::lang::syntax::{Expr, ExprKind};
use crate::wire::options::{Dialect, EffectiveOptions, RequestedOptions};

/// What came of a source text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// `None` iff an error was reported, or the text is a raw pushdown system.
    pub program: Option<Program>,
    /// The options in force.
    pub options: EffectiveOptions,
    /// Errors and warnings in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of lines of the source.
    pub source_lines: u32,
}

/// Reads a program of the language that was asked for, or else is guessed. Total: any text gives a
/// program or diagnostics.
pub fn load(source: &str, requested: &RequestedOptions) -> Loaded {
    match dialect_of(source, requested) {
        Dialect::Cimple => load_cimple(source, requested),
        Dialect::BooleanProgram => load_boolean_program(source, requested),
        Dialect::Remopla => load_remopla(source, requested),
        Dialect::C => c::load(source, requested),
        Dialect::Pds | Dialect::Pdaaal => no_program(source, requested),
    }
}

/// The program in its own language again, one statement a line and every operator in parentheses;
/// reading that gives the same program but for places and texts. `None` if the text cannot be read,
/// or is no program.
pub fn reprint(source: &str, dialect: Dialect) -> Option<String> {
    match dialect {
        Dialect::BooleanProgram => boolean_program::reprint(source),
        Dialect::Remopla => remopla::reprint(source),
        Dialect::Cimple | Dialect::C => crate::lang::print::reprint(
            source,
            &RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() },
        ),
        Dialect::Pds | Dialect::Pdaaal => None,
    }
}

/// A raw pushdown system is no program: only what its own front end says about it is passed on (see
/// [`crate::lang::raw::load`]).
fn no_program(source: &str, requested: &RequestedOptions) -> Loaded {
    let loaded = crate::lang::raw::load(source, requested);
    Loaded {
        program: None,
        options: loaded.options,
        diagnostics: loaded.diagnostics,
        source_lines: source.lines().count().max(1) as u32,
    }
}

/// The language that was asked for, or else is guessed.
pub fn dialect_of(source: &str, requested: &RequestedOptions) -> Dialect {
    requested.dialect.unwrap_or_else(|| Dialect::guess(source))
}

/// Reads a Cimple program. Linear in the text but for what its nesting adds (capped).
fn load_cimple(source: &str, requested: &RequestedOptions) -> Loaded {
    let mut diagnostics = Diagnostics::default();
    let lexed = lex(source, &mut diagnostics);
    let (options, error) =
        directives::effective(Dialect::Cimple, &lexed.directives, requested, &mut diagnostics);
    let file = parser::parse(source, &lexed.tokens, &mut diagnostics);
    let error_condition =
        error.and_then(|(text, span)| error_condition(&text, span, &mut diagnostics));
    // With a width that does not exist there may be more to say, but not about constants.
    let mut lowered = options.clone();
    if !(1..=32).contains(&lowered.bits) {
        lowered.bits = 32;
    }
    let program = match diagnostics.is_broken() {
        true => None,
        false => {
            elaborate::elaborate(source, &file, &lowered, error_condition, &mut diagnostics).program
        }
    };
    loaded(source, program, options, diagnostics)
}

/// Reads a Boolean program. Linear in the text but for what its nesting adds (capped).
fn load_boolean_program(source: &str, requested: &RequestedOptions) -> Loaded {
    let mut diagnostics = Diagnostics::default();
    let (tokens, directives) = boolean_program::lex(source, &mut diagnostics);
    let (mut options, error) =
        directives::effective(Dialect::BooleanProgram, &directives, requested, &mut diagnostics);
    options.dialect = Dialect::BooleanProgram;
    no_error_condition(error, &mut diagnostics);
    let program = boolean_program::program(source, &tokens, &options, &mut diagnostics);
    loaded(source, program, options, diagnostics)
}

/// Reads a Remopla model. Linear in the text but for what its nesting and its ranges add (capped).
fn load_remopla(source: &str, requested: &RequestedOptions) -> Loaded {
    let mut diagnostics = Diagnostics::default();
    let (tokens, directives) = remopla::lex(source, &mut diagnostics);
    let (mut options, error) =
        directives::effective(Dialect::Remopla, &directives, requested, &mut diagnostics);
    options.dialect = Dialect::Remopla;
    no_error_condition(error, &mut diagnostics);
    let bits_said = requested.bits.is_some()
        || directives.iter().any(|d| d.text.split('=').next().map(str::trim) == Some("bits"));
    let program = remopla::program(source, &tokens, &mut options, bits_said, &mut diagnostics);
    loaded(source, program, options, diagnostics)
}

/// `//! error = …` names an assignment in C's words.
fn no_error_condition(error: Option<(String, Span)>, diagnostics: &mut Diagnostics) {
    if let Some((_, span)) = error {
        diagnostics.error(
            span,
            "the directive `error` is understood in Cimple and C only",
            "use an assertion, or name a label by `--label`",
        );
    }
}

/// What every dialect ends with.
fn loaded(
    source: &str,
    program: Option<Program>,
    options: EffectiveOptions,
    mut diagnostics: Diagnostics,
) -> Loaded {
    if let (Some(program), Some(line)) = (&program, options.error) {
        error_stands_at(source, program, line, &mut diagnostics);
    }
    let program = program.filter(|_| !diagnostics.has_errors());
    let source_lines = source.lines().count().max(1) as u32;
    Loaded { program, options, diagnostics: diagnostics.finish(), source_lines }
}

/// An error that the user names by its line must be there: "safe" would otherwise be true and
/// misleading.
pub(crate) fn error_stands_at(
    source: &str,
    program: &Program,
    line: u32,
    diagnostics: &mut Diagnostics,
) {
    let mut lines: Vec<u32> =
        program.edges.iter().flat_map(|edge| edge.checks.iter().map(|check| check.line)).collect();
    lines.sort_unstable();
    lines.dedup();
    if lines.contains(&line) {
        return;
    }
    let start = source
        .split_inclusive('\n')
        .take(line.saturating_sub(1) as usize)
        .map(str::len)
        .sum::<usize>()
        .min(source.len());
    let length = source[start..].lines().next().map_or(0, str::len);
    let span = Span { start: start as u32, end: (start + length) as u32, line };
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

/// Reads a condition that a person types about a place of a program (`--where`): a bool over the
/// variables of `scope`. Errors: the first thing that is wrong, with a span into `text`.
pub fn parse_condition(
    program: &Program,
    scope: ScopeId,
    text: &str,
) -> Result<Expression, Diagnostic> {
    elaborate::elaborate_condition(program, scope, text)
}

/// The directive's text has no place of its own in the tokens; its diagnostics point to the
/// directive.
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
