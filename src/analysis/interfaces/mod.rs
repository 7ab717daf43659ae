//! Context-bounded analysis by interfaces (Lal, Touili, Kidd, Reps 2007, § 5 to 7 and App. B).
//!
//! The paper composes one weighted transducer per context, over tensor products, into one
//! transducer for the whole program. A thread's transducer is the identity on the stacks of the
//! other threads. So each thread's transducer can be composed with itself alone, without loss. Of
//! the result only the *interface* is kept, which the other threads can see: a relation over the
//! globals with which the thread's contexts begin and end. Applied to the thread's start, this
//! composition is post\* that goes on at every switch (`thread`). A schedule is a conjunction of
//! interfaces in which each context begins with the globals with which the context before it ended
//! (`schedule`).
//!
//! * The analysis builds no product of two threads' stacks, and it enumerates no relation.
//! * The locals are stitched together inside the weights: they stay where they are while other
//!   threads run (App. B.1).
//! * The bound is raised one by one; automata, interfaces and schedules of the smaller bound are
//!   kept.
//! * Differs from the paper: a context begins with globals that some schedule really brings there,
//!   not with all of them.

mod domain;
mod query;
mod schedule;
mod thread;

pub use domain::ContextMark;
pub use query::{FirstSwitches, concurrent_projection, first_switches};
pub use schedule::{Failure, Schedule, WhatFails};

use crate::analysis::threads::thread_state::ThreadState;
use crate::analysis::threads::{Begins, ThreadSystem};
use crate::bdd::{Bdd, BitVector, KernelLimits, Manager, Var, impl_roots, roots_of};
use crate::encode::{
    AccelerateLoops, Cell, Copy, ErrorSite, History, Layout, ProgramDomain, ProgramSystem,
    RuleRole, shared_globals,
};
use crate::lang::model::{EdgeId, ProcedureId, Program};
use crate::util::Bounded;
use domain::{ContextDomain, contexts};
use thread::{Shared, Thread};

/// The size of a thread's interface at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceSize {
    /// The threads that have it (indices into [`ThreadSystem::threads`]).
    pub threads: Vec<usize>,
    /// States of the automaton that its transducer, applied to its start, gave; they do not depend
    /// on the number of global stores.
    pub states: u32,
    /// Transitions.
    pub transitions: usize,
    /// By complete context: nodes of the interface's diagram.
    pub nodes: Vec<u64>,
}

/// An analysis in progress.
pub struct Interfaces {
    shared: Shared,
    errors: Vec<ErrorSite>,
    /// By procedure that some thread starts with.
    threads: Vec<Thread>,
    /// By thread instance: its index in `threads`.
    kind: Vec<usize>,
    /// By thread instance: the globals (now) with which it may begin.
    may_begin: Vec<Bdd>,
    /// The most contexts that one thread can have.
    contexts: usize,
    most_switches: u32,
    initial: Bdd,
    schedules: Vec<Schedule>,
    /// The next schedule that is not complete.
    next: usize,
    /// Where the schedules of the greatest bound so far begin.
    level: usize,
    bound: Option<u32>,
    goal: u32,
    failure: Option<Failure>,
    /// A deadlock. It counts if nothing else fails with as few switches.
    deadlock: Option<Failure>,
    /// Does the analysis go on after it has found an error?
    exhaustive: bool,
}

impl Interfaces {
    /// Prepares the analysis for at most `most_switches` switches. Only errors on `error_line`
    /// count, if given.
    pub fn new(
        system: ThreadSystem,
        error_line: Option<u32>,
        most_switches: u32,
        mark: ContextMark,
        limits: KernelLimits,
    ) -> Bounded<Interfaces> {
        let program = std::rc::Rc::clone(&system.program);
        let most = most_switches as usize;
        let marked = match mark {
            ContextMark::Nothing => 0,
            ContextMark::FirstSwitch => program.locations.len(),
            ContextMark::Statement => program.edges.len(),
        };
        let mark_bits = usize::BITS - marked.saturating_sub(1).leading_zeros();
        let copies = most as u32 + 3;
        let layout = Layout::remembering(&program, mark_bits, &shared_globals(&program), copies);
        let kernel = Manager::new(layout.levels(), limits)?;
        let rules = ProgramSystem::new(&program, error_line);
        let mut domain = ProgramDomain::new(&program, &rules, layout, kernel)?;
        domain.enter_exactly();
        // The caller may allow it later.
        domain.accelerate_loops(AccelerateLoops::Never);
        let history = History::new(&mut domain, &program, copies, mark_bits)?;
        let contexts_each = most / 2 + 1;
        let pds = contexts(&rules.pds, contexts_each as u32, mark);
        let (symbol_codes, marks) =
            mark_codes(&mut domain.kernel, &rules, mark, mark_bits, marked)?;
        let initial = domain.initial(&program)?;
        let initial = domain.kernel.exists(initial, history.private())?;
        let free = outside_atomic(&mut domain, &system)?;
        let may_begin = globals_to_begin(&mut domain, &system)?;
        let levels: Vec<Var> = (0..mark_bits).map(Var).collect();
        let marked = domain.kernel.var_set(&levels);
        let states = ThreadState::of(&mut domain, &system)?;
        let domain = ContextDomain::new(domain, &pds, rules.pds.clone(), marks);
        let (procedures, kind) = start_procedures(&system);
        let shared = Shared {
            system,
            pds,
            domain,
            history,
            priority: rules.priority,
            mark,
            symbol_codes,
            free,
            marked,
            states,
        };
        let threads = procedures
            .into_iter()
            .map(|procedure| Thread::new(&shared, procedure, contexts_each))
            .collect();
        let mut interfaces = Interfaces {
            shared,
            errors: rules.errors,
            threads,
            kind,
            may_begin,
            contexts: contexts_each,
            most_switches,
            initial,
            schedules: Vec::new(),
            next: 0,
            level: 0,
            bound: None,
            goal: 0,
            failure: None,
            deadlock: None,
            exhaustive: false,
        };
        interfaces.first_schedules();
        Ok(interfaces)
    }

    /// Goes on after an error was found, so that queries speak of all runs up to the bound.
    pub fn exhaustive(mut self) -> Interfaces {
        self.exhaustive = true;
        self
    }

    /// Raises the bound, up to what [`Interfaces::new`] was given. Results for smaller bounds are
    /// kept.
    pub fn raise(&mut self, switches: u32) {
        self.goal = self.goal.max(switches.min(self.most_switches));
    }

    /// The greatest number of switches that is decided.
    pub fn bound(&self) -> Option<u32> {
        self.bound
    }

    /// Is the bound reached that was asked for (or an error found, if that ends it)?
    pub fn is_done(&self) -> bool {
        (!self.exhaustive && self.failure.is_some())
            || self.bound.is_some_and(|bound| bound >= self.goal)
    }

    /// A bounded piece of work.
    pub fn step(&mut self) -> Bounded<()> {
        if self.is_done() { Ok(()) } else { self.advance() }
    }

    /// Runs to the end.
    pub fn run(&mut self) -> Bounded<()> {
        while !self.is_done() {
            self.step()?;
        }
        Ok(())
    }

    /// An error, or else a deadlock, within the least number of switches, once one was found.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// The threads.
    pub fn system(&self) -> &ThreadSystem {
        &self.shared.system
    }

    /// The program, with hidden counters.
    pub fn program(&self) -> &Program {
        &self.shared.system.program
    }

    /// The program's weights, which own the kernel.
    pub fn domain(&mut self) -> &mut ProgramDomain {
        &mut self.shared.domain.program
    }

    /// The kernel.
    pub fn kernel(&self) -> &Manager {
        &self.shared.domain.program.kernel
    }

    /// All schedules so far.
    pub fn schedules(&self) -> &[Schedule] {
        &self.schedules
    }

    /// Sizes, by procedure that a thread starts with.
    pub fn sizes(&self) -> Vec<InterfaceSize> {
        let size = |k: usize| {
            let (states, transitions) = self.threads[k].size();
            let mut nodes = vec![0; self.contexts];
            for (context, relation) in self.threads[k].interfaces() {
                nodes[context] = self.shared.domain.program.kernel.node_count(relation);
            }
            let threads = (0..self.kind.len()).filter(|thread| self.kind[*thread] == k).collect();
            InterfaceSize { threads, states, transitions, nodes }
        };
        (0..self.threads.len()).map(size).collect()
    }

    /// Collects garbage; only between steps.
    pub fn collect_garbage(&mut self) {
        let roots = roots_of(&[self]);
        self.shared.domain.program.kernel.collect(&roots);
    }

    /// The edges that the threads' procedures can execute, for queries.
    fn edges(&self) -> impl Iterator<Item = EdgeId> + use<> {
        self.program().edge_ids()
    }
}

impl_roots!(Interfaces { shared, threads, may_begin, initial, schedules, failure, deadlock });

/// By symbol, the code with which [`ContextMark::FirstSwitch`] marks a run; by rule, the code for
/// [`ContextMark::Statement`]. A list is empty if the mark is another one.
fn mark_codes(
    kernel: &mut Manager,
    rules: &ProgramSystem,
    mark: ContextMark,
    bits: u32,
    marked: usize,
) -> Bounded<(Vec<Bdd>, Vec<Bdd>)> {
    match mark {
        ContextMark::Nothing => Ok((Vec::new(), Vec::new())),
        ContextMark::FirstSwitch => {
            Ok((number_codes(kernel, bits, rules.pds.symbols() as usize, marked)?, Vec::new()))
        }
        ContextMark::Statement => {
            let codes = number_codes(kernel, bits, marked, marked)?;
            let of_rule = |role: &RuleRole| match role {
                RuleRole::Execute(edge) | RuleRole::Fail(edge, _) => codes[*edge],
                RuleRole::Return(_) => Bdd::FALSE,
            };
            Ok((Vec::new(), rules.roles.iter().map(of_rule).collect()))
        }
    }
}

/// The stores (over now) in which no atomic section is open.
fn outside_atomic(domain: &mut ProgramDomain, system: &ThreadSystem) -> Bounded<Bdd> {
    let Some(flag) = system.atomic else { return Ok(Bdd::TRUE) };
    let level = domain.layout.cell(Cell { variable: flag, element: 0 }, Copy::Now)[0];
    Ok(!domain.kernel.var(level)?)
}

/// By thread: the globals (over now) with which it may begin.
fn globals_to_begin(domain: &mut ProgramDomain, system: &ThreadSystem) -> Bounded<Vec<Bdd>> {
    let mut may_begin = Vec::new();
    for thread in &system.threads {
        may_begin.push(match thread.begins {
            Begins::AtStart => Bdd::TRUE,
            Begins::Started { counter, count } => {
                let levels = domain.layout.cell(Cell { variable: counter, element: 0 }, Copy::Now);
                let started = BitVector::from_variables(&mut domain.kernel, &levels)?;
                let count = BitVector::constant(u64::from(count), started.width());
                !started.unsigned_less(&mut domain.kernel, &count)?
            }
        });
    }
    Ok(may_begin)
}

/// The procedures that threads start with, and for each thread the index of its procedure.
fn start_procedures(system: &ThreadSystem) -> (Vec<ProcedureId>, Vec<usize>) {
    let mut procedures: Vec<ProcedureId> = Vec::new();
    let mut kind = Vec::new();
    for thread in &system.threads {
        let known = procedures.iter().position(|procedure| *procedure == thread.procedure);
        kind.push(known.unwrap_or_else(|| {
            procedures.push(thread.procedure);
            procedures.len() - 1
        }));
    }
    (procedures, kind)
}

/// The numbers below `known` as diagrams over the first `bits` levels. The list continues with
/// `false` up to `count`.
fn number_codes(kernel: &mut Manager, bits: u32, count: usize, known: usize) -> Bounded<Vec<Bdd>> {
    let mut codes = Vec::new();
    for number in 0..count {
        if number >= known {
            codes.push(Bdd::FALSE);
            continue;
        }
        let literals: Vec<(Var, bool)> =
            (0..bits).map(|bit| (Var(bit), number >> (bits - 1 - bit) & 1 == 1)).collect();
        codes.push(kernel.cube(&literals)?);
    }
    Ok(codes)
}
