//! Every interleaving of a small program, one state at a time: the globals, each thread's stack,
//! who runs, and how many switches there were. It uses the interpreter and nothing of the engine.

use crate::support::interner::Interner;
use faultline::analysis::threads::{Begins, ThreadInstance, ThreadSystem};
use faultline::lang::interpreter::{Configuration, Frame, Machine, Outcome};
use faultline::lang::model::{EdgeId, LocationId, VariableId};
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    globals: Vec<Vec<u64>>,
    stacks: Vec<(Vec<Frame>, LocationId)>,
    running: usize,
    switches: u32,
    begun: Vec<bool>,
}

/// Elements by variable.
type Values = Vec<Vec<u64>>;

/// What was found.
#[derive(Default)]
pub(crate) struct Found {
    /// By number of switches: the globals while some thread is at a location.
    pub(crate) at: Vec<BTreeSet<(LocationId, Values)>>,
    /// The same for pairs of threads 0 and 1.
    pub(crate) pairs: Vec<BTreeSet<(LocationId, LocationId, Values)>>,
    /// By number of switches: can it fail with at most so many?
    pub(crate) fails: Vec<bool>,
    /// By number of switches: can it come to a deadlock with at most so many?
    pub(crate) stuck: Vec<bool>,
    /// Statements on failing runs with at most so many switches.
    pub(crate) projection: Vec<BTreeSet<EdgeId>>,
    /// Threads with their statements on runs that fail or come to a deadlock with at most so many
    /// switches.
    pub(crate) by_thread: Vec<BTreeSet<(usize, EdgeId)>>,
    /// Stores at a location while no other thread is inside of an atomic section: the globals, and
    /// the values of the frame on top there.
    pub(crate) tops: BTreeSet<(LocationId, Values, Values)>,
    /// Where the first switch of a failing run with at most so many switches happens.
    pub(crate) first: Vec<BTreeSet<LocationId>>,
}

/// All of it up to a number of switches; `None` if there are too many states.
pub(crate) fn explore(system: &ThreadSystem, most: u32, cap: usize) -> Option<Found> {
    let machine = Machine::new(&system.program);
    let program = &system.program;
    let globals: Vec<VariableId> = program.globals().collect();
    let slot = |id: VariableId| globals.iter().position(|g| *g == id).expect("a global");
    let mut states: Interner<State> = Interner::default();
    // By state: where from, and by which statement.
    let mut into: Vec<Vec<(usize, Option<EdgeId>)>> = Vec::new();
    let mut failing: Vec<(usize, EdgeId)> = Vec::new();
    let add = |state: State,
               states: &mut Interner<State>,
               into: &mut Vec<Vec<(usize, Option<EdgeId>)>>| {
        let number = states.number(state) as usize;
        into.resize_with(states.len(), Vec::new);
        number
    };
    let (starts, complete) = machine.starts(64);
    assert!(complete);
    // Locals matter once their thread begins; until then they are zero, so that states are few.
    let waiting = |thread: &ThreadInstance| {
        let procedure = program.procedure(thread.procedure);
        let zero = |id: &VariableId| vec![0; program.variable(*id).elements() as usize];
        let values = procedure.parameters.iter().chain(&procedure.locals).map(zero).collect();
        (vec![Frame { procedure: thread.procedure, values, call: None }], procedure.entry)
    };
    let begin = |state: &State, thread: usize| -> Vec<State> {
        let procedure = system.threads[thread].procedure;
        let (starts, complete) = machine.thread_starts(procedure, &state.globals, 64);
        assert!(complete);
        let with = |start: Configuration| {
            let mut then = state.clone();
            then.stacks[thread] = (start.frames, start.location);
            then.begun[thread] = true;
            then
        };
        starts.into_iter().map(with).collect()
    };
    for start in starts {
        for first in &system.first {
            let state = State {
                globals: start.globals.clone(),
                stacks: system.threads.iter().map(waiting).collect(),
                running: *first,
                switches: 0,
                begun: vec![false; system.threads.len()],
            };
            for begun in begin(&state, *first) {
                add(begun, &mut states, &mut into);
            }
        }
    }
    let mut next = 0;
    while next < states.len() {
        if states.len() > cap {
            return None;
        }
        let state = states.shared(next as u32);
        let (frames, location) = state.stacks[state.running].clone();
        let here = Configuration { globals: state.globals.clone(), frames, location };
        let successors = machine.successors(&here, 64);
        assert!(successors.complete);
        for transition in successors.transitions {
            match transition.outcome {
                Outcome::Next(after) => {
                    let mut then = State::clone(&state);
                    then.globals = after.globals;
                    then.stacks[state.running] = (after.frames, after.location);
                    let then = add(then, &mut states, &mut into);
                    into[then].push((next, Some(transition.step.edge)));
                }
                Outcome::Error(_) => failing.push((next, transition.step.edge)),
                Outcome::Blocked => {}
            }
        }
        let atomic = system.atomic.is_some_and(|id| state.globals[slot(id)][0] != 0);
        if state.switches < most && system.switchable[location.0 as usize] && !atomic {
            for thread in 0..system.threads.len() {
                let may = state.begun[thread]
                    || match system.threads[thread].begins {
                        Begins::AtStart => true,
                        Begins::Started { counter, count } => {
                            state.globals[slot(counter)][0] >= u64::from(count)
                        }
                    };
                if thread == state.running
                    || !may
                    || system.before(thread).is_some_and(|before| !state.begun[before])
                {
                    continue;
                }
                let mut then = State::clone(&state);
                then.running = thread;
                then.switches += 1;
                let all = if then.begun[thread] { vec![then] } else { begin(&then, thread) };
                for then in all {
                    let then = add(then, &mut states, &mut into);
                    into[then].push((next, None));
                }
            }
        }
        next += 1;
    }
    let levels = most as usize + 1;
    let mut found = Found {
        at: vec![BTreeSet::new(); levels],
        pairs: vec![BTreeSet::new(); levels],
        fails: vec![false; levels],
        stuck: vec![false; levels],
        projection: vec![BTreeSet::new(); levels],
        by_thread: vec![BTreeSet::new(); levels],
        first: vec![BTreeSet::new(); levels],
        tops: BTreeSet::new(),
    };
    let out = system.outgoing();
    let mut stuck_states = Vec::new();
    for (number, state) in states.values().enumerate() {
        let level = state.switches as usize;
        // A deadlock: who was started has ended or waits, one at least waits, and main does not
        // end.
        let (mut stuck, mut some_waits) = (true, false);
        for (k, (frames, location)) in state.stacks.iter().enumerate() {
            let started = match system.threads[k].begins {
                Begins::AtStart => true,
                Begins::Started { counter, count } => {
                    state.globals[slot(counter)][0] >= u64::from(count)
                }
            };
            if !started {
                continue;
            }
            let edges = &out[location.0 as usize];
            let here = Configuration {
                globals: state.globals.clone(),
                frames: frames.clone(),
                location: *location,
            };
            let all_wait = !edges.is_empty()
                && edges.iter().all(|edge| program.concurrency.waits.contains(edge));
            let waits = all_wait && machine.successors(&here, 64).transitions.is_empty();
            let ended = edges.is_empty() && frames.len() == 1;
            stuck &= waits || ended && !(system.has_main && k == 0);
            some_waits |= waits;
        }
        if stuck && some_waits {
            (level..levels).for_each(|k| found.stuck[k] = true);
            stuck_states.push(number);
        }
        for (k, (frames, location)) in state.stacks.iter().enumerate() {
            let may = state.begun[k] || matches!(system.threads[k].begins, Begins::AtStart);
            if may {
                found.at[level].insert((*location, state.globals.clone()));
                let values = frames.last().map_or(Vec::new(), |frame| frame.values.clone());
                let runs = state.stacks[state.running].1;
                let atomic = system.atomic.is_some_and(|id| state.globals[slot(id)][0] != 0);
                if k == state.running || system.switchable[runs.0 as usize] && !atomic {
                    found.tops.insert((*location, state.globals.clone(), values));
                }
            }
        }
        found.pairs[level].insert((state.stacks[0].1, state.stacks[1].1, state.globals.clone()));
    }
    let at = |number: usize| states.value(number as u32);
    for level in 0..levels {
        // Backward from what fails with at most so many switches.
        let mut seen = vec![false; states.len()];
        let mut work = Vec::new();
        for (state, edge) in &failing {
            if at(*state).switches as usize <= level {
                found.fails[level] = true;
                found.projection[level].insert(*edge);
                if !std::mem::replace(&mut seen[*state], true) {
                    work.push(*state);
                }
            }
        }
        while let Some(state) = work.pop() {
            for (before, edge) in &into[state] {
                match edge {
                    Some(edge) => _ = found.projection[level].insert(*edge),
                    None if at(*before).switches == 0 => {
                        let (_, location) = &at(*before).stacks[at(*before).running];
                        found.first[level].insert(*location);
                    }
                    None => {}
                }
                if !std::mem::replace(&mut seen[*before], true) {
                    work.push(*before);
                }
            }
        }
        let mut seen = vec![false; states.len()];
        let mut work: Vec<usize> = stuck_states.clone();
        for (state, edge) in failing.iter().filter(|(k, _)| at(*k).switches as usize <= level) {
            found.by_thread[level].insert((at(*state).running, *edge));
            work.push(*state);
        }
        while let Some(state) = work.pop() {
            if at(state).switches as usize > level || std::mem::replace(&mut seen[state], true) {
                continue;
            }
            for (before, edge) in &into[state] {
                let runs = at(*before).running;
                found.by_thread[level].extend(edge.map(|edge| (runs, edge)));
                work.push(*before);
            }
        }
    }
    Some(found)
}
