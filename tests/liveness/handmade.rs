//! Programs whose answers are known by thought.

use crate::{answer, answer_of, load};
use faultline::analysis::liveness::parser::parse;
use faultline::analysis::liveness::violating::missing;
use faultline::lang::model::Program;
use faultline::session::liveness::{Verdict, Violating};
use faultline::session::{Budgets, Job, LivenessQuestion, LivenessRefusal, LivenessSession};
use faultline::util::Limit;
use faultline::wire::liveness::{LassoEnding, LivenessReport, LivenessVerdict};

fn formula(source: &str, text: &str) -> LivenessReport {
    let report = answer(source, &LivenessQuestion::Formula(text.to_string()), Budgets::default());
    assert_eq!(report.fault, None, "{text}\n{source}");
    report
}

fn terminates(source: &str) -> LivenessReport {
    let report = answer(source, &LivenessQuestion::Termination, Budgets::default());
    assert_eq!(report.fault, None, "{source}");
    report
}

/// Holds, with its ranking checked.
fn holds(report: &LivenessReport) {
    assert_eq!(report.verdict, LivenessVerdict::Holds, "{report:?}");
    assert!(report.proof.is_some_and(|proof| proof.checked), "{report:?}");
}

fn violated(report: &LivenessReport) -> &faultline::wire::liveness::LassoReport {
    assert_eq!(report.verdict, LivenessVerdict::Violated, "{report:?}");
    report.lasso.as_ref().unwrap()
}

const LOCK: &str = "\
//! globals = zero
bool lock;
void main() {
  while (true) {
    lock = true;
    if (*) {
      lock = false;
    }
  }
}
";

#[test]
fn a_lock_that_is_never_given_back() {
    let report = formula(LOCK, "G (lock -> F !lock)");
    let lasso = violated(&report);
    assert_eq!(lasso.ends, LassoEnding::Cycle);
    assert!(!lasso.cycle.is_empty() && lasso.grows.is_empty());
    assert!(lasso.cycle.iter().all(|entry| entry.line != 7));
    let mended = LOCK.replace("if (*) {", "if (lock) {");
    holds(&formula(&mended, "G (lock -> F !lock)"));
    holds(&formula(LOCK, "G F lock"));
}

#[test]
fn a_choice_that_is_fair_gives_the_lock_back() {
    let fair = |source: &str, question: &LivenessQuestion| {
        answer_of(source, question, true, Budgets::default())
    };
    let given_back = LivenessQuestion::Formula("G (lock -> F !lock)".to_string());
    let report = fair(LOCK, &given_back);
    assert!(report.fair);
    holds(&report);
    // The lock is kept for ever on a run that goes on making its choice both ways.
    let kept = LOCK.replace("lock = false", "skip");
    let lasso = violated(&fair(&kept, &given_back)).clone();
    let ways = lasso.cycle.iter().filter(|entry| entry.line == 5).count();
    assert!(ways >= 2, "{lasso:?}");
    // A loop that tosses a coin ends; one that tosses two coins and needs both may not.
    let coin = "void main() {\n  while (*) {\n    skip;\n  }\n}\n";
    violated(&terminates(coin));
    holds(&fair(coin, &LivenessQuestion::Termination));
    let both = "//! globals = zero\nbool a;\nbool b;\nvoid main() {\n  while (!a || !b) {\n    \
                if (*) {\n      a = true;\n      b = false;\n    } else {\n      a = false;\n      \
                b = true;\n    }\n  }\n}\n";
    violated(&fair(both, &LivenessQuestion::Termination));
    // What a program does not choose is no choice: a condition over its variables.
    let endless =
        "bool x;\nvoid main() {\n  while (true) {\n    if (x) {\n      skip;\n    }\n  }\n}\n";
    violated(&fair(endless, &LivenessQuestion::Formula("G F x".to_string())));
}

#[test]
fn choices_of_the_languages() {
    use faultline::analysis::liveness::fairness::choices;
    for (source, count) in [
        ("void main() {\n  while (*) {\n    skip;\n  }\n}\n", 1),
        ("int nondet(void);\nint main(void) {\n  while (nondet()) {}\n  return 0;\n}\n", 1),
        ("int x;\nvoid main() {\n  if (x > 0) {\n    skip;\n  }\n}\n", 0),
        ("decl x;\nvoid main() begin\n  if (*) then\n    x := 1;\n  fi\n  return;\nend\n", 1),
    ] {
        assert_eq!(choices(&load(source).0).len(), count, "{source}");
    }
}

#[test]
fn euclid_ends() {
    let source = "\
//! bits = 4
unsigned int gcd(unsigned int a, unsigned int b) {
  if (b == 0) {
    return a;
  }
  return gcd(b, a % b);
}
void main() {
  unsigned int x;
  unsigned int y;
  x = gcd(x, y);
}
";
    holds(&terminates(source));
    holds(&formula(source, "F leave(main)"));
    let wrong = source.replace("gcd(b, a % b)", "gcd(a, b)");
    let report = terminates(&wrong);
    let lasso = violated(&report);
    assert_eq!(lasso.grows.len(), 1);
    assert_eq!((lasso.grows[0].procedure.as_str(), lasso.grows[0].line), ("gcd", 6));
}

#[test]
fn a_loop_that_counts_down_ends() {
    let source =
        "//! bits = 6\nunsigned int x;\nvoid main() {\n  while (x > 0) {\n    x = x - 1;\n  }\n}\n";
    holds(&terminates(source));
    holds(&formula(source, "F x == 0"));
    holds(&formula(source, "F G x == 0"));
    let by_two = source.replace("x = x - 1", "x = x - 2");
    let report = terminates(&by_two);
    assert_eq!(violated(&report).ends, LassoEnding::Cycle);
}

#[test]
fn a_run_that_ends_stays_in_its_last_state() {
    let source = "//! globals = zero\nint x;\nvoid main() {\n  x = 1;\n  x = 2;\n}\n";
    holds(&formula(source, "F G x == 2"));
    holds(&formula(source, "X X G leave(main)"));
    let report = formula(source, "G F x == 1");
    let lasso = violated(&report);
    assert_eq!(lasso.ends, LassoEnding::End);
    assert!(lasso.cycle.is_empty());
    assert_eq!(lasso.prefix.len(), 2);
}

#[test]
fn a_run_that_fails_stays_there() {
    let source =
        "//! globals = zero\nint x;\nvoid main() {\n  x = *;\n  assert(x != 3);\n  x = 5;\n}\n";
    let report = formula(source, "F x == 5");
    let lasso = violated(&report);
    assert_eq!(lasso.ends, LassoEnding::Failure);
    assert_eq!(lasso.prefix.last().unwrap().line, 5);
    holds(&formula(source, "F (x == 5 || fails)"));
    assert_eq!(violated(&formula(source, "G !at(6)")).ends, LassoEnding::End);
    assert_eq!(violated(&formula(source, "G !fails")).ends, LassoEnding::Failure);
}

#[test]
fn exit_ends_a_run_and_an_assumption_blocks_it() {
    let c = "//! bits = 4\n#include <stdlib.h>\nint x;\nint main(void) {\n  x = 1;\n  exit(0);\n  x = 2;\n}\n";
    holds(&terminates(c));
    holds(&formula(c, "F G x == 1"));
    assert_eq!(violated(&formula(c, "F x == 2")).ends, LassoEnding::Exit);
    let blocked =
        "//! globals = zero\nint x;\nvoid main() {\n  x = 1;\n  assume(x == 0);\n  x = 2;\n}\n";
    holds(&formula(blocked, "F x == 2"));
    holds(&formula(blocked, "false"));
}

#[test]
fn recursion_without_end_makes_the_stack_grow() {
    let source =
        "//! globals = zero\nbool b;\nvoid f() {\n  b = !b;\n  f();\n}\nvoid main() {\n  f();\n}\n";
    let report = terminates(source);
    assert!(!violated(&report).grows.is_empty());
    let report = formula(source, "F G b");
    assert!(!violated(&report).grows.is_empty());
    holds(&formula(source, "G F b"));
    holds(&formula(source, "G !leave(f)"));
}

#[test]
fn what_a_call_passes_counts() {
    // Only inside f does x become 1.
    let source = "//! globals = zero\nint x;\nvoid f() {\n  x = 1;\n  x = 0;\n}\nvoid main() {\n  while (true) {\n    f();\n  }\n}\n";
    holds(&formula(source, "G F x == 1"));
    violated(&formula(source, "F G x == 0"));
    holds(&formula(source, "G (enter(f) -> F leave(f))"));
    holds(&formula(source, "G F inside(f: x == 1)"));
}

#[test]
fn labels_and_mistakes() {
    let source =
        "int x;\nvoid main() {\n  again: x = 1;\n  if (x == 1) {\n    goto again;\n  }\n}\n";
    let (program, _) = load(source);
    fn wrong_in<'t>(program: &Program, source: &str, text: &'t str) -> (String, &'t str) {
        let error = parse(program, source, text).unwrap_err();
        (error.message, &text[error.start..error.end])
    }
    let wrong = |text: &'static str| wrong_in(&program, source, text);
    assert!(parse(&program, source, "G F at(again)").is_ok());
    assert_eq!(wrong("G F at(nowhere)").0, "there is no label `nowhere`");
    assert_eq!(wrong("G F at(99)").0, "no statement begins in line 99");
    assert_eq!(wrong("G (z == 1)"), ("there is no variable `z`".to_string(), "z"));
    assert_eq!(wrong("G (x == ").0, "expected a condition, but the formula ends here");
    assert_eq!(wrong("x U").0, "expected a condition, but the formula ends here");
    assert_eq!(wrong("enter(f)").0, "there is no procedure `f`");
    assert_eq!(wrong("x x").0, "expected an operator or the end of the formula, found `x`");
    assert_eq!(wrong("inside(main: F x)").0, "`F` speaks of other states; `inside` is about one");
    assert_eq!(wrong("G x # 1"), ("`#` is no part of a formula".to_string(), "#"));
    violated(&formula(source, "F G !at(again)"));
    holds(&formula(source, "G F at(again)"));
}

#[test]
fn threads_and_a_called_start_are_refused() {
    let refused = |source: &str, text: &str| {
        let (program, options) = load(source);
        let question = LivenessQuestion::Formula(text.to_string());
        let made = LivenessSession::new(
            program,
            source,
            &options,
            &question,
            false,
            Budgets::default(),
            None,
        );
        made.err().unwrap()
    };
    let threads = "int a;\nvoid main() {\n a = 2;\n}\nthread other {\n a = 1;\n}\n";
    assert_eq!(refused(threads, "G a == 2"), LivenessRefusal::Threads);
    let called = "int a;\nvoid main() {\n  if (a > 0) {\n    main();\n  }\n}\n";
    assert_eq!(refused(called, "G a == 2"), LivenessRefusal::CalledMain);
}

#[test]
fn budgets_end_in_unknown() {
    let source = "//! bits = 12\nunsigned int x;\nvoid main() {\n  while (x > 0) {\n    x = x - 1;\n  }\n}\n";
    let small = Budgets { max_steps: 20_000, ..Budgets::default() };
    let report = answer(source, &LivenessQuestion::Termination, small);
    assert_eq!(report.verdict, LivenessVerdict::Unknown);
    assert!(report.limit.is_some());
}

#[test]
fn collecting_after_every_step_changes_nothing() {
    let budgets = Budgets { collect_every_step: true, ..Budgets::default() };
    for (text, verdict) in
        [("G (lock -> F !lock)", LivenessVerdict::Violated), ("G F lock", LivenessVerdict::Holds)]
    {
        let report = answer(LOCK, &LivenessQuestion::Formula(text.to_string()), budgets);
        assert_eq!(report.statements, formula(LOCK, text).statements, "{text}");
        assert_eq!((report.verdict, report.fault), (verdict, None), "{text}");
    }
}

/// The analysis of a formula, not begun.
fn session(source: &str, text: &str) -> LivenessSession {
    let (program, options) = load(source);
    let question = LivenessQuestion::Formula(text.to_string());
    let budgets = Budgets::default();
    LivenessSession::new(program, source, &options, &question, false, budgets, None).unwrap()
}

#[test]
fn a_limit_behind_the_answer_leaves_it() {
    let mut session = session(LOCK, "G (lock -> F !lock)");
    while session.verdict().is_none() {
        assert!(!session.step(), "the statements come behind the answer");
    }
    session.stop(Limit::Time);
    assert!(matches!(session.verdict(), Some(Verdict::Violated(_))));
    assert_eq!(session.violating(), Some(&Violating::Unknown(Limit::Time)));
    assert!(session.step(), "nothing is left to do");
}

/// A projection that lacks a statement of the run that is shown is noticed.
#[test]
fn the_shown_run_lies_within_the_statements() {
    let mut session = session(LOCK, "G (lock -> F !lock)");
    session.run();
    let (Some(Verdict::Violated(lasso)), Some(Violating::Statements(statements))) =
        (session.verdict(), session.violating())
    else {
        panic!("a run violates it, and its statements are known")
    };
    assert_eq!(missing(statements, lasso), None);
    for step in &lasso.run.steps {
        let mut wrong = statements.clone();
        wrong[step.edge.0 as usize] = false;
        assert_eq!(missing(&wrong, lasso), Some(step.edge));
    }
}
