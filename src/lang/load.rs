//! From source text to a program, with diagnostics.

use crate::lang::boolean_program;
use crate::lang::c;
use crate::lang::declared_later;
use crate::lang::diagnostic::{Diagnostic, Diagnostics};
use crate::lang::directives;
use crate::lang::elaborate;
use crate::lang::foreign::foreign;
use crate::lang::java;
use crate::lang::lexer::lex;
use crate::lang::loaded::{Loaded, dialect_of, error_condition, error_stands_at};
use crate::lang::message::Message;
use crate::lang::model::{Expression, Program, ScopeId, Span};
use crate::lang::parser;
use crate::lang::reaching::{reach, reaching};
use crate::lang::remopla;
use crate::lang::typographic::typographic;
use crate::wire::diagnostic::Code;
use crate::wire::options::{Dialect, EffectiveOptions, RequestedOptions};

/// Reads a program, in the requested language or else in the language that is guessed. Total: any
/// text gives a program or diagnostics.
pub fn load(source: &str, requested: &RequestedOptions) -> Loaded {
    let mut loaded = match dialect_of(source, requested) {
        Dialect::Cimple => with_plain_signs(source, requested, load_cimple),
        Dialect::BooleanProgram => load_boolean_program(source, requested),
        Dialect::Remopla => load_remopla(source, requested),
        Dialect::C => with_plain_signs(source, requested, c::load),
        Dialect::Java => java::load(source, requested),
        Dialect::Pds | Dialect::Pdaaal => return no_program(source, requested),
    };
    // Each error of such a text would only be one of many that follow from this.
    if loaded.program.is_none()
        && let Some((language, span)) = foreign(source)
    {
        let message = format!("this looks like {language}, which Faultline does not read");
        let mut diagnostics = Diagnostics::default();
        let message = Message::of(Code::OtherLanguage, message);
        diagnostics.error(span, message, "write the part that matters in C");
        loaded.diagnostics = diagnostics.finish();
    }
    match requested.reach {
        Some(line) => reaching(source, loaded, line),
        None => loaded,
    }
}

/// Reads a text as if its typographic quotes, no-break spaces and the like were those of C, and
/// reports them.
fn with_plain_signs(
    source: &str,
    requested: &RequestedOptions,
    read: fn(&str, &RequestedOptions) -> Loaded,
) -> Loaded {
    let Some(found) = typographic(source) else { return read(source, requested) };
    let mut loaded = read(&found.aligned(source), requested);
    let mut diagnostics = Diagnostics::default();
    found.report(source, &mut diagnostics);
    loaded.program = None;
    loaded.diagnostics.splice(..0, diagnostics.finish());
    loaded
}

/// Reads a C program, for which nobody gives a width of `int`, at a narrower width than C's. `None`
/// if it cannot be read, or if that width cannot hold each of its constants.
pub fn load_narrower(source: &str, requested: &RequestedOptions, bits: u32) -> Option<Loaded> {
    let loaded = match dialect_of(source, requested) {
        Dialect::C => c::load_narrower(source, requested, bits),
        Dialect::Java => java::load_narrower(source, requested, bits),
        _ => None,
    }?;
    Some(match requested.reach {
        Some(line) => reaching(source, loaded, line),
        None => loaded,
    })
}

/// Reads a C program without a bound on the objects of its heap: a few are told apart, and nothing
/// is known of the others. If no run of what is read fails, no run of the program does; a failing
/// run says nothing. `None` if it cannot be read in this way.
pub fn load_summarized(source: &str, requested: &RequestedOptions) -> Option<Program> {
    let mut program = match dialect_of(source, requested) {
        Dialect::C => c::load_summarized(source, requested),
        Dialect::Java => java::load_summarized(source, requested),
        _ => None,
    }?;
    match requested.reach {
        Some(line) => reach(&mut program, line).then_some(program),
        None => Some(program),
    }
}

/// Prints the program in its own language, one statement on a line and every operator in
/// parentheses. Reading that text gives the same program, except for places and texts. `None` if
/// the source cannot be read, or is no program.
pub fn reprint(source: &str, dialect: Dialect) -> Option<String> {
    match dialect {
        Dialect::BooleanProgram => boolean_program::reprint(source),
        Dialect::Remopla => remopla::reprint(source),
        Dialect::Cimple | Dialect::C => crate::lang::print::reprint(
            source,
            &RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() },
        ),
        Dialect::Java | Dialect::Pds | Dialect::Pdaaal => None,
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

/// Reads a Cimple program. The time is linear in the text, except for nesting (capped).
fn load_cimple(source: &str, requested: &RequestedOptions) -> Loaded {
    let mut diagnostics = Diagnostics::default();
    let lexed = lex(source, &mut diagnostics);
    let (options, error) =
        directives::effective(Dialect::Cimple, &lexed.directives, requested, &mut diagnostics);
    if let Some(rule) = lexed.rules.first() {
        directives::no_rules(rule.span, &mut diagnostics);
    }
    let file = parser::parse(source, &lexed.tokens, &mut diagnostics);
    declared_later::report(&file, &mut diagnostics);
    let error_condition =
        error.and_then(|(text, span)| error_condition(&text, span, &mut diagnostics));
    // The width is wrong. Other errors are still reported, but none about constants.
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

/// Reads a Boolean program. The time is linear in the text, except for nesting (capped).
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

/// Reads a Remopla model. The time is linear in the text, except for nesting and ranges (capped).
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

/// Refuses `//! error = …`, which names an assignment in the notation of C.
fn no_error_condition(error: Option<(String, Span)>, diagnostics: &mut Diagnostics) {
    if let Some((_, span)) = error {
        diagnostics.error(
            span,
            "the directive `error` is understood in Cimple and C only",
            "use an assertion, or name a label by `--label`",
        );
    }
}

/// The last step of every dialect.
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

/// Reads a condition that a person types about a place of a program (`--where`): a bool over the
/// variables of `scope`. Errors: the first thing that is wrong, with a span into `text`.
pub fn parse_condition(
    program: &Program,
    scope: ScopeId,
    text: &str,
) -> Result<Expression, Diagnostic> {
    elaborate::elaborate_condition(program, scope, text)
}
