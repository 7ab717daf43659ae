//! Schedules that a person chooses: what is offered, what becomes of it, and what is said of the
//! future against the explicit search through all interleavings.

use crate::explicit::explore;
use crate::support::generate;
use crate::support::load::{in_dialect, program_with};
use crate::support::random::Random;
use crate::support::shrink::each;
use faultline::lang::interpreter::Machine;
use faultline::lang::model::Program;
use faultline::report::schedule_report;
use faultline::session::Job;
use faultline::session::schedule::ScheduleSession;
use faultline::wire::options::{Dialect, EffectiveOptions};
use faultline::wire::report::ErrorKind;
use faultline::wire::threads::{Future, ThreadsReport, ThreadsVerdict};
use std::rc::Rc;

/// More switches than any run of these programs needs.
const ANY: u32 = 60;

fn followed(program: &Rc<Program>, options: &EffectiveOptions, schedule: &str) -> ThreadsReport {
    let mut job = ScheduleSession::new(Rc::clone(program), options, schedule)
        .unwrap_or_else(|why| panic!("{schedule}: {why}"));
    job.run();
    schedule_report(&job)
}

fn loaded(source: &str, dialect: Dialect) -> (Rc<Program>, EffectiveOptions) {
    let (program, options) = program_with(source, &in_dialect(dialect));
    (program, options)
}

const DEPOSITS: &str = "//! bits = 4\n#include <pthread.h>\n#include <assert.h>\nint balance;\n\
    void *deposit(void *arg) {\n  balance++;\n  return 0;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, deposit, 0);\n  balance++;\n\
    pthread_join(t, 0);\n  assert(balance == 2);\n  return 0;\n}\n";

#[test]
fn a_lost_update_is_chosen_step_by_step_and_can_be_avoided() {
    let (program, options) = loaded(DEPOSITS, Dialect::C);
    // Whoever goes on: as long as something can fail, it is chosen, and in the end it fails.
    let mut report = followed(&program, &options, "");
    let mut moves = 0;
    while report.verdict != ThreadsVerdict::Unsafe {
        let next = report
            .next
            .iter()
            .find(|next| matches!(next.future, Some(Future::Fails | Future::CanFail)));
        let schedule = next.and_then(|next| next.schedule.clone()).expect("something can fail");
        report = followed(&program, &options, &schedule);
        moves += 1;
        assert!(moves < 40, "{schedule}");
    }
    let error = report.error.expect("an error");
    assert_eq!((error.kind, error.line), (ErrorKind::Assertion, 14));
    assert!(report.next.is_empty());
    // One thread after the other: it does not fail, and that is said once the first has written.
    let mut report = followed(&program, &options, "");
    let mut said = false;
    loop {
        let free = |thread: u32| {
            report.next.iter().find(|next| next.thread == thread && next.schedule.is_some())
        };
        // The deposit first, once it is there.
        let Some(next) = free(1).or(free(0)) else { break };
        said |= next.future == Some(Future::CannotFail);
        assert!(!said || next.future == Some(Future::CannotFail), "{next:?}");
        report = followed(&program, &options, &next.schedule.clone().expect("a schedule"));
    }
    assert!(said);
    assert_eq!(report.error, None);
    assert!(report.next.iter().all(|next| next.told.contains("ended")), "{:?}", report.next);
}

#[test]
fn who_waits_says_for_whom() {
    let source = "//! bits = 3\n//! globals = zero\nbool m;\nint x;\nthread a {\n  lock(m);\n  x = 1;\n  unlock(m);\n}\n\
                  thread b {\n  lock(m);\n  x = 2;\n  unlock(m);\n}\n";
    let (program, options) = loaded(source, Dialect::Cimple);
    let report = followed(&program, &options, "0");
    let waits = report.next.iter().find(|next| next.thread == 1).expect("b");
    assert_eq!(waits.schedule, None);
    assert!(waits.told.contains("waits for lock(m)"), "{waits:?}");
    assert!(waits.told.contains("which a took at line 6"), "{waits:?}");
    assert!(ScheduleSession::new(Rc::clone(&program), &options, "0,1").is_err());
    assert!(ScheduleSession::new(Rc::clone(&program), &options, "7").is_err());
    assert!(ScheduleSession::new(Rc::clone(&program), &options, "x").is_err());
}

#[test]
fn a_deadlock_and_a_race_are_ends() {
    let source = "//! bits = 3\n//! globals = zero\nbool m;\nbool n;\nthread a {\n  lock(m);\n  lock(n);\n}\n\
                  thread b {\n  lock(n);\n  lock(m);\n}\n";
    let (program, options) = loaded(source, Dialect::Cimple);
    let report = followed(&program, &options, "0,1");
    assert_eq!(report.error.expect("an error").kind, ErrorKind::Deadlock);
    assert_eq!(report.blocked.len(), 2);
    let source = "//! bits = 3\n//! globals = zero\n//! check = race\nint x;\nint y;\nthread a {\n  y = 1;\n  x = 1;\n}\n\
                  thread b {\n  x = 2;\n}\n";
    let (program, options) = loaded(source, Dialect::Cimple);
    assert_eq!(followed(&program, &options, "").error, None);
    let report = followed(&program, &options, "0");
    let race = report.race.expect("a race");
    assert_eq!((race.place.as_str(), race.first_writes, race.second_writes), ("x", true, true));
    assert_eq!(report.error.expect("an error").kind, ErrorKind::Race);
    assert_eq!(report.trace.map(|trace| trace.len()), Some(3));
}

#[test]
fn inputs_are_alternatives() {
    let source = "//! bits = 3\n//! globals = zero\nint x;\nthread a {\n  x = *;\n  assert(x != 3);\n}\n\
                  thread b {\n  x = 0;\n}\n";
    let (program, options) = loaded(source, Dialect::Cimple);
    let report = followed(&program, &options, "");
    let picks: Vec<&str> =
        report.next.iter().filter(|next| next.thread == 0).map(|next| next.told.as_str()).collect();
    assert_eq!(picks.len(), 8, "{picks:?}");
    assert!(picks.iter().all(|told| told.contains("picks")), "{picks:?}");
    let failing = followed(&program, &options, "0.3,0");
    assert_eq!(failing.error.expect("an error").kind, ErrorKind::Assertion);
    assert_eq!(followed(&program, &options, "0.2,0").error, None);
}

/// What is said at the start, and on a random way from there.
#[test]
fn random_programs() {
    let (mut compared, mut can, mut cannot) = (0, 0, 0);
    each(0..60, generate::threads, |seed, source| {
        let (program, options) = loaded(source, Dialect::Cimple);
        let machine = Machine::new(&program);
        let (starts, _) = machine.starts(2);
        let single =
            |procedure: &_| machine.thread_starts(*procedure, &starts[0].globals, 2).0.len() == 1;
        if starts.len() != 1 || !program.concurrency.threads.iter().all(single) {
            return;
        }
        let Some(explored) = explore(&program, ANY, 0, None) else { return };
        let fails = explored.error.is_some() || explored.deadlock.is_some();
        let mut report = followed(&program, &options, "");
        let futures = |report: &ThreadsReport| -> Vec<Future> {
            report.next.iter().filter_map(|next| next.future).collect()
        };
        if futures(&report).contains(&Future::Unknown) {
            return;
        }
        let bad = |future: &Future| matches!(future, Future::Fails | Future::CanFail);
        let said = report.error.is_some() || futures(&report).iter().any(bad);
        assert_eq!(said, fails, "{source}\n{:?}", report.next);
        compared += 1;
        (can, cannot) = (can + u32::from(fails), cannot + u32::from(!fails));
        let mut random = Random::new(seed);
        let mut hopeless = false;
        for _ in 0..8 {
            let open: Vec<_> = report.next.iter().filter(|next| next.schedule.is_some()).collect();
            if open.is_empty() {
                break;
            }
            let next = open[random.among(open.len() as u32) as usize];
            let future = next.future.expect("it is said");
            assert!(!hopeless || future == Future::CannotFail, "{source}\n{next:?}");
            hopeless |= future == Future::CannotFail;
            report = followed(&program, &options, next.schedule.as_deref().expect("a schedule"));
            let failed = report.verdict == ThreadsVerdict::Unsafe;
            if future == Future::Fails {
                assert!(failed, "{source}\n{:?}", report.trace);
            }
            assert!(!(failed && future == Future::CannotFail), "{source}");
            let still = failed || futures(&report).iter().any(bad);
            assert_eq!(still, future != Future::CannotFail, "{source}\n{:?}", report.next);
        }
    });
    assert!(compared >= 10 && can + cannot == compared, "{compared}, {can} can, {cannot} cannot");
}
