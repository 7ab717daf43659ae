//! Model checking the abstract program: its reachable configurations, breadth first (thesis, 4.2,
//! 8.1).
//!
//! [`RankedPostStar`] finds every part of every weight at the length of a shortest run to it. The
//! counterexample DAG is made of these layers.

use super::abstract_program::AbstractProgram;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{ErrorSite, symbol};
use crate::lang::model::LocationId;
use crate::pds::{
    FramePosition, Pds, RankedPostStar, RankedPostStarBuilder, SearchGoal, SearchNode,
};
use crate::util::Bounded;
use crate::wire::refinement::Extent;
use std::collections::BTreeMap;

/// A search in progress.
pub struct AbstractSearch {
    pub(super) ranked: RankedPostStar<AbstractProgram>,
    pds: Pds,
    extent: Extent,
    first_error: Option<u64>,
    /// The rank up to which errors were looked for.
    looked_at: u64,
}

impl AbstractSearch {
    /// Prepares a search in which every rule counts as one step; every rule must be abstracted. It
    /// uses the rules for which `inside` is true, or all if there is no `inside`.
    pub fn new(
        program: &mut AbstractProgram,
        extent: Extent,
        inside: Option<&[bool]>,
    ) -> Bounded<AbstractSearch> {
        let rules = program.system.roles.len();
        let symbols = program.system.pds.symbols() as usize;
        let goal = SearchGoal {
            cost: vec![1; rules],
            passes: vec![0; rules],
            all: 0,
            is_target: vec![false; symbols],
        };
        let entry = symbol(program.program.procedure(program.program.main_id()).entry);
        let initial = program.initial()?;
        let priority = program.system.priority.clone();
        let pds = program.system.pds.restricted(|rule| {
            inside.is_none_or(|inside| inside.get(rule.0 as usize).copied().unwrap_or(true))
        });
        let search = RankedPostStarBuilder::new(entry, initial, goal).priority(priority);
        let ranked = search.start(&pds, program)?;
        Ok(AbstractSearch { ranked, pds, extent, first_error: None, looked_at: 0 })
    }

    /// Looks at one layer. The search is over once this returns true.
    pub fn step(&mut self, program: &mut AbstractProgram) -> Bounded<bool> {
        if self.ranked.is_done() {
            return Ok(true);
        }
        if self.extent == Extent::FirstError {
            match self.ranked.next_rank() {
                Some(next) if self.first_error.is_some_and(|first| next > first) => {
                    return Ok(true);
                }
                Some(next) if next > self.looked_at && self.first_error.is_none() => {
                    self.looked_at = next;
                    self.first_error =
                        self.errors(program).into_iter().flat_map(|(_, key)| self.ranks(key)).min();
                    if self.first_error.is_some_and(|first| next > first) {
                        return Ok(true);
                    }
                }
                _ => {}
            }
        }
        self.ranked.step(&self.pds, program)?;
        Ok(self.ranked.is_done())
    }

    /// The search has looked at every rank below this one.
    pub fn rank(&self) -> u64 {
        self.ranked.rank()
    }

    /// The last rank from which an error counts.
    pub(super) fn last_rank(&self) -> u64 {
        match (self.extent, self.first_error) {
            (Extent::FirstError, Some(first)) => first.saturating_sub(1),
            _ => u64::MAX,
        }
    }

    fn ranks(&self, key: SearchNode) -> Vec<u64> {
        self.ranked.layers(key).iter().map(|layer| layer.rank).collect()
    }

    /// The errors that are reached, with the keys of their layers.
    pub fn errors(&self, program: &AbstractProgram) -> Vec<(ErrorSite, SearchNode)> {
        let mut found = Vec::new();
        for site in &program.system.errors {
            for frame in 0..self.ranked.frames() {
                let key = SearchNode { frame, position: FramePosition::At(site.symbol), passed: 0 };
                if !self.ranked.layers(key).is_empty() {
                    found.push((*site, key));
                }
            }
        }
        found
    }

    /// By location: the union of all weights that are reached there.
    pub fn reached(&self, program: &mut AbstractProgram) -> Bounded<BTreeMap<LocationId, Bdd>> {
        let mut reached = BTreeMap::new();
        for location in (0..program.program.locations.len() as u32).map(LocationId) {
            let mut weight = Bdd::FALSE;
            for frame in 0..self.ranked.frames() {
                for layer in self.ranked.layers(SearchNode {
                    frame,
                    position: FramePosition::At(symbol(location)),
                    passed: 0,
                }) {
                    weight = program.domain.kernel.or(weight, layer.gained)?;
                }
            }
            if !weight.is_false() {
                reached.insert(location, weight);
            }
        }
        Ok(reached)
    }

    /// Was everything explored that is reachable?
    pub fn is_complete(&self) -> bool {
        self.ranked.is_done()
    }

    /// The rules that it uses.
    pub(super) fn pds(&self) -> &Pds {
        &self.pds
    }
}

impl_roots!(AbstractSearch { ranked });
