//! pre\* of the errors that count: which stores fail from where.

use super::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{CONTROL, ProgramDomain, symbol};
use crate::lang::model::{LocationId, Operation};
use crate::pds::{PAutomaton, PreStar, State, Transition};
use crate::util::Bounded;

/// Sets up pre\* of all errors, on any stack; nothing is saturated yet. The state returned is the one that accepts them. `reachable`:
/// weights are kept inside the stores that some run brings (post\* must be finished); a projection that is exact needs no others.
pub(super) fn backward(reach: &mut Reach, reachable: bool) -> Bounded<(PreStar<ProgramDomain>, State)> {
    let mut target = PAutomaton::new(1);
    let hit = target.add_state();
    target.set_final(hit);
    for site in &reach.system.errors {
        target.insert(Transition { from: CONTROL.into(), symbol: Some(site.symbol), to: hit, via: None }, Bdd::TRUE);
    }
    for edge in &reach.program.edges {
        let below = Transition { from: hit, symbol: Some(symbol(edge.to)), to: hit, via: None };
        if matches!(edge.operation, Operation::Call { .. }) && target.find(below).is_none() {
            target.insert(below, Bdd::TRUE);
        }
    }
    // Where post\* relates all entries, so does pre\*: cut down to what is reached its weights are several times as large.
    let within = if reachable && !reach.has_two_phases() { Some(reached_stores(reach)?) } else { None };
    reach.domain.stay_within(within);
    let prestar = PreStar::new(&reach.system.pds, &mut reach.domain, target, reach.system.priority.clone())?;
    Ok((prestar, hit))
}

/// By symbol: the stores that some run brings there, over [`crate::encode::Copy::Entry`]; errors are not narrowed.
fn reached_stores(reach: &mut Reach) -> Bounded<Vec<Bdd>> {
    let mut reached = vec![Bdd::TRUE; reach.system.pds.symbols() as usize];
    let locations = reach.program.locations.len();
    for (k, slot) in reached.iter_mut().enumerate().take(locations) {
        let location = LocationId(k as u32);
        let stores = reach.stores_at(location)?;
        let procedure = reach.program.location(location).procedure;
        *slot = reach.domain.now_to_entry(procedure, stores)?;
    }
    Ok(reached)
}

/// A weight of a pre\* automaton, from the control location.
pub(super) fn weight(automaton: &PAutomaton<Bdd>, from: crate::pds::StackSymbol, to: State) -> Option<Bdd> {
    let transition = Transition { from: CONTROL.into(), symbol: Some(from), to, via: None };
    automaton.find(transition).map(|id| *automaton.weight(id))
}
