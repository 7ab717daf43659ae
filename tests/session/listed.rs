//! Every check that can fail, and what the interpreter finds by itself.

use crate::support::load::session_with;
use faultline::analysis::execution::{Execution, Only, Starts};
use faultline::lang::load;
use faultline::report;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::util::Limit;
use faultline::wire::cegar::Decider;
use faultline::wire::options::{Checks, Dialect, RequestedOptions};
use faultline::wire::projection::Method;
use faultline::wire::report::{ErrorKind, Report, Verdict};
use std::rc::Rc;

fn requested(error: Option<u32>) -> RequestedOptions {
    let checks = Checks { bounds: true, division: true, overflow: true, ..Checks::NONE };
    let checks = Some(checks);
    RequestedOptions { dialect: Some(Dialect::C), error, checks, ..RequestedOptions::default() }
}

fn started(source: &str, requested: &RequestedOptions, task: Task, budgets: Budgets) -> Session {
    let mut session = session_with(source, requested);
    session.use_portfolio(requested);
    session.list_failures();
    session.start(task, budgets);
    session
}

fn reported(source: &str, task: Task) -> Report {
    let mut session = started(source, &requested(None), task, Budgets::default());
    session.run();
    report::report(&session)
}

fn listed(report: &Report) -> Vec<(u32, ErrorKind)> {
    report.failures.iter().map(|failure| (failure.line, failure.kind)).collect()
}

const ROWS: &str = "#include <stdio.h>
int main(void) {
    int row, n;
    int board[3];
    scanf(\"%d %d\", &row, &n);
    board[row - 1] = 1;
    board[0] = 100 / n;
    return 0;
}
";

#[test]
fn an_overflow_hides_neither_the_index_of_its_line_nor_a_later_division() {
    let bounds = (6, ErrorKind::Bounds);
    let (division, overflow) = ((7, ErrorKind::Division), (6, ErrorKind::Overflow));
    for task in [Task::Check, Task::Projection(Method::Functional)] {
        let report = reported(ROWS, task);
        assert_eq!(listed(&report), [bounds, division, overflow], "{task:?}");
        assert_eq!(report.failures_limit, None);
        let first = &report.failures[0];
        assert_eq!(report.error, Some(first.error()));
        assert_eq!(report.trace.as_ref(), Some(&first.trace));
        assert_eq!(report.shortest, Some(true));
        let detail = first.detail.as_deref().unwrap_or_default();
        assert!(detail.contains("is -1 (row is 0)"), "{detail}");
        for failure in &report.failures {
            assert_eq!(failure.trace.last().map(|entry| entry.line), Some(failure.line));
        }
        assert_eq!(report.projection.is_some(), task != Task::Check);
    }
}

#[test]
fn a_line_that_is_chosen_has_its_own_list() {
    let session = |line| {
        let mut session = started(ROWS, &requested(Some(line)), Task::Check, Budgets::default());
        session.run();
        report::report(&session)
    };
    assert_eq!(listed(&session(6)), [(6, ErrorKind::Bounds), (6, ErrorKind::Overflow)]);
    let only = session(7);
    assert!(only.failures.is_empty() && only.error.is_some_and(|error| error.line == 7));
}

#[test]
fn where_one_check_can_fail_nothing_is_listed_and_the_verdict_took_the_same() {
    let source = "int main(void) { int a[4]; int i; a[2] = 1; a[i] = a[2]; return 0; }";
    let listed = reported(source, Task::Check);
    let mut session = session_with(source, &requested(None));
    session.use_portfolio(&requested(None));
    session.start(Task::Check, Budgets::default());
    session.run();
    assert_eq!(listed, report::report(&session));
    assert_eq!(listed.verdict, Verdict::Unsafe);
}

#[test]
fn a_list_that_a_budget_ends_says_so() {
    let source = "#include <stdio.h>
int main(void) {
    int n, a, b;
    scanf(\"%d %d %d\", &n, &a, &b);
    int q = 100 / n;
    if (a * b != b * a) q = q / (a - a);
    return q;
}
";
    let budgets = Budgets { max_nodes: 200_000, ..Budgets::default() };
    let mut session = started(source, &requested(None), Task::Check, budgets);
    session.run();
    let report = report::report(&session);
    assert_eq!((report.verdict, report.failures_limit), (Verdict::Unsafe, Some(Limit::Nodes)));
}

/// The engine has no answer with these, and the interpreter has one.
const TINY: Budgets = Budgets { max_nodes: 30_000, max_steps: 500_000, ..Budgets::USUAL };

/// Products of unknown numbers.
fn heavy(rest: &str) -> String {
    format!(
        "#include <stdio.h>
int g(int a, int b) {{ unsigned x = a, y = b; return x * y * x == y * x * x; }}
int main(void) {{
    int a, b;
    scanf(\"%d %d\", &a, &b);
    int same = g(a, b);
    {rest}
    return 0;
}}
"
    )
}

#[test]
fn the_interpreter_finds_a_failing_run_where_the_engine_has_none() {
    let source = heavy("printf(\"%d\", 10 / (same + a - 2));");
    for task in [Task::Check, Task::Projection(Method::Functional)] {
        let mut session = started(&source, &requested(None), task, TINY);
        session.run();
        let report = report::report(&session);
        assert_eq!(session.outcome(), Outcome::Unsafe);
        assert_eq!(report.error.map(|error| error.kind), Some(ErrorKind::Division));
        assert!(report.trace.is_some_and(|trace| !trace.is_empty()));
        let by = report.refined.and_then(|refined| refined.decided).map(|decided| decided.by);
        assert_eq!(by, Some(Decider::Execution));
    }
    let safe = heavy("printf(\"%d\", 10 / same);");
    let mut session = started(&safe, &requested(None), Task::Check, TINY);
    session.run();
    assert!(matches!(session.outcome(), Outcome::Unknown(_)), "many inputs are no proof");
}

fn executed(source: &str) -> Execution {
    let program = load(source, &requested(None)).program.expect("a program");
    let mut execution = Execution::new(Rc::new(program), None, Starts::FirstFirst);
    while !execution.step() {}
    execution
}

#[test]
fn a_program_without_inputs_has_one_run_and_that_decides_it() {
    let sums = |last: &str| {
        format!(
            "int a[1000]; int main(void) {{ int s = 0; for (int i = 0; i < 50000; i++) s = (s * 31 + i) % 1000;
            a[s] = 1; {last} return a[s]; }}"
        )
    };
    let safe = executed(&sums(""));
    assert!(safe.found().is_empty() && safe.only() == Only::Ends);
    let wrong = executed(&sums("s = s / (a[s] - 1);"));
    assert!(wrong.found().is_empty(), "the run is too long to be shown");
    assert_ne!(wrong.only(), Only::Ends);
    let short = executed("int main(void) { int x = 5; x = x / (x - 5); return x; }");
    assert_eq!(short.found().len(), 1);
    let endless = executed("int main(void) { while (1) { } return 0; }");
    assert!(endless.found().is_empty() && endless.only() == Only::Open);
    let several = executed("int main(void) { int x; return x; }");
    assert_eq!(several.only(), Only::Several);
    let deep = executed(
        "int f(int n) { if (n == 0) return 0; return f(n - 1); }
        int main(void) { f(300000); return 0; }",
    );
    assert_eq!(deep.only(), Only::Ends);
}

#[test]
fn texts_and_numbers_are_tried() {
    let words = executed(
        "#include <stdio.h>
int main(void) {
    int c, n = 0, words = 0;
    while ((c = getchar()) != EOF) { n++; if (c == ' ') words++; }
    printf(\"%d\", n / words);
    return 0;
}
",
    );
    assert_eq!(words.found().len(), 1);
    let equal = executed(
        "#include <stdio.h>
int main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\", 1 / (a * 5 + b - 28)); }
",
    );
    assert!(equal.found().iter().any(|run| run.check.kind == ErrorKind::Division));
}

/// An edge that picks several truth values and has no other way beside it is a choice, too.
#[test]
fn a_program_that_picks_only_truth_values_has_several_runs() {
    let cimple = RequestedOptions { dialect: Some(Dialect::Cimple), ..RequestedOptions::default() };
    for source in [
        "void main() { bool a = * || *; assert(a); }",
        "void main() { bool a = *; assert(a || !a); }",
    ] {
        let program = load(source, &cimple).program.expect("a program");
        let mut execution = Execution::new(Rc::new(program), None, Starts::FirstFirst);
        while !execution.step() {}
        assert_eq!(execution.only(), Only::Several, "{source}");
    }
}
