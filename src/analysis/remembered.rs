//! The weights of one procedure with every local remembered.
//!
//! Saturation lets locals that no later statement reads have any value
//! ([`ProgramDomain::forgotten`]). Whoever looks at a statement wants to see them as they are: one
//! more fixpoint, inside the one procedure, with the summaries that saturation found. What a
//! local's value was cannot change what happens later, so nothing else needs this.

use super::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{CONTROL, symbol};
use crate::lang::model::{LocationId, Operation};
use crate::pds::{State, Transition};
use crate::util::Bounded;
use std::collections::{BTreeMap, BTreeSet};

/// By location: entry and current stores of the frames of a state, all locals as they are.
pub(super) fn remembered(reach: &mut Reach, state: State) -> Bounded<BTreeMap<LocationId, Bdd>> {
    let program = reach.program.clone();
    let procedure = reach.procedure_of(state);
    let entry = program.procedure(procedure).entry;
    let mut weights: BTreeMap<LocationId, Bdd> = BTreeMap::new();
    let Some(arriving) = reach.weight(symbol(entry), state) else { return Ok(weights) };
    // Where a loop leads back to the entry, only what enters there counts as a start.
    let entering = reach.domain.at_entry(procedure, arriving)?;
    let mut out: BTreeMap<LocationId, Vec<_>> = BTreeMap::new();
    for id in program.edge_ids().filter(|id| program.owner(*id) == procedure) {
        out.entry(program.edge(id).from).or_default().push(id);
    }
    let priority = reach.system.priority.clone();
    let mut waiting = BTreeSet::from([(priority[entry.0 as usize], entry)]);
    weights.insert(entry, entering);
    while let Some((_, location)) = waiting.pop_first() {
        let here = weights[&location];
        for &id in out.get(&location).into_iter().flatten() {
            let after = match program.edge(id).operation {
                Operation::Call { callee, .. } => match reach.summary(callee) {
                    Some(summary) => {
                        reach.domain.return_remembering(&program, id, here, summary)?
                    }
                    None => Bdd::FALSE,
                },
                _ => reach.domain.after_remembering(&program, id, here)?,
            };
            let to = program.edge(id).to;
            let old = weights.get(&to).copied().unwrap_or(Bdd::FALSE);
            let new = reach.domain.kernel.or(old, after)?;
            if new != old {
                weights.insert(to, new);
                waiting.insert((priority[to.0 as usize], to));
            }
        }
    }
    Ok(weights)
}

impl Reach {
    /// A post\* weight: entry and current stores at a symbol in the frames of a state.
    pub fn weight(&self, from: crate::pds::StackSymbol, state: State) -> Option<Bdd> {
        let transition =
            Transition { from: CONTROL.into(), symbol: Some(from), to: state, via: None };
        let automaton = self.poststar.automaton();
        automaton.find(transition).map(|id| *automaton.weight(id))
    }
}
