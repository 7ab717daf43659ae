//! Rules with relations as weights, against a search over explicit configurations and stores that
//! evaluates each rule's text.

use crate::support::Random;
use crate::systems::{WAYS, print, random_system, requested};
use faultline::bdd::KernelLimits;
use faultline::encode::RawRelations;
use faultline::lang::raw::replay::{Configuration, apply, is_in, replay, replay_stores};
use faultline::lang::raw::transformer::{Comparison, Condition, Store, Term, Transformer};
use faultline::lang::raw::{RawSystem, RawVariable, RawWeights, StateId, SymbolId, load};
use faultline::report;
use faultline::session::{Budgets, Job, Outcome, RawSought, Session, Task};
use faultline::wire::options::{Dialect, Saturation};
use faultline::wire::projection::Method;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub(crate) fn variables() -> Vec<RawVariable> {
    vec![
        RawVariable { name: "x".to_string(), bits: 2 },
        RawVariable { name: "b".to_string(), bits: 1 },
    ]
}

const BITS: [u32; 2] = [2, 1];

pub(crate) fn stores() -> Vec<Store> {
    (0..8).map(|k| vec![k & 3, k >> 2]).collect()
}

fn random_term(random: &mut Random, depth: u32, primes: bool) -> Term {
    match if depth == 0 { random.below(3) } else { random.below(6) } {
        0 => Term::Number(random.below(5) as i64),
        1 => Term::Old(random.below(2) as u32),
        2 if primes => Term::New(random.below(2) as u32),
        2 => Term::Old(0),
        3 => Term::Product((0..2).map(|_| random_term(random, depth - 1, primes)).collect()),
        _ => Term::Sum(
            (0..1 + random.below(3))
                .map(|k| (k == 0 || random.flip(), random_term(random, depth - 1, primes)))
                .collect(),
        ),
    }
}

fn random_condition(random: &mut Random, depth: u32) -> Condition {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    match if depth == 0 { 0 } else { random.below(6) } {
        0..=2 => {
            let how =
                [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual][random.below(6) as usize];
            Condition::Compare(
                how,
                random_term(random, depth, true),
                random_term(random, depth, true),
            )
        }
        3 => Condition::Not(Box::new(random_condition(random, depth - 1))),
        4 => Condition::All((0..2).map(|_| random_condition(random, depth - 1)).collect()),
        _ => Condition::Any((0..2).map(|_| random_condition(random, depth - 1)).collect()),
    }
}

pub(crate) fn random_effect(random: &mut Random) -> Transformer {
    let conditions = (0..random.below(2)).map(|_| random_condition(random, 1)).collect();
    let assigned: Vec<u32> = (0..2).filter(|_| random.below(2) == 0).collect();
    let assigned = assigned
        .into_iter()
        .map(|v| (v, (random.below(6) > 0).then(|| random_term(random, 2, false))))
        .collect();
    Transformer { conditions, assigned }
}

fn random_relational(seed: u64) -> RawSystem {
    let mut random = Random::new(seed);
    let mut system = random_system(&mut random, Dialect::Pds);
    system.weights = RawWeights::Relation(variables());
    for rule in &mut system.rules {
        rule.effect = random_effect(&mut random).into();
    }
    system
}

/// The diagram of a rule's effect holds for exactly the pairs of stores for which the evaluation
/// does.
#[test]
fn effects_are_encoded_as_they_are_evaluated() {
    let mut relations = RawRelations::new(&variables(), KernelLimits::NONE).expect("no limit");
    let mut random = Random::new(4);
    let (mut held, mut failed) = (0, 0);
    for _ in 0..400 {
        let conditions = (0..random.below(3)).map(|_| random_condition(&mut random, 3)).collect();
        let effect = Transformer { conditions, ..random_effect(&mut random) };
        let diagram = relations.transformer(&effect).expect("no limit");
        for old in stores() {
            let behind = relations
                .relations
                .kernel
                .cofactor(diagram, &relations.stores.before(&old))
                .expect("no limit");
            for new in stores() {
                let value = |v: faultline::bdd::Var| {
                    (0..2).any(|k| {
                        relations
                            .stores
                            .new_levels(k)
                            .iter()
                            .position(|l| *l == v)
                            .is_some_and(|bit| new[k] >> bit & 1 == 1)
                    })
                };
                let said = relations.relations.kernel.eval(behind, &value);
                assert_eq!(said, effect.relates(&BITS, &old, &new), "{effect:?} {old:?} {new:?}");
                *(if said { &mut held } else { &mut failed }) += 1;
            }
        }
    }
    assert!(held > 1_000 && failed > 1_000, "{held} pairs hold, {failed} do not");
}

/// Configuration (stack bottom first), store at the start, store now.
type Node = (u32, Vec<SymbolId>, Store, Store);

/// Breadth-first over stacks of at most five symbols; `None` where a higher one is wanted.
struct Explored {
    nodes: Vec<Node>,
    edges: Vec<Vec<(u32, usize)>>,
    distance: Vec<u32>,
}

fn explore(system: &RawSystem) -> Option<Explored> {
    let mut index: BTreeMap<Node, usize> = BTreeMap::new();
    let mut found = Explored { nodes: Vec::new(), edges: Vec::new(), distance: Vec::new() };
    let mut waiting = VecDeque::new();
    let mut stacks: Vec<Vec<SymbolId>> = vec![Vec::new()];
    for _ in 0..3 {
        let longer: Vec<_> = stacks
            .iter()
            .flat_map(|s| {
                (0..system.symbols.len() as u32)
                    .map(move |k| [s.clone(), vec![SymbolId(k)]].concat())
            })
            .collect();
        stacks.extend(longer);
        stacks.sort();
        stacks.dedup();
    }
    for state in (0..system.states.len() as u32).map(StateId) {
        for stack in stacks.iter().filter(|stack| {
            is_in(&system.initial, &Configuration { state, stack: (*stack).clone() })
        }) {
            for store in stores() {
                waiting.push_back(((state.0, stack.clone(), store.clone(), store), 0, None));
            }
        }
    }
    while let Some((node, distance, from)) = waiting.pop_front() {
        let next = found.nodes.len();
        let id = *index.entry(node.clone()).or_insert(next);
        if let Some((rule, parent)) = from {
            let edges: &mut Vec<(u32, usize)> = &mut found.edges[parent];
            edges.push((rule, id));
        }
        if id != next {
            continue;
        }
        found.nodes.push(node.clone());
        found.edges.push(Vec::new());
        found.distance.push(distance);
        let (state, stack, first, now) = node;
        for rule in 0..system.rules.len() as u32 {
            let mut configuration = Configuration { state: StateId(state), stack: stack.clone() };
            if !apply(system, &mut configuration, rule) {
                continue;
            }
            for store in stores()
                .into_iter()
                .filter(|s| system.rules[rule as usize].effect.relates(&BITS, &now, s))
            {
                if configuration.stack.len() > 5 {
                    return None;
                }
                let next =
                    (configuration.state.0, configuration.stack.clone(), first.clone(), store);
                waiting.push_back((next, distance + 1, Some((rule, id))));
            }
        }
    }
    Some(found)
}

/// Verdict, shortest run, relation, reached rules, projection and heads, by each saturation.
#[test]
fn random_systems() {
    let (mut compared, mut reached, mut blocked, mut between) = (0, 0, 0, 0);
    for seed in 0..500 {
        let system = random_relational(seed);
        let source = print(&system, Dialect::Pds);
        let loaded = load(&source, &requested(Dialect::Pds, Saturation::Post));
        let system = loaded.system.unwrap_or_else(|| panic!("{:?}\n{source}", loaded.diagnostics));
        let Some(explored) = explore(&system) else { continue };
        compared += 1;
        let is_target = |node: &Node| {
            is_in(&system.target, &Configuration { state: StateId(node.0), stack: node.1.clone() })
        };
        let targets: Vec<usize> =
            (0..explored.nodes.len()).filter(|k| is_target(&explored.nodes[*k])).collect();
        let pairs: BTreeSet<(Store, Store)> = targets
            .iter()
            .map(|k| (explored.nodes[*k].2.clone(), explored.nodes[*k].3.clone()))
            .collect();
        let shortest = targets.iter().map(|k| explored.distance[*k] as usize).min();
        let mut leads: Vec<bool> = explored.nodes.iter().map(is_target).collect();
        while let Some(k) = (0..leads.len())
            .find(|k| !leads[*k] && explored.edges[*k].iter().any(|(_, to)| leads[*to]))
        {
            leads[k] = true;
        }
        let applied: BTreeSet<u32> =
            explored.edges.iter().flatten().map(|(rule, _)| *rule).collect();
        let mut lit = BTreeSet::new();
        let mut heads = BTreeSet::new();
        for k in (0..leads.len()).filter(|k| leads[*k]) {
            lit.extend(
                explored.edges[k].iter().filter(|(_, to)| leads[*to]).map(|(rule, _)| *rule),
            );
            heads
                .extend(explored.nodes[k].1.last().map(|top| (StateId(explored.nodes[k].0), *top)));
        }
        for way in WAYS {
            let (mut session, _) = Session::load(&source, &requested(Dialect::Pds, way));
            session.start(Task::Projection(Method::Functional), Budgets::default());
            session.run();
            let raw = session.raw().expect("a raw system");
            let context = format!("seed {seed} by {way:?}\n{source}");
            assert_eq!(raw.fault(), None, "{context}");
            assert_eq!(
                session.outcome(),
                if targets.is_empty() { Outcome::Safe } else { Outcome::Unsafe },
                "{context}"
            );
            assert_eq!(raw.run().map(|run| run.rules.len()), shortest, "{context}");
            if let Some(run) = raw.run() {
                assert_eq!(
                    replay(&system, &run.start, &run.rules).as_ref(),
                    Ok(&run.end),
                    "{context}"
                );
                assert_eq!(replay_stores(&system, &run.rules, &run.stores), Ok(()), "{context}");
                let ends = (run.stores[0].clone(), run.stores[run.rules.len()].clone());
                assert!(pairs.contains(&ends), "{context}");
            }
            let (domain, total) = raw.relation().expect("known");
            for (old, new) in stores()
                .into_iter()
                .flat_map(|old| stores().into_iter().map(move |new| (old.clone(), new)))
            {
                let value = |v: faultline::bdd::Var| {
                    (0..2).any(|k| {
                        let bit = |levels: Vec<faultline::bdd::Var>, value: u64| {
                            levels
                                .iter()
                                .position(|l| *l == v)
                                .is_some_and(|bit| value >> bit & 1 == 1)
                        };
                        bit(domain.stores.old(k), old[k])
                            || bit(domain.stores.new_levels(k), new[k])
                    })
                };
                let said = domain.relations.kernel.eval(total, &value);
                assert_eq!(
                    said,
                    pairs.contains(&(old.clone(), new.clone())),
                    "{old:?} {new:?} {context}"
                );
            }
            let marks = |marks: Option<&[bool]>| -> BTreeSet<u32> {
                marks
                    .expect("projected")
                    .iter()
                    .zip(0..)
                    .filter(|(mark, _)| **mark)
                    .map(|(_, k)| k)
                    .collect()
            };
            assert_eq!(marks(raw.reached()), applied, "{context}");
            assert_eq!(marks(raw.in_projection()), lit, "{context}");
            if !targets.is_empty() {
                assert_eq!(
                    raw.lit_heads().expect("projected").iter().copied().collect::<BTreeSet<_>>(),
                    heads,
                    "{context}"
                );
            }
            let report = report::report(&session);
            let effect = report.pushdown.and_then(|pushdown| pushdown.effect);
            assert_eq!(
                effect.as_ref().map(|effect| effect.exact && effect.words.is_some()),
                shortest.map(|_| true),
                "{context}"
            );
        }
        let plain = RawSystem { weights: RawWeights::Boolean, ..system.clone() };
        let plain = crate::systems::run(
            &print(&plain, Dialect::Pds),
            Dialect::Pds,
            Saturation::Post,
            Task::Check,
        );
        blocked += u32::from(plain.outcome() == Outcome::Unsafe && targets.is_empty());
        reached += u32::from(!targets.is_empty());
        between += u32::from(!lit.is_empty() && lit.len() < applied.len());
    }
    assert!(
        compared > 150 && reached > 50 && blocked > 5 && between > 20,
        "{compared} compared, {reached} reached, {blocked} by values not, {between} with a projection in between"
    );
}

/// A run through given rules keeps to the values, too.
#[test]
fn runs_through_rules() {
    let source = "weights relation x {0..3}\n<p, a> -> <p, b> x := 0\n<p, a> -> <p, b> x := 1\n<p, b> -> <p, b> x > 0, x := x + 1\n\
        <p, b> -> <q, b> x = 3\n<p, b> -> <q, b> x = 0\ninitial <p, a>\ntarget <q, b>\n";
    let (mut session, _) = Session::load(source, &requested(Dialect::Pds, Saturation::Post));
    session.start(Task::Projection(Method::Functional), Budgets::default());
    session.run();
    assert_eq!(session.raw().and_then(|raw| raw.run()).expect("a run").rules, [0, 4]);
    for (sets, expected) in [
        (vec![1], Some(vec![1, 2, 2, 3])),
        (vec![0], Some(vec![0, 4])),
        (vec![0, 3], None),
        (vec![1, 4], Some(vec![1, 2, 2, 2, 4])),
    ] {
        let sets = sets.iter().map(|rule| vec![faultline::lang::model::EdgeId(*rule)]).collect();
        assert!(session.seek_through(sets));
        session.run();
        let through = session.raw().and_then(|raw| raw.through()).expect("an answer");
        match (&through.answer, expected) {
            (RawSought::Run(run), Some(rules)) => {
                assert_eq!(run.rules, rules);
                assert_eq!(run.stores.len(), rules.len() + 1);
            }
            (RawSought::None(_), None) => {}
            (answer, expected) => panic!("{answer:?} is not {expected:?}"),
        }
    }
}

#[test]
fn what_is_printed_reads_as_the_same_system() {
    for seed in 0..300 {
        let system = random_relational(seed);
        let text = print(&system, Dialect::Pds);
        let read = |text: &str| {
            let loaded = load(text, &requested(Dialect::Pds, Saturation::Post));
            loaded
                .system
                .unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics))
                .without_places()
        };
        let once = read(&text);
        assert_eq!(once.weights, system.weights);
        assert_eq!(read(&print(&once, Dialect::Pds)), once, "{text}");
        let effects: Vec<&Transformer> = once.rules.iter().map(|rule| &*rule.effect).collect();
        assert_eq!(
            effects,
            system.rules.iter().map(|rule| &*rule.effect).collect::<Vec<_>>(),
            "{text}"
        );
    }
    assert!(
        faultline::lang::raw::pdaaal::print(&random_relational(0)).is_none(),
        "PDAAAL has no relations"
    );
}

#[test]
fn budgets() {
    let source = "weights relation x y {0..65535}\n<p, a> -> <p, a> x := x*y + 1\ninitial <p, a>\ntarget <q, a>\n";
    for (max_nodes, max_steps) in [(5_000, u64::MAX), (8_000_000, 5_000)] {
        let (mut session, _) = Session::load(source, &requested(Dialect::Pds, Saturation::Post));
        session.start(Task::Check, Budgets { max_nodes, max_steps, ..Budgets::default() });
        session.run();
        assert!(matches!(session.outcome(), Outcome::Unknown(_)), "{:?}", session.outcome());
    }
    // 32 variables of 32 bits are as many as there may be.
    let names: Vec<String> = (0..33).map(|k| format!("x{k}")).collect();
    let wide = |n: usize| {
        format!(
            "weights relation {} {{0..4294967295}}\n<p, a> -> <p>\ninitial <p, a>\ntarget <p>\n",
            names[..n].join(" ")
        )
    };
    for (n, known) in [(32, true), (33, false)] {
        let (mut session, _) = Session::load(&wide(n), &requested(Dialect::Pds, Saturation::Post));
        session.start(Task::Check, Budgets::default());
        session.run();
        assert_eq!(session.outcome() == Outcome::Unsafe, known, "{:?}", session.outcome());
    }
}
