//! What one thread of a closed set ([`super::closed_set`]) can do from given globals. The
//! interpreter computes each step once; configurations of all threads share them.

use super::callers::{Callers, Ended};
use super::left_out::{heads_of_loops, is_forgotten};
use crate::analysis::interner::Interner;
use crate::lang::interpreter::{Configuration, Frame, Machine, Outcome, Shape, is_private};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId, Program};
use crate::util::{Bounded, Limit};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Most values that are tried at one edge.
pub(super) const MOST_CHOICES: usize = 1 << 12;

/// Most frames of a thread.
const MOST_FRAMES: usize = 64;

/// A thread by itself.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    /// Where it started.
    pub(super) root: ProcedureId,
    pub(super) frames: Vec<Frame>,
    pub(super) location: LocationId,
    /// The entry below the frames, if some are left out.
    below: Option<u32>,
}

/// Where a step leads to.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    pub(super) globals: u32,
    pub(super) thread: u32,
    /// Does the thread go on before others may? They cannot run, or it makes no difference.
    pub(super) goes_on: bool,
    pub(super) standing: Standing,
    /// The entry at whose exit the thread is. It returns from there to all who called.
    pub(super) exit: Option<u32>,
}

/// A step.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// A check fails that was asked about.
    Fails,
    /// Another check fails: nothing follows.
    Ends,
    /// More is needed than the model has.
    IsCutOff,
    /// The thread comes to somewhere, and may start another one.
    Leads { to: Arrival, starts: Option<ProcedureId> },
}

/// Can a thread go on?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Moves,
    Waits,
    HasEnded,
}

impl Standing {
    fn of(machine: &Machine<'_>, at: &Configuration) -> Standing {
        match (machine.waits(at), machine.thread_has_ended(at)) {
            (Some(_), _) => Standing::Waits,
            (None, true) => Standing::HasEnded,
            (None, false) => Standing::Moves,
        }
    }
}

/// The steps of the threads of a program.
pub(super) struct ThreadSteps {
    error_line: Option<u32>,
    shape: Arc<Shape>,
    /// By location: only private edges leave it, and no loop begins there.
    passes: Vec<bool>,
    pub(super) globals: Interner<Vec<Vec<u64>>>,
    pub(super) threads: Interner<Thread>,
    /// Who made recursive calls, if that is all that is known of the frames below.
    pub(super) callers: Option<Callers>,
    /// Returns to callers that came after them.
    pub(super) late: Vec<(Rc<Ended>, u32)>,
    /// By globals and thread.
    known: FxHashMap<(u32, u32), Rc<[Step]>>,
    standing: FxHashMap<(u32, u32), Standing>,
    /// By globals, thread at an exit, and caller.
    returns: FxHashMap<(u32, u32, u32), Arrival>,
    /// By procedure and globals.
    starts: FxHashMap<(ProcedureId, u32), Rc<[u32]>>,
    /// Was a condition taken to hold?
    pub(super) widened: bool,
}

impl ThreadSteps {
    /// Nothing is known yet. `reduces`: by partial order.
    pub(super) fn new(
        program: &Program,
        error_line: Option<u32>,
        reduces: bool,
        callers: Option<Callers>,
    ) -> ThreadSteps {
        let shape = Arc::new(Shape::of(program));
        let heads = heads_of_loops(program, &shape);
        let passes = (0..program.locations.len()).map(|k| {
            let out = shape.out(LocationId(k as u32));
            reduces
                && !heads[k]
                && !out.is_empty()
                && out.iter().all(|edge| is_private(program, *edge))
        });
        ThreadSteps {
            error_line,
            passes: passes.collect(),
            shape,
            globals: Interner::new(),
            threads: Interner::new(),
            callers,
            late: Vec::new(),
            known: FxHashMap::default(),
            standing: FxHashMap::default(),
            returns: FxHashMap::default(),
            starts: FxHashMap::default(),
            widened: false,
        }
    }

    /// The machine that takes the steps.
    pub(super) fn machine<'p>(&self, program: &'p Program) -> Machine<'p> {
        Machine::with_shape(program, Arc::clone(&self.shape))
    }

    /// A thread with the globals.
    pub(super) fn configuration(&self, globals: u32, thread: u32) -> Configuration {
        let thread = self.threads.value(thread);
        Configuration {
            globals: (**self.globals.value(globals)).clone(),
            frames: thread.frames.clone(),
            location: thread.location,
        }
    }

    /// The number of a thread.
    pub(super) fn thread(
        &mut self,
        root: ProcedureId,
        at: Configuration,
        below: Option<u32>,
    ) -> Bounded<u32> {
        if at.frames.len() > MOST_FRAMES {
            return Err(Limit::Depth);
        }
        Ok(self.threads.number(Thread { root, frames: at.frames, location: at.location, below }))
    }

    /// What a thread can do next.
    pub(super) fn of(
        &mut self,
        machine: &Machine<'_>,
        globals: u32,
        thread: u32,
    ) -> Bounded<Rc<[Step]>> {
        if let Some(steps) = self.known.get(&(globals, thread)) {
            return Ok(Rc::clone(steps));
        }
        let here = self.configuration(globals, thread);
        let (root, below) = {
            let thread = self.threads.value(thread);
            (thread.root, thread.below)
        };
        let mut steps = Vec::new();
        for (edge, outcome) in self.successors(machine, &here)? {
            let concurrency = &machine.program().concurrency;
            let mut next = match outcome {
                _ if machine.program().cut_offs.contains(&edge) => {
                    steps.push(Step::IsCutOff);
                    continue;
                }
                Outcome::Error(check) => {
                    let counts = self.counts(machine.program(), edge, check);
                    steps.push(if counts { Step::Fails } else { Step::Ends });
                    continue;
                }
                Outcome::Blocked => continue,
                Outcome::Next(next) => next,
            };
            let starts = concurrency.starts.get(&edge).copied();
            let below = self.cut(here.depth(), &mut next, below);
            let to = self.arrival(machine, root, next, below)?;
            steps.push(Step::Leads { to, starts });
        }
        let steps: Rc<[Step]> = steps.into();
        self.known.insert((globals, thread), Rc::clone(&steps));
        Ok(steps)
    }

    /// If a step from so deep has called a recursive procedure: leaves the frames below out, and
    /// notes who called. Gives the entry below.
    fn cut(&mut self, depth: u32, next: &mut Configuration, below: Option<u32>) -> Option<u32> {
        let Some(callers) = &mut self.callers else { return below };
        let called = next.frames.last().filter(|_| next.depth() > depth);
        if !called.is_some_and(|frame| callers.is_recursive(frame.procedure)) {
            return below;
        }
        let Some((entry, new)) = callers.cut(next, below) else { return below };
        if let Some(caller) = new {
            let ended = callers.ended(entry).into_iter();
            self.late.extend(ended.map(|ended| (ended, caller)));
        }
        Some(entry)
    }

    fn arrival(
        &mut self,
        machine: &Machine<'_>,
        root: ProcedureId,
        at: Configuration,
        below: Option<u32>,
    ) -> Bounded<Arrival> {
        let exit = below.filter(|_| is_at_exit(machine, &at));
        let goes_on = !machine.can_switch(&at) || self.passes[at.location];
        let globals = self.globals.number(at.globals.clone());
        let standing = Standing::of(machine, &at);
        let thread = self.thread(root, at, below)?;
        self.standing.insert((globals, thread), standing);
        Ok(Arrival { globals, thread, goes_on, standing, exit })
    }

    /// Where a thread at an exit comes to that returns to this caller.
    pub(super) fn returned(
        &mut self,
        machine: &Machine<'_>,
        globals: u32,
        thread: u32,
        caller: u32,
    ) -> Bounded<Arrival> {
        if let Some(arrival) = self.returns.get(&(globals, thread, caller)) {
            return Ok(*arrival);
        }
        let exit = self.configuration(globals, thread);
        let Some((mut at, below)) = self.callers.as_ref().map(|one| one.with(caller, &exit)) else {
            return Err(Limit::Depth);
        };
        while machine.return_once(&mut at).is_some() {}
        let root = self.threads.value(thread).root;
        let arrival = self.arrival(machine, root, at, below)?;
        self.returns.insert((globals, thread, caller), arrival);
        Ok(arrival)
    }

    /// Can a thread go on with these globals?
    pub(super) fn standing(
        &mut self,
        machine: &Machine<'_>,
        globals: u32,
        thread: u32,
    ) -> Standing {
        if let Some(standing) = self.standing.get(&(globals, thread)) {
            return *standing;
        }
        let standing = Standing::of(machine, &self.configuration(globals, thread));
        self.standing.insert((globals, thread), standing);
        standing
    }

    /// The threads that start in this procedure with these globals.
    pub(super) fn started(
        &mut self,
        machine: &Machine<'_>,
        procedure: ProcedureId,
        globals: u32,
    ) -> Bounded<Rc<[u32]>> {
        if let Some(started) = self.starts.get(&(procedure, globals)) {
            return Ok(Rc::clone(started));
        }
        let values = Rc::clone(self.globals.value(globals));
        let (starts, complete) = machine.thread_starts(procedure, &values, MOST_CHOICES);
        if !complete {
            return Err(Limit::Steps);
        }
        let mut started = Vec::new();
        for start in starts {
            started.push(self.thread(procedure, start, None)?);
        }
        let started: Rc<[u32]> = started.into();
        self.starts.insert((procedure, globals), Rc::clone(&started));
        Ok(started)
    }

    /// What can happen next on each edge.
    fn successors(
        &mut self,
        machine: &Machine<'_>,
        here: &Configuration,
    ) -> Bounded<Vec<(EdgeId, Outcome)>> {
        let program = machine.program();
        let successors = machine.successors(here, MOST_CHOICES);
        if successors.complete {
            let outcomes = successors.transitions.into_iter();
            return Ok(outcomes.map(|one| (one.step.edge, one.outcome)).collect());
        }
        let out = self.shape.out(here.location);
        if let [edge] = out[..]
            && is_forgotten(program, &self.shape, edge)
        {
            let next = Configuration { location: program.edge(edge).to, ..here.clone() };
            return Ok(vec![(edge, Outcome::Next(next))]);
        }
        let is_condition = |edge: &EdgeId| {
            let edge = program.edge(*edge);
            matches!(edge.operation, Operation::Assume(_)) && edge.checks.is_empty()
        };
        if !out.iter().all(is_condition) {
            return Err(Limit::Steps);
        }
        self.widened = true;
        let taken = |edge: &EdgeId| {
            let mut next = here.clone();
            machine.pass(&mut next, *edge, &[], &Vec::new());
            (*edge, Outcome::Next(next))
        };
        Ok(out.iter().map(taken).collect())
    }

    /// Is a failing check one that was asked about?
    fn counts(&self, program: &Program, edge: EdgeId, check: usize) -> bool {
        let line = program.edge(edge).checks[check].line;
        self.error_line.is_none_or(|asked| asked == line)
    }
}

/// Is a thread at the end of the last of its frames?
fn is_at_exit(machine: &Machine<'_>, at: &Configuration) -> bool {
    let exit = |frame: &Frame| machine.program().procedure(frame.procedure).exit;
    matches!(&at.frames[..], [frame] if exit(frame) == at.location)
}
