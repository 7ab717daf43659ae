//! The papers' figures: what must come out is stated here from the paper, never from our own
//! output.

use crate::support::load;
use faultline::report::why_not::why_line;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::projection::Method;
use faultline::wire::report::{ErrorKind, Report};
use faultline::wire::why_not::{BarrierKind, Reason};

fn run(path: &str, method: Method) -> (Session, Report) {
    run_text(&load::golden(path), method)
}

fn run_text(text: &str, method: Method) -> (Session, Report) {
    let mut session = load::session(text);
    session.start(Task::Projection(method), Budgets::default());
    session.run();
    let report = faultline::report::report(&session);
    (session, report)
}

fn lit(report: &Report) -> &[u32] {
    &report.projection.as_ref().expect("a projection").lines
}

/// All methods but the naive one.
const EXACT: [Method; 4] =
    [Method::Functional, Method::PerNode, Method::DoublePrestar, Method::DoublePoststar];

/// Lal, Kidd, Reps, Touili 2007, Table 1 (b). The lines are the listing's: 2 the assertion, 6
/// `int r = 0`, 7 the switch, 8 `case 3`, 9 `case 2`, 13 bar's call in main; out are 3
/// (`i = complex(i)`), 4 and 11 (the returns) and 10 (`case 1`).
#[test]
fn error_projection_table_1() {
    for method in EXACT {
        let (_, report) = run("error_projection/table-1.cimple", method);
        assert_eq!(lit(&report), [2, 6, 7, 8, 9, 13], "{method:?}");
    }
    let (session, report) = run("error_projection/table-1.cimple", Method::Functional);
    assert_eq!(session.outcome(), Outcome::Unsafe);
    let error = report.error.expect("it fails");
    assert_eq!((error.line, error.kind), (2, ErrorKind::Assertion));
    // Column (a) highlights one failing run; ours passes the same call.
    let trace = report.trace.expect("a run");
    assert_eq!(trace.last().map(|entry| (entry.line, entry.procedure.as_str())), Some((2, "foo")));
    assert!(trace.iter().any(|entry| entry.line == 7 && entry.procedure == "bar"));
}

/// The same program: `case 3` and `case 2` each start a failing run, by their own call of foo; as
/// arr[2] is -2, foo never returns from `case 3`, so that none goes through both.
#[test]
fn runs_through_table_1() {
    let (mut session, _) = run("error_projection/table-1.cimple", Method::Functional);
    let mut length = |lines: &[u32]| {
        let program = session.program().expect("a program");
        let on = |line: &u32| {
            program.edge_ids().filter(|edge| program.edge(*edge).span.line == *line).collect()
        };
        let sets = lines.iter().map(on).collect();
        assert!(session.seek_through(sets));
        session.run();
        let through = faultline::report::through(&session).expect("an answer");
        assert_eq!(through.lines, lines);
        through.trace.map(|trace| trace.len())
    };
    let third = length(&[8]);
    assert!(third.is_some());
    assert_eq!(length(&[9]), third, "the other case of the same switch");
    assert_eq!(length(&[2, 6, 7, 8, 13]), third);
    assert_eq!(length(&[8, 9]), None);
    assert_eq!(length(&[10]), None, "case 1 is innocent");
}

/// The same, Table 1 (c): the slice of the assertion has `case 1` (10), which no failing run
/// executes, and lacks `int r = 0` (6), which all do; both returns (4, 11) and `i = complex(i)` (3)
/// are out.
#[test]
fn slice_of_table_1() {
    let (_, report) = run("error_projection/table-1.cimple", Method::Functional);
    let slice = report.projection.and_then(|projection| projection.slice).expect("a slice");
    assert_eq!(slice.lines, [2, 7, 8, 9, 10, 13]);
}

/// Lal, Kidd, Reps, Touili 2007, § 2, Fig. 1, as a program: n is entered with b false or true, but
/// each time the caller rules out what it would need to go on. The naive projection joins the two
/// callers' contexts and keeps n; the exact one leaves it out.
#[test]
fn error_projection_figure_1() {
    const N: u32 = 3;
    for method in EXACT {
        let (_, exact) = run("error_projection/figure-1.cimple", method);
        assert_eq!(
            lit(&exact),
            [6, 10, 15],
            "{method:?}: the third branch alone reaches the error"
        );
    }
    let (_, exact) = run("error_projection/figure-1.cimple", Method::Functional);
    let (_, naive) = run("error_projection/figure-1.cimple", Method::Naive);
    assert!(lit(&naive).contains(&N), "the cross term keeps n");
    assert!(lit(&exact).iter().all(|line| lit(&naive).contains(line)));
}

/// A program whose failing stacks are unboundedly deep: the run is 7 calls deep at its end, and
/// since no frame ever returns on a failing run, what follows the recursive call (10) and main's
/// call (15) is innocent.
#[test]
fn error_projection_with_unboundedly_deep_stacks() {
    for method in EXACT {
        let (_, report) = run("error_projection/deep-stack.cimple", method);
        assert_eq!(lit(&report), [4, 5, 6, 8, 13, 14], "{method:?}");
    }
    let (_, report) = run("error_projection/deep-stack.cimple", Method::Functional);
    let trace = report.trace.expect("a run");
    let last = trace.last().expect("an entry");
    assert_eq!((last.line, last.depth), (8, 7), "the least of 7, 23, 39, … frames");
    // depth = 0 and the call in main; in each frame the addition and the choice; six calls; the
    // assertion.
    assert_eq!((report.shortest, trace.len()), (Some(true), 2 + 2 * 7 + 6 + 1));
    assert_eq!(trace.iter().filter(|entry| entry.line == 6).count() as u32, last.depth - 1);
}

/// The reason of every statement of a line, in the order of the statements.
fn reasons(session: &mut Session, line: u32) -> Vec<Reason> {
    if session.start_comparison() {
        session.comparison().run();
    }
    assert_eq!(session.comparison().limit(), None);
    why_line(session, line)
        .expect("statements start there")
        .statements
        .iter()
        .map(|s| s.reason)
        .collect()
}

/// Table 1 (b), the statements that are out. foo returns only where i > 0; `complex` and `return i`
/// (3, 4) come after a passed assertion, which only the call of `case 1` (10) has. A run that went
/// on from there to another call of foo would fail, as the naive projection thinks: but those calls
/// come earlier.
#[test]
fn why_not_in_table_1() {
    let (mut session, _) = run("error_projection/table-1.cimple", Method::Functional);
    assert_eq!(reasons(&mut session, 3), [Reason::Context]);
    assert_eq!(reasons(&mut session, 4), [Reason::Context]);
    assert!(reasons(&mut session, 10).iter().all(|reason| *reason == Reason::CannotFail));
    assert_eq!(reasons(&mut session, 11), [Reason::CannotFail]);
    assert_eq!(reasons(&mut session, 2), [Reason::Lit]);
    // The naive projection keeps exactly those whose reason is the context.
    let (_, naive) = run("error_projection/table-1.cimple", Method::Naive);
    assert_eq!(lit(&naive), [2, 3, 4, 6, 7, 8, 9, 13]);
}

/// Code behind a `return`: the reason names where the ways to it begin.
#[test]
fn why_not_behind_a_return() {
    let source = "int x;\nvoid main() {\n  assert(x != 1);\n  return;\n  x = 1;\n  x = 2;\n}\n";
    let (mut session, _) = run_text(source, Method::Functional);
    let found = why_line(&mut session, 6).expect("x = 2");
    let barriers = &found.statements[0].barriers;
    assert_eq!(barriers.len(), 1, "{barriers:?}");
    assert_eq!((barriers[0].kind, barriers[0].line), (BarrierKind::NoPath, 5));
}

/// Fig. 1: n has the cross term that the naive projection takes for a path: in by one caller, out
/// to the other.
#[test]
fn why_not_in_figure_1() {
    let (mut session, _) = run("error_projection/figure-1.cimple", Method::Functional);
    assert_eq!(reasons(&mut session, 3), [Reason::Context]);
    let found = why_line(&mut session, 3).expect("n");
    let cross = found.statements[0].cross.as_ref().expect("a cross term");
    let (arrives, fails): (Vec<u32>, Vec<u32>) = (
        cross.arrives.iter().map(|p| p.line).collect(),
        cross.fails.iter().map(|p| p.line).collect(),
    );
    assert!((arrives == [8] && fails == [12]) || (arrives == [12] && fails == [8]), "{cross:?}");
    assert_eq!(
        reasons(&mut session, 8),
        [Reason::CannotFail],
        "b is false, and the caller wants it true"
    );
    assert_eq!(reasons(&mut session, 9), [Reason::Unreached]);
    assert_eq!(
        reasons(&mut session, 15),
        [Reason::Lit, Reason::Unreached],
        "no run goes on behind the error label"
    );
}
