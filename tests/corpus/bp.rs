//! `bp`: Boolean programs from the regression suite of a model checker for them.

use crate::index::{Case, cases};
use faultline::session::liveness::Verdict;
use faultline::session::{
    Budgets, Certainty, Job, LivenessQuestion, LivenessRefusal, LivenessSession, Outcome, Proof,
    Session, Task,
};
use faultline::util::limits::Limit;
use faultline::wire::options::{Dialect, RequestedOptions};
use std::path::Path;

fn outcome(case: &Case) -> Outcome {
    let requested =
        RequestedOptions { dialect: Some(Dialect::BooleanProgram), ..RequestedOptions::default() };
    let (mut session, diagnostics) = Session::load(&case.source, &requested);
    assert!(session.program().is_some(), "{} does not load: {diagnostics:?}", case.name);
    session.start(Task::Check, Budgets::default());
    session.run();
    session.outcome()
}

/// All load. Those without threads have the known answer; of the others only main is run, so they
/// never contradict it.
pub(crate) fn known_answers(folder: &Path) {
    let all = cases(folder, "bp/index.tsv");
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
    assert_eq!((decided, threaded), (17, 10));
}

/// The formula that no statement fails holds exactly where the answer is "safe".
pub(crate) fn never_failing_is_the_known_answer(folder: &Path) {
    let (mut holds, mut violated) = (0, 0);
    for case in cases(folder, "bp/index.tsv") {
        let requested = RequestedOptions {
            dialect: Some(Dialect::BooleanProgram),
            ..RequestedOptions::default()
        };
        let (session, _) = Session::load(&case.source, &requested);
        let program = session.shared_program().expect("it loads");
        let question = LivenessQuestion::Formula("G !fails".into());
        let (options, budgets) = (session.options(), Budgets::default());
        let job =
            LivenessSession::new(program, &case.source, options, &question, false, budgets, None);
        let mut job = match job {
            Err(LivenessRefusal::Threads) => continue,
            job => job.unwrap_or_else(|refusal| panic!("{}: {refusal:?}", case.name)),
        };
        job.run();
        match job.verdict() {
            Some(Verdict::Holds(Proof::Checked)) => {
                assert_eq!(case.known, "safe", "{}", case.name);
                holds += 1;
            }
            Some(Verdict::Violated(_)) => {
                assert_eq!(case.known, "unsafe", "{}", case.name);
                violated += 1;
            }
            _ => panic!("{}: no answer", case.name),
        }
    }
    assert_eq!(holds + violated, 17, "{holds} hold, {violated} are violated");
}

/// Random recursive programs with up to 16 globals, made for comparing pushdown libraries: a
/// failing run is found, and replayed, long before the weights of all stores are complete (which
/// takes over 100 million kernel steps with 12 globals).
pub(crate) fn benchmarks_fail_within_few_steps(folder: &Path) {
    for (name, length) in
        [("g4-p100-s20", 29), ("g8-p100-s20", 29), ("g12-p100-s20", 85), ("g16-p200-s20", 55)]
    {
        let path = folder.join("../bench").join(name).with_extension("bp");
        let source = std::fs::read_to_string(path).expect("the benchmarks are complete");
        let requested = RequestedOptions {
            dialect: Some(Dialect::BooleanProgram),
            ..RequestedOptions::default()
        };
        let (mut session, _) = Session::load(&source, &requested);
        session.start(Task::Check, Budgets { max_steps: 500_000, ..Budgets::default() });
        session.run();
        assert_eq!(
            (session.outcome(), session.certainty()),
            (Outcome::Unsafe, Certainty::Shortest),
            "{name}"
        );
        // The lengths that the search by length alone finds, too.
        let run = session.failing_run().expect("it is unsafe");
        let program = session.program().expect("it loads");
        let last = run.entries.len() - 1;
        let traced = run
            .entries
            .iter()
            .enumerate()
            .filter(|(k, entry)| *k == last || program.edge(entry.edge).is_traced())
            .count();
        assert_eq!(traced, length, "{name}");
    }
}

/// Each printed in its own language is the same program again.
pub(crate) fn printed_and_read_back(folder: &Path) {
    for case in cases(folder, "bp/index.tsv") {
        crate::support::printing::same_again(&case.source, Dialect::BooleanProgram, &case.name);
    }
}
