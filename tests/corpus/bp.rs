//! `bp`: Boolean programs from the regression suite of a model checker for them.

use crate::index::{Case, cases, folder};
use faultline::lang::options::{Dialect, RequestedOptions};
use faultline::session::{Budgets, Outcome, Session, Task};
use faultline::util::limits::Limit;

fn outcome(case: &Case) -> Outcome {
    let requested = RequestedOptions { dialect: Some(Dialect::BooleanProgram), ..RequestedOptions::default() };
    let (mut session, diagnostics) = Session::load(&case.source, &requested);
    assert!(session.program().is_some(), "{} does not load: {diagnostics:?}", case.name);
    session.start(Task::Check, Budgets::default());
    session.run();
    session.outcome()
}

/// All load. Those without threads have the known answer; of the others only main is run, so they never contradict it.
#[test]
fn known_answers() {
    let Some(folder) = folder() else { return };
    let all = cases(&folder, "bp/index.tsv");
    assert_eq!(all.len(), 27);
    let (mut decided, mut threaded) = (0, 0);
    for case in &all {
        let known_safe = case.known == "safe";
        match outcome(case) {
            Outcome::Safe => assert!(known_safe, "{}: called safe", case.name),
            Outcome::Unsafe => assert!(!known_safe, "{}: called unsafe", case.name),
            Outcome::Unknown(Limit::Threads) => {
                threaded += 1;
                continue;
            }
            other => panic!("{}: {other:?}", case.name),
        }
        decided += 1;
    }
    println!("Boolean programs: {decided} decided as known, {threaded} with threads");
    assert_eq!((decided, threaded), (17, 10));
}

/// Each printed in its own language is the same program again.
#[test]
fn printed_and_read_back() {
    let Some(folder) = folder() else { return };
    for case in cases(&folder, "bp/index.tsv") {
        crate::printing::same_again(&case.source, Dialect::BooleanProgram, &case.name);
    }
}
