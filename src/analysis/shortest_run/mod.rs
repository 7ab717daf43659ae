//! A shortest failing run, of all runs or of those through given statements.
//!
//! The length of a run is the number of statements executed, as a trace lists them. Statements that
//! the front end made and bare jumps cost nothing. The search is [`RankedPostStar`]; `walk` reads
//! the run backwards off its layers.
//!
//! Differs from Lal, Kidd, Reps, Touili 2007, Def. 9 and App. B: they chop two weighted automata
//! with a regular set in between. Here one search runs over the product of the system with the set
//! of statements passed, and stops at the first failing run.

mod walk;

use super::counterexample::{Counterexample, MAX_STEPS};
use super::reach::Reach;
use crate::bdd::impl_roots;
use crate::encode::{ErrorSite, ProgramDomain, RuleRole, symbol};
use crate::lang::model::EdgeId;
use crate::pds::{RankedPostStar, RankedPostStarBuilder, SearchGoal};
use crate::util::{Bounded, Limit};
use std::rc::Rc;
use walk::Walk;

/// Most sets that a run can be asked to go through.
pub const MAX_SETS: usize = 8;

/// The answer of a search.
#[derive(Clone, Debug)]
pub enum Shortest {
    /// This run; none is shorter.
    Run(Box<Counterexample>),
    /// No run counts: none fails, passes the statements, and is short enough.
    None,
}

/// A search for a shortest run, in progress.
pub struct ShortestRun {
    search: RankedPostStar<ProgramDomain>,
    at_most: Option<u64>,
    walk: Option<Walk>,
}

impl ShortestRun {
    /// Prepares a search for a shortest run that executes a statement of each of these sets. It
    /// uses the first [`MAX_SETS`] sets. Only runs of at most `at_most` statements count, if given.
    pub fn new(
        reach: &mut Reach,
        through: &[Vec<EdgeId>],
        at_most: Option<u64>,
    ) -> Bounded<ShortestRun> {
        let errors = reach.system.errors.clone();
        ShortestRun::toward(reach, &errors, through, at_most)
    }

    /// The same for runs into these errors.
    pub fn toward(
        reach: &mut Reach,
        errors: &[ErrorSite],
        through: &[Vec<EdgeId>],
        at_most: Option<u64>,
    ) -> Bounded<ShortestRun> {
        let measure = measure(reach, errors, &through[..through.len().min(MAX_SETS)]);
        ShortestRun::by(reach, measure, at_most)
    }

    /// Prepares a search for a cheapest failing run. `costs` has the cost of executing each edge; a
    /// failing check costs nothing. Only runs of at most this cost count, if it is given.
    pub fn with_costs(
        reach: &mut Reach,
        costs: &[u64],
        at_most: Option<u64>,
    ) -> Bounded<ShortestRun> {
        let mut measure = measure(reach, &reach.system.errors, &[]);
        for (cost, role) in measure.cost.iter_mut().zip(&reach.system.roles) {
            *cost = match role {
                RuleRole::Execute(edge) => costs.get(edge.0 as usize).copied().unwrap_or(0),
                RuleRole::Fail(..) | RuleRole::Return(_) => 0,
            };
        }
        ShortestRun::by(reach, measure, Some(at_most.unwrap_or(u64::MAX / 2)))
    }

    fn by(reach: &mut Reach, goal: SearchGoal, at_most: Option<u64>) -> Bounded<ShortestRun> {
        let program = Rc::clone(&reach.program);
        let weight = reach.domain.initial(&program)?;
        let entry = symbol(program.procedures[program.main].entry);
        let longest = at_most.unwrap_or(MAX_STEPS as u64);
        let search = RankedPostStarBuilder::new(entry, weight, goal)
            .at_most(longest)
            .priority(reach.system.priority.clone())
            .toward_targets()
            .start(&reach.system.pds, &mut reach.domain)?;
        Ok(ShortestRun { search, at_most, walk: None })
    }

    /// No run that counts is shorter than this.
    pub fn rank(&self) -> u64 {
        self.search.rank()
    }

    /// One bounded piece of work; the answer, once it is known.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<Option<Shortest>> {
        if let Some(walk) = &mut self.walk {
            let done = walk.step(&self.search, reach)?;
            return Ok(done.map(|run| Shortest::Run(Box::new(run))));
        }
        if let Some(key) = self.search.found() {
            self.walk = Some(Walk::new(&self.search, reach, key)?);
        } else if !self.search.is_done() {
            self.search.step(&reach.system.pds, &mut reach.domain)?;
        } else if self.search.was_cut() && self.at_most.is_none() {
            return Err(Limit::Depth);
        } else {
            return Ok(Some(Shortest::None));
        }
        Ok(None)
    }
}

impl_roots!(ShortestRun { search });

/// The cost of each rule, and the sets that it passes.
fn measure(reach: &Reach, errors: &[ErrorSite], through: &[Vec<EdgeId>]) -> SearchGoal {
    let mut bits = vec![0u32; reach.program.edges.len()];
    for (k, set) in through.iter().enumerate() {
        for edge in set {
            bits[*edge] |= 1 << k;
        }
    }
    let of_rule = |role: &RuleRole| match role {
        RuleRole::Execute(edge) => (u64::from(reach.program.edge(*edge).is_traced()), bits[*edge]),
        // The trace always lists the failing statement.
        RuleRole::Fail(edge, _) => (1, bits[*edge]),
        RuleRole::Return(_) => (0, 0),
    };
    let (cost, passes) = reach.system.roles.iter().map(of_rule).unzip();
    let mut is_target = vec![false; reach.system.pds.symbols() as usize];
    for site in errors {
        is_target[site.symbol] = true;
    }
    SearchGoal { cost, passes, all: (1 << through.len()) - 1, is_target }
}
