//! Rules with natural numbers as weights: the least total weight, and a run of it.

use crate::support::Random;
use crate::systems::{Search, WAYS, print, random_system, reachable, run};
use faultline::analysis::raw_reach::LeastWeight;
use faultline::draw::words;
use faultline::encode::{configurations, pushdown_system};
use faultline::lang::raw::replay::{replay, weight};
use faultline::lang::raw::{RawSystem, RawWeights, load};
use faultline::pds::{PAutomaton, Plain, PostStar, State};
use faultline::report::report;
use faultline::semiring::{MinPath, PathLength};
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions, Saturation};
use std::collections::BTreeMap;

/// A random system whose rules weigh 0 to 5.
fn random_weighted(seed: u64, dialect: Dialect) -> RawSystem {
    let mut random = Random::new(seed);
    let mut system = random_system(&mut random, dialect);
    system.weights = RawWeights::MinPath;
    for rule in &mut system.rules {
        rule.weight = random.below(6) as u32;
    }
    system
}

fn least(session: &Session) -> Option<LeastWeight> {
    session.raw().expect("a raw system").least_weight()
}

/// The least weight of a target in post\* with weights: pairs of states of post\* and of the
/// target's automaton.
fn by_post(system: &RawSystem) -> PathLength {
    let pds = pushdown_system(system);
    let set = |set| configurations(system, set, 1_000_000).expect("small");
    let (given, target) = (set(&system.initial), set(&system.target));
    let mut initial = PAutomaton::new(given.locations());
    while initial.states() < given.states() {
        initial.add_state();
    }
    for transition in given.transitions() {
        initial.insert(*transition, Some(0));
    }
    (0..given.states())
        .map(State)
        .filter(|q| given.is_final(*q))
        .for_each(|q| initial.set_final(q));
    let mut domain = Plain {
        semiring: MinPath,
        weights: system.rules.iter().map(|rule| Some(u64::from(rule.weight))).collect(),
    };
    let mut post = PostStar::new(&domain, initial, Vec::new());
    while !post.is_done() {
        post.step(&pds, &mut domain).expect("no limit");
    }
    let post = post.automaton();
    let mut known: BTreeMap<(State, State), u64> =
        (0..given.locations()).map(|p| ((State(p), State(p)), 0)).collect();
    loop {
        let mut better: Vec<((State, State), u64)> = Vec::new();
        for (&(left, right), cost) in &known {
            for &l in post.outgoing(left) {
                let transition = post.transition(l);
                let Some(weight) = *post.weight(l) else { continue };
                // A caller's weight is that before its push rule.
                let weight = weight
                    + transition
                        .via
                        .map_or(0, |rule| u64::from(system.rules[rule.0 as usize].weight));
                let ends: Vec<State> = match transition.symbol {
                    None => vec![right],
                    symbol => target
                        .outgoing(right)
                        .iter()
                        .map(|r| target.transition(*r))
                        .filter(|r| r.symbol == symbol)
                        .map(|r| r.to)
                        .collect(),
                };
                better.extend(ends.into_iter().map(|to| ((transition.to, to), cost + weight)));
            }
        }
        let before = known.clone();
        for (pair, cost) in better {
            let old = known.entry(pair).or_insert(cost);
            *old = cost.min(*old);
        }
        if known == before {
            let ends = known
                .iter()
                .filter(|((left, right), _)| post.is_final(*left) && target.is_final(*right));
            return ends.map(|(_, cost)| *cost).min();
        }
    }
}

/// pre\* and post\* agree on the least weight, a search with bounded stacks never finds less, and
/// as little where nothing was cut off.
fn compare(dialect: Dialect, seeds: std::ops::Range<u64>) {
    let (mut conclusive, mut reached, mut uneven) = (0, 0, 0);
    for seed in seeds.clone() {
        let source = print(&random_weighted(seed, dialect), dialect);
        let mut answers = Vec::new();
        for way in WAYS {
            let session = run(&source, dialect, way, Task::Check);
            let context = format!("seed {seed} by {way:?}\n{source}");
            let answer = reachable(&session);
            let raw = session.raw().expect("a raw system");
            let found = match least(&session) {
                Some(LeastWeight::Known(found)) => Some(found),
                None => None,
                other => panic!("{other:?}: {context}"),
            };
            assert_eq!(found.is_some(), answer, "{context}");
            assert_eq!(found, by_post(raw.system()), "{context}");
            let search = Search::new(raw.system(), 6);
            let cheapest = search.cheapest(raw.system());
            assert!(
                cheapest.is_none_or(|cheapest| found.is_some_and(|found| found <= cheapest)),
                "{context}"
            );
            assert!(!search.conclusive || found == cheapest, "{context}");
            if let Some(run) = raw.run() {
                assert_eq!(Some(weight(raw.system(), &run.rules)), found, "{context}");
                assert_eq!(
                    replay(raw.system(), &run.start, &run.rules).as_ref(),
                    Ok(&run.end),
                    "{context}"
                );
                uneven += u32::from(found != Some(run.rules.len() as u64));
            }
            conclusive += u32::from(search.conclusive);
            reached += u32::from(answer);
            answers.push(found);
        }
        assert!(
            answers.iter().all(|one| *one == answers[0]),
            "the ways differ, seed {seed}\n{source}"
        );
    }
    let all = 3 * (seeds.end - seeds.start) as u32;
    let shares = [conclusive, reached, uneven].map(|n| n * 100 / all);
    assert!(
        shares.iter().zip([30, 20, 5]).all(|(share, least)| *share >= least),
        "not worth checking: {shares:?} %"
    );
}

#[test]
fn least_weights_with_expressions() {
    compare(Dialect::Pds, 0..300);
}

#[test]
fn least_weights_with_automata() {
    compare(Dialect::Pdaaal, 1_000..1_150);
}

/// Weights change neither the verdict nor the projection.
#[test]
fn the_projection_is_that_of_the_support() {
    for seed in 0..40 {
        let weighted = random_weighted(seed, Dialect::Pds);
        let plain = RawSystem { weights: RawWeights::Boolean, ..weighted.clone() };
        let [weighted, plain] = [weighted, plain].map(|s| {
            crate::systems::project(&print(&s, Dialect::Pds), Dialect::Pds, Saturation::Both)
        });
        let [weighted, plain] =
            [&weighted, &plain].map(|session| session.raw().expect("a raw system"));
        assert_eq!(
            (weighted.reachable(), weighted.in_projection()),
            (plain.reachable(), plain.in_projection()),
            "seed {seed}"
        );
        assert_eq!(plain.least_weight(), None);
    }
}

#[test]
fn rules_that_weigh_nothing() {
    // Around the loop for nothing, for ever; a run ends all the same, and is a shortest of the
    // least weight.
    let source = "weights minpath\n<p, a> -> <p, b> 0\n<p, b> -> <p, a> 0\n<p, a> -> <q, a> 4\n<p, b> -> <q, a> 3\ninitial <p, a>\ntarget <q, a>\n";
    for way in WAYS {
        let session = run(source, Dialect::Pds, way, Task::Check);
        assert_eq!(least(&session), Some(LeastWeight::Known(3)));
        assert_eq!(session.raw().and_then(|raw| raw.run()).expect("a run").rules, [0, 3]);
        let report = report(&session);
        assert_eq!(
            words::headline(&report),
            "Reachable: a run of least weight 3 reaches the target of line 7"
        );
        let json = serde_json::to_value(&report).expect("JSON");
        assert_eq!(
            (&json["pushdown"]["weight"], &json["pushdown"]["run_weight"]),
            (&3.into(), &3.into())
        );
    }
    let nothing = run(
        "weights minpath\ninitial <p, a>\ntarget <p, a>\n",
        Dialect::Pds,
        Saturation::Post,
        Task::Check,
    );
    assert_eq!(least(&nothing), Some(LeastWeight::Known(0)));
    let never = run(
        "weights minpath\n<p, a> -> <p>\ninitial <p, a>\ntarget <q>\n",
        Dialect::Pds,
        Saturation::Post,
        Task::Check,
    );
    assert_eq!((never.outcome(), least(&never)), (Outcome::Safe, None));
}

/// Each of `n` symbols is popped by two runs of the one below.
fn doubling(n: usize, weight: u32) -> String {
    let mut text = String::from("weights minpath\n");
    for k in 1..=n {
        text.push_str(&format!(
            "<p, a{k}> -> <p, a{} b{k}> {weight}\n<p, b{k}> -> <p, a{}> {weight}\n",
            k - 1,
            k - 1
        ));
    }
    format!("{text}<p, a0> -> <p> {weight}\ninitial <p, a{n}>\ntarget <p>\n")
}

/// The weight of a run that is too long to be shown is known, up to 2^64 - 2.
#[test]
fn long_runs() {
    for way in WAYS {
        let session = run(&doubling(40, 5), Dialect::Pds, way, Task::Check);
        assert_eq!(least(&session), Some(LeastWeight::Known(5 * (3 * (1 << 40) - 2))));
        assert!(session.raw().is_some_and(|raw| raw.run().is_none() && raw.is_run_too_long()));
        let session = run(&doubling(63, 5), Dialect::Pds, way, Task::Check);
        assert_eq!(
            (least(&session), session.outcome()),
            (Some(LeastWeight::Uncounted), Outcome::Unsafe)
        );
        assert_eq!(
            report(&session).pushdown.and_then(|pushdown| pushdown.weight_missing).as_deref(),
            Some("it is 2^64 - 1 or more")
        );
        // All for nothing, but too long; what is shown weighs 7, and is not said to weigh least.
        let session =
            run(&format!("{}<p, a20> -> <p> 7\n", doubling(20, 0)), Dialect::Pds, way, Task::Check);
        assert_eq!(least(&session), Some(LeastWeight::Known(0)));
        assert_eq!(session.raw().and_then(|raw| raw.run_weight()).unwrap_or(7), 7);
        assert_eq!(session.outcome(), Outcome::Unsafe);
    }
}

/// Where the budget ends the search for the least weight, the verdict stays.
#[test]
fn a_budget_too_small() {
    let mut seen = 0;
    let (source, mut steps) = (doubling(12, 1), 1);
    loop {
        let (mut session, _) = Session::load(
            &source,
            &RequestedOptions { dialect: Some(Dialect::Pds), ..RequestedOptions::default() },
        );
        session.start(Task::Check, Budgets { max_steps: steps, ..Budgets::default() });
        session.run();
        match (session.outcome(), least(&session)) {
            (Outcome::Unsafe, Some(LeastWeight::Known(weight))) => {
                break assert_eq!(weight, 3 * (1 << 12) - 2);
            }
            (Outcome::Unsafe, found) => {
                seen += u32::from(matches!(found, Some(LeastWeight::Unknown(_)) | None))
            }
            (outcome, found) => assert!(
                matches!(outcome, Outcome::Unknown(_)) && found.is_none(),
                "{outcome:?}, {found:?}"
            ),
        }
        steps += 1;
    }
    assert!(steps > 1, "{seen} of {steps} budgets gave a verdict without a weight");
}

#[test]
fn what_is_printed_reads_as_the_same_system() {
    for dialect in [Dialect::Pds, Dialect::Pdaaal] {
        for seed in 0..200 {
            let text = print(&random_weighted(seed, dialect), dialect);
            let read = |text: &str| {
                let loaded = load(
                    text,
                    &RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() },
                );
                loaded
                    .system
                    .unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics))
                    .without_places()
            };
            let once = read(&text);
            assert_eq!(once.weights, RawWeights::MinPath);
            assert_eq!(read(&print(&once, dialect)), once, "{dialect:?}, seed {seed}\n{text}");
            let mut weights: Vec<u32> =
                random_weighted(seed, dialect).rules.iter().map(|rule| rule.weight).collect();
            let mut again: Vec<u32> = once.rules.iter().map(|rule| rule.weight).collect();
            weights.sort_unstable();
            again.sort_unstable();
            assert_eq!(weights, again);
        }
    }
}

/// The example in PDAAAL's README, whose least weight it gives as 4.
#[test]
fn pdaaals_own_example() {
    let system = r#"{"states": {
        "p0": {"A": {"to": "p1", "pop": "", "weight": 1}, "B": {"to": "p0", "push": "A", "weight": 0}},
        "p1": {"A": [{"to": "p0", "swap": "A", "weight": 2}, {"to": "p2", "push": "B", "weight": 1}]},
        "p2": {"B": {"to": "p2", "pop": "", "weight": 3}}}}"#;
    let initial = r#"{"accepting": [3], "edges": [["p0", "A", 3], ["p0", "B", 4], [4, "A", 3], ["p1", "A", 3]]}"#;
    let target = r#"{"accepting": ["p2", 3], "edges": [["p2", "A", 3]]}"#;
    for kind in ["uint", "int"] {
        let source = format!(
            "[{{\"state-names\": true, \"weight-type\": \"{kind}\"}},\n{system},\n{initial},\n{target}]"
        );
        for way in WAYS {
            let session = run(&source, Dialect::Pdaaal, way, Task::Check);
            assert!(reachable(&session));
            assert_eq!(least(&session), Some(LeastWeight::Known(4)));
        }
    }
}
