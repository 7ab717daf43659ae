//! Procedures alone, with their contracts: each is right as it stands and wrong with `WRONG`
//! defined. The first line of its file says how the wrong one fails.

#[path = "../support/load.rs"]
#[allow(dead_code)]
mod load;

use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};

/// The outcome, and the kind of the error that a run ends with.
fn checked(name: &str, source: &str, defines: &[&str]) -> (Outcome, Option<&'static str>) {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        defines: defines.iter().map(|one| (*one).to_string()).collect(),
        ..RequestedOptions::default()
    };
    let (mut session, diagnostics) = Session::load(source, &requested);
    assert!(session.program().is_some(), "{name}: {diagnostics:#?}");
    session.start(Task::Check, Budgets::default());
    session.run();
    let kind = session.failing_run().map(|run| run.check.kind.word());
    (session.outcome(), kind)
}

#[test]
fn right_procedures_are_proved_and_wrong_ones_fail() {
    let mut mistakes = Vec::new();
    let files = load::files("tests/contracts", &["c"]);
    assert!(files.len() >= 30, "{}", files.len());
    for (name, source) in &files {
        let first = source.lines().next().unwrap_or_default();
        let expected = first.strip_prefix("// wrong: ").expect("the first line says it");
        let right = checked(name, source, &[]);
        if right != (Outcome::Safe, None) {
            mistakes.push(format!("{name}, right: {right:?}"));
        }
        let wrong = checked(name, source, &["WRONG"]);
        if wrong != (Outcome::Unsafe, Some(expected)) {
            mistakes.push(format!("{name}, wrong: {wrong:?}"));
        }
    }
    assert!(mistakes.is_empty(), "{mistakes:#?}");
}
