//! Replays a run of a raw system rule by rule, on a plain stack: the judge of every run that is shown. It shares no code with the
//! pushdown engine, not even the way in which sets of configurations are read.

use super::system::{ConfigurationAutomaton, ConfigurationSet, Node, RawSystem, StateId, SymbolId};
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

/// Is a configuration in a set?
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
        let silent = automaton.edges.iter().filter(|(from, label, _)| label.is_none() && nodes.contains(from));
        let more: Vec<Node> = silent.map(|(_, _, to)| *to).filter(|to| !nodes.contains(to)).collect();
        if more.is_empty() {
            return nodes;
        }
        nodes.extend(more);
    };
    let mut nodes = closed(BTreeSet::from([Node::Control(configuration.state)]));
    for symbol in configuration.stack.iter().rev() {
        let read = automaton.edges.iter().filter(|(from, label, _)| *label == Some(*symbol) && nodes.contains(from));
        nodes = closed(read.map(|(_, _, to)| *to).collect());
    }
    automaton.accepting.iter().any(|node| nodes.contains(node))
}

/// Applies a rule by its number; false (and nothing changes) where its left side does not match.
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

/// The last configuration of a run that starts in `start`, which must be initial, and ends in a target.
/// Errors: what is wrong with it.
pub fn replay(system: &RawSystem, start: &Configuration, rules: &[u32]) -> Result<Configuration, String> {
    if !is_in(&system.initial, start) {
        return Err(format!("{} is no initial configuration", system.configuration(start.state, &start.top_first())));
    }
    let mut now = start.clone();
    for (k, rule) in rules.iter().enumerate() {
        if !apply(system, &mut now, *rule) {
            return Err(format!("step {} of the run does not apply to the configuration before it", k + 1));
        }
    }
    if !is_in(&system.target, &now) {
        return Err(format!("the run's end {} is no target", system.configuration(now.state, &now.top_first())));
    }
    Ok(now)
}

/// What the rules of a run weigh together; 2^64 - 1 stands for that much or more.
pub fn weight(system: &RawSystem, rules: &[u32]) -> u64 {
    let weights = rules.iter().filter_map(|rule| system.rules.get(*rule as usize));
    weights.fold(0, |sum, rule| sum.saturating_add(rule.weight.into()))
}
