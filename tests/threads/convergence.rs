//! "Safe, whatever the number of switches", against an explicit search to a fixpoint: claimed only
//! where it is true, and for most programs where it is.

use crate::analysed;
use crate::explicit::explore;
use crate::support::generate;
use crate::support::load::{example, in_dialect, program_with};
use crate::support::shrink::each;
use faultline::analysis::threads::closed_set::{Closed, ClosedSet, MOST_CONFIGURATIONS};
use faultline::report::threads_report;
use faultline::session::{Budgets, Outcome, SwitchBound, ThreadsMethod, ThreadsOptions};
use faultline::session::{Job, ThreadsSession};
use faultline::util::Limit;
use faultline::wire::options::Dialect;
use faultline::wire::threads::{RaisingEnd, ThreadsReport, ThreadsVerdict};

/// No program here needs as many switches.
const ENDLESS: u32 = 1_000;
const STARTED: usize = 8;

fn asked(switches: SwitchBound) -> ThreadsOptions {
    ThreadsOptions { switches, at: None }
}

fn rising(source: &str, dialect: Dialect) -> ThreadsReport {
    let mut session = analysed(source, dialect, asked(SwitchBound::Rising), Budgets::default());
    threads_report(&mut session)
}

/// The closed set of a program, by itself.
fn closed(source: &str, dialect: Dialect) -> Closed {
    let (program, _) = program_with(source, &in_dialect(dialect));
    grown(ClosedSet::new(&program, None, MOST_CONFIGURATIONS)).0
}

/// The answer of a set, and how many configurations it has.
fn grown(mut set: ClosedSet) -> (Closed, usize) {
    loop {
        match set.answer() {
            Some(answer) => return (answer, set.len()),
            None => set.step(),
        }
    }
}

/// Partial order reduction changes no answer; in C, where a statement is several steps, it makes
/// the sets smaller.
#[test]
fn the_reduction_changes_no_answer() {
    let (mut compared, mut few, mut many) = (0, 0, 0);
    for name in ["tickets-mutex", "race-mutex", "handshake"] {
        let (program, _) =
            program_with(&example(&format!("threads-{name}.c")), &in_dialect(Dialect::C));
        let whole = grown(ClosedSet::unreduced(&program, None, MOST_CONFIGURATIONS));
        let reduced = grown(ClosedSet::new(&program, None, MOST_CONFIGURATIONS));
        let holds = |answer| matches!(answer, Closed::Holds(_));
        assert!(holds(whole.0) && holds(reduced.0), "{name}: {whole:?} {reduced:?}");
        (few, many) = (few + reduced.1, many + whole.1);
    }
    assert!(few * 10 <= many * 8, "{few} of {many}");
    each(0..150, generate::threads, |_, source| {
        let (program, _) = program_with(source, &in_dialect(Dialect::Cimple));
        let whole = grown(ClosedSet::unreduced(&program, None, MOST_CONFIGURATIONS));
        let (answer, count) = grown(ClosedSet::new(&program, None, MOST_CONFIGURATIONS));
        match (whole.0, answer) {
            (Closed::Open(_), _) | (_, Closed::Open(_)) => return,
            (Closed::Holds(_), Closed::Holds(_)) => assert!(count <= whole.1, "{source}"),
            (one, other) => assert_eq!(one, other, "{source}"),
        }
        compared += 1;
    });
    assert!(compared >= 100, "{compared}");
}

#[derive(Default)]
struct Shares {
    explored: u32,
    safe: u32,
    claimed: u32,
    failing: u32,
    found: u32,
}

fn compare(source: &str, shares: &mut Shares) {
    let (program, _) = program_with(source, &in_dialect(Dialect::Cimple));
    let Some(explored) = explore(&program, ENDLESS, STARTED, None) else { return };
    let least = [explored.error, explored.deadlock].into_iter().flatten().map(|found| found.0);
    let report = rising(source, Dialect::Cimple);
    assert_eq!(report.fault, None, "{source}");
    shares.explored += 1;
    match (least.min(), closed(source, Dialect::Cimple)) {
        (None, answer) => {
            shares.safe += 1;
            assert_ne!(report.verdict, ThreadsVerdict::Unsafe, "{source}");
            assert!(!matches!(answer, Closed::Fails(_)), "{source}\n{answer:?}");
            if report.verdict == ThreadsVerdict::Safe {
                shares.claimed += 1;
                assert!(report.converged.is_some() && report.limit.is_none(), "{source}");
                let set = report.proof.and_then(|proof| proof.configurations);
                assert!(set.is_some_and(|count| count > 0), "{source}");
            }
        }
        (Some(switches), answer) => {
            shares.failing += 1;
            assert_ne!(report.verdict, ThreadsVerdict::Safe, "{source}\n{explored:?}");
            assert_eq!(answer, Closed::Fails(switches), "{source}\n{explored:?}");
            if report.verdict == ThreadsVerdict::Unsafe {
                shares.found += 1;
                assert_eq!(report.switches, Some(switches), "{source}");
            }
        }
    }
}

/// Seeds from 2000. The closed set by itself also finds the least number of switches that fails.
#[test]
fn random_programs() {
    let mut shares = Shares::default();
    each(2000..2300, generate::threads, |_, source| compare(source, &mut shares));
    let Shares { explored, safe, claimed, failing, found } = shares;
    let figures = format!(
        "{explored} explored: {safe} safe, {claimed} claimed; {failing} fail, {found} found"
    );
    assert!(explored >= 200 && safe >= 60 && failing >= 60, "{figures}");
    assert!(claimed * 100 >= safe * 60 && found * 100 >= failing * 90, "{figures}");
}

/// A thread that goes down as deep as `turn` lets it, and adds at each return.
fn recursive(guard: &str, work: &str, wait: &str, check: &str) -> String {
    format!(
        "//! bits = 3\n//! globals = zero\nint x;\nint turn;\nbool m;\n\
         void down(int n) {{ if ({guard}) {{ down(n + 1); }} {work} }}\n\
         void main() {{ {wait} {check} }}\nthread one {{ down(0); turn = 1; }}\n\
         thread two {{ down(2); }}\n"
    )
}

/// Programs with recursion: some end, some go down for ever. What they do is known by thought.
#[test]
fn recursion_is_never_claimed_wrongly() {
    let (mut claimed, mut compared) = (0, 0);
    for (guard, is_finite) in [("n < 2", true), ("n != 3", true), ("*", false), ("true", false)] {
        for work in ["x = 1;", "lock(m); x = 1 - x; unlock(m);", "atomic { x = 2; x = 0; }"] {
            for wait in ["", "assume(turn == 1);"] {
                for (check, fails) in [
                    ("assert(x == x);", Some(false)),
                    ("assert(x != 1);", (work != "atomic { x = 2; x = 0; }").then_some(true)),
                    ("assert(x != 2);", Some(false)),
                ] {
                    // Who never returns never writes, and never lets main look.
                    let fails = fails.map(|fails| fails && guard != "true").unwrap_or(false);
                    let source = recursive(guard, work, wait, check);
                    let report = rising(&source, Dialect::Cimple);
                    compared += 1;
                    if fails {
                        assert_ne!(report.verdict, ThreadsVerdict::Safe, "{source}");
                    } else {
                        assert_ne!(report.verdict, ThreadsVerdict::Unsafe, "{source}");
                    }
                    if report.verdict == ThreadsVerdict::Safe {
                        claimed += 1;
                        let by_callers = report.proof.is_some_and(|proof| proof.by_callers);
                        assert_eq!(by_callers, !is_finite, "{source}");
                    } else if !fails {
                        panic!("not claimed\n{source}");
                    }
                }
            }
        }
    }
    assert!(compared == 72 && claimed >= 50, "{claimed} of {compared} claimed");
}

/// The gallery's algorithms, and their cousins with one thing wrong. The least numbers are also
/// those of the closed set, which the explicit search confirms above.
#[test]
fn the_gallery_is_proved_and_its_broken_cousins_fail() {
    for name in [
        "peterson",
        "dekker",
        "szymanski",
        "bakery",
        "ticket-lock",
        "readers",
        "bounded-queue-mended",
    ] {
        let report = rising(&example(&format!("threads-{name}.cimple")), Dialect::Cimple);
        assert_eq!(report.verdict, ThreadsVerdict::Safe, "{name}");
        assert!(report.converged.is_some(), "{name}");
    }
    for (name, switches) in [
        ("peterson-hasty", 2),
        ("szymanski-open", 3),
        ("bakery-hasty", 2),
        ("ticket-lock-torn", 2),
        ("readers-late", 3),
        ("bounded-queue", 3),
    ] {
        let source = example(&format!("threads-{name}.cimple"));
        let report = rising(&source, Dialect::Cimple);
        assert_eq!((report.verdict, report.switches), (ThreadsVerdict::Unsafe, Some(switches)));
        assert_eq!(closed(&source, Dialect::Cimple), Closed::Fails(switches), "{name}");
    }
}

/// A thread that goes round for ever without a step that others see does not hide what they do.
#[test]
fn a_thread_that_never_ends_hides_nothing() {
    let source = "//! bits = 2\n//! globals = zero\nint x;\n\
                  thread one { int i; x = 1; i = 0; while (true) { i = i + 1; } }\n\
                  thread two { assert(x == 0); }\n";
    assert_eq!(closed(source, Dialect::Cimple), Closed::Fails(1));
    let held = source.replace("while (true) { i = i + 1; }", "assume(i == 1);");
    assert_eq!(closed(&held, Dialect::Cimple), Closed::Fails(1));
}

/// A budget that ends the proof leaves the bound, and the report says that it is no proof.
#[test]
fn a_proof_that_is_not_finished_is_no_proof() {
    let source = "//! bits = 16\n//! globals = zero\nint x;\nint y;\n\
                  thread one { while (true) { x = x + 1; } }\nthread two { assert(y == 0); y = x & 0; }\n";
    let budgets = Budgets { max_nodes: 20_000, ..Budgets::default() };
    let mut session = analysed(source, Dialect::Cimple, asked(SwitchBound::Rising), budgets);
    let report = threads_report(&mut session);
    assert_eq!(report.verdict, ThreadsVerdict::NoErrorWithinBound);
    assert_eq!(report.converged, None);
    let proof = report.proof.expect("it was tried");
    assert_eq!((proof.configurations, proof.limit), (None, Some(Limit::Nodes)));
}

/// By interfaces, too, and with a bound that is given once it reaches nothing new.
#[test]
fn both_methods_and_given_bounds() {
    let source = example("threads-peterson.cimple");
    let (program, options) = program_with(&source, &in_dialect(Dialect::Cimple));
    let method = ThreadsMethod::Transducer;
    let rises = asked(SwitchBound::Rising);
    let mut session = ThreadsSession::by(method, program, &options, rises, Budgets::default());
    session.run();
    let report = threads_report(&mut session);
    assert_eq!(
        (report.verdict, report.raised),
        (ThreadsVerdict::Safe, Some(RaisingEnd::NothingNew))
    );
    for (most, expected) in [(8, ThreadsVerdict::Safe), (2, ThreadsVerdict::NoErrorWithinBound)] {
        let bound = asked(SwitchBound::AtMost(most));
        let mut session = analysed(&source, Dialect::Cimple, bound, Budgets::default());
        assert_eq!(session.outcome(), Outcome::Safe);
        assert_eq!(threads_report(&mut session).verdict, expected, "{most}");
    }
}

/// A local of any value needs none where it is written before it is read; elsewhere its value
/// counts.
#[test]
fn a_local_that_is_written_first_needs_no_value() {
    let set = |text: &str| {
        let source = format!(
            "int g;\nthread t {{\n  while (g < 2) {{\n    int v;\n    {text}\n    \
             g = g + 1;\n  }}\n}}\nvoid main() {{ }}\n"
        );
        closed(&format!("//! bits = 32\n//! globals = zero\n{source}"), Dialect::Cimple)
    };
    assert!(matches!(set("v = g; assert(v < 2);"), Closed::Holds(_)));
    assert!(matches!(set("if (g > 0) { v = g; } assert(v < 2);"), Closed::Open(Limit::Steps)));
    assert!(matches!(set("g = g + v; v = 0;"), Closed::Open(Limit::Steps)));
}
