//! A run of the analysis of a program: post\* with a failing run or a proof, then the projection,
//! the slice, and a shortest failing run.
//!
//! A [`Phase`] owns the data that only this phase needs. Its results stay in the [`Run`].

mod listing;
mod phase;
mod seeking;

use self::listing::Listed;
pub(super) use self::phase::{Phase, Projected};
use super::comparison::Comparison;
use super::search::{Certainty, Through};
use super::{Budgets, Outcome, Task};
use crate::analysis::chop::Chop;
use crate::analysis::counterexample::{Counterexample, Walk};
use crate::analysis::early::{EarlySearch, Turn};
use crate::analysis::error_projection::{ErrorProjection, Phase as ProjectionPhase};
use crate::analysis::invariant::Invariant;
use crate::analysis::invariant::check::Errors;
use crate::analysis::invariant::proving::{Proof, Proving};
use crate::analysis::noticed::{Endless, endless_loops};
use crate::analysis::reach::Reach;
use crate::analysis::replay::{ReplayedRun, replay, replay_ranked};
use crate::analysis::slice::Slice;
use crate::bdd::{KernelLimits, roots_of};
use crate::lang::model::{EdgeId, Program};
use crate::util::{Alarm, Bounded, Limit, Narrow, Progress};
use crate::wire::projection::Method;
use std::rc::Rc;

/// The largest kernel that is copied, in bytes. To copy a larger one takes longer than a short
/// check does.
const MOST_BYTES: u64 = 256_000_000;

/// The question.
pub(super) struct Question {
    pub(super) program: Rc<Program>,
    /// Only errors on this line count, if given.
    pub(super) error: Option<u32>,
    pub(super) task: Task,
    pub(super) budgets: Budgets,
    /// Methods that go statement by statement decide only these statements.
    pub(super) sample: Option<Vec<EdgeId>>,
    /// Is a shortest failing run looked for, once the verdict is known?
    pub(super) seeks_shortest: bool,
    /// Is every check that can fail listed?
    pub(super) lists: bool,
}

/// A run, with its results so far.
pub(super) struct Run {
    pub(super) question: Question,
    pub(super) reach: Reach,
    pub(super) phase: Phase,
    /// The failing run.
    pub(super) failing: Option<ReplayedRun>,
    pub(super) certainty: Certainty,
    /// Runs of different checks, once further ones than that of `failing` are looked for. That one
    /// is first.
    failures: Vec<ReplayedRun>,
    listed: Listed,
    /// Failing runs that the interpreter found by itself, until they are listed.
    executed_runs: Vec<ReplayedRun>,
    /// Most nodes, steps and bytes, where the list is not part of what the verdict took.
    took: Option<(u64, u64, u64)>,
    /// By edge: does some run execute it? Known once post\* is complete.
    pub(super) executed: Option<Vec<bool>>,
    /// The loops that no run leaves. Known once post\* is complete and nothing fails.
    pub(super) endless: Vec<Endless>,
    pub(super) proof: Option<Proof>,
    pub(super) invariant: Option<Invariant>,
    pub(super) projected: Option<Projected>,
    pub(super) slice: Option<Vec<bool>>,
    pub(super) through: Option<Through>,
    pub(super) comparison: Option<Comparison>,
    pub(super) fault: Option<String>,
    pub(super) limit: Option<Limit>,
    transitions_seen: usize,
    items: u64,
}

impl Run {
    /// Prepares post\* in a kernel of its own.
    pub(super) fn new(question: Question, alarm: Option<Alarm>) -> Bounded<Run> {
        let Question { program, error, budgets, .. } = &question;
        // The naive projection also looks at stores that no run reaches: all of them.
        let budgets = match question.task {
            Task::Projection(Method::Naive) => Budgets { narrow: Narrow::Never, ..*budgets },
            _ => *budgets,
        };
        let reach = budgets.reach(Rc::clone(program), *error, alarm)?;
        Ok(Run::of(question, reach))
    }

    /// A run that has found nothing yet.
    fn of(question: Question, reach: Reach) -> Run {
        Run {
            question,
            reach,
            phase: Phase::Forward(EarlySearch::default()),
            failing: None,
            certainty: Certainty::Open,
            failures: Vec::new(),
            listed: Listed::Nothing,
            executed_runs: Vec::new(),
            took: None,
            executed: None,
            endless: Vec::new(),
            proof: None,
            invariant: None,
            projected: None,
            slice: None,
            through: None,
            comparison: None,
            fault: None,
            limit: None,
            transitions_seen: 0,
            items: 0,
        }
    }

    /// Is the verdict known?
    pub(super) fn is_decided(&self) -> bool {
        self.failing.is_some() || self.executed.is_some() || self.fault.is_some()
    }

    /// A copy of the run as a check within these budgets, in a kernel of its own: what a check of
    /// the program would be where it knows the verdict, which it need not find again. `None` if the
    /// verdict is not known, or if the copy would be large.
    pub(super) fn as_check(&self, budgets: Budgets) -> Option<Run> {
        let is_known = self.failing.is_some() || self.proof.is_some();
        let is_small = self.reach.domain.kernel.bytes() <= MOST_BYTES;
        if !is_known || !is_small || self.fault.is_some() {
            return None;
        }
        let Question { program, error, seeks_shortest, .. } = &self.question;
        let question = Question {
            program: Rc::clone(program),
            error: *error,
            task: Task::Check,
            budgets,
            sample: None,
            seeks_shortest: *seeks_shortest,
            lists: false,
        };
        let mut copy = Run {
            phase: Phase::Done,
            failing: self.failing.clone(),
            certainty: self.certainty,
            // A shorter run must be one of the same check.
            failures: self.failures.clone(),
            executed: self.executed.clone(),
            endless: self.endless.clone(),
            proof: self.proof,
            transitions_seen: self.transitions_seen,
            ..Run::of(question, self.reach.clone())
        };
        copy.reach.domain.kernel.set_limits(budgets.limits());
        copy.seek_shortest();
        Some(copy)
    }

    /// Gives the run these budgets. A search for a shorter run has its own part of them.
    pub(super) fn allow(&mut self, budgets: Budgets) {
        if self.question.budgets != budgets {
            self.question.budgets = budgets;
            match self.phase {
                Phase::Shortest(_) => self.allow_search(self.most_for_shortest()),
                Phase::Listing(_) if self.question.task == Task::Check => {
                    self.allow_search(self.most_for_listing());
                }
                _ => self.reach.domain.kernel.set_limits(budgets.limits()),
            }
        }
    }

    pub(super) fn set_alarm(&mut self, alarm: &Alarm) {
        self.reach.domain.kernel.set_alarm(Some(alarm.clone()));
    }

    /// Is the run over, with no work left?
    pub(super) fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    /// Does one bounded piece of work. Returns whether the run is over.
    pub(super) fn step(&mut self) -> bool {
        if self.is_done() {
            return true;
        }
        self.items += 1;
        match self.advance() {
            Ok(()) if self.is_done() => self.seek_more(),
            Ok(()) => {}
            Err(limit) => self.end_phase(limit),
        }
        if self.reach.domain.kernel.is_collection_due() {
            self.collect_garbage();
        }
        self.is_done()
    }

    /// A limit of the engine ends the phase. A search for a shorter run has its own limits: what
    /// else can fail is still looked for.
    fn end_phase(&mut self, limit: Limit) {
        let shortens = matches!(&self.phase, Phase::Shortest(search) if search.through.is_none());
        self.stop(limit);
        if shortens && limit != Limit::Time {
            self.begin_listing();
        }
    }

    /// Ends the run where it is. Results so far are kept.
    pub(super) fn stop(&mut self, limit: Limit) {
        match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Done => return,
            Phase::Shortest(search) => return self.give_up_search(search.through, limit),
            Phase::Listing(_) if self.question.task == Task::Check => {
                return self.stop_listing(limit);
            }
            Phase::Proof(proving) => {
                self.proof = Some(Proof::Unchecked(limit));
                self.invariant = Some(proving.into_invariant());
            }
            _ => {}
        }
        self.stop_listing(limit);
        self.limit = Some(limit);
    }

    /// Allows so many kernel steps from now on, if these are fewer than what is left.
    pub(super) fn allow_at_most(&mut self, steps: u64) {
        let kernel = &mut self.reach.domain.kernel;
        let KernelLimits { max_nodes, max_steps } = kernel.limits();
        let max_steps = max_steps.min(kernel.steps().saturating_add(steps));
        kernel.set_limits(KernelLimits { max_nodes, max_steps });
    }

    fn advance(&mut self) -> Bounded<()> {
        let reach = &mut self.reach;
        match &mut self.phase {
            Phase::Forward(early) => match early.step(reach)? {
                Turn::Poststar => self.step_forward(),
                Turn::Searched => Ok(()),
                Turn::Found(counterexample, rank) => {
                    self.found_early(&counterexample, rank);
                    Ok(())
                }
            },
            Phase::Witness { walk, early } => match walk.step(reach)? {
                None => Ok(()),
                Some(counterexample) => {
                    let early = std::mem::take(early);
                    self.found(&counterexample, early)
                }
            },
            Phase::Listing(_) => self.step_listing(),
            Phase::Proof(proving) => match proving.step(reach) {
                None => Ok(()),
                Some(Ok(proof)) => self.proved(proof),
                Some(Err(contradiction)) => {
                    self.fault = Some(contradiction);
                    self.phase = Phase::Done;
                    Ok(())
                }
            },
            Phase::Contexts(projection) => {
                projection.step(reach)?;
                if projection.phase() == ProjectionPhase::Done {
                    self.begin_slice();
                }
                Ok(())
            }
            Phase::Statements(chop) => {
                chop.step(reach)?;
                if chop.phase() == ProjectionPhase::Done {
                    self.begin_slice();
                }
                Ok(())
            }
            Phase::Slice(slice) => {
                // A slice that is too large is left out. This is no limit of the projection.
                match slice.step() {
                    Ok(()) if !slice.is_done() => return Ok(()),
                    Ok(()) => self.slice = Some(slice.inside().to_vec()),
                    Err(_) => {}
                }
                self.phase = Phase::Done;
                Ok(())
            }
            Phase::Shortest(search) => {
                if let Some(answer) = search.shortest.step(reach)? {
                    self.searched(answer);
                }
                Ok(())
            }
            Phase::Done => Ok(()),
        }
    }

    /// The analysis is over: looks for a shorter run, and then for what else can fail.
    fn seek_more(&mut self) {
        self.seek_shortest();
        if self.is_done() {
            self.begin_listing();
        }
    }

    /// One step of post\*.
    fn step_forward(&mut self) -> Bounded<()> {
        let reach = &mut self.reach;
        reach.step()?;
        if self.failing.is_none()
            && reach.saw_error(&mut self.transitions_seen)
            && let Some(walk) = Walk::new(reach)?
        {
            let early = match &mut self.phase {
                Phase::Forward(early) => std::mem::take(early),
                _ => EarlySearch::Over,
            };
            self.phase = Phase::Witness { walk, early };
            return Ok(());
        }
        if self.reach.is_done() { self.forward_done() } else { Ok(()) }
    }

    /// Takes over a shortest failing run that the search found during post\*.
    fn found_early(&mut self, counterexample: &Counterexample, rank: u64) {
        match replay_ranked(&self.question.program, counterexample, rank) {
            Ok(run) => {
                self.failing = Some(run);
                self.certainty = Certainty::Shortest;
            }
            Err(contradiction) => self.fault = Some(contradiction),
        }
        if self.question.task == Task::Check || self.fault.is_some() {
            self.phase = Phase::Done;
        }
    }

    /// Takes over a failing run that was read off post\*.
    fn found(&mut self, counterexample: &Counterexample, early: EarlySearch) -> Bounded<()> {
        match replay(&self.question.program, counterexample) {
            Ok(run) => self.failing = Some(run),
            Err(contradiction) => self.fault = Some(contradiction),
        }
        if self.question.task == Task::Check || self.fault.is_some() {
            self.phase = Phase::Done;
            return Ok(());
        }
        self.phase = Phase::Forward(early);
        if self.reach.is_done() { self.forward_done() } else { Ok(()) }
    }

    /// Handles the end of post\*.
    fn forward_done(&mut self) -> Bounded<()> {
        self.phase = Phase::Forward(EarlySearch::Over);
        self.executed = Some(self.reach.executed()?);
        if self.failing.is_some() {
            return if self.begin_listing() { Ok(()) } else { self.project() };
        }
        if let Some(executed) = self.executed.as_ref().filter(|_| !self.has_threads()) {
            // The verdict does not depend on it.
            self.endless = endless_loops(&mut self.reach, executed).unwrap_or_default();
        }
        let errors = self.question.error.map_or(Errors::All, Errors::Line);
        match Proving::new(&mut self.reach, errors) {
            Ok(proving) => {
                self.phase = Phase::Proof(proving);
                Ok(())
            }
            // The verdict does not depend on its proof.
            Err(limit) => {
                self.proof = Some(Proof::Unchecked(limit));
                self.project()
            }
        }
    }

    fn proved(&mut self, proof: Proof) -> Bounded<()> {
        self.proof = Some(proof);
        let over = Phase::Forward(EarlySearch::Over);
        if let Phase::Proof(proving) = std::mem::replace(&mut self.phase, over) {
            self.invariant = Some(proving.into_invariant());
        }
        self.project()
    }

    /// The verdict is final: goes on to the projection, if one is asked for.
    fn project(&mut self) -> Bounded<()> {
        let Task::Projection(method) = self.question.task else {
            self.phase = Phase::Done;
            return Ok(());
        };
        let reach = &mut self.reach;
        // The exact projection of a safe program is empty. The naive one may keep statements, and
        // then it is computed to show this.
        if self.failing.is_none() && method != Method::Naive {
            self.begin_slice();
        } else if method.is_per_statement() {
            let edges = match &self.question.sample {
                Some(edges) => edges.clone(),
                None => reach.program.edge_ids().collect(),
            };
            self.phase = Phase::Statements(Chop::new(reach, method, edges)?);
        } else {
            self.phase = Phase::Contexts(ErrorProjection::new(reach, method)?);
        }
        Ok(())
    }

    /// Takes over the complete projection, and begins the slice, which comes last.
    fn begin_slice(&mut self) {
        let slice = Slice::new(Rc::clone(&self.question.program), self.question.error);
        self.projected = Some(match std::mem::replace(&mut self.phase, Phase::Slice(slice)) {
            Phase::Contexts(projection) => Projected::Contexts(projection),
            Phase::Statements(chop) => Projected::Statements(chop, None),
            _ => Projected::Empty,
        });
    }

    /// Collects the diagrams that no part of the run needs.
    pub(super) fn collect_garbage(&mut self) {
        let found = (&self.invariant, &self.projected, &self.comparison);
        let roots = roots_of(&[&self.reach, &self.phase, &found]);
        self.reach.domain.kernel.collect(&roots);
    }

    /// Allows the kernel this many more steps, and a quarter more nodes, than it was given.
    pub(super) fn allow_more(&mut self, steps: u64) {
        self.collect_garbage();
        let max_nodes = self.most_nodes_for_answers();
        let kernel = &mut self.reach.domain.kernel;
        // A search in progress keeps its steps.
        let max_steps = kernel.limits().max_steps.max(kernel.steps() + steps);
        kernel.set_limits(KernelLimits { max_nodes, max_steps });
    }

    /// Is the exact projection complete, so that reasons can be given?
    pub(super) fn explains(&self) -> bool {
        self.projected.is_some()
            && self.executed.is_some()
            && self.question.task != Task::Projection(Method::Naive)
    }

    /// Begins the naive projection, with as many steps as the run was given. Returns false if it is
    /// complete.
    pub(super) fn start_comparison(&mut self) -> bool {
        if let Some(known) = self.comparison.as_ref().filter(|known| known.limit().is_none()) {
            return !known.is_over();
        }
        self.collect_garbage();
        let steps = self.reach.domain.kernel.steps();
        let limits = KernelLimits {
            max_nodes: self.most_nodes_for_answers(),
            max_steps: steps.saturating_add(self.question.budgets.max_steps),
        };
        self.comparison = Some(Comparison::begin(&mut self.reach, limits));
        true
    }

    /// Does one bounded piece of work on the naive projection. Returns whether it is over.
    pub(super) fn step_comparison(&mut self) -> bool {
        let Some(comparison) = self.comparison.as_mut().filter(|known| !known.is_over()) else {
            return true;
        };
        comparison.step(&mut self.reach);
        let is_over = comparison.is_over();
        if comparison.limit().is_some() || self.reach.domain.kernel.is_collection_due() {
            self.collect_garbage();
        }
        is_over
    }

    /// The most nodes for answers: a quarter more than for the run.
    pub(super) fn most_nodes_for_answers(&self) -> u64 {
        let max_nodes = self.question.budgets.max_nodes;
        max_nodes + max_nodes / 4
    }

    /// Methods that go statement by statement find the statements that fail, but not the failing
    /// stores. Outer contexts give these stores. They are computed when they are asked for.
    pub(super) fn find_contexts(&mut self) -> Bounded<()> {
        if let Some(Projected::Statements(_, contexts @ None)) = &mut self.projected {
            let reach = &mut self.reach;
            let mut projection = ErrorProjection::new(reach, Method::Functional)?;
            while matches!(
                projection.phase(),
                ProjectionPhase::Backward | ProjectionPhase::Contexts
            ) {
                projection.step(reach)?;
            }
            *contexts = Some(projection);
        }
        Ok(())
    }

    /// Does the program have threads? A failing run of the first thread alone is a run of the
    /// program. If there is none, nothing follows.
    pub(super) fn has_threads(&self) -> bool {
        self.question.program.concurrency.has_threads()
    }

    /// Does some run end where it needs more objects than the model has? Then nothing follows from
    /// the absence of failing runs.
    fn is_cut_off(&self) -> bool {
        let cut_offs = &self.question.program.cut_offs;
        let executed = self.executed.as_deref();
        cut_offs.iter().any(|edge| executed.is_none_or(|executed| executed[*edge]))
    }

    pub(super) fn outcome(&self) -> Outcome {
        match (&self.failing, self.limit) {
            _ if self.fault.is_some() => Outcome::Fault,
            (Some(_), _) => Outcome::Unsafe,
            // If post\* was complete without an error, no later limit changes the verdict.
            (None, Some(limit)) if self.executed.is_none() => Outcome::Unknown(limit),
            (None, _) if self.has_threads() => Outcome::Unknown(Limit::Threads),
            (None, _) if self.is_cut_off() => Outcome::Unknown(Limit::Heap),
            (None, _) => Outcome::Safe,
        }
    }

    pub(super) fn progress(&self) -> Progress {
        let kernel = &self.reach.domain.kernel;
        Progress {
            stage: self.phase.stage(),
            items: self.items,
            nodes: kernel.live_nodes(),
            steps: kernel.steps(),
            fails: self.failing.is_some(),
        }
    }
}
