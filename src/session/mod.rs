//! The one façade that the page's worker and the command line use: load a program, run an analysis
//! in small steps, read the answers.
//!
//! A session never blocks and knows no clock: [`Session::step`] does one bounded piece of work, and
//! its driver decides when to stop. A limit ends a phase, not the session: what was found before
//! stays.

mod affine;
mod annotated;
mod answers;
mod cegar;
mod closest;
mod early;
mod explain;
mod focus;
mod inspect;
mod job;
pub mod lab;
mod localize;
mod proof;
mod raw;
mod raw_through;
mod raw_weights;
mod refined;
mod repair;
mod repair_hints;
mod replay;
mod seek;
mod suspects;
mod task;
mod threads;

use crate::analysis::chop::Chop;
use crate::analysis::counterexample::{Counterexample, Walk};
use crate::analysis::error_projection::{ErrorProjection, Method, Phase as ProjectionPhase};
use crate::analysis::invariant::check::Errors;
use crate::analysis::localize::correct::CorrectTransitions;
use crate::analysis::reach::Reach;
use crate::analysis::slice::Slice;
use crate::bdd::{KernelLimits, roots_of};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::error_states::{ErrorState, with_error_states};
use crate::lang::model::{EdgeId, Program};
use crate::util::{Bounded, Limit, Progress};
use crate::wire::options::{EffectiveOptions, RequestedOptions};
pub use affine::AffineSession;
pub use cegar::CegarSession;
pub use closest::CorrectRun;
pub use explain::{ExplainOptions, ExplainSession, ExplainStage};
pub use focus::FocusSession;
pub use job::Job;
pub use lab::LabSession;
pub use localize::{
    Ending, Judged, LocalizeOptions, LocalizeSession, LocalizeStage, LocalizedTrace,
};
pub use proof::Proof;
use proof::Proving;
pub use raw::{RawSession, ReplayedRawRun};
pub use raw_through::{RawSought, RawThrough};
pub use raw_weights::{TotalWeight, Totals};
pub use repair::{Refuted, Repair, RepairOptions, RepairSession, Verified};
pub use repair_hints::RepairHints;
pub use replay::{ReplayedEntry, ReplayedRun};
pub use seek::{Certainty, Sought, Through};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
pub use suspects::SuspectsSession;
pub use task::{Budgets, Outcome, Phase, Task};
pub use threads::{InterleavedFailure, ThreadsMethod, ThreadsOptions, ThreadsSession};

/// A loaded program and what is known about it.
pub struct Session {
    source: String,
    options: EffectiveOptions,
    program: Option<Rc<Program>>,
    /// Instead of a program.
    raw: Option<RawSession>,
    budgets: Budgets,
    task: Task,
    phase: Phase,
    reach: Option<Reach>,
    walk: Option<Walk>,
    run: Option<ReplayedRun>,
    certainty: Certainty,
    /// A search beside post\*.
    early: early::Early,
    search: Option<seek::Search>,
    sought_sets: Option<Vec<Vec<EdgeId>>>,
    through: Option<Through>,
    proving: Option<Proving>,
    proof: Option<Proof>,
    fault: Option<String>,
    projection: Option<ErrorProjection>,
    /// Of methods that go statement by statement.
    chop: Option<Chop>,
    projected: bool,
    /// While causes are looked for.
    correct: Option<CorrectTransitions>,
    /// The naive projection beside the exact one, once somebody asks for it.
    beside: Option<ErrorProjection>,
    /// The kernel's steps at which it is given up.
    beside_until: u64,
    executed: Option<Vec<bool>>,
    sample: Option<Vec<EdgeId>>,
    slice: Option<Slice>,
    limit: Option<Limit>,
    transitions_seen: usize,
    items: u64,
    alarm: Option<Arc<AtomicBool>>,
}

impl Job for Session {
    fn step(&mut self) -> bool {
        if self.phase == Phase::Done || self.phase == Phase::Idle {
            return true;
        }
        self.items += 1;
        if let Some(raw) = &mut self.raw {
            match raw.step() {
                Ok(()) => self.phase = raw.phase(),
                Err(limit) => self.stop(limit),
            }
            return self.phase == Phase::Done;
        }
        let mut advanced = self.advance();
        if advanced.is_ok() && self.phase == Phase::Done {
            advanced = self.seek_shortest();
        }
        if let Err(limit) = advanced {
            self.stop(limit);
        }
        self.collect();
        self.phase == Phase::Done
    }

    fn stop(&mut self, limit: Limit) {
        if self.phase == Phase::Proof && self.proof.is_none() {
            self.proof = Some(Proof::Unchecked(limit));
        }
        if let Some(raw) = self.raw.as_mut().filter(|raw| raw.search.is_some()) {
            raw.cancel_through(limit);
            self.phase = Phase::Done;
        } else if self.phase == Phase::Shortest && self.raw.is_none() {
            self.give_up_search(limit);
        } else if self.phase != Phase::Done {
            self.limit = Some(limit);
            self.phase = Phase::Done;
        }
    }

    fn limit(&self) -> Option<Limit> {
        self.limit.or_else(|| self.has_threads().then_some(Limit::Threads))
    }

    fn progress(&self) -> Progress {
        Progress {
            stage: self.phase.stage(),
            items: self.items,
            nodes: self.live_nodes(),
            steps: self.statistics().1,
        }
    }

    fn set_alarm(&mut self, alarm: Arc<AtomicBool>) {
        self.alarm = Some(alarm);
    }
}

impl Session {
    /// Reads a program. Without a program (see the diagnostics), a run is over before it starts.
    pub fn load(source: &str, requested: &RequestedOptions) -> (Session, Vec<Diagnostic>) {
        if crate::lang::dialect_of(source, requested).is_raw() {
            let loaded = crate::lang::raw::load(source, requested);
            let raw = loaded
                .system
                .map(|system| RawSession::new(system, requested.saturation.unwrap_or_default()));
            return (Session::new(source, loaded.options, None, raw), loaded.diagnostics);
        }
        let loaded = crate::lang::load(source, requested);
        (
            Session::new(source, loaded.options, loaded.program.map(Rc::new), None),
            loaded.diagnostics,
        )
    }

    fn new(
        source: &str,
        options: EffectiveOptions,
        program: Option<Rc<Program>>,
        raw: Option<RawSession>,
    ) -> Session {
        Session {
            source: source.to_string(),
            options,
            program,
            raw,
            budgets: Budgets::default(),
            task: Task::Check,
            phase: Phase::Idle,
            reach: None,
            walk: None,
            run: None,
            certainty: Certainty::Open,
            early: early::Early::Waiting,
            search: None,
            sought_sets: None,
            through: None,
            proving: None,
            proof: None,
            fault: None,
            projection: None,
            chop: None,
            projected: false,
            correct: None,
            beside: None,
            beside_until: 0,
            executed: None,
            sample: None,
            slice: None,
            limit: None,
            transitions_seen: 0,
            items: 0,
            alarm: None,
        }
    }

    /// The same program in which these states are errors too; nothing is analysed yet.
    pub fn with_error_states(&self, states: &[ErrorState]) -> Session {
        let program =
            self.program.as_ref().map(|program| Rc::new(with_error_states(program, states)));
        let mut session = Session::new(&self.source, self.options.clone(), program, None);
        session.alarm = self.alarm.clone();
        session
    }

    /// Begins a run; forgets what an earlier one found.
    pub fn start(&mut self, task: Task, budgets: Budgets) {
        self.budgets = budgets;
        self.task = task;
        self.reach = None;
        self.walk = None;
        self.run = None;
        self.certainty = Certainty::Open;
        self.early = early::Early::Waiting;
        self.search = None;
        self.sought_sets = None;
        self.through = None;
        self.proving = None;
        self.proof = None;
        self.fault = None;
        self.projection = None;
        self.chop = None;
        self.projected = false;
        self.correct = None;
        self.beside = None;
        self.executed = None;
        self.slice = None;
        self.limit = None;
        self.transitions_seen = 0;
        self.items = 0;
        self.phase = Phase::Done;
        if let Some(raw) = &mut self.raw {
            match raw.start(task != Task::Check, budgets, self.alarm.clone()) {
                Ok(()) => self.phase = raw.phase(),
                Err(limit) => self.limit = Some(limit),
            }
        }
        if self.program.is_some() {
            match self.begin_poststar(budgets.max_steps) {
                Ok(()) => self.phase = Phase::Forward,
                Err(limit) => self.limit = Some(limit),
            }
        }
    }

    /// post\* from its start, in a kernel of its own with so many steps.
    fn begin_poststar(&mut self, max_steps: u64) -> Bounded<()> {
        let (Some(program), budgets) = (&self.program, self.budgets) else { return Ok(()) };
        let limits = KernelLimits { max_nodes: budgets.max_nodes, max_steps };
        let mut reach = Reach::new(Rc::clone(program), self.options.error, limits)?;
        reach.domain.kernel.set_alarm(self.alarm.clone());
        reach.domain.kernel.collect_after_every_step(budgets.collect_every_step);
        reach.domain.accelerate_loops(budgets.loops);
        self.reach = Some(reach);
        Ok(())
    }

    /// From the next run on, methods that go statement by statement decide these statements only
    /// (all, if `None`): for measuring what all of them would take.
    pub fn sample(&mut self, edges: Option<Vec<EdgeId>>) {
        self.sample = edges;
    }

    fn advance(&mut self) -> Bounded<()> {
        if self.phase == Phase::Shortest {
            return self.advance_search();
        }
        if self.phase == Phase::Forward && self.search_early()? {
            return Ok(());
        }
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
                    self.phase = if self.task == Task::Check || self.fault.is_some() {
                        Phase::Done
                    } else {
                        Phase::Forward
                    };
                    if self.phase == Phase::Forward
                        && self.reach.as_ref().is_some_and(Reach::is_done)
                    {
                        self.forward_done()?;
                    }
                }
            }
            Phase::Proof => {
                let proving = self.proving.as_mut().expect("the phase begins with an invariant");
                match proving.step(reach) {
                    None => {}
                    Some(Ok(proof)) => {
                        self.proof = Some(proof);
                        self.project()?;
                    }
                    Some(Err(contradiction)) => {
                        self.fault = Some(contradiction);
                        self.phase = Phase::Done;
                    }
                }
            }
            Phase::Backward | Phase::Contexts | Phase::Statements => {
                let phase = match (&mut self.chop, &mut self.projection) {
                    (Some(chop), _) => {
                        chop.step(reach)?;
                        chop.phase()
                    }
                    (None, Some(projection)) => {
                        projection.step(reach)?;
                        projection.phase()
                    }
                    (None, None) => unreachable!("the phase begins with a projection"),
                };
                self.phase = match phase {
                    ProjectionPhase::Backward => Phase::Backward,
                    ProjectionPhase::Contexts => Phase::Contexts,
                    ProjectionPhase::Statements => Phase::Statements,
                    ProjectionPhase::Done => {
                        self.begin_slice();
                        Phase::Slice
                    }
                };
            }
            Phase::Slice => {
                let slice = self.slice.as_mut().expect("the phase begins with a slice");
                // Too large a slice is left out; it is no limit of the projection.
                if slice.step().is_err() {
                    self.slice = None;
                }
                if self.slice.as_ref().is_none_or(Slice::is_done) {
                    self.phase = Phase::Done;
                }
            }
            Phase::Shortest | Phase::Idle | Phase::Done => {}
        }
        Ok(())
    }

    /// The projection is complete; the slice comes last.
    fn begin_slice(&mut self) {
        self.projected = true;
        self.slice =
            self.program.as_ref().map(|program| Slice::new(Rc::clone(program), self.options.error));
    }

    fn forward_done(&mut self) -> Bounded<()> {
        let Some(reach) = &mut self.reach else { return Ok(()) };
        self.early = early::Early::Over;
        self.executed = Some(reach.executed()?);
        if self.run.is_some() {
            return self.project();
        }
        self.phase = Phase::Proof;
        let errors = self.options.error.map_or(Errors::All, Errors::Line);
        match Proving::new(reach, errors) {
            Ok(proving) => self.proving = Some(proving),
            // The verdict stands without its proof.
            Err(limit) => {
                self.proof = Some(Proof::Unchecked(limit));
                self.project()?;
            }
        }
        Ok(())
    }

    /// post\* is complete, and its verdict final: on to the projection, if one is asked for.
    fn project(&mut self) -> Bounded<()> {
        let Some(reach) = &mut self.reach else { return Ok(()) };
        self.phase = Phase::Done;
        if let Task::Projection(method) = self.task {
            // Of a safe program the exact projection is empty; the naive one need not be, and shows
            // that.
            if self.run.is_some() || method == Method::Naive {
                if method.is_per_statement() {
                    let edges =
                        self.sample.clone().unwrap_or_else(|| reach.program.edge_ids().collect());
                    self.chop = Some(Chop::new(reach, method, edges)?);
                } else {
                    self.projection = Some(ErrorProjection::new(reach, method)?);
                }
                self.phase = Phase::Backward;
            } else {
                self.begin_slice();
                self.phase = Phase::Slice;
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
        let Some(reach) = &self.reach else { return };
        if reach.domain.kernel.is_collection_due() {
            self.collect_garbage();
        }
    }

    fn collect_garbage(&mut self) {
        let Some(reach) = &mut self.reach else { return };
        let projections = (&self.projection, &self.beside, &self.chop);
        let searches = (&self.walk, &self.search, &self.early);
        let others = (&self.correct, &self.proving);
        let roots = roots_of(&[reach, &projections, &searches, &others]);
        reach.domain.kernel.collect(&roots);
    }

    /// Lets the kernel take this many more steps, and a quarter more nodes, than it was given: for
    /// looking into answers.
    pub fn allow_more(&mut self, steps: u64) {
        self.collect_garbage();
        if let Some(reach) = &mut self.reach {
            let kernel = &mut reach.domain.kernel;
            let max_nodes = self.budgets.max_nodes + self.budgets.max_nodes / 4;
            // A search that is on keeps what it was given.
            let max_steps = kernel.limits().max_steps.max(kernel.steps() + steps);
            kernel.set_limits(KernelLimits { max_nodes, max_steps });
        }
    }

    /// A method that goes statement by statement says which ones fail, not with which stores: outer
    /// contexts say that, found when they are asked for.
    pub(super) fn find_contexts(&mut self) -> Bounded<()> {
        if let (true, Some(_), None, Some(reach)) =
            (self.projected, &self.chop, &self.projection, &mut self.reach)
        {
            let mut projection = ErrorProjection::new(reach, Method::Functional)?;
            while matches!(
                projection.phase(),
                ProjectionPhase::Backward | ProjectionPhase::Contexts
            ) {
                projection.step(reach)?;
            }
            self.projection = Some(projection);
        }
        Ok(())
    }
}
