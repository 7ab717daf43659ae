//! Small programs that use locks, modules and memory as drivers of Linux do, with automata over
//! their calls: each is checked with the built-in rule that says what its automaton means.

use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions, RuleText};
use faultline::wire::report::ErrorKind;
use std::path::Path;

/// At least so many of a hundred are decided; none is decided wrongly.
const DECIDED: usize = 90;

pub(crate) fn known_answers(corpus: &Path) {
    let folder = corpus.join("rules");
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("an index");
    let (mut all, mut open, mut wrong) = (0, Vec::new(), Vec::new());
    for line in index.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, rule, known, ..] = columns[..] else { panic!("columns: {line}") };
        let bytes = std::fs::read(folder.join(file)).expect("a program");
        let source = String::from_utf8_lossy(&bytes);
        let requested = RequestedOptions {
            dialect: Some(Dialect::C),
            rules: vec![RuleText { name: format!("ldv/{rule}"), text: None }],
            ..RequestedOptions::default()
        };
        let (mut session, _) = Session::load(&source, &requested);
        all += 1;
        if session.program().is_none() {
            open.push(file.to_string());
            continue;
        }
        session.start(Task::Check, Budgets::default());
        session.run();
        let by_rule = || {
            let run = session.failing_run();
            run.is_some_and(|run| run.check.kind == ErrorKind::Rule)
        };
        match (session.outcome(), known) {
            (Outcome::Safe, "safe") => {}
            (Outcome::Unsafe, "unsafe") if by_rule() => {}
            (Outcome::Unknown(_), _) => open.push(file.to_string()),
            (outcome, _) => wrong.push(format!("{file}: {outcome:?}, by the rule: {}", by_rule())),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!((all - open.len()) * 100 >= all * DECIDED, "open of {all}: {open:?}");
}
