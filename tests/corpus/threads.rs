//! The threaded programs of `bp` and `c/threads`, under a bound: known unsafe, an error within six
//! switches; known safe, none within three.

use crate::index::{Case, cases};
use faultline::session::{
    Budgets, Job, Outcome, Session, SwitchBound, ThreadsOptions, ThreadsSession,
};
use faultline::wire::options::{Checks, Dialect, RequestedOptions};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// Steps of the kernel for each case.
const STEPS: u64 = 5_000_000;

/// `None` if the program is refused, or has no threads.
fn run(case: &Case, dialect: Dialect) -> Option<ThreadsSession> {
    let all = case.known == "unsafe";
    let mut requested = RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() };
    if dialect == Dialect::C {
        requested.bits = Some(32);
        requested.checks =
            Some(Checks { bounds: all, division: all, overflow: all, shift: all, ..Checks::NONE });
    }
    let (session, _) = Session::load(&case.source, &requested);
    let program = session.program().filter(|program| program.concurrency.has_threads())?;
    let asked = ThreadsOptions { switches: SwitchBound::AtMost(if all { 6 } else { 3 }), at: None };
    let budgets = Budgets { max_steps: STEPS, ..Budgets::default() };
    let mut threads =
        ThreadsSession::new(Rc::new(program.clone()), session.options(), asked, budgets);
    threads.run();
    Some(threads)
}

fn word(case: &Case, session: Option<&ThreadsSession>) -> &'static str {
    match session.map(|session| (session.outcome(), session)) {
        None => "refused",
        Some((Outcome::Unknown(_), _)) => "unknown",
        Some((Outcome::Fault, session)) => panic!("{}: {:?}", case.name, session.fault()),
        Some((Outcome::Safe, _)) if case.known == "safe" => "agrees",
        Some((Outcome::Unsafe, _)) if case.known == "unsafe" => "agrees",
        // A deadlock is none of the suites' errors.
        Some((Outcome::Unsafe, session))
            if session.failing_run().is_some_and(|run| run.check.is_none()) =>
        {
            "deadlock"
        }
        Some((outcome, _)) => panic!("{}: {outcome:?}, known {}", case.name, case.known),
    }
}

pub(crate) fn boolean_programs(folder: &Path) {
    let mut decided = 0;
    for case in cases(folder, "bp/index.tsv") {
        let Some(session) = run(&case, Dialect::BooleanProgram) else { continue };
        assert_eq!(word(&case, Some(&session)), "agrees", "{}", case.name);
        decided += 1;
    }
    assert_eq!(decided, 10);
}

pub(crate) fn c_programs(folder: &Path) {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for case in
        cases(folder, "c/index.tsv").iter().filter(|case| case.name.starts_with("c/threads/"))
    {
        *counts.entry(word(case, run(case, Dialect::C).as_ref())).or_default() += 1;
    }
    assert_eq!(counts.values().sum::<u32>(), 38);
    // Its semaphore is begun with a value that it cannot hold; then all wait for it for ever.
    assert!(counts.get("deadlock").is_none_or(|dead| *dead <= 1), "{counts:?}");
    assert!(counts.get("agrees").is_some_and(|agree| *agree >= 34), "{counts:?}");
    assert!(counts.get("unknown").is_none_or(|unknown| *unknown <= 1), "{counts:?}");
}
