//! Programs with threads under a bound on context switches: Qadeer and Rehof's tree, or interfaces,
//! raised switch by switch; then, for the least number with an error, the shortest interleaved run,
//! each thread's part found by itself, and the whole replayed.

mod joining;
mod reading;

use super::{Budgets, Certainty, Job, Outcome};
use crate::analysis::interfaces::{ContextMark, Interfaces, WhatFails};
use crate::analysis::threads::ThreadSystem;
use crate::analysis::threads::context::Engine;
use crate::analysis::threads::qadeer_rehof::{Failure, FailureKind, QadeerRehof};
use crate::bdd::{KernelLimits, Manager, roots_of};
use crate::encode::{AccelerateLoops, Layout, ProgramDomain, ProgramSystem};
use crate::lang::interpreter::{InterleavedReplay, InterleavedRun};
use crate::lang::model::{Check, Program};
use crate::util::{Bounded, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
use joining::{Assembling, Failing, Finding};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Most failing paths of the tree whose runs are compared for their lengths.
const MOST_COMPARED: usize = 48;

/// Kernel steps for comparing them, and [`SHARE`] times what the tree took.
const STEPS: u64 = 10_000_000;
const SHARE: u64 = 2;

/// Kernel steps for looking into what was reached, whatever the budget.
const LOOKING: u64 = 5_000_000;

/// Numbers of at most so many bits do not count far: their loops are gone round one by one.
const NARROW: u8 = 4;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadsOptions {
    /// At most so many context switches.
    pub switches: u32,
    /// Only what is reached before the statements of this line.
    pub at: Option<u32>,
}

/// How it is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadsMethod {
    /// Threads in turn, their stacks split by explicit globals at each switch.
    #[default]
    QadeerRehof,
    /// Each thread by itself, its interface joined with those of the others.
    Transducer,
}

/// A run of several threads that the interpreter executed.
#[derive(Clone, Debug)]
pub struct InterleavedFailure {
    /// What was executed; threads are numbered as in the session's system.
    pub run: InterleavedRun,
    /// How.
    pub replay: InterleavedReplay,
    /// The number of each of its threads in the system.
    pub threads: Vec<usize>,
    /// The check that failed, if it was one.
    pub check: Option<Check>,
    /// Entries of the trace.
    pub length: u64,
}

/// An analysis of a program with threads, in small steps.
pub struct ThreadsSession {
    program: Rc<Program>,
    options: EffectiveOptions,
    asked: ThreadsOptions,
    budgets: Budgets,
    system: Rc<ThreadSystem>,
    method: ThreadsMethod,
    tree: Option<QadeerRehof>,
    /// Instead of the tree.
    interfaces: Option<Interfaces>,
    finding: Option<Finding>,
    found: Option<InterleavedFailure>,
    certainty: Certainty,
    no_error_up_to: Option<u32>,
    switches: Option<u32>,
    limit: Option<Limit>,
    fault: Option<String>,
    alarm: Option<Arc<AtomicBool>>,
    done: bool,
}

impl Job for ThreadsSession {
    fn step(&mut self) -> bool {
        if self.done {
            return true;
        }
        if let Err(limit) = self.advance() {
            self.stop(limit);
        }
        self.collect();
        self.done
    }

    fn stop(&mut self, limit: Limit) {
        if self.done {
            return;
        }
        match &self.found {
            // The run stands, only whether it is a shortest one is not known.
            Some(_) => self.certainty = Certainty::Unknown(limit),
            None => self.limit = Some(limit),
        }
        self.finding = None;
        self.done = true;
    }

    fn limit(&self) -> Option<Limit> {
        self.limit
    }

    fn set_alarm(&mut self, alarm: Arc<AtomicBool>) {
        if let Some(tree) = &mut self.tree {
            tree.engine.domain.kernel.set_alarm(Some(Arc::clone(&alarm)));
        }
        if let Some(interfaces) = &mut self.interfaces {
            interfaces.domain().kernel.set_alarm(Some(Arc::clone(&alarm)));
        }
        self.alarm = Some(alarm);
    }

    fn progress(&self) -> Progress {
        let stage = match &self.finding {
            _ if self.done => Stage::Done,
            Some(_) => Stage::Joining,
            None => Stage::Threads,
        };
        let kernel = match (&self.tree, &self.interfaces) {
            (Some(tree), _) => Some(&tree.engine.domain.kernel),
            (None, interfaces) => interfaces.as_ref().map(Interfaces::kernel),
        };
        let (nodes, steps) = kernel.map_or((0, 0), |k| (k.live_nodes(), k.steps()));
        let items = self.no_error_up_to.map_or(0, |bound| u64::from(bound) + 1);
        Progress { stage, items, nodes, steps }
    }
}

impl ThreadsSession {
    /// Sets it up, by Qadeer and Rehof's tree.
    pub fn new(
        program: Rc<Program>,
        options: &EffectiveOptions,
        asked: ThreadsOptions,
        budgets: Budgets,
    ) -> ThreadsSession {
        ThreadsSession::by(ThreadsMethod::QadeerRehof, program, options, asked, budgets)
    }

    /// Sets it up by either method.
    pub fn by(
        method: ThreadsMethod,
        program: Rc<Program>,
        options: &EffectiveOptions,
        asked: ThreadsOptions,
        budgets: Budgets,
    ) -> ThreadsSession {
        let system = Rc::new(ThreadSystem::new(&program, asked.switches));
        let mut session = ThreadsSession {
            program,
            options: options.clone(),
            asked,
            budgets,
            system,
            method,
            tree: None,
            interfaces: None,
            finding: None,
            found: None,
            certainty: Certainty::Open,
            no_error_up_to: None,
            switches: None,
            limit: None,
            fault: None,
            alarm: None,
            done: false,
        };
        let prepared = match method {
            ThreadsMethod::QadeerRehof => session.prepare().map(|tree| session.tree = Some(tree)),
            ThreadsMethod::Transducer => {
                session.prepare_interfaces().map(|interfaces| session.interfaces = Some(interfaces))
            }
        };
        if let Err(limit) = prepared {
            session.stop(limit);
        }
        session
    }

    fn prepare(&self) -> Bounded<QadeerRehof> {
        let program = &self.system.program;
        let layout = Layout::new(program);
        let limits =
            KernelLimits { max_nodes: self.budgets.max_nodes, max_steps: self.budgets.max_steps };
        let kernel = Manager::new(layout.levels(), limits)?;
        let rules = ProgramSystem::new(program, self.options.error);
        let mut domain = ProgramDomain::new(program, &rules, layout, kernel)?;
        domain.accelerate_loops(if self.is_narrow() {
            AccelerateLoops::Never
        } else {
            self.budgets.loops
        });
        domain.kernel.collect_after_every_step(self.budgets.collect_every_step);
        let engine = Engine::new((*self.system).clone(), rules, domain, self.asked.at)?;
        QadeerRehof::new(engine, self.asked.at.is_some())
    }

    fn prepare_interfaces(&self) -> Bounded<Interfaces> {
        let limits =
            KernelLimits { max_nodes: self.budgets.max_nodes, max_steps: self.budgets.max_steps };
        let system = (*self.system).clone();
        let mut interfaces = Interfaces::new(
            system,
            self.options.error,
            self.asked.switches,
            ContextMark::Nothing,
            limits,
        )?
        .exhaustive();
        interfaces.domain().kernel.collect_after_every_step(self.budgets.collect_every_step);
        if !self.is_narrow() {
            interfaces.domain().accelerate_loops(self.budgets.loops);
        }
        Ok(interfaces)
    }

    fn is_narrow(&self) -> bool {
        self.system.program.variables.iter().all(|variable| variable.scalar.width <= NARROW)
    }

    /// One piece of the tree, of raising its bound, or of finding runs.
    fn advance(&mut self) -> Bounded<()> {
        if self.finding.is_some() {
            return self.find();
        }
        if self.interfaces.is_some() {
            return self.advance_interfaces();
        }
        let Some(tree) = &mut self.tree else {
            self.done = true;
            return Ok(());
        };
        if !tree.is_done() {
            return tree.step();
        }
        if !tree.failures().is_empty() {
            self.switches = Some(tree.bound());
            return self.begin_finding();
        }
        self.no_error_up_to = Some(tree.bound());
        if tree.bound() >= self.asked.switches {
            self.done = true;
            return Ok(());
        }
        if self.system.enough_for.is_some_and(|most| tree.bound() >= most) {
            return Err(Limit::Threads);
        }
        tree.raise();
        Ok(())
    }

    /// As with the tree; of the runs that fail with the least number of switches one is taken.
    fn advance_interfaces(&mut self) -> Bounded<()> {
        let Some(interfaces) = &mut self.interfaces else { return Ok(()) };
        if !interfaces.is_done() {
            return interfaces.step();
        }
        if let Some(failure) = interfaces.failure() {
            self.switches = Some(failure.switches());
            let deadlock = match &failure.what {
                WhatFails::Check(_) => None,
                WhatFails::Deadlock(globals) => Some(globals.clone()),
            };
            let switches = failure.globals.iter().skip(1).cloned().collect();
            let failing = Failing { contexts: failure.threads.clone(), switches, deadlock };
            self.finding = Some(Finding {
                paths: VecDeque::from([failing]),
                cut: true,
                current: None,
                spent: 0,
                limit: None,
            });
            return Ok(());
        }
        self.no_error_up_to = interfaces.bound();
        let bound = interfaces.bound().unwrap_or(0);
        if bound >= self.asked.switches {
            self.done = true;
            return Ok(());
        }
        if self.system.enough_for.is_some_and(|most| bound >= most) {
            return Err(Limit::Threads);
        }
        interfaces.raise(bound + 1);
        Ok(())
    }

    /// The failing paths, errors before deadlocks.
    fn begin_finding(&mut self) -> Bounded<()> {
        let Some(tree) = &mut self.tree else { return Ok(()) };
        let failures: Vec<Failure> = tree.failures().to_vec();
        let (errors, deadlocks): (Vec<_>, Vec<_>) =
            failures.into_iter().partition(|one| matches!(one.kind, FailureKind::Errors(_)));
        // A deadlock is named where nothing else fails with as few switches.
        let chosen = if errors.is_empty() { deadlocks } else { errors };
        let mut finding =
            Finding { paths: VecDeque::new(), cut: false, current: None, spent: 0, limit: None };
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
                    // Another one may be reached sooner.
                    finding.cut |= only != globals;
                    Some(valuation)
                }
            };
            let room = MOST_COMPARED.saturating_sub(finding.paths.len());
            let (paths, all) = tree.paths(failure.node, room);
            finding.cut |= !all;
            let nodes = tree.nodes();
            for path in paths {
                let mut contexts: Vec<usize> =
                    path.iter().filter_map(|node| nodes[*node].thread).collect();
                contexts.push(failure.thread);
                let switches =
                    path.iter().filter_map(|node| nodes[*node].valuation.clone()).collect();
                finding.paths.push_back(Failing { contexts, switches, deadlock: deadlock.clone() });
            }
        }
        self.finding = Some(finding);
        Ok(())
    }

    fn find(&mut self) -> Bounded<()> {
        let Some(mut finding) = self.finding.take() else { return Ok(()) };
        match finding.current.take() {
            None => match finding.paths.pop_front() {
                Some(_)
                    if self.found.is_some()
                        && finding.spent
                            > STEPS.saturating_add(SHARE.saturating_mul(self.statistics().1)) =>
                {
                    self.fault = None;
                    self.stop(Limit::Steps);
                }
                Some(failing) => {
                    let threads = self.involved(&failing);
                    finding.current = Some(Assembling {
                        failing,
                        threads,
                        part: None,
                        parts: Vec::new(),
                        shortest: true,
                    });
                    self.finding = Some(finding);
                }
                None => {
                    self.done = true;
                    match (&self.found, &self.fault) {
                        (None, None) if finding.limit.is_some() => self.limit = finding.limit,
                        (None, None) => {
                            self.fault = Some(
                                "no thread-by-thread run was found for a failing schedule"
                                    .to_string(),
                            )
                        }
                        (None, Some(_)) => {}
                        (Some(_), _) => {
                            self.fault = None;
                            if self.certainty == Certainty::Open && finding.limit.is_none() {
                                self.certainty = if finding.cut {
                                    Certainty::Unknown(Limit::Rounds)
                                } else {
                                    Certainty::Shortest
                                };
                            }
                        }
                    }
                }
            },
            Some(mut assembling) => {
                if self.assemble(&mut finding, &mut assembling) {
                    self.join(assembling);
                } else {
                    finding.current = Some(assembling);
                }
                self.finding = Some(finding);
            }
        }
        Ok(())
    }

    fn collect(&mut self) {
        if self.done {
            return;
        }
        if let Some(interfaces) = &mut self.interfaces {
            if interfaces.domain().kernel.is_collection_due() {
                interfaces.collect_garbage();
            }
            return;
        }
        let Some(tree) = &mut self.tree else { return };
        if tree.engine.domain.kernel.is_collection_due() {
            let roots = roots_of(&[tree]);
            tree.engine.domain.kernel.collect(&roots);
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Its threads.
    pub fn system(&self) -> &ThreadSystem {
        &self.system
    }

    /// The options in force.
    pub fn options(&self) -> &EffectiveOptions {
        &self.options
    }

    /// What was asked.
    pub fn asked(&self) -> ThreadsOptions {
        self.asked
    }

    /// The answer: safe means that nothing fails within the bound. Meaningful once it is over.
    pub fn outcome(&self) -> Outcome {
        match (&self.found, self.limit) {
            (Some(_), _) => Outcome::Unsafe,
            (None, _) if self.fault.is_some() => Outcome::Fault,
            (None, Some(limit)) => Outcome::Unknown(limit),
            (None, None) => Outcome::Safe,
        }
    }

    /// How the interpreter contradicts the engine.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The most switches for which it is known that nothing fails.
    pub fn no_error_up_to(&self) -> Option<u32> {
        self.no_error_up_to
    }

    /// The least number of switches with which an error is reached.
    pub fn switches(&self) -> Option<u32> {
        self.switches
    }

    /// The failing run.
    pub fn failing_run(&self) -> Option<&InterleavedFailure> {
        self.found.as_ref()
    }

    /// Is no failing run with as few switches shorter?
    pub fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// Qadeer and Rehof's tree.
    pub fn tree(&self) -> Option<&QadeerRehof> {
        self.tree.as_ref()
    }

    /// Most nodes alive, steps, and bytes held by the kernel.
    pub fn statistics(&self) -> (u64, u64, u64) {
        let kernel = match (&self.tree, &self.interfaces) {
            (Some(tree), _) => &tree.engine.domain.kernel,
            (None, Some(interfaces)) => interfaces.kernel(),
            (None, None) => return (0, 0, 0),
        };
        (kernel.peak_nodes(), kernel.steps(), kernel.bytes())
    }
}
