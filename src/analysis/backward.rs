//! pre\* of the errors that count, or of another goal. It gives for each location the stores from
//! which a run reaches the goal.

use super::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{CONTROL, ProgramDomain, symbol};
use crate::lang::model::{LocationId, Operation};
use crate::pds::{PAutomaton, PreStar, State, Transition};
use crate::util::Bounded;
use std::rc::Rc;

/// The goal of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An error that counts.
    Errors,
    /// This location, on any stack, with one of these stores (over [`crate::encode::Copy::Now`]).
    Stores(LocationId, Bdd),
    /// A location on any stack with one of its stores (over [`crate::encode::Copy::Now`]), by
    /// location.
    Heads(Rc<[Bdd]>),
    /// The end of the start procedure, in the first frame.
    End,
}

/// Prepares pre\* of a goal. Returns it with its accepting state. If `reachable`, weights are kept
/// inside the stores that some run reaches, and post\* must be finished; an exact projection needs
/// no other stores.
pub(super) fn backward(
    reach: &mut Reach,
    goal: &Goal,
    reachable: bool,
) -> Bounded<(PreStar<ProgramDomain>, State)> {
    let mut target = PAutomaton::new(1);
    let hit = target.add_state();
    target.set_final(hit);
    let top =
        |symbol| Transition { from: CONTROL.into(), symbol: Some(symbol), to: hit, via: None };
    match goal {
        Goal::Errors => {
            for site in &reach.system.errors {
                target.insert(top(site.symbol), Bdd::TRUE);
            }
        }
        Goal::Stores(location, stores) => {
            let stores = at_entry(reach, *location, *stores)?;
            target.insert(top(symbol(*location)), stores);
        }
        Goal::Heads(heads) => {
            for (location, stores) in (0..).map(LocationId).zip(heads.iter()) {
                if !stores.is_false() {
                    let stores = at_entry(reach, location, *stores)?;
                    target.insert(top(symbol(location)), stores);
                }
            }
        }
        Goal::End => {
            target.insert(
                top(symbol(reach.program.procedure(reach.program.main_id()).exit)),
                Bdd::TRUE,
            );
        }
    }
    for edge in &reach.program.edges {
        let below = Transition { from: hit, symbol: Some(symbol(edge.to)), to: hit, via: None };
        if *goal != Goal::End
            && matches!(edge.operation, Operation::Call { .. })
            && target.find(below).is_none()
        {
            target.insert(below, Bdd::TRUE);
        }
    }
    // If post\* relates all entries, so does pre\*. Its weights would become several times as large
    // if they were cut down to the reached stores.
    let within =
        if reachable && !reach.has_two_phases() { Some(reached_stores(reach)?) } else { None };
    reach.domain.stay_within(within);
    let prestar =
        PreStar::new(&reach.system.pds, &mut reach.domain, target, reach.system.priority.clone())?;
    Ok((prestar, hit))
}

/// The stores at a location over [`crate::encode::Copy::Entry`], as pre\* has them.
fn at_entry(reach: &mut Reach, location: LocationId, stores: Bdd) -> Bounded<Bdd> {
    let procedure = reach.program.location(location).procedure;
    reach.domain.now_to_entry(procedure, stores)
}

/// By symbol: the stores that some run reaches there, over [`crate::encode::Copy::Entry`]; errors
/// are not narrowed.
fn reached_stores(reach: &mut Reach) -> Bounded<Vec<Bdd>> {
    let mut reached = vec![Bdd::TRUE; reach.system.pds.symbols() as usize];
    let locations = reach.program.locations.len();
    for (k, slot) in reached.iter_mut().enumerate().take(locations) {
        let location = LocationId(k as u32);
        let stores = reach.stores_at(location)?;
        *slot = at_entry(reach, location, stores)?;
    }
    Ok(reached)
}

/// The weight of a transition of a pre\* automaton from the control location.
pub(super) fn weight(
    automaton: &PAutomaton<Bdd>,
    from: crate::pds::StackSymbol,
    to: State,
) -> Option<Bdd> {
    let transition = Transition { from: CONTROL.into(), symbol: Some(from), to, via: None };
    automaton.find(transition).map(|id| *automaton.weight(id))
}
