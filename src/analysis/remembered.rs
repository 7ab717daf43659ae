//! The weights of one procedure with every local kept.
//!
//! Saturation lets locals that no later statement reads have any value
//! ([`ProgramDomain::forgotten`](crate::encode::ProgramDomain)). A page that shows the stores at a
//! statement needs the values that these locals really have. One more fixpoint finds them, inside
//! the one procedure, with the summaries that saturation found. The value of such a local cannot
//! change what happens later, so no other procedure is concerned.

use super::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, CallSite, symbol};
use crate::lang::model::{EdgeId, LocationId};
use crate::pds::{StackSymbol, State, Transition};
use crate::util::Bounded;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// By frame state: the weights in which every local is kept, once they were asked for.
#[derive(Clone, Default)]
pub(super) struct Remembered {
    known: BTreeMap<State, Weights>,
    /// The fixpoint under way.
    remembering: Option<Remembering>,
}

impl_roots!(Remembered { known, remembering });

type Weights = BTreeMap<LocationId, Bdd>;

/// The fixpoint for the frames of a state.
#[derive(Clone)]
struct Remembering {
    state: State,
    /// By location: the edges that leave it.
    out: Rc<BTreeMap<LocationId, Vec<EdgeId>>>,
    weights: Weights,
    /// Locations whose weight has grown, by priority.
    waiting: BTreeSet<(u32, LocationId)>,
}

impl_roots!(Remembering { weights });

impl Reach {
    /// The weights at a location in which every local has its real value, even if no later
    /// statement reads it. Call this only after [`Self::is_done`].
    pub fn remembered_at(&mut self, location: LocationId) -> Bounded<Vec<(State, Bdd)>> {
        while !self.remember(location)? {}
        let states = self.at(symbol(location)).into_iter();
        let known = &self.remembered.known;
        Ok(states
            .filter_map(|(state, _)| Some((state, *known.get(&state)?.get(&location)?)))
            .collect())
    }

    /// One bounded piece of what [`Self::remembered_at`] has to do. Returns whether all is done.
    pub fn remember(&mut self, location: LocationId) -> Bounded<bool> {
        let states = self.at(symbol(location)).into_iter().map(|(state, _)| state);
        let next = { states }.find(|state| !self.remembered.known.contains_key(state));
        let Some(state) = next else { return Ok(true) };
        let begun = self.remembered.remembering.take().filter(|begun| begun.state == state);
        let mut remembering = match begun {
            Some(begun) => begun,
            None => Remembering::new(self, state)?,
        };
        let stepped = remembering.step(self);
        if stepped == Ok(true) {
            self.remembered.known.insert(state, remembering.weights);
        } else {
            self.remembered.remembering = Some(remembering);
        }
        stepped.map(|_| false)
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

impl Remembering {
    fn new(reach: &mut Reach, state: State) -> Bounded<Remembering> {
        let procedure = reach.procedure_of(state);
        let entry = reach.program.procedure(procedure).entry;
        let (mut weights, mut waiting) = (Weights::new(), BTreeSet::new());
        if let Some(arriving) = reach.weight(symbol(entry), state) {
            // If a loop leads back to the entry, only the stores that enter the frame count as a
            // start.
            weights.insert(entry, reach.domain.at_entry(procedure, arriving)?);
            waiting.insert((reach.system.priority[entry], entry));
        }
        let program = &reach.program;
        let mut out: BTreeMap<LocationId, Vec<EdgeId>> = BTreeMap::new();
        for id in program.edge_ids().filter(|id| program.owner(*id) == procedure) {
            out.entry(program.edge(id).from).or_default().push(id);
        }
        Ok(Remembering { state, out: Rc::new(out), weights, waiting })
    }

    /// Goes on from one location. Returns whether no weight grows any more. After a limit, the step
    /// can be done again.
    fn step(&mut self, reach: &mut Reach) -> Bounded<bool> {
        let Some(first) = self.waiting.pop_first() else { return Ok(true) };
        let out = Rc::clone(&self.out);
        for &id in out.get(&first.1).into_iter().flatten() {
            if let Err(limit) = self.follow(reach, id) {
                self.waiting.insert(first);
                return Err(limit);
            }
        }
        Ok(false)
    }

    /// Follows one edge.
    fn follow(&mut self, reach: &mut Reach, id: EdgeId) -> Bounded<()> {
        let program = Rc::clone(&reach.program);
        let edge = program.edge(id);
        let here = self.weights[&edge.from];
        let after = match CallSite::of(&program, id) {
            Some(site) => match reach.summary(site.callee) {
                Some(summary) => reach.domain.return_remembering(&site, here, summary)?,
                None => Bdd::FALSE,
            },
            None => reach.domain.after_remembering(&program, id, here)?,
        };
        let old = self.weights.get(&edge.to).copied().unwrap_or(Bdd::FALSE);
        let new = reach.domain.kernel.or(old, after)?;
        if new != old {
            self.weights.insert(edge.to, new);
            self.waiting.insert((reach.system.priority[edge.to], edge.to));
        }
        Ok(())
    }
}
