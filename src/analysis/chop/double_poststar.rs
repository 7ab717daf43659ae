//! Double post\*, a baseline: A1 = post\*(A_S), A2 = A1 ∩ A_C, A3 = post\*(A2), A4 = A3 ∩ A_T, and
//! its path summary (Lal, Kidd, Reps, Touili 2007, § 4, the left column). A1 serves all queries;
//! the rest is done again for each.

use super::{Begun, Part, Query, behind, callee_entry, entered, top};
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{ProgramDomain, symbol};
use crate::lang::model::EdgeId;
use crate::pds::{PAutomaton, PostStar, StackSymbol, State};
use crate::util::Bounded;

/// The second post\*, in progress.
pub(super) struct DoublePostStar {
    second: PostStar<ProgramDomain>,
}

/// Prepares the second post\*, from the configurations that the edge leads to.
pub(super) fn begin(reach: &mut Reach, edge: EdgeId, part: Part) -> Bounded<Begun> {
    let mut chopped = PAutomaton::new(1);
    let tops: Vec<(StackSymbol, State, Bdd)> = match part {
        Part::Passing => {
            let to = symbol(reach.program.edge(edge).to);
            below(reach, &mut chopped);
            behind(reach, edge)?.into_iter().map(|(state, weight)| (to, state, weight)).collect()
        }
        Part::Ending => {
            let Some(entry) = callee_entry(reach, edge) else { return Ok(Begun::Answer(false)) };
            // Only runs on which the callee does not return are wanted, so the new state leads
            // nowhere.
            let state = chopped.add_state();
            vec![(entry, state, entered(reach, edge)?)]
        }
    };
    if tops.iter().all(|(_, _, weight)| weight.is_false()) {
        return Ok(Begun::Answer(false));
    }
    for (symbol, state, weight) in tops {
        chopped.insert(top(symbol, state), weight);
    }
    let second = PostStar::new(&reach.domain, chopped, reach.system.priority.clone());
    Ok(Begun::Query(Box::new(Query::DoublePostStar(DoublePostStar { second }))))
}

/// Copies the transitions below the top of the stacks from post\* of the start.
fn below(reach: &Reach, chopped: &mut PAutomaton<Bdd>) {
    let first = reach.poststar.automaton();
    while chopped.states() < first.states() {
        let state = chopped.add_state();
        if first.is_final(state) {
            chopped.set_final(state);
        }
    }
    for (transition, weight) in first.transitions().iter().zip(first.weights()) {
        if first.control(transition.from).is_none() {
            chopped.insert(*transition, *weight);
        }
    }
}

impl DoublePostStar {
    /// The answer, once there is one. As in the paper, a query is computed to its end.
    pub(super) fn step(&mut self, reach: &mut Reach) -> Bounded<Option<bool>> {
        if !self.second.is_done() {
            self.second.step(&reach.system.pds, &mut reach.domain)?;
            return Ok(None);
        }
        let automaton = self.second.automaton();
        let first_error = reach.program.locations.len() as u32;
        let mut transitions = automaton.transitions().iter().zip(automaton.weights());
        let failed = transitions.any(|(t, weight)| {
            t.symbol.is_some_and(|symbol| symbol.0 >= first_error) && !weight.is_false()
        });
        Ok(Some(failed))
    }
}

impl_roots!(DoublePostStar { second });
