//! Java: source text, lowered to the syntax tree that Cimple and C share.
//!
//! The crate `faultline-java` types the text. Here the typed program becomes a program as one would
//! write it in C (`lower`):
//!
//! * families of classes become structs or numbers ([`objects`]);
//! * a virtual call is a choice by the class of the object ([`calls`]);
//! * an exception is a variable that is looked at behind calls that may throw ([`statements`],
//!   [`writer`]);
//! * what Java's operators check is a check of its own ([`expressions`], [`places`]);
//! * what has effects is a statement of its own, in the order that Java prescribes.
//!
//! So every analysis reads Java, with Java's lines.
//!
//! Where an exception is not caught anywhere, what throws it is an error at its place.

mod build;
mod calls;
mod expressions;
mod lower;
mod objects;
mod places;
mod statements;
mod survey;
mod writer;

use crate::lang::diagnostic::Diagnostics;
use crate::lang::directives;
use crate::lang::elaborate::{self, Elaborated};
use crate::lang::excused::excuse;
use crate::lang::forwarded::forward;
use crate::lang::held::hold;
use crate::lang::lexer::lex;
use crate::lang::loaded::{Loaded, error_stands_at};
use crate::lang::memory::{self, Heap, Refused as NoMemory};
use crate::lang::message::Message;
use crate::lang::model::{Program, Span};
use crate::lang::syntax::File;
use crate::wire::diagnostic::Code;
use crate::wire::options::{Dialect, Globals, RequestedOptions};
use faultline_java::Mistake;

/// What the shared tree calls a condition that Java checks, with the exception.
pub(in crate::lang) const REQUIRED: &str = "required by Java";

/// The start in the shared tree.
const MAIN: &str = "main";

/// Reads a Java program.
pub(super) fn load(source: &str, requested: &RequestedOptions) -> Loaded {
    at_width(source, requested, None, false).0
}

/// Reads it at another width of `int`; `None` if it cannot be read, or if that width cannot hold
/// each of its constants.
pub(super) fn load_narrower(
    source: &str,
    requested: &RequestedOptions,
    bits: u32,
) -> Option<Loaded> {
    let (loaded, constants_fit) = at_width(source, requested, Some(bits), false);
    (constants_fit && loaded.program.is_some()).then_some(loaded)
}

/// Reads it with a summary object on its heap, as C programs are read.
pub(super) fn load_summarized(source: &str, requested: &RequestedOptions) -> Option<Program> {
    let (loaded, _) = at_width(source, requested, None, true);
    let mut program = loaded.program?;
    forward(&mut program);
    hold(&mut program);
    excuse(&mut program).then_some(program)
}

fn at_width(
    source: &str,
    requested: &RequestedOptions,
    bits: Option<u32>,
    summarized: bool,
) -> (Loaded, bool) {
    let mut diagnostics = Diagnostics::default();
    // Directives stand in comments, which C's lexer reads as Java's does.
    let found = lex(source, &mut Diagnostics::default()).directives;
    let (mut options, error) =
        directives::effective(Dialect::Java, &found, requested, &mut diagnostics);
    if let Some(bits) = bits {
        options.bits = bits;
    }
    if let Some((_, span)) = error {
        diagnostics.error(
            span,
            "the directive `error` is understood in Cimple and C only",
            "use an assertion",
        );
    }
    // In Java each variable of a class begins as zero.
    options.globals = Globals::Zero;
    let mut lowered = options.clone();
    if !(1..=32).contains(&lowered.bits) {
        lowered.bits = 32;
    }
    // Garbage is no leak, and Java's operators are total but for what Java checks itself.
    lowered.checks.leak = false;
    lowered.checks.shift = false;
    let tree = match faultline_java::read(source, directives::start(&found)) {
        Ok(typed) => match lower::lower(&typed, lowered.bits) {
            Ok(tree) => Some(tree),
            Err(refused) => {
                report_refusal(&refused.what, build::span_of(refused.span), &mut diagnostics);
                None
            }
        },
        Err(mistake) => {
            report(&mistake, &mut diagnostics);
            None
        }
    };
    let elaborated = match tree.filter(|_| !diagnostics.has_errors()) {
        None => Elaborated { program: None, constants_fit: true },
        Some((file, has_memory)) => {
            let heap = match summarized {
                true => Heap::Individual(memory::INDIVIDUALS),
                false => Heap::AtMost(lowered.heap.unwrap_or(memory::HEAP)),
            };
            match with_memory(source, file, &lowered, has_memory, heap) {
                Ok(file) => elaborate::elaborate(source, &file, &lowered, None, &mut diagnostics),
                Err(refused) => {
                    report_refusal(&refused.why, refused.span, &mut diagnostics);
                    Elaborated { program: None, constants_fit: true }
                }
            }
        }
    };
    if let (Some(program), Some(line)) = (&elaborated.program, options.error) {
        error_stands_at(source, program, line, &mut diagnostics);
    }
    let mut program = elaborated.program.filter(|_| !diagnostics.has_errors());
    if let Some(program) = &mut program {
        program.memory.dotted = true;
        for slot in program.memory.rooms.iter_mut().filter_map(|room| room.slots.first_mut()) {
            slot.pointer = "null".to_string();
        }
    }
    let has_heap = program.as_ref().is_some_and(|program| program.memory.has_heap());
    options.heap = has_heap.then(|| options.heap.unwrap_or(memory::HEAP));
    let source_lines = source.lines().count().max(1) as u32;
    let loaded = Loaded { program, options, diagnostics: diagnostics.finish(), source_lines };
    (loaded, elaborated.constants_fit)
}

/// The tree with its memory as arrays, if it has any.
fn with_memory(
    source: &str,
    file: File,
    options: &crate::wire::options::EffectiveOptions,
    has_memory: bool,
    heap: Heap,
) -> Result<File, NoMemory> {
    match has_memory {
        true => memory::lower(source, &file, options, heap),
        false => Ok(file),
    }
}

fn report(mistake: &Mistake, diagnostics: &mut Diagnostics) {
    let span = build::span_of(mistake.span);
    let message = mistake.message();
    match mistake.is_refusal() {
        true => {
            let message = Message::of(Code::NotModelled, message);
            diagnostics.error(span, message, mistake.hint());
        }
        false => diagnostics.syntax_error(span, message, mistake.hint()),
    }
}

fn report_refusal(what: &str, span: Span, diagnostics: &mut Diagnostics) {
    let message = Message::of(Code::NotModelled, format!("{what} is not read yet"));
    diagnostics.error(span, message, "docs/languages.md lists what is read of Java");
}
