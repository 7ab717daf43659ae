//! Replays a run of a raw system rule by rule, on a plain stack. Every run that is shown is checked
//! here first. It shares no code with the pushdown engine, not even the code that reads sets of
//! configurations.

use super::system::{
    ConfigurationAutomaton, ConfigurationSet, Node, RawSystem, RawWeights, StateId, SymbolId,
};
use super::transformer::Store;
use std::collections::BTreeSet;

/// A configuration; the stack's top is the *last* element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Control state.
    pub state: StateId,
    /// Bottom first.
    pub stack: Vec<SymbolId>,
}

impl Configuration {
    /// The stack from its top, as it is written.
    pub fn top_first(&self) -> Vec<SymbolId> {
        self.stack.iter().rev().copied().collect()
    }
}

/// Is the configuration in the set?
pub fn is_in(set: &ConfigurationSet, configuration: &Configuration) -> bool {
    match set {
        ConfigurationSet::Described(_) => which(set, configuration).is_some(),
        ConfigurationSet::Automaton(automaton) => accepts(automaton, configuration),
    }
}

/// The number of the first line that describes a configuration.
pub fn which(set: &ConfigurationSet, configuration: &Configuration) -> Option<usize> {
    let ConfigurationSet::Described(lines) = set else { return None };
    let stack = configuration.top_first();
    lines.iter().position(|line| line.state == configuration.state && line.stack.accepts(&stack))
}

fn accepts(automaton: &ConfigurationAutomaton, configuration: &Configuration) -> bool {
    let closed = |mut nodes: BTreeSet<Node>| loop {
        let silent = automaton
            .edges
            .iter()
            .filter(|(from, label, _)| label.is_none() && nodes.contains(from));
        let more: Vec<Node> =
            silent.map(|(_, _, to)| *to).filter(|to| !nodes.contains(to)).collect();
        if more.is_empty() {
            return nodes;
        }
        nodes.extend(more);
    };
    let mut nodes = closed(BTreeSet::from([Node::Control(configuration.state)]));
    for symbol in configuration.stack.iter().rev() {
        let read = automaton
            .edges
            .iter()
            .filter(|(from, label, _)| *label == Some(*symbol) && nodes.contains(from));
        nodes = closed(read.map(|(_, _, to)| *to).collect());
    }
    automaton.accepting.iter().any(|node| nodes.contains(node))
}

/// Applies a rule by its number. If its left side does not match, it returns false and changes
/// nothing.
pub fn apply(system: &RawSystem, configuration: &mut Configuration, rule: u32) -> bool {
    let Some(rule) = system.rules.get(rule as usize) else { return false };
    if rule.from != configuration.state || configuration.stack.last() != Some(&rule.symbol) {
        return false;
    }
    configuration.state = rule.to;
    configuration.stack.pop();
    configuration.stack.extend(rule.right.iter().rev());
    true
}

/// The last configuration of a run that starts in `start`, which must be initial, and ends in a
/// target. Errors: what is wrong with it.
pub fn replay(
    system: &RawSystem,
    start: &Configuration,
    rules: &[u32],
) -> Result<Configuration, String> {
    if !is_in(&system.initial, start) {
        return Err(format!(
            "{} is no initial configuration",
            system.configuration(start.state, &start.top_first())
        ));
    }
    let mut now = start.clone();
    for (k, rule) in rules.iter().enumerate() {
        if !apply(system, &mut now, *rule) {
            return Err(format!(
                "step {} of the run does not apply to the configuration before it",
                k + 1
            ));
        }
    }
    if !is_in(&system.target, &now) {
        return Err(format!(
            "the run's end {} is no target",
            system.configuration(now.state, &now.top_first())
        ));
    }
    Ok(now)
}

/// Do these stores go with a run: one before each rule, and one at its end? For systems whose
/// weights are relations. Errors: what is wrong with them.
pub fn replay_stores(system: &RawSystem, rules: &[u32], stores: &[Store]) -> Result<(), String> {
    let RawWeights::Relation(variables) = &system.weights else {
        return Err("the system's weights are no relations".to_string());
    };
    let bits: Vec<u32> = variables.iter().map(|variable| variable.bits).collect();
    let fits = |store: &Store| {
        store.len() == bits.len() && store.iter().zip(&bits).all(|(value, bits)| value >> bits == 0)
    };
    if stores.len() != rules.len() + 1 || !stores.iter().all(fits) {
        return Err("the run's values are not values of the variables".to_string());
    }
    for (k, (id, pair)) in rules.iter().zip(stores.windows(2)).enumerate() {
        let effect = system.rules.get(*id as usize).map(|rule| &rule.effect);
        if !effect.is_some_and(|effect| effect.relates(&bits, &pair[0], &pair[1])) {
            return Err(format!("step {} of the run does not lead to the values behind it", k + 1));
        }
    }
    Ok(())
}

/// The sum of the weights of a run's rules. 2^64 - 1 means that value or more.
pub fn weight(system: &RawSystem, rules: &[u32]) -> u64 {
    let weights = rules.iter().filter_map(|rule| system.rules.get(*rule as usize));
    weights.fold(0, |sum, rule| sum.saturating_add(rule.weight.into()))
}
