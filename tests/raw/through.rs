//! Shortest and cheapest runs by given rules: a product with what was passed, beside the chop by
//! functional weights (Lal, Kidd, Reps, Touili 2007, § 4, Def. 9) in the shortest-path domain,
//! beside an explicit search.

use crate::support::Random;
use crate::systems::{Search, print, random_system, run};
use faultline::draw::words;
use faultline::encode::{configurations, pushdown_system};
use faultline::lang::model::EdgeId;
use faultline::lang::raw::{RawSystem, RawWeights};
use faultline::pds::{
    ControlLocation, FunctionalSummary, PAutomaton, Pds, Plain, PostStar, PreStar, Right, Rule,
    StackAutomaton, StackSymbol, State,
};
use faultline::report::through;
use faultline::semiring::{MinPath, PathLength};
use faultline::session::{Job, RawSought, Session, Task};
use faultline::wire::options::{Dialect, Saturation};

fn cost(system: &RawSystem, rule: u32) -> u64 {
    system.rules[rule as usize].weight.into()
}

fn weighted(given: &PAutomaton<bool>) -> PAutomaton<PathLength> {
    let mut automaton = PAutomaton::new(given.locations());
    while automaton.states() < given.states() {
        automaton.add_state();
    }
    for transition in given.transitions() {
        automaton.insert(*transition, Some(0));
    }
    (0..given.states())
        .map(State)
        .filter(|q| given.is_final(*q))
        .for_each(|q| automaton.set_final(q));
    automaton
}

/// The weight of all runs from the initial configurations to the targets through one of these
/// rules: every such rule stops on the way at a symbol of its own, and these are the set to go
/// through.
fn chopped(system: &RawSystem, rules: &[u32]) -> PathLength {
    let plain = pushdown_system(system);
    let symbols = system.symbols.len() as u32;
    let mut pds = Pds::new(plain.locations(), symbols + rules.len() as u32);
    let mut weights = Vec::new();
    for (k, rule) in (0u32..).zip(plain.rules()) {
        match rules.iter().position(|chosen| *chosen == k) {
            None => {
                pds.add(*rule);
            }
            Some(place) => {
                let stop = StackSymbol(symbols + place as u32);
                pds.add(Rule { to: rule.from, right: Right::Step(stop), ..*rule });
                weights.push(Some(cost(system, k)));
                pds.add(Rule { symbol: stop, ..*rule });
                weights.push(Some(0));
                continue;
            }
        }
        weights.push(Some(cost(system, k)));
    }
    let set = |set| weighted(&configurations(system, set, 1_000_000).expect("small"));
    let mut domain = Plain { semiring: MinPath, weights };
    let mut post = PostStar::new(&domain, set(&system.initial), Vec::new());
    let mut pre =
        PreStar::new(&pds, &mut domain, set(&system.target), Vec::new()).expect("no limit");
    while !(post.is_done() && pre.is_done()) {
        post.step(&pds, &mut domain).expect("no limit");
        pre.step(&pds, &mut domain).expect("no limit");
    }
    let mut best: PathLength = None;
    for p in (0..pds.locations()).map(ControlLocation) {
        for stop in (symbols..pds.symbols()).map(StackSymbol) {
            let at = StackAutomaton::top(stop);
            let mut summary = FunctionalSummary::new(p, Some(0));
            while !summary.is_done() {
                summary.step(&mut domain, post.read(), pre.read(), &at).expect("no limit");
            }
            let total = summary.total(&mut domain, post.read(), pre.read(), &at).expect("no limit");
            best = [best, total].into_iter().flatten().min();
        }
    }
    best
}

fn sought(session: &mut Session, sets: &[Vec<u32>]) -> RawSought {
    let edges = sets.iter().map(|set| set.iter().map(|rule| EdgeId(*rule)).collect()).collect();
    assert!(session.seek_through(edges), "a reachable target can be asked about");
    session.run();
    assert_eq!(session.fault(), None);
    session.raw().and_then(|raw| raw.through()).expect("an answer").answer.clone()
}

#[test]
fn a_product_a_chop_and_a_search_agree() {
    let (mut found, mut none, mut dearer, mut pairs) = (0, 0, 0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut system = random_system(&mut random, Dialect::Pds);
        let is_weighted = random.flip();
        if is_weighted {
            system.weights = RawWeights::MinPath;
            system.rules.iter_mut().for_each(|rule| rule.weight = random.below(6) as u32);
        }
        let source = print(&system, Dialect::Pds);
        let mut session = run(&source, Dialect::Pds, Saturation::Pre, Task::Check);
        let system = session.raw().expect("a raw system").system().clone();
        if session.raw().and_then(|raw| raw.reachable()) != Some(true) || system.rules.len() < 2 {
            continue;
        }
        let mut set = || {
            vec![
                random.below(system.rules.len() as u64) as u32,
                random.below(system.rules.len() as u64) as u32,
            ]
        };
        let sets = if seed % 2 == 0 { vec![set()] } else { vec![set(), set()] };
        let context = format!("seed {seed}, through {sets:?}\n{source}");
        let search = Search::new(&system, 5);
        let overall = search.cheapest(&system);
        let explicit = search.least_through(&system, &sets);
        let answer = match sought(&mut session, &sets) {
            RawSought::Run(run) => {
                assert!(
                    sets.iter().all(|set| set.iter().any(|rule| run.rules.contains(rule))),
                    "{context}"
                );
                Some(run.rules.iter().map(|rule| cost(&system, *rule)).sum::<u64>())
            }
            RawSought::None(_) => None,
            RawSought::Unknown(limit) => panic!("{limit:?}: {context}"),
        };
        assert!(
            explicit.is_none_or(|least| answer.is_some_and(|answer| answer <= least)),
            "{context}"
        );
        assert!(
            !search.conclusive || answer == explicit,
            "{answer:?} is not {explicit:?}: {context}"
        );
        if let [set] = &sets[..] {
            let mut rules = set.clone();
            rules.dedup();
            assert_eq!(answer, chopped(&system, &rules), "{context}");
        } else if answer.is_some() {
            pairs += 1;
        }
        found += u32::from(answer.is_some());
        none += u32::from(answer.is_none());
        dearer += u32::from(answer > overall && answer.is_some() && overall.is_some());
    }
    assert!(
        found >= 60 && none >= 10 && dearer >= 15 && pairs >= 15,
        "not worth checking: {found} {none} {dearer} {pairs}"
    );
}

#[test]
fn it_is_said_in_words() {
    let source = "weights minpath\n<p, a> -> <q, a> 1\n<p, a> -> <r, a> 2\n<r, a> -> <q, a> 3\n<q, b> -> <p, b> 1\ninitial <p, a>\ntarget <q, a>\n";
    let mut session = run(source, Dialect::Pds, Saturation::Pre, Task::Check);
    assert!(matches!(sought(&mut session, &[vec![1], vec![2]]), RawSought::Run(_)));
    let said = |session: &Session| words::through_headline(&through(session).expect("an answer"));
    assert_eq!(said(&session), "A run of least weight 5 by lines 3 and 4: 2 rules");
    assert_eq!(sought(&mut session, &[vec![0], vec![2]]), RawSought::None(Vec::new()));
    assert_eq!(
        said(&session),
        "No run into the target applies the rules of lines 2 and 4 together, though each of them is on such a run"
    );
}

#[test]
fn what_cannot_be_asked() {
    let source = "<p, a> -> <q, a>\ninitial <p, a>\ntarget <q, a>\n";
    let mut session = run(source, Dialect::Pds, Saturation::Pre, Task::Check);
    assert!(!session.seek_through(vec![vec![EdgeId(7)]]), "no such rule");
    assert!(!session.seek_through(vec![Vec::new()]), "an empty set");
    assert!(!session.seek_through(vec![vec![EdgeId(0)]; 9]), "too many sets");
    assert!(session.seek_through(vec![vec![EdgeId(0)]; 8]));
    session.run();
    assert!(matches!(
        session.raw().and_then(|raw| raw.through()).map(|t| &t.answer),
        Some(RawSought::Run(_))
    ));
}
