//! Rounds that follow whole variables: on programs whose answer is known, and forced from the start
//! on random programs, where they give `check`'s verdict.

use crate::random::{BUDGET, verdict};
use crate::runs::set_up;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::analysis::cegar::refinement::Shares;
use faultline::analysis::cegar::round::Ending;
use faultline::session::{Budgets, CegarSession, Job, Outcome};
use faultline::util::Limit;
use faultline::wire::refinement::{CegarOptions, CegarPhase};
use std::collections::BTreeSet;

/// Predicates have nothing, and no rival begins.
const ALONE: Shares = Shares { predicates: 0, searches: u64::MAX, ..Shares::USUAL };

/// Five machines that wake each other in turn. Whether one fails depends on whose turn it is; what
/// they calculate on the way is of no matter.
fn ring(starts_at: &str) -> String {
    let states: String = (0..5)
        .map(|k| {
            let next = (k + 1) % 5;
            format!(
                "if (state{k} == 1) {{ if (*) {{
                    state{k} = 0; assert(turn == {k}); turn = {next}; state{next} = 1;
                    junk = junk * 3 + waste; waste = junk + {k};
                }} }}"
            )
        })
        .collect();
    format!(
        "//! bits = 4
         int state0 = 1, state1 = 0, state2 = 0, state3 = 0, state4 = 0, turn = {starts_at};
         int junk, waste;
         void step() {{ {states} }}
         void main() {{ while (*) {{ step(); }} }}"
    )
}

fn followed(source: &str, shares: Shares, budgets: Budgets) -> CegarSession {
    let (mut session, _) = set_up(source, None, CegarOptions::default(), budgets);
    session.cegar_mut().expect("it was set up").set_shares(shares);
    session
}

/// The names of the variables that the last round follows.
fn names(session: &CegarSession) -> BTreeSet<String> {
    let program = session.program();
    let all = session.rounds().iter().flat_map(|round| round.followed.iter());
    all.map(|variable| program.variable(*variable).name.clone()).collect()
}

#[test]
fn what_does_not_matter_is_not_followed() {
    let mut session = followed(&ring("0"), ALONE, Budgets::default());
    session.run();
    assert_eq!((session.outcome(), session.fault()), (Outcome::Safe, None));
    let cegar = session.cegar().expect("it was set up");
    assert_eq!(cegar.ending(), Some(Ending::Safe(Ok(()))));
    let states: BTreeSet<String> =
        (0..5).map(|k| format!("state{k}")).chain(["turn".to_string()]).collect();
    assert_eq!(names(&session), states);
    let last = session.rounds().last().expect("there are rounds");
    assert_eq!(last.follows, Some(6));
    for round in &session.rounds()[1..session.rounds().len() - 1] {
        assert_eq!(round.is_spurious(), Some(true));
        assert!(!round.followed.is_empty() && round.proved > 0);
    }
}

#[test]
fn a_real_run_is_executed() {
    let mut session = followed(&ring("1"), ALONE, Budgets::default());
    session.run();
    assert_eq!((session.outcome(), session.fault()), (Outcome::Unsafe, None));
    let run = session.failing_run().expect("it fails");
    assert!(run.check.message.contains("turn == 0"), "{}", run.check.message);
    let last = session.rounds().last().expect("there are rounds");
    assert_eq!((last.is_executed, last.is_spurious()), (true, Some(false)));
    assert!(last.follows.is_some_and(|follows| follows < session.program().variables.len()));
}

/// The rival, once it may begin, decides where a followed counter has no end.
#[test]
fn the_rival_follows_everything_at_once() {
    let shares = Shares { predicates: 0, searches: 0, rival: 3, ..Shares::USUAL };
    for (start, outcome) in [("0", Outcome::Safe), ("1", Outcome::Unsafe)] {
        let mut session = followed(&ring(start), shares, Budgets::default());
        session.run();
        assert_eq!((session.outcome(), session.fault()), (outcome, None));
    }
    // Nothing but the rival makes a step.
    let shares = Shares { predicates: 0, searches: 0, rival: u64::MAX, ..Shares::USUAL };
    let mut session = followed(&ring("0"), shares, Budgets::default());
    session.run();
    assert_eq!((session.outcome(), session.fault()), (Outcome::Safe, None));
    let last = session.rounds().last().expect("there are rounds");
    assert_eq!(last.follows, Some(session.program().variables.len()));
}

/// An edge that fails leads nowhere, also where it would leave its procedure.
#[test]
fn a_call_whose_last_statement_fails_does_not_return() {
    let source = "void down() { assert(false); } void main() { down(); }";
    for shares in [ALONE, Shares { interpolants: 0, ..ALONE }] {
        let mut session = followed(source, shares, Budgets::default());
        session.run();
        assert_eq!((session.outcome(), session.fault()), (Outcome::Unsafe, None));
    }
}

#[derive(Default, Debug)]
struct Tally {
    safe: u32,
    failing: u32,
    undecided: u32,
    /// Decided with some variables left out.
    partly: u32,
    /// Decided by executing a run of the localized program.
    executed: u32,
    /// Spurious traces.
    spurious: u32,
}

fn compare(source: &str, shares: Shares, seed: u64, tally: &mut Tally) {
    let expected = verdict(source);
    let mut session = followed(source, shares, BUDGET);
    session.run();
    let place = || format!("{shares:?}, seed {seed}\n{source}");
    assert_eq!(session.fault(), None, "{}", place());
    let spurious = session.rounds().iter().filter(|round| round.is_spurious() == Some(true));
    tally.spurious += spurious.count() as u32;
    let (found, last) = (session.outcome(), session.rounds().last().expect("there are rounds"));
    if matches!(found, Outcome::Unknown(_)) || matches!(expected, Outcome::Unknown(_)) {
        tally.undecided += 1;
        return;
    }
    assert_eq!(found, expected, "{}", place());
    let all = session.program().variables.len();
    tally.partly += u32::from(last.follows.is_some_and(|follows| follows < all));
    tally.executed += u32::from(last.is_executed);
    match session.cegar().and_then(|cegar| cegar.ending()) {
        Some(Ending::Safe(proof)) => {
            assert_eq!(proof, Ok(()), "{}", place());
            tally.safe += 1;
        }
        _ => tally.failing += 1,
    }
}

#[test]
fn variables_give_the_verdict_of_check() {
    let mut tally = Tally::default();
    each(9300..9500, generate::sequential, |seed, source| {
        compare(source, ALONE, seed, &mut tally);
    });
    let decided = tally.safe + tally.failing;
    assert!(tally.safe >= 40 && tally.failing >= 40 && decided >= 150, "{tally:?}");
    assert!(tally.partly >= 60 && tally.executed >= 30 && tally.spurious >= 100, "{tally:?}");
}

/// No interpolants are allowed, a rival begins at once, and predicates are there for a while.
#[test]
fn shares_change_no_verdict() {
    let shares = [
        Shares { interpolants: 0, ..ALONE },
        Shares { predicates: 0, searches: 0, ..Shares::USUAL },
        Shares { predicates: 30_000, searches: 20_000, interpolants: 20_000, rival: 1 },
    ];
    let mut tally = Tally::default();
    each(9500..9600, generate::sequential, |seed, source| {
        for shares in shares {
            compare(source, shares, seed, &mut tally);
        }
    });
    let decided = tally.safe + tally.failing;
    assert!(tally.safe >= 60 && tally.failing >= 60 && decided >= 220, "{tally:?}");
}

/// Stopped, or at the end of its steps, in every phase: the loop says so, and keeps its rounds.
#[test]
fn limits_end_every_phase() {
    let shares = Shares { predicates: 0, searches: 2_000, ..Shares::USUAL };
    let fresh = || followed(&ring("0"), shares, Budgets::default());
    let mut seen = BTreeSet::new();
    for steps in 0.. {
        let mut session = fresh();
        if (0..steps).any(|_| session.step()) {
            break;
        }
        let follows = session.rounds().last().and_then(|round| round.follows);
        if !seen.insert((session.phase(), follows)) {
            continue;
        }
        session.stop(Limit::Time);
        assert!(session.step());
        let expected = match (steps, session.limit()) {
            (_, Some(Limit::Time)) if session.outcome() == Outcome::Safe => Outcome::Safe,
            _ => Outcome::Unknown(Limit::Time),
        };
        assert_eq!((session.outcome(), session.limit()), (expected, Some(Limit::Time)));
    }
    let phases: BTreeSet<CegarPhase> = seen.iter().map(|(phase, _)| *phase).collect();
    assert!(phases.contains(&CegarPhase::Interpolate) && phases.contains(&CegarPhase::Prove));
    let mut session = fresh();
    session.run();
    let whole = session.statistics().1;
    for part in 1..7 {
        let max_steps = whole * part / 8;
        let budgets = Budgets { max_steps, ..Budgets::default() };
        let mut session = followed(&ring("0"), shares, budgets);
        session.run();
        assert_eq!(session.fault(), None);
        assert_eq!(session.limit(), Some(Limit::Steps), "{max_steps} of {whole}");
        assert!(!session.rounds().is_empty());
    }
}

/// Collecting garbage after every step, with what was freed poisoned, changes no answer.
#[test]
fn following_keeps_what_it_needs() {
    for (start, outcome) in [("0", Outcome::Safe), ("1", Outcome::Unsafe)] {
        let budgets = Budgets { collect_every_step: true, ..Budgets::default() };
        let shares = Shares { predicates: 0, searches: 2_000, ..Shares::USUAL };
        let mut session = followed(&ring(start), shares, budgets);
        session.run();
        assert_eq!((session.outcome(), session.fault()), (outcome, None));
    }
}
