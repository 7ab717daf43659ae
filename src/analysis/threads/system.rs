//! The threads of a program under a bound on context switches, as finitely many instances.
//!
//! Source: Lal, Touili, Kidd, Reps 2007, § 2.3: n threads, each a pushdown system, over shared
//! globals. By their note 1 at most k + 1 threads run with k switches, so only so many of the
//! created threads matter. A hidden global counts how often each procedure was started, up to the
//! number of its instances. The j-th instance may run once the counter is at least j. Instances of
//! one procedure behave alike, so they run for the first time in their order.

use crate::lang::model::{
    BinaryOperator, EdgeId, Expression, LocationId, Operation, Place, ProcedureId, Program, Scalar,
    VariableId,
};
use crate::util::order::inserted;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Most instances of one started procedure, whatever the bound.
const MOST_INSTANCES: u32 = 15;

/// When a thread may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// It runs from the start.
    AtStart,
    /// Once this hidden counter has come to `count`: its procedure was started that often.
    Started {
        /// The counter, a global of [`ThreadSystem::program`].
        counter: VariableId,
        /// 1 for the first instance.
        count: u32,
    },
}

/// One thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadInstance {
    /// The procedure with which the thread starts. It has no parameters.
    pub procedure: ProcedureId,
    /// The name: `main`, `reader`; of several instances `reader 1`, `reader 2`.
    pub name: String,
    /// When it may begin.
    pub begins: Begins,
}

/// A program with threads, made ready for a bound.
#[derive(Clone, Debug)]
pub struct ThreadSystem {
    /// The program with its hidden counters; locations, edges and other variables keep their
    /// numbers.
    pub program: Rc<Program>,
    /// Its threads, main (or the first procedure) first.
    pub threads: Vec<ThreadInstance>,
    /// By location: can a context switch happen there, where [`Self::atomic`] does not hold?
    pub switchable: Vec<bool>,
    /// While this flag is set, no other thread runs.
    pub atomic: Option<VariableId>,
    /// The threads that may run first: main, or any from the start if there is no main.
    pub first: Vec<usize>,
    /// Is thread 0 main? Then a deadlock needs main to wait.
    pub has_main: bool,
    /// The most switches for which there are instances enough; `None`: for any number.
    pub enough_for: Option<u32>,
}

impl ThreadSystem {
    /// The threads that matter with at most `switches` context switches.
    pub fn new(program: &Program, switches: u32) -> ThreadSystem {
        let main = program.main_id();
        let has_main = program.procedure(main).name == "main";
        let name = |id: ProcedureId| program.procedure(id).name.clone();
        let mut threads =
            vec![ThreadInstance { procedure: main, name: name(main), begins: Begins::AtStart }];
        for id in &program.concurrency.threads {
            threads.push(ThreadInstance {
                procedure: *id,
                name: name(*id),
                begins: Begins::AtStart,
            });
        }
        let first = if has_main { vec![0] } else { (0..threads.len()).collect() };
        let mut counted = program.clone();
        let mut enough_for = None;
        let started: BTreeSet<ProcedureId> = inserted(program.concurrency.starts.values().copied());
        for procedure in started {
            let fixed = most_starts(program, procedure);
            let wanted = fixed.unwrap_or(u32::MAX).min(switches);
            let instances = wanted.min(MOST_INSTANCES);
            if fixed.is_none_or(|fixed| fixed > instances) {
                enough_for = Some(enough_for.map_or(instances, |least: u32| least.min(instances)));
            }
            if instances == 0 {
                continue;
            }
            let counter = add_counter(&mut counted, &name(procedure), procedure, instances);
            for count in 1..=instances {
                let name = if instances == 1 {
                    name(procedure)
                } else {
                    format!("{} {count}", name(procedure))
                };
                threads.push(ThreadInstance {
                    procedure,
                    name,
                    begins: Begins::Started { counter, count },
                });
            }
        }
        number_namesakes(program, &mut threads);
        let roots: BTreeSet<ProcedureId> = inserted(threads.iter().map(|thread| thread.procedure));
        let is_exit = |k: usize| {
            let location = LocationId(k as u32);
            let procedure = program.location(location).procedure;
            program.procedure(procedure).exit == location && !roots.contains(&procedure)
        };
        let fixed = &program.concurrency.uninterruptible;
        let switchable = (0..program.locations.len())
            .map(|k| !fixed.contains(&LocationId(k as u32)) && !is_exit(k))
            .collect();
        ThreadSystem {
            threads,
            switchable,
            atomic: program.concurrency.atomic,
            first,
            has_main,
            enough_for,
            program: Rc::new(counted),
        }
    }

    /// If a procedure has several instances: the instance that runs for the first time directly
    /// before this one.
    pub fn before(&self, thread: usize) -> Option<usize> {
        match self.threads[thread].begins {
            Begins::Started { count, .. } if count > 1 => Some(thread - 1),
            _ => None,
        }
    }

    /// The globals of the source, in order, without hidden counters and flags.
    pub fn shown_globals(&self) -> Vec<VariableId> {
        let known: BTreeSet<VariableId> =
            self.program.scopes.iter().flat_map(|scope| scope.variables.iter().copied()).collect();
        self.program.globals().filter(|id| known.contains(id)).collect()
    }

    /// The conditions (bools without choices) of the edges on which a thread waits at this
    /// location; `None` if it does not wait there.
    pub fn waits_at(&self, location: LocationId, out: &[EdgeId]) -> Option<Vec<Expression>> {
        debug_assert!(out.iter().all(|edge| self.program.edge(*edge).from == location));
        let waits = &self.program.concurrency.waits;
        let condition = |edge: &EdgeId| match &self.program.edge(*edge).operation {
            Operation::Assume(condition)
                if waits.contains(edge) && self.program.edge(*edge).choices.is_empty() =>
            {
                Some(condition.clone())
            }
            _ => None,
        };
        if out.is_empty() { None } else { out.iter().map(condition).collect() }
    }

    /// Does a thread end here before its procedure does (`pthread_exit`)?
    pub fn ends_at(&self, location: LocationId, out: &[EdgeId]) -> bool {
        debug_assert!(out.iter().all(|edge| self.program.edge(*edge).from == location));
        !out.is_empty() && out.iter().all(|edge| self.program.concurrency.ends.contains(edge))
    }

    /// By location: the edges that leave it.
    pub fn outgoing(&self) -> Vec<Vec<EdgeId>> {
        let mut out = vec![Vec::new(); self.program.locations.len()];
        for id in self.program.edge_ids() {
            out[self.program.edge(id).from].push(id);
        }
        out
    }
}

/// Threads of one name are told apart by a number. A procedure that is started in several places,
/// or for several handles, is a procedure of its own for each of them: the number is the place's,
/// and a thread that starts there later is the place's thread again.
fn number_namesakes(program: &Program, threads: &mut [ThreadInstance]) {
    let mut places: BTreeMap<String, Vec<ProcedureId>> = BTreeMap::new();
    for thread in threads.iter() {
        let places = places.entry(program.procedure(thread.procedure).name.clone()).or_default();
        // Threads that run from the start are one place each.
        if thread.begins == Begins::AtStart || !places.contains(&thread.procedure) {
            places.push(thread.procedure);
        }
    }
    let mut at_start: BTreeMap<String, usize> = BTreeMap::new();
    for thread in threads.iter_mut() {
        let name = &program.procedure(thread.procedure).name;
        let places = &places[name];
        if places.len() == 1 {
            continue;
        }
        let first = places.iter().position(|place| *place == thread.procedure).unwrap_or(0);
        thread.name = match thread.begins {
            Begins::AtStart => {
                let number = at_start.entry(name.clone()).or_default();
                *number += 1;
                format!("{name} {number}")
            }
            Begins::Started { count: 1, .. } => format!("{name} {}", first + 1),
            Begins::Started { count: 2, .. } => format!("{name} {} again", first + 1),
            Begins::Started { count, .. } => format!("{name} {} again ({count})", first + 1),
        };
    }
}

/// Adds a hidden global that counts how often a procedure is started, up to `most`.
fn add_counter(program: &mut Program, name: &str, procedure: ProcedureId, most: u32) -> VariableId {
    let scalar = Scalar::int((u32::BITS - most.leading_zeros()) as u8, false);
    let counter = program.add_global(format!("started {name}"), scalar);
    let now = Expression::Variable(counter, scalar);
    let bound = Expression::Constant(u64::from(most), scalar);
    let below = Expression::binary(BinaryOperator::Less, now.clone(), bound);
    let one = Expression::Constant(1, scalar);
    let more = Expression::binary(BinaryOperator::Add, now.clone(), one);
    let next = Expression::Conditional(Box::new(below), Box::new(more), Box::new(now));
    let starts: Vec<EdgeId> = program
        .concurrency
        .starts
        .iter()
        .filter(|(_, id)| **id == procedure)
        .map(|(edge, _)| *edge)
        .collect();
    for edge in starts {
        let operation = &mut program.edges[edge].operation;
        let count = (Place::Variable(counter), next.clone());
        match operation {
            Operation::Assign(list) => list.push(count),
            _ => *operation = Operation::Assign(vec![count]),
        }
    }
    counter
}

/// How often a procedure is started at most; `None` if the text gives no bound (a loop, recursion).
fn most_starts(program: &Program, procedure: ProcedureId) -> Option<u32> {
    let mut runs = BTreeMap::new();
    let edges = program
        .concurrency
        .starts
        .iter()
        .filter(|(_, id)| **id == procedure)
        .map(|(edge, _)| *edge);
    let mut total = 0u32;
    for edge in edges {
        total = total.checked_add(most_executions(program, edge, &mut runs)?)?;
    }
    Some(total)
}

/// How often an edge is executed at most. `runs`: the same for procedures, as far as it is known;
/// `None` also while the answer is being computed.
fn most_executions(
    program: &Program,
    edge: EdgeId,
    runs: &mut BTreeMap<ProcedureId, Option<u32>>,
) -> Option<u32> {
    // The chain of callers can be as long as the number of procedures, which the parser does not
    // bound. So the chain is followed with an explicit stack.
    let mut pending = vec![program.owner(edge)];
    while let Some(procedure) = pending.last().copied() {
        if matches!(runs.get(&procedure), Some(Some(_))) {
            pending.pop();
            continue;
        }
        let callers = entering(program, procedure);
        let first_look = !runs.contains_key(&procedure);
        runs.entry(procedure).or_insert(None);
        if first_look {
            let unknown: Vec<ProcedureId> = callers
                .iter()
                .map(|edge| program.owner(*edge))
                .filter(|owner| !runs.contains_key(owner))
                .collect();
            if !unknown.is_empty() {
                pending.extend(unknown);
                continue;
            }
        }
        let alone =
            procedure == program.main_id() || program.concurrency.threads.contains(&procedure);
        let mut total = Some(u32::from(alone));
        for caller in callers {
            let of_owner = if is_in_loop(program, caller) {
                None
            } else {
                runs.get(&program.owner(caller)).copied().flatten()
            };
            total = total.zip(of_owner).and_then(|(total, more)| total.checked_add(more));
        }
        runs.insert(procedure, total);
        pending.pop();
    }
    if is_in_loop(program, edge) { None } else { runs.get(&program.owner(edge)).copied().flatten() }
}

/// The edges that call or start a procedure.
fn entering(program: &Program, procedure: ProcedureId) -> Vec<EdgeId> {
    let enters = |id: &EdgeId| {
        let called = matches!(&program.edge(*id).operation, Operation::Call { callee, .. } if *callee == procedure);
        called || program.concurrency.starts.get(id) == Some(&procedure)
    };
    program.edge_ids().filter(enters).collect()
}

/// Can the edge be executed twice in one call of its procedure?
fn is_in_loop(program: &Program, edge: EdgeId) -> bool {
    let (from, to) = (program.edge(edge).from, program.edge(edge).to);
    let mut seen = BTreeSet::from([to]);
    let mut pending = vec![to];
    while let Some(location) = pending.pop() {
        if location == from {
            return true;
        }
        for id in program.edge_ids().filter(|id| program.edge(*id).from == location) {
            if seen.insert(program.edge(id).to) {
                pending.push(program.edge(id).to);
            }
        }
    }
    false
}
