//! Own programs. The numbers are worked out by hand, in the comment of each test, and never taken
//! from an output.

use crate::analysed;
use crate::support::load::example;
use faultline::session::{
    Budgets, Certainty, Outcome, SwitchBound, ThreadsOptions, ThreadsSession,
};
use faultline::wire::options::Dialect;

fn run(name: &str, switches: u32) -> ThreadsSession {
    let source = example(&format!("threads-{name}.cimple"));
    analysed(
        &source,
        Dialect::Cimple,
        ThreadsOptions { switches: SwitchBound::AtMost(switches), at: None },
        Budgets::default(),
    )
}

fn fails_with(name: &str, switches: u32, length: u64) {
    if switches > 0 {
        let fewer = run(name, switches - 1);
        assert_eq!(
            (fewer.outcome(), fewer.no_error_up_to()),
            (Outcome::Safe, Some(switches - 1)),
            "{name}"
        );
    }
    let session = run(name, switches + 1);
    assert_eq!(session.outcome(), Outcome::Unsafe, "{name}: {:?}", session.fault());
    let run = session.failing_run().expect("a run");
    assert_eq!((session.switches(), run.replay.switches), (Some(switches), switches), "{name}");
    assert_eq!(session.certainty(), Certainty::Shortest, "{name}");
    assert_eq!(run.length, length, "{name}");
}

/// Mutual exclusion (Peterson 1981) holds for any number of switches, so for seven.
#[test]
fn peterson() {
    assert_eq!(run("peterson", 7).outcome(), Outcome::Safe);
}

/// The second thread sets its turn back, the first one goes in (its turn, nobody wants), then the
/// second one wants in and finds the turn its own: turn = false; (switch) turn = true, wants0,
/// assume, inside0; (switch) wants1, assume(turn), inside1, assert. Two switches, nine statements.
/// One switch is too few: a thread that runs through before the other one begins has left.
#[test]
fn peterson_in_the_wrong_order() {
    fails_with("peterson-hasty", 2, 9);
}

/// Dijkstra 1965: the same for Dekker's.
#[test]
fn dekker() {
    assert_eq!(run("dekker", 5).outcome(), Outcome::Safe);
}

/// main reads, the other one does all it does, main writes and compares: call, read; (switch) call,
/// read, write, done; (switch) write, assume, assert.
#[test]
fn lost_update() {
    fails_with("lost-update", 2, 9);
}

/// Each takes its first lock: one switch. main begins: lock(left); lock(right).
#[test]
fn deadlock_by_lock_order() {
    let session = run("lock-order", 2);
    assert_eq!(
        (session.outcome(), session.switches()),
        (Outcome::Unsafe, Some(1)),
        "{:?}",
        session.fault()
    );
    let run = session.failing_run().expect("a run");
    assert!(run.check.is_none());
    assert_eq!(run.length, 2);
    assert_eq!(self::run("lock-order", 0).outcome(), Outcome::Safe);
}

/// main can do nothing before something is in the queue, but it is first: one switch into the
/// producer, which puts one value and looks whether there is room for another; one into the hasty
/// one, which fills the queue; one back, and there are three.
#[test]
fn bounded_queue() {
    let session = run("bounded-queue", 4);
    assert_eq!(
        (session.outcome(), session.switches()),
        (Outcome::Unsafe, Some(3)),
        "{:?}",
        session.fault()
    );
    assert_eq!(run("bounded-queue", 2).outcome(), Outcome::Safe);
}

/// main, other, main, other: step = 1; assume, step = 2; assume, step = 3; assume, assert.
#[test]
fn three_switches() {
    fails_with("three-switches", 3, 7);
}
