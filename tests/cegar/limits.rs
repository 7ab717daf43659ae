//! Stop and limits, in every phase: the loop ends, says so, and keeps the rounds so far.

use crate::runs::{figure, set_up};
use faultline::analysis::cegar::round::CegarPhase;
use faultline::session::{Budgets, CegarSession, Job, Outcome};
use faultline::util::Alarm;
use faultline::util::Limit;
use faultline::wire::refinement::CegarOptions;
use faultline::wire::refinement::Extent;
use faultline::wire::refinement::Heuristic;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn options() -> [CegarOptions; 3] {
    let plain = CegarOptions { explain: true, ..CegarOptions::pure(Heuristic::Strongest) };
    [
        plain,
        CegarOptions { project: true, slice: true, ..plain },
        CegarOptions {
            heuristic: Heuristic::SkipConciliated,
            lazy: true,
            extent: Extent::FirstError,
            ..plain
        },
    ]
}

/// Predicates added by round.
fn added(session: &CegarSession) -> Vec<usize> {
    session.rounds().iter().map(|round| round.added.len()).collect()
}

/// All rounds but the one that was under way are those of a run without a limit.
fn keeps_rounds(session: &CegarSession, whole: &[usize]) {
    let rounds = added(session);
    assert!(!rounds.is_empty() && rounds.len() <= whole.len(), "{rounds:?} of {whole:?}");
    assert_eq!(rounds[..rounds.len() - 1], whole[..rounds.len() - 1]);
}

/// Stopped after each of its steps, one run after the other.
#[test]
fn stop_ends_every_phase() {
    for options in options() {
        let fresh = || set_up(&figure("fig-6-5"), None, options, Budgets::default()).0;
        let mut session = fresh();
        session.run();
        assert_eq!((session.outcome(), session.fault()), (Outcome::Safe, None));
        let whole = added(&session);
        let mut phases = BTreeSet::new();
        for steps in 0.. {
            let mut session = fresh();
            if (0..steps).any(|_| session.step()) {
                break;
            }
            let phase = session.phase();
            if !phases.insert((phase, session.rounds().len())) {
                continue;
            }
            session.stop(Limit::Time);
            assert!(session.step());
            let expected = if phase == CegarPhase::Prove {
                Outcome::Safe
            } else {
                Outcome::Unknown(Limit::Time)
            };
            assert_eq!(
                (session.outcome(), session.limit()),
                (expected, Some(Limit::Time)),
                "{phase:?}"
            );
            keeps_rounds(&session, &whole);
        }
        let seen: BTreeSet<CegarPhase> = phases.into_iter().map(|(phase, _)| phase).collect();
        assert_eq!(seen.len(), if options.slice { 8 } else { 7 }, "{seen:?}");
    }
}

/// A budget of kernel steps that ends in the middle of the longest step of each phase.
#[test]
fn a_budget_ends_every_phase() {
    for options in options() {
        let fresh = |max_steps| {
            set_up(&figure("fig-6-5"), None, options, Budgets { max_steps, ..Budgets::default() }).0
        };
        let mut session = fresh(Budgets::default().max_steps);
        let mut longest: BTreeMap<CegarPhase, (u64, u64)> = BTreeMap::new();
        loop {
            let (phase, since) = (session.phase(), session.statistics().1);
            let over = session.step();
            let took = session.statistics().1.saturating_sub(since);
            let known = longest.entry(phase).or_default();
            if took > known.1 {
                *known = (since, took);
            }
            if over {
                break;
            }
        }
        let whole = added(&session);
        let mut ended = 0;
        for (phase, (since, took)) in longest.into_iter().filter(|(_, (_, took))| *took > 1) {
            let mut session = fresh(since + took / 2);
            let mut last = session.phase();
            while !session.step() {
                last = session.phase();
            }
            // Slicing starts anew with what is left of the budget.
            if !options.slice {
                assert_eq!(last, phase, "{options:?}");
                let expected = if phase == CegarPhase::Prove {
                    Outcome::Safe
                } else {
                    Outcome::Unknown(Limit::Steps)
                };
                assert_eq!(session.outcome(), expected, "{phase:?}");
            }
            assert_eq!(session.limit(), Some(Limit::Steps), "{phase:?}");
            keeps_rounds(&session, &whole);
            ended += 1;
        }
        assert!(ended >= 5, "{ended}");
    }
}

/// The alarm of a driver with a clock goes off inside a step.
#[test]
fn the_alarm_ends_a_step() {
    let options = CegarOptions::pure(Heuristic::Weakest);
    let (mut session, _) = set_up(
        &figure("fig-6-11"),
        None,
        options,
        Budgets { max_steps: 3_000_000, ..Budgets::default() },
    );
    let alarm = Arc::new(AtomicBool::new(false));
    session.set_alarm(Alarm::of_flag(Arc::clone(&alarm)));
    while session.rounds().len() < 4 {
        assert!(!session.step());
    }
    alarm.store(true, Ordering::Relaxed);
    session.run();
    assert_eq!((session.outcome(), session.rounds().len()), (Outcome::Unknown(Limit::Time), 4));
    assert!(added(&session)[..3].iter().all(|added| *added > 0));
}
