//! The one façade that the page's worker and the command line use: load a program, run an analysis in small steps, read the answers.
//!
//! A session never blocks and knows no clock: [`Session::step`] does one bounded piece of work, and its driver decides when to stop.
//! A limit ends a phase, not the session: what was found before stays.

mod inspect;
mod replay;

use crate::analysis::counterexample::{Counterexample, Walk};
use crate::analysis::error_projection::{ErrorProjection, Method, Phase as ProjectionPhase};
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, KernelLimits};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::model::Program;
use crate::lang::options::{EffectiveOptions, RequestedOptions};
use crate::util::{Bounded, Limit};
pub use replay::{ReplayedEntry, ReplayedRun};
use std::rc::Rc;

/// Budgets of a run, in machine-independent units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// Decision-diagram nodes alive at once.
    pub max_nodes: u64,
    /// Kernel steps.
    pub max_steps: u64,
    /// Collect garbage after every step and poison what was freed: slow, finds missing roots.
    pub collect_every_step: bool,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets { max_nodes: 8_000_000, max_steps: 2_000_000_000, collect_every_step: false }
    }
}

/// What to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Can it fail, and on which run?
    Check,
    /// And which statements are on failing runs?
    Projection(Method),
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing was started.
    Idle,
    /// post\*: which stores are reached.
    Forward,
    /// Reading a failing run.
    Witness,
    /// pre\*: which stores fail.
    Backward,
    /// Outer contexts.
    Contexts,
    /// Deciding each statement.
    Statements,
    /// Over.
    Done,
}

impl Phase {
    /// A word for progress lines.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Idle => "idle",
            Phase::Forward => "forward",
            Phase::Witness => "witness",
            Phase::Backward => "backward",
            Phase::Contexts => "contexts",
            Phase::Statements => "statements",
            Phase::Done => "done",
        }
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No run fails.
    Safe,
    /// A run fails; it was replayed.
    Unsafe,
    /// This limit was hit first.
    Unknown(Limit),
    /// The interpreter contradicts the engine (see [`Session::fault`]): a defect of Faultline, so nothing is claimed.
    Fault,
}

/// A loaded program and what is known about it.
pub struct Session {
    source: String,
    options: EffectiveOptions,
    program: Option<Rc<Program>>,
    budgets: Budgets,
    task: Task,
    phase: Phase,
    reach: Option<Reach>,
    walk: Option<Walk>,
    run: Option<ReplayedRun>,
    fault: Option<String>,
    projection: Option<ErrorProjection>,
    projected: bool,
    /// The naive projection beside the exact one, once somebody asks for it.
    beside: Option<ErrorProjection>,
    /// The kernel's steps at which it is given up.
    beside_until: u64,
    executed: Option<Vec<bool>>,
    limit: Option<Limit>,
    transitions_seen: usize,
    collect_above: u64,
    items: u64,
}

impl Session {
    /// Reads a program. Without a program (see the diagnostics), a run is over before it starts.
    pub fn load(source: &str, requested: &RequestedOptions) -> (Session, Vec<Diagnostic>) {
        let loaded = crate::lang::load(source, requested);
        let session = Session {
            source: source.to_string(),
            options: loaded.options,
            program: loaded.program.map(Rc::new),
            budgets: Budgets::default(),
            task: Task::Check,
            phase: Phase::Idle,
            reach: None,
            walk: None,
            run: None,
            fault: None,
            projection: None,
            projected: false,
            beside: None,
            beside_until: 0,
            executed: None,
            limit: None,
            transitions_seen: 0,
            collect_above: 0,
            items: 0,
        };
        (session, loaded.diagnostics)
    }

    /// Begins a run; forgets what an earlier one found.
    pub fn start(&mut self, task: Task, budgets: Budgets) {
        self.budgets = budgets;
        self.task = task;
        self.reach = None;
        self.walk = None;
        self.run = None;
        self.fault = None;
        self.projection = None;
        self.projected = false;
        self.beside = None;
        self.executed = None;
        self.limit = None;
        self.transitions_seen = 0;
        self.collect_above = (budgets.max_nodes / 2).min(1 << 19);
        self.items = 0;
        self.phase = Phase::Done;
        if let Some(program) = &self.program {
            let limits = KernelLimits { max_nodes: budgets.max_nodes, max_steps: budgets.max_steps };
            match Reach::new(Rc::clone(program), self.options.error, limits) {
                Ok(mut reach) => {
                    reach.domain.kernel.poison(budgets.collect_every_step);
                    self.reach = Some(reach);
                    self.phase = Phase::Forward;
                }
                Err(limit) => self.limit = Some(limit),
            }
        }
    }

    /// One bounded piece of work; is the run over?
    pub fn step(&mut self) -> bool {
        if self.phase == Phase::Done || self.phase == Phase::Idle {
            return true;
        }
        self.items += 1;
        if let Err(limit) = self.advance() {
            self.stop(limit);
        }
        self.collect();
        self.phase == Phase::Done
    }

    /// Ends the run where it is, for a limit that the driver keeps (its clock, a Stop button).
    pub fn stop(&mut self, limit: Limit) {
        if self.phase != Phase::Done {
            self.limit = Some(limit);
            self.phase = Phase::Done;
        }
    }

    /// Runs to the end.
    pub fn run(&mut self) {
        while !self.step() {}
    }

    fn advance(&mut self) -> Bounded<()> {
        let Some(reach) = &mut self.reach else { return Ok(()) };
        match self.phase {
            Phase::Forward => {
                reach.step()?;
                if self.run.is_none() && reach.saw_error(&mut self.transitions_seen) {
                    self.walk = Walk::new(reach)?;
                    self.phase = Phase::Witness;
                } else if reach.is_done() {
                    self.forward_done()?;
                }
            }
            Phase::Witness => {
                let walk = self.walk.as_mut().expect("the phase begins with a walk");
                if let Some(counterexample) = walk.step(reach)? {
                    self.walk = None;
                    self.replay(&counterexample);
                    self.phase = if self.task == Task::Check || self.fault.is_some() { Phase::Done } else { Phase::Forward };
                    if self.phase == Phase::Forward && self.reach.as_ref().is_some_and(Reach::is_done) {
                        self.forward_done()?;
                    }
                }
            }
            Phase::Backward | Phase::Contexts | Phase::Statements => {
                let projection = self.projection.as_mut().expect("the phase begins with a projection");
                projection.step(reach)?;
                self.phase = match projection.phase() {
                    ProjectionPhase::Backward => Phase::Backward,
                    ProjectionPhase::Contexts => Phase::Contexts,
                    ProjectionPhase::Statements => Phase::Statements,
                    ProjectionPhase::Done => {
                        self.projected = true;
                        Phase::Done
                    }
                };
            }
            Phase::Idle | Phase::Done => {}
        }
        Ok(())
    }

    fn forward_done(&mut self) -> Bounded<()> {
        let Some(reach) = &mut self.reach else { return Ok(()) };
        self.executed = Some(reach.executed()?);
        self.phase = Phase::Done;
        if let Task::Projection(method) = self.task {
            // Of a safe program the exact projection is empty; the naive one need not be, and shows that.
            if self.run.is_some() || method == Method::Naive {
                self.projection = Some(ErrorProjection::new(reach, method)?);
                self.phase = Phase::Backward;
            } else {
                self.projected = true;
            }
        }
        Ok(())
    }

    fn replay(&mut self, counterexample: &Counterexample) {
        let program = self.program.as_ref().expect("only programs are run");
        match replay::replay(program, counterexample) {
            Ok(run) => self.run = Some(run),
            Err(contradiction) => self.fault = Some(contradiction),
        }
    }

    fn collect(&mut self) {
        let Some(reach) = &mut self.reach else { return };
        if !self.budgets.collect_every_step && reach.domain.kernel.live_nodes() < self.collect_above {
            return;
        }
        self.collect_garbage();
    }

    fn collect_garbage(&mut self) {
        let Some(reach) = &mut self.reach else { return };
        let mut roots: Vec<Bdd> = Vec::new();
        reach.roots(&mut roots);
        for projection in self.projection.iter().chain(&self.beside) {
            projection.roots(&mut roots);
        }
        reach.domain.kernel.collect(&roots);
        let live = reach.domain.kernel.live_nodes();
        self.collect_above = (2 * live).max(1 << 19).min(self.budgets.max_nodes.max(live + 1));
    }

    /// The program's text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The options in force.
    pub fn options(&self) -> &EffectiveOptions {
        &self.options
    }

    /// The program, if it could be read.
    pub fn program(&self) -> Option<&Program> {
        self.program.as_deref()
    }

    /// What is computed.
    pub fn task(&self) -> Task {
        self.task
    }

    /// Where the run is.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Pieces of work done.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// The answer so far; meaningful once the run is over.
    pub fn outcome(&self) -> Outcome {
        match (&self.run, self.limit) {
            _ if self.fault.is_some() => Outcome::Fault,
            (Some(_), _) => Outcome::Unsafe,
            (None, Some(limit)) => Outcome::Unknown(limit),
            (None, None) => Outcome::Safe,
        }
    }

    /// The limit that ended the run early, also when the verdict was found before.
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// How the interpreter contradicts the engine.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The failing run.
    pub fn failing_run(&self) -> Option<&ReplayedRun> {
        self.run.as_ref()
    }

    /// By edge: does some run execute it? Known once post\* is complete.
    pub fn executed(&self) -> Option<&[bool]> {
        self.executed.as_deref()
    }

    /// By edge: does some failing run execute it? Known once the projection is complete.
    pub fn lit(&self) -> Option<Vec<bool>> {
        let edges = self.program.as_ref()?.edges.len();
        self.projected.then(|| self.projection.as_ref().map_or_else(|| vec![false; edges], |p| p.lit().to_vec()))
    }

    /// By edge: does some failing run execute it and go on behind it? Known once the projection is complete.
    pub fn passed(&self) -> Option<Vec<bool>> {
        let edges = self.program.as_ref()?.edges.len();
        self.projected.then(|| self.projection.as_ref().map_or_else(|| vec![false; edges], |p| p.passed().to_vec()))
    }

    /// Most nodes alive, steps, and bytes held by the kernel.
    pub fn statistics(&self) -> (u64, u64, u64) {
        self.reach.as_ref().map_or((0, 0, 0), |reach| {
            let kernel = &reach.domain.kernel;
            (kernel.peak_nodes(), kernel.steps(), kernel.bytes())
        })
    }

    /// Nodes alive now.
    pub fn live_nodes(&self) -> u64 {
        self.reach.as_ref().map_or(0, |reach| reach.domain.kernel.live_nodes())
    }

    /// The weights behind the answers, to look into a statement.
    pub fn reach_mut(&mut self) -> Option<&mut Reach> {
        self.reach.as_mut()
    }

    /// Lets the kernel take this many more steps, and a quarter more nodes, than it was given: for looking into answers.
    pub fn allow_more(&mut self, steps: u64) {
        self.collect_garbage();
        if let Some(reach) = &mut self.reach {
            let kernel = &mut reach.domain.kernel;
            let max_nodes = self.budgets.max_nodes + self.budgets.max_nodes / 4;
            let max_steps = kernel.steps() + steps;
            kernel.set_limits(KernelLimits { max_nodes, max_steps });
        }
    }
}
