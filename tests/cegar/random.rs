//! Random programs: every heuristic gives `check`'s verdict, with every property of its
//! interpolants and its invariant checked on the way.

use crate::runs::set_up;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::analysis::cegar::round::Ending;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::RequestedOptions;
use faultline::wire::refinement::CegarOptions;
use faultline::wire::refinement::Extent;
use faultline::wire::refinement::Heuristic;

/// Some programs do not suit abstraction (thesis, 6.2.2): then the budget of steps, which no
/// machine changes, runs out.
pub(crate) const BUDGET: Budgets = Budgets {
    max_nodes: 400_000,
    max_steps: 1_500_000,
    loops: faultline::encode::AccelerateLoops::Never,
    ..Budgets::USUAL
};

pub(crate) fn verdict(source: &str) -> Outcome {
    let (mut session, _) = Session::load(source, &RequestedOptions::default());
    session.start(Task::Check, Budgets { max_steps: 4_000_000, ..Budgets::default() });
    session.run();
    session.outcome()
}

#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) safe: u32,
    pub(crate) failing: u32,
    pub(crate) undecided: u32,
    rounds: u64,
    proved: u64,
}

pub(crate) fn compare(source: &str, options: CegarOptions, tally: &mut Tally, seed: u64) {
    let expected = verdict(source);
    let (mut session, _) = set_up(source, None, options, BUDGET);
    session.run();
    let place = || format!("{options:?}, seed {seed}\n{source}");
    assert_eq!(session.fault(), None, "{}", place());
    tally.rounds += session.rounds().len() as u64;
    tally.proved += session.rounds().iter().map(|round| round.proved).sum::<u64>();
    match (session.outcome(), &expected) {
        (Outcome::Unknown(_), _) | (_, Outcome::Unknown(_)) => tally.undecided += 1,
        (found, _) => {
            assert_eq!(found, expected, "{}", place());
            match session.cegar().and_then(|cegar| cegar.ending()) {
                Some(Ending::Safe(proof)) => {
                    assert_eq!(proof, Ok(()), "{}", place());
                    tally.safe += 1;
                }
                _ => tally.failing += 1,
            }
        }
    }
}

#[test]
fn every_heuristic_gives_the_verdict_of_check() {
    let mut tally = Tally::default();
    each(9000..9060, generate::sequential, |seed, source| {
        for heuristic in Heuristic::ALL {
            let options = CegarOptions { explain: seed % 3 == 0, ..CegarOptions::pure(heuristic) };
            compare(source, options, &mut tally, seed);
        }
    });
    let decided = tally.safe + tally.failing;
    assert!(
        tally.safe >= 60 && tally.failing >= 60 && decided >= 20 * tally.undecided,
        "{tally:?}"
    );
    assert!(tally.proved > 40_000, "{tally:?}");
}

#[test]
fn every_option_gives_the_verdict_of_check() {
    let mut tally = Tally::default();
    each(9100..9140, generate::sequential, |seed, source| {
        let plain = CegarOptions::pure(Heuristic::ALL[seed as usize % 6]);
        for options in [
            CegarOptions { lazy: true, ..plain },
            CegarOptions { extent: Extent::FirstError, ..plain },
            CegarOptions { slice: true, ..plain },
            CegarOptions { project: true, ..plain },
            CegarOptions {
                lazy: true,
                extent: Extent::FirstError,
                slice: true,
                project: true,
                ..plain
            },
        ] {
            compare(source, options, &mut tally, seed);
        }
    });
    assert!(tally.safe >= 30 && tally.failing >= 30, "{tally:?}");
}

/// Collecting garbage after every step, with what was freed poisoned, changes no answer.
#[test]
fn the_loop_keeps_what_it_needs() {
    let mut compared = 0;
    each(9200..9212, generate::sequential, |seed, source| {
        let options = CegarOptions {
            lazy: seed % 2 == 0,
            max_rounds: 4,
            ..CegarOptions::pure(Heuristic::ALL[seed as usize % 6])
        };
        let ask = |collect_every_step| {
            let budgets =
                Budgets { collect_every_step, max_nodes: 60_000, max_steps: 100_000, ..BUDGET };
            let (mut session, _) = set_up(source, None, options, budgets);
            session.run();
            assert_eq!(session.fault(), None, "seed {seed}\n{source}");
            let added: Vec<usize> =
                session.rounds().iter().map(|round| round.added.len()).collect();
            (session.outcome(), added)
        };
        let (plain, collected) = (ask(false), ask(true));
        // Steps differ, as collections empty the operation cache.
        if !matches!(plain.0, Outcome::Unknown(_)) && !matches!(collected.0, Outcome::Unknown(_)) {
            assert_eq!(plain, collected, "seed {seed}\n{source}");
            compared += 1;
        }
    });
    assert!(compared >= 3, "{compared}");
}

/// A run that hits the limit of rounds keeps them.
#[test]
fn a_limit_keeps_the_rounds_so_far() {
    let source = crate::runs::figure("fig-6-3");
    let options = CegarOptions { max_rounds: 3, ..CegarOptions::pure(Heuristic::Strongest) };
    let (mut session, _) = set_up(&source, Some(4), options, Budgets::default());
    session.run();
    assert_eq!(session.outcome(), Outcome::Unknown(faultline::util::Limit::Rounds));
    assert_eq!(session.rounds().len(), 4);
    assert!(
        session.rounds()[..3]
            .iter()
            .all(|round| !round.added.is_empty() && round.is_spurious() == Some(true))
    );
    // In every phase: stopped after each of the first phases, it says so and keeps what there is.
    for phases in 0..12 {
        let (mut session, _) = set_up(&source, Some(4), options, Budgets::default());
        for _ in 0..phases {
            session.step_phase();
        }
        session.stop(faultline::util::Limit::Time);
        assert_eq!(session.outcome(), Outcome::Unknown(faultline::util::Limit::Time), "{phases}");
        assert!(session.step());
        assert!(!session.rounds().is_empty());
    }
}
