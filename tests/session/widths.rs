//! Which width C's `int` has where nobody gives one: 32 bits, and narrower ones where those exceed
//! a budget. An answer for narrower integers is no answer about C's own.

use crate::support::generate;
use crate::support::load::session_with;
use crate::support::shrink::each;
use faultline::lang::interpreter::replay;
use faultline::lang::load;
use faultline::lang::print::cimple_as_c;
use faultline::report;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::util::{Alarm, Limit};
use faultline::wire::cegar::Decider;
use faultline::wire::options::{Dialect, RequestedOptions};
use faultline::wire::projection::Method;
use faultline::wire::report::{Report, Verdict};
use faultline::wire::widths::AtFullWidth;

/// Products of unknown numbers, which 32 and 16 bits cannot afford within [`small`].
const HEAVY: &str = "a * b == b * a";

fn small() -> Budgets {
    Budgets { max_nodes: 200_000, ..Budgets::default() }
}

fn requested(bits: Option<u32>) -> RequestedOptions {
    RequestedOptions { dialect: Some(Dialect::C), bits, ..RequestedOptions::default() }
}

fn started(source: &str, bits: Option<u32>, budgets: Budgets) -> Session {
    let requested = requested(bits);
    let mut session = session_with(source, &requested);
    session.use_portfolio(&requested);
    session.start(Task::Projection(Method::Functional), budgets);
    session
}

fn run(source: &str, bits: Option<u32>, budgets: Budgets) -> (Session, Report) {
    let mut session = started(source, bits, budgets);
    session.run();
    let report = report::report(&session);
    (session, report)
}

/// Three unknown numbers, and these statements.
fn with_inputs(statements: &str) -> String {
    format!(
        "int nondet(void);\nint main(void) {{\n  int a = nondet(), b = nondet(), c = nondet();\n\
         {statements}\n  return 0;\n}}\n"
    )
}

fn tried(report: &Report) -> Vec<(u32, Verdict)> {
    let widths = report.widths.as_ref().expect("narrower widths were tried");
    widths.tried.iter().map(|tried| (tried.bits, tried.verdict)).collect()
}

const SUM: &str = "#include <assert.h>\nint main(void) {\n  int s = 0;\n  \
                   for (int i = 1; i <= 100; i++) s += i;\n  assert(s > 0);\n  return 0;\n}\n";

#[test]
fn the_sum_of_a_hundred_numbers_is_decided_for_32_bits() {
    let (session, report) = run(SUM, None, Budgets::default());
    assert_eq!(session.outcome(), Outcome::Safe);
    assert_eq!((report.width, report.widths), (Some(32), None));
    let (session, report) = run(SUM, Some(8), Budgets::default());
    assert_eq!(session.outcome(), Outcome::Unsafe, "it wraps");
    assert_eq!((report.width, report.widths), (None, None), "8 bits were asked for");
}

#[test]
fn safe_with_narrow_integers_only_is_unknown() {
    let source = with_inputs(&format!("  assert({HEAVY});"));
    let (session, report) = run(&source, None, small());
    assert_eq!(session.outcome(), Outcome::Unknown(Limit::Nodes));
    assert_eq!((report.verdict, report.limit), (Verdict::Unknown, Some(Limit::Nodes)));
    assert_eq!(
        tried(&report),
        [(32, Verdict::Unknown), (16, Verdict::Unknown), (8, Verdict::Safe)]
    );
    assert_eq!((report.width, report.proof), (Some(8), None));
    assert_eq!((report.shown_verdict(), report.analysed_bits()), (Verdict::Safe, 8));
    assert_eq!(session.program().map(|program| program.int_width), Some(8));
}

#[test]
fn a_failing_run_of_narrow_integers_counts_if_it_fails_with_32_bits() {
    let source = with_inputs(&format!("  if ({HEAVY})\n    assert(c != 5);"));
    let (mut session, report) = run(&source, None, small());
    assert_eq!(session.outcome(), Outcome::Unsafe);
    assert_eq!(report.verdict, Verdict::Unsafe);
    let widths = report.widths.as_ref().expect("narrower widths were tried");
    assert_eq!(widths.at_full, Some(AtFullWidth::Fails));
    assert_eq!((report.width, report.options.bits), (Some(32), 32));
    assert_eq!(report.projection.as_ref().and_then(|projection| projection.bits), Some(8));
    assert_eq!(report.shortest, Some(false));
    let (program, options) = session.answered_program().expect("a program");
    assert_eq!((program.int_width, options.bits), (32, 32));
    let failing = session.failing_run().expect("a run");
    assert!(replay(&program, &failing.run).is_ok());
    assert_eq!(session.program().map(|program| program.int_width), Some(8), "other analyses");
    let origin = report::Origin { file_name: "a.c".into(), creation_time: String::new() };
    let witness = report::witness(&mut session, &origin).expect("a violation");
    assert!(witness.contains("for int of 32 bits"), "{witness}");
}

#[test]
fn other_numbers_along_the_same_statements_count_too() {
    // The only number that equals its own negative, besides 0, is the least one of each width.
    let heavy = format!("    assert({HEAVY});");
    let source = with_inputs(&format!(
        "  if (c == 0) {{\n{heavy}\n  }} else {{\n    assert(-c != c);\n  }}"
    ));
    let source = source.replace("assert(-c != c)", "assert(a != 0 || -c != c)");
    let budgets = small();
    let (session, report) = run(&source, None, budgets);
    // Without the heavy half, 32 bits are within the budget.
    let light = source.replace(HEAVY, "1");
    assert_eq!(run(&light, None, budgets).0.outcome(), Outcome::Unsafe);
    assert_eq!(session.outcome(), Outcome::Unsafe);
    if let Some(widths) = report.widths {
        assert_eq!(widths.at_full, Some(AtFullWidth::Fails));
    }
    let least = report.trace.and_then(|trace| {
        let last = trace.last()?.values.0.clone();
        last.into_iter().find(|(name, _)| name == "c").map(|(_, value)| value.to_string())
    });
    assert_eq!(least.as_deref(), Some("-2147483648"));
}

#[test]
fn a_failing_run_with_large_numbers_is_tried_with_small_ones() {
    let source = "int input(void);\nint main(void) {\n  int a = input();\n  \
                  assert(a * a != 49);\n  return 0;\n}\n";
    let (session, report) = run(source, None, Budgets { max_nodes: 1_500_000, ..small() });
    assert_eq!(session.outcome(), Outcome::Unsafe);
    let widths = report.widths.as_ref().expect("32 bits exceed these nodes");
    assert_eq!(widths.at_full, Some(AtFullWidth::Fails));
    let (program, _) = session.answered_program().expect("a program");
    let failing = session.failing_run().expect("a failing run");
    assert!(replay(&program, &failing.run).is_ok());
    let values = &failing.entries.last().expect("the statement that fails").values;
    let square =
        values.iter().find(|(id, _)| program.variable(*id).name == "a").map(|(id, bits)| {
            let number = program.variable(*id).scalar.number(bits[0]);
            number * number
        });
    assert_eq!(square, Some(49), "7 or -7, and not a number whose square wraps");
}

#[test]
fn a_failing_run_that_does_not_fail_with_32_bits_is_none() {
    let source = with_inputs(&format!(
        "  if (c == 0) {{\n    assert({HEAVY});\n  }} else {{\n    int s = (c & 127) + 100;\n    \
         assert(s > 0);\n  }}"
    ));
    let (session, report) = run(&source, None, small());
    assert_eq!(session.outcome(), Outcome::Unknown(Limit::Nodes));
    let widths = report.widths.as_ref().expect("narrower widths were tried");
    assert_eq!(widths.at_full, Some(AtFullWidth::DoesNotFail));
    assert_eq!((report.width, report.shown_verdict()), (Some(8), Verdict::Unsafe));
    assert!(report.trace.is_some() && report.error.is_some(), "the run with 8 bits is shown");
}

#[test]
fn what_exceeds_a_budget_on_the_path_too_is_not_known() {
    let source = with_inputs(&format!(
        "  if ({HEAVY}) {{\n    int s = (c & 127) + 100;\n    assert(s > 0);\n  }}"
    ));
    let (session, report) = run(&source, None, small());
    assert_eq!(session.outcome(), Outcome::Unknown(Limit::Nodes));
    let widths = report.widths.expect("narrower widths were tried");
    assert_eq!(
        (widths.at_full, widths.at_full_limit),
        (Some(AtFullWidth::Unknown), Some(Limit::Nodes))
    );
}

#[test]
fn widths_that_cannot_hold_a_constant_are_left_out() {
    let source = with_inputs("  assert(a * b * c != 1000003);");
    let (session, report) = run(&source, None, small());
    assert_eq!(session.outcome(), Outcome::Unknown(Limit::Nodes));
    assert_eq!((report.width, report.widths), (Some(32), None));
}

#[test]
fn where_no_width_has_an_answer_32_bits_are_the_session() {
    let source = with_inputs(&format!("  assert({HEAVY});"));
    let (session, report) = run(&source, None, Budgets { max_nodes: 3_000, ..small() });
    assert_eq!(session.outcome(), Outcome::Unknown(Limit::Nodes));
    assert_eq!(tried(&report).len(), 3);
    assert_eq!((report.width, report.options.bits), (Some(32), 32));
    assert_eq!(session.program().map(|program| program.int_width), Some(32));
}

#[test]
fn a_share_of_the_time_ends_one_width_and_a_stop_ends_all() {
    let source = with_inputs(&format!("  assert({HEAVY});"));
    let budgets = Budgets { max_nodes: 1_000_000, ..Budgets::default() };
    let mut session = started(&source, None, budgets);
    let (first, percent) = session.share_of_time();
    assert!(percent < 100);
    session.step();
    session.end_stage(Limit::Time);
    assert_ne!(session.share_of_time().0, first, "another width has begun");
    session.end_stage(Limit::Time);
    session.run();
    let report = report::report(&session);
    assert_eq!(report.verdict, Verdict::Unknown);
    assert_eq!(
        tried(&report),
        [(32, Verdict::Unknown), (16, Verdict::Unknown), (8, Verdict::Safe)]
    );
    let mut session = started(&source, None, budgets);
    session.step();
    session.stop(Limit::Time);
    assert!(session.step(), "it is over");
    assert_eq!(session.outcome(), Outcome::Unknown(Limit::Time));
    assert_eq!(session.options().bits, 32);
}

/// What follows from the end of the time is not another limit.
#[test]
fn where_the_time_is_up_before_the_first_step_the_limit_is_the_time() {
    let source = with_inputs(&format!("  assert({HEAVY});"));
    let mut session = session_with(&source, &requested(None));
    session.use_portfolio(&requested(None));
    session.set_alarm(Alarm::new(|_| Some(Limit::Time)));
    session.start(Task::Check, Budgets::default());
    assert_eq!(session.outcome(), Outcome::Unknown(Limit::Time), "statements are not built");
    for _ in 0..4 {
        session.step();
    }
    session.stop(Limit::Time);
    assert_eq!(session.outcome(), Outcome::Unknown(Limit::Time));
    assert_eq!(session.limit(), Some(Limit::Time));
}

/// A lock around sums of unknown numbers: what is true of all of them exceeds [`small`], and what
/// the lock needs does not. `last` may spoil it.
fn locked_sums(last: &str) -> String {
    format!(
        "#include <assert.h>\nint nondet(void);\nint a, b, c, d, e, f, g, h, locked;\n\
         void mix(void) {{\n  int t = a; a = b + c; b = c + d; c = d + t;\n  \
         d = t + e; e = f + g; f = g + h; g = h + a; h = t + b;\n}}\n\
         int main(void) {{\n  a = nondet(); b = nondet(); c = nondet(); d = nondet();\n  \
         e = nondet(); f = nondet(); g = nondet(); h = nondet();\n  while (nondet()) {{\n    \
         assert(locked == 0);\n    locked = 1;\n    mix();\n    if (a + b > c + d) mix();\n    \
         assert(locked == 1);\n    locked = 0;\n    {last}\n  }}\n  return 0;\n}}\n"
    )
}

#[test]
fn refinement_decides_what_saturation_cannot_afford() {
    let (session, report) = run(&locked_sums(""), None, small());
    assert_eq!((session.outcome(), report.limit, session.fault()), (Outcome::Safe, None, None));
    assert_eq!((report.width, &report.widths), (Some(32), &None));
    let refined = report.refined.expect("refinement decided");
    assert!(refined.rounds > 1 && refined.decided.is_some(), "{refined:?}");
    assert!(report.proof.is_some_and(|proof| proof.checked));
    // Of a given width too, without narrower ones.
    let (given, report) = run(&locked_sums(""), Some(32), small());
    assert_eq!((given.outcome(), report.width, report.widths), (Outcome::Safe, None, None));
    assert!(report.refined.is_some_and(|refined| refined.decided.is_some()));
    // Saturation alone hits the limit.
    let mut alone = session_with(&locked_sums(""), &requested(Some(32)));
    alone.start(Task::Check, small());
    alone.run();
    assert_eq!(alone.outcome(), Outcome::Unknown(Limit::Nodes));
    assert_eq!(report::report(&alone).refined, None);
}

/// Messages are counted for ever; never are more than two on their way. `most` may be wrong.
fn messages_on_their_way(most: &str) -> String {
    format!(
        "#include <assert.h>\nint nondet(void);\nint sent, taken;\n\
         void send(void) {{ if (sent == taken || sent == taken + 1) sent++; }}\n\
         void take(void) {{ if (taken != sent) taken++; }}\n\
         int main(void) {{\n  while (nondet()) {{\n    if (nondet()) send(); else take();\n    \
         assert(sent == taken || sent == taken + 1{most});\n  }}\n  return 0;\n}}\n"
    )
}

#[test]
fn distances_decide_what_counts_for_ever() {
    let budgets = Budgets { max_steps: 300_000, ..Budgets::default() };
    let right = messages_on_their_way(" || sent == taken + 2");
    let (session, report) = run(&right, None, budgets);
    assert_eq!((session.outcome(), session.fault(), report.width), (Outcome::Safe, None, Some(32)));
    let decided = report.refined.and_then(|refined| refined.decided).expect("a decision");
    assert_eq!((decided.by, decided.followed), (Decider::Distances, 2));
    assert!(report.proof.is_some_and(|proof| proof.checked));
    let mut alone = session_with(&right, &requested(Some(32)));
    alone.start(Task::Check, budgets);
    alone.run();
    assert_eq!(alone.outcome(), Outcome::Unknown(Limit::Steps));
    // The shown run is one of the program itself.
    let (session, report) = run(&messages_on_their_way(""), None, budgets);
    assert_eq!(session.outcome(), Outcome::Unsafe);
    assert_eq!(report.error.as_ref().map(|error| error.line), Some(9));
}

#[test]
fn a_given_width_that_nothing_decides_is_unknown() {
    let product = "int nondet(void); int a, b, c;\nint main(void) { a = nondet(); b = nondet(); c = nondet(); if (a \
                   * b * c == 31013) b = 0; assert(a * b * c != 31013); return 0; }\n";
    let budgets = Budgets { max_nodes: 20_000, max_steps: 1_000_000, ..Budgets::default() };
    let (session, report) = run(product, Some(16), budgets);
    assert!(matches!(session.outcome(), Outcome::Unknown(_)), "{:?}", session.outcome());
    assert!(report.limit.is_some());
    assert_eq!((report.width, report.widths, report.refined), (None, None, None));
}

#[test]
fn refinement_shows_a_failing_run_that_was_replayed() {
    let source = locked_sums("if (nondet()) locked = 2;");
    let (session, report) = run(&source, None, small());
    assert_eq!((session.outcome(), report.width), (Outcome::Unsafe, Some(32)));
    assert!(report.refined.is_some_and(|refined| refined.decided.is_some()));
    assert_eq!(report.error.as_ref().map(|error| error.line), Some(12));
    assert_eq!((report.shortest, &report.projection), (Some(false), &None));
    assert_eq!(report.limit, Some(Limit::Nodes), "there is no projection");
    let (program, _) = session.answered_program().expect("a program");
    assert!(replay(&program, &session.failing_run().expect("a run").run).is_ok());
    // A check has nothing left to find.
    let mut check = session_with(&source, &requested(None));
    check.use_portfolio(&requested(None));
    check.start(Task::Check, small());
    check.run();
    assert_eq!((check.outcome(), check.limit()), (Outcome::Unsafe, None));
}

#[test]
fn refinement_widens_an_answer_for_narrower_integers() {
    let three = "#include <assert.h>\nint nondet(void);\nint a, b, c, locked;\n\
                 void mix(void) { int t = a; a = b + c; b = c + t; c = a + t; }\n\
                 int main(void) {\n  a = nondet(); b = nondet(); c = nondet();\n  \
                 while (nondet()) {\n    assert(locked == 0);\n    locked = 1;\n    mix();\n    \
                 if (a + b > c) mix();\n    assert(locked == 1);\n    locked = 0;\n  }\n  \
                 return 0;\n}\n";
    let budgets = Budgets { max_nodes: 20_000, ..Budgets::default() };
    let mut session = started(three, None, budgets);
    while !session.widens() {
        assert!(!session.step(), "a narrower width has an answer first");
    }
    let narrow = report::report(&session);
    let widths = narrow.widths.as_ref().expect("narrower widths were tried");
    assert!(widths.goes_on);
    assert_eq!(widths.answered().map(|answered| answered.verdict), Some(Verdict::Safe));
    assert_eq!(narrow.verdict, Verdict::Unknown);
    session.run();
    let wide = report::report(&session);
    assert_eq!((wide.verdict, wide.width), (Verdict::Safe, Some(32)));
    assert!(wide.widths.is_none() && wide.refined.is_some());
    // Stopped on the way, the answer for narrower integers stays.
    let mut stopped = started(three, None, budgets);
    while !stopped.widens() {
        assert!(!stopped.step(), "a narrower width has an answer first");
    }
    stopped.stop(Limit::Time);
    let report = report::report(&stopped);
    let widths = report.widths.as_ref().expect("narrower widths were tried");
    assert!(!widths.goes_on && report.refined.is_none());
    assert_eq!(widths.answered().map(|answered| answered.verdict), Some(Verdict::Safe));
}

/// What random programs have to say: how many failing runs were confirmed, refuted, left open.
#[derive(Default)]
struct Counts {
    fails: u32,
    does_not: u32,
    unknown: u32,
    safe: u32,
}

#[test]
fn random_programs_agree_with_their_own_answers_for_32_bits() {
    let mut counts = Counts::default();
    each(0..90, generate::sequential, |_, source| {
        let Some(c) = cimple_as_c(source) else { return };
        let c: String = c
            .lines()
            .filter(|line| !line.contains("bits ="))
            .fold(String::new(), |text, line| text + line + "\n");
        let checks = |bits| {
            let loaded = load(&c, &requested(bits));
            loaded.program.is_some().then_some(())
        };
        if checks(None).is_none() || checks(Some(8)).is_none() {
            return;
        }
        let most = Budgets { max_nodes: 1_000_000, max_steps: 2_000_000, ..Budgets::default() };
        let (truth, _) = run(&c, Some(32), most);
        let (narrow, _) = run(&c, Some(8), most);
        let (wide_steps, narrow_steps) = (truth.statistics().1, narrow.statistics().1);
        if narrow_steps + 100 >= wide_steps {
            return;
        }
        // 32 bits run out of steps, and 8 bits do not.
        let tight = most.with_steps(narrow_steps + 50);
        let (session, report) = run(&c, None, tight);
        let Some(widths) = report.widths else { return };
        match (widths.answered().map(|answered| answered.verdict), widths.at_full) {
            (Some(Verdict::Safe), _) => counts.safe += 1,
            (_, Some(AtFullWidth::Fails)) => {
                counts.fails += 1;
                let program = load(&c, &requested(Some(32))).program.expect("it was loaded");
                let failing = session.failing_run().expect("a run");
                assert!(replay(&program, &failing.run).is_ok(), "{c}");
                assert_eq!(session.outcome(), Outcome::Unsafe);
                assert_ne!(truth.outcome(), Outcome::Safe, "{c}");
            }
            (_, Some(AtFullWidth::DoesNotFail)) => counts.does_not += 1,
            (_, Some(AtFullWidth::Unknown)) => counts.unknown += 1,
            _ => return,
        }
        if report.verdict != Verdict::Unsafe {
            assert!(matches!(session.outcome(), Outcome::Unknown(_)), "{c}");
        }
    });
    let Counts { fails, does_not, unknown, safe } = counts;
    assert!(fails >= 10 && safe >= 5, "{fails} {does_not} {unknown} {safe}");
}
