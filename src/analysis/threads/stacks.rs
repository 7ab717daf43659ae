//! The stacks of one thread at a context switch, as a weighted automaton. The weights at its tops
//! do not constrain the globals.

use crate::bdd::{Bdd, Roots};
use crate::encode::{CONTROL, ProgramDomain, Shared};
use crate::pds::{PAutomaton, RuleId, StackSymbol, State, Transition};
use crate::util::Bounded;
use crate::util::order::sort_by_key;
use std::collections::BTreeMap;

/// A set of stacks. State 0 is below the bottom frame; each other state represents frames of a
/// callee.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stacks {
    /// Number of states.
    states: u32,
    /// By top of the stack: the symbol, the state behind it, and the weight, which relates the
    /// frame's entry to its locals now.
    tops: Vec<(StackSymbol, u32, Bdd)>,
    /// Pending calls: the callee's state, the return site, the caller's state, the call, and the
    /// caller's weight at the call.
    below: Vec<(u32, StackSymbol, u32, RuleId, Bdd)>,
}

/// The state behind the bottom frame in a saturated automaton.
const BOTTOM: State = State(1);

impl Stacks {
    /// One frame at a procedure's entry, its locals arbitrary.
    pub fn at_entry(entry: StackSymbol) -> Stacks {
        Stacks { states: 1, tops: vec![(entry, 0, Bdd::TRUE)], below: Vec::new() }
    }

    /// These stacks with these globals at the top, as an automaton to saturate.
    pub fn with_globals(
        &self,
        domain: &mut ProgramDomain,
        globals: Bdd,
    ) -> Bounded<PAutomaton<Bdd>> {
        let mut automaton = PAutomaton::new(1);
        for _ in 0..self.states {
            automaton.add_state();
        }
        automaton.set_final(BOTTOM);
        let state = |number: u32| State(BOTTOM.0 + number);
        for (symbol, to, weight) in &self.tops {
            let weight = domain.kernel.and(*weight, globals)?;
            automaton.insert(
                Transition {
                    from: CONTROL.into(),
                    symbol: Some(*symbol),
                    to: state(*to),
                    via: None,
                },
                weight,
            );
        }
        for (from, symbol, to, rule, weight) in &self.below {
            automaton.insert(
                Transition {
                    from: state(*from),
                    symbol: Some(*symbol),
                    to: state(*to),
                    via: Some(*rule),
                },
                *weight,
            );
        }
        Ok(automaton)
    }

    /// The stacks of a saturated automaton that have these globals and a top in `tops`, which gives
    /// transitions with parts of their weights. Frames below none of these tops are left out.
    pub fn split(
        domain: &mut ProgramDomain,
        shared: &Shared,
        automaton: &PAutomaton<Bdd>,
        tops: &[(u32, Bdd)],
        globals: Bdd,
    ) -> Bounded<Stacks> {
        let mut kept = Vec::new();
        for (id, weight) in tops {
            let weight = domain.without_globals(shared, *weight, globals)?;
            let transition = automaton.transition(*id);
            if let (Some(symbol), false) = (transition.symbol, weight.is_false()) {
                kept.push((symbol, transition.to, weight));
            }
        }
        sort_by_key(&mut kept, |(symbol, state, _)| (*symbol, *state));
        let mut numbers = BTreeMap::from([(BOTTOM, 0)]);
        let mut pending: Vec<State> = Vec::new();
        let mut number = |state: State, pending: &mut Vec<State>| {
            let next = numbers.len() as u32;
            *numbers.entry(state).or_insert_with(|| {
                pending.push(state);
                next
            })
        };
        let mut tops = Vec::new();
        for (symbol, state, weight) in kept {
            tops.push((symbol, number(state, &mut pending), weight));
        }
        let (mut below, mut next) = (Vec::new(), 0);
        while next < pending.len() {
            let state = pending[next];
            next += 1;
            let from = number(state, &mut pending);
            for id in automaton.outgoing(state) {
                let transition = automaton.transition(*id);
                let weight = *automaton.weight(*id);
                if let (Some(symbol), Some(rule), false) =
                    (transition.symbol, transition.via, weight.is_false())
                {
                    below.push((from, symbol, number(transition.to, &mut pending), rule, weight));
                }
            }
        }
        let states = 1 + pending.len() as u32;
        Ok(Stacks { states, tops, below })
    }

    /// The tops with the state behind each of them; `true` for the bottom frame.
    pub fn tops(&self) -> impl Iterator<Item = (StackSymbol, bool, Bdd)> + '_ {
        self.tops.iter().map(|(symbol, state, weight)| (*symbol, *state == 0, *weight))
    }

    /// The number of transitions.
    pub fn size(&self) -> u32 {
        (self.tops.len() + self.below.len()) as u32
    }
}

impl Roots for Stacks {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        roots.extend(self.tops.iter().map(|(.., weight)| *weight));
        roots.extend(self.below.iter().map(|(.., weight)| *weight));
    }
}

/// Does this transition lead to the state below the bottom frame?
pub fn is_bottom(transition: Transition) -> bool {
    transition.to == BOTTOM
}
