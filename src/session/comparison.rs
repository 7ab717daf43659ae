//! The naive projection, to compare the exact one with. Both share the kernel of a finished run.

use super::run::Run;
use super::{Session, Task};
use crate::analysis::error_projection::{ErrorProjection, Phase};
use crate::bdd::{KernelLimits, impl_roots};
use crate::util::Bounded;
use crate::wire::projection::Method;

/// The naive projection, in progress or complete.
pub(super) struct Comparison {
    naive: ErrorProjection,
    /// The kernel's steps at which it is given up.
    max_steps: u64,
}

impl_roots!(Comparison { naive });

impl Comparison {
    /// The naive projection, once it is complete.
    pub(super) fn complete(&mut self) -> Option<&mut ErrorProjection> {
        self.is_complete().then_some(&mut self.naive)
    }

    fn is_complete(&self) -> bool {
        self.naive.phase() == Phase::Done
    }
}

impl Session {
    /// Can reasons be given? Only with a complete exact projection.
    pub fn explains(&self) -> bool {
        self.run_of_program().is_some_and(Run::explains)
    }

    /// Begins the naive projection, with as many steps again as the run was given; true if there is
    /// something to do.
    pub fn start_comparison(&mut self) -> Bounded<bool> {
        match self.run_mut() {
            Some(run) if run.explains() => run.start_comparison(),
            _ => Ok(false),
        }
    }

    /// Does one bounded piece of work on the naive projection; is it complete? A limit forgets it.
    pub fn step_comparison(&mut self) -> Bounded<bool> {
        self.run_mut().map_or(Ok(true), Run::step_comparison)
    }

    /// Gives the naive projection up, if it is not complete.
    pub fn stop_comparison(&mut self) {
        if let Some(run) = self.run_mut() {
            run.comparison.take_if(|comparison| !comparison.is_complete());
        }
    }

    /// By edge: does the naive projection keep it? Known once [`Self::step_comparison`] says so.
    pub fn in_naive_projection(&self) -> Option<&[bool]> {
        let comparison = self.run_of_program()?.comparison.as_ref()?;
        comparison.is_complete().then(|| comparison.naive.in_projection())
    }
}

impl Run {
    /// Is the exact projection complete?
    pub(super) fn explains(&self) -> bool {
        self.projected.is_some()
            && self.executed.is_some()
            && self.question.task != Task::Projection(Method::Naive)
    }

    fn start_comparison(&mut self) -> Bounded<bool> {
        if let Some(comparison) = &self.comparison {
            return Ok(!comparison.is_complete());
        }
        self.collect_garbage();
        let steps = self.reach.domain.kernel.steps();
        let max_steps = steps.saturating_add(self.question.budgets.max_steps);
        self.allow_until(max_steps);
        let naive = ErrorProjection::new(&mut self.reach, Method::Naive)?;
        self.comparison = Some(Comparison { naive, max_steps });
        Ok(true)
    }

    fn step_comparison(&mut self) -> Bounded<bool> {
        let Some(mut comparison) = self.comparison.take() else { return Ok(true) };
        // A question about a statement may have set other limits meanwhile.
        self.allow_until(comparison.max_steps);
        if let Err(limit) = comparison.naive.step(&mut self.reach) {
            self.collect_garbage();
            return Err(limit);
        }
        let done = comparison.is_complete();
        self.comparison = Some(comparison);
        if self.reach.domain.kernel.is_collection_due() {
            self.collect_garbage();
        }
        Ok(done)
    }

    fn allow_until(&mut self, max_steps: u64) {
        let max_nodes = self.most_nodes_for_answers();
        self.reach.domain.kernel.set_limits(KernelLimits { max_nodes, max_steps });
    }
}
