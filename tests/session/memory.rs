//! Memory: analyses in a row end with what they began with, looks into answers leave nothing
//! behind, and a node limit does no harm.

use crate::support::load::{files, session as load};
use faultline::report;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::util::Limit;
use faultline::wire::projection::Method;
use std::fmt::Write;

/// The gallery's program with the most statements, but for those that are there for refinement:
/// without it one of them has no end.
fn largest_example() -> String {
    files("static/examples", &["cimple"])
        .into_iter()
        .filter(|(name, _)| !name.starts_with("refine-"))
        .map(|(_, source)| source)
        .max_by_key(|source| load(source).program().map(|program| program.edges.len()))
        .expect("programs")
}

/// Many procedures that pass a few globals on, with loops and calls; `fails` adds an assertion that
/// does not hold, at the far end.
fn large(procedures: u32, fails: bool) -> String {
    let mut source = "//! bits = 3\nint count;\nbool locked, odd;\n".to_string();
    for k in 0..procedures {
        let _ = writeln!(source, "void p{k}(bool flag) {{");
        let _ = writeln!(source, "    int i = 0;");
        let _ = writeln!(
            source,
            "    while (i < 3) {{ i = i + 1; odd = !odd; if (flag) {{ skip; }} else {{ count = count + 1; odd = !odd; }} }}"
        );
        let _ = writeln!(
            source,
            "    assert(!locked); locked = true; count = count + {}; locked = false;",
            k % 3
        );
        if k > 0 {
            let _ = writeln!(
                source,
                "    if (flag) {{ p{}(!flag); }} else {{ p{}(odd); }}",
                k - 1,
                k / 2
            );
        }
        let _ = writeln!(source, "    assert(i == 3);\n}}");
    }
    let last = if fails { "assert(count == 3);" } else { "" };
    let _ = writeln!(
        source,
        "void main() {{ locked = false; odd = false; p{}(true); {last} }}",
        procedures - 1
    );
    source
}

/// What a run leaves behind: outcome, nodes alive, peak, steps and bytes.
fn run(session: &mut Session, task: Task, budgets: Budgets) -> (Outcome, u64, (u64, u64, u64)) {
    session.start(task, budgets);
    session.run();
    (session.outcome(), session.progress().nodes, session.statistics())
}

/// Memory of this process in bytes, where the system tells.
fn resident() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    statm.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

fn ten_in_a_row(name: &str, source: &str) {
    let mut session = load(source);
    let task = Task::Projection(Method::Functional);
    let first = run(&mut session, task, Budgets::default());
    assert!(matches!(first.0, Outcome::Safe | Outcome::Unsafe), "{name}");
    let (mut before, statements) =
        (None, session.program().map_or(0, |program| program.edges.len() as u32));
    for round in 0..10 {
        assert_eq!(run(&mut session, task, Budgets::default()), first, "{name}, round {round}");
        // Looking into answers, too, must leave nothing behind.
        for statement in (0..statements).step_by(statements as usize / 4 + 1) {
            report::inspect(&mut session, statement);
        }
        let mut fresh = load(source);
        assert_eq!(
            run(&mut fresh, task, Budgets::default()),
            first,
            "{name}, another session, round {round}"
        );
        // The first rounds let the allocator settle.
        if round == 2 {
            before = resident();
        }
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        let one = first.2.2.max(8 << 20);
        assert!(
            after < before + 4 * one,
            "{name}: from {before} to {after} bytes in seven rounds of two analyses, each {one} bytes"
        );
    }
}

/// The system counts the memory of a whole process, so this test runs in one of its own: beside
/// other tests their memory would be counted too.
#[test]
fn ten_analyses_end_with_the_memory_they_began_with() {
    const ALONE: &str = "FAULTLINE_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let test = std::env::current_exe().expect("this test's own program");
        let this = "memory::ten_analyses_end_with_the_memory_they_began_with";
        let ended = std::process::Command::new(test)
            .args(["--exact", this, "--nocapture"])
            .env(ALONE, "1")
            .output()
            .expect("it starts once more");
        let said = String::from_utf8_lossy(&ended.stdout);
        let wrong = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success() && said.contains("1 passed"), "{said}\n{wrong}");
        return;
    }
    ten_in_a_row("the largest example", &largest_example());
    ten_in_a_row("a generated program, unsafe", &large(200, true));
    ten_in_a_row("a generated program, safe", &large(200, false));
}

/// Once garbage is collected, inspections have left no node.
#[test]
fn looks_leave_no_nodes() {
    let mut session = load(&large(30, true));
    run(&mut session, Task::Projection(Method::Functional), Budgets::default());
    session.allow_more(0);
    let live = session.progress().nodes;
    let bytes = session.statistics().2;
    for _ in 0..3 {
        for statement in 0..session.program().map_or(0, |program| program.edges.len() as u32) {
            assert!(report::inspect(&mut session, statement).is_some());
        }
    }
    session.allow_more(0);
    assert_eq!(session.progress().nodes, live);
    assert!(
        session.statistics().2 <= 2 * bytes.max(16 << 20),
        "{} bytes from {bytes}",
        session.statistics().2
    );
}

/// A hundred times in a row, and each time the answer is the same; afterwards everything works as
/// before.
#[test]
fn a_node_limit_a_hundred_times() {
    for (source, safe) in
        [(largest_example(), false), (large(30, true), false), (large(30, false), true)]
    {
        let mut session = load(&source);
        let task = Task::Projection(Method::Functional);
        let whole = run(&mut session, task, Budgets::default());
        let max_nodes = whole.2.0 / 8;
        let limited = Budgets { max_nodes, ..Budgets::default() };
        let first = run(&mut session, task, limited);
        assert!(!safe || first.0 == Outcome::Unknown(Limit::Nodes), "{first:?}");
        for _ in 0..100 {
            assert_eq!(run(&mut session, task, limited), first);
            assert!(session.progress().nodes <= max_nodes);
            assert_eq!(report::report(&session).limit, Some(Limit::Nodes));
            report::inspect(&mut session, 0);
        }
        assert_eq!(run(&mut session, task, Budgets::default()), whole);
    }
}
