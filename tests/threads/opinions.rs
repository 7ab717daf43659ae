//! Three opinions on the least number of switches: Qadeer and Rehof's tree, interfaces, and
//! sequential programs (see `sequential`). The third shares post\* and the weights of statements
//! with the others, but nothing that knows of threads; up to two switches it is made in two ways.

use crate::sequential::{Schedule, fails, guess_and_check, kiss, schedules};
use crate::support::generate;
use crate::support::load::{in_dialect, program_with};
use crate::support::shrink::each;
use faultline::lang::model::Program;
use faultline::session::{
    Budgets, Job, Outcome, SwitchBound, ThreadsMethod, ThreadsOptions, ThreadsSession,
};
use faultline::wire::options::Dialect;
use std::rc::Rc;

/// The least number of switches by sequential programs, up to a bound.
fn least_of(
    program: &Program,
    line: Option<u32>,
    most: u32,
    made: fn(&Program, &Schedule) -> Program,
) -> Option<u32> {
    (0..=most).find(|switches| {
        schedules(program, *switches).iter().any(|schedule| fails(made(program, schedule), line))
    })
}

/// What the opinions came to.
#[derive(Default)]
struct Shares {
    compared: u32,
    need: [u32; 4],
    only_deadlocks: u32,
}

fn example(name: &str) -> String {
    crate::support::load::example(&format!("threads-{name}.cimple"))
}

fn compare(source: &str, most: u32, shares: &mut Shares) -> Option<u32> {
    let (program, options) = program_with(source, &in_dialect(Dialect::Cimple));
    let by = |method: ThreadsMethod| {
        let asked = ThreadsOptions { switches: SwitchBound::AtMost(most), at: None };
        let mut session =
            ThreadsSession::by(method, Rc::clone(&program), &options, asked, Budgets::default());
        session.run();
        assert_eq!(session.fault(), None, "{source}");
        session
    };
    let (tree, interfaces) = (by(ThreadsMethod::QadeerRehof), by(ThreadsMethod::Transducer));
    assert_eq!(
        (tree.outcome(), tree.switches()),
        (interfaces.outcome(), interfaces.switches()),
        "{source}"
    );
    assert!(matches!(tree.outcome(), Outcome::Safe | Outcome::Unsafe), "{source}");
    let line = options.error;
    if let Some(run) = tree.failing_run().filter(|run| run.check.is_none()) {
        // An error may need as many switches as the deadlock that was reported, or more; not fewer.
        shares.only_deadlocks += 1;
        let fewer = run.replay.switches.checked_sub(1);
        let found = fewer.and_then(|fewer| least_of(&program, line, fewer, guess_and_check));
        assert_eq!(
            found, None,
            "before the deadlock with {} switches\n{source}",
            run.replay.switches
        );
        return None;
    }
    let least = least_of(&program, line, most, guess_and_check);
    assert_eq!(least, tree.switches(), "guessed and checked\n{source}");
    let nested = least_of(&program, line, most.min(2), kiss);
    assert_eq!(nested, least.filter(|switches| *switches <= 2), "called and unwound\n{source}");
    shares.compared += 1;
    if let Some(least) = least {
        shares.need[least as usize] += 1;
    }
    least
}

/// The programs of the explicit search's comparison.
#[test]
fn sequential_programs_agree_on_random_programs() {
    let mut shares = Shares::default();
    each(0..420, generate::threads, |_, source| {
        compare(source, 3, &mut shares);
    });
    let Shares { compared, need, only_deadlocks } = shares;
    let figures = format!(
        "{compared} compared; by least switches {need:?}; {only_deadlocks} with a deadlock at most, left out"
    );
    assert!(
        compared >= 400 && only_deadlocks > 0 && need.iter().all(|count| *count > 0),
        "{figures}"
    );
    assert!(need[1..].iter().sum::<u32>() * 100 >= compared * 25, "{figures}");
}

/// The gallery's, with the numbers of `golden`, which are worked out there by hand. In Fig. 4 with
/// two copies the other one must set x when main has called bar, and main then look: two switches.
#[test]
fn sequential_programs_agree_on_the_gallery() {
    let mut shares = Shares::default();
    for (name, most, expected) in [
        ("bounded-queue", 3, Some(3)),
        ("dekker", 3, None),
        ("figure-4", 3, Some(2)),
        ("lost-update", 3, Some(2)),
        ("peterson", 3, None),
        ("peterson-hasty", 3, Some(2)),
        ("three-switches", 3, Some(3)),
    ] {
        assert_eq!(compare(&example(name), most, &mut shares), expected, "{name}");
    }
    // Its only error is a deadlock.
    assert_eq!(compare(&example("lock-order"), 3, &mut shares), None);
    assert_eq!((shares.compared, shares.only_deadlocks), (7, 1));
}

/// Fig. 1's queue: 28 bits of globals are too many to be guessed at each switch, so only as a
/// program without guesses. The same with the printed - cnt for + cnt fails without a switch.
#[test]
fn the_queue_of_figure_1_without_guesses() {
    let source = example("figure-1");
    let (program, options) = program_with(&source, &in_dialect(Dialect::Cimple));
    assert_eq!(least_of(&program, options.error, 2, kiss), None);
    let printed = source.replace("hd - tl + cnt", "hd - tl - cnt");
    assert_ne!(printed, source);
    let (program, options) = program_with(&printed, &in_dialect(Dialect::Cimple));
    assert_eq!(least_of(&program, options.error, 2, kiss), Some(0));
}
