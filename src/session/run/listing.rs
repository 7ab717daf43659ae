//! Every check that can fail, each with a run of its own, worst and nearest first.
//!
//! Once post\* is complete, it is known of each check whether it can fail: its error has a weight
//! or it has none. The runs are read off post\* as the first one is. Where the verdict is all that
//! was asked for, post\* is completed for this, within a budget of its own. That comes last, and
//! what it takes is not part of what the verdict took.

use super::{Phase, Run};
use crate::analysis::counterexample::Walk;
use crate::analysis::replay::{ReplayedRun, replay};
use crate::bdd::{Bdd, Roots};
use crate::encode::ErrorSite;
use crate::lang::model::{Check, ErrorKind, Program};
use crate::session::Task;
use crate::util::{Bounded, Limit, order};
use std::collections::VecDeque;

/// The kernel steps for the list where the verdict alone was asked for: this number, and as many as
/// the analysis took, but no more than [`MOST_STEPS`].
const STEPS: u64 = 2_000_000;
const MOST_STEPS: u64 = 6_000_000;

/// Larger numbers are not what a person would try.
const MOST_USUAL: i128 = 1_000_000;

/// How much of the list is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::session) enum Listed {
    /// Nothing beside the first failing run.
    Nothing,
    /// All of it.
    All,
    /// What was found before this limit.
    Until(Limit),
}

/// The list in progress.
pub(in crate::session) struct Listing {
    /// The checks that are still to be decided: those that a person cannot tell apart together.
    waiting: VecDeque<Vec<ErrorSite>>,
    walk: Option<Walk>,
    /// The limit that one of the runs hit.
    limit: Option<Limit>,
}

impl Roots for Listing {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.walk.roots(roots);
    }
}

/// What tells checks apart.
fn key(check: &Check) -> (u32, ErrorKind, &str) {
    (check.line, check.kind, &check.message)
}

/// The checks, those together that a person cannot tell apart.
fn groups(program: &Program, sites: &[ErrorSite]) -> Vec<Vec<ErrorSite>> {
    let check = |site: &ErrorSite| &program.edge(site.edge).checks[site.check];
    let mut sites = sites.to_vec();
    order::sort_by_key(&mut sites, |site| key(check(site)));
    let same = |a: &ErrorSite, b: &ErrorSite| key(check(a)) == key(check(b));
    sites.chunk_by(same).map(<[ErrorSite]>::to_vec).collect()
}

/// How soon a failing run is told: (is it one that only large numbers have, has it large numbers,
/// length, line).
fn rank(program: &Program, run: &ReplayedRun) -> (bool, bool, u64, u32) {
    let mut values = run.entries.iter().flat_map(|entry| &entry.values);
    let is_large = values.any(|(id, bits)| {
        let variable = program.variable(*id);
        let number = |bits: &u64| variable.scalar.number(*bits).unsigned_abs();
        let counts = variable.scalar.is_integer() && variable.has_name();
        counts && bits.iter().any(|bits| number(bits) > MOST_USUAL as u128)
    });
    let overflows = run.check.kind == ErrorKind::Overflow;
    (overflows, is_large, run.length(program), run.check.line)
}

impl Run {
    /// Are there further checks that the list must decide?
    fn has_open_checks(&self) -> bool {
        let wanted = self.question.lists && self.fault.is_none() && self.failing.is_some();
        wanted && self.listed == Listed::Nothing && self.has_several_checks()
    }

    fn has_several_checks(&self) -> bool {
        let program = &self.question.program;
        let check = |site: &ErrorSite| &program.edge(site.edge).checks[site.check];
        let errors = &self.reach.system.errors;
        let mut others = errors.windows(2);
        others.any(|pair| key(check(&pair[0])) != key(check(&pair[1])))
    }

    /// Begins the list, if it is wanted and there is more than one check; has it begun?
    pub(super) fn begin_listing(&mut self) -> bool {
        let Some(failing) = self.failing.clone().filter(|_| self.has_open_checks()) else {
            return false;
        };
        let program = &self.question.program;
        let is_other = |group: &Vec<ErrorSite>| {
            let check = |site: &ErrorSite| &program.edge(site.edge).checks[site.check];
            group.first().is_some_and(|site| key(check(site)) != key(&failing.check))
        };
        let waiting =
            groups(program, &self.reach.system.errors).into_iter().filter(is_other).collect();
        self.failures = vec![failing];
        self.add_executed();
        if self.question.task == Task::Check {
            let kernel = &self.reach.domain.kernel;
            self.took = Some((kernel.peak_nodes(), kernel.steps(), kernel.bytes()));
            self.allow_search(self.most_for_listing());
        }
        self.phase = Phase::Listing(Listing { waiting, walk: None, limit: None });
        true
    }

    /// The kernel steps that the list may take from now on, where the verdict alone was asked for.
    pub(super) fn most_for_listing(&self) -> u64 {
        let used = self.reach.domain.kernel.steps();
        STEPS.saturating_add(used).min(MOST_STEPS).min(self.question.budgets.max_steps)
    }

    /// One bounded piece of the list. A limit ends the list, and not the run.
    pub(super) fn step_listing(&mut self) -> Bounded<()> {
        match self.list_more() {
            Ok(false) => Ok(()),
            Ok(true) => self.listed(None),
            Err(Limit::Time) => Err(Limit::Time),
            Err(limit) => self.listed(Some(limit)),
        }
    }

    /// Is the list complete?
    fn list_more(&mut self) -> Bounded<bool> {
        let Phase::Listing(listing) = &mut self.phase else { return Ok(true) };
        let reach = &mut self.reach;
        if !reach.is_done() {
            reach.step()?;
            return Ok(false);
        }
        if let Some(walk) = &mut listing.walk {
            match walk.step(reach) {
                Ok(None) => return Ok(false),
                Ok(Some(counterexample)) => match replay(&self.question.program, &counterexample) {
                    Ok(run) => self.failures.push(run),
                    Err(contradiction) => self.fault = Some(contradiction),
                },
                // This run is too long to be shown; others need not be.
                Err(Limit::Depth) => listing.limit = Some(Limit::Depth),
                Err(limit) => return Err(limit),
            }
            listing.walk = None;
            return Ok(self.fault.is_some());
        }
        let Some(group) = listing.waiting.pop_front() else { return Ok(true) };
        let check = |site: &ErrorSite| &self.question.program.edge(site.edge).checks[site.check];
        let is_same = |run: &ReplayedRun| {
            group.first().is_some_and(|site| key(check(site)) == key(&run.check))
        };
        if self.failures.iter().any(is_same) {
            return Ok(false);
        }
        listing.walk = Walk::among(reach, &group)?;
        Ok(false)
    }

    /// The list is over. Its first run becomes the one that is shown.
    fn listed(&mut self, limit: Option<Limit>) -> Bounded<()> {
        let over = std::mem::replace(&mut self.phase, Phase::Done);
        let limit = limit.or(match over {
            Phase::Listing(listing) => listing.limit,
            _ => None,
        });
        self.listed = limit.map_or(Listed::All, Listed::Until);
        self.order_failures();
        if self.fault.is_some() {
            return Ok(());
        }
        match self.question.task {
            Task::Check => {
                self.allow_search(self.question.budgets.max_steps);
                Ok(())
            }
            Task::Projection(_) => self.project(),
        }
    }

    /// Puts the worst and nearest run first, and shows it.
    fn order_failures(&mut self) {
        let program = &self.question.program;
        let shown = self.failures.first().map(key_of);
        order::sort_by_key(&mut self.failures, |run| rank(program, run));
        let Some(first) = self.failures.first().filter(|run| Some(key_of(run)) != shown) else {
            return;
        };
        self.failing = Some(first.clone());
        self.certainty = crate::session::Certainty::Open;
    }

    /// Ends the list where it is, or before it began.
    pub(super) fn stop_listing(&mut self, limit: Limit) {
        let Some(failing) = self.failing.clone().filter(|_| self.has_open_checks()) else { return };
        if self.failures.is_empty() {
            self.failures = vec![failing];
            self.add_executed();
        }
        self.listed = Listed::Until(limit);
        self.order_failures();
    }

    /// Takes over failing runs that the interpreter found by itself.
    pub(in crate::session) fn take_executed(&mut self, runs: &[ReplayedRun]) {
        self.executed_runs = runs.to_vec();
        if self.failures.is_empty() {
            return;
        }
        self.add_executed();
        if self.is_done() {
            self.order_failures();
        }
    }

    /// Is all over, and did a limit other than the clock keep checks from being decided?
    pub(in crate::session) fn is_list_cut(&self) -> bool {
        let cut = |limit: Limit| limit != Limit::Time;
        self.is_done() && self.executed.is_none() && self.failures_limit().is_some_and(cut)
    }

    /// Adds those of them that fail at other checks than the runs of the list.
    fn add_executed(&mut self) {
        for run in std::mem::take(&mut self.executed_runs) {
            if !self.failures.iter().any(|known| key(&known.check) == key(&run.check)) {
                self.failures.push(run);
            }
        }
    }

    /// Is further work needed for the list, or for the verdict, so that small inputs are worth a
    /// try?
    pub(in crate::session) fn is_unlisted(&self) -> bool {
        let forward = matches!(self.phase, Phase::Forward(_) | Phase::Listing(_));
        forward && self.executed.is_none() && (self.failing.is_none() || self.has_open_checks())
    }

    /// The run of this check that is shown was replaced by a shorter one.
    pub(super) fn shorten_listed(&mut self) {
        if let (Some(first), Some(run)) = (self.failures.first_mut(), &self.failing) {
            *first = run.clone();
        }
    }

    /// The errors that a search for a shorter run looks for: where several checks can fail, those
    /// of the run that is shown.
    pub(super) fn sought_errors(&self) -> Vec<ErrorSite> {
        let errors = &self.reach.system.errors;
        let Some(failing) = self.failing.as_ref().filter(|_| !self.failures.is_empty()) else {
            return errors.clone();
        };
        let program = &self.question.program;
        let of_check = |site: &&ErrorSite| {
            key(&program.edge(site.edge).checks[site.check]) == key(&failing.check)
        };
        errors.iter().filter(of_check).copied().collect()
    }

    /// Most nodes, steps and bytes, where the list is not part of what the verdict took.
    pub(in crate::session) fn took(&self) -> Option<(u64, u64, u64)> {
        self.took
    }

    /// The list, where more than one check can fail.
    pub(in crate::session) fn failures(&self) -> &[ReplayedRun] {
        if self.failures.len() > 1 { &self.failures } else { &[] }
    }

    /// The limit because of which the list may lack something.
    pub(in crate::session) fn failures_limit(&self) -> Option<Limit> {
        match self.listed {
            Listed::Until(limit) => Some(limit),
            Listed::Nothing if self.is_done() && self.has_open_checks() => {
                Some(self.limit.unwrap_or(Limit::Time))
            }
            Listed::Nothing | Listed::All => None,
        }
    }
}

fn key_of(run: &ReplayedRun) -> (u32, ErrorKind, String) {
    let (line, kind, message) = key(&run.check);
    (line, kind, message.to_string())
}
