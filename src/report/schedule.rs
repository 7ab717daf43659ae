//! Makes the report of a schedule that a person chooses: the run so far, and what can come next.

use crate::lang::interpreter::Ended;
use crate::lang::model::{EdgeId, Program, StatementKind, VariableId};
use crate::report::build_threads::error_of;
use crate::report::deadlock::{blocked, holder};
use crate::report::interleaved_run::{interleaved_run, statement_after};
use crate::report::race::{race, race_of};
use crate::report::steps::text;
use crate::session::schedule::{Future, Move, Next, ScheduleSession};
use crate::wire::report::{Analysis, Statistics};
use crate::wire::threads::{
    Future as ToldFuture, NextReport, ThreadReport, ThreadsMethod, ThreadsReport, ThreadsVerdict,
};

/// The report of a schedule. Its verdict is `unsafe` if the run has failed; else nothing is said of
/// other runs than by [`NextReport::future`].
///
/// Not inlined into what the first part of the engine has (`static/delivery/later.mjs`).
#[inline(never)]
pub fn schedule_report(session: &ScheduleSession) -> ThreadsReport {
    let program = session.program();
    let run = session.run_so_far();
    let named: Vec<VariableId> =
        program.scopes.iter().flat_map(|scope| scope.variables.iter().copied()).collect();
    let shown: Vec<VariableId> = program.globals().filter(|id| named.contains(id)).collect();
    let names = names(session);
    let name = |thread: usize| names[thread].clone();
    let drawn = interleaved_run(program, run, &shown, &|thread| thread as u32);
    let failed = run.replay.ended != Ended::Neither;
    let threads = session.threads().threads.iter().zip(&names);
    let race_found = race_of(run).zip(drawn.paused);
    ThreadsReport {
        analysis: Analysis::Threads,
        verdict: match failed {
            true => ThreadsVerdict::Unsafe,
            false => ThreadsVerdict::NoErrorWithinBound,
        },
        bound: run.replay.switches,
        raised: None,
        converged: None,
        proof: None,
        method: ThreadsMethod::default(),
        limit: None,
        fault: None,
        options: session.options().clone(),
        width: session.options().width(),
        unchecked: Vec::new(),
        threads: threads
            .map(|((procedure, start), name)| ThreadReport {
                name: name.clone(),
                line: program.procedure(*procedure).span.line,
                at_start: start.is_none(),
            })
            .collect(),
        no_error_up_to: None,
        switches: failed.then_some(run.replay.switches),
        error: failed.then(|| error_of(program, run, name)),
        blocked: blocked(program, run),
        race: race_found.map(|(found, at)| race(program, found, at)),
        parts: drawn.parts,
        contexts: Some(drawn.contexts),
        trace: Some(drawn.trace),
        next: next(session, &names),
        shortest: None,
        at: None,
        reachable: Vec::new(),
        tree: Vec::new(),
        tree_cut: false,
        interfaces: Vec::new(),
        first_switch: None,
        explanation: None,
        statistics: Statistics { peak_nodes: 0, steps: 0, bytes: 0 },
    }
}

/// The names of the threads. Namesakes have numbers.
fn names(session: &ScheduleSession) -> Vec<String> {
    let program = session.program();
    let plain: Vec<&str> = session
        .threads()
        .threads
        .iter()
        .map(|(procedure, _)| program.procedure(*procedure).name.as_str())
        .collect();
    let one = |(k, name): (usize, &&str)| {
        let of_it = |other: &&&str| *other == name;
        match plain.iter().filter(of_it).count() {
            1 => (*name).to_string(),
            _ => format!("{name} {}", plain[..=k].iter().filter(of_it).count()),
        }
    };
    plain.iter().enumerate().map(one).collect()
}

fn next(session: &ScheduleSession, names: &[String]) -> Vec<NextReport> {
    let program = session.program();
    let mut all = Vec::new();
    for (k, next) in session.next().into_iter().enumerate() {
        let thread = k as u32;
        let line = || {
            let at = session.threads().shared.threads[k].as_ref();
            at.map_or(0, |(_, location)| program.location(*location).line)
        };
        let held = |line: u32, told: String| NextReport {
            thread,
            line,
            told,
            schedule: None,
            future: None,
        };
        match next {
            Next::Ended => all.push(held(line(), "has ended".to_string())),
            Next::Stuck => {
                let why = "cannot go on: an assumption does not hold";
                all.push(held(line(), why.to_string()));
            }
            Next::Waits(edge) => {
                let waits = program.edge(edge);
                let by = holder(program, session.run_so_far(), edge);
                let by = by.map_or(String::new(), |(holder, line)| {
                    let who = if holder == k { "it itself" } else { &names[holder] };
                    format!(", which {who} took at line {line}")
                });
                all.push(held(waits.span.line, format!("waits for {}{by}", waits.text)));
            }
            Next::Moves { moves, complete } => {
                let count = moves.len();
                for (number, (one, future)) in moves.into_iter().enumerate() {
                    let word = match number {
                        0 => k.to_string(),
                        number => format!("{k}.{number}"),
                    };
                    let schedule = match session.schedule() {
                        "" => word,
                        before => format!("{before},{word}"),
                    };
                    let (line, mut told) = told(program, &one);
                    if count > 1 {
                        told.push_str(&picks(program, &one));
                    }
                    all.push(NextReport {
                        thread,
                        line,
                        told,
                        schedule: Some(schedule),
                        future: Some(match future {
                            Future::Fails => ToldFuture::Fails,
                            Future::CanFail => ToldFuture::CanFail,
                            Future::CannotFail => ToldFuture::CannotFail,
                            Future::Unknown(_) => ToldFuture::Unknown,
                        }),
                    });
                }
                if !complete {
                    all.push(held(line(), "other values can be picked, too".to_string()));
                }
            }
        }
    }
    all
}

/// What a move does, and on which line.
fn told(program: &Program, one: &Move) -> (u32, String) {
    let of = |edge: EdgeId| (program.edge(edge).span.line, text(program.edge(edge)));
    let edges = || one.steps.iter().map(|step| step.edge);
    if let Some(edge) = edges().rfind(|edge| program.edge(*edge).is_traced()) {
        return of(edge);
    }
    let Some(last) = edges().next_back() else { return (0, String::new()) };
    if program.edge(last).kind == StatementKind::Jump {
        return of(last);
    }
    let reads = program.edge(last).text.clone();
    match statement_after(program, last) {
        Some(whole) if !reads.is_empty() && program.edge(whole).text != reads => {
            let (line, statement) = of(whole);
            (line, format!("{statement} (reads {reads})"))
        }
        Some(whole) => of(whole),
        None => match program.edge(last).text.is_empty() {
            true => (program.edge(last).span.line, "goes on".to_string()),
            false => of(last),
        },
    }
}

/// The values that a move picks.
fn picks(program: &Program, one: &Move) -> String {
    let mut picked = Vec::new();
    for step in &one.steps {
        let edge = program.edge(step.edge);
        let values = edge.choices.iter().zip(&step.choices);
        picked.extend(values.map(|(scalar, bits)| scalar.show(*bits)));
        for (id, values) in step.locals.iter().flatten() {
            let variable = program.variable(*id);
            let shown: Vec<String> =
                values.iter().map(|bits| variable.scalar.show(*bits)).collect();
            if variable.has_name() {
                picked.push(format!("{} = {}", variable.name, shown.join(" ")));
            }
        }
    }
    if picked.is_empty() { String::new() } else { format!(" (picks {})", picked.join(", ")) }
}
