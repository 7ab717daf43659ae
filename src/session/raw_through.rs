//! Runs of a raw pushdown system through given rules, once its analysis is over: a shortest one, or
//! with weights a cheapest.

use super::raw::{RawProgress, ReplayedRawRun, with_stores};
use crate::analysis::raw_analysis::RawAnalysis;
use crate::analysis::raw_reach::{MOST_SETS, RawPhase, passing};
use crate::analysis::raw_relation::RelationRun;
use crate::lang::raw::replay::{self, Configuration};
use crate::lang::raw::{RawSystem, StateId};
use crate::util::Limit;
use crate::wire::options::Saturation;
use std::rc::Rc;

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

impl RawProgress {
    /// Begins a search; it replaces an earlier one. False, and nothing begins, if the target is not
    /// known to be reachable, if a set is empty or names a rule that is not there, or if there are
    /// more than [`MOST_SETS`] sets.
    pub(super) fn seek_through(&mut self, system: &RawSystem, sets: Vec<Vec<u32>>) -> bool {
        let known = |set: &Vec<u32>| {
            !set.is_empty() && set.iter().all(|rule| (*rule as usize) < system.rules.len())
        };
        let Some(reachable) = self.analysis.reachable() else { return false };
        if sets.is_empty() || sets.len() > MOST_SETS || !sets.iter().all(known) {
            return false;
        }
        let never: Vec<usize> = match self.analysis.in_projection() {
            _ if !reachable => (0..sets.len()).collect(),
            Some(in_projection) => (0..sets.len())
                .filter(|k| !sets[*k].iter().any(|rule| in_projection[*rule as usize]))
                .collect(),
            None => Vec::new(),
        };
        if !never.is_empty() {
            self.through = Some(RawThrough { sets, answer: RawSought::None(never) });
            return true;
        }
        self.through = None;
        let begun = passing(system, &sets, self.budgets.max_nodes).and_then(|product| {
            let (budgets, alarm) = (self.budgets, self.alarm.clone());
            RawAnalysis::new(Rc::new(product), Saturation::Pre, false, budgets, alarm)
        });
        match begun {
            Ok(analysis) => self.search = Some(RawSearch { sets, analysis }),
            Err(limit) => {
                self.through = Some(RawThrough { sets, answer: RawSought::Unknown(limit) })
            }
        }
        true
    }

    /// A piece of the search that is on, if any.
    pub(super) fn advance_through(&mut self, system: &RawSystem) {
        let Some(mut search) = self.search.take() else { return };
        let answer = match search.analysis.step() {
            Ok(()) if search.analysis.phase() != RawPhase::Done => {
                self.search = Some(search);
                return;
            }
            Ok(()) => found(system, &search),
            Err(limit) => Ok(RawSought::Unknown(limit)),
        };
        match answer {
            Ok(answer) => self.through = Some(RawThrough { sets: search.sets, answer }),
            Err(contradiction) => self.fault = Some(contradiction),
        }
    }

    /// Gives up the search that is on, if any.
    pub(super) fn cancel_through(&mut self, limit: Limit) {
        if let Some(search) = self.search.take() {
            self.through =
                Some(RawThrough { sets: search.sets, answer: RawSought::Unknown(limit) });
        }
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
