//! Both methods through the session: the same least number of switches, the same globals, and a run
//! that the interpreter executed.

use crate::support::generate;
use crate::support::load::program_with;
use crate::support::shrink::each;
use faultline::lang::model::Program;
use faultline::session::{
    Budgets, Job, Outcome, SwitchBound, ThreadsMethod, ThreadsOptions, ThreadsSession,
};
use faultline::wire::options::{EffectiveOptions, RequestedOptions};
use std::rc::Rc;

fn run(
    method: ThreadsMethod,
    program: &Rc<Program>,
    options: &EffectiveOptions,
    at: Option<u32>,
) -> ThreadsSession {
    let asked = ThreadsOptions { switches: SwitchBound::AtMost(3), at };
    let mut session =
        ThreadsSession::by(method, Rc::clone(program), options, asked, Budgets::default());
    session.run();
    session
}

fn agree(source: &str, at: Option<u32>) -> Outcome {
    let (program, options) = program_with(source, &RequestedOptions::default());
    let mut tree = run(ThreadsMethod::QadeerRehof, &program, &options, at);
    let mut interfaces = run(ThreadsMethod::Transducer, &program, &options, at);
    assert_eq!(interfaces.fault(), None, "{source}");
    assert_eq!(tree.outcome(), interfaces.outcome(), "{source}");
    assert_eq!(tree.switches(), interfaces.switches(), "{source}");
    assert_eq!(tree.no_error_up_to(), interfaces.no_error_up_to(), "{source}");
    assert_eq!(tree.bound(), interfaces.bound(), "{source}");
    for bound in 0..=tree.bound().unwrap_or(0) {
        assert_eq!(
            tree.reached(bound, 64),
            interfaces.reached(bound, 64),
            "within {bound} switches, at {at:?}\n{source}"
        );
    }
    if let (Some(one), Some(other)) = (tree.failing_run(), interfaces.failing_run()) {
        assert_eq!(one.check.is_some(), other.check.is_some(), "{source}");
        assert!(one.length <= other.length, "the tree's run is a shortest one\n{source}");
    }
    interfaces.outcome()
}

#[test]
fn both_methods_agree_on_random_programs() {
    let mut unsafe_ones = 0;
    each(2000..2050, generate::threads, |seed, source| {
        // Every second program is asked about a line: one near the end of its last thread.
        let lines = source.lines().count() as u32;
        let line = (seed % 2 == 0).then_some(lines - 1 - (seed % 3) as u32);
        unsafe_ones += u32::from(agree(source, line) == Outcome::Unsafe);
    });
    assert!((15..=45).contains(&unsafe_ones), "{unsafe_ones} fail");
}

/// Loops over wide numbers are summed up inside a context. Interfaces list no values: the tree
/// would have a node for each of the 65,536.
#[test]
fn wide_numbers() {
    let source = "//! bits = 16\nint n = 0, stop = 0;\nvoid main() { while (stop == 0) { n = n + 3; } assert(n != 3000); }\nthread other { stop = 1; }\n";
    let (program, options) = program_with(source, &RequestedOptions::default());
    let session = run(ThreadsMethod::Transducer, &program, &options, None);
    assert_eq!(
        (session.outcome(), session.switches(), session.fault()),
        (Outcome::Unsafe, Some(2), None)
    );
    let source = "//! bits = 16\nint n = 0, stop = 0;\nvoid main() { int i = 0; while (i < 1000) { i = i + 1; } n = i; stop = 1; }\nthread other { assume(stop == 1); assert(n == 1000); }\n";
    assert_eq!(agree(source, None), Outcome::Safe);
}

/// Threads that are started, in a loop too; and a deadlock.
#[test]
fn both_methods_agree_on_started_threads_and_deadlocks() {
    let source = "#include <pthread.h>\nint n = 0;\nvoid *inc(void *a) { int l = n; n = l + 1; return 0; }\nint main() { pthread_t t; int i;\n  for (i = 0; i < 3; i++) { pthread_create(&t, 0, inc, 0); }\n  assert(n != 2); return 0; }\n";
    assert_eq!(agree(source, None), Outcome::Unsafe);
    let source = "bool a = false, b = false;\nvoid main() { lock(a); lock(b); unlock(b); unlock(a); }\nthread other { lock(b); lock(a); unlock(a); unlock(b); }\n";
    assert_eq!(agree(source, None), Outcome::Unsafe);
}
