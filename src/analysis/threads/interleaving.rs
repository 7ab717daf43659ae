//! An interleaved run that is composed of what each thread does by itself, and then executed by the
//! interpreter.

use super::race_watch::{RaceWatch, Watched};
use super::sequential_thread::SequentialThread;
use super::{Begins, ThreadSystem};
use crate::encode::Valuation;
use crate::lang::interpreter::{
    Assignment, ConcreteRun, ConcreteStep, Ended, InterleavedReplay, InterleavedRun, RunThread,
    is_private, replay_interleaved, replay_race,
};
use crate::lang::model::{Check, Program, StatementKind, VariableId};

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

/// A program as it is searched: with its hidden counters, and watched for races if that was asked.
pub struct Searched<'a> {
    /// The program of the source.
    pub program: &'a Program,
    /// Its threads.
    pub system: &'a ThreadSystem,
    /// The program that is watched for races.
    pub watch: Option<&'a RaceWatch>,
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
    /// The check that failed, unless the run ends in a deadlock or a race.
    pub check: Option<Check>,
    /// Entries of the trace.
    pub length: u64,
}

/// Composes the parts of a schedule, and executes the whole run by the interpreter. An error says
/// how the result contradicts the search.
pub fn interleave(
    searched: &Searched<'_>,
    schedule: &FailingSchedule,
    parts: &[Part],
) -> Result<InterleavedFailure, String> {
    let Searched { program: original, system, watch } = *searched;
    let program = watch.map_or(original, |watch| &watch.program);
    let run = compose(program, system, schedule, parts);
    let mut replay = replay_interleaved(program, &run).map_err(|error| error.to_string())?;
    let whole = with_whole_statements(program, &run);
    let run = match replay_interleaved(program, &whole) {
        Ok(again) if (again.switches, &again.ended) == (replay.switches, &replay.ended) => {
            replay = again;
            whole
        }
        _ => run,
    };
    let ended = replay.ended.clone();
    let (run, replay) = match watch {
        Some(watch) => unwatched(original, watch, &run, &ended)?,
        None => (run, replay),
    };
    let check = match (&replay.ended, schedule.deadlock.is_some()) {
        (Ended::Error(check), false) => {
            run.steps.last().map(|(_, step)| original.edge(step.edge).checks[*check].clone())
        }
        (Ended::Deadlock(_), true) | (Ended::Race(_), false) => None,
        _ => {
            return Err("the interleaved run does not end as it was found".to_string());
        }
    };
    if replay.switches as usize + 1 != schedule.contexts.len() {
        return Err("the interleaved run has other contexts than the tree says".to_string());
    }
    let mut failure = InterleavedFailure {
        threads: (0..system.threads.len()).collect(),
        run,
        replay,
        check,
        length: 0,
    };
    let counts = |k: &usize| {
        original.edge(failure.replay.steps[*k].edge).is_traced() || failure.fails_at(*k)
    };
    failure.length = (0..failure.replay.steps.len()).filter(counts).count() as u64;
    Ok(failure)
}

impl InterleavedFailure {
    /// Is this step what fails: the last one of a failing check, or one of the two of a race?
    pub fn fails_at(&self, step: usize) -> bool {
        let is_last = step + 1 == self.replay.steps.len();
        match &self.replay.ended {
            Ended::Race(race) => is_last || step == race.at,
            _ => self.check.is_some() && is_last,
        }
    }
}

/// The run of the original program that a run of the watched one is.
fn unwatched(
    program: &Program,
    watch: &RaceWatch,
    run: &InterleavedRun,
    ended: &Ended,
) -> Result<(InterleavedRun, InterleavedReplay), String> {
    let last = run.steps.last().map(|(_, step)| step.edge);
    let races =
        matches!((ended, last), (Ended::Error(check), Some(edge)) if watch.is_race(edge, *check));
    let (mut steps, mut paused) = (Vec::new(), None);
    for (thread, step) in &run.steps {
        match watch.original(step.edge) {
            Watched::Own(_) => steps.push((*thread, step.clone())),
            Watched::Announces(edge) if races => {
                paused = Some(steps.len());
                steps.push((*thread, ConcreteStep { edge, ..step.clone() }));
            }
            Watched::Announces(_) | Watched::Added => {}
        }
    }
    let mut run = InterleavedRun { steps, ..run.clone() };
    run.initial_globals.retain(|(id, _)| (id.0 as usize) < program.variables.len());
    let replay = match paused {
        Some(paused) => replay_race(program, &run, paused),
        None => replay_interleaved(program, &run),
    };
    let replay = replay.map_err(|error| error.to_string())?;
    Ok((run, replay))
}

/// The parts one after the other, in the order of the schedule.
fn compose(
    program: &Program,
    system: &ThreadSystem,
    schedule: &FailingSchedule,
    parts: &[Part],
) -> InterleavedRun {
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
    run
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
