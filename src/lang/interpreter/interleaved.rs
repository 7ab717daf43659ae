//! Replays an interleaved run: a schedule, and the values that the run picks at each step. Threads
//! are numbered in the order in which they are started. A switch is refused where it cannot happen.

use super::accesses::Access;
use super::execute::{Assignment, Configuration, Frame, Machine, Outcome};
use super::observe::Observed;
use super::races::Race;
use super::replay::{ConcreteStep, Replayed};
use crate::lang::model::{
    EdgeId, Initial, LocationId, Operation, ProcedureId, Program, VariableId,
};
use std::collections::BTreeMap;
use std::fmt;

/// A thread of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunThread {
    /// Where it starts.
    pub procedure: ProcedureId,
    /// `None` if it runs from the start. `Some(n)` if the n-th start of its procedure makes it,
    /// counted from 1.
    pub start: Option<u32>,
    /// Values of its first frame's variables.
    pub locals: Assignment,
}

/// A run of threads in turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InterleavedRun {
    /// Values of the globals at the start; those that the program fixes may be left out.
    pub initial_globals: Assignment,
    /// The threads.
    pub threads: Vec<RunThread>,
    /// The thread that runs first, even if it executes nothing before the first switch.
    pub first: usize,
    /// The steps, each with its thread. Returns are implied.
    pub steps: Vec<(usize, ConcreteStep)>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// This check of the last step's edge fails.
    Error(usize),
    /// No thread can go on. By thread: the edge at which it waits (`None` if it has ended, or was
    /// never started).
    Deadlock(Vec<Option<EdgeId>>),
    /// Two threads are about to access one place, and nothing orders them.
    Race(Race),
    /// The run ended without an error and without a deadlock.
    Neither,
}

/// A run as it was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterleavedReplay {
    /// By step.
    pub steps: Vec<Replayed>,
    /// By step: the globals before it, in the order of [`Program::globals`].
    pub globals: Vec<Vec<Vec<u64>>>,
    /// By step: what it did.
    pub observed: Vec<Observed>,
    /// By step: what it reads of the globals.
    pub reads: Vec<Vec<Access>>,
    /// If the run fails: the thread that fails, before its last step.
    pub before_last: Option<Configuration>,
    /// How it ended.
    pub ended: Ended,
    /// Changes of the running thread.
    pub switches: u32,
}

/// Why a claimed run is not a run. Steps are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterleavedError {
    /// A value at the start does not fit.
    Initial,
    /// The step's thread does not exist or was not started yet.
    NotStarted(usize),
    /// The step comes after a switch that cannot happen.
    NoSwitch(usize),
    /// The step's edge does not start where its thread is, or lacks choices.
    Elsewhere(usize),
    /// The step's assumption does not hold.
    Blocked(usize),
    /// The step already fails, but others follow.
    FailsEarly(usize),
}

impl fmt::Display for InterleavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterleavedError::Initial => write!(f, "the run cannot start like this"),
            InterleavedError::NotStarted(step) => {
                write!(f, "the thread of step {step} was not started")
            }
            InterleavedError::NoSwitch(step) => {
                write!(f, "no context switch can happen before step {step}")
            }
            InterleavedError::Elsewhere(step) => {
                write!(f, "step {step} does not start where its thread is")
            }
            InterleavedError::Blocked(step) => write!(f, "step {step} is blocked"),
            InterleavedError::FailsEarly(step) => write!(f, "step {step} already fails"),
        }
    }
}

impl std::error::Error for InterleavedError {}

/// The stacks of all threads, with the globals that they share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharedConfiguration {
    /// In the order of [`Program::globals`].
    pub globals: Vec<Vec<u64>>,
    /// By thread: frames and location; `None` before it was started.
    pub threads: Vec<Option<(Vec<Frame>, LocationId)>>,
}

impl SharedConfiguration {
    /// One thread with the globals; `None` if it was not started.
    pub fn of(&self, thread: usize) -> Option<Configuration> {
        let (frames, location) = self.threads.get(thread)?.clone()?;
        Some(Configuration { globals: self.globals.clone(), frames, location })
    }

    /// After a step of one thread.
    pub fn with(&self, thread: usize, next: Configuration) -> SharedConfiguration {
        let mut after = self.clone();
        after.globals = next.globals;
        after.threads[thread] = Some((next.frames, next.location));
        after
    }
}

impl Machine<'_> {
    /// Can the running thread be switched away from here?
    pub fn can_switch(&self, configuration: &Configuration) -> bool {
        let concurrency = &self.program.concurrency;
        let atomic = concurrency
            .atomic
            .is_some_and(|flag| self.values(configuration, flag).first() == Some(&1));
        !atomic && !concurrency.uninterruptible.contains(&configuration.location)
    }

    /// Has the thread ended: is it at the end of its first frame, or of the thread itself?
    pub fn thread_has_ended(&self, configuration: &Configuration) -> bool {
        let out = &self.shape.out[configuration.location];
        let ends = |edge: &EdgeId| self.program.concurrency.ends.contains(edge);
        configuration.frames.len() == 1
            && self.program.procedure(configuration.frames[0].procedure).exit
                == configuration.location
            || !out.is_empty() && out.iter().all(ends)
    }

    /// The edge at which a thread waits, if it waits and cannot go on now.
    pub fn waits(&self, configuration: &Configuration) -> Option<EdgeId> {
        let out = &self.shape.out[configuration.location];
        let stuck = |edge: &EdgeId| {
            let one = self.program.edge(*edge);
            self.program.concurrency.waits.contains(edge)
                && one.choices.is_empty()
                && matches!(&one.operation, Operation::Assume(e) if self.evaluate(configuration, e, &[]) == 0)
        };
        if out.iter().all(stuck) { out.first().copied() } else { None }
    }

    /// By thread, the edge at which it waits, if no thread can go on. That means: every thread has
    /// ended or waits, at least one thread waits, and if thread 0 is main, it waits.
    pub fn deadlock(&self, state: &SharedConfiguration) -> Option<Vec<Option<EdgeId>>> {
        let mut waits = Vec::new();
        for thread in 0..state.threads.len() {
            let Some(configuration) = state.of(thread) else {
                waits.push(None);
                continue;
            };
            let edge = self.waits(&configuration);
            let is_main = self.program.main_id() == configuration.frames[0].procedure
                && self.program.procedure(self.program.main_id()).name == "main";
            if edge.is_none() && (!self.thread_has_ended(&configuration) || thread == 0 && is_main)
            {
                return None;
            }
            waits.push(edge);
        }
        waits.iter().any(Option::is_some).then_some(waits)
    }

    /// A thread with one frame at the entry of a procedure. A variable that is not given is zero.
    pub fn thread_start(
        &self,
        procedure: ProcedureId,
        globals: Vec<Vec<u64>>,
        locals: &Assignment,
    ) -> Configuration {
        let location = self.program.procedure(procedure).entry;
        let mut configuration =
            Configuration { globals, frames: vec![self.frame(procedure, None)], location };
        for (id, values) in locals {
            if self.program.variable(*id).owner == Some(procedure) {
                self.set(&mut configuration, *id, values);
            }
        }
        configuration
    }
}

/// Executes the run as far as it goes.
pub fn replay_interleaved(
    program: &Program,
    run: &InterleavedRun,
) -> Result<InterleavedReplay, InterleavedError> {
    replay_paused(program, run, None).map(|(replay, _)| replay)
}

/// Executes the run as far as it goes. If a step is given, neither it nor the last one is executed:
/// their threads stay before them. Returns the state at the end, too.
pub(super) fn replay_paused(
    program: &Program,
    run: &InterleavedRun,
    paused: Option<usize>,
) -> Result<(InterleavedReplay, SharedConfiguration), InterleavedError> {
    let machine = Machine::new(program);
    check_initial(program, run)?;
    let globals = machine.initial(&run.initial_globals, &Vec::new()).globals;
    let begin = |thread: &RunThread, globals: &[Vec<u64>]| {
        let start = machine.thread_start(thread.procedure, globals.to_vec(), &thread.locals);
        Some((start.frames, start.location))
    };
    let at_start =
        |thread: &RunThread| if thread.start.is_none() { begin(thread, &globals) } else { None };
    let mut state = SharedConfiguration {
        globals: globals.clone(),
        threads: run.threads.iter().map(at_start).collect(),
    };
    let mut started: BTreeMap<ProcedureId, u32> = BTreeMap::new();
    let mut replay = InterleavedReplay {
        steps: Vec::new(),
        globals: Vec::new(),
        observed: Vec::new(),
        reads: Vec::new(),
        before_last: None,
        ended: Ended::Neither,
        switches: 0,
    };
    let mut running = run.first;
    for (index, (thread, step)) in run.steps.iter().enumerate() {
        if running != *thread {
            replay.switches += 1;
            if !state.of(running).is_some_and(|configuration| machine.can_switch(&configuration)) {
                return Err(InterleavedError::NoSwitch(index));
            }
        }
        running = *thread;
        let configuration = state.of(*thread).ok_or(InterleavedError::NotStarted(index))?;
        let edge = program
            .edges
            .get(step.edge.0 as usize)
            .filter(|edge| edge.from == configuration.location)
            .filter(|edge| step.choices.len() >= edge.choices.len())
            .ok_or(InterleavedError::Elsewhere(index))?;
        let locals = step.locals.as_ref().unwrap_or(const { &Vec::new() });
        if !locals.iter().all(|(id, values)| has_size(program, *id, values)) {
            return Err(InterleavedError::Initial);
        }
        let store = machine.visible(&configuration, edge);
        replay.steps.push(Replayed { edge: step.edge, depth: configuration.depth(), store });
        replay.globals.push(configuration.globals.clone());
        let is_last = index + 1 == run.steps.len();
        let stays = paused.is_some_and(|paused| paused == index || is_last);
        let mut observed = machine.observe(&mut configuration.clone(), step);
        if stays {
            observed.writes.clear();
            observed.results.clear();
        }
        replay.observed.push(observed);
        replay.reads.push(machine.global_reads(&configuration, edge, &step.choices));
        match machine.execute(&configuration, step.edge, &step.choices, locals) {
            Outcome::Next(_) if stays => continue,
            Outcome::Next(next) => state = state.with(*thread, next),
            Outcome::Blocked => return Err(InterleavedError::Blocked(index)),
            Outcome::Error(check) if is_last => {
                replay.ended = Ended::Error(check);
                replay.before_last = Some(configuration);
                return Ok((replay, state));
            }
            Outcome::Error(_) => return Err(InterleavedError::FailsEarly(index)),
        }
        if let Some(procedure) = program.concurrency.starts.get(&step.edge) {
            let count = started.entry(*procedure).or_insert(0);
            *count += 1;
            for (made, thread) in run.threads.iter().enumerate() {
                if thread.procedure == *procedure && thread.start == Some(*count) {
                    state.threads[made] = begin(thread, &state.globals);
                }
            }
        }
    }
    if let Some(waits) = machine.deadlock(&state) {
        replay.ended = Ended::Deadlock(waits);
    }
    Ok((replay, state))
}

/// Does every value at the start fit its variable, and agree with the initial values that the
/// program fixes?
fn check_initial(program: &Program, run: &InterleavedRun) -> Result<(), InterleavedError> {
    let locals = run.threads.iter().flat_map(|thread| &thread.locals);
    for (id, values) in run.initial_globals.iter().chain(locals) {
        let variable = program.variables.get(id.0 as usize).ok_or(InterleavedError::Initial)?;
        let differs = matches!(&variable.initial, Initial::Exactly(fixed) if fixed != values);
        if differs || !has_size(program, *id, values) {
            return Err(InterleavedError::Initial);
        }
    }
    Ok(())
}

/// Is there such a variable, and does it have as many elements as there are values?
fn has_size(program: &Program, id: VariableId, values: &[u64]) -> bool {
    program.variables.get(id.0 as usize).is_some_and(|v| v.elements() as usize == values.len())
}
