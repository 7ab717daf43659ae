//! An automaton in DOT, Graphviz's language: one arrow for all transitions between two states.

use crate::draw::dot::digraph;
use crate::draw::lab_listing::state_name;
use crate::draw::lab_replay::{Replay, Touch, touch};
use crate::wire::lab::LabAutomaton;

/// The automaton as it is after a step, as the page draws it: what the step added or raised is
/// marked. Whole symbols and weights.
pub fn automaton_dot(automaton: &LabAutomaton, step: usize, weighted: bool) -> String {
    let replay = Replay::new(automaton);
    let there: Vec<Option<&str>> = (0..automaton.transitions.len())
        .map(|t| replay.weight(automaton, t as u32, step))
        .collect();
    let mut joined = vec![false; automaton.states.len()];
    for (t, _) in automaton.transitions.iter().zip(&there).filter(|(_, weight)| weight.is_some()) {
        for state in [t.from, t.to] {
            if let Some(joined) = joined.get_mut(state as usize) {
                *joined = true;
            }
        }
    }
    let states = automaton.states.iter().zip(joined);
    let states =
        states.map(|(s, joined)| (joined || s.role.stays()).then(|| (state_name(s), s.accepting)));
    let did = |t: usize| {
        automaton.steps.get(step).filter(|_| step > 0).and_then(|step| touch(step, t as u32))
    };
    let transitions =
        automaton.transitions.iter().zip(there).enumerate().filter_map(|(i, (t, weight))| {
            let text = if weighted {
                format!("{}  {}", t.symbol, weight?)
            } else {
                weight.map(|_| t.symbol.clone())?
            };
            Some((t.from, t.to, text, matches!(did(i), Some(Touch::Added | Touch::Raised))))
        });
    digraph(&automaton.title, states, transitions)
}
