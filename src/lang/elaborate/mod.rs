//! From the syntax tree to the program model: names, types, C's conversions, and control flow.
//!
//! An expression is elaborated at the *current location* of the graph under construction. Its
//! effects (calls, `++`, assignments inside expressions) become edges at once, from left to right.
//! The result is an effect-free [`Expression`](crate::lang::model::Expression), with *pending*
//! checks and choices that the next edge takes. A value that a later effect could change is stored
//! in a temporary first.
//!
//! The files form layers, and none imports from a later one. First come the types that many files
//! use (`address`, `value`, `names`, `structs`, `target`, `signature`, `current`, `meaning`,
//! `survey`), then the state (`elaborator`), then the methods of `Elaborator`. Expressions, places,
//! calls and statements are mutually recursive, as they are in the language: they call each other
//! as methods of `Elaborator` only. `file` is where elaboration starts.

mod address;
mod aggregates;
mod arithmetic;
mod assignments;
mod atomic_calls;
mod bit_scan;
mod bodies;
mod builtins;
mod c_declarations;
mod calls;
mod checks;
mod conditions;
mod constants;
mod conversions;
mod current;
mod declarations;
mod effects;
mod elaborator;
mod expressions;
mod file;
mod floating;
mod graph;
mod initialised;
mod initializers;
mod input;
mod layout;
mod library;
mod literals;
mod mathematical;
mod meaning;
mod memory;
mod names;
mod paths;
mod places;
mod pointers;
mod printed;
mod signature;
mod sizes;
mod starts;
mod statements;
mod struct_values;
mod structs;
mod survey;
mod switches;
mod sync_calls;
mod target;
mod thread_calls;
mod thread_handles;
mod thread_locals;
mod threads;
mod value;
mod where_condition;

use crate::lang::diagnostic::Diagnostics;
use crate::lang::initialised::{self as missing, Noted};
use crate::lang::model::Program;
use crate::lang::syntax::File;
use crate::wire::options::{Dialect, EffectiveOptions};
use elaborator::Elaborator;
use initialised::Wanted;

pub(crate) use elaborator::ErrorCondition;
pub(in crate::lang) use library::{is_atomic, is_known, is_modelled};
pub(in crate::lang) use survey::{Survey, procedure_name};
pub(crate) use where_condition::elaborate_condition;

/// The result of elaborating a file.
pub(crate) struct Elaborated {
    /// `None` if there is no procedure to start. Only meaningful when no error was reported.
    pub(crate) program: Option<Program>,
    /// C: did every constant keep its value at this width?
    pub(crate) constants_fit: bool,
}

/// Lowers a file. If reads of what has no value are to be found, this is done twice: what the
/// first result says of the whole program tells which reads have to be checked.
pub(crate) fn elaborate(
    source: &str,
    file: &File,
    options: &EffectiveOptions,
    error_condition: Option<ErrorCondition>,
    diagnostics: &mut Diagnostics,
) -> Elaborated {
    let checks_reads = options.checks.initialised && options.dialect == Dialect::C;
    if !checks_reads {
        return once(source, file, options, error_condition, Wanted::Nothing, diagnostics).0;
    }
    let unread = &mut diagnostics.clone();
    let (first, noted) = once(source, file, options, None, Wanted::All, unread);
    let wanted = match &first.program {
        Some(program) => Wanted::These(missing::needed(program, &noted)),
        None => Wanted::Nothing,
    };
    let (mut elaborated, noted) = once(source, file, options, error_condition, wanted, diagnostics);
    if let Some(program) = &mut elaborated.program {
        missing::instrument(program, &noted);
    }
    elaborated
}

fn once(
    source: &str,
    file: &File,
    options: &EffectiveOptions,
    error_condition: Option<ErrorCondition>,
    wanted: Wanted,
    diagnostics: &mut Diagnostics,
) -> (Elaborated, Noted) {
    let mut elaborator = Elaborator::new(source, options, diagnostics);
    elaborator.error_condition = error_condition;
    elaborator.reads.wanted = wanted;
    elaborator.program.memory.rooms = file.rooms.clone();
    let has_procedures = elaborator.file(file);
    elaborator.name_rooms(file);
    elaborator.name_made(file);
    let constants_fit = !elaborator.misfit;
    let noted = std::mem::take(&mut elaborator.reads.noted);
    let program = has_procedures.then_some(elaborator.program);
    (Elaborated { program, constants_fit }, noted)
}
