//! The analysis of threads under a bound on context switches, by one of two methods: Qadeer and
//! Rehof's tree, or interfaces. The bound grows switch by switch.

use super::budgets::Budgets;
use super::interfaces::{ContextMark, Interfaces, WhatFails};
use super::threads::ThreadSystem;
use super::threads::context::Engine;
use super::threads::interleaving::FailingSchedule;
use super::threads::qadeer_rehof::{Failure, FailureKind, QadeerRehof};
use crate::bdd::{Bdd, Manager, roots_of};
use crate::encode::{AccelerateLoops, Layout, ProgramDomain, ProgramSystem, Shared};
use crate::lang::model::LocationId;
use crate::util::Bounded;
use std::collections::{BTreeSet, VecDeque};

/// Loops over numbers of at most so many bits are followed round by round, because such numbers do
/// not count far.
const NARROW: u8 = 4;

pub use crate::wire::threads::ThreadsMethod;

/// The question.
#[derive(Clone, Copy)]
pub struct ThreadQuestion<'a> {
    /// The threads.
    pub system: &'a ThreadSystem,
    /// Only errors on this line count, if given.
    pub error_line: Option<u32>,
    /// The most context switches.
    pub switches: u32,
    /// If a line is given: only what is reached before its statements counts.
    pub at: Option<u32>,
}

/// A search in progress.
pub enum ThreadSearch {
    /// The tree.
    Tree(Box<QadeerRehof>),
    /// Interfaces.
    Interfaces(Box<Interfaces>),
}

/// Schedules that fail with the least number of switches.
pub struct FailingSchedules {
    /// The least number of switches.
    pub switches: u32,
    /// The schedules to compare.
    pub schedules: VecDeque<FailingSchedule>,
    /// Were some schedules left out?
    pub cut: bool,
}

impl ThreadSearch {
    /// Prepares the search for no switch.
    pub fn new(
        method: ThreadsMethod,
        question: ThreadQuestion<'_>,
        budgets: Budgets,
    ) -> Bounded<ThreadSearch> {
        let ThreadQuestion { system, error_line, switches, at } = question;
        let program = &system.program;
        let is_narrow = program.variables.iter().all(|variable| variable.scalar.width <= NARROW);
        let search = match method {
            ThreadsMethod::QadeerRehof => {
                let layout = Layout::new(program);
                let kernel = Manager::new(layout.levels(), budgets.limits())?;
                let rules = ProgramSystem::new(program, error_line);
                let mut domain = ProgramDomain::new(program, &rules, layout, kernel)?;
                domain.accelerate_loops(if is_narrow {
                    AccelerateLoops::Never
                } else {
                    budgets.loops
                });
                domain.kernel.collect_after_every_step(budgets.collect_every_step);
                let engine = Engine::new(system.clone(), rules, domain, at)?;
                ThreadSearch::Tree(Box::new(QadeerRehof::new(engine, at.is_some())?))
            }
            ThreadsMethod::Transducer => {
                let (system, nothing) = (system.clone(), ContextMark::Nothing);
                let limits = budgets.limits();
                let mut interfaces =
                    Interfaces::new(system, error_line, switches, nothing, limits)?.exhaustive();
                let domain = interfaces.domain();
                domain.kernel.collect_after_every_step(budgets.collect_every_step);
                if !is_narrow {
                    domain.accelerate_loops(budgets.loops);
                }
                ThreadSearch::Interfaces(Box::new(interfaces))
            }
        };
        Ok(search)
    }

    /// Does one piece of work for the bound at hand.
    pub fn step(&mut self) -> Bounded<()> {
        match self {
            ThreadSearch::Tree(tree) => tree.step(),
            ThreadSearch::Interfaces(interfaces) => interfaces.step(),
        }
    }

    /// Is the bound at hand decided?
    pub fn is_done(&self) -> bool {
        match self {
            ThreadSearch::Tree(tree) => tree.is_done(),
            ThreadSearch::Interfaces(interfaces) => interfaces.is_done(),
        }
    }

    /// Is it known that more switches reach nothing new? To be asked once the bound at hand is
    /// decided. By interfaces it is never known.
    pub fn is_exhausted(&self) -> bool {
        match self {
            ThreadSearch::Tree(tree) => tree.is_exhausted(),
            ThreadSearch::Interfaces(_) => false,
        }
    }

    /// The greatest bound that is decided.
    pub fn bound(&self) -> Option<u32> {
        match self {
            ThreadSearch::Tree(tree) => Some(tree.bound()),
            ThreadSearch::Interfaces(interfaces) => interfaces.bound(),
        }
    }

    /// Raises the bound by one switch.
    pub fn raise(&mut self) {
        match self {
            ThreadSearch::Tree(tree) => tree.raise(),
            ThreadSearch::Interfaces(interfaces) => {
                let bound = interfaces.bound().unwrap_or(0);
                interfaces.raise(bound + 1);
            }
        }
    }

    /// The schedules that fail with as many switches as are allowed now, errors before deadlocks,
    /// and at most so many of them. The method of interfaces gives one. Returns `None` if no
    /// schedule fails.
    pub fn failing(&mut self, most: usize) -> Bounded<Option<FailingSchedules>> {
        match self {
            ThreadSearch::Tree(tree) if tree.failures().is_empty() => Ok(None),
            ThreadSearch::Tree(tree) => failing_paths(tree, most).map(Some),
            ThreadSearch::Interfaces(interfaces) => {
                let Some(failure) = interfaces.failure() else { return Ok(None) };
                let deadlock = match &failure.what {
                    WhatFails::Check(_) => None,
                    WhatFails::Deadlock(globals) => Some(globals.clone()),
                };
                let switches = failure.globals.iter().skip(1).cloned().collect();
                let contexts = failure.threads.clone();
                let schedule = FailingSchedule { contexts, switches, deadlock };
                let schedules = VecDeque::from([schedule]);
                let switches = failure.switches();
                Ok(Some(FailingSchedules { switches, schedules, cut: true }))
            }
        }
    }

    /// The kernel of the diagrams.
    pub fn kernel(&self) -> &Manager {
        match self {
            ThreadSearch::Tree(tree) => &tree.engine.domain.kernel,
            ThreadSearch::Interfaces(interfaces) => interfaces.kernel(),
        }
    }

    /// The domain of the diagrams, and the globals that all threads share.
    pub fn domain(&mut self) -> (&mut ProgramDomain, Shared) {
        match self {
            ThreadSearch::Tree(tree) => (&mut tree.engine.domain, tree.engine.shared.clone()),
            ThreadSearch::Interfaces(interfaces) => {
                let program = std::rc::Rc::clone(&interfaces.system().program);
                let shared = Shared::new(interfaces.domain(), &program);
                (interfaces.domain(), shared)
            }
        }
    }

    /// Collects garbage if that is worthwhile.
    pub fn collect_if_due(&mut self) {
        if !self.kernel().is_collection_due() {
            return;
        }
        match self {
            ThreadSearch::Tree(tree) => {
                let roots = roots_of(&[&**tree]);
                tree.engine.domain.kernel.collect(&roots);
            }
            ThreadSearch::Interfaces(interfaces) => interfaces.collect_garbage(),
        }
    }

    /// The globals that are reached with each number of switches up to this one. If a line `at` is
    /// given, only those before its statements count.
    pub fn levels(&mut self, bound: u32, at: Option<u32>) -> Bounded<Vec<Bdd>> {
        let interfaces = match self {
            ThreadSearch::Tree(tree) => {
                return Ok(tree.levels().iter().map(|level| level.reached).collect());
            }
            ThreadSearch::Interfaces(interfaces) => interfaces,
        };
        let program = std::rc::Rc::clone(&interfaces.system().program);
        let before = |line: u32| {
            program
                .edge_ids()
                .filter(|id| program.stands_at(*id, line))
                .map(|id| program.edge(id).from)
                .collect::<BTreeSet<LocationId>>()
        };
        let places: Vec<Option<LocationId>> = match at {
            Some(line) => before(line).into_iter().map(Some).collect(),
            None => vec![None],
        };
        let mut levels = Vec::new();
        for switches in 0..=bound {
            let mut level = Bdd::FALSE;
            for place in &places {
                let here = interfaces.globals_at(switches, *place)?;
                level = interfaces.domain().kernel.or(level, here)?;
            }
            levels.push(level);
        }
        Ok(levels)
    }
}

/// The failing paths of the tree.
fn failing_paths(tree: &mut QadeerRehof, most: usize) -> Bounded<FailingSchedules> {
    let switches = tree.bound();
    let failures: Vec<Failure> = tree.failures().to_vec();
    let (errors, deadlocks): (Vec<_>, Vec<_>) =
        failures.into_iter().partition(|one| matches!(one.kind, FailureKind::Errors(_)));
    // Deadlocks are reported only if nothing else fails with as few switches.
    let chosen = if errors.is_empty() { deadlocks } else { errors };
    let mut found = FailingSchedules { switches, schedules: VecDeque::new(), cut: false };
    for failure in chosen {
        let deadlock = match failure.kind {
            FailureKind::Errors(_) => None,
            FailureKind::Deadlock(globals) => {
                let engine = &mut tree.engine;
                let Some((valuation, only)) =
                    engine.domain.least_globals(&engine.shared, globals)?
                else {
                    continue;
                };
                // Another failing schedule may be reached earlier.
                found.cut |= only != globals;
                Some(valuation)
            }
        };
        let room = most.saturating_sub(found.schedules.len());
        let (paths, all) = tree.paths(failure.node, room);
        found.cut |= !all;
        let nodes = tree.nodes();
        for path in paths {
            let mut contexts: Vec<usize> =
                path.iter().filter_map(|node| nodes[*node].thread).collect();
            contexts.push(failure.thread);
            let switches = path.iter().filter_map(|node| nodes[*node].valuation.clone()).collect();
            found.schedules.push_back(FailingSchedule {
                contexts,
                switches,
                deadlock: deadlock.clone(),
            });
        }
    }
    Ok(found)
}
