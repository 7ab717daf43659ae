//! Why innocent statements are innocent: the product's reason for every one of them, and what it
//! offers as proof, against explicit stores.

use crate::compare::{ask_oracle, target};
use crate::explicit::{Explicit, Settings, explore};
use crate::load;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::lang::model::{EdgeId, Operation, Program, Scalar};
use faultline::report::why_not::why;
use faultline::session::{Budgets, Job, Session, Task};
use faultline::wire::options::RequestedOptions;
use faultline::wire::projection::Method;
use faultline::wire::report::Value;
use faultline::wire::why_not::{BarrierKind, Reason, Why};
use std::collections::BTreeMap;

/// The product, its projection and the naive one beside it complete.
fn session(source: &str) -> Session {
    let (mut session, _) = Session::load(
        source,
        &RequestedOptions { error: target(source), ..RequestedOptions::default() },
    );
    session.start(Task::Projection(Method::Functional), Budgets::default());
    session.run();
    if session.start_comparison() {
        session.comparison().run();
    }
    assert_eq!(session.comparison().limit(), None);
    session
}

fn expected(oracle: &Explicit, edge: usize) -> Reason {
    match (oracle.reached[edge], oracle.naive[edge], oracle.projection[edge]) {
        (_, _, true) => Reason::Lit,
        (false, ..) => Reason::Unreached,
        (true, false, _) => Reason::CannotFail,
        (true, true, _) => Reason::Context,
    }
}

fn place(program: &Program, edge: usize) -> String {
    let edge = &program.edges[edge];
    format!("line {}, `{}` {}", edge.span.line, edge.text, edge.outcome)
}

#[test]
fn every_reason_is_the_explicit_one() {
    let (mut compared, mut tally) = (0, BTreeMap::new());
    each(5000..5380, generate::sequential, |seed, source| {
        let Some((program, oracle)) = ask_oracle(source) else { return };
        let mut session = session(source);
        for (number, edge) in
            program.edges.iter().enumerate().filter(|(_, edge)| edge.is_statement())
        {
            let found = why(&mut session, number as u32).expect("an answer");
            assert_eq!(
                found.reason,
                expected(&oracle, number),
                "seed {seed}, {}\n{source}",
                place(&program, number)
            );
            assert_eq!((found.statement.as_str(), found.id), (edge.text.as_str(), number as u32));
            *tally.entry(found.reason).or_insert(0) += 1;
        }
        compared += 1;
    });
    assert!(compared >= 300, "{compared}");
    assert!(
        tally[&Reason::Unreached] >= 300
            && tally[&Reason::CannotFail] >= 1000
            && tally[&Reason::Context] >= 60,
        "{tally:?}"
    );
}

/// What the reasons rest on: separating predicates, barriers and cross terms, evaluated in explicit
/// stores.
#[test]
fn every_proof_holds_in_explicit_stores() {
    let mut tally = Tally::default();
    each(4000..4400, generate::sequential, |seed, source| {
        let Ok(program) = load(source) else { return };
        let settings = Settings { error: target(source), cap: 6000, keep_dead: true };
        let Some(oracle) = explore(&program, settings) else { return };
        let mut session = session(source);
        for (number, _) in program.edges.iter().enumerate().filter(|(_, edge)| edge.is_statement())
        {
            let found = why(&mut session, number as u32).expect("an answer");
            let fault = check(&program, &oracle, number, &found, &mut tally);
            assert_eq!(
                fault,
                None,
                "seed {seed}, {}\n{found:#?}\n{source}",
                place(&program, number)
            );
        }
        tally.programs += 1;
    });
    assert!(tally.programs >= 80, "{tally:?}");
    assert!(tally.predicates >= 300 && tally.barriers >= 100 && tally.crosses >= 20, "{tally:?}");
    assert!(
        tally.silent * 20 <= tally.predicates + tally.barriers,
        "too often without a formula: {tally:?}"
    );
}

#[derive(Debug, Default)]
struct Tally {
    programs: u32,
    predicates: u32,
    barriers: u32,
    crosses: u32,
    /// No formula was found, or it speaks of what is not in scope.
    silent: u32,
}

fn check(
    program: &Program,
    oracle: &Explicit,
    edge: usize,
    found: &Why,
    tally: &mut Tally,
) -> Option<String> {
    match found.reason {
        Reason::Lit => {}
        Reason::CannotFail => match &found.predicate {
            Some(text) => match every(program, edge, oracle.arriving[edge].iter(), text) {
                Some(true) => {
                    tally.predicates += 1;
                    let mut arriving = oracle.arriving[edge].iter();
                    let mut held_by = |needed: &String| {
                        arriving.find(|store| {
                            every(program, edge, std::iter::once(*store), needed) == Some(true)
                        })
                    };
                    if let Some(needed) = &found.needed
                        && held_by(needed).is_some()
                    {
                        return Some(format!("{needed} is needed, and a run comes with it"));
                    }
                }
                Some(false) => return Some(format!("{text} does not hold whenever a run comes")),
                None => tally.silent += 1,
            },
            None => tally.silent += 1,
        },
        Reason::Unreached => {
            if found.barriers.is_empty() {
                return Some("no barrier".to_string());
            }
            for barrier in found
                .barriers
                .iter()
                .filter(|b| matches!(b.kind, BarrierKind::Condition | BarrierKind::Check))
            {
                let Some(text) = &barrier.holds else { continue };
                let same = |k: &usize| {
                    let e = &program.edges[*k];
                    (e.span.line, &e.text, &e.outcome)
                        == (barrier.line, &barrier.statement, &barrier.outcome)
                };
                // Two edges may look the same: one of them is meant.
                let holds: Vec<Option<bool>> = (0..program.edges.len())
                    .filter(same)
                    .filter(|k| !oracle.arriving[*k].is_empty())
                    .map(|k| every(program, k, oracle.arriving[k].iter(), text))
                    .collect();
                match (holds.contains(&Some(true)), holds.contains(&None)) {
                    (true, _) => tally.barriers += 1,
                    (false, true) => tally.silent += 1,
                    (false, false) => {
                        return Some(format!("{text} does not hold at line {}", barrier.line));
                    }
                }
            }
        }
        Reason::Context => {
            let cross = found.cross.as_ref()?;
            let mut matching = oracle.contexts[edge]
                .iter()
                .filter(|(store, _)| agrees(program, edge, store, &cross.example.0))
                .map(|(_, c)| c);
            let Some(first) = matching.next() else {
                return Some("the example does not arrive".to_string());
            };
            // What the example leaves out is not read any more: stores that differ only there are
            // told apart by nothing.
            let contexts = &matching.fold(first.clone(), |mut all, more| {
                all.arrives.extend(&more.arrives);
                all.fails.extend(&more.fails);
                all.at_start |= more.at_start;
                all.fails_here |= more.fails_here;
                all
            });
            if contexts.fails_here
                || contexts.fails.is_empty()
                || (!contexts.at_start && contexts.arrives.is_empty())
            {
                return Some(format!("the example is no cross term: {contexts:?}"));
            }
            let lines = |calls: Vec<EdgeId>| {
                calls.into_iter().map(|call| program.edge(call).span.line).collect::<Vec<u32>>()
            };
            let both = |call: &&EdgeId| contexts.fails.contains(call);
            if cross.common.is_empty() {
                let arrives: Vec<u32> = cross.arrives.iter().map(|p| p.line).collect();
                let fails: Vec<u32> = cross.fails.iter().map(|p| p.line).collect();
                let expected = (
                    lines(contexts.arrives.iter().copied().collect()),
                    lines(contexts.fails.iter().copied().collect()),
                    contexts.at_start,
                );
                // Where several stores of the frame look alike in scope, the explicit lists are
                // unions.
                let hidden = crate::reasons::has_hidden(program, edge);
                if !hidden && (arrives.clone(), fails.clone(), cross.at_start) != expected {
                    return Some(format!("calls: expected {expected:?}"));
                }
                if hidden
                    && !(arrives.iter().all(|l| expected.0.contains(l))
                        && fails.iter().all(|l| expected.1.contains(l)))
                {
                    return Some(format!("calls: not among {expected:?}"));
                }
            } else if !lines(contexts.arrives.iter().filter(both).copied().collect())
                .contains(&cross.common[0].line)
            {
                return Some("the common call is none".to_string());
            }
            tally.crosses += 1;
        }
    }
    None
}

/// Has the frame variables that are not in scope at the edge?
fn has_hidden(program: &Program, edge: usize) -> bool {
    let procedure = program.procedure(program.owner(EdgeId(edge as u32)));
    let scope = &program.scope(program.edges[edge].scope).variables;
    procedure.parameters.iter().chain(&procedure.locals).any(|id| !scope.contains(id))
        || matches!(program.edges[edge].operation, Operation::Call { .. })
            && procedure.result.is_some_and(|id| !scope.contains(&id))
}

/// Does a store, all variables in scope one after the other, have these values?
fn agrees(program: &Program, edge: usize, store: &[u64], values: &[(String, Value)]) -> bool {
    let names = names(program, edge);
    let element = |name: &str, bits: u64| {
        let place = names.iter().position(|(known, _)| known == name).expect("a name in scope");
        store[place] == bits & names[place].1.mask()
    };
    values.iter().all(|(name, value)| match value {
        Value::List(items) if matches!(items.first(), Some(Value::List(_))) => {
            let cells = items.iter().enumerate().flat_map(|(i, row)| {
                bits(row).into_iter().enumerate().map(move |(j, b)| (i, j, b))
            });
            cells.into_iter().all(|(i, j, bits)| element(&format!("{name}[{i}][{j}]"), bits))
        }
        Value::List(_) => bits(value)
            .into_iter()
            .enumerate()
            .all(|(k, bits)| element(&format!("{name}[{k}]"), bits)),
        _ => element(name, bits(value)[0]),
    })
}

fn bits(value: &Value) -> Vec<u64> {
    match value {
        Value::Truth(truth) => vec![u64::from(*truth)],
        Value::Number(number) | Value::Character(number) => vec![*number as u64],
        Value::List(items) => items.iter().flat_map(bits).collect(),
        Value::Name(text) | Value::Decimal(text) => panic!("a program has no values like {text}"),
    }
}

/// Does a formula hold in all of these stores? `None` if it cannot be read over the variables in
/// scope.
fn every<'a>(
    program: &Program,
    edge: usize,
    stores: impl Iterator<Item = &'a Vec<u64>>,
    text: &str,
) -> Option<bool> {
    let names = names(program, edge);
    let mut all = true;
    for store in stores {
        let value = |name: &str| {
            let place = names.iter().position(|(known, _)| known == name)?;
            Some(names[place].1.number(store[place]))
        };
        all &= crate::formula::holds(text, &value)?;
    }
    Some(all)
}

/// The scalars in scope before an edge, in the order of the oracle's stores; what a later name
/// hides is `x₀`.
fn names(program: &Program, edge: usize) -> Vec<(String, Scalar)> {
    let mut names = Vec::new();
    let scope = &program.scope(program.edges[edge].scope).variables;
    for (k, id) in scope.iter().enumerate() {
        let variable = program.variable(*id);
        let hidden =
            scope[k + 1..].iter().any(|later| program.variable(*later).name == variable.name);
        let name = format!("{}{}", variable.name, if hidden { "₀" } else { "" });
        for element in 0..variable.elements() {
            let name = match variable.dimensions[..] {
                [] => name.clone(),
                [_] => format!("{name}[{element}]"),
                [_, columns, ..] => format!("{name}[{}][{}]", element / columns, element % columns),
            };
            names.push((name, variable.scalar));
        }
    }
    names
}
