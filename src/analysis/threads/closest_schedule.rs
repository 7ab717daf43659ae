//! The correct run whose schedule differs least from that of a failing run.
//!
//! A *correct run* has the failing run's start and inputs, comes to its end, and nothing in it
//! fails. At its end every thread has ended or waits, and that is no deadlock. An *input* is what a
//! thread picks where it could go on in several ways: as long as a thread comes to the same places
//! with a choice, it picks what it picked in the failing run, if it can. Behind that all picks are
//! tried.
//!
//! Of the correct runs, one is wanted that agrees with the failing run for as many steps as can be;
//! of these, one with as few switches as can be; of these, a shortest one. So the states along the
//! failing run are tried from the last one back. From each, another thread than that of the
//! failing run makes the next step, and then the search is Dijkstra's (1959), by switches and
//! steps. A state from which no correct run ends is not followed again from an earlier place.
//! The interpreter makes all steps.

use crate::lang::interpreter::{
    ConcreteStep, InterleavedRun, Machine, Outcome, RunThread, Shape, SharedConfiguration,
    Successors,
};
use crate::lang::model::{LocationId, ProcedureId, Program};
use crate::util::Limit;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;
use std::sync::Arc;

/// Most states of the search, unless the caller says otherwise.
pub const MOST_STATES: usize = 20_000;

/// Most values that are tried at one edge, and most frames of a thread.
const MOST_CHOICES: usize = 64;
const MOST_FRAMES: usize = 64;

/// States that one call of [`ClosestSchedule::step`] looks at.
const AT_ONCE: usize = 32;

/// A correct run beside the failing one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrectRun {
    /// Its threads are those of the failing run, with the same numbers.
    pub run: InterleavedRun,
    /// So many steps it has in common with the failing run.
    pub common: usize,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closest {
    /// This one is closest.
    Found(Box<CorrectRun>),
    /// With these inputs no run is correct, whatever the schedule.
    Never,
    /// A limit ended the search. Then the run, if there is one, is correct, and no run with a
    /// longer common part was left out.
    Unknown(Limit),
}

/// A state of all threads.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    shared: SharedConfiguration,
    running: usize,
    /// How often each procedure was started as a thread.
    started: BTreeMap<ProcedureId, u32>,
    /// By thread: so many inputs of the failing run it has used up.
    used: Vec<usize>,
}

/// How a state was come to: its cost (switches, steps), the state before it (`None`: that of the
/// failing run) and the step.
type Came = ((u32, u32), Option<u32>, (usize, ConcreteStep));

/// Switches, steps, and which state.
type Waiting = Reverse<(u32, u32, u32)>;

/// The search.
pub struct ClosestSchedule {
    program: Rc<Program>,
    shape: Arc<Shape>,
    failing: InterleavedRun,
    most: usize,
    /// By thread: where it picked something, and what.
    inputs: Vec<Vec<(LocationId, ConcreteStep)>>,
    /// The states before each step of the failing run.
    along: Vec<State>,
    /// The steps of the failing run before which no other one is tried any more.
    at: usize,
    states: Vec<State>,
    numbers: FxHashMap<State, u32>,
    /// By state.
    came: Vec<Came>,
    heap: BinaryHeap<Waiting>,
    done: Vec<bool>,
    /// Why some run may have been left out.
    cut: Option<Limit>,
    answer: Option<Closest>,
}

impl ClosestSchedule {
    /// Prepares the search beside a failing run (not one that is paused before a data race), with
    /// at most so many states. A check that fails ends a run, also one that was not asked about.
    pub fn new(program: Rc<Program>, failing: &InterleavedRun, most: usize) -> ClosestSchedule {
        let shape = Arc::new(Shape::of(&program));
        let mut search = ClosestSchedule {
            program,
            shape,
            failing: failing.clone(),
            most,
            inputs: vec![Vec::new(); failing.threads.len()],
            along: Vec::new(),
            at: failing.steps.len(),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            came: Vec::new(),
            heap: BinaryHeap::new(),
            done: Vec::new(),
            cut: None,
            answer: None,
        };
        search.walk();
        search
    }

    /// The answer, once there is one.
    pub fn answer(&self) -> Option<&Closest> {
        self.answer.as_ref()
    }

    /// How many states were met so far.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Was no state met yet?
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Ends the search.
    pub fn stop(&mut self, limit: Limit) {
        self.answer.get_or_insert(Closest::Unknown(limit));
    }

    /// Looks at a few states. Returns whether there is an answer.
    pub fn step(&mut self) -> bool {
        let program = Rc::clone(&self.program);
        let machine = Machine::with_shape(&program, Arc::clone(&self.shape));
        for _ in 0..AT_ONCE {
            if self.answer.is_some() {
                return true;
            }
            if self.states.len() > self.most {
                self.answer = Some(Closest::Unknown(Limit::Steps));
                return true;
            }
            match self.heap.pop() {
                Some(Reverse((switches, steps, number))) => {
                    self.visit(&machine, (switches, steps), number);
                }
                None if self.at == 0 => {
                    self.answer = Some(self.cut.map_or(Closest::Never, Closest::Unknown));
                }
                None => {
                    self.at -= 1;
                    self.turn(&machine);
                }
            }
        }
        self.answer.is_some()
    }

    /// Executes the failing run, and keeps its states and inputs.
    fn walk(&mut self) {
        let program = Rc::clone(&self.program);
        let machine = Machine::with_shape(&program, Arc::clone(&self.shape));
        let globals = machine.initial(&self.failing.initial_globals, &Vec::new()).globals;
        let begun = |thread: &RunThread| {
            let start = machine.thread_start(thread.procedure, globals.clone(), &thread.locals);
            thread.start.is_none().then_some((start.frames, start.location))
        };
        let threads = self.failing.threads.iter().map(begun).collect();
        let mut state = State {
            shared: SharedConfiguration { globals: globals.clone(), threads },
            running: self.failing.first,
            started: BTreeMap::new(),
            used: vec![0; self.failing.threads.len()],
        };
        for (thread, step) in self.failing.steps.clone() {
            self.along.push(state.clone());
            let Some(here) = state.shared.of(thread) else { break };
            state.running = thread;
            let found = machine.successors(&here, MOST_CHOICES);
            if found.transitions.len() > 1 || !found.complete {
                self.inputs[thread].push((here.location, step.clone()));
                state.used[thread] += 1;
            }
            let Some(next) = self.after(&machine, &state, &step) else { break };
            state = next;
        }
        // A state before each step, also where the run could not be followed.
        self.at = self.at.min(self.along.len());
    }

    /// The state after a step of the running thread; `None` if it fails, or cannot be followed.
    fn after(&mut self, machine: &Machine<'_>, from: &State, step: &ConcreteStep) -> Option<State> {
        let here = from.shared.of(from.running)?;
        let locals = step.locals.as_ref().unwrap_or(const { &Vec::new() });
        let Outcome::Next(next) = machine.execute(&here, step.edge, &step.choices, locals) else {
            return None;
        };
        if next.frames.len() > MOST_FRAMES {
            self.cut = Some(Limit::Depth);
            return None;
        }
        if self.program.cut_offs.contains(&step.edge) {
            self.cut = Some(Limit::Heap);
            return None;
        }
        let mut state = from.clone();
        state.shared = state.shared.with(from.running, next);
        if let Some(procedure) = self.program.concurrency.starts.get(&step.edge) {
            let count = state.started.entry(*procedure).or_insert(0);
            *count += 1;
            let made = |one: &RunThread| one.procedure == *procedure && one.start == Some(*count);
            let Some(at) = self.failing.threads.iter().position(made) else {
                self.cut = Some(Limit::Threads);
                return None;
            };
            let globals = state.shared.globals.clone();
            let start = machine.thread_start(*procedure, globals, &self.failing.threads[at].locals);
            state.shared.threads[at] = Some((start.frames, start.location));
        }
        Some(state)
    }

    /// Begins to try other threads before the step `self.at` of the failing run.
    fn turn(&mut self, machine: &Machine<'_>) {
        let state = self.along[self.at].clone();
        let takes = self.failing.steps[self.at].0;
        let can_switch = state.shared.of(state.running).is_some_and(|one| machine.can_switch(&one));
        // Without main any thread can be the first one.
        let is_open = self.at == 0 && self.program.procedure(self.program.main_id()).name != "main";
        for thread in (0..self.failing.threads.len()).filter(|thread| *thread != takes) {
            let goes_on = thread == state.running;
            if !goes_on && !can_switch && !is_open {
                continue;
            }
            let from = State { running: thread, ..state.clone() };
            let switches = u32::from(!goes_on && !is_open);
            self.go_on(machine, &from, (switches, 0), None);
        }
    }

    /// Adds the states after one step of the running thread.
    fn go_on(
        &mut self,
        machine: &Machine<'_>,
        from: &State,
        (switches, steps): (u32, u32),
        before: Option<u32>,
    ) {
        for (step, used) in self.picks(machine, from) {
            let Some(mut next) = self.after(machine, from, &step) else { continue };
            next.used[from.running] = used;
            let cost = (switches, steps + 1);
            let came = (cost, before, (from.running, step));
            let number = match self.numbers.get(&next) {
                Some(number) if self.came[*number as usize].0 <= cost => continue,
                Some(number) if self.done[*number as usize] => continue,
                Some(number) => {
                    let number = *number;
                    self.came[number as usize] = came;
                    number
                }
                None => {
                    let number = self.states.len() as u32;
                    self.numbers.insert(next.clone(), number);
                    self.states.push(next);
                    self.came.push(came);
                    self.done.push(false);
                    number
                }
            };
            self.heap.push(Reverse((cost.0, cost.1, number)));
        }
    }

    /// The steps that the running thread can take, each with the inputs that are used up then: what
    /// it picked in the failing run, or else all.
    fn picks(&mut self, machine: &Machine<'_>, from: &State) -> Vec<(ConcreteStep, usize)> {
        let thread = from.running;
        let Some(here) = from.shared.of(thread) else { return Vec::new() };
        let found = machine.successors(&here, MOST_CHOICES);
        let used = from.used[thread];
        if found.transitions.len() <= 1 && found.complete {
            return found.transitions.into_iter().map(|one| (one.step, used)).collect();
        }
        let input = self.inputs[thread].get(used);
        if let Some((_, step)) = input.filter(|(location, _)| *location == here.location) {
            let locals = step.locals.as_ref().unwrap_or(const { &Vec::new() });
            let outcome = machine.execute(&here, step.edge, &step.choices, locals);
            return match outcome {
                Outcome::Blocked => self.all(found, used + 1),
                _ => vec![(step.clone(), used + 1)],
            };
        }
        self.all(found, used)
    }

    fn all(&mut self, found: Successors, used: usize) -> Vec<(ConcreteStep, usize)> {
        if !found.complete {
            self.cut = Some(Limit::Steps);
        }
        found.transitions.into_iter().map(|one| (one.step, used)).collect()
    }

    fn visit(&mut self, machine: &Machine<'_>, cost: (u32, u32), number: u32) {
        if std::mem::replace(&mut self.done[number as usize], true) {
            return;
        }
        let state = self.states[number as usize].clone();
        if self.is_end(machine, &state) {
            self.answer = Some(Closest::Found(Box::new(self.found(number))));
            return;
        }
        if machine.deadlock(&state.shared).is_some() {
            return;
        }
        self.go_on(machine, &state, cost, Some(number));
        if !state.shared.of(state.running).is_some_and(|one| machine.can_switch(&one)) {
            return;
        }
        for thread in (0..self.failing.threads.len()).filter(|thread| *thread != state.running) {
            let from = State { running: thread, ..state.clone() };
            self.go_on(machine, &from, (cost.0 + 1, cost.1), Some(number));
        }
    }

    /// Has every thread ended, or does it wait, without a deadlock?
    fn is_end(&self, machine: &Machine<'_>, state: &State) -> bool {
        let is_still = |thread: usize| {
            let here = state.shared.of(thread);
            here.is_none_or(|one| machine.thread_has_ended(&one) || machine.waits(&one).is_some())
        };
        (0..state.shared.threads.len()).all(is_still) && machine.deadlock(&state.shared).is_none()
    }

    /// The run that ends in this state.
    fn found(&self, number: u32) -> CorrectRun {
        let (mut behind, mut at) = (Vec::new(), Some(number));
        while let Some(number) = at {
            let (_, before, step) = &self.came[number as usize];
            behind.push(step.clone());
            at = *before;
        }
        behind.reverse();
        let mut run = self.failing.clone();
        run.steps.truncate(self.at);
        run.steps.extend(behind);
        if self.at == 0
            && self.program.procedure(self.program.main_id()).name != "main"
            && let Some((thread, _)) = run.steps.first()
        {
            run.first = *thread;
        }
        CorrectRun { run, common: self.at }
    }
}
