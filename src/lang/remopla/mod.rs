//! Remopla, the language of Moped and jMoped (Suwimonteerabuth, Schwoon, Esparza 2005): modules
//! over truth values and integers of a few bits.
//!
//! Where the descriptions of the language leave a choice, this reader decides:
//!
//! * `int` is unsigned, `sgnint` is two's complement. A width that is not written is
//!   `DEFAULT_INT_BITS` (the program's `define`; `--bits` and `//! bits` take precedence over it).
//!   Arithmetic uses the widest of its operands' types and `DEFAULT_INT_BITS`, and wraps.
//!   Assignments cut off.
//! * `do` and `if` choose between all options whose guard holds, or `else` if no guard holds. If
//!   there is no such option, the run ends there.
//! * Variables start with any value, those of an enumeration with any member.
//! * `A i (l,h) e` and `E i (l,h) e` extend as far to the right as possible; their bounds are
//!   constants.
//! * Raw rules `p <s> --> q <t u>` are one procedure over a control state, with a location for each
//!   stack symbol; modules may be called by rules, and symbols by modules (`rules`).

mod arithmetic;
mod assignments;
mod calls;
mod declarations;
mod entity;
mod expressions;
mod file;
mod lexer;
mod lowering;
mod parse_expressions;
mod parse_statements;
mod parser;
mod pretty;
mod rules;
mod stack_symbols;
mod syntax;
mod value;

use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::DirectiveText;
use crate::lang::model::Program;
use crate::lang::reading::scan::{Lexeme, scan};
use crate::wire::options::EffectiveOptions;

/// The tokens of a Remopla model, and its directives.
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
/// `options.bits` becomes the program's `DEFAULT_INT_BITS`, unless `bits_said` says that the user
/// gave a width.
pub(in crate::lang) fn program(
    source: &str,
    tokens: &Tokens,
    options: &mut EffectiveOptions,
    bits_said: bool,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let file = parser::parse(source, &tokens.0, diagnostics);
    if diagnostics.is_broken() {
        return None;
    }
    file::lower(source, &file, options, bits_said, diagnostics)
}

/// Prints the model in its own language, one statement on a line. `None` if it cannot be read.
pub(in crate::lang) fn reprint(source: &str) -> Option<String> {
    let mut diagnostics = Diagnostics::default();
    let (tokens, directives) = lex(source, &mut diagnostics);
    let file = parser::parse(source, &tokens.0, &mut diagnostics);
    let head: String = directives.iter().map(|d| format!("//! {}\n", d.text)).collect();
    (!diagnostics.has_errors()).then(|| head + &pretty::pretty(&file))
}
