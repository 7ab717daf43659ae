//! Runs that violate a formula in finitely many steps, and end, are found while post\* is computed:
//! the verdict and the statements are those of the whole search, and the run is a shortest one.

use crate::load;
use crate::programs::program;
use crate::random::Random;
use faultline::report::liveness::liveness_report;
use faultline::session::{Budgets, Certainty, Job, LivenessQuestion, LivenessSession};
use faultline::session::{Outcome, Session, Task};
use faultline::wire::liveness::{LassoEnding, LivenessReport, LivenessVerdict};
use faultline::wire::options::RequestedOptions;
use std::rc::Rc;

/// Formulas of which each violation is a bad prefix.
const SAFE: [&str; 8] = [
    "G !fails",
    "G (x < 3)",
    "!fails W enter(f)",
    "G (x == 1 -> X (x == 1 || x == 2))",
    "G (fails -> x == 0) && G (x != 3)",
    "(x < 2) W leave(f)",
    "X X !fails && G (enter(f) -> x != 1)",
    "G (!fails && (b || x < 3))",
];

fn budgets() -> Budgets {
    Budgets { max_nodes: 3_000_000, max_steps: 40_000_000, ..Budgets::default() }
}

fn answer(source: &str, formula: &str, early: bool) -> LivenessReport {
    let (program, options) = load(source);
    let question = LivenessQuestion::Formula(formula.to_string());
    let of = Rc::clone(&program);
    let session = LivenessSession::new(of, source, &options, &question, false, budgets(), None);
    let mut session = session.unwrap_or_else(|refusal| panic!("{formula}: {refusal:?}\n{source}"));
    if !early {
        session = session.without_early_end();
    }
    session.run();
    liveness_report(&program, &options, &session)
}

#[test]
fn the_early_end_agrees_with_the_whole_search() {
    let (mut ended, mut endless, mut holds) = (0, 0, 0);
    let mut random = Random::new(8_7);
    for seed in 5_000..5_240 {
        let source = program(seed);
        let formula = SAFE[random.below(SAFE.len() as u64) as usize];
        let (early, whole) = (answer(&source, formula, true), answer(&source, formula, false));
        let told = format!("seed {seed}, {formula}\n{source}\n{early:?}\n{whole:?}");
        assert_eq!((&early.fault, &whole.fault), (&None, &None), "{told}");
        if [early.verdict, whole.verdict].contains(&LivenessVerdict::Unknown) {
            continue;
        }
        assert_eq!(early.verdict, whole.verdict, "{told}");
        assert_eq!(early.statements, whole.statements, "{told}");
        assert_eq!(early.statements_limit, whole.statements_limit, "{told}");
        let Some(lasso) = &early.lasso else {
            holds += 1;
            assert!(early.proof.as_ref().is_some_and(|proof| proof.checked), "{told}");
            continue;
        };
        if lasso.ends == LassoEnding::Cycle {
            endless += 1;
            continue;
        }
        assert!(lasso.cycle.is_empty(), "{told}");
        // The whole search shortens the way to one head; here all ends count.
        let other = whole.lasso.as_ref().unwrap();
        if other.ends != LassoEnding::Cycle {
            assert!(lasso.prefix.len() <= other.prefix.len(), "{told}");
        }
        ended += 1;
    }
    assert!(ended >= 40 && endless >= 5 && holds >= 40, "{ended} {endless} {holds}");
}

#[test]
fn the_run_that_fails_is_as_short_as_that_of_check() {
    let mut compared = 0;
    for seed in 5_500..5_700 {
        let source = program(seed);
        let (mut session, _) = Session::load(&source, &RequestedOptions::default());
        session.start(Task::Check, budgets());
        session.run();
        if session.outcome() != Outcome::Unsafe || session.certainty() != Certainty::Shortest {
            continue;
        }
        let report = answer(&source, "G !fails", true);
        let told = format!("seed {seed}\n{source}\n{report:?}");
        let lasso = report.lasso.as_ref().unwrap_or_else(|| panic!("{told}"));
        assert_eq!(lasso.ends, LassoEnding::Failure, "{told}");
        let run = session.failing_run().unwrap();
        let (program, _) = load(&source);
        assert_eq!(lasso.prefix.len() as u64, run.length(&program), "{told}");
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
}
