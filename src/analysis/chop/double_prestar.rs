//! Double pre\*, a baseline: A1 = pre\*(A_T), A2 = A1 ∩ A_C, A3 = pre\*(A2), A4 = A3 ∩ A_S, and its
//! path summary (Lal, Kidd, Reps, Touili 2007, § 4, the right column). A1 serves all queries; the
//! rest is done again for each.
//!
//! From the symbol of the chop on, A2 reads a stack as A1 does. These transitions must stay apart
//! from those that the second pre\* adds. So A2 has a second control location, which no rule
//! mentions; it means "the frame that the run had at the chop, or one below it, was left later".

use super::{Backward, Begun, Part, Query, callee_entry, top};
use crate::analysis::backward::weight;
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, ProgramDomain, symbol};
use crate::lang::model::{EdgeId, Operation};
use crate::pds::{BackwardWeights, ControlLocation, PAutomaton, Pds, PreStar, State, Transition};
use crate::util::Bounded;
use crate::util::order::inserted;
use std::collections::BTreeSet;

/// The control location that means: the run has left a frame after the chop.
const LEFT: ControlLocation = ControlLocation(1);
/// The accepting state.
const HIT: State = State(2);

/// The second pre\*, in progress.
pub(super) struct DoublePreStar {
    second: PreStar<ProgramDomain>,
}

/// The data that all queries share.
pub(super) struct Later {
    /// The program's rules, with one more control location.
    pds: Pds,
    /// A2 without the chop: how the stack below it goes on to the target.
    stacks: PAutomaton<Bdd>,
    /// The start.
    initial: Bdd,
}

impl Later {
    pub(super) fn new(reach: &mut Reach, first: &PAutomaton<Bdd>, target: State) -> Bounded<Later> {
        let mut pds = Pds::new(2, reach.system.pds.symbols());
        for rule in reach.system.pds.rules() {
            pds.add(*rule);
        }
        let mut stacks = PAutomaton::new(2);
        let hit = stacks.add_state();
        assert_eq!(hit, HIT);
        stacks.set_final(HIT);
        // Only return sites lie below another symbol.
        let calls = reach
            .program
            .edges
            .iter()
            .filter(|edge| matches!(edge.operation, Operation::Call { .. }));
        let sites: BTreeSet<_> = inserted(calls.map(|edge| symbol(edge.to)));
        for site in sites {
            let mut add = |from: State, to: State, weight: Option<Bdd>| {
                if let Some(weight) = weight {
                    stacks.insert(Transition { from, symbol: Some(site), to, via: None }, weight);
                }
            };
            add(LEFT.into(), LEFT.into(), weight(first, site, CONTROL.into()));
            add(LEFT.into(), HIT, weight(first, site, target));
            add(HIT, HIT, Some(Bdd::TRUE));
        }
        let program = std::rc::Rc::clone(&reach.program);
        let initial = reach.domain.initial(&program)?;
        Ok(Later { pds, stacks, initial })
    }
}

impl_roots!(Later { stacks, initial });

/// Prepares the second pre\*, of the configurations that execute the edge and fail.
pub(super) fn begin(
    reach: &mut Reach,
    edge: EdgeId,
    part: Part,
    backward: &Backward,
    later: &Later,
) -> Bounded<Begun> {
    let first = backward.prestar.automaton();
    let rule = reach.system.executes[edge];
    let (from, to) = (symbol(reach.program.edge(edge).from), symbol(reach.program.edge(edge).to));
    let mut tops = Vec::new();
    match (part, callee_entry(reach, edge)) {
        (Part::Passing, entry) => {
            for (state, on) in [
                (State::from(LEFT), weight(first, to, CONTROL.into())),
                (HIT, weight(first, to, backward.target)),
            ] {
                let Some(on) = on else { continue };
                tops.push((
                    state,
                    match entry.map(|entry| weight(first, entry, CONTROL.into())) {
                        None => reach.domain.before(rule, &on)?,
                        Some(Some(callee)) => reach.domain.return_before(rule, &callee, &on)?,
                        Some(None) => Bdd::FALSE,
                    },
                ));
            }
        }
        (Part::Ending, Some(entry)) => {
            if let Some(inside) = weight(first, entry, backward.target) {
                tops.push((HIT, reach.domain.inside_before(rule, &inside, &Bdd::TRUE)?));
            }
        }
        (Part::Ending, None) => {}
    }
    tops.retain(|(_, weight)| !weight.is_false());
    if tops.is_empty() {
        return Ok(Begun::Answer(false));
    }
    let mut chopped = later.stacks.clone();
    for (state, weight) in tops {
        chopped.insert(top(from, state), weight);
    }
    let second =
        PreStar::new(&later.pds, &mut reach.domain, chopped, reach.system.priority.clone())?;
    Ok(Begun::Query(Box::new(Query::DoublePreStar(DoublePreStar { second }))))
}

impl DoublePreStar {
    /// Does a piece of the query. Returns the answer once it is known: does the start lead to the
    /// target through the chop?
    pub(super) fn step(&mut self, reach: &mut Reach, later: &Later) -> Bounded<Option<bool>> {
        if !self.second.is_done() {
            self.second.step(&later.pds, &mut reach.domain)?;
            return Ok(None);
        }
        let main = reach.program.main_id();
        let entry = symbol(reach.program.procedure(main).entry);
        match weight(self.second.automaton(), entry, HIT) {
            Some(failing) => Ok(Some(reach.domain.meets(main, later.initial, failing)?)),
            None => Ok(Some(false)),
        }
    }
}

impl_roots!(DoublePreStar { second });
