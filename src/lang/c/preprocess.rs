//! C's preprocessor, on tokens. Every token keeps its place in the source. The place of a token
//! that a macro makes is the place where the macro is used.
//!
//! Headers are not read: known headers are replaced by built-in declarations (`headers`), others
//! are refused by name. A macro with `#`, `##` or variable arguments is refused by name when it is
//! used.

use super::condition;
use super::headers::{self, Widths};
use super::macros::{Expander, Macro};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::{Lexeme, Token, lex_piece};
use crate::lang::message::{Message, are, at_line};
use crate::lang::model::Span;
use crate::util::names::{is_name, starts_name};

/// The tokens of a source after its directives are carried out.
pub(super) struct Preprocessed {
    /// Ends with [`Token::End`].
    pub(super) tokens: Vec<Lexeme>,
    /// The source, followed by the spelling of the built-in macros.
    pub(super) text: String,
    /// Does a `#pragma pack` say where members stand?
    pub(super) packs: bool,
}

/// An `#if` that is open.
struct Conditional {
    /// Are the tokens of this branch kept?
    active: bool,
    /// Is no further branch to be taken?
    done: bool,
    has_else: bool,
    span: Span,
}

/// The line of a directive, cut into parts.
struct Line<'t> {
    name: &'t str,
    tokens: &'t [Lexeme],
    span: Span,
}

/// Carries out the directives among `tokens`. The time is linear in the text and in the tokens that
/// macros make, whose number is capped.
pub(super) fn preprocess(
    source: &str,
    tokens: &[Lexeme],
    defines: &[String],
    widths: Widths,
    diagnostics: &mut Diagnostics,
) -> Preprocessed {
    let mut text = format!("{source}\n");
    let place = Span { start: 0, end: 0, line: 1 };
    let mut expander = Expander::default();
    for define in defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        predefine(name, value, &mut text, &mut expander, diagnostics);
    }
    for (name, value) in headers::predefined(widths) {
        predefine(name, &value, &mut text, &mut expander, diagnostics);
    }
    let mut kept: Vec<Lexeme> = Vec::with_capacity(tokens.len());
    let mut open: Vec<Conditional> = Vec::new();
    let mut run = 0;
    let mut packs = false;
    for (index, lexeme) in tokens.iter().enumerate() {
        if lexeme.token != Token::Preprocessor {
            continue;
        }
        if open.iter().all(|c| c.active) {
            expander.expand(&tokens[run..index], &text, &mut kept, diagnostics);
        }
        run = index + 1;
        let start = lexeme.span.start as usize + 1;
        let line_tokens =
            lex_piece(&text, start, lexeme.span.end as usize, lexeme.span.line, diagnostics);
        if let [first, second, ..] = &line_tokens[..]
            && (first.spelt_in(&text), second.spelt_in(&text)) == ("pragma", "pack")
        {
            packs |= open.iter().all(|c| c.active);
        }
        directive(
            &line_tokens,
            lexeme.span,
            &mut open,
            &mut expander,
            &mut text,
            widths,
            diagnostics,
        );
    }
    if open.iter().all(|c| c.active) {
        expander.expand(&tokens[run..], &text, &mut kept, diagnostics);
    } else if let Some(end) = tokens.last() {
        kept.push(*end);
    }
    if let Some(conditional) = open.last() {
        diagnostics.syntax_error(
            conditional.span,
            "this `#if` is never closed",
            "end it with `#endif`",
        );
    }
    if kept.last().is_none_or(|last| last.token != Token::End) {
        kept.push(tokens.last().copied().unwrap_or(Lexeme::new(Token::End, place)));
    }
    Preprocessed { tokens: kept, text, packs }
}

fn predefine(
    name: &str,
    value: &str,
    text: &mut String,
    expander: &mut Expander,
    diagnostics: &mut Diagnostics,
) {
    let name = name.trim();
    let start = text.len();
    text.push_str(value);
    let place = Span { start: 0, end: 0, line: 1 };
    if !is_name(name) {
        let shown: String = name.chars().take(40).collect();
        diagnostics.error(
            place,
            format!("`{shown}` cannot be a macro's name"),
            "write `-D NAME` or `-D NAME=VALUE`",
        );
        return;
    }
    let body = lex_piece(text, start, text.len(), 1, diagnostics);
    text.push('\n');
    expander.define(name, Macro { parameters: None, body, refused: None });
}

fn directive(
    tokens: &[Lexeme],
    span: Span,
    open: &mut Vec<Conditional>,
    expander: &mut Expander,
    text: &mut String,
    widths: Widths,
    diagnostics: &mut Diagnostics,
) {
    let Some(first) = tokens.first() else { return };
    let name = first.spelt_in(text).to_string();
    let line = Line { name: &name, tokens: &tokens[1..], span };
    let active = open.iter().all(|c| c.active);
    match line.name {
        "if" | "ifdef" | "ifndef" => {
            let holds = active && condition_holds(&line, expander, text, diagnostics);
            open.push(Conditional { active: holds, done: holds || !active, has_else: false, span });
        }
        "elif" => match open.last_mut() {
            None => diagnostics.syntax_error(span, "`#elif` without an `#if`", "remove it"),
            Some(conditional) if conditional.has_else => {
                diagnostics.syntax_error(span, "`#elif` after `#else`", "put it before")
            }
            Some(conditional) if conditional.done => conditional.active = false,
            Some(conditional) => {
                conditional.active = condition_holds(&line, expander, text, diagnostics);
                conditional.done = conditional.active;
            }
        },
        "else" => match open.last_mut() {
            None => diagnostics.syntax_error(span, "`#else` without an `#if`", "remove it"),
            Some(conditional) if conditional.has_else => {
                diagnostics.syntax_error(span, "a second `#else`", "remove it")
            }
            Some(conditional) => {
                conditional.active = !conditional.done;
                conditional.done = true;
                conditional.has_else = true;
            }
        },
        "endif" => {
            if open.pop().is_none() {
                diagnostics.syntax_error(span, "`#endif` without an `#if`", "remove it");
            }
        }
        _ if !active => {}
        "define" => define(&line, expander, text, diagnostics),
        "undef" => {
            if let Some(name) = line.tokens.first().filter(|l| l.token == Token::Identifier) {
                expander.undefine(name.spelt_in(text));
            }
        }
        "include" => include(&line, expander, text, widths, diagnostics),
        "error" => diagnostics.error(
            span,
            format!("`#error` in line {}", span.line),
            "define what the program asks for with `-D NAME`",
        ),
        // Messages to a compiler, and the origin of preprocessed text. They have no effect on a
        // run.
        "pragma" | "line" | "warning" | "ident" => {}
        _ if first.token == Token::Number => {}
        other => {
            let shown: String = other.chars().take(40).collect();
            diagnostics.syntax_error(
                span,
                format!("`#{shown}` is not a directive"),
                "known are define, undef, include, if, elif, else, endif",
            );
        }
    }
}

fn condition_holds(
    line: &Line<'_>,
    expander: &mut Expander,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> bool {
    match (line.name, line.tokens.first()) {
        ("ifdef" | "ifndef", Some(name)) => {
            expander.is_defined(name.spelt_in(text)) == (line.name == "ifdef")
        }
        ("ifdef" | "ifndef", None) => {
            diagnostics.syntax_error(
                line.span,
                format!("`#{}` asks for no name", line.name),
                "name a macro",
            );
            false
        }
        _ => match condition::value(line.tokens, text, expander, diagnostics) {
            Some(value) => value != 0,
            None => {
                let hint = "only integers, macros, `defined` and C's operators have a value here";
                diagnostics.syntax_error(line.span, at_line("this condition has no value"), hint);
                false
            }
        },
    }
}

fn define(line: &Line<'_>, expander: &mut Expander, text: &str, diagnostics: &mut Diagnostics) {
    let spelt = |lexeme: &Lexeme| lexeme.spelt_in(text);
    let names = |lexeme: &&Lexeme| spelt(lexeme).starts_with(starts_name);
    let Some(name) = line.tokens.first().filter(names) else {
        diagnostics.syntax_error(
            line.span,
            "`#define` without a name",
            "write `#define NAME value`",
        );
        return;
    };
    let mut rest = &line.tokens[1..];
    let mut parameters = None;
    let mut refused = None;
    // A parenthesis directly after the name starts the parameters.
    if rest.first().is_some_and(|l| l.token == Token::OpenParen && l.spelling.0 == name.spelling.1)
    {
        let Some(close) = rest.iter().position(|l| l.token == Token::CloseParen) else {
            diagnostics.syntax_error(
                line.span,
                "this macro's parameters are never closed",
                "end them with `)`",
            );
            return;
        };
        if rest[..close].iter().any(|l| l.token == Token::Ellipsis) {
            refused = Some(are("macros with variable arguments"));
        }
        parameters =
            Some(rest[1..close].iter().filter(names).map(|l| spelt(l).to_string()).collect());
        rest = &rest[close + 1..];
    }
    if rest.iter().any(|l| l.token == Token::Preprocessor) {
        refused = Some(are("`#` and `##` in macros"));
    }
    expander.define(spelt(name), Macro { parameters, body: rest.to_vec(), refused });
}

fn include(
    line: &Line<'_>,
    expander: &mut Expander,
    text: &mut String,
    widths: Widths,
    diagnostics: &mut Diagnostics,
) {
    let (start, end) = match (line.tokens.first(), line.tokens.last()) {
        (Some(first), Some(last)) => (first.spelling.0 as usize, last.spelling.1 as usize),
        _ => (0, 0),
    };
    let header = text[start..end].trim_matches(['<', '>', '"']).to_string();
    let Some(macros) = headers::known(&header, widths) else {
        let shown: String = header.chars().take(60).collect();
        diagnostics.error(
            line.span,
            Message::from(at_line(&format!("header `{shown}` is not known"))),
            "give the preprocessed program, or write what it declares into the file",
        );
        return;
    };
    for (name, value) in macros {
        if !expander.is_defined(name) {
            predefine(name, &value, text, expander, diagnostics);
        }
    }
}
