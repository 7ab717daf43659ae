//! A raw pushdown system in a session: load, step, run, as with programs.

use super::raw_through::{RawSearch, RawThrough};
use super::raw_weights::Totals;
use super::{Budgets, Phase};
use crate::analysis::raw_reach::{AutomatonSize, LeastWeight, RawPhase, RawReach, RawRun};
use crate::analysis::raw_relation::{RelationReach, RelationRun};
use crate::bdd::Bdd;
use crate::encode::RawRelations;
use crate::lang::raw::replay::{self, Configuration};
use crate::lang::raw::transformer::Store;
use crate::lang::raw::{RawSystem, RawWeights, StateId, SymbolId};
use crate::util::Limit;
use crate::wire::options::Saturation;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A run that was replayed: its first and last configuration and the numbers of its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedRawRun {
    /// An initial configuration.
    pub start: Configuration,
    /// Applied one after the other.
    pub rules: Vec<u32>,
    /// A target.
    pub end: Configuration,
    /// Where weights are relations: the variables' values before each rule and at the end. Else
    /// empty.
    pub stores: Vec<Store>,
}

/// A system and what is known about it.
pub struct RawSession {
    system: Rc<RawSystem>,
    saturation: Saturation,
    reach: Option<RawReach>,
    /// Instead of `reach`, where weights are relations.
    relation: Option<RelationReach>,
    /// What all runs do together, where weights are affine or constants; after `reach`.
    totals: Option<Totals>,
    budgets: Budgets,
    run: Option<ReplayedRawRun>,
    pub(super) search: Option<RawSearch>,
    pub(super) through: Option<RawThrough>,
    pub(super) alarm: Option<Arc<AtomicBool>>,
    pub(super) fault: Option<String>,
}

impl RawSession {
    pub(super) fn new(system: RawSystem, saturation: Saturation) -> RawSession {
        RawSession {
            system: Rc::new(system),
            saturation,
            reach: None,
            relation: None,
            totals: None,
            budgets: Budgets::default(),
            run: None,
            search: None,
            through: None,
            alarm: None,
            fault: None,
        }
    }

    /// Begins; forgets what was found before.
    pub(super) fn start(
        &mut self,
        project: bool,
        budgets: Budgets,
        alarm: Option<Arc<AtomicBool>>,
    ) -> Result<(), Limit> {
        self.run = None;
        self.search = None;
        self.through = None;
        self.fault = None;
        self.reach = None;
        self.relation = None;
        self.totals = None;
        self.budgets = budgets;
        self.alarm = alarm.clone();
        let system = Rc::clone(&self.system);
        let Budgets { max_nodes, max_steps, .. } = budgets;
        if let RawWeights::Relation(variables) = &self.system.weights {
            self.relation = Some(RelationReach::new(
                system,
                variables,
                self.saturation,
                project,
                max_nodes,
                max_steps,
                alarm,
            )?);
        } else {
            self.reach =
                Some(RawReach::new(system, self.saturation, project, max_nodes, max_steps)?);
        }
        Ok(())
    }

    /// One bounded piece of work; a run that was found is replayed at once.
    pub(super) fn step(&mut self) -> Result<(), Limit> {
        if self.search.is_some() {
            self.advance_through();
            return Ok(());
        }
        if let Some(relation) = &mut self.relation {
            relation.step()?;
            if let (Some(found), None) = (relation.run(), &self.run) {
                match with_stores(&self.system, found.clone()) {
                    Ok(run) => self.run = Some(run),
                    Err(contradiction) => self.fault = Some(contradiction),
                }
            }
            if self.fault.is_none() {
                self.fault = relation.fault().map(str::to_string);
            }
            return Ok(());
        }
        let Some(reach) = &mut self.reach else { return Ok(()) };
        if let Some(totals) = &mut self.totals {
            totals.step();
            self.fault = self.fault.take().or_else(|| totals.fault());
            return Ok(());
        }
        reach.step()?;
        let known = |run: &ReplayedRawRun, found: &RawRun| {
            run.rules == found.rules && run.start == found.start
        };
        if let (Some(found), None) = (reach.run(), &self.fault)
            && !self.run.as_ref().is_some_and(|run| known(run, found))
        {
            let RawRun { start, rules } = found;
            match replay::replay(&self.system, start, rules) {
                Ok(end) => {
                    self.run = Some(ReplayedRawRun {
                        start: start.clone(),
                        rules: rules.clone(),
                        end,
                        stores: Vec::new(),
                    })
                }
                Err(contradiction) => self.fault = Some(contradiction),
            }
        }
        if let (Some(LeastWeight::Known(least)), Some(run)) = (reach.least_weight(), &self.run)
            && self.fault.is_none()
            && reach.is_cheapest()
            && replay::weight(&self.system, &run.rules) != least
        {
            self.fault = Some(format!(
                "the run weighs {}, not {least}",
                replay::weight(&self.system, &run.rules)
            ));
        }
        if reach.phase() == RawPhase::Done
            && reach.reachable() == Some(true)
            && self.fault.is_none()
        {
            self.totals = Totals::of(&self.system, self.budgets.max_nodes, self.budgets.max_steps);
        }
        Ok(())
    }

    pub(super) fn phase(&self) -> Phase {
        let phase = self
            .relation
            .as_ref()
            .map(RelationReach::phase)
            .or(self.reach.as_ref().map(RawReach::phase));
        match phase {
            _ if self.fault.is_some() => Phase::Done,
            _ if self.search.is_some() => Phase::Shortest,
            Some(RawPhase::Done)
                if self.totals.as_ref().is_some_and(|totals| !totals.is_done()) =>
            {
                Phase::Forward
            }
            None | Some(RawPhase::Done) => Phase::Done,
            Some(RawPhase::Saturating | RawPhase::Looking | RawPhase::Forward) => {
                match self.saturation {
                    Saturation::Pre if self.reachable().is_none() => Phase::Backward,
                    _ => Phase::Forward,
                }
            }
            Some(RawPhase::Backward) => Phase::Backward,
            Some(RawPhase::Statements) => Phase::Statements,
            Some(RawPhase::Shortest) => Phase::Shortest,
        }
    }

    /// The system.
    pub fn system(&self) -> &RawSystem {
        &self.system
    }

    /// The same, to be kept.
    pub fn shared_system(&self) -> Rc<RawSystem> {
        Rc::clone(&self.system)
    }

    /// Which saturation decides.
    pub fn saturation(&self) -> Saturation {
        self.saturation
    }

    /// Does an initial configuration reach a target? Once it is known.
    pub fn reachable(&self) -> Option<bool> {
        self.relation
            .as_ref()
            .and_then(RelationReach::reachable)
            .or(self.reach.as_ref().and_then(RawReach::reachable))
    }

    /// A run that was replayed.
    pub fn run(&self) -> Option<&ReplayedRawRun> {
        self.run.as_ref()
    }

    /// Is no run shorter than that?
    pub fn is_shortest(&self) -> bool {
        self.relation.is_some() && self.run.is_some()
            || self.reach.as_ref().is_some_and(RawReach::is_shortest)
    }

    /// The least total weight of a run into the target, at the end, if there are weights and a run.
    pub fn least_weight(&self) -> Option<LeastWeight> {
        self.reach.as_ref()?.least_weight()
    }

    /// What the run that was replayed weighs, if there are weights.
    pub fn run_weight(&self) -> Option<u64> {
        self.weight_of(self.run.as_ref()?)
    }

    /// What a run weighs, if there are weights.
    pub fn weight_of(&self, run: &ReplayedRawRun) -> Option<u64> {
        (self.system.weights == RawWeights::MinPath)
            .then(|| replay::weight(&self.system, &run.rules))
    }

    /// What all runs from the initial to the target configurations do together, where weights are
    /// relations; once it is known.
    pub fn relation(&self) -> Option<(&RawRelations, Bdd)> {
        self.relation.as_ref()?.total()
    }

    /// The same where weights are affine or constants.
    pub fn totals(&self) -> Option<&Totals> {
        self.totals.as_ref()
    }

    /// Is there a run, but too long a one to be shown?
    pub fn is_run_too_long(&self) -> bool {
        self.relation.as_ref().is_some_and(RelationReach::is_run_too_long)
            || self.reach.as_ref().is_some_and(RawReach::is_run_too_long)
    }

    /// How the replay contradicts the engine.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// By rule: is it applied on some run? Once post\* is complete.
    pub fn reached(&self) -> Option<&[bool]> {
        self.relation
            .as_ref()
            .and_then(RelationReach::reached)
            .or(self.reach.as_ref().and_then(RawReach::reached))
    }

    /// By rule: is it on a run into the target? At the end of a projection.
    pub fn in_projection(&self) -> Option<&[bool]> {
        self.relation
            .as_ref()
            .and_then(RelationReach::in_projection)
            .or(self.reach.as_ref().and_then(RawReach::in_projection))
    }

    /// The heads of configurations on such runs. At the end of a projection.
    pub fn lit_heads(&self) -> Option<&[(StateId, SymbolId)]> {
        self.relation
            .as_ref()
            .and_then(RelationReach::lit_heads)
            .or(self.reach.as_ref().and_then(RawReach::lit_heads))
    }

    /// The automata of post\* and of pre\*.
    pub fn sizes(&self) -> (Option<AutomatonSize>, Option<AutomatonSize>) {
        self.reach.as_ref().map_or((None, None), RawReach::sizes)
    }

    /// Most transitions at once, transitions looked at.
    pub(super) fn statistics(&self) -> (u64, u64) {
        let relation = self.relation.as_ref().map_or((0, 0), RelationReach::statistics);
        self.reach.as_ref().map_or(relation, RawReach::statistics)
    }

    pub(super) fn live(&self) -> u64 {
        self.reach
            .as_ref()
            .map_or(self.relation.as_ref().map_or(0, RelationReach::live), RawReach::live)
    }
}

/// A run over relations, replayed with its values.
pub(super) fn with_stores(system: &RawSystem, run: RelationRun) -> Result<ReplayedRawRun, String> {
    let RelationRun { start, rules, stores } = run;
    let end = replay::replay(system, &start, &rules)?;
    replay::replay_stores(system, &rules, &stores)?;
    Ok(ReplayedRawRun { start, rules, end, stores })
}
