//! The rounds of the loop that follow variables, once predicates have had their share.
//!
//! Predicates have a share of the kernel steps. When it is used up, or another limit is hit, the
//! loop follows the variables that its predicates mention, and goes on with those that interpolants
//! mention. The predicates stay, to be looked at.

use super::{Cegar, FollowedKernels, Outcome, Phase};
use crate::analysis::cegar::extracted::Extracted;
use crate::analysis::cegar::following::{
    Followed, Following, Found, mentioned, read_along, trace_dag,
};
use crate::analysis::cegar::interpolants::Interpolants;
use crate::analysis::cegar::interpolation::Interpolation;
use crate::analysis::cegar::round::Round;
use crate::bdd::{Bdd, KernelLimits};
use crate::encode::ErrorSite;
use crate::lang::model::{EdgeId, VariableId};
use crate::util::{Bounded, Limit};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Kernel steps that predicates have.
const PREDICATES: u64 = 4_000_000;
/// Kernel steps that the interpolants of one trace have. A trace that needs more is excluded by the
/// variables that it reads.
const INTERPOLANTS: u64 = 2_000_000;
/// Kernel steps that searches have in all before a round follows everything that its trace reads:
/// where many variables matter, one round for each would take too long.
const SEARCHES: u64 = 10_000_000;

/// The limits while the loop uses predicates.
pub(super) fn share_of_predicates(limits: KernelLimits) -> KernelLimits {
    KernelLimits { max_steps: limits.max_steps.min(PREDICATES), ..limits }
}

impl Cegar {
    /// Kernel steps so far, of all kernels.
    pub fn steps(&self) -> u64 {
        self.abstracted.domain.kernel.steps()
            + self.followed_kernels.steps
            + self.following().map_or(0, |following| following.kernel().steps())
    }

    /// Nodes alive now, in all kernels.
    pub fn live_nodes(&self) -> u64 {
        let following = self.following().map_or(0, |following| following.kernel().live_nodes());
        self.abstracted.domain.kernel.live_nodes() + following
    }

    /// The most nodes alive at once, by the kernel that had more of them.
    pub fn peak_nodes(&self) -> u64 {
        let following = self.following().map_or(0, |following| following.kernel().peak_nodes());
        let kernel = &self.abstracted.domain.kernel;
        kernel.peak_nodes().max(self.followed_kernels.peak_nodes).max(following)
    }

    /// Bytes that the kernels hold now.
    pub fn bytes(&self) -> u64 {
        let following = self.following().map_or(0, |following| following.kernel().bytes());
        self.abstracted.domain.kernel.bytes() + following
    }

    fn following(&self) -> Option<&Following> {
        match &self.phase {
            Phase::Follow(following) => Some(following),
            _ => None,
        }
    }

    /// What comes after a limit: rounds that follow variables, or the end.
    pub(super) fn beyond(&mut self, limit: Limit) -> Result<Phase, Limit> {
        let may_go_on = matches!(limit, Limit::Nodes | Limit::Steps | Limit::Depth);
        let is_asked = self.options.follow && !self.source.concurrency.has_threads();
        if !may_go_on || !is_asked || self.steps() >= self.limits.max_steps {
            return Err(limit);
        }
        if self.followed.is_none() {
            return self.begin_following();
        }
        // The interpolants of a trace are too large.
        let Some(extracted) = self.round().extracted.clone() else { return Err(limit) };
        let new = self.add_followed(read_along(&self.source, &extracted));
        if new.is_empty() { Err(limit) } else { self.next_round(new) }
    }

    /// Follows the variables that the predicates so far mention.
    fn begin_following(&mut self) -> Bounded<Phase> {
        if self.is_sliced {
            self.restart(Rc::clone(&self.source))?;
            self.is_sliced = false;
        }
        let mut formulas: Vec<Bdd> = Vec::new();
        for (_, list) in self.abstracted.predicates.points() {
            formulas.extend(list.iter().map(|predicate| predicate.formula));
        }
        let domain = &self.abstracted.domain;
        let variables = mentioned(&domain.kernel, &domain.layout, &formulas);
        self.followed = Some(Followed::none_of(&self.source));
        let new = self.add_followed(variables);
        self.next_round(new)
    }

    fn add_followed(&mut self, variables: BTreeSet<VariableId>) -> Vec<VariableId> {
        self.followed.as_mut().map(|followed| followed.add(variables)).unwrap_or_default()
    }

    /// Begins a round that follows these variables as well.
    fn next_round(&mut self, new: Vec<VariableId>) -> Bounded<Phase> {
        let Some(followed) = self.followed.clone() else { return Err(Limit::Steps) };
        self.round().followed = new;
        self.rounds.push(Round { follows: Some(followed.count()), ..Round::default() });
        let spent = self.steps();
        let max_steps = self.limits.max_steps.saturating_sub(spent);
        let limits = KernelLimits { max_steps, ..self.limits };
        let alarm = self.alarm.clone();
        let mut following =
            Following::new(&self.source, &followed, self.error_line, limits, alarm)?;
        if self.collect_every_step {
            following.collect_every_step();
        }
        Ok(Phase::Follow(Box::new(following)))
    }

    pub(super) fn follow(&mut self, mut following: Box<Following>) -> Bounded<Phase> {
        let found = following.step();
        let next = match found {
            Ok(Found::NotYet | Found::Safe) => return Ok(Phase::Follow(following)),
            Ok(Found::Trace { edges, error }) => self.examine(&edges, error),
            Ok(Found::Broken(obligation)) => {
                Ok(Phase::fault(format!("the invariant is none: {obligation:?}")))
            }
            Ok(Found::Proved) => Ok(Phase::Done(Outcome::Safe { proved: Ok(()), invariant: None })),
            Err(limit) if following.is_proving() => {
                Ok(Phase::Done(Outcome::Safe { proved: Err(limit), invariant: None }))
            }
            Err(limit) => Err(limit),
        };
        let kernel = following.kernel();
        let FollowedKernels { steps, peak_nodes } = &mut self.followed_kernels;
        *steps += kernel.steps();
        *peak_nodes = (*peak_nodes).max(kernel.peak_nodes());
        next
    }

    /// Is the trace spurious?
    fn examine(&mut self, edges: &[EdgeId], error: ErrorSite) -> Bounded<Phase> {
        let extracted = match trace_dag(&self.source, edges, error) {
            Ok(extracted) => Rc::new(extracted),
            Err(error) => {
                return Ok(Phase::fault(format!("the trace's DAG is none: {error:?}")));
            }
        };
        let kernel = &mut self.abstracted.domain.kernel;
        let max_steps = kernel.steps() + INTERPOLANTS;
        kernel.set_limits(KernelLimits { max_steps, ..self.limits });
        let heuristic = self.options.heuristic;
        let interpolation = Interpolation::of_chosen(&extracted.dag, heuristic);
        let interpolation = Box::new(self.with_slice(interpolation, &extracted.dag));
        self.round().extracted = Some(Rc::clone(&extracted));
        Ok(Phase::Interpolate { extracted, interpolation })
    }

    /// Follows what the interpolants of a spurious trace mention; if all of that is followed, or
    /// searches have taken long, also what the trace reads.
    pub(super) fn follow_mentioned(
        &mut self,
        extracted: &Extracted,
        interpolants: &Interpolants,
    ) -> Bounded<Phase> {
        let formulas = interpolants.chosen.concat();
        let domain = &self.abstracted.domain;
        let variables = mentioned(&domain.kernel, &domain.layout, &formulas);
        let mut new = self.add_followed(variables);
        if new.is_empty() || self.followed_kernels.steps > SEARCHES {
            new.extend(self.add_followed(read_along(&self.source, extracted)));
            new.sort();
        }
        if new.is_empty() {
            let fault =
                format!("round {} excludes its trace with no new variable", self.rounds.len());
            return Ok(Phase::fault(fault));
        }
        self.next_round(new)
    }
}
