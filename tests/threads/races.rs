//! Data races: programs whose answer is known, and random programs against an explicit search for a
//! state in which two threads are about to access one place.

use crate::analysed;
use crate::explicit::explore_races;
use crate::support::generate;
use crate::support::load::{in_dialect, program_with};
use crate::support::shrink::each;
use faultline::lang::interpreter::Ended;
use faultline::report::threads_report;
use faultline::session::{Budgets, Outcome, SwitchBound, ThreadsOptions, ThreadsSession};
use faultline::wire::options::Dialect;
use faultline::wire::report::ErrorKind;
use faultline::wire::threads::ThreadsMethod;
use std::rc::Rc;

const BOUND: u32 = 3;

fn within(bound: u32) -> ThreadsOptions {
    ThreadsOptions { switches: SwitchBound::AtMost(bound), at: None }
}

/// A C program of globals, a thread, and what main does after it has started the thread.
fn program(globals: &str, thread: &str, main: &str) -> String {
    format!(
        "//! bits = 4\n//! check = race\n#include <pthread.h>\n#include <stdatomic.h>\n{globals}\n\
         void *worker(void *arg) {{ {thread} return 0; }}\n\
         int main(void) {{ pthread_t t; pthread_create(&t, 0, worker, 0); {main} return 0; }}\n"
    )
}

/// The place of the race that is found, if one is.
fn raced(source: &str, dialect: Dialect) -> Option<String> {
    let mut session = analysed(source, dialect, within(4), Budgets::default());
    let report = threads_report(&mut session);
    assert_eq!(report.fault, None, "{source}");
    assert_ne!(session.outcome(), Outcome::Fault, "{source}");
    if let Some(error) = &report.error {
        assert_eq!(error.kind, ErrorKind::Race, "{source}");
    }
    report.race.map(|race| race.place)
}

#[test]
fn unordered_accesses_race_and_ordered_ones_do_not() {
    let lock = "pthread_mutex_lock(&m);";
    let unlock = "pthread_mutex_unlock(&m);";
    let locked = |inside: &str| format!("{lock} {inside} {unlock}");
    for (globals, thread, main, place) in [
        ("int x;", "x = 1;", "x = 2;", Some("x")),
        ("int x;", "x = 1;", "int y = x;", Some("x")),
        ("int x;", "int y = x;", "x = 1;", Some("x")),
        ("int x;", "x++;", "x++;", Some("x")),
        ("int x;", "int y = x;", "int z = x;", None),
        ("int x; int y;", "x = 1;", "y = 1;", None),
        // Joined, or only before the thread starts.
        ("int x;", "x = 1;", "pthread_join(t, 0); x = 2;", None),
        ("int x; int y;", "x = 1;", "y = 1; pthread_join(t, 0); x = 2;", None),
        // Atomic accesses.
        ("_Atomic int x;", "x++;", "x = 2;", None),
        ("atomic_int x;", "atomic_store(&x, 1);", "atomic_load(&x);", None),
        ("int x;", "__atomic_store_n(&x, 1, 5);", "__atomic_load_n(&x, 5);", None),
        ("int x;", "__atomic_store_n(&x, 1, 5);", "x = 2;", Some("x")),
        (
            "int x;",
            "__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();",
            "x = 2;",
            Some("x"),
        ),
        (
            "int x;",
            "__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); x = 2; __VERIFIER_atomic_end();",
            None,
        ),
        // An atomic flag orders what it publishes; a plain one does not, and races itself.
        ("int x; _Atomic int ready;", "x = 1; ready = 1;", "if (ready) x = 2;", None),
        ("int x; int ready;", "x = 1; ready = 1;", "if (ready) x = 2;", Some("ready")),
        // Elements and members.
        ("int a[2];", "a[0] = 1;", "a[1] = 1;", None),
        ("int a[2]; ", "a[1] = 1;", "for (int i = 0; i < 2; i++) a[i] = 2;", Some("a[1]")),
        ("struct { int k; int n; } s;", "s.k = 1;", "s.n = 1;", None),
        ("struct { int k; int n; } s;", "s.n = 2;", "s.n = 1;", Some("s.n")),
        // The right operand is not read where the left one decides.
        ("int x;", "x = 1;", "int zero = 0; if (zero && x) return 1;", None),
    ] {
        let source = program(globals, thread, main);
        assert_eq!(raced(&source, Dialect::C).as_deref(), place, "{source}");
    }
    let globals = "int x; pthread_mutex_t m;";
    for (thread, main, place) in [
        (locked("x++;"), locked("x++;"), None),
        (locked("x++;"), "x++;".to_string(), Some("x")),
        (locked("x = 1;"), format!("{lock} {unlock} x = 2;"), Some("x")),
    ] {
        let source = program(globals, &thread, &main);
        assert_eq!(raced(&source, Dialect::C).as_deref(), place, "{source}");
    }
}

#[test]
fn races_are_looked_for_where_c_states_no_error_and_nobody_chose_the_checks() {
    let source = program("int x;", "x = 1;", "x = 2;");
    let with = |first: &str| source.replace("//! check = race\n", first);
    assert_eq!(raced(&with(""), Dialect::C).as_deref(), Some("x"));
    assert_eq!(raced(&with("//! check = bounds\n"), Dialect::C), None);
    let stated = with("").replace("return 0; }\n", "if (x > 2) { ERROR: ; } return 0; }\n");
    assert_eq!(raced(&stated, Dialect::C), None);
}

#[test]
fn statements_of_cimple_race_although_each_is_one_step() {
    let race =
        "//! bits = 3\n//! check = race\nint x;\nthread a { x = x + 1; }\nthread b { x = 2; }\n";
    assert_eq!(raced(race, Dialect::Cimple).as_deref(), Some("x"));
    let atomic = "//! bits = 3\n//! check = race\nint x;\nthread a { atomic { x = x + 1; } }\n\
                  thread b { atomic { x = 2; } }\n";
    assert_eq!(raced(atomic, Dialect::Cimple), None);
    let called = "//! bits = 3\n//! check = race\nint x; int y;\nvoid f(int n) { y = n; }\n\
                  thread a { f(x); }\nthread b { x = 2; }\n";
    assert_eq!(raced(called, Dialect::Cimple).as_deref(), Some("x"));
}

#[test]
fn both_accesses_are_in_the_run_and_the_message_names_them() {
    let source = "//! bits = 4\n//! check = race\n#include <pthread.h>\nint x;\n\
                  void *worker(void *arg) {\n  int seen = x;\n  return 0;\n}\n\
                  int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, worker, 0);\n  x = 2;\n  return 0;\n}\n";
    let mut session = analysed(source, Dialect::C, within(2), Budgets::default());
    let report = threads_report(&mut session);
    assert_eq!(report.switches, Some(1));
    let race = report.race.expect("a race");
    let trace = report.trace.expect("a run");
    let (first, second) = (&trace[race.step as usize], trace.last().expect("two steps"));
    let mut lines = [(first.line, race.first_writes), (second.line, race.second_writes)];
    lines.sort_unstable();
    assert_eq!(lines, [(6, false), (12, true)]);
    assert_ne!(first.thread, second.thread);
    assert!(trace.iter().any(|entry| entry.statement.contains("seen = x")), "{trace:?}");
    assert_eq!(report.contexts.expect("contexts").len(), 2);
    let error = report.error.expect("an error");
    assert_eq!(error.message, "data race on x");
    let detail = error.detail.expect("a detail");
    for part in ["worker reads it at line 6", "main writes it at line 12", "hold one lock"] {
        assert!(detail.contains(part), "{detail}");
    }
}

#[test]
fn no_race_is_proved_for_any_number_of_switches() {
    let source = program(
        "int x; pthread_mutex_t m;",
        "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
    );
    let asked = ThreadsOptions { switches: SwitchBound::Rising, at: None };
    let session = analysed(&source, Dialect::C, asked, Budgets::default());
    assert!(matches!(session.proof(), Some(Ok(_))), "{:?}", session.proof());
    assert_eq!(session.outcome(), Outcome::Safe);
}

/// Both methods against the search. Seeds from 0. A thread that stands before a false assumption
/// announces nothing, and what is atomic never does: such a race is found with a switch more, after
/// which the other thread has announced its access.
#[test]
fn random_programs() {
    let (mut compared, mut races, mut other, mut none, mut later) = (0, 0, 0, 0, 0);
    each(0..200, generate::threads, |_, source| {
        let source = format!("//! check = race\n{source}");
        let (program, options) = program_with(&source, &in_dialect(Dialect::Cimple));
        let Some(explored) = explore_races(&program, BOUND) else { return };
        let checks = [explored.error, explored.deadlock].into_iter().flatten().min();
        for method in [ThreadsMethod::QadeerRehof, ThreadsMethod::Transducer] {
            let (asked, budgets) = (within(BOUND), Budgets::default());
            let mut session =
                ThreadsSession::by(method, Rc::clone(&program), &options, asked, budgets);
            faultline::session::Job::run(&mut session);
            let told = || format!("{source}\n{explored:?} {:?}", session.fault());
            assert_eq!(session.fault(), None, "{}", told());
            let Some(run) = session.failing_run() else {
                assert_eq!(checks, None, "{}", told());
                assert!(explored.race.is_none_or(|race| race >= BOUND - 1), "{}", told());
                later += u32::from(explored.race.is_some());
                continue;
            };
            let found = run.replay.switches;
            let least = explored.least().unwrap_or(u32::MAX);
            assert!(checks.is_none_or(|checks| found <= checks), "{}", told());
            assert!(least <= found && found <= least + 2, "{}", told());
            later += u32::from(found > least);
            match &run.replay.ended {
                Ended::Race(_) => assert!(explored.race <= Some(found), "{}", told()),
                Ended::Error(_) => assert_eq!(explored.error, Some(found), "{}", told()),
                _ => assert_eq!(explored.deadlock, Some(found), "{}", told()),
            }
            if method == ThreadsMethod::QadeerRehof {
                races += u32::from(matches!(run.replay.ended, Ended::Race(_)));
                other += u32::from(!matches!(run.replay.ended, Ended::Race(_)));
            }
        }
        compared += 1;
        none += u32::from(explored.race.is_none());
    });
    let figures = format!(
        "{compared} compared, {races} races, {later} of them later, {other} others, {none} without"
    );
    assert!(compared >= 160 && races >= 60 && other >= 10 && none >= 20, "{figures}");
    assert!(later * 20 <= 2 * compared, "{figures}");
}
