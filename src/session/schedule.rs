//! A schedule that a person chooses, move by move: the run so far, what each thread can do next,
//! and what can still fail after each of these moves.
//!
//! A schedule is written as a list of moves with commas between them: `0,1,0.2` says that thread 0
//! goes on, then thread 1, then thread 0 with the third of its alternatives.

use crate::analysis::threads::interleaving::InterleavedFailure;
pub use crate::analysis::threads::scheduling::{Future, Move};
use crate::analysis::threads::scheduling::{Futures, Moved, Moves, Scheduling, Standing};
use crate::lang::interpreter::{
    ConcreteStep, Ended, InterleavedReplay, InterleavedRun, RunThread, replay_interleaved,
    replay_race,
};
use crate::lang::model::{EdgeId, Program};
use crate::session::Job;
use crate::util::{Alarm, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
use std::rc::Rc;

/// States that one step of the job follows.
const AT_ONCE: usize = 32;

/// Most moves of a schedule.
const MOST_MOVES: usize = 2_000;

/// What a thread can do next.
pub enum Next {
    /// It has ended.
    Ended,
    /// It waits at this edge.
    Waits(EdgeId),
    /// Nothing that it could do is a run: an assumption does not hold.
    Stuck,
    /// These moves, each with what can become of it.
    Moves {
        /// In order; their places are their numbers in a schedule.
        moves: Vec<(Move, Future)>,
        /// Are there no others?
        complete: bool,
    },
}

/// A schedule chosen by hand, and the search for what can still fail.
pub struct ScheduleSession {
    scheduling: Scheduling,
    options: EffectiveOptions,
    schedule: String,
    at: Standing,
    run: InterleavedFailure,
    moves: Vec<Moves>,
    futures: Futures,
    over: bool,
}

impl ScheduleSession {
    /// Follows a schedule from the start. Errors: what is wrong with it, for people.
    pub fn new(
        program: Rc<Program>,
        options: &EffectiveOptions,
        schedule: &str,
    ) -> Result<ScheduleSession, String> {
        let scheduling = Scheduling::new(program, options.error, options.checks.race);
        let mut at = scheduling.start();
        let mut steps: Vec<(usize, ConcreteStep)> = Vec::new();
        let mut fails = None;
        let words = schedule.split(',').map(str::trim).filter(|word| !word.is_empty());
        for (k, word) in words.enumerate() {
            if k >= MOST_MOVES {
                return Err(format!("A schedule has at most {MOST_MOVES} moves."));
            }
            let moves = all_moves(&scheduling, &at);
            if fails.is_some() || scheduling.race(&scheduling.machine(), &at, &moves).is_some() {
                return Err(format!("The run has failed before move {}, `{word}`.", k + 1));
            }
            let no_such = || format!("Move {} of the schedule, `{word}`, cannot be made.", k + 1);
            let (thread, alternative) = word.split_once('.').unwrap_or((word, "0"));
            let (thread, alternative) = thread
                .parse::<usize>()
                .ok()
                .zip(alternative.parse::<usize>().ok())
                .ok_or_else(no_such)?;
            if thread >= at.threads.len() {
                return Err(no_such());
            }
            let Some(one) = moves[thread].all.get(alternative).cloned() else {
                return Err(no_such());
            };
            steps.extend(one.steps.into_iter().map(|step| (thread, step)));
            match one.to {
                Moved::To(next) => at = next,
                Moved::Fails(check) => fails = Some(check),
            }
        }
        let moves = if fails.is_some() { Vec::new() } else { all_moves(&scheduling, &at) };
        let race = scheduling.race(&scheduling.machine(), &at, &moves);
        let paused = race.as_ref().map(|(_, paused)| steps.len() + paused);
        steps.extend(race.into_iter().flat_map(|(steps, _)| steps));
        let first = steps.first().map_or(0, |(thread, _)| *thread);
        let thread = |(procedure, start): &(_, Option<u32>)| RunThread {
            procedure: *procedure,
            start: *start,
            locals: Vec::new(),
        };
        let threads: Vec<RunThread> = at.threads.iter().map(thread).collect();
        let run = InterleavedRun { initial_globals: Vec::new(), threads, first, steps };
        let program = scheduling.program();
        let replay: Result<InterleavedReplay, _> = match paused {
            Some(paused) => replay_race(program, &run, paused),
            None => replay_interleaved(program, &run),
        };
        let replay = replay.map_err(|error| error.to_string())?;
        let check = match (&replay.ended, run.steps.last()) {
            (Ended::Error(check), Some((_, step))) => {
                Some(program.edge(step.edge).checks[*check].clone())
            }
            _ => None,
        };
        let threads = (0..at.threads.len()).collect();
        let over = replay.ended != Ended::Neither;
        let run = InterleavedFailure { run, replay, threads, check, length: 0 };
        let moves = if over { Vec::new() } else { moves };
        let after = moves.iter().flat_map(|moves| &moves.all).filter_map(|one| match &one.to {
            Moved::To(next) => Some(next.clone()),
            Moved::Fails(_) => None,
        });
        let futures = Futures::new(after.collect::<Vec<_>>());
        let (options, schedule) = (options.clone(), schedule.to_string());
        Ok(ScheduleSession { scheduling, options, schedule, at, run, moves, futures, over: false })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.scheduling.program()
    }

    /// The options in force.
    pub fn options(&self) -> &EffectiveOptions {
        &self.options
    }

    /// The schedule as it was given.
    pub fn schedule(&self) -> &str {
        &self.schedule
    }

    /// The threads so far: their procedures, and which start of it made each.
    pub fn threads(&self) -> &Standing {
        &self.at
    }

    /// The run so far.
    pub fn run_so_far(&self) -> &InterleavedFailure {
        &self.run
    }

    /// By thread: what it can do next. Empty once the run has failed.
    pub fn next(&self) -> Vec<Next> {
        let after = |one: &Move| match &one.to {
            Moved::To(next) => Some(next.clone()),
            Moved::Fails(_) => None,
        };
        let states: Vec<Standing> =
            self.moves.iter().flat_map(|moves| &moves.all).filter_map(after).collect();
        let mut futures = self.futures.read(&states).into_iter();
        let mut next = Vec::new();
        for (thread, moves) in self.moves.iter().enumerate() {
            let waits = self.scheduling.waits(&self.at, thread);
            next.push(match waits {
                Some(edge) => Next::Waits(edge),
                None if self.scheduling.has_ended(&self.at, thread) => Next::Ended,
                None if moves.all.is_empty() => Next::Stuck,
                None => {
                    let mut future = |one: &Move| match &one.to {
                        Moved::Fails(_) => Future::Fails,
                        Moved::To(_) => futures.next().unwrap_or(Future::Unknown(Limit::Steps)),
                    };
                    let told = moves.all.iter().map(|one| (one.clone(), future(one))).collect();
                    Next::Moves { moves: told, complete: moves.complete }
                }
            });
        }
        next
    }
}

fn all_moves(scheduling: &Scheduling, at: &Standing) -> Vec<Moves> {
    let machine = scheduling.machine();
    (0..at.threads.len()).map(|thread| scheduling.moves(&machine, at, thread)).collect()
}

impl Job for ScheduleSession {
    // Not inlined into the worker's queue: most visits need none of it.
    #[inline(never)]
    fn step(&mut self) -> bool {
        let machine = self.scheduling.machine();
        for _ in 0..AT_ONCE {
            self.over = self.over || self.futures.step(&self.scheduling, &machine);
        }
        self.over
    }

    fn stop(&mut self, limit: Limit) {
        self.futures.stop(limit);
        self.over = true;
    }

    fn limit(&self) -> Option<Limit> {
        None
    }

    fn progress(&self) -> Progress {
        let stage = if self.over { Stage::Done } else { Stage::Threads };
        Progress {
            stage,
            items: self.futures.len() as u64,
            nodes: 0,
            steps: 0,
            ..Progress::default()
        }
    }

    fn set_alarm(&mut self, _: Alarm) {}
}
