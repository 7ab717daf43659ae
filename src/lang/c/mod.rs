//! C, by the conventions of verification tasks: a preprocessor on tokens, then the parser and the
//! elaboration that read Cimple as well.

mod condition;
mod headers;
mod macros;
mod preprocess;
mod refusal;

use crate::lang::diagnostic::Diagnostics;
use crate::lang::directives;
use crate::lang::elaborate::{self, Elaborated};
use crate::lang::lexer::{Lexed, lex};
use crate::lang::loaded::{Loaded, error_condition, error_stands_at};
use crate::lang::memory;
use crate::lang::model::{ErrorKind, Program};
use crate::lang::parser;
use crate::lang::syntax::File;
use crate::wire::options::{C_BITS, Dialect, EffectiveOptions, RequestedOptions};

/// Reads a C program at the width that it or the user gives, else at C's own.
pub(super) fn load(source: &str, requested: &RequestedOptions) -> Loaded {
    let mut found = Diagnostics::default();
    let lexed = lex(source, &mut found);
    let unread = &mut Diagnostics::default();
    let bits = directives::effective(Dialect::C, &lexed.directives, requested, unread).0.bits;
    at_width(source, &lexed, requested, bits, found).0
}

/// Reads a C program, for which nobody gives a width, at a width that is narrower than C's. `None`
/// if it cannot be read, or if that width cannot hold each of its constants.
pub(super) fn load_narrower(
    source: &str,
    requested: &RequestedOptions,
    bits: u32,
) -> Option<Loaded> {
    let mut found = Diagnostics::default();
    let lexed = lex(source, &mut found);
    let (loaded, constants_fit) = at_width(source, &lexed, requested, bits, found);
    (constants_fit && loaded.program.is_some()).then_some(loaded)
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
        requested.bits.unwrap_or(C_BITS).clamp(1, 32),
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
    let mut file = parser::parse_c(&read.text, &read.tokens, &mut diagnostics);
    let error_condition =
        error.and_then(|(text, span)| error_condition(&text, span, &mut diagnostics));
    let has_condition = error_condition.is_some();
    let elaborated = match diagnostics.is_broken() {
        true => Elaborated { program: None, constants_fit: true },
        false => {
            let before = diagnostics.clone();
            let directly =
                elaborate::elaborate(source, &file, &lowered, error_condition, &mut diagnostics);
            match !before.has_errors() && diagnostics.has_errors() && !has_condition {
                true => {
                    let fit = directly.constants_fit;
                    with_memory(source, &mut file, &lowered, before, &mut diagnostics)
                        .unwrap_or(Elaborated { program: None, constants_fit: fit })
                }
                false => directly,
            }
        }
    };
    if let (Some(program), Some(line)) = (&elaborated.program, options.error) {
        error_stands_at(source, program, line, &mut diagnostics);
    }
    let elaborated = match elaborated.program.as_ref().is_some_and(states_nothing)
        && bits == 32
        && options.error.is_none()
        && !directives::gives_checks(&lexed.directives, requested)
    {
        true => {
            options.checks.overflow = true;
            lowered.checks.overflow = true;
            elaborate::elaborate(source, &file, &lowered, None, &mut diagnostics)
        }
        false => elaborated,
    };
    let program = elaborated.program.filter(|_| !diagnostics.has_errors());
    // How many objects there are is said where some are taken.
    let has_heap = program.as_ref().is_some_and(|program| program.memory.has_heap());
    options.heap = has_heap.then(|| options.heap.unwrap_or(memory::HEAP));
    let source_lines = source.lines().count().max(1) as u32;
    (
        Loaded { program, options, diagnostics: diagnostics.finish(), source_lines },
        elaborated.constants_fit,
    )
}

/// Reads a program that was refused, with its memory as arrays. `None` if it stays refused; then
/// `diagnostics` says why.
fn with_memory(
    source: &str,
    file: &mut File,
    options: &EffectiveOptions,
    before: Diagnostics,
    diagnostics: &mut Diagnostics,
) -> Option<Elaborated> {
    let said = diagnostics.clone().finish();
    // What is wrong by the rules of C stays wrong.
    let of_memory =
        |message: &str| message.contains("modelled") || message.ends_with("has no size");
    if !said.iter().any(|diagnostic| of_memory(&diagnostic.message)) {
        return None;
    }
    let heap = options.heap.unwrap_or(memory::HEAP);
    let lowered = match memory::lower(source, file, options.bits as u8, heap) {
        Ok(lowered) => lowered,
        Err(refused) => {
            *diagnostics = refusal::of_lowering(&said, refused, before);
            return None;
        }
    };
    let mut found = before;
    let elaborated = elaborate::elaborate(source, &lowered, options, None, &mut found);
    *diagnostics = found;
    if diagnostics.has_errors() {
        return None;
    }
    *file = lowered;
    Some(elaborated)
}

/// Does the program itself say nowhere what an error is? Then signed overflow, which C leaves
/// undefined, is one at C's own width of `int`.
fn states_nothing(program: &Program) -> bool {
    let mut checks = program.edges.iter().flat_map(|edge| &edge.checks);
    !checks.any(|check| {
        matches!(
            check.kind,
            ErrorKind::Assertion
                | ErrorKind::ErrorLabel
                | ErrorKind::ReachError
                | ErrorKind::Assignment
                | ErrorKind::Memory
        )
    })
}
