//! Which procedures nobody calls.

use crate::lang::rules::calls::{each_expression, initializer};
use crate::lang::syntax::{ExprKind, File, Item};
use std::collections::{BTreeMap, BTreeSet};

/// By procedure: those that it names, in calls or otherwise.
fn named_by(file: &mut File) -> (BTreeMap<String, BTreeSet<String>>, BTreeSet<String>) {
    let mut by: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut outside: BTreeSet<String> = BTreeSet::new();
    for item in &mut file.items {
        match item {
            Item::Function(f) | Item::Thread(f) => {
                let Some(body) = &mut f.body else { continue };
                let found = by.entry(f.name.text.clone()).or_default();
                each_expression(body, &mut |e| match &e.kind {
                    ExprKind::Name(name) => drop(found.insert(name.clone())),
                    ExprKind::Call(name, _) => drop(found.insert(name.text.clone())),
                    _ => {}
                });
            }
            Item::Declaration(declaration) => {
                for declarator in &mut declaration.declarators {
                    let Some(value) = &mut declarator.initializer else { continue };
                    initializer(value, &mut |e| {
                        if let ExprKind::Name(name) = &e.kind {
                            outside.insert(name.clone());
                        }
                    });
                }
            }
        }
    }
    (by, outside)
}

/// Does some procedure call this one?
pub(super) fn is_called(file: &mut File, name: &str) -> bool {
    let (by, outside) = named_by(file);
    outside.contains(name) || by.values().any(|named| named.contains(name))
}

/// The procedures that nobody else names, and one of each circle that is left. Every procedure is
/// one of them or can be reached from one.
pub(super) fn starts_of(file: &mut File) -> Vec<String> {
    let (by, outside) = named_by(file);
    let own: Vec<String> = file
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Function(f) if f.body.is_some() && !f.shared => Some(f.name.text.clone()),
            _ => None,
        })
        .collect();
    let mut found: Vec<String> = Vec::new();
    let mut reached: BTreeSet<String> = outside;
    for circles in [false, true] {
        for name in &own {
            let by_others = by.iter().any(|(from, named)| from != name && named.contains(name));
            if reached.contains(name) || !circles && by_others {
                continue;
            }
            found.push(name.clone());
            let mut open = vec![name.clone()];
            while let Some(next) = open.pop() {
                if reached.insert(next.clone()) {
                    open.extend(by.get(&next).into_iter().flatten().cloned());
                }
            }
        }
    }
    found.sort_by_key(|name| own.iter().position(|one| one == name));
    found
}
