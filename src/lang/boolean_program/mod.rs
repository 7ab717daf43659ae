//! Boolean programs: the abstractions that predicate abstraction makes of C programs (Ball,
//! Rajamani 2000), in the syntax that Bebop, Moped, Boppo and Getafix read.
//!
//! Every variable is a truth value; globals and locals start with any value. `a, b := e, f` is a
//! parallel assignment. A `constrain` after it relates the values before (`a`) and after (`'a` or
//! `a'`). `schoose [p, n]` is T if p holds, else F if n holds, else any value. Several results of a
//! procedure are packed into one number with one bit for each; the caller unpacks them (`lower`).

mod assignments;
mod calls;
mod expressions;
mod lexer;
mod lower;
mod parser;
mod pretty;
mod syntax;

use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::DirectiveText;
use crate::lang::model::Program;
use crate::lang::reading::scan::{Lexeme, scan};
use crate::wire::options::EffectiveOptions;

/// The tokens of a Boolean program, and its directives.
pub(in crate::lang) struct Tokens(Vec<Lexeme<lexer::Token>>);

/// From text to tokens.
pub(in crate::lang) fn lex(
    source: &str,
    diagnostics: &mut Diagnostics,
) -> (Tokens, Vec<DirectiveText>) {
    let (tokens, directives) = scan(source, diagnostics);
    (Tokens(tokens), directives)
}

/// From tokens to the model; `None` if there is nothing to start, or the text is broken.
pub(in crate::lang) fn program(
    source: &str,
    tokens: &Tokens,
    options: &EffectiveOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let file = parser::parse(source, &tokens.0, diagnostics);
    if diagnostics.is_broken() {
        return None;
    }
    lower::lower(source, &file, options, diagnostics)
}

/// Prints the program in its own language, one statement on a line. `None` if it cannot be read.
pub(in crate::lang) fn reprint(source: &str) -> Option<String> {
    let mut diagnostics = Diagnostics::default();
    let (tokens, directives) = lex(source, &mut diagnostics);
    let file = parser::parse(source, &tokens.0, &mut diagnostics);
    let head: String = directives.iter().map(|d| format!("//! {}\n", d.text)).collect();
    (!diagnostics.has_errors()).then(|| head + &pretty::pretty(&file))
}
