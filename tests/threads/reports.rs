//! What a report says, and how limits end an analysis.

use crate::analysed;
use crate::support::generate;
use crate::support::shrink::each;
use faultline::report::threads_report;
use faultline::session::{Budgets, Outcome, SwitchBound, ThreadsOptions};
use faultline::util::limits::Limit;
use faultline::wire::options::Dialect;
use faultline::wire::report::{ErrorKind, Value};
use faultline::wire::threads::{ThreadsReport, ThreadsVerdict};

const LOST: &str = include_str!("../../static/examples/threads-lost-update.cimple");
const LOCKS: &str = include_str!("../../static/examples/threads-lock-order.cimple");

fn report(source: &str, switches: u32, at: Option<u32>) -> ThreadsReport {
    threads_report(&mut analysed(
        source,
        Dialect::Cimple,
        ThreadsOptions { switches: SwitchBound::AtMost(switches), at },
        Budgets::default(),
    ))
}

/// Three contexts: main, other, main; between them the globals as the statements leave them.
#[test]
fn contexts_of_a_run() {
    let report = report(LOST, 3, None);
    assert_eq!(
        (report.verdict, report.switches, report.no_error_up_to),
        (ThreadsVerdict::Unsafe, Some(2), Some(1))
    );
    let contexts = report.contexts.expect("contexts");
    let parts: Vec<_> = contexts
        .iter()
        .map(|context| (context.thread, context.from_step, context.to_step))
        .collect();
    assert_eq!(parts, [(0, 0, 2), (1, 2, 6), (0, 6, 9)]);
    let balances: Vec<&Value> = contexts.iter().map(|context| &context.globals.0[0].1).collect();
    assert_eq!(balances, [&Value::Number(0), &Value::Number(0), &Value::Number(1)]);
    let trace = report.trace.expect("a trace");
    assert_eq!(trace.len(), 9);
    assert!(contexts.iter().all(|c| {
        trace[c.from_step as usize..c.to_step as usize].iter().all(|entry| entry.thread == c.thread)
    }));
    assert_eq!(
        report.error.map(|error| (error.line, error.kind)),
        Some((16, ErrorKind::Assertion))
    );
}

#[test]
fn who_waits_for_ever() {
    let report = report(LOCKS, 2, None);
    let error = report.error.expect("it fails");
    assert_eq!(error.kind, ErrorKind::Deadlock);
    assert_eq!(
        error.detail.as_deref(),
        Some(
            "main waits at line 9 for lock(right), which other took at line 15; other waits at \
             line 16 for lock(left), which main took at line 8"
        )
    );
    let blocked: Vec<_> =
        report.blocked.iter().map(|one| (one.thread, one.line, one.statement.as_str())).collect();
    assert_eq!(blocked, [(0, 9, "lock(right)"), (1, 16, "lock(left)")]);
}

/// Line 16 is the assertion: with two switches the balance is 1 or 2 there, and main only comes
/// there once the other one is done.
#[test]
fn globals_at_a_line() {
    let report = report(LOST, 2, Some(16));
    let counts: Vec<_> =
        report.reachable.iter().map(|level| (level.bound, level.count.as_str())).collect();
    assert_eq!(counts, [(0, "0"), (1, "0"), (2, "2")]);
}

/// The tree's root comes before everything; a node's parent before it, one context less deep.
#[test]
fn the_tree_is_one() {
    let report = report(LOST, 3, None);
    assert_eq!((report.tree[0].parent, report.tree[0].context), (None, 0));
    for node in &report.tree[1..] {
        let parent = &report.tree[node.parent.expect("a parent") as usize];
        assert_eq!(parent.context + 1, node.context);
        assert_ne!(parent.thread, node.thread);
    }
    assert!(report.tree.iter().any(|node| node.fails));
}

#[test]
fn limits_are_no_verdict() {
    let asked = ThreadsOptions { switches: SwitchBound::AtMost(3), at: None };
    let few = Budgets { max_steps: 50, ..Budgets::default() };
    let session = analysed(LOST, Dialect::Cimple, asked, few);
    assert_eq!(session.outcome(), Outcome::Unknown(Limit::Steps));
}

/// What is written is read back.
#[test]
fn reports_are_json() {
    let report = report(LOCKS, 2, None);
    let text = serde_json::to_string(&report).expect("JSON");
    assert!(text.contains("\"verdict\":\"unsafe\"") && text.contains("\"switches\":1"));
    assert_eq!(serde_json::from_str::<ThreadsReport>(&text).expect("the same"), report);
    let safe = serde_json::to_string(&self::report(LOCKS, 0, None)).expect("JSON");
    assert!(safe.contains("\"verdict\":\"no-error-within-bound\"") && safe.contains("\"bound\":0"));
}

/// Without `main` the threads run alone: a procedure before them is none.
#[test]
fn threads_without_main() {
    let report = report(
        "//! globals = zero\nint x;\nvoid set() { x = 5; }\nthread one { assert(x == 0); }\nthread two { x = 0; }\n",
        3,
        None,
    );
    assert_eq!((report.verdict, report.threads.len()), (ThreadsVerdict::Safe, 2));
}

/// As long as one thread runs, what its statements change is what the next one finds.
#[test]
fn changes_lead_from_one_statement_to_the_next() {
    let (mut compared, mut changed) = (0, 0);
    each(300..420, generate::threads, |_, source| {
        let report = report(source, 3, None);
        let (Some(contexts), Some(trace)) = (&report.contexts, &report.trace) else { return };
        for context in contexts {
            let steps = &trace[context.from_step as usize..context.to_step as usize];
            for pair in steps.windows(2) {
                let [now, next] = pair else { unreachable!("windows of two") };
                let mut values = now.values.clone();
                for change in now.changes.iter().filter(|change| change.frame.is_none()) {
                    let known =
                        values.0.iter_mut().find(|(name, _)| *name == change.element.variable);
                    let Some((_, value)) = known else { continue };
                    set(value, &change.element.indices, change.after.clone());
                    changed += 1;
                }
                let globals = values.0.iter().take(now.globals as usize);
                for (name, value) in globals {
                    let found = next.values.0.iter().take(next.globals as usize);
                    for (_, found) in found.filter(|(other, _)| other == name) {
                        assert_eq!(found, value, "{name} after {}", now.statement);
                        compared += 1;
                    }
                }
            }
        }
    });
    assert!(compared >= 300 && changed >= 50, "{compared} values compared, {changed} changed");
}

fn set(value: &mut Value, indices: &[u32], to: Value) {
    match (value, indices) {
        (value, []) => *value = to,
        (Value::List(items), [first, rest @ ..]) => set(&mut items[*first as usize], rest, to),
        (value, _) => panic!("{value} has no element {indices:?}"),
    }
}
