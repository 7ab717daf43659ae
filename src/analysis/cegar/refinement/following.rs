//! The rounds of the loop that follow variables, once predicates have had their share.
//!
//! Predicates have a share of the kernel steps ([`Shares`](super::Shares)). When it is used up, or
//! another limit is hit, the loop follows the variables that its predicates mention, and goes on
//! with those that interpolants mention. The predicates stay, to be looked at.
//!
//! Few variables make small diagrams in most programs. In some they make large ones: a counter
//! whose guard is not followed counts without end. So once searches have had a share of their own,
//! a rival begins beside the rounds: the search that follows all variables at once. The two take
//! turns. Whichever decides first, decides.

use super::{Cegar, Outcome, Phase};
use crate::analysis::cegar::extracted::Extracted;
use crate::analysis::cegar::following::{
    Followed, Following, Found, executed, mentioned, only_compared, read_along, trace_dag,
};
use crate::analysis::cegar::interpolants::Interpolants;
use crate::analysis::cegar::interpolation::Interpolation;
use crate::analysis::cegar::round::Round;
use crate::analysis::counterexample::Counterexample;
use crate::bdd::{Bdd, KernelLimits};
use crate::lang::model::VariableId;
use crate::util::{Bounded, Limit};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The search that follows all variables, beside the rounds.
#[derive(Default)]
pub(super) enum Rival {
    /// The rounds are alone so far.
    #[default]
    NotYet,
    /// It takes turns with them.
    Searching {
        search: Box<Following>,
        /// Kernel steps of everything else when it began.
        others: u64,
    },
    /// It hit this limit, or it became the round under way, which a limit may end.
    Over(Limit),
}

/// What kernels that are gone took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FollowedKernels {
    steps: u64,
    peak_nodes: u64,
}

/// The limits that leave something to try.
fn may_go_on(limit: Limit) -> bool {
    matches!(limit, Limit::Nodes | Limit::Steps | Limit::Depth)
}

impl Cegar {
    /// Kernel steps so far, of all kernels.
    pub fn steps(&self) -> u64 {
        let searches = self.searches().map(|search| search.kernel().steps()).sum::<u64>();
        self.abstracted.domain.kernel.steps() + self.followed_kernels.steps + searches
    }

    /// Nodes alive now, in all kernels.
    pub fn live_nodes(&self) -> u64 {
        let searches = self.searches().map(|search| search.kernel().live_nodes()).sum::<u64>();
        self.abstracted.domain.kernel.live_nodes() + searches
    }

    /// The most nodes alive at once, by the kernel that had most of them.
    pub fn peak_nodes(&self) -> u64 {
        let searches = self.searches().map(|search| search.kernel().peak_nodes()).max();
        let kernel = &self.abstracted.domain.kernel;
        kernel.peak_nodes().max(self.followed_kernels.peak_nodes).max(searches.unwrap_or(0))
    }

    /// Bytes that the kernels hold now.
    pub fn bytes(&self) -> u64 {
        let searches = self.searches().map(|search| search.kernel().bytes()).sum::<u64>();
        self.abstracted.domain.kernel.bytes() + searches
    }

    /// The searches under way that follow variables.
    fn searches(&self) -> impl Iterator<Item = &Following> {
        let of_round = match &self.phase {
            Phase::Follow(search) => Some(search),
            _ => None,
        };
        let beside = match &self.rival {
            Rival::Searching { search, .. } => Some(search),
            Rival::NotYet | Rival::Over(_) => None,
        };
        of_round.into_iter().chain(beside).map(Box::as_ref)
    }

    /// May the loop follow variables?
    pub(super) fn may_follow(&self) -> bool {
        self.options.follow && !self.source.concurrency.has_threads()
    }

    /// The limits of the kernel that has the predicates.
    pub(super) fn limits_of_predicates(&self) -> KernelLimits {
        if self.may_follow() && self.followed.is_none() {
            let max_steps = self.limits.max_steps.min(self.shares.predicates);
            KernelLimits { max_steps, ..self.limits }
        } else {
            self.limits
        }
    }

    /// What comes after a limit: rounds that follow variables, or the end.
    pub(super) fn beyond(&mut self, limit: Limit) -> Bounded<Phase> {
        if !may_go_on(limit) || !self.may_follow() || self.steps() >= self.limits.max_steps {
            return Err(limit);
        }
        if self.followed.is_none() {
            return self.begin_following();
        }
        // The interpolants of a trace are too large.
        if let Some(extracted) = self.round().extracted.clone() {
            let new = self.add_followed(read_along(&self.source, &extracted));
            if !new.is_empty() {
                return self.next_round(new);
            }
        }
        // With some variables the search is too large. It may be smaller with all of them.
        match self.follow_all() {
            new if new.is_empty() => Err(limit),
            new => self.next_round(new),
        }
    }

    /// Follows the variables that the predicates so far mention.
    fn begin_following(&mut self) -> Bounded<Phase> {
        let mut formulas: Vec<Bdd> = Vec::new();
        for (_, list) in self.abstracted.predicates.points() {
            formulas.extend(list.iter().map(|predicate| predicate.formula));
        }
        let domain = &self.abstracted.domain;
        let variables = mentioned(&domain.kernel, &domain.layout, &formulas);
        if self.is_sliced {
            self.restart(Rc::clone(&self.source))?;
            self.is_sliced = false;
        }
        self.followed = Some(Followed::none_of(&self.source));
        let new = self.add_followed(variables);
        self.next_round(new)
    }

    fn add_followed(&mut self, variables: impl IntoIterator<Item = VariableId>) -> Vec<VariableId> {
        self.followed.as_mut().map(|followed| followed.add(variables)).unwrap_or_default()
    }

    /// Follows all variables. Returns those that are new.
    fn follow_all(&mut self) -> Vec<VariableId> {
        let count = self.source.variables.len() as u32;
        self.add_followed((0..count).map(VariableId))
    }

    /// Begins a round that follows these variables as well.
    fn next_round(&mut self, new: Vec<VariableId>) -> Bounded<Phase> {
        let Some(followed) = self.followed.clone() else { return Err(Limit::Steps) };
        self.round().followed = new;
        self.rounds.push(Round { follows: Some(followed.count()), ..Round::default() });
        if followed.is_all() {
            match std::mem::replace(&mut self.rival, Rival::Over(Limit::Nodes)) {
                Rival::Searching { search, .. } => return Ok(Phase::Follow(search)),
                Rival::NotYet => {}
                Rival::Over(limit) => return Err(limit),
            }
        }
        Ok(Phase::Follow(self.search(&followed, self.steps())?))
    }

    /// Prepares the search that follows these variables, after so many kernel steps.
    fn search(&self, followed: &Followed, spent: u64) -> Bounded<Box<Following>> {
        let max_steps = self.limits.max_steps.saturating_sub(spent);
        let limits = KernelLimits { max_steps, ..self.limits };
        let alarm = self.alarm.clone();
        let mut search = Following::new(&self.source, followed, self.error_line, limits, alarm)?;
        if self.collect_every_step {
            search.collect_every_step();
        }
        Ok(Box::new(search))
    }

    pub(super) fn follow(&mut self, mut search: Box<Following>) -> Bounded<Phase> {
        if self.steps() + search.kernel().steps() >= self.limits.max_steps && !search.is_proving() {
            self.count(&search);
            return Err(Limit::Steps);
        }
        if self.is_rivals_turn(&search)? {
            return self.step_rival(search);
        }
        let found = search.step();
        if matches!(found, Ok(Found::NotYet | Found::Safe)) {
            return Ok(Phase::Follow(search));
        }
        let is_proving = search.is_proving();
        self.count(&search);
        match found {
            Ok(Found::NotYet | Found::Safe) => Ok(Phase::Follow(search)),
            Ok(Found::Run(run)) => self.examine(&run),
            Ok(Found::Broken(obligation)) => {
                Ok(Phase::fault(format!("the invariant is none: {obligation:?}")))
            }
            Ok(Found::Proved) => Ok(Phase::Done(Outcome::Safe { proved: Ok(()) })),
            Err(limit) if is_proving => Ok(Phase::Done(Outcome::Safe { proved: Err(limit) })),
            Err(limit) => Err(limit),
        }
    }

    /// Notes what the kernel of a search took that is over.
    fn count(&mut self, search: &Following) {
        let FollowedKernels { steps, peak_nodes } = &mut self.followed_kernels;
        *steps += search.kernel().steps();
        *peak_nodes = (*peak_nodes).max(search.kernel().peak_nodes());
    }

    /// Is it the turn of the rival of this search? Begins the rival once searches have had their
    /// share.
    fn is_rivals_turn(&mut self, search: &Following) -> Bounded<bool> {
        let is_all = self.followed.as_ref().is_none_or(Followed::is_all);
        if search.is_proving() || is_all {
            return Ok(false);
        }
        let searched = self.followed_kernels.steps + search.kernel().steps();
        let others = self.abstracted.domain.kernel.steps() + searched;
        match &self.rival {
            Rival::NotYet if searched > self.shares.searches => {
                let mut all = Followed::none_of(&self.source);
                all.add((0..self.source.variables.len() as u32).map(VariableId));
                let search = self.search(&all, others)?;
                self.rival = Rival::Searching { search, others };
                Ok(true)
            }
            Rival::Searching { search, others: before } => {
                let share = (others - before).saturating_mul(self.shares.rival);
                Ok(search.kernel().steps() <= share)
            }
            Rival::NotYet | Rival::Over(_) => Ok(false),
        }
    }

    /// Does a piece of the rival's search, while the search of the round waits. If the rival has
    /// found something, its search is the next round.
    fn step_rival(&mut self, waiting: Box<Following>) -> Bounded<Phase> {
        let Rival::Searching { search, .. } = &mut self.rival else {
            return Ok(Phase::Follow(waiting));
        };
        let found = match search.step() {
            Ok(Found::NotYet) => return Ok(Phase::Follow(waiting)),
            Err(limit) if may_go_on(limit) => {
                let over = Rival::Over(limit);
                if let Rival::Searching { search, .. } = std::mem::replace(&mut self.rival, over) {
                    self.count(&search);
                }
                return Ok(Phase::Follow(waiting));
            }
            Err(limit) => return Err(limit),
            Ok(found) => found,
        };
        self.count(&waiting);
        let new = self.follow_all();
        let next = self.next_round(new)?;
        let (Found::Run(run), Phase::Follow(search)) = (found, &next) else { return Ok(next) };
        self.count(search);
        self.examine(&run)
    }

    /// Is it a run of the program? If not, is its trace spurious?
    fn examine(&mut self, run: &Counterexample) -> Bounded<Phase> {
        let edges: Vec<_> = run.steps.iter().map(|step| step.edge).collect();
        let extracted = match trace_dag(&self.source, &edges, run.error) {
            Ok(extracted) => Rc::new(extracted),
            Err(error) => {
                return Ok(Phase::fault(format!("the trace's DAG is none: {error:?}")));
            }
        };
        self.round().extracted = Some(Rc::clone(&extracted));
        if let Some(run) = executed(&self.source, run) {
            self.round().is_executed = true;
            return Ok(Phase::Done(Outcome::Unsafe(run)));
        }
        let kernel = &mut self.abstracted.domain.kernel;
        let max_steps = kernel.steps() + self.shares.interpolants;
        kernel.set_limits(KernelLimits { max_steps, ..self.limits });
        let heuristic = self.options.heuristic;
        let interpolation = Interpolation::of_chosen(&extracted.dag, heuristic);
        let interpolation = Box::new(self.with_slice(interpolation, &extracted.dag));
        Ok(Phase::Interpolate { extracted, interpolation })
    }

    /// Follows what the interpolants of a spurious trace mention. If all of that is followed, also
    /// what the trace reads. If searches have taken long, also what it reads and only compares.
    pub(super) fn follow_mentioned(
        &mut self,
        extracted: &Extracted,
        interpolants: &Interpolants,
    ) -> Bounded<Phase> {
        let formulas = interpolants.chosen.concat();
        let domain = &self.abstracted.domain;
        let variables = mentioned(&domain.kernel, &domain.layout, &formulas);
        let mut new = self.add_followed(variables);
        let read = read_along(&self.source, extracted);
        if new.is_empty() {
            new = self.add_followed(read);
        } else if self.followed_kernels.steps > self.shares.searches {
            let only_compared = only_compared(&self.source);
            let read: BTreeSet<VariableId> =
                read.into_iter().filter(|variable| only_compared[*variable]).collect();
            new.extend(self.add_followed(read));
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
