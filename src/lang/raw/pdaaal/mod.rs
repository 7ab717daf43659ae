//! PDAAAL's JSON for a reachability instance: header, pushdown system, initial and final automaton.
//!
//! ```json
//! [{"state-names": true, "weight-type": "none"},
//!  {"states": {"p": {"a": [{"push": "b", "to": "q"}, {"swap": "b", "to": "q"}, {"pop": "", "to": "q"}]}, "q": {}}},
//!  {"accepting": [2], "edges": [["p", "a", 2]]},
//!  {"accepting": [2], "edges": [["q", "b", 2]]}]
//! ```
//!
//! With the weight type `uint` or `int` every rule has a natural number under `weight`; other
//! types, and negative weights, are refused.
//!
//! Without the enclosing array, an object with the key `instance` holds it. A `push` leaves the old
//! top below the new symbol. The label `*` means every symbol of the instance; an edge
//! labelled with the empty text reads nothing. In an automaton, the name of a state is a control
//! state. If states have no names, a number below the number of states is a control state. Every
//! other number is an inner state.

mod automaton;
mod header;
mod print;
mod reader;
mod rules;

pub use print::print;

use super::json::{Document, Json, Value};
use super::names::Interner;
use super::system::{ConfigurationSet, RawSystem};
use crate::lang::diagnostic::Diagnostics;
use header::{enclosed, read_header};
use reader::Reader;
use rules::expand;
use std::rc::Rc;

/// Reads an instance. Total, and linear in the text and in the rules that `*` stands for (capped).
/// `None` iff an error was reported.
pub fn read(source: &str, diagnostics: &mut Diagnostics) -> Option<RawSystem> {
    let document = Document::read(source, diagnostics)?;
    let instance = enclosed(document.whole()?, diagnostics)?;
    let Json::Array(parts) = instance.json() else {
        let message = format!("the instance is {}, not an array", instance.kind());
        diagnostics.error(
            instance.span(),
            message,
            "write `[header, system, initial automaton, final automaton]`",
        );
        return None;
    };
    let parts: Vec<Value> = parts.collect();
    let [header, system, initial, target] = parts[..] else {
        let found = parts.len();
        let message = format!("an instance has four parts, this one has {found}");
        diagnostics.error(
            instance.span(),
            message,
            "they are the header, the pushdown system, the initial and the final automaton",
        );
        return None;
    };
    let (named, weights) = read_header(header, diagnostics);
    let kind = weights.clone();
    let mut reader = Reader {
        named,
        weights,
        states: Interner::default(),
        symbols: Interner::default(),
        rules: Vec::new(),
        stars: Vec::new(),
        no_effect: Rc::default(),
        diagnostics,
    };
    reader.system(system);
    let initial = reader.automaton(initial, "initial");
    let target = reader.automaton(target, "final");
    let Reader { states, symbols, rules, stars, diagnostics, .. } = reader;
    let rules = expand(rules, &stars, symbols.list.len(), diagnostics);
    (!diagnostics.has_errors()).then_some(RawSystem {
        states: states.list,
        symbols: symbols.list,
        weights: kind.unwrap_or_default(),
        rules,
        initial: ConfigurationSet::Automaton(initial),
        target: ConfigurationSet::Automaton(target),
        atoms: Vec::new(),
    })
}
