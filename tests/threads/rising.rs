//! A bound that rises by itself: it finds the least number of switches, it answers as a fixed bound
//! does, and it says why it ends.

use crate::analysed;
use crate::explicit::explore;
use crate::support::generate;
use crate::support::load::{example, in_dialect, program_with};
use crate::support::shrink::each;
use faultline::report::threads_report;
use faultline::session::{
    Budgets, Job, Outcome, SwitchBound, ThreadsMethod, ThreadsOptions, ThreadsSession,
};
use faultline::util::{Limit, Progress, Stage};
use faultline::wire::options::Dialect;
use faultline::wire::threads::{MOST_SWITCHES, RaisingEnd, ThreadsReport, ThreadsVerdict};

/// So many switches are compared.
const BOUND: u32 = 4;

/// Two threads that add one, and main, which waits for both and looks.
const DEPOSITS: &str = "//! bits = 4\n#include <pthread.h>\n#include <assert.h>\nint balance = 0;\nvoid *deposit(void *arg) {\n  \
                        balance++;\n  return 0;\n}\nint main(void) {\n  pthread_t a, b;\n  \
                        pthread_create(&a, 0, deposit, 0);\n  pthread_create(&b, 0, deposit, 0);\n  \
                        pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert(balance == 2);\n  return 0;\n}\n";

/// Two threads over many values of the globals: each switch reaches new stacks. One goes down as
/// deep as it likes, with more values than are tried, so that no set of configurations is closed.
const WIDE: &str = "//! bits = 6\nint x;\nbool p, q, m;\nbool helper(int i) { q = !true; }\n\
                    void deep() { int v[3]; if (v[0] == v[1] + v[2]) { deep(); } }\n\
                    void main() { q = !!p; p = true; }\nthread one { bool flag; flag = helper(x); }\n\
                    thread two { helper(1); deep(); }\n";

fn asked(switches: SwitchBound) -> ThreadsOptions {
    ThreadsOptions { switches, at: None }
}

fn rising(source: &str, dialect: Dialect) -> ThreadsSession {
    analysed(source, dialect, asked(SwitchBound::Rising), Budgets::default())
}

fn report(session: &mut ThreadsSession) -> ThreadsReport {
    threads_report(session)
}

/// main starts both and waits: (switch) one reads; (switch) the other reads and writes; (switch)
/// one writes; (switch) main looks. Three contexts of the two threads lie between two of main, so
/// fewer switches are not enough.
#[test]
fn the_lost_update_of_two_deposits_needs_four_switches() {
    let mut session = rising(DEPOSITS, Dialect::C);
    assert_eq!((session.outcome(), session.switches()), (Outcome::Unsafe, Some(4)));
    let report = report(&mut session);
    assert_eq!((report.bound, report.raised), (4, Some(RaisingEnd::Failure)));
    assert_eq!((report.no_error_up_to, report.limit), (Some(3), None));
    let names: Vec<&str> = report.threads.iter().map(|thread| thread.name.as_str()).collect();
    assert_eq!(names, ["main", "deposit 1", "deposit 2"]);
    let fewer = analysed(DEPOSITS, Dialect::C, asked(SwitchBound::AtMost(3)), Budgets::default());
    assert_eq!(fewer.outcome(), Outcome::Safe);
}

/// The answer of the bound that rises, as that of a fixed one; and what it says of more switches.
#[derive(Default)]
struct Shares {
    failing: u32,
    need_a_switch: u32,
    exhausted: u32,
    explored: u32,
}

fn compare(source: &str, shares: &mut Shares) {
    let fixed =
        analysed(source, Dialect::Cimple, asked(SwitchBound::AtMost(BOUND)), Budgets::default());
    let rising = rising(source, Dialect::Cimple);
    let least = rising.switches();
    let known = rising.decided().expect("one bound at least is decided");
    if let Some(switches) = least.filter(|switches| *switches <= BOUND) {
        assert_eq!((fixed.outcome(), fixed.switches()), (Outcome::Unsafe, least), "{source}");
        let lengths = [&fixed, &rising].map(|one| one.failing_run().map(|run| run.length));
        assert_eq!(lengths[0], lengths[1], "{source}");
        shares.failing += 1;
        shares.need_a_switch += u32::from(switches > 0);
        return;
    }
    assert_eq!(fixed.outcome(), Outcome::Safe, "{source}\n{:?}", rising.fault());
    if rising.raised() != Some(RaisingEnd::NothingNew) {
        assert!(least.is_some() || known > BOUND, "{source}");
        return;
    }
    let known = known.max(rising.converged().unwrap_or(0));
    shares.exhausted += 1;
    // More switches than every thread has statements change nothing.
    let (program, _) = program_with(source, &in_dialect(Dialect::Cimple));
    if let Some(explored) = explore(&program, 3 * known + 10, MOST_SWITCHES as usize, None) {
        assert_eq!((explored.error, explored.deadlock), (None, None), "{source}");
        shares.explored += 1;
    }
}

#[test]
fn it_answers_as_a_fixed_bound_does_and_says_rightly_that_nothing_new_is_reached() {
    let mut shares = Shares::default();
    each(0..160, generate::threads, |_, source| compare(source, &mut shares));
    let Shares { failing, need_a_switch, exhausted, explored } = shares;
    let figures = format!(
        "{failing} fail, {need_a_switch} of them with a switch; {exhausted} reach nothing new, {explored} explored"
    );
    assert!(need_a_switch >= 30 && exhausted >= 10 && explored >= 3, "{figures}");
}

/// Mutual exclusion holds for any number of switches (Peterson 1981, Dijkstra 1965).
#[test]
fn mutual_exclusion_is_decided_for_any_number() {
    for name in ["peterson", "dekker"] {
        let source = example(&format!("threads-{name}.cimple"));
        let mut session = rising(&source, Dialect::Cimple);
        let report = report(&mut session);
        assert_eq!(report.verdict, ThreadsVerdict::Safe, "{name}");
        assert_eq!(report.raised, Some(RaisingEnd::NothingNew), "{name}: {}", report.bound);
        assert_eq!(
            report.converged,
            Some(report.bound),
            "{name}: the tree grew until nothing came"
        );
    }
}

fn wide() -> ThreadsSession {
    let (program, options) = program_with(WIDE, &in_dialect(Dialect::Cimple));
    ThreadsSession::new(program, &options, asked(SwitchBound::Rising), Budgets::default())
}

/// The time that the driver gives for the raising is over at once: the bound still comes to what is
/// usual, and the last one that is decided stands.
#[test]
fn the_end_of_its_time_ends_the_raising() {
    let mut session = wide();
    session.step();
    session.end_stage(Limit::Time);
    session.run();
    let report = report(&mut session);
    assert_eq!(report.verdict, ThreadsVerdict::NoErrorWithinBound);
    assert_eq!((report.raised, report.limit), (Some(RaisingEnd::Limit), Some(Limit::Time)));
    assert!((2..MOST_SWITCHES).contains(&report.bound), "{}", report.bound);
    assert_eq!(report.no_error_up_to, Some(report.bound));
    assert_eq!(report.reachable.len() as u32, report.bound + 1, "only what is decided");
    assert!(report.tree.iter().all(|node| node.context <= report.bound));
}

/// A Stop, too, leaves the last bound that is decided; before there is one nothing is known.
#[test]
fn a_stop_leaves_the_last_bound() {
    let mut session = wide();
    session.stop(Limit::Time);
    assert_eq!(session.outcome(), Outcome::Unknown(Limit::Time));
    let mut session = wide();
    while session.no_error_up_to() < Some(1) {
        assert!(!session.step(), "it goes on");
    }
    let Progress { stage, items, .. } = session.progress();
    assert_eq!((stage, items), (Stage::Threads, 2));
    session.stop(Limit::Time);
    assert_eq!((session.outcome(), session.decided()), (Outcome::Safe, Some(1)));
    assert_eq!(session.raised(), Some(RaisingEnd::Limit));
}

/// A budget that runs out while the bound rises leaves the last bound.
#[test]
fn a_budget_ends_the_raising() {
    let few = Budgets { max_steps: 100_000, ..Budgets::default() };
    let session = analysed(WIDE, Dialect::Cimple, asked(SwitchBound::Rising), few);
    assert_eq!((session.outcome(), session.limit()), (Outcome::Safe, Some(Limit::Steps)));
    assert_eq!(session.raised(), Some(RaisingEnd::Limit));
}

/// By interfaces the bound rises, too.
#[test]
fn interfaces_rise() {
    for (source, dialect, least) in [
        (example("threads-three-switches.cimple"), Dialect::Cimple, 3),
        (DEPOSITS.to_string(), Dialect::C, 4),
    ] {
        let (program, options) = program_with(&source, &in_dialect(dialect));
        let (method, asked) = (ThreadsMethod::Transducer, asked(SwitchBound::Rising));
        let mut session = ThreadsSession::by(method, program, &options, asked, Budgets::default());
        session.run();
        assert_eq!((session.outcome(), session.switches()), (Outcome::Unsafe, Some(least)));
    }
}
