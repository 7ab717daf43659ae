//! An interleaved run that is composed of what each thread does by itself, and then executed by the
//! interpreter.

use super::sequential_thread::SequentialThread;
use super::{Begins, ThreadSystem};
use crate::encode::Valuation;
use crate::lang::interpreter::{
    Assignment, ConcreteRun, ConcreteStep, Ended, InterleavedReplay, InterleavedRun, RunThread,
    is_private, replay_interleaved,
};
use crate::lang::model::{Check, EdgeId, Program, StatementKind, VariableId};

/// A schedule: which threads run, up to an error or a deadlock, and the globals at each switch.
pub struct FailingSchedule {
    /// The thread of each context.
    pub contexts: Vec<usize>,
    /// The globals at each switch.
    pub switches: Vec<Valuation>,
    /// The globals of the deadlock, if it is one.
    pub deadlock: Option<Valuation>,
}

/// The steps of one thread in each of its visits.
pub struct Part {
    /// The number of the thread in the system.
    pub thread: usize,
    initial_globals: Assignment,
    initial_locals: Assignment,
    visits: Vec<Vec<ConcreteStep>>,
}

/// A run of several threads that the interpreter executed.
#[derive(Clone, Debug)]
pub struct InterleavedFailure {
    /// The executed run. Its threads are numbered as in the system.
    pub run: InterleavedRun,
    /// The interpreter's record of it.
    pub replay: InterleavedReplay,
    /// The number of each of its threads in the system.
    pub threads: Vec<usize>,
    /// The check that failed, unless the run ends in a deadlock.
    pub check: Option<Check>,
    /// Entries of the trace.
    pub length: u64,
}

/// Composes the parts of a schedule, and executes the whole run by the interpreter. An error says
/// how the result contradicts the search.
pub fn interleave(
    program: &Program,
    system: &ThreadSystem,
    schedule: &FailingSchedule,
    parts: &[Part],
) -> Result<InterleavedFailure, String> {
    let own = |id: &VariableId| (id.0 as usize) < program.variables.len();
    let threads: Vec<usize> = (0..system.threads.len()).collect();
    let run_threads = threads.iter().map(|thread| {
        let instance = &system.threads[*thread];
        let part = parts.iter().find(|part| part.thread == *thread);
        RunThread {
            procedure: instance.procedure,
            start: match instance.begins {
                Begins::AtStart => None,
                Begins::Started { count, .. } => Some(count),
            },
            locals: part.map_or(Vec::new(), |part| {
                part.initial_locals.iter().filter(|(id, _)| own(id)).cloned().collect()
            }),
        }
    });
    let first = parts.iter().find(|part| Some(&part.thread) == schedule.contexts.first());
    let initial_globals = first.map_or(Vec::new(), |part| {
        part.initial_globals.iter().filter(|(id, _)| own(id)).cloned().collect::<Assignment>()
    });
    let first = schedule.contexts.first().copied().unwrap_or(0);
    let mut run = InterleavedRun {
        initial_globals,
        threads: run_threads.collect(),
        first,
        steps: Vec::new(),
    };
    let mut visited = vec![0; threads.len()];
    for thread in &schedule.contexts {
        let part = parts.iter().find(|part| part.thread == *thread);
        let visit = part.and_then(|part| part.visits.get(visited[*thread]));
        visited[*thread] += 1;
        run.steps.extend(visit.into_iter().flatten().map(|step| (*thread, step.clone())));
    }
    let mut replay = replay_interleaved(program, &run).map_err(|error| error.to_string())?;
    let whole = with_whole_statements(program, &run);
    if let Ok(again) = replay_interleaved(program, &whole)
        && (again.switches, &again.ended) == (replay.switches, &replay.ended)
    {
        (run, replay) = (whole, again);
    }
    let check = match (&replay.ended, schedule.deadlock.is_some()) {
        (Ended::Error(check), false) => {
            run.steps.last().map(|(_, step)| program.edge(step.edge).checks[*check].clone())
        }
        (Ended::Deadlock(_), true) => None,
        _ => {
            return Err("the interleaved run does not end as it was found".to_string());
        }
    };
    if replay.switches as usize + 1 != schedule.contexts.len() {
        return Err("the interleaved run has other contexts than the tree says".to_string());
    }
    let last = replay.steps.len().saturating_sub(1);
    let counts =
        |k: usize, edge: EdgeId| program.edge(edge).is_traced() || check.is_some() && k == last;
    let length =
        replay.steps.iter().enumerate().filter(|(k, step)| counts(*k, step.edge)).count() as u64;
    Ok(InterleavedFailure { run, replay, threads, check, length })
}

/// The same run with as few statements as possible divided by a switch: what a thread does with the
/// globals that it has read comes before the switch if no other thread can see it.
fn with_whole_statements(program: &Program, run: &InterleavedRun) -> InterleavedRun {
    let mut steps = run.steps.clone();
    let mut k = 1;
    while k < steps.len() {
        let thread = steps[k - 1].0;
        let is_open = |step: &ConcreteStep| {
            let edge = program.edge(step.edge);
            edge.kind == StatementKind::Hidden && !is_private(program, step.edge)
        };
        if steps[k].0 == thread || !is_open(&steps[k - 1].1) {
            k += 1;
            continue;
        }
        let mut begin = k;
        while let Some(next) = (begin..steps.len()).find(|next| steps[*next].0 == thread)
            && is_private(program, steps[next].1.edge)
            // Its context keeps a step, so that the switches stay.
            && steps.get(next + 1).is_some_and(|(after, _)| *after == thread)
        {
            let step = steps.remove(next);
            let is_whole = program.edge(step.1.edge).is_traced();
            steps.insert(begin, step);
            begin += 1;
            if is_whole {
                break;
            }
        }
        k = begin + 1;
    }
    InterleavedRun { steps, ..run.clone() }
}

/// The steps that a thread's run by itself has in each visit.
pub fn part(thread: usize, alone: &SequentialThread, run: &ConcreteRun) -> Part {
    let mut visits = vec![Vec::new()];
    for step in &run.steps {
        if alone.is_own(step.edge) {
            if let Some(visit) = visits.last_mut() {
                visit.push(step.clone());
            }
        } else if alone.switches(step.edge) {
            visits.push(Vec::new());
        }
    }
    Part {
        thread,
        initial_globals: run.initial_globals.clone(),
        initial_locals: run.initial_locals.clone(),
        visits,
    }
}
