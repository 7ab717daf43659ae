//! What is printed reads as the same system.

use crate::support::Random;
use crate::systems::{print, random_system};
use faultline::lang::raw::{ConfigurationSet, RawSystem, load};
use faultline::wire::options::{Dialect, RequestedOptions};
use std::collections::BTreeSet;

fn read(source: &str, dialect: Dialect) -> RawSystem {
    let loaded =
        load(source, &RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() });
    loaded.system.unwrap_or_else(|| panic!("{:?}\n{source}", loaded.diagnostics)).without_places()
}

/// Rules and sets by names, without their order or numbers.
fn said(system: &RawSystem) -> BTreeSet<String> {
    let mut said: BTreeSet<String> = system.rules.iter().map(|rule| system.rule(rule)).collect();
    for (word, set) in [("initial", &system.initial), ("target", &system.target)] {
        match set {
            ConfigurationSet::Described(lines) => {
                said.extend(lines.iter().map(|line| {
                    format!("{word} {}", faultline::lang::raw::text::described(system, line))
                }));
            }
            ConfigurationSet::Automaton(automaton) => {
                said.insert(format!(
                    "{word}: {} edges, {} accepting",
                    automaton.edges.len(),
                    automaton.accepting.len()
                ));
            }
        }
    }
    said
}

#[test]
fn print_then_read_is_the_same_system() {
    for dialect in [Dialect::Pds, Dialect::Pdaaal] {
        for seed in 0..500 {
            let system = random_system(&mut Random::new(seed), dialect);
            let text = print(&system, dialect);
            let once = read(&text, dialect);
            assert_eq!(said(&once), said(&system), "{dialect:?}, seed {seed}\n{text}");
            // Now numbers and order are those of the text.
            assert_eq!(
                read(&print(&once, dialect), dialect),
                once,
                "{dialect:?}, seed {seed}\n{text}"
            );
        }
    }
}

#[test]
fn what_a_dialect_cannot_say_is_not_printed() {
    let text = read("<p, a> -> <q, b c>\ninitial <p, a>\ntarget <q, b c>\n", Dialect::Pds);
    assert!(faultline::lang::raw::pdaaal::print(&text).is_none(), "sets by expressions");
    let json = r#"[{"state-names":true,"weight-type":"none"},{"states":{"p q":{}}},{"accepting":[],"edges":[]},{"accepting":[],"edges":[]}]"#;
    assert!(
        faultline::lang::raw::text::print(&read(json, Dialect::Pdaaal)).is_none(),
        "sets by automata"
    );
}
