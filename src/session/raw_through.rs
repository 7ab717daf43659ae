//! Runs of a raw pushdown system through given rules, once its analysis is over: a shortest one, or
//! with weights a cheapest.

use super::Budgets;
use super::raw_run::{ReplayedRawRun, with_stores};
use crate::analysis::raw_analysis::RawAnalysis;
use crate::analysis::raw_reach::{RawPhase, passing};
use crate::analysis::raw_relation::RelationRun;
use crate::lang::raw::replay::{self, Configuration};
use crate::lang::raw::{RawSystem, StateId};
use crate::util::Limit;
use crate::wire::options::Saturation;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A run into the target that applies a rule of each set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawThrough {
    /// Numbers of rules.
    pub sets: Vec<Vec<u32>>,
    /// The run, if there is one.
    pub answer: RawSought,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawSought {
    /// This run (replayed); none is shorter, or, with weights, none weighs less.
    Run(Box<ReplayedRawRun>),
    /// There is none; by these sets alone, if they are named.
    None(Vec<usize>),
    /// A limit was hit first.
    Unknown(Limit),
}

/// A search in progress.
pub(super) struct RawSearch {
    sets: Vec<Vec<u32>>,
    /// Of the system that remembers what was applied.
    analysis: RawAnalysis,
}

impl RawSearch {
    /// Begins a search for a run that applies a rule of each set, or says which limit was hit.
    pub(super) fn new(
        system: &RawSystem,
        sets: Vec<Vec<u32>>,
        budgets: Budgets,
        alarm: Option<Arc<AtomicBool>>,
    ) -> Result<RawSearch, RawThrough> {
        let begun = passing(system, &sets, budgets.max_nodes).and_then(|product| {
            RawAnalysis::new(Rc::new(product), Saturation::Pre, false, budgets, alarm)
        });
        match begun {
            Ok(analysis) => Ok(RawSearch { sets, analysis }),
            Err(limit) => Err(RawThrough { sets, answer: RawSought::Unknown(limit) }),
        }
    }

    /// Does one bounded piece of work. The answer once there is one, or how the replay contradicts
    /// the search.
    pub(super) fn step(&mut self, system: &RawSystem) -> Result<Option<RawSought>, String> {
        match self.analysis.step() {
            Ok(()) if self.analysis.phase() != RawPhase::Done => Ok(None),
            Ok(()) => found(system, self).map(Some),
            Err(limit) => Ok(Some(RawSought::Unknown(limit))),
        }
    }

    /// What it came to.
    pub(super) fn ended(self, answer: RawSought) -> RawThrough {
        RawThrough { sets: self.sets, answer }
    }
}

/// The run in terms of the system itself, replayed there, or how that contradicts the search.
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
