//! A system as PDAAAL's JSON.

use crate::lang::raw::{
    ConfigurationAutomaton, ConfigurationSet, Node, RawRule, RawSystem, RawWeights, SymbolId,
};
use std::fmt::Write;

/// Prints the system as an instance, one rule on a line. `None` if its sets are not automata, or if
/// a push does not keep the old top. Reading the text gives the same system, if its numbering and
/// the order of its rules are those of the text.
pub fn print(system: &RawSystem) -> Option<String> {
    let (ConfigurationSet::Automaton(initial), ConfigurationSet::Automaton(target)) =
        (&system.initial, &system.target)
    else {
        return None;
    };
    let mut by_head: Vec<Vec<(SymbolId, Vec<&RawRule>)>> = vec![Vec::new(); system.states.len()];
    for rule in &system.rules {
        let heads = by_head.get_mut(rule.from.0 as usize)?;
        match heads.iter_mut().find(|(symbol, _)| *symbol == rule.symbol) {
            Some((_, rules)) => rules.push(rule),
            None => heads.push((rule.symbol, vec![rule])),
        }
    }
    let kind = match system.weights {
        RawWeights::Boolean => "none",
        RawWeights::MinPath => "uint",
        _ => return None,
    };
    let mut out =
        format!("[{{\"state-names\": true, \"weight-type\": \"{kind}\"}},\n {{\"states\": {{");
    for (k, heads) in by_head.iter().enumerate() {
        let _ =
            write!(out, "{}\n  {}: {{", if k > 0 { "," } else { "" }, quoted(&system.states[k]));
        for (k, (symbol, rules)) in heads.iter().enumerate() {
            let _ = write!(
                out,
                "{}\n    {}: [",
                if k > 0 { "," } else { "" },
                quoted(system.symbol(*symbol))
            );
            for (k, rule) in rules.iter().enumerate() {
                let operation = match rule.right[..] {
                    [] => "\"pop\": \"\"".to_string(),
                    [top] => format!("\"swap\": {}", quoted(system.symbol(top))),
                    [top, below] if below == rule.symbol => {
                        format!("\"push\": {}", quoted(system.symbol(top)))
                    }
                    _ => return None,
                };
                let weight = match system.weights {
                    RawWeights::MinPath => format!(", \"weight\": {}", rule.weight),
                    _ => String::new(),
                };
                let (comma, to) = (if k > 0 { "," } else { "" }, quoted(system.state(rule.to)));
                let _ = write!(out, "{comma}\n      {{{operation}, \"to\": {to}{weight}}}");
            }
            out.push(']');
        }
        out.push('}');
    }
    let _ = write!(out, "}}}},\n {},\n {}]\n", printed(system, initial), printed(system, target));
    Some(out)
}

fn printed(system: &RawSystem, automaton: &ConfigurationAutomaton) -> String {
    let node = |node: &Node| match node {
        Node::Control(state) => quoted(system.state(*state)),
        Node::Inner(k) => (system.states.len() as u64 + u64::from(*k)).to_string(),
    };
    let accepting: Vec<String> = automaton.accepting.iter().map(node).collect();
    let edge = |(from, label, to): &(Node, Option<SymbolId>, Node)| {
        format!(
            "[{}, {}, {}]",
            node(from),
            quoted(label.map_or("", |label| system.symbol(label))),
            node(to)
        )
    };
    let edges: Vec<String> = automaton.edges.iter().map(edge).collect();
    format!("{{\"accepting\": [{}], \"edges\": [{}]}}", accepting.join(", "), edges.join(", "))
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_string())
}
