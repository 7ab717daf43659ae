//! Interfaces of threads against every interleaving of small random programs.

mod affine;
pub(crate) mod explicit;
mod figures;
mod methods;

use crate::support::generate;
use crate::support::load::program as load;
use crate::support::shrink::each;
use explicit::{Found, explore};
use faultline::analysis::interfaces::{
    ContextMark, Interfaces, WhatFails, concurrent_projection, first_switches,
};
use faultline::analysis::threads::ThreadSystem;
use faultline::bdd::{Bdd, KernelLimits, Var};
use faultline::encode::Copy;
use faultline::lang::model::LocationId;
use std::collections::{BTreeMap, BTreeSet};

const MOST: u32 = 3;

/// The members of a set of globals, each as the interpreter has them.
fn members(interfaces: &mut Interfaces, set: Bdd) -> BTreeSet<Vec<Vec<u64>>> {
    let system = interfaces.system().clone();
    let domain = interfaces.domain();
    let cells: Vec<Vec<Vec<Var>>> = system
        .program
        .globals()
        .map(|id| domain.layout.cells(id).map(|cell| domain.layout.cell(cell, Copy::Now)).collect())
        .collect();
    let levels: Vec<Var> = cells.iter().flatten().flatten().copied().collect();
    let mut all = BTreeSet::new();
    let mut truth = vec![false; domain.kernel.levels() as usize];
    for number in 0..1u64 << levels.len() {
        for (k, level) in levels.iter().enumerate() {
            truth[level.0 as usize] = number >> k & 1 == 1;
        }
        if domain.kernel.eval(set, &|level| truth[level.0 as usize]) {
            let cell = |levels: &Vec<Var>| {
                levels
                    .iter()
                    .enumerate()
                    .fold(0, |bits, (k, level)| bits | u64::from(truth[level.0 as usize]) << k)
            };
            all.insert(
                cells.iter().map(|of_variable| of_variable.iter().map(cell).collect()).collect(),
            );
        }
    }
    all
}

fn check(source: &str, found: &Found, most: u32, everything: bool) {
    let program = load(source);
    let system = ThreadSystem::new(&program, most);
    let new = |exhaustive: bool| {
        let interfaces =
            Interfaces::new(system.clone(), None, most, ContextMark::Nothing, KernelLimits::NONE)
                .expect("no limit");
        if exhaustive { interfaces.exhaustive() } else { interfaces }
    };
    // Raised one by one, and all at once.
    let wrong = |k: u32| found.fails[k as usize] || found.stuck[k as usize];
    let least = (0..=most).find(|k| wrong(*k));
    let mut quick = new(false);
    quick.raise(most);
    quick.run().expect("no limit");
    assert_eq!(
        quick.failure().map(|failure| failure.switches()),
        least,
        "least number of switches\n{source}"
    );
    if let (Some(failure), Some(least)) = (quick.failure(), least) {
        let check = matches!(failure.what, WhatFails::Check(_));
        assert_eq!(check, found.fails[least as usize], "an error before a deadlock\n{source}");
    }
    let mut whole = new(true);
    let mut reached: BTreeMap<Option<LocationId>, BTreeSet<Vec<Vec<u64>>>> = BTreeMap::new();
    let mut expected = reached.clone();
    for k in 0..=most {
        whole.raise(k);
        whole.run().expect("no limit");
        assert_eq!(whole.bound(), Some(k));
        let fails = whole.failure().is_some();
        assert_eq!(fails, wrong(k), "with {k} switches\n{source}");
        let locations =
            (0..program.locations.len() as u32).map(LocationId).filter(|_| everything || k == most);
        for place in std::iter::once(None).chain(locations.map(Some)) {
            let set = whole.globals_at(k, place).expect("no limit");
            let mine = members(&mut whole, set);
            reached.entry(place).or_default().extend(mine);
            let theirs = found.at[k as usize]
                .iter()
                .filter(|(at, _)| place.is_none_or(|place| place == *at));
            expected.entry(place).or_default().extend(theirs.map(|(_, globals)| globals.clone()));
            // An exit is passed at once, except where a thread ends.
            let silent = place.is_some_and(|place| {
                !system.switchable[place.0 as usize]
                    && system.outgoing()[place.0 as usize].is_empty()
            });
            if everything && !silent {
                assert_eq!(
                    reached[&place], expected[&place],
                    "globals at {place:?} with {k} switches\n{source}"
                );
            } else if place.is_none() {
                assert!(
                    reached[&place].is_superset(&expected[&place]),
                    "globals with {k} switches\n{source}"
                );
            }
        }
    }
    if everything {
        let pairs: BTreeSet<(LocationId, LocationId)> =
            found.pairs.iter().flatten().map(|(a, b, _)| (*a, *b)).collect();
        for (a, b) in pairs.into_iter().step_by(7) {
            let mut mine = BTreeSet::new();
            for k in 0..=most {
                let set = whole.globals_where(k, &[(0, a), (1, b)]).expect("no limit");
                mine.extend(members(&mut whole, set));
            }
            let theirs = found
                .pairs
                .iter()
                .flatten()
                .filter(|(x, y, _)| (*x, *y) == (a, b))
                .map(|(.., globals)| globals.clone())
                .collect();
            assert_eq!(mine, theirs, "globals at {a:?} and {b:?}\n{source}");
        }
    }
}

fn check_marks(source: &str, found: &Found, most: u32) {
    let system = ThreadSystem::new(&load(source), most);
    let firsts = first_switches(system.clone(), None, most, KernelLimits::NONE).expect("no limit");
    let expected: Vec<LocationId> = found.first[most as usize].iter().copied().collect();
    assert_eq!(firsts, expected, "first switches\n{source}");
    let projection =
        concurrent_projection(system, None, most, KernelLimits::NONE).expect("no limit");
    let expected: Vec<_> = found.projection[most as usize].iter().copied().collect();
    assert_eq!(projection, expected, "projection\n{source}");
}

/// On random programs: the least number of switches, the globals at every location and at pairs of
/// locations for every bound, where first switches matter, and the projection.
#[test]
fn random_programs() {
    let (mut checked, mut fail, mut need, mut stuck) = (0, 0, 0, 0);
    each(0..420, generate::threads, |seed, source| {
        let system = ThreadSystem::new(&load(source), MOST);
        let Some(found) = explore(&system, MOST, 15_000) else { return };
        checked += 1;
        let least = found.fails.iter().position(|fails| *fails);
        stuck += usize::from(found.stuck[MOST as usize]);
        fail += usize::from(least.is_some());
        need += usize::from(least.is_some_and(|k| k > 0));
        check(source, &found, MOST, seed % 8 == 0);
        if seed % 8 == 4 {
            check_marks(source, &found, 3);
        }
    });
    assert!(stuck >= 5, "{stuck} come to a deadlock");
    assert!(checked >= 300, "{checked} programs small enough");
    assert!(need * 10 >= checked * 3, "{need} of {checked} need a switch ({fail} fail)");
}
