//! C, by the conventions of verification tasks: a preprocessor on tokens, then the parser and the
//! elaboration that read Cimple as well.

mod condition;
mod headers;
mod macros;
mod preprocess;

use crate::lang::diagnostic::Diagnostics;
use crate::lang::directives;
use crate::lang::elaborate::{self, Elaborated};
use crate::lang::lexer::{Lexed, lex};
use crate::lang::loaded::{Loaded, error_condition, error_stands_at};
use crate::lang::parser;
use crate::lang::syntax::File;
use crate::wire::options::{Dialect, RequestedOptions};

/// If no width of `int` is given, these are tried in this order.
const WIDTHS: [u32; 4] = [4, 8, 16, 32];

/// Reads a C program at the given width, else at the least of 4, 8, 16 and 32 bits that can hold
/// every constant.
pub(super) fn load(source: &str, requested: &RequestedOptions) -> Loaded {
    let mut found = Diagnostics::default();
    let lexed = lex(source, &mut found);
    if found.is_broken() {
        // Text that is no token is reported once, not once for each width.
        return at_width(source, &lexed, requested, WIDTHS[3], found).0;
    }
    if directives::gives_bits(&lexed.directives, requested) {
        let bits = directives::effective(
            Dialect::C,
            &lexed.directives,
            requested,
            &mut Diagnostics::default(),
        )
        .0
        .bits;
        return at_width(source, &lexed, requested, bits, found).0;
    }
    for bits in &WIDTHS[..3] {
        let (loaded, fits) = at_width(source, &lexed, requested, *bits, found.clone());
        if fits {
            return loaded;
        }
    }
    at_width(source, &lexed, requested, WIDTHS[3], found).0
}

/// The syntax tree of a C program, at the real width of `int`; sizes that macros give depend on it.
pub(super) fn parse(
    source: &str,
    lexed: &Lexed,
    requested: &RequestedOptions,
    diagnostics: &mut Diagnostics,
) -> File {
    let read = preprocess::preprocess(
        source,
        &lexed.tokens,
        &requested.defines,
        requested.bits.unwrap_or(32).clamp(1, 32),
        diagnostics,
    );
    parser::parse_c(&read.text, &read.tokens, diagnostics)
}

/// Reads it at this width; true if every constant fits.
fn at_width(
    source: &str,
    lexed: &Lexed,
    requested: &RequestedOptions,
    bits: u32,
    mut diagnostics: Diagnostics,
) -> (Loaded, bool) {
    let (mut options, error) =
        directives::effective(Dialect::C, &lexed.directives, requested, &mut diagnostics);
    options.bits = bits;
    // The width is wrong. Other errors are still reported, but none about constants.
    let mut lowered = options.clone();
    if !(1..=32).contains(&bits) {
        lowered.bits = 32;
    }
    let read = preprocess::preprocess(
        source,
        &lexed.tokens,
        &requested.defines,
        lowered.bits,
        &mut diagnostics,
    );
    let file = parser::parse_c(&read.text, &read.tokens, &mut diagnostics);
    let error_condition =
        error.and_then(|(text, span)| error_condition(&text, span, &mut diagnostics));
    let elaborated = match diagnostics.is_broken() {
        true => Elaborated { program: None, constants_fit: true },
        false => elaborate::elaborate(source, &file, &lowered, error_condition, &mut diagnostics),
    };
    if let (Some(program), Some(line)) = (&elaborated.program, options.error) {
        error_stands_at(source, program, line, &mut diagnostics);
    }
    let program = elaborated.program.filter(|_| !diagnostics.has_errors());
    let source_lines = source.lines().count().max(1) as u32;
    (
        Loaded { program, options, diagnostics: diagnostics.finish(), source_lines },
        elaborated.constants_fit,
    )
}
