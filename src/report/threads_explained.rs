//! The explanation of a failing interleaving: the statements that take part, thread by thread, and
//! the correct schedule beside it, with what it means in words.

use crate::analysis::threads::closest_schedule::MOST_STATES;
use crate::draw::words::{grouped, limit_sentence};
use crate::lang::interpreter::{ConcreteStep, InterleavedRun};
use crate::lang::model::{EdgeId, Program};
use crate::report::interleaved_run::{interleaved_run, statement_after};
use crate::report::thread_numbers::number;
use crate::session::{Correct, InterleavedFailure, ThreadsExplanation, ThreadsSession};
use crate::util::Limit;
use crate::wire::report::TraceEntry;
use crate::wire::threads::{
    CorrectSchedule, LitStatement, ThreadStatements, ThreadsExplained, ThreadsReport,
    ThreadsVerdict,
};

/// The explanation of the failing run of a session. `report`: that of the session.
pub fn threads_explained(
    session: &ThreadsSession,
    explanation: &ThreadsExplanation,
    report: &ThreadsReport,
) -> ThreadsExplained {
    let statements = explanation.statements();
    let mut explained = ThreadsExplained {
        bound: explanation.switches(),
        statements: match statements {
            Some(Ok(found)) => by_thread(session, found),
            _ => Vec::new(),
        },
        limit: statements.and_then(|found| found.as_ref().err().copied()),
        fault: explanation.fault().map(str::to_string),
        ..ThreadsExplained::default()
    };
    match explanation.correct() {
        Some(Correct::Run(run, common)) => {
            explained.told = meaning(session, run, *common);
            explained.correct = Some(schedule(session, run, report));
        }
        Some(Correct::Never) => {
            explained.told = "With the inputs of this run no schedule comes to an end without an \
                              error."
                .to_string();
        }
        Some(Correct::Race) => {
            explained.told = "Nothing orders the two accesses of a data race, so no schedule is \
                              shown as a correct one."
                .to_string();
        }
        Some(Correct::Unknown(limit)) => {
            explained.told = match limit {
                Limit::Steps => format!(
                    "No correct schedule was found among {} states with this run's inputs.",
                    grouped(MOST_STATES as u64)
                ),
                limit => format!("No correct schedule was found: {}.", limit_sentence(*limit)),
            };
            explained.correct_limit = Some(*limit);
        }
        None => {}
    }
    explained
}

/// The report with the correct run in the place of the failing one; `None` without one.
pub fn correct_report(
    report: &ThreadsReport,
    explained: &ThreadsExplained,
) -> Option<ThreadsReport> {
    let correct = explained.correct.as_ref()?;
    Some(ThreadsReport {
        verdict: ThreadsVerdict::NoErrorWithinBound,
        error: None,
        blocked: Vec::new(),
        race: None,
        shortest: None,
        contexts: Some(correct.contexts.clone()),
        trace: Some(correct.trace.clone()),
        parts: correct.parts.clone(),
        ..report.clone()
    })
}

/// The statements by thread. An edge that is only a part of a statement counts as that statement.
fn by_thread(session: &ThreadsSession, found: &[Vec<bool>]) -> Vec<ThreadStatements> {
    let program = session.program();
    let one = |(thread, edges): (usize, &Vec<bool>)| {
        let lit = program.edge_ids().filter(|id| edges.get(id.0 as usize) == Some(&true));
        let mut statements: Vec<LitStatement> =
            lit.filter_map(|id| statement(program, id)).collect();
        statements.sort();
        statements.dedup();
        ThreadStatements { thread: number(session, thread), statements }
    };
    let all = found.iter().enumerate().map(one);
    all.filter(|one| !one.statements.is_empty()).collect()
}

/// The statement that an edge is, or is a part of.
fn statement(program: &Program, id: EdgeId) -> Option<LitStatement> {
    let own = program.edge(id).is_statement();
    let id = if own { Some(id) } else { statement_after(program, id) };
    let edge = program.edge(id?);
    Some(LitStatement { line: edge.span.line, statement: edge.text.clone() })
}

fn schedule(
    session: &ThreadsSession,
    run: &InterleavedFailure,
    report: &ThreadsReport,
) -> CorrectSchedule {
    let shown = session.system().shown_globals();
    let drawn = interleaved_run(session.program(), run, &shown, &|thread| number(session, thread));
    let failing: &[TraceEntry] = report.trace.as_deref().unwrap_or_default();
    let same = drawn.trace.iter().zip(failing).take_while(|(one, other)| one == other).count();
    CorrectSchedule {
        common: same as u32,
        switches: run.replay.switches,
        contexts: drawn.contexts,
        trace: drawn.trace,
        parts: drawn.parts,
    }
}

/// What the correct run says: who would have to go on, where, instead of whom.
fn meaning(session: &ThreadsSession, correct: &InterleavedFailure, common: usize) -> String {
    let program = session.program();
    let name = |thread: usize| session.system().threads[thread].name.as_str();
    let Some(failing) = session.failing_run().map(|run| &run.run) else { return String::new() };
    let (Some(takes), Some(other)) = (failing.steps.get(common), correct.run.steps.get(common))
    else {
        return String::new();
    };
    let before = common.checked_sub(1).map_or(failing.first, |k| failing.steps[k].0);
    let (taking, going) = (name(takes.0), name(other.0));
    let (here, there) = (place(program, takes), place(program, other));
    let condition = if other.0 == before {
        format!(
            "If {going} went on with {there} (instead of being interrupted by {taking}, which goes \
             on with {here})"
        )
    } else if takes.0 == before {
        format!("If {going} ran {there} before {taking} goes on with {here}")
    } else {
        format!(
            "If {going} went on with {there} after {}, instead of {taking} with {here}",
            after(program, failing, common, name(before))
        )
    };
    let switches = match (correct.replay.switches, session.switches()) {
        (one, Some(other)) if one == other => "as many context switches".to_string(),
        (1, _) => "1 context switch".to_string(),
        (one, _) => format!("{one} context switches"),
    };
    format!("{condition}, the run would end without an error, with {switches}.")
}

/// "line 12, `x = 1`": where a step stands.
fn place(program: &Program, (_, step): &(usize, ConcreteStep)) -> String {
    let line = program.edge(step.edge).span.line;
    match statement(program, step.edge) {
        Some(LitStatement { line, statement }) if !statement.is_empty() => {
            format!("line {line}, `{statement}`")
        }
        _ => format!("line {line}"),
    }
}

/// "line 7 of main": the last statement before a switch.
fn after(program: &Program, run: &InterleavedRun, step: usize, name: &str) -> String {
    match step.checked_sub(1) {
        None => "the start".to_string(),
        Some(last) => format!("line {} of {name}", program.edge(run.steps[last].1.edge).span.line),
    }
}
