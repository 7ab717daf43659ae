//! Random systems against a search of their own.

use crate::support::Random;
use crate::systems::{Search, WAYS, print, project, random_system, reachable};
use faultline::lang::raw::SymbolId;
use faultline::wire::options::Dialect;
use std::collections::BTreeSet;

const HIGHEST: usize = 6;

/// A search with bounded stacks never finds more than the engine, and as much where nothing was cut
/// off: verdict, applied rules, rules and heads of the projection.
fn compare(dialect: Dialect, seeds: std::ops::Range<u64>) {
    let (mut conclusive, mut reached, mut partial, mut cut_and_reached) = (0, 0, 0, 0);
    for seed in seeds.clone() {
        let system = random_system(&mut Random::new(seed), dialect);
        let source = print(&system, dialect);
        let mut answers = Vec::new();
        for way in WAYS {
            let session = project(&source, dialect, way);
            let answer = reachable(&session);
            let raw = session.raw().expect("a raw system");
            // Reading renumbers: the search runs on what was read.
            let search = Search::new(raw.system(), HIGHEST);
            let found = search.reaches(raw.system());
            let set = |marks: &[bool]| -> BTreeSet<u32> {
                (0u32..).zip(marks).filter(|(_, mark)| **mark).map(|(k, _)| k).collect()
            };
            let lit = set(raw.in_projection().expect("projected"));
            let applied = set(raw.reached().expect("post* is complete"));
            let heads: BTreeSet<_> = raw.lit_heads().expect("projected").iter().copied().collect();
            let (rules, search_heads) = search.projection(raw.system());
            let context = format!("seed {seed} by {way:?}\n{source}");
            assert!(!found || answer, "the search finds a target: {context}");
            assert!(
                rules.is_subset(&lit)
                    && search_heads.is_subset(&heads)
                    && search.applied().is_subset(&applied),
                "{context}"
            );
            if search.conclusive {
                assert_eq!(answer, found, "{context}");
                assert_eq!(applied, search.applied(), "{context}");
                assert_eq!(lit, rules, "{context}");
                assert_eq!(heads, search_heads, "{context}");
            }
            if let Some(run) = raw.run() {
                assert!(raw.is_shortest(), "small systems are within the budget: {context}");
                // Breadth-first, and no run with higher stacks was left out.
                let least = search.shortest(raw.system());
                assert!(least.is_none_or(|least| run.rules.len() <= least), "{context}");
                assert!(!search.conclusive || least == Some(run.rules.len()), "{context}");
            }
            conclusive += u32::from(search.conclusive);
            reached += u32::from(answer);
            partial += u32::from(!lit.is_empty() && lit.len() < applied.len());
            cut_and_reached += u32::from(answer && !search.conclusive);
            answers.push((answer, lit, heads, applied));
        }
        assert!(
            answers.iter().all(|one| *one == answers[0]),
            "the ways differ, seed {seed}\n{source}"
        );
    }
    let all = 3 * (seeds.end - seeds.start) as u32;
    let shares =
        [conclusive, reached, all - reached, partial, cut_and_reached].map(|n| n * 100 / all);
    let least = [30, 20, 20, 8, 5];
    assert!(
        shares.iter().zip(least).all(|(share, least)| *share >= least),
        "not worth checking: {shares:?} of {least:?} %"
    );
}

#[test]
fn systems_with_expressions() {
    compare(Dialect::Pds, 0..400);
}

#[test]
fn systems_with_automata() {
    compare(Dialect::Pdaaal, 1_000..1_400);
}

/// What an expression describes is what the engine's automaton for it accepts: a system without
/// rules reaches ⟨p, w⟩ from ⟨p, e⟩ iff e describes w.
#[test]
fn expressions_mean_the_same_to_replay_and_engine() {
    let mut described = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let stack = crate::systems::expression(&mut random, 2, 4);
        let word: Vec<SymbolId> =
            (0..random.below(5)).map(|_| SymbolId(random.below(2) as u32)).collect();
        let name = |symbol: SymbolId| ["a", "b"][symbol.0 as usize];
        let names: Vec<&str> = word.iter().map(|symbol| name(*symbol)).collect();
        // The rule makes both symbols known, in this order.
        let source = format!(
            "<q, a> -> <q, b>\ninitial <p, {}>\ntarget <p, {}>\n",
            stack.print(&name),
            names.join(" ")
        );
        let answers = WAYS.map(|way| reachable(&project(&source, Dialect::Pds, way)));
        assert_eq!(answers, [stack.accepts(&word); 3], "seed {seed}\n{source}");
        described += u32::from(answers[0]);
    }
    assert!((60..240).contains(&described), "{described} of 300");
}
