//! Statements that a context switch divides: in C another thread can run between a read and a
//! write.

use crate::analysed;
use faultline::draw::lanes::{part_of, told_part};
use faultline::report::threads_report;
use faultline::session::{Budgets, SwitchBound, ThreadsOptions};
use faultline::wire::options::Dialect;
use faultline::wire::threads::ThreadsReport;

/// A program whose two threads run this text, and whose main claims this afterwards.
fn two(globals: &str, text: &str, claim: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <assert.h>\n{globals}\nvoid *run(void *arg) {{\n  {text}\n  return 0;\n}}\n\
         int main(void) {{\n  pthread_t a, b;\n  pthread_create(&a, 0, run, 0);\n  pthread_create(&b, 0, run, 0);\n  \
         pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert({claim});\n  return 0;\n}}\n"
    )
}

fn report(source: &str) -> ThreadsReport {
    let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
    let report = threads_report(&mut analysed(source, Dialect::C, asked, Budgets::default()));
    let (trace, contexts) =
        (report.trace.as_ref().expect("a run"), report.contexts.as_ref().expect("contexts"));
    assert_eq!(contexts.last().map(|last| last.to_step as usize), Some(trace.len()));
    assert!(contexts.windows(2).all(|pair| pair[0].to_step == pair[1].from_step));
    for context in contexts {
        let steps = context.from_step as usize..context.to_step as usize;
        assert!(trace[steps].iter().all(|entry| entry.thread == context.thread));
    }
    report
}

/// Each divided step as (its thread's name, its statement, what is told).
fn parts(report: &ThreadsReport) -> Vec<(&str, &str, String)> {
    let trace = report.trace.as_deref().unwrap_or_default();
    let told = |step: usize| {
        let entry = &trace[step];
        let thread = report.threads[entry.thread as usize].name.as_str();
        Some((thread, entry.statement.as_str(), told_part(part_of(report, step)?)))
    };
    (0..trace.len()).filter_map(told).collect()
}

/// One thread reads, the other one adds, the first one writes what it has computed.
#[test]
fn an_increment_reads_before_the_switch_and_writes_after_it() {
    let report = report(&two("int x = 0;", "x++;", "x == 2"));
    let found = parts(&report);
    let texts: Vec<&str> = found.iter().map(|(.., told)| told.as_str()).collect();
    assert_eq!(texts, ["reads x = 0", "writes x = 1, having read x = 0"], "{found:?}");
    assert!(found.iter().all(|(thread, statement, _)| {
        *statement == "x++" && *thread == found[0].0 && thread.starts_with("run ")
    }));
    let lines: Vec<u32> = report.trace.expect("a run").iter().map(|entry| entry.line).collect();
    assert_eq!(lines.iter().filter(|line| **line == 5).count(), 3, "one of them in two parts");
}

/// A statement whose rest no other thread can see is not divided: `seen = x` is whole.
#[test]
fn what_no_other_thread_sees_stays_together() {
    let report = report(&two("int x = 0;", "int seen = x; x = seen + 1;", "x == 2"));
    assert_eq!(parts(&report), []);
    let statements: Vec<String> =
        report.trace.expect("a run").into_iter().map(|entry| entry.statement).collect();
    let count = |text: &str| statements.iter().filter(|one| *one == text).count();
    assert_eq!((count("int seen = x"), count("x = seen + 1")), (2, 2), "{statements:?}");
}

/// An element has its index in its name.
#[test]
fn an_element_is_named_with_its_index() {
    let report = report(&two("int cells[3];\nint k = 1;", "cells[k]++;", "cells[1] == 2"));
    let told: Vec<String> = parts(&report).into_iter().map(|(.., told)| told).collect();
    assert!(told.iter().any(|told| told.contains("cells[1] = 0")), "{told:?}");
    assert!(
        told.iter().any(|told| told.starts_with("writes cells[1] = 1, having read")),
        "{told:?}"
    );
}

/// Cimple's statements are one step each.
#[test]
fn cimple_has_no_parts() {
    let source = crate::support::load::example("threads-lost-update.cimple");
    let asked = ThreadsOptions { switches: SwitchBound::AtMost(3), at: None };
    let mut session = analysed(&source, Dialect::Cimple, asked, Budgets::default());
    assert_eq!(threads_report(&mut session).parts, []);
}
