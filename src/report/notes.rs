//! What a report says besides its verdict: notes, and what was not checked.

use crate::analysis::noticed::{Constant, Endless, constant_conditions};
use crate::cfg::{endless_recursions, is_recursive, live_locals, loops, never_ends};
use crate::lang::follows_in_part;
use crate::lang::model::{EdgeId, Operation, ProcedureId, Program, VariableId, VariableKind};
use crate::lang::written::Condition;
use crate::session::{Outcome, Session};
use crate::wire::note::{Note, NoteCode, Unchecked};
use crate::wire::options::{Dialect, EffectiveOptions};

/// The notes about the program of an answer, by line.
pub(super) fn notes(session: &Session, program: &Program) -> Vec<Note> {
    // What runs do is known of the program itself: not of one with narrower integers.
    let own = session.program().is_some_and(|own| std::ptr::eq(own, program));
    let is_whole = own && session.widths().is_none() && session.outcome() == Outcome::Safe;
    let executed = session.executed().filter(|_| is_whole);
    let mut notes = program.written.notes.clone();
    let never_ends = never_ends(program);
    notes.extend(endless_recursions(program).into_iter().map(|id| {
        let code = match never_ends == Some(id) {
            true => NoteCode::NeverEnds,
            false => NoteCode::NeverReturns,
        };
        never_returns(program, id, code)
    }));
    let endless = if is_whole { session.endless() } else { &[] };
    notes.extend(endless.iter().map(endless_loop));
    for (line, condition, constant) in constant_conditions(program, executed) {
        let is_told = endless.iter().any(|endless| endless.line == line);
        if !(is_told && matches!(constant, Constant::InEveryRun(_))) {
            notes.push(constant_condition(line, condition, constant));
        }
    }
    if let Some(executed) = executed
        && endless.is_empty()
        && !session.options().checks.leak
    {
        notes.extend(never_freed(program, executed));
    }
    notes.sort_by_key(|note| (note.line, note.code));
    notes.dedup();
    notes
}

fn endless_loop(endless: &Endless) -> Note {
    let text = match endless.every_run {
        true => "the program never ends: no run leaves this loop",
        false => "no run that comes to this loop leaves it",
    };
    Note { line: endless.line, code: NoteCode::EndlessLoop, text: text.into() }
}

fn never_returns(program: &Program, id: ProcedureId, code: NoteCode) -> Note {
    let procedure = program.procedure(id);
    let name = &procedure.name;
    let text =
        format!("`{name}` never returns: each of its calls leads to another call of `{name}`");
    Note { line: procedure.span.line, code, text }
}

fn constant_condition(line: u32, condition: &Condition, constant: Constant) -> Note {
    let text = &condition.text;
    let (value, text) = match constant {
        Constant::ByType(true) => (true, format!("`{text}` holds for all values of its type")),
        Constant::ByType(false) => (false, format!("`{text}` holds for no value of its type")),
        Constant::PartByType(true) => {
            (true, format!("a comparison in `{text}` holds for all values of its type"))
        }
        Constant::PartByType(false) => {
            (false, format!("a comparison in `{text}` holds for no value of its type"))
        }
        Constant::InEveryRun(true) => (true, format!("`{text}` holds in every run")),
        Constant::InEveryRun(false) => (false, format!("`{text}` holds in no run")),
    };
    let code = if value { NoteCode::AlwaysTrue } else { NoteCode::AlwaysFalse };
    Note { line, code, text }
}

/// Memory that some run takes, where the program frees none.
fn never_freed(program: &Program, executed: &[bool]) -> Vec<Note> {
    let taken = program.written.never_freed.iter().filter(|taken| {
        program.edge_ids().any(|EdgeId(k)| {
            let span = program.edges[k as usize].span;
            executed[k as usize] && span.start <= taken.start && taken.end <= span.end
        })
    });
    let text = "the memory that is taken here is never freed";
    taken.map(|span| Note { line: span.line, code: NoteCode::Leak, text: text.into() }).collect()
}

/// What "no run fails" says nothing about, if the program itself does not say what an error is. If
/// it does, that concerns locals that may be read before they have a value: then they have any.
pub(super) fn unchecked(
    program: &Program,
    options: &EffectiveOptions,
    notes: &[Note],
) -> Vec<Unchecked> {
    let is_c = options.dialect == Dialect::C;
    if options.error.is_some() || !(is_c || options.dialect == Dialect::Cimple) {
        return Vec::new();
    }
    if states_error(program) {
        let is_open = is_c && !options.checks.initialised && reads_open_locals(program);
        return is_open.then_some(Unchecked::Initialised).into_iter().collect();
    }
    let told = |code| notes.iter().any(|note| note.code == code);
    let checks = options.checks;
    Unchecked::ALL
        .into_iter()
        .filter(|what| match what {
            Unchecked::Output => is_c,
            Unchecked::Leaks => program.memory.has_heap() && !checks.leak,
            Unchecked::EndlessLoops => {
                let endless = [NoteCode::EndlessLoop, NoteCode::NeverReturns, NoteCode::NeverEnds];
                let is_told = endless.into_iter().any(told);
                may_go_on(program) && !is_told
            }
            Unchecked::Overflow => !checks.overflow,
            Unchecked::Races => program.concurrency.has_threads() && !checks.race,
            Unchecked::Initialised => is_c && !checks.initialised,
            Unchecked::InitialisedInPart => is_c && checks.initialised && follows_in_part(program),
        })
        .collect()
}

/// The same of an answer about all threads. Data races are named even where the program says itself
/// what an error is.
pub(super) fn unchecked_of_threads(
    program: &Program,
    options: &EffectiveOptions,
) -> Vec<Unchecked> {
    let races = states_error(program) && !options.checks.race && options.error.is_none();
    let races = races.then_some(Unchecked::Races);
    races.into_iter().chain(unchecked(program, options, &[])).collect()
}

fn states_error(program: &Program) -> bool {
    program.edges.iter().flat_map(|edge| &edge.checks).any(|check| check.kind.is_stated())
}

/// Can a local be read before something is written to it, as far as conditions may come out either
/// way?
fn reads_open_locals(program: &Program) -> bool {
    let live = live_locals(program);
    let is_open = |id: &VariableId| {
        let variable = program.variable(*id);
        variable.kind == VariableKind::Local && variable.has_name() && !variable.is_array()
    };
    let begun = program.procedures.iter().any(|procedure| {
        live.get(procedure.entry.0 as usize).is_some_and(|live| live.iter().any(is_open))
    });
    // The declaration of a local inside a loop.
    let declared = program.edges.iter().any(|edge| match &edge.operation {
        Operation::Havoc(ids) => ids
            .iter()
            .filter(|id| is_open(id))
            .any(|id| live.get(edge.to.0 as usize).is_some_and(|live| live.contains(id))),
        _ => false,
    });
    begun || declared
}

/// Does it have a loop or a recursion?
fn may_go_on(program: &Program) -> bool {
    !loops(program).is_empty() || is_recursive(program)
}
