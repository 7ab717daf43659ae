//! The system that remembers which of some rules were applied.
//!
//! A chop (Lal, Kidd, Reps, Touili 2007, Def. 9) asks for the runs from I to T through a set of
//! configurations; with shortest-path weights, for a shortest one. Here a run must apply a rule of
//! each of several sets, in any order. Control state ⟨p, m⟩ means p after a rule of each set in m.
//! So a run of this system into ⟨T, all⟩ is such a run, with the same weight.
//!
//! Differs from the paper: one pre\* of the product replaces an intersection of two weighted
//! automata by functional weights, which gives the weight but no run. Both agree on random systems
//! (`tests/raw`).

use crate::lang::raw::{
    ConfigurationAutomaton, ConfigurationSet, Described, Node, RawRule, RawSystem, StateId,
};
use crate::util::{Bounded, Limit};

/// Most sets at once: every set doubles the system.
pub const MOST_SETS: usize = 8;

/// The system whose runs into its target are the runs of `system` into its target that apply a rule
/// of each set (numbers of rules). Rule k of it is rule k mod n of the n rules of `system`, control
/// state s is s mod the number of its control states. Errors: more than `most` rules, or more than
/// [`MOST_SETS`] sets.
pub fn passing(system: &RawSystem, sets: &[Vec<u32>], most: u64) -> Bounded<RawSystem> {
    let masks = 1u64
        .checked_shl(sets.len() as u32)
        .filter(|_| sets.len() <= MOST_SETS)
        .ok_or(Limit::Nodes)?;
    if masks.saturating_mul(system.rules.len() as u64) > most
        || masks.saturating_mul(system.states.len() as u64) > u64::from(u32::MAX)
    {
        return Err(Limit::Nodes);
    }
    let mut passes = vec![0u32; system.rules.len()];
    for (k, set) in sets.iter().enumerate() {
        for rule in set {
            if let Some(passes) = passes.get_mut(*rule as usize) {
                *passes |= 1 << k;
            }
        }
    }
    let (masks, states) = (masks as u32, system.states.len() as u32);
    let after = |state: StateId, mask: u32| StateId(state.0 + mask * states);
    let mut rules: Vec<RawRule> = Vec::with_capacity(system.rules.len() * masks as usize);
    for mask in 0..masks {
        for (rule, passes) in system.rules.iter().zip(&passes) {
            rules.push(RawRule {
                from: after(rule.from, mask),
                to: after(rule.to, mask | passes),
                ..rule.clone()
            });
        }
    }
    let moved = |node: Node| match node {
        Node::Control(state) => Node::Control(after(state, masks - 1)),
        inner => inner,
    };
    let target = match &system.target {
        ConfigurationSet::Described(lines) => ConfigurationSet::Described(
            lines
                .iter()
                .map(|line| Described { state: after(line.state, masks - 1), ..line.clone() })
                .collect(),
        ),
        ConfigurationSet::Automaton(automaton) => {
            ConfigurationSet::Automaton(ConfigurationAutomaton {
                edges: automaton
                    .edges
                    .iter()
                    .map(|(from, symbol, to)| (moved(*from), *symbol, moved(*to)))
                    .collect(),
                accepting: automaton.accepting.iter().map(|node| moved(*node)).collect(),
                ..automaton.clone()
            })
        }
    };
    let names = (0..masks).flat_map(|_| system.states.iter().cloned()).collect();
    Ok(RawSystem {
        states: names,
        symbols: system.symbols.clone(),
        weights: system.weights.clone(),
        rules,
        initial: system.initial.clone(),
        target,
        atoms: Vec::new(),
    })
}
