//! The naive projection, for comparison with the exact one. It shares the kernel of a finished run.

use crate::analysis::error_projection::{ErrorProjection, Phase};
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, KernelLimits, Roots};
use crate::util::Limit;
use crate::wire::projection::Method;

/// The naive projection of a finished run.
pub(super) enum Comparison {
    /// In progress, within these limits of the kernel.
    Running(ErrorProjection, KernelLimits),
    /// Complete.
    Complete(ErrorProjection),
    /// Given up because of a limit.
    GivenUp(Limit),
}

impl Roots for Comparison {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Comparison::Running(naive, _) | Comparison::Complete(naive) => naive.roots(roots),
            Comparison::GivenUp(_) => {}
        }
    }
}

impl Comparison {
    /// Begins the naive projection.
    pub(super) fn begin(reach: &mut Reach, limits: KernelLimits) -> Comparison {
        reach.domain.kernel.set_limits(limits);
        match ErrorProjection::new(reach, Method::Naive) {
            Ok(naive) => Comparison::Running(naive, limits),
            Err(limit) => Comparison::GivenUp(limit),
        }
    }

    /// Does one bounded piece of work. A limit gives it up.
    pub(super) fn step(&mut self, reach: &mut Reach) {
        let Comparison::Running(naive, limits) = self else { return };
        // A question about a statement may have changed the limits since the last step.
        reach.domain.kernel.set_limits(*limits);
        match naive.step(reach) {
            Err(limit) => *self = Comparison::GivenUp(limit),
            Ok(()) if naive.phase() == Phase::Done => self.complete(),
            Ok(()) => {}
        }
    }

    fn complete(&mut self) {
        let over = Comparison::GivenUp(Limit::Time);
        if let Comparison::Running(naive, _) = std::mem::replace(self, over) {
            *self = Comparison::Complete(naive);
        }
    }

    /// Gives up, unless the projection is over.
    pub(super) fn stop(&mut self, limit: Limit) {
        if !self.is_over() {
            *self = Comparison::GivenUp(limit);
        }
    }

    /// Is it complete or given up?
    pub(super) fn is_over(&self) -> bool {
        !matches!(self, Comparison::Running(..))
    }

    /// The limit because of which it was given up.
    pub(super) fn limit(&self) -> Option<Limit> {
        match self {
            Comparison::GivenUp(limit) => Some(*limit),
            Comparison::Running(..) | Comparison::Complete(_) => None,
        }
    }

    /// The naive projection, once it is complete.
    pub(super) fn naive(&self) -> Option<&ErrorProjection> {
        match self {
            Comparison::Complete(naive) => Some(naive),
            Comparison::Running(..) | Comparison::GivenUp(_) => None,
        }
    }

    /// The same, to ask it.
    pub(super) fn naive_mut(&mut self) -> Option<&mut ErrorProjection> {
        match self {
            Comparison::Complete(naive) => Some(naive),
            Comparison::Running(..) | Comparison::GivenUp(_) => None,
        }
    }
}
