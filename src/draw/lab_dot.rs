//! An automaton in DOT, Graphviz's language: one arrow for all transitions between two states.

use crate::draw::dot::quoted;
use crate::draw::lab_listing::state_name;
use crate::draw::lab_replay::{Replay, Touch, touch};
use crate::wire::lab::LabAutomaton;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A digraph. `states`: names, and whether a configuration ends there; `None` is left out.
/// `transitions`: from, to, text, and whether the step did something to it.
pub(crate) fn digraph(
    title: &str,
    states: impl Iterator<Item = Option<(String, bool)>>,
    transitions: impl Iterator<Item = (u32, u32, String, bool)>,
) -> String {
    let mut out = format!("digraph {} {{\n  rankdir=LR;\n", quoted(title));
    out.push_str("  node [shape=circle, fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"monospace\", fontsize=10];\n");
    for (k, state) in states.enumerate() {
        let Some((name, accepting)) = state else { continue };
        let _ = writeln!(
            out,
            "  n{k} [label={}{}];",
            quoted(&name),
            if accepting { ", peripheries=2" } else { "" }
        );
    }
    let mut arrows: BTreeMap<(u32, u32), (Vec<String>, bool)> = BTreeMap::new();
    for (from, to, text, now) in transitions {
        let arrow = arrows.entry((from, to)).or_default();
        arrow.0.push(text);
        arrow.1 |= now;
    }
    for ((from, to), (texts, now)) in arrows {
        let now = if now { ", color=\"#bf3d0a\", penwidth=1.8" } else { "" };
        let _ = writeln!(out, "  n{from} -> n{to} [label={}{now}];", quoted(&texts.join("\n")));
    }
    out.push_str("}\n");
    out
}

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
