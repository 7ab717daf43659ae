//! A shortest run, or with weights a cheapest one, by pre\* in costs.
//!
//! A rule costs its weight (nothing if the system's weights are Boolean) and has the length 1. So
//! the search finds a shortest of the runs that weigh least, also if rules weigh nothing.

use super::{LONGEST_RUN, LeastWeight, PIECE, RawPhase, RawReach};
use crate::lang::raw::RawWeights;
use crate::pds::{PAutomaton, Plain, PreStar, State, derive_shortest};
use crate::semiring::{CheapestPath, PathCost};
use crate::util::{Bounded, Limit};

impl RawReach {
    /// A piece of pre\* in costs. If a budget ends it, the run that was found stays.
    pub(super) fn shorten(&mut self) {
        let (mut pre, mut domain) = match self.costs.take() {
            Some(begun) => begun,
            None => match self.begin_costs() {
                Ok(begun) => begun,
                Err(limit) => return self.give_up(limit),
            },
        };
        for _ in 0..PIECE {
            if pre.is_done() {
                return self.read_shortest(&pre, &domain);
            }
            self.steps += 1;
            let transitions = pre.automaton().transitions().len() as u64;
            if self.steps > self.costs_until {
                return self.give_up(Limit::Steps);
            }
            if transitions > self.max_nodes {
                return self.give_up(Limit::Nodes);
            }
            if let Err(limit) = pre.step(&self.pds, &mut domain) {
                return self.give_up(limit);
            }
        }
        self.costs = Some((pre, domain));
    }

    fn give_up(&mut self, limit: Limit) {
        self.phase = RawPhase::Done;
        if self.system.weights == RawWeights::MinPath {
            self.least_weight = Some(LeastWeight::Unknown(limit));
        }
    }

    fn begin_costs(&self) -> Bounded<(PreStar<Plain<CheapestPath>>, Plain<CheapestPath>)> {
        let mut target = PAutomaton::new(self.target.locations());
        while target.states() < self.target.states() {
            target.add_state();
        }
        for transition in self.target.transitions() {
            target.insert(*transition, Some(PathCost { weight: 0, length: 0 }));
        }
        for state in
            (0..self.target.states()).map(State).filter(|state| self.target.is_final(*state))
        {
            target.set_final(state);
        }
        let weighted = self.system.weights == RawWeights::MinPath;
        let cost = |weight: u32| {
            Some(PathCost { weight: if weighted { weight.into() } else { 0 }, length: 1 })
        };
        let weights = self.system.rules.iter().map(|rule| cost(rule.weight)).collect();
        let mut domain = Plain { semiring: CheapestPath, weights };
        let pre = PreStar::new(&self.pds, &mut domain, target, Vec::new())?;
        Ok((pre, domain))
    }

    fn read_shortest(&mut self, pre: &PreStar<Plain<CheapestPath>>, domain: &Plain<CheapestPath>) {
        self.phase = RawPhase::Done;
        let given = self.target.transitions().len() as u32;
        let found = derive_shortest(
            &self.pds,
            &self.initial,
            &domain.weights,
            pre.automaton(),
            given,
            LONGEST_RUN as u64,
        );
        let Some((cost, derived)) = found else { return };
        let weighted = self.system.weights == RawWeights::MinPath;
        if weighted {
            self.least_weight = Some(if cost == PathCost::UNCOUNTED {
                LeastWeight::Uncounted
            } else {
                LeastWeight::Known(cost.weight)
            });
        }
        // A run that was too long stays too long.
        if let Some(derived) = derived {
            self.run = Some(self.run_of(&derived, &[]));
            self.is_shortest = !weighted;
            self.is_cheapest = weighted;
            self.too_long = false;
        }
    }
}
