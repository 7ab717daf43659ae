//! A walk back through one saturation.

use super::call_stores::pick_stores;
use super::known_store::{
    Candidate, KnownStore, earliest, enter_callee_from_its_exit, fix, leave_to_caller, locate,
    pick_known, starts_here,
};
use super::run::{MAX_STEPS, Step};
use crate::analysis::reach::Reach;
use crate::encode::{CONTROL, Copy, RuleRole, Valuation, symbol};
use crate::lang::model::{EdgeId, LocationId};
use crate::pds::{Right, Transition};
use crate::util::{Bounded, Limit};

/// Rounds of a loop that are still to be walked back: from one store at its header to another.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    pub(super) header: LocationId,
    pub(super) before: Valuation,
    pub(super) after: Valuation,
    /// The rounds are at most two to the power of this number, if it is known.
    pub(super) doublings: Option<usize>,
}

/// A walk back through one saturation.
pub(super) struct Path {
    pub(super) at: KnownStore,
    /// Callers whose callee is being walked, with their call edge.
    pub(super) waiting: Vec<(EdgeId, KnownStore)>,
    /// The rounds that lie between the store and the walked part of the run, the first rounds
    /// first.
    pub(super) rounds: Vec<Rounds>,
}

/// What one step of a path found.
pub(super) enum Next {
    On,
    /// A statement, one step further back.
    Statement(Step),
    /// A round of a loop that must be walked first.
    Round(Rounds),
    /// The store at which the saturation started.
    Start,
}

impl Path {
    pub(super) fn new(at: KnownStore) -> Path {
        Path { at, waiting: Vec::new(), rounds: Vec::new() }
    }

    /// One statement back, or one step towards it.
    pub(super) fn step(&mut self, reach: &mut Reach) -> Bounded<Next> {
        if let Some(rounds) = self.rounds.pop() {
            return self.split(reach, rounds);
        }
        let at = self.at.clone();
        let procedure = reach.program.location(at.location).procedure;
        if at.state == reach.start() && self.waiting.is_empty() && starts_here(reach, &at) {
            return Ok(Next::Start);
        }
        if at.location != reach.program.procedure(procedure).entry {
            if reach.poststar.is_accelerated(at.moment) {
                let before = self.before_rounds(reach, &at)?;
                self.rounds.push(Rounds {
                    header: at.location,
                    before: before.now.clone(),
                    after: at.now,
                    doublings: None,
                });
                self.at = before;
                return Ok(Next::On);
            }
            return self.back(reach, at);
        }
        let (edge, caller) = match self.waiting.pop() {
            Some(waiting) => waiting,
            None => leave_to_caller(reach, &at)?,
        };
        let program = reach.program.clone();
        let choices = reach.domain.choices_of_call(&program, edge, &caller.now, &at.now)?;
        let choices = choices.expect("the caller was picked among those that enter like this");
        self.at = caller;
        Ok(Next::Statement(Step { edge, before: self.at.now.clone(), after: at.now, choices }))
    }

    /// The store before some rounds of the loop at this location, known at an earlier
    /// moment.
    fn before_rounds(&mut self, reach: &mut Reach, at: &KnownStore) -> Bounded<KnownStore> {
        let here = fix(reach, at)?;
        let header = symbol(at.location);
        let stores = reach.domain.before_rounds(header, here)?;
        // Any rule will do, because the store before the rounds is at the same location.
        let Some(rule) = reach.system.pds.from_head(CONTROL, header).first().copied() else {
            unreachable!("a header is left")
        };
        let found = earliest(reach, None, rule, header, at.state, stores, at.moment, None)?;
        let found = found.expect("rounds start from what was known before");
        let procedure = reach.program.location(at.location).procedure;
        let before = pick_known(reach, at.location, at.state, procedure, found.stores, at.moment)?;
        locate(reach, before)
    }

    /// Halves the number of rounds, or walks a single one.
    fn split(&mut self, reach: &mut Reach, rounds: Rounds) -> Bounded<Next> {
        let procedure = reach.program.location(rounds.header).procedure;
        let visible = reach.domain.visible(procedure);
        let before = reach.domain.fixed(&visible, Copy::Now, &rounds.before)?;
        let after = reach.domain.fixed(&visible, Copy::Now, &rounds.after)?;
        let (doublings, between) =
            reach.domain.split_rounds(symbol(rounds.header), before, after, rounds.doublings)?;
        if doublings == 0 {
            return Ok(Next::Round(rounds));
        }
        // There are more than 2^(doublings - 1) rounds, with a statement in each.
        if doublings as u32 > MAX_STEPS.ilog2() + 1 {
            return Err(Limit::Depth);
        }
        let (_, between) = pick_stores(reach, procedure, between);
        let halves = Rounds { doublings: Some(doublings - 1), ..rounds };
        self.rounds.push(Rounds { after: between.clone(), ..halves.clone() });
        self.rounds.push(Rounds { before: between, ..halves });
        Ok(Next::On)
    }

    /// Goes back over an edge that led to this store. Among the stores before it takes the one that
    /// was known earliest.
    fn back(&mut self, reach: &mut Reach, at: KnownStore) -> Bounded<Next> {
        let here = fix(reach, &at)?;
        let mut best: Option<Candidate> = None;
        let into = reach.system.pds.to_head(CONTROL, symbol(at.location)).to_vec();
        for rule in into {
            if !matches!(reach.system.pds.rule(rule).right, Right::Step(_)) {
                continue;
            }
            let before = reach.domain.before_step(rule, here)?;
            let from = reach.system.pds.rule(rule).symbol;
            best = earliest(reach, best, rule, from, at.state, before, at.moment, None)?;
        }
        for rule in reach.system.pds.with_below(symbol(at.location)).to_vec() {
            let Right::Push(top, _) = reach.system.pds.rule(rule).right else { continue };
            let Some(middle) = reach.poststar.middle(CONTROL, top) else { continue };
            let summary = Transition { from: CONTROL.into(), symbol: None, to: middle, via: None };
            let Some(summary) = reach.poststar.automaton().find(summary) else { continue };
            for entry in reach.poststar.history().before(summary, at.moment).to_vec() {
                if best.as_ref().is_some_and(|best| best.moment <= entry.moment) {
                    break;
                }
                let before = reach.domain.before_call(rule, entry.gained, here)?;
                let from = reach.system.pds.rule(rule).symbol;
                best = earliest(reach, best, rule, from, at.state, before, at.moment, Some(entry))?;
            }
        }
        let best = best.expect("whatever post* knows was derived from what it knew before");
        let RuleRole::Execute(edge) = reach.system.role(best.rule) else {
            unreachable!("only executed edges lead to locations")
        };
        let from = reach.program.edge(edge).from;
        let procedure = reach.program.owner(edge);
        let before = pick_known(reach, from, at.state, procedure, best.stores, at.moment)?;
        let before = locate(reach, before)?;
        match best.summary {
            None => {
                let program = reach.program.clone();
                let choices = reach.domain.choices_of_step(&program, edge, &before.now, &at.now)?;
                let choices =
                    choices.expect("the store before was picked among those that lead here");
                let step = Step { edge, before: before.now.clone(), after: at.now, choices };
                self.at = before;
                Ok(Next::Statement(step))
            }
            Some(summary) => {
                let exit =
                    enter_callee_from_its_exit(reach, best.rule, edge, &before, &at, &summary)?;
                self.waiting.push((edge, before));
                self.at = exit;
                Ok(Next::On)
            }
        }
    }
}
