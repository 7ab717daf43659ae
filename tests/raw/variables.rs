//! Rules with affine weights and with constants: what all runs into the target do to the variables,
//! in words, and against concrete runs.

use crate::support::Random;
use crate::systems::{WAYS, print, random_system, run};
use faultline::lang::raw::replay::{Configuration, apply, is_in};
use faultline::lang::raw::transformer::{Term, Transformer};
use faultline::lang::raw::{RawSystem, RawWeights, StateId, SymbolId};
use faultline::report::report;
use faultline::semiring::affine::{AffineExpression, Coefficients};
use faultline::session::{Session, Task, TotalWeight};
use faultline::wire::options::Dialect;
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::BTreeSet;

fn words(session: &Session) -> Option<String> {
    report(session).pushdown.and_then(|pushdown| pushdown.effect).and_then(|effect| effect.words)
}

fn said(source: &str) -> String {
    let mut all: Vec<String> = WAYS
        .into_iter()
        .map(|way| words(&run(source, Dialect::Pds, way, Task::Check)).expect("reached"))
        .collect();
    all.dedup();
    assert_eq!(all.len(), 1, "the ways differ: {all:?}");
    all.remove(0)
}

/// As often as f is entered g follows: recursion keeps x and y in step.
const IN_STEP: &str = "<p, m> -> <p, f e>  x := 0, y := 0\n<p, f> -> <p, f g>  x := x + 1\n<p, f> -> <p>\n<p, g> -> <p>  y := y + 2\ninitial <p, m>\ntarget <p, e>\n";

#[test]
fn in_words() {
    assert_eq!(said(&format!("weights affine x y\n{IN_STEP}")), "y' = 2*x'");
    assert_eq!(said(&format!("weights affine x y z\n{IN_STEP}")), "z' = z, y' = 2*x'");
    assert_eq!(said(&format!("weights affine x y modulo 2^1\n{IN_STEP}")), "y' = 0");
    assert_eq!(said(&format!("weights constants x y z\n{IN_STEP}")), "z' = z");
    let two = |weights: &str| {
        said(&format!(
            "weights {weights}\n<p, a> -> <p, b> x := y + 1\n<p, a> -> <p, b> x := y + 1, y := 3\ninitial <p, a>\ntarget <p, b>\n"
        ))
    };
    assert_eq!(two("affine x y"), "x' = y + 1");
    assert_eq!(two("constants x y"), "x' = y + 1");
    assert_eq!(two("affine x y modulo 2^8"), "x' = y + 1");
    let once = |weight: &str| {
        said(&format!(
            "weights relation x y {{0..7}}\n<p, a> -> <p, b> {weight}\ninitial <p, a>\ntarget <p, b>\n"
        ))
    };
    // In either order.
    for (weight, parts) in [("x := 3, y := 5", ["x' = 3", "y' = 5"]), ("", ["x' = x", "y' = y"])] {
        let mut found: Vec<String> = once(weight).split(" ∧ ").map(str::to_string).collect();
        found.sort();
        assert_eq!(found, parts);
    }
    assert_eq!(once("x := *, y := *"), "any values");
    let json = serde_json::to_value(report(&run(
        &format!("weights constants x y\n{IN_STEP}"),
        Dialect::Pds,
        WAYS[0],
        Task::Check,
    )))
    .expect("JSON");
    assert_eq!(
        json["pushdown"]["effect"],
        serde_json::json!({"weights": "constants", "words": "any values", "exact": false})
    );
}

/// The gallery's examples say what their descriptions promise.
#[test]
fn the_gallery_s_weights() {
    assert_eq!(
        said(include_str!("../../static/examples/parcels.pds")),
        "labels' = boxes' + 7, parcels' = 2*boxes'"
    );
    let settings = include_str!("../../static/examples/settings.pds");
    assert_eq!(said(settings), "fast' = 3, slow' = 3");
    assert_eq!(
        said(&settings.replace("weights constants", "weights affine")),
        "used' = 3, slow' = 3, fast' = 3"
    );
    let mut found: Vec<String> = said(include_str!("../../static/examples/handles.pds"))
        .split(" ∧ ")
        .map(str::to_string)
        .collect();
    found.sort();
    assert_eq!(found, ["failed' = 1", "open' = 1"]);
    let session =
        run(include_str!("../../static/examples/handles.pds"), Dialect::Pds, WAYS[0], Task::Check);
    let trace = report(&session).trace.expect("a run");
    let shown: Vec<String> =
        trace.iter().map(|entry| faultline::draw::words::configuration(&entry.values)).collect();
    assert_eq!(shown.last().map(String::as_str), Some("<run, leak>, open = 1, failed = 1"));
    let graph = faultline::report::graph(&session);
    assert!(
        graph.arrows.iter().any(|arrow| arrow.label == "ε: open := open - 1"),
        "{:?}",
        graph.arrows
    );
    assert!(graph.arrows.iter().any(|arrow| arrow.label == "work done: open := 0, failed := 0"));
}

/// A coefficient that doubles without end is no reason to go on without end.
#[test]
fn numbers_that_grow() {
    let mut text = String::from("weights affine x\n");
    for k in 1..=40 {
        text.push_str(&format!(
            "<p, a{k}> -> <p, a{} b{k}>\n<p, b{k}> -> <p, a{}>\n",
            k - 1,
            k - 1
        ));
    }
    let source = format!("{text}<p, a0> -> <p> x := 2*x\ninitial <p, a40>\ntarget <p>\n");
    let session = run(&source, Dialect::Pds, WAYS[0], Task::Check);
    let effect = report(&session).pushdown.and_then(|pushdown| pushdown.effect).expect("reached");
    assert_eq!((effect.words, effect.limit), (None, Some(faultline::util::Limit::Steps)));
    let source = source.replace("affine", "constants");
    assert_eq!(
        words(&run(&source, Dialect::Pds, WAYS[0], Task::Check)).as_deref(),
        Some("any values")
    );
}

fn random_variables(seed: u64, weights: RawWeights) -> RawSystem {
    let mut random = Random::new(seed);
    let mut system = random_system(&mut random, Dialect::Pds);
    system.weights = weights;
    for rule in &mut system.rules {
        let mut assigned = Vec::new();
        for target in 0..2 {
            if random.below(2) == 0 {
                let item = |random: &mut Random| match random.below(4) {
                    0 => Term::Number(random.below(4) as i64),
                    1 => Term::Product(vec![Term::Number(2), Term::Old(random.below(2) as u32)]),
                    _ => Term::Old(random.below(2) as u32),
                };
                let sum = Term::Sum(vec![
                    (random.flip(), item(&mut random)),
                    (random.flip(), item(&mut random)),
                ]);
                assigned.push((target, (random.below(6) > 0).then_some(sum)));
            }
        }
        rule.effect = Transformer { conditions: Vec::new(), assigned }.into();
    }
    system
}

type Numbers = Vec<i128>;

/// Pairs of stores at the start and at a target, of some runs; an arbitrary value is 5 or 12.
/// `modulo`: reduced.
fn pairs(system: &RawSystem, modulo: Option<i128>) -> BTreeSet<(Numbers, Numbers)> {
    let reduced = |n: i128| modulo.map_or(n, |m| n.rem_euclid(m));
    let mut found = BTreeSet::new();
    let mut layer: BTreeSet<(u32, Vec<SymbolId>, Numbers, Numbers)> = BTreeSet::new();
    for state in (0..system.states.len() as u32).map(StateId) {
        for symbol in (0..system.symbols.len() as u32).map(SymbolId) {
            if is_in(&system.initial, &Configuration { state, stack: vec![symbol] }) {
                layer.extend([[0, 0], [1, 3], [-2, 7]].map(|s| {
                    let store: Numbers = s.iter().map(|n| reduced(*n)).collect();
                    (state.0, vec![symbol], store.clone(), store)
                }));
            }
        }
    }
    for _ in 0..7 {
        let mut next = BTreeSet::new();
        for (state, stack, first, now) in layer.into_iter().take(300) {
            let configuration = Configuration { state: StateId(state), stack };
            if is_in(&system.target, &configuration) {
                found.insert((first.clone(), now.clone()));
            }
            for rule in 0..system.rules.len() as u32 {
                let mut there = configuration.clone();
                if !apply(system, &mut there, rule) {
                    continue;
                }
                let mut stores = vec![now.clone()];
                for (target, term) in &system.rules[rule as usize].effect.assigned {
                    let values = match term {
                        Some(term) => vec![evaluate(term, &now)],
                        None => vec![5, 12],
                    };
                    let set = |store: &Numbers, value: &i128| {
                        let mut store = store.clone();
                        store[*target as usize] = reduced(*value);
                        store
                    };
                    stores = stores
                        .iter()
                        .flat_map(|store| values.iter().map(move |value| set(store, value)))
                        .collect();
                }
                next.extend(
                    stores
                        .into_iter()
                        .map(|store| (there.state.0, there.stack.clone(), first.clone(), store)),
                );
            }
        }
        layer = next;
    }
    found
}

fn evaluate(term: &Term, store: &Numbers) -> i128 {
    match term {
        Term::Number(n) => i128::from(*n),
        Term::Old(k) | Term::New(k) => store[*k as usize],
        Term::Sum(items) => items
            .iter()
            .map(
                |(minus, item)| if *minus { -evaluate(item, store) } else { evaluate(item, store) },
            )
            .sum(),
        Term::Product(items) => items.iter().map(|item| evaluate(item, store)).product(),
    }
}

/// Every equality holds for every concrete run.
fn hold<C: Coefficients>(
    ring: &C,
    rows: &[Vec<C::Number>],
    pairs: &BTreeSet<(Numbers, Numbers)>,
    context: &str,
) {
    for row in rows {
        for (old, new) in pairs {
            let values: Vec<C::Number> = new
                .iter()
                .rev()
                .chain(old.iter().rev())
                .chain([&1])
                .map(|n| ring.integer(&BigInt::from(*n)))
                .collect();
            let sum = row
                .iter()
                .zip(&values)
                .fold(ring.zero(), |sum, (a, b)| ring.add_product(&sum, a, b));
            assert!(ring.is_zero(&sum), "{row:?} does not hold for {old:?}, {new:?}: {context}");
        }
    }
}

#[test]
fn concrete_runs_keep_the_equalities() {
    let names = || vec!["x".to_string(), "y".to_string()];
    let (mut compared, mut found) = (0, 0);
    for seed in 0..240 {
        let (weights, modulo) = match seed % 3 {
            0 => (RawWeights::Affine { variables: names(), modulo: None }, None),
            1 => (RawWeights::Affine { variables: names(), modulo: Some(3) }, Some(8)),
            _ => (RawWeights::Constants(names()), None),
        };
        let source = print(&random_variables(seed, weights), Dialect::Pds);
        let session = run(&source, Dialect::Pds, WAYS[seed as usize / 3 % 3], Task::Check);
        let raw = session.raw().expect("a raw system");
        let Some(totals) = raw.totals() else { continue };
        let pairs = pairs(raw.system(), modulo);
        if pairs.is_empty() {
            continue;
        }
        compared += 1;
        match totals.weight().expect("no limit").expect("it is over") {
            TotalWeight::Rational(mut domain, weight) => {
                let rows = domain.affine.transitions(&weight).expect("no limit");
                found += rows.rows().len();
                hold(domain.affine.ring(), rows.rows(), &pairs, &source);
            }
            TotalWeight::Modular(mut domain, weight) => {
                let rows = domain.affine.transitions(&weight).expect("no limit");
                found += rows.rows().len();
                hold(domain.affine.ring(), rows.rows(), &pairs, &source);
            }
            TotalWeight::Constants(_, weight) => {
                for (k, value) in weight.expect("a path").iter().enumerate() {
                    let Some(AffineExpression { constant, terms }) = value else { continue };
                    found += 1;
                    for (old, new) in &pairs {
                        let sum = terms.iter().fold(constant.clone(), |sum, (v, factor)| {
                            sum + factor * BigInt::from(old[*v])
                        });
                        assert!((sum - BigInt::from(new[k])).is_zero(), "{source}");
                    }
                }
            }
        }
    }
    assert!(compared > 60 && found > 60, "{compared} compared, {found} equalities");
}
