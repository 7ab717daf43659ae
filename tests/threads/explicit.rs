//! An explicit search through all interleavings, with the interpreter's steps and a schedule of its
//! own: by number of switches first, then by number of statements (Dijkstra 1959). It knows nothing
//! of automata or diagrams. For programs whose stacks are bounded.

use crate::support::interner::Interner;
use faultline::lang::interpreter::{Configuration, Machine, Outcome, SharedConfiguration};
use faultline::lang::model::{EdgeId, ProcedureId, Program};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

/// Values of one state's globals.
pub type Globals = Vec<Vec<u64>>;

/// Most states, and most values tried at one edge.
const MOST_STATES: usize = 60_000;
const MOST_CHOICES: usize = 256;

/// What the search found within a bound.
#[derive(Debug, Default)]
pub struct Explored {
    /// The least switches, then statements, to a failing check.
    pub error: Option<(u32, u64)>,
    /// The same to a deadlock.
    pub deadlock: Option<(u32, u64)>,
    /// By globals: the least switches with which they occur, at the line that was asked about if
    /// any.
    pub reached: BTreeMap<Globals, u32>,
    /// The number of states.
    pub states: usize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    shared: SharedConfiguration,
    /// By thread, its procedure.
    procedures: Vec<ProcedureId>,
    running: usize,
}

/// Number of switches, then of statements.
type Cost = (u32, u64);

/// The states that were met, each with the least cost of coming there, and those to go on from.
#[derive(Default)]
struct Frontier {
    states: Interner<State>,
    best: Vec<Cost>,
    heap: BinaryHeap<Reverse<(Cost, u32)>>,
}

impl Frontier {
    /// `None` if there are too many states.
    fn push(&mut self, state: State, cost: Cost) -> Option<()> {
        let id = self.states.number(state);
        self.best.resize(self.states.len(), (u32::MAX, u64::MAX));
        let best = &mut self.best[id as usize];
        if cost < *best {
            *best = cost;
            self.heap.push(Reverse((cost, id)));
        }
        (self.states.len() <= MOST_STATES).then_some(())
    }

    /// The cheapest state that was not taken.
    fn pop(&mut self) -> Option<(Cost, Rc<State>)> {
        while let Some(Reverse((cost, id))) = self.heap.pop() {
            if cost == self.best[id as usize] {
                return Some((cost, self.states.shared(id)));
            }
        }
        None
    }
}

/// Searches with at most `bound` switches; `None` if there are too many states. A thread beyond the
/// `most_started`-th start of all is not made.
pub fn explore(
    program: &Program,
    bound: u32,
    most_started: usize,
    line: Option<u32>,
) -> Option<Explored> {
    let machine = Machine::new(program);
    let has_main = program.procedure(program.main_id()).name == "main";
    let mut from_start = vec![program.main_id()];
    from_start.extend(&program.concurrency.threads);
    let mut frontier = Frontier::default();
    let mut found = Explored::default();
    let (starts, complete) = machine.starts(4096);
    if !complete {
        return None;
    }
    for start in starts {
        let mut all = vec![SharedConfiguration {
            globals: start.globals.clone(),
            threads: vec![Some((start.frames.clone(), start.location))],
        }];
        for procedure in &program.concurrency.threads {
            all = with_thread(&machine, *procedure, all)?;
        }
        for shared in all {
            for running in 0..if has_main { 1 } else { from_start.len() } {
                let state =
                    State { shared: shared.clone(), procedures: from_start.clone(), running };
                frontier.push(state, (0, 0))?;
            }
        }
    }
    while let Some((cost, state)) = frontier.pop() {
        let (switches, length) = cost;
        if stands_at(program, &state.shared, line) {
            let least = found.reached.entry(state.shared.globals.clone()).or_insert(switches);
            *least = (*least).min(switches);
        }
        if machine.deadlock(&state.shared).is_some() {
            found.deadlock = Some(found.deadlock.map_or(cost, |old| old.min(cost)));
        }
        let here: Configuration = state.shared.of(state.running)?;
        if switches < bound && machine.can_switch(&here) {
            for other in (0..state.procedures.len()).filter(|other| *other != state.running) {
                let next = State { running: other, ..State::clone(&state) };
                frontier.push(next, (switches + 1, length))?;
            }
        }
        let successors = machine.successors(&here, MOST_CHOICES);
        if !successors.complete {
            return None;
        }
        for transition in successors.transitions {
            let edge = transition.step.edge;
            match transition.outcome {
                Outcome::Error(_) => {
                    let cost = (switches, length + 1);
                    found.error = Some(found.error.map_or(cost, |old| old.min(cost)));
                }
                Outcome::Next(next) => {
                    if next.frames.len() > 12 {
                        return None;
                    }
                    let length = length + u64::from(program.edge(edge).is_traced());
                    let shared = state.shared.with(state.running, next);
                    let procedures = state.procedures.clone();
                    let next = State { shared, procedures, running: state.running };
                    for next in
                        started(program, &machine, edge, most_started + from_start.len(), next)?
                    {
                        frontier.push(next, (switches, length))?;
                    }
                }
                Outcome::Blocked => unreachable!("no successor is blocked"),
            }
        }
    }
    found.states = frontier.states.len();
    Some(found)
}

/// What a step makes of a state if its edge starts a thread.
fn started(
    program: &Program,
    machine: &Machine<'_>,
    edge: EdgeId,
    most: usize,
    state: State,
) -> Option<Vec<State>> {
    let Some(procedure) =
        program.concurrency.starts.get(&edge).filter(|_| state.procedures.len() < most)
    else {
        return Some(vec![state]);
    };
    let mut procedures = state.procedures.clone();
    procedures.push(*procedure);
    let all = with_thread(machine, *procedure, vec![state.shared.clone()])?;
    Some(
        all.into_iter()
            .map(|shared| State { shared, procedures: procedures.clone(), running: state.running })
            .collect(),
    )
}

/// One more thread in each of these configurations, at its procedure's entry, in all ways.
fn with_thread(
    machine: &Machine<'_>,
    procedure: ProcedureId,
    all: Vec<SharedConfiguration>,
) -> Option<Vec<SharedConfiguration>> {
    let mut more = Vec::new();
    for shared in all {
        let (starts, complete) = machine.thread_starts(procedure, &shared.globals, MOST_CHOICES);
        if !complete || more.len() > MOST_STATES {
            return None;
        }
        for start in starts {
            let mut threads = shared.threads.clone();
            threads.push(Some((start.frames, start.location)));
            more.push(SharedConfiguration { globals: shared.globals.clone(), threads });
        }
    }
    Some(more)
}

/// Does some thread stand before a statement of this line?
fn stands_at(program: &Program, shared: &SharedConfiguration, line: Option<u32>) -> bool {
    let Some(line) = line else { return true };
    let starts_there = |location| {
        let edges = program.edges.iter().filter(|edge| edge.from == location);
        edges.into_iter().any(|edge| edge.is_statement() && edge.span.line == line)
    };
    shared.threads.iter().flatten().any(|(_, location)| starts_there(*location))
}

/// The least numbers of switches with which something goes wrong.
#[derive(Debug, Default)]
pub struct Races {
    /// A failing check.
    pub error: Option<u32>,
    /// A deadlock.
    pub deadlock: Option<u32>,
    /// A state with a data race.
    pub race: Option<u32>,
}

impl Races {
    /// The least of them.
    pub fn least(&self) -> Option<u32> {
        [self.error, self.deadlock, self.race].into_iter().flatten().min()
    }
}

/// A state and who has run before it.
type Visited = (State, Vec<bool>);

/// Searches for data races, switch by switch: states in which the running thread and another one
/// that has run before are about to access one place, by the interpreter's reading of a step. For
/// programs whose threads all run from the start. `None` if there are too many states.
pub fn explore_races(program: &Program, bound: u32) -> Option<Races> {
    let machine = Machine::new(program);
    let has_main = program.procedure(program.main_id()).name == "main";
    let mut procedures = vec![program.main_id()];
    procedures.extend(&program.concurrency.threads);
    let (starts, complete) = machine.starts(4096);
    if !complete {
        return None;
    }
    let mut level: Vec<Visited> = Vec::new();
    for start in starts {
        let mut all = vec![SharedConfiguration {
            globals: start.globals.clone(),
            threads: vec![Some((start.frames.clone(), start.location))],
        }];
        for procedure in &program.concurrency.threads {
            all = with_thread(&machine, *procedure, all)?;
        }
        for shared in all {
            for running in 0..if has_main { 1 } else { procedures.len() } {
                let mut ran = vec![false; procedures.len()];
                ran[running] = true;
                let (shared, procedures) = (shared.clone(), procedures.clone());
                level.push((State { shared, procedures, running }, ran));
            }
        }
    }
    let mut found = Races::default();
    let mut known: FxHashSet<Visited> = FxHashSet::default();
    for switches in 0..=bound {
        let least = |old: Option<u32>| Some(old.unwrap_or(switches));
        let mut next_level = Vec::new();
        while let Some((state, ran)) = level.pop() {
            if !known.insert((state.clone(), ran.clone())) {
                continue;
            }
            if known.len() > MOST_STATES {
                return None;
            }
            if machine.deadlock(&state.shared).is_some() {
                found.deadlock = least(found.deadlock);
            }
            let here = state.shared.of(state.running)?;
            let successors = machine.successors(&here, MOST_CHOICES);
            if !successors.complete {
                return None;
            }
            for transition in &successors.transitions {
                let step = (state.running, transition.step.edge, &transition.step.choices[..]);
                for other in (0..procedures.len()).filter(|k| *k != state.running && ran[*k]) {
                    let there = machine.successors(&state.shared.of(other)?, MOST_CHOICES);
                    let races = there.transitions.iter().any(|paused| {
                        let paused = (other, paused.step.edge, &paused.step.choices[..]);
                        machine.race(&state.shared, paused, step).is_some()
                    });
                    if races && matches!(transition.outcome, Outcome::Next(_)) {
                        found.race = least(found.race);
                    }
                }
            }
            if machine.can_switch(&here) {
                for other in (0..procedures.len()).filter(|other| *other != state.running) {
                    let mut ran = ran.clone();
                    ran[other] = true;
                    next_level.push((State { running: other, ..state.clone() }, ran));
                }
            }
            for transition in successors.transitions {
                match transition.outcome {
                    Outcome::Error(_) => found.error = least(found.error),
                    Outcome::Next(next) if next.frames.len() <= 12 => {
                        let shared = state.shared.with(state.running, next);
                        let procedures = state.procedures.clone();
                        let next = State { shared, procedures, running: state.running };
                        level.push((next, ran.clone()));
                    }
                    _ => return None,
                }
            }
        }
        level = next_level;
    }
    Some(found)
}
