//! Searches for runs of a raw pushdown system through given rules, once its analysis is over: for a
//! shortest run or, with weights, for a cheapest one.

use super::Budgets;
use super::raw_run::{ReplayedRawRun, with_stores};
use crate::analysis::raw_analysis::RawAnalysis;
use crate::analysis::raw_reach::{RawPhase, passing};
use crate::analysis::raw_relation::RelationRun;
use crate::lang::raw::replay::{self, Configuration};
use crate::lang::raw::{RawSystem, StateId};
use crate::util::{Alarm, Limit};
use crate::wire::options::Saturation;
use std::rc::Rc;

/// A run into the target that applies a rule of each set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawThrough {
    /// The sets, by numbers of rules.
    pub sets: Vec<Vec<u32>>,
    /// The run, if there is one.
    pub answer: RawSought,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawSought {
    /// This run, which was replayed. None is shorter; with weights, none weighs less.
    Run(Box<ReplayedRawRun>),
    /// There is no such run. If sets are named, these alone exclude one.
    None(Vec<usize>),
    /// A limit was hit first.
    Unknown(Limit),
}

/// A search in progress.
pub(super) struct RawSearch {
    sets: Vec<Vec<u32>>,
    /// The analysis of the system that remembers which rules were applied.
    analysis: RawAnalysis,
}

impl RawSearch {
    /// Begins a search for a run that applies a rule of each set. An error gives the limit that was
    /// hit.
    pub(super) fn new(
        system: &RawSystem,
        sets: Vec<Vec<u32>>,
        budgets: Budgets,
        alarm: Option<Alarm>,
    ) -> Result<RawSearch, RawThrough> {
        let begun = passing(system, &sets, budgets.max_nodes).and_then(|product| {
            RawAnalysis::new(Rc::new(product), Saturation::Pre, false, budgets, alarm)
        });
        match begun {
            Ok(analysis) => Ok(RawSearch { sets, analysis }),
            Err(limit) => Err(RawThrough { sets, answer: RawSought::Unknown(limit) }),
        }
    }

    /// Does one bounded piece of work. Returns the answer once there is one. An error says how the
    /// replay contradicts the search.
    pub(super) fn step(&mut self, system: &RawSystem) -> Result<Option<RawSought>, String> {
        match self.analysis.step() {
            Ok(()) if self.analysis.phase() != RawPhase::Done => Ok(None),
            Ok(()) => found(system, self).map(Some),
            Err(limit) => Ok(Some(RawSought::Unknown(limit))),
        }
    }

    /// The result of the search.
    pub(super) fn ended(self, answer: RawSought) -> RawThrough {
        RawThrough { sets: self.sets, answer }
    }
}

/// Translates the run to the system itself and replays it there. An error says how the replay
/// contradicts the search.
fn found(system: &RawSystem, search: &RawSearch) -> Result<RawSought, String> {
    let own = |start: &Configuration| Configuration {
        state: StateId(start.state.0 % system.states.len() as u32),
        stack: start.stack.clone(),
    };
    let rules = |rules: &[u32]| -> Vec<u32> {
        rules.iter().map(|rule| rule % system.rules.len() as u32).collect()
    };
    let run = match &search.analysis {
        RawAnalysis::Plain(reach) => match (reach.reachable(), reach.run()) {
            (Some(false), _) => return Ok(RawSought::None(Vec::new())),
            (Some(true), Some(run)) if reach.is_shortest() || reach.is_cheapest() => {
                let (start, rules) = (own(&run.start), rules(&run.rules));
                let end = replay::replay(system, &start, &rules)?;
                ReplayedRawRun { start, rules, end, stores: Vec::new() }
            }
            (Some(true), None) if reach.is_run_too_long() => {
                return Ok(RawSought::Unknown(Limit::Depth));
            }
            _ => return Ok(RawSought::Unknown(Limit::Steps)),
        },
        RawAnalysis::Relation(reach) => match (reach.reachable(), reach.run(), reach.fault()) {
            (_, _, Some(contradiction)) => return Err(contradiction.to_string()),
            (Some(false), ..) => return Ok(RawSought::None(Vec::new())),
            (Some(true), Some(run), _) => with_stores(
                system,
                RelationRun {
                    start: own(&run.start),
                    rules: rules(&run.rules),
                    stores: run.stores.clone(),
                },
            )?,
            _ => return Ok(RawSought::Unknown(Limit::Depth)),
        },
    };
    if !search.sets.iter().all(|set| set.iter().any(|rule| run.rules.contains(rule))) {
        return Err("the run does not apply the rules that it was asked for".to_string());
    }
    Ok(RawSought::Run(Box::new(run)))
}
