//! What a report says besides its verdict: notes, and what was not checked.

use crate::analysis::noticed::{Constant, Endless, constant_conditions};
use crate::cfg::{endless_recursions, is_recursive, loops};
use crate::lang::model::{EdgeId, ProcedureId, Program};
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
    notes.extend(endless_recursions(program).into_iter().map(|id| never_returns(program, id)));
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

fn never_returns(program: &Program, id: ProcedureId) -> Note {
    let procedure = program.procedure(id);
    let name = &procedure.name;
    let text =
        format!("`{name}` never returns: each of its calls leads to another call of `{name}`");
    Note { line: procedure.span.line, code: NoteCode::NeverReturns, text }
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

/// What "no run fails" says nothing about, if the program itself does not say what an error is.
pub(super) fn unchecked(
    program: &Program,
    options: &EffectiveOptions,
    notes: &[Note],
) -> Vec<Unchecked> {
    let is_c = options.dialect == Dialect::C;
    if states_error(program)
        || options.error.is_some()
        || !(is_c || options.dialect == Dialect::Cimple)
    {
        return Vec::new();
    }
    let told = |code| notes.iter().any(|note| note.code == code);
    let checks = options.checks;
    Unchecked::ALL
        .into_iter()
        .filter(|what| match what {
            Unchecked::Output => is_c,
            Unchecked::Leaks => program.memory.has_heap() && !checks.leak,
            Unchecked::EndlessLoops => {
                let is_told = told(NoteCode::EndlessLoop) || told(NoteCode::NeverReturns);
                may_go_on(program) && !is_told
            }
            Unchecked::Overflow => !checks.overflow,
            Unchecked::Races => program.concurrency.has_threads() && !checks.race,
            Unchecked::Initialised => is_c && !checks.initialised,
        })
        .collect()
}

/// The same of an answer about all threads. Data races are named even where the program says itself
/// what an error is.
pub(super) fn unchecked_of_threads(
    program: &Program,
    options: &EffectiveOptions,
) -> Vec<Unchecked> {
    match states_error(program) {
        true if options.checks.race || options.error.is_some() => Vec::new(),
        true => vec![Unchecked::Races],
        false => unchecked(program, options, &[]),
    }
}

fn states_error(program: &Program) -> bool {
    program.edges.iter().flat_map(|edge| &edge.checks).any(|check| check.kind.is_stated())
}

/// Does it have a loop or a recursion?
fn may_go_on(program: &Program) -> bool {
    !loops(program).is_empty() || is_recursive(program)
}
