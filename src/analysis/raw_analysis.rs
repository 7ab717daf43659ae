//! The analysis of a raw pushdown system, whatever its weights are.

use super::budgets::Budgets;
use super::raw_reach::{RawPhase, RawReach};
use super::raw_relation::RelationReach;
use crate::lang::raw::{RawSystem, RawWeights, StateId, SymbolId};
use crate::util::{Alarm, Bounded};
use crate::wire::options::Saturation;
use std::rc::Rc;

/// Reachability, and the projection if it is asked for.
pub enum RawAnalysis {
    /// Without weights, or with weights that runs do not depend on.
    Plain(Box<RawReach>),
    /// With relations as weights: a run needs values that fit.
    Relation(Box<RelationReach>),
}

/// Passes a question on to the analysis that runs.
macro_rules! either {
    ($analysis:expr, $reach:ident => $answer:expr) => {
        match $analysis {
            RawAnalysis::Plain($reach) => $answer,
            RawAnalysis::Relation($reach) => $answer,
        }
    };
}

impl RawAnalysis {
    /// Prepares the analysis, by the saturation that fits the weights.
    pub fn new(
        system: Rc<RawSystem>,
        saturation: Saturation,
        project: bool,
        budgets: Budgets,
        alarm: Option<Alarm>,
    ) -> Bounded<RawAnalysis> {
        let Budgets { max_nodes, max_steps, .. } = budgets;
        let RawWeights::Relation(variables) = &system.weights else {
            return RawReach::new(system, saturation, project, max_nodes, max_steps)
                .map(|reach| RawAnalysis::Plain(Box::new(reach)));
        };
        let variables = variables.clone();
        RelationReach::new(system, &variables, saturation, project, max_nodes, max_steps, alarm)
            .map(|reach| RawAnalysis::Relation(Box::new(reach)))
    }

    /// Does one bounded piece of work.
    pub fn step(&mut self) -> Bounded<()> {
        either!(self, reach => reach.step())
    }

    /// The phase under way.
    pub fn phase(&self) -> RawPhase {
        either!(self, reach => reach.phase())
    }

    /// Does an initial configuration reach a target? `None` until that is known.
    pub fn reachable(&self) -> Option<bool> {
        either!(self, reach => reach.reachable())
    }

    /// Is it known that no run is shorter than the one that was found?
    pub fn is_shortest(&self) -> bool {
        match self {
            RawAnalysis::Plain(reach) => reach.is_shortest(),
            RawAnalysis::Relation(reach) => reach.run().is_some(),
        }
    }

    /// Is there a run, but too long a one to be shown?
    pub fn is_run_too_long(&self) -> bool {
        either!(self, reach => reach.is_run_too_long())
    }

    /// By rule: does some run apply it? `None` until post\* is complete.
    pub fn reached(&self) -> Option<&[bool]> {
        either!(self, reach => reach.reached())
    }

    /// By rule: is it on a run into the target? `None` until the projection is complete.
    pub fn in_projection(&self) -> Option<&[bool]> {
        either!(self, reach => reach.in_projection())
    }

    /// The heads of configurations on such runs. `None` until the projection is complete.
    pub fn lit_heads(&self) -> Option<&[(StateId, SymbolId)]> {
        either!(self, reach => reach.lit_heads())
    }

    /// The most transitions at once, and the number of transitions that were looked at.
    pub fn statistics(&self) -> (u64, u64) {
        either!(self, reach => reach.statistics())
    }

    /// Transitions and nodes alive now.
    pub fn live(&self) -> u64 {
        either!(self, reach => reach.live())
    }
}
