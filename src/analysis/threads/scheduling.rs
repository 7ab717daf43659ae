//! Interleavings chosen by hand: what each thread can do next from a state of all threads, and what
//! can still fail from there. The interpreter makes all steps, as it does in replays.
//!
//! A *move* is what one thread does until it matters again who goes on: up to a statement or an
//! access that others can see, without a stop inside an atomic section. What a thread does for
//! itself alone commutes with the steps of the others (Godefroid 1996), so no failure is lost.
//!
//! Whether something can fail from a state is searched through all moves of all threads, with any
//! number of switches, until the states are all known or a limit ends the search.

use crate::lang::interpreter::{
    ConcreteStep, Machine, Outcome, Shape, SharedConfiguration, is_private,
};
use crate::lang::model::{EdgeId, ProcedureId, Program};
use crate::util::Limit;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Most values that are tried at one edge, most moves of a thread from one state, and most steps of
/// a move.
const MOST_CHOICES: usize = 16;
const MOST_MOVES: usize = 64;
const MOST_STEPS: usize = 400;

/// Most states of a search.
const MOST_STATES: usize = 60_000;

/// Most threads.
const MOST_THREADS: usize = 16;

/// A state of all threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// Globals and stacks.
    pub shared: SharedConfiguration,
    /// By thread: its procedure, and which start of it made it (`None`: it runs from the start).
    pub threads: Vec<(ProcedureId, Option<u32>)>,
}

/// What one thread can do next.
#[derive(Clone, Debug)]
pub struct Move {
    /// Its steps.
    pub steps: Vec<ConcreteStep>,
    /// The state after it.
    pub to: Moved,
}

/// Where a move leads.
#[derive(Clone, Debug)]
pub enum Moved {
    /// To a state.
    To(Standing),
    /// This check of its last step fails.
    Fails(usize),
}

/// All moves of one thread, up to a cap.
#[derive(Clone, Debug)]
pub struct Moves {
    /// In the order of the edges and the values that are picked.
    pub all: Vec<Move>,
    /// Are there no others?
    pub complete: bool,
}

/// What can become of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Future {
    /// It fails itself.
    Fails,
    /// Some run from it fails.
    CanFail,
    /// No run from it fails.
    CannotFail,
    /// A limit ended the search.
    Unknown(Limit),
}

/// The steps of a program's threads.
pub struct Scheduling {
    program: Rc<Program>,
    shape: Arc<Shape>,
    error_line: Option<u32>,
    races: bool,
}

impl Scheduling {
    /// Only failing checks on `error_line` count, if it is given. `races`: data races fail too.
    pub fn new(program: Rc<Program>, error_line: Option<u32>, races: bool) -> Scheduling {
        let shape = Arc::new(Shape::of(&program));
        Scheduling { program, shape, error_line, races }
    }

    /// The program.
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// What executes the program. It is worth keeping for many states.
    pub fn machine(&self) -> Machine<'_> {
        Machine::with_shape(&self.program, Arc::clone(&self.shape))
    }

    /// The state at the start. What the program leaves open is zero.
    pub fn start(&self) -> Standing {
        let machine = self.machine();
        let start = machine.initial(&Vec::new(), &Vec::new());
        let main = Some((start.frames, start.location));
        let mut standing = Standing {
            shared: SharedConfiguration { globals: start.globals, threads: vec![main] },
            threads: vec![(self.program.main_id(), None)],
        };
        for procedure in &self.program.concurrency.threads {
            self.begin(&machine, &mut standing, *procedure, None);
        }
        standing
    }

    fn begin(
        &self,
        machine: &Machine<'_>,
        at: &mut Standing,
        procedure: ProcedureId,
        start: Option<u32>,
    ) {
        let globals = at.shared.globals.clone();
        let begun = machine.thread_start(procedure, globals, &Vec::new());
        at.shared.threads.push(Some((begun.frames, begun.location)));
        at.threads.push((procedure, start));
    }

    /// The edge at which a thread waits, if it cannot go on now.
    pub fn waits(&self, at: &Standing, thread: usize) -> Option<EdgeId> {
        self.machine().waits(&at.shared.of(thread)?)
    }

    /// Has the thread ended?
    pub fn has_ended(&self, at: &Standing, thread: usize) -> bool {
        let here = at.shared.of(thread);
        here.is_none_or(|here| self.machine().thread_has_ended(&here))
    }

    /// What a thread can do next.
    pub fn moves(&self, machine: &Machine<'_>, at: &Standing, thread: usize) -> Moves {
        let mut found = Moves { all: Vec::new(), complete: true };
        let mut pending = vec![(Vec::new(), at.clone())];
        while let Some((steps, now)) = pending.pop() {
            let Some(here) = now.shared.of(thread) else { continue };
            let successors = machine.successors(&here, MOST_CHOICES);
            found.complete &= successors.complete;
            let mut next = Vec::new();
            for transition in successors.transitions {
                let edge = transition.step.edge;
                let mut steps: Vec<ConcreteStep> = steps.clone();
                steps.push(transition.step);
                let after = match transition.outcome {
                    Outcome::Next(after) => after,
                    Outcome::Error(check) => {
                        let line = self.program.edge(edge).checks[check].line;
                        if self.error_line.is_none_or(|asked| asked == line) {
                            found.all.push(Move { steps, to: Moved::Fails(check) });
                        }
                        continue;
                    }
                    Outcome::Blocked => continue,
                };
                let stops = machine.can_switch(&after);
                let mut to = now.clone();
                to.shared = to.shared.with(thread, after);
                if let Some(procedure) = self.program.concurrency.starts.get(&edge) {
                    let of_it = |(other, start): &&(ProcedureId, Option<u32>)| {
                        other == procedure && start.is_some()
                    };
                    let started = to.threads.iter().filter(of_it).count() as u32;
                    self.begin(machine, &mut to, *procedure, Some(started + 1));
                }
                let is_whole = self.program.edge(edge).is_traced()
                    || !is_private(&self.program, edge)
                    || self.is_still(machine, &to, thread);
                next.push((steps, to, stops && is_whole));
            }
            // A choice is the person's: the move ends before it.
            if next.len() > 1
                && !steps.is_empty()
                && now.shared.of(thread).is_some_and(|here| machine.can_switch(&here))
            {
                found.all.push(Move { steps, to: Moved::To(now) });
                continue;
            }
            for (steps, to, ends) in next.into_iter().rev() {
                if ends {
                    found.all.push(Move { steps, to: Moved::To(to) });
                } else if steps.len() < MOST_STEPS && pending.len() < MOST_MOVES {
                    pending.push((steps, to));
                } else {
                    found.complete = false;
                }
            }
            if found.all.len() > MOST_MOVES {
                found.all.truncate(MOST_MOVES);
                found.complete = false;
                break;
            }
        }
        let key = |one: &Move| {
            let step = |step: &ConcreteStep| (step.edge, step.choices.clone());
            one.steps.iter().map(step).collect::<Vec<_>>()
        };
        found.all.sort_by_cached_key(key);
        found
    }

    fn is_still(&self, machine: &Machine<'_>, at: &Standing, thread: usize) -> bool {
        let here = at.shared.of(thread);
        here.is_none_or(|here| machine.thread_has_ended(&here) || machine.waits(&here).is_some())
    }

    /// What leads to a data race from this state, if races were asked about: the steps, each with
    /// its thread, and the place in the list of the first access. The last one is the second.
    /// `moves`: by thread, what it can do next.
    pub fn race(
        &self,
        machine: &Machine<'_>,
        at: &Standing,
        moves: &[Moves],
    ) -> Option<RacingSteps> {
        if !self.races {
            return None;
        }
        let ahead: Vec<Vec<Ahead<'_>>> =
            moves.iter().enumerate().map(|(k, all)| self.ahead(machine, at, k, all)).collect();
        for (a, ones) in ahead.iter().enumerate() {
            for one in ones.iter().filter(|one| one.is_free) {
                for (b, others) in ahead.iter().enumerate().filter(|(b, _)| *b != a) {
                    let races = |other: &&Ahead<'_>| {
                        let mut both = other.at.clone();
                        both.threads[a].clone_from(&one.at.threads[a]);
                        let first = (a, one.step.edge, &one.step.choices[..]);
                        let second = (b, other.step.edge, &other.step.choices[..]);
                        machine.race(&both, first, second).is_some()
                    };
                    let Some(other) = others.iter().find(races) else { continue };
                    let of = |thread: usize, steps: &[ConcreteStep]| {
                        steps.iter().map(|step| (thread, step.clone())).collect::<Vec<_>>()
                    };
                    let mut steps = of(a, one.before);
                    let paused = steps.len();
                    steps.push((a, one.step.clone()));
                    steps.extend(of(b, other.before));
                    steps.push((b, other.step.clone()));
                    return Some((steps, paused));
                }
            }
        }
        None
    }

    /// The steps in the moves of a thread that access something, each with those before it.
    fn ahead<'m>(
        &self,
        machine: &Machine<'_>,
        at: &Standing,
        thread: usize,
        moves: &'m Moves,
    ) -> Vec<Ahead<'m>> {
        let mut found = Vec::new();
        for one in &moves.all {
            let mut shared = at.shared.clone();
            let mut is_free = true;
            for (k, step) in one.steps.iter().enumerate() {
                let Some(here) = shared.of(thread) else { break };
                is_free &= machine.can_switch(&here);
                if !machine.touches(&here, step.edge, &step.choices).is_empty() {
                    let (before, at) = (&one.steps[..k], shared.clone());
                    found.push(Ahead { before, step, at, is_free });
                }
                let locals = step.locals.as_ref().unwrap_or(const { &Vec::new() });
                match machine.execute(&here, step.edge, &step.choices, locals) {
                    Outcome::Next(next) => shared = shared.with(thread, next),
                    _ => break,
                }
                is_free &= is_private(&self.program, step.edge);
            }
        }
        found
    }
}

/// Steps, each with its thread, and a place among them.
pub type RacingSteps = (Vec<(usize, ConcreteStep)>, usize);

/// An access that a thread can come to by itself.
struct Ahead<'m> {
    before: &'m [ConcreteStep],
    step: &'m ConcreteStep,
    /// The state before it.
    at: SharedConfiguration,
    /// Can the thread stop before it, with nothing done that others can tell?
    is_free: bool,
}

/// The search for what can become of some states.
pub struct Futures {
    states: Vec<Standing>,
    numbers: FxHashMap<Standing, u32>,
    /// By state: the states from which one move leads to it.
    before: Vec<Vec<u32>>,
    fails: Vec<bool>,
    /// States of which not all moves are known.
    open: Vec<bool>,
    next: usize,
    limit: Option<Limit>,
}

impl Futures {
    /// Asks about these states.
    pub fn new(of: impl IntoIterator<Item = Standing>) -> Futures {
        let mut futures = Futures {
            states: Vec::new(),
            numbers: FxHashMap::default(),
            before: Vec::new(),
            fails: Vec::new(),
            open: Vec::new(),
            next: 0,
            limit: None,
        };
        of.into_iter().for_each(|state| {
            futures.number(state);
        });
        futures
    }

    fn number(&mut self, state: Standing) -> u32 {
        if let Some(number) = self.numbers.get(&state) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        self.before.push(Vec::new());
        self.fails.push(false);
        self.open.push(true);
        number
    }

    /// How many states are known.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Was nothing asked?
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Ends the search.
    pub fn stop(&mut self, limit: Limit) {
        if self.next < self.states.len() {
            self.limit.get_or_insert(limit);
        }
    }

    /// Follows one state. Returns whether the search is over.
    pub fn step(&mut self, scheduling: &Scheduling, machine: &Machine<'_>) -> bool {
        if self.limit.is_some() || self.next >= self.states.len() {
            return true;
        }
        if self.states.len() > MOST_STATES {
            self.limit = Some(Limit::Steps);
            return true;
        }
        let number = self.next;
        self.next += 1;
        let here = self.states[number].clone();
        if here.threads.len() > MOST_THREADS {
            return false;
        }
        let moves: Vec<Moves> = (0..here.threads.len())
            .map(|thread| scheduling.moves(machine, &here, thread))
            .collect();
        if machine.deadlock(&here.shared).is_some()
            || scheduling.race(machine, &here, &moves).is_some()
        {
            self.fails[number] = true;
            self.open[number] = false;
            return false;
        }
        let mut complete = true;
        for moves in moves {
            complete &= moves.complete;
            for one in moves.all {
                let cut = |step: &ConcreteStep| scheduling.program.cut_offs.contains(&step.edge);
                complete &= !one.steps.iter().any(cut);
                match one.to {
                    Moved::Fails(_) => self.fails[number] = true,
                    Moved::To(next) => {
                        let next = self.number(next);
                        self.before[next as usize].push(number as u32);
                    }
                }
            }
        }
        self.open[number] = !complete;
        false
    }

    /// What can become of each of these states, which were asked about.
    pub fn read(&self, of: &[Standing]) -> Vec<Future> {
        let can_fail = self.reaching(&self.fails);
        let is_open = self.reaching(&self.open);
        let one = |state: &Standing| match self.numbers.get(state).map(|number| *number as usize) {
            Some(number) if can_fail[number] => Future::CanFail,
            Some(number) if !is_open[number] => Future::CannotFail,
            _ => Future::Unknown(self.limit.unwrap_or(Limit::Steps)),
        };
        of.iter().map(one).collect()
    }

    /// The states from which one of these is reached.
    fn reaching(&self, goals: &[bool]) -> Vec<bool> {
        let mut reaching = goals.to_vec();
        let mut pending: Vec<usize> = (0..goals.len()).filter(|state| goals[*state]).collect();
        while let Some(state) = pending.pop() {
            for before in &self.before[state] {
                if !std::mem::replace(&mut reaching[*before as usize], true) {
                    pending.push(*before as usize);
                }
            }
        }
        reaching
    }
}
