//! The weights of one procedure with every local kept.
//!
//! Saturation lets locals that no later statement reads have any value
//! ([`ProgramDomain::forgotten`](crate::encode::ProgramDomain)). A page that shows the stores at a
//! statement needs the values that these locals really have. One more fixpoint finds them, inside
//! the one procedure, with the summaries that saturation found. The value of such a local cannot
//! change what happens later, so no other procedure is concerned.

use super::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{CONTROL, CallSite, symbol};
use crate::lang::model::LocationId;
use crate::pds::{StackSymbol, State, Transition};
use crate::util::Bounded;
use std::collections::{BTreeMap, BTreeSet};

impl Reach {
    /// The weights at a location in which every local has its real value, even if no later
    /// statement reads it. Call this only after [`Self::is_done`].
    pub fn remembered_at(&mut self, location: LocationId) -> Bounded<Vec<(State, Bdd)>> {
        let mut weights = Vec::new();
        for (state, _) in self.at(symbol(location)) {
            if !self.remembered.contains_key(&state) {
                let all = remembered(self, state)?;
                self.remembered.insert(state, all);
            }
            weights.extend(self.remembered[&state].get(&location).map(|weight| (state, *weight)));
        }
        Ok(weights)
    }

    /// The stores that some run brings to a location, with the real value of every local, over
    /// [`crate::encode::Copy::Now`]. Call this only after [`Self::is_done`].
    pub fn exact_stores_at(&mut self, location: LocationId) -> Bounded<Bdd> {
        let procedure = self.program.location(location).procedure;
        let mut stores = Bdd::FALSE;
        for (_, weight) in self.remembered_at(location)? {
            let here = self.domain.forget_entry(procedure, weight)?;
            stores = self.domain.kernel.or(stores, here)?;
        }
        Ok(stores)
    }

    /// A post\* weight: entry and current stores at a symbol in the frames of a state.
    pub fn weight(&self, from: StackSymbol, state: State) -> Option<Bdd> {
        let transition =
            Transition { from: CONTROL.into(), symbol: Some(from), to: state, via: None };
        let automaton = self.poststar.automaton();
        automaton.find(transition).map(|id| *automaton.weight(id))
    }
}

/// By location: entry and current stores of the frames of a state, with the real values of all
/// locals.
fn remembered(reach: &mut Reach, state: State) -> Bounded<BTreeMap<LocationId, Bdd>> {
    let program = reach.program.clone();
    let procedure = reach.procedure_of(state);
    let entry = program.procedure(procedure).entry;
    let mut weights: BTreeMap<LocationId, Bdd> = BTreeMap::new();
    let Some(arriving) = reach.weight(symbol(entry), state) else { return Ok(weights) };
    // If a loop leads back to the entry, only the stores that enter the frame count as a start.
    let entering = reach.domain.at_entry(procedure, arriving)?;
    let mut out: BTreeMap<LocationId, Vec<_>> = BTreeMap::new();
    for id in program.edge_ids().filter(|id| program.owner(*id) == procedure) {
        out.entry(program.edge(id).from).or_default().push(id);
    }
    let priority = reach.system.priority.clone();
    let mut waiting = BTreeSet::from([(priority[entry], entry)]);
    weights.insert(entry, entering);
    while let Some((_, location)) = waiting.pop_first() {
        let here = weights[&location];
        for &id in out.get(&location).into_iter().flatten() {
            let after = match CallSite::of(&program, id) {
                Some(site) => match reach.summary(site.callee) {
                    Some(summary) => reach.domain.return_remembering(&site, here, summary)?,
                    None => Bdd::FALSE,
                },
                None => reach.domain.after_remembering(&program, id, here)?,
            };
            let to = program.edge(id).to;
            let old = weights.get(&to).copied().unwrap_or(Bdd::FALSE);
            let new = reach.domain.kernel.or(old, after)?;
            if new != old {
                weights.insert(to, new);
                waiting.insert((priority[to], to));
            }
        }
    }
    Ok(weights)
}
