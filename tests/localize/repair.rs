//! Suggested repairs. Every one that is offered is applied to the text here and judged again: by
//! `check`, and by an explicit search of the edited program.

use crate::support::generate;
use crate::support::load::golden;
use crate::support::load::session_with;
use crate::support::shrink::each;
use faultline::lang::interpreter::{Machine, Outcome as Executed};
use faultline::lang::model::{ProcedureId, Program};
use faultline::report::repair::repairs_report;
use faultline::session::{
    Budgets, FocusSession, Job, LocalizeOptions, Outcome, RepairHints, RepairOptions, Session, Task,
};
use faultline::util::Limit;
use faultline::wire::options::RequestedOptions;
use faultline::wire::repair::{RepairKind, RepairReport, RepairsReport, Verified};
use std::collections::HashSet;
use std::rc::Rc;

fn checked(source: &str, requested: &RequestedOptions) -> Session {
    let mut session = session_with(source, requested);
    session.start(Task::Check, Budgets::default());
    session.run();
    session
}

fn by_focus(source: &str, options: RepairOptions) -> RepairsReport {
    let requested = RequestedOptions::default();
    let session = checked(source, &requested);
    let program = Rc::new(session.program().expect("a program").clone());
    let mut focus =
        FocusSession::new(program, session.options().error, Vec::new(), 20, Budgets::default());
    while !focus.step() {}
    let hints = focus.repair_hints();
    let mut repair =
        session.repair(&requested, hints, options, Budgets::default()).expect("it fails");
    repair.run();
    let report = repairs_report(&repair);
    hold(
        source,
        &report,
        (
            session.failing_run().expect("it fails").check.line,
            &repair.search().program().run.check.message,
        ),
    );
    report
}

fn by_localize(source: &str, options: RepairOptions) -> RepairsReport {
    let requested = RequestedOptions::default();
    let (session, _) = Session::load(source, &requested);
    let mut localization =
        session.localize(LocalizeOptions::default(), Budgets::default()).expect("a program");
    localization.run();
    let mut repair =
        localization.repair(&requested, options, Budgets::default()).expect("it fails");
    repair.run();
    let report = repairs_report(&repair);
    let judged = hold(
        source,
        &report,
        (repair.search().program().run.check.line, &repair.search().program().run.check.message),
    );
    assert!(judged as usize <= report.repairs.len());
    report
}

/// All errors (as lines) that an explicit search of the program meets, and the lines that it
/// executes; `None` if it is too large.
fn explicit(program: &Program) -> Option<(HashSet<u32>, HashSet<u32>)> {
    let machine = Machine::new(program);
    let (starts, complete) = machine.starts(5_000);
    if !complete {
        return None;
    }
    let (mut errors, mut lines) = (HashSet::new(), HashSet::new());
    let mut seen: HashSet<_> = starts.iter().cloned().collect();
    let mut open = starts;
    while let Some(configuration) = open.pop() {
        if seen.len() > 60_000 || configuration.frames.len() > 30 {
            return None;
        }
        let successors = machine.successors(&configuration, 5_000);
        if !successors.complete {
            return None;
        }
        for transition in successors.transitions {
            let edge = program.edge(transition.step.edge);
            match transition.outcome {
                Executed::Next(next) => {
                    lines.insert(edge.span.line);
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
                Executed::Error(check) => {
                    errors.insert(edge.checks[check].line);
                }
                Executed::Blocked => {}
            }
        }
    }
    Some((errors, lines))
}

/// The text with the edit, made by characters and lines alone.
fn edited(source: &str, repair: &RepairReport) -> String {
    let mut lines: Vec<Vec<char>> = source.split('\n').map(|line| line.chars().collect()).collect();
    assert_eq!(repair.line, repair.end_line, "edits stay in their line");
    let line = &mut lines[repair.line as usize - 1];
    let range = repair.column as usize - 1..repair.end_column as usize - 1;
    assert_eq!(line[range.clone()].iter().collect::<String>(), repair.replaced);
    line.splice(range, repair.replacement.chars());
    lines
        .into_iter()
        .map(|line| line.into_iter().collect::<String>())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whatever is claimed of a repair holds. Returns how many were judged by an explicit search too.
fn hold(source: &str, report: &RepairsReport, (line, message): (u32, &str)) -> u32 {
    let mut by_search = 0;
    for repair in &report.repairs {
        let text = edited(source, repair);
        assert_eq!(repair.apply(source).as_ref(), Some(&text));
        let requested = RequestedOptions::default();
        let session = checked(&text, &requested);
        let program = session.program().expect("it was loaded");
        let searched = explicit(program);
        by_search += u32::from(searched.is_some());
        match repair.verified {
            Verified::NoRunFails => {
                assert_eq!(session.outcome(), Outcome::Safe, "{text}\n{repair:?}");
                if let Some((errors, _)) = &searched {
                    assert!(errors.is_empty(), "{text}\n{repair:?} {errors:?}");
                }
            }
            Verified::ThisErrorGone => {
                assert_eq!(session.outcome(), Outcome::Unsafe, "{text}\n{repair:?}");
                let only = checked(&text, &RequestedOptions { error: Some(line), ..requested });
                assert_eq!(only.outcome(), Outcome::Safe, "{text}\n{repair:?}");
                if let Some((errors, _)) = &searched {
                    assert!(
                        !errors.is_empty() && !errors.contains(&line),
                        "{text}\n{repair:?} {errors:?}"
                    );
                }
            }
        }
        if let (true, Some((_, lines))) = (message.starts_with("assert"), &searched) {
            assert!(lines.contains(&line), "the assertion is still passed: {text}\n{repair:?}");
        }
    }
    by_search
}

fn whole() -> RepairOptions {
    RepairOptions { most: 1_000, ..RepairOptions::default() }
}

fn replacements(report: &RepairsReport) -> Vec<(u32, &str, &str, Verified)> {
    report
        .repairs
        .iter()
        .map(|r| (r.line, r.replaced.as_str(), r.replacement.as_str(), r.verified))
        .collect()
}

/// Figure 1 of the focus paper: its repair (gotlock = 0 after line 5) is refuted, as gotlock == 0
/// fails too; after line 6 it holds.
#[test]
fn focus_figure_1() {
    let source = golden("focus/fig-1.cimple");
    let report = by_focus(&source, RepairOptions { most: 1, ..RepairOptions::default() });
    let first = report.repairs.first().expect("a repair");
    assert_eq!(
        (first.kind, first.line, first.replacement.as_str()),
        (RepairKind::Initialisation, 6, " gotlock = 0;")
    );
    assert_eq!(first.verified, Verified::NoRunFails);
    assert!(
        report
            .refuted
            .iter()
            .any(|refuted| refuted.line == 5 && refuted.replacement == " gotlock = 0;"),
        "{:?}",
        report.refuted
    );
}

/// Figures 1 and 4 (a) of the localize paper: line 4 lacks the unlock of line 3. After that the
/// error of line 9 stays, whose cause is line 8.
#[test]
fn localize_figure_1() {
    let source = golden("localize/fig-1.cimple");
    let report = by_localize(&source, whole());
    assert!(replacements(&report).contains(&(4, "skip", "L = false", Verified::ThisErrorGone)));
    assert!(
        report.repairs.iter().all(|repair| repair.verified == Verified::ThisErrorGone),
        "one edit cannot mend two omissions"
    );
    let once = report
        .repairs
        .iter()
        .find(|repair| repair.line == 4)
        .expect("line 4")
        .apply(&source)
        .expect("an edit of this text");
    let again = by_localize(&once, whole());
    assert!(replacements(&again).contains(&(8, "skip", "L = false", Verified::NoRunFails)));
}

#[test]
fn localize_figures_8_and_10() {
    let eight = by_localize(&golden("localize/fig-8.cimple"), whole());
    assert!(replacements(&eight).contains(&(4, "1", "g", Verified::NoRunFails)));
    let ten = by_localize(&golden("localize/fig-10.cimple"), whole());
    assert!(replacements(&ten).contains(&(11, "false", "true", Verified::NoRunFails)));
}

/// Unlike the papers' figures: a comparison that is too weak, a missing call where a branch ends
/// without it, a constant that no other statement has.
#[test]
fn programs_of_ours() {
    let weak = "//! bits = 4\nunsigned n, i; int a[5]; void main() { assume(n < 6);\nfor (i = 0; i <= n; i++) {\nassert(i < 5 || i < n); } }";
    let report = by_localize(weak, whole());
    assert!(replacements(&report).contains(&(3, "<=", "<", Verified::NoRunFails)), "{report:#?}");
    let number = "//! bits = 8\nint x; void main() { int limit;\nlimit = 70;\nif (x > limit) x = limit;\nassert(x <= 53); }";
    let report = by_localize(number, whole());
    let found = report
        .repairs
        .iter()
        .filter(|r| r.line == 3 && r.replaced == "70")
        .any(|r| r.replacement.parse::<u32>().is_ok_and(|n| n <= 53));
    assert!(found, "{report:#?}");
    let array = "int a[3]; void main() { int i;\ni = 3;\na[i] = 1; }";
    let report = by_localize(array, whole());
    assert!(replacements(&report).contains(&(1, "3", "4", Verified::NoRunFails)), "{report:#?}");
}

/// To say somewhere else that something is wrong mends nothing.
#[test]
fn what_says_the_error_is_never_put_in() {
    let report = by_focus(&golden("focus/fig-1.cimple"), RepairOptions::default());
    assert!(
        report.repairs.len() > 1
            && report.repairs.iter().all(|repair| !repair.replacement.contains("error =")),
        "{report:#?}"
    );
}

/// Trusted procedures are no business of a repair, unless the code that is looked at calls them.
#[test]
fn trusted_procedures_are_called_only_where_they_are_called_anyway() {
    let offers = |main: &str, trusted: &[&str]| {
        let source = format!(
            "int x;\nint right();\nint right() {{ return 3; }}\nint wrong() {{ return 2; }}\n{main}\n"
        );
        let requested = RequestedOptions::default();
        let session = session_with(&source, &requested);
        let program = session.program().expect("a program");
        let named = |name: &&str| {
            ProcedureId(
                program.procedures.iter().position(|one| one.name == *name).expect("a procedure")
                    as u32,
            )
        };
        let options = LocalizeOptions {
            trusted: trusted.iter().map(named).collect(),
            ..LocalizeOptions::default()
        };
        let mut localization = session.localize(options, Budgets::default()).expect("a program");
        localization.run();
        let mut repair =
            localization.repair(&requested, whole(), Budgets::default()).expect("it fails");
        repair.run();
        let report = repairs_report(&repair);
        hold(
            &source,
            &report,
            (
                repair.search().program().run.check.line,
                &repair.search().program().run.check.message,
            ),
        );
        report.repairs.iter().any(|repair| repair.replacement.contains("right()"))
    };
    let alone = "void main() {\nx = wrong();\nassert(x == 3); }";
    let both = "void main() {\nif (*) x = right(); else\nx = wrong();\nassert(x == 3); }";
    assert!(offers(alone, &[]) && offers(both, &[]));
    assert!(!offers(alone, &["right"]), "nothing that is looked at calls it");
    assert!(offers(both, &["right"]), "it is on the correct runs");
}

/// What is offered for a call that branches to no error: nothing that keeps every run from the
/// assertion.
#[test]
fn nothing_that_blocks_every_run() {
    let source =
        "//! bits = 2\nunsigned x; void main() {\nif (x > 0) x = x;\nassert(x + x != x + x); }";
    assert!(by_localize(source, whole()).repairs.is_empty());
}

/// Every repair that is offered for random programs holds, by another edit of the text, `check`,
/// and an explicit search.
#[test]
fn random_programs() {
    let (mut offered, mut searched, mut mended) = (0, 0, 0);
    let requested = RequestedOptions::default();
    let budgets = Budgets { max_nodes: 500_000, max_steps: 2_000_000, ..Budgets::default() };
    each(0..80, generate::sequential, |_, source| {
        let (session, _) = Session::load(source, &requested);
        let Some(mut localization) = session
            .localize(LocalizeOptions { max_traces: 1, ..LocalizeOptions::default() }, budgets)
        else {
            return;
        };
        localization.run();
        if localization.outcome() != Outcome::Unsafe {
            return;
        }
        let options = RepairOptions { most: 3, most_candidates: 40, max_steps: 2_000_000 };
        let Some(mut repair) = localization.repair(&requested, options, budgets) else { return };
        repair.run();
        let report = repairs_report(&repair);
        offered += report.repairs.len();
        mended += u32::from(!report.repairs.is_empty());
        searched += hold(
            source,
            &report,
            (
                repair.search().program().run.check.line,
                &repair.search().program().run.check.message,
            ),
        );
    });
    assert!(
        mended >= 5 && offered >= 10 && searched >= 6,
        "{mended} programs mended, {offered} repairs, {searched} searched"
    );
}

/// An edit after which known runs never end is no repair, where runs of the program do end: `i = 0`
/// in the loop, the right side of another assignment to `i`, would leave the assertion to the runs
/// that skip the loop.
#[test]
fn an_edit_that_makes_runs_endless_is_no_repair() {
    let source = "//! bits = 3\nint i;\nvoid main() {\n  int n = nondet();\n  i = 0;\n  while (i < n) {\n    i = i + 1;\n  }\n  assert(i != 3);\n}\n";
    let report = by_localize(source, whole());
    assert!(report.repairs.iter().all(|repair| repair.kind != RepairKind::SameShape), "{report:?}");
    assert!(!report.repairs.is_empty(), "others are found");
    let endless = source.replace("i = i + 1", "i = 0");
    assert_eq!(
        checked(&endless, &RequestedOptions::default()).outcome(),
        Outcome::Safe,
        "no run of it fails: the check alone would take it"
    );
}

/// Where the errors of one line alone are asked for, nothing is claimed of others.
#[test]
fn a_claim_is_about_the_errors_that_were_asked_for() {
    let source = "int x, y;\nvoid main() {\n  x = 1;\n  assert(x != 1);\n  y = nondet();\n  assert(y != 3);\n}\n";
    let requested = RequestedOptions { error: Some(4), ..RequestedOptions::default() };
    let session = checked(source, &requested);
    let search = session.repair(
        &requested,
        RepairHints::default(),
        RepairOptions::default(),
        Budgets::default(),
    );
    let mut search = search.expect("it fails");
    search.run();
    let report = repairs_report(&search);
    let mut others = 0;
    for repair in report.repairs.iter().filter(|repair| repair.verified == Verified::NoRunFails) {
        let edited = repair.apply(source).expect("an edit of this text");
        let only = checked(&edited, &requested);
        assert_eq!(only.outcome(), Outcome::Safe, "{edited}");
        assert!(
            repair.claim.starts_with("Checked: with this edit no run fails in line 4, the only one that was asked for, and "),
            "{repair:?}"
        );
        others +=
            u32::from(checked(&edited, &RequestedOptions::default()).outcome() == Outcome::Unsafe);
    }
    assert!(others > 0, "{report:?}");
}

/// A search that ends before everything was tried says so.
#[test]
fn edits_that_were_not_tried_are_a_limit() {
    let source = "int x, y;\nvoid main() {\n  y = nondet();\n  x = y + 1;\n  x = x + 2;\n  assert(x != 3);\n}\n";
    let all = |most_candidates| {
        let requested = RequestedOptions::default();
        let session = checked(source, &requested);
        let options = RepairOptions { most: 1_000, most_candidates, ..RepairOptions::default() };
        let mut search = session
            .repair(&requested, RepairHints::default(), options, Budgets::default())
            .expect("it fails");
        search.run();
        (repairs_report(&search).tried, search.limit())
    };
    let (tried, limit) = all(2_000);
    assert!(limit.is_none() && tried > 5, "{tried}");
    assert_eq!(all(3), (3, Some(Limit::Rounds)));
}

/// `sorted = 0` and the loop around it only report that the array is not in order: an edit there
/// hides the error. What sorts is repaired, and such edits come last.
#[test]
fn edits_of_what_only_reports_an_error_come_last_and_say_so() {
    let source = "#include <assert.h>
extern int nondet_int(void);
int main(void) {
    int a[3]; int sorted = 1;
    for (int i = 0; i < 3; i++) a[i] = nondet_int();
    if (a[0] > a[1]) { int t = a[0]; a[0] = a[1]; a[1] = t; }
    if (a[1] > a[2]) { int t = a[1]; a[1] = a[2]; a[2] = t; }
    for (int i = 0; i + 1 < 3; i++) {
        if (a[i] > a[i + 1])
            sorted = 0;
    }
    assert(sorted);
}
";
    let report = by_localize(source, RepairOptions::default());
    assert!(!report.repairs.is_empty());
    for repair in &report.repairs {
        assert_eq!(repair.weakens_check, (8..=10).contains(&repair.line), "{repair:?}");
    }
    assert!(report.repairs.is_sorted_by_key(|repair| repair.weakens_check));
}

/// `found = 1` is a result, not a report: its loop is what is repaired.
#[test]
fn the_statements_that_compute_a_result_are_repaired_like_all_others() {
    let source = "#include <assert.h>
extern int nondet_int(void);
int main(void) {
    int a[3]; int found = 0;
    for (int i = 0; i < 3; i++) a[i] = nondet_int();
    a[2] = 5;
    for (int i = 0; i < 2; i++) {
        if (a[i] == 5)
            found = 1;
    }
    assert(found);
}
";
    let report = by_localize(source, RepairOptions::default());
    let first = report.repairs.first().expect("a repair");
    assert!(first.line == 7 && !first.weakens_check, "{first:?}");
}

/// A flag that the program itself reads, too, and a condition that is `true`.
#[test]
fn an_error_flag_is_not_cleared_in_the_first_place() {
    let source = "bool error = false;
int x = 0;
void main() {
  int y;
  y = *;
  if (y > 1) {
    x = 3;
    error = true;
  }
  if (error) {
    x = 2;
  }
  assert(!error);
}
";
    let report = by_localize(source, RepairOptions::default());
    assert!(!report.repairs.is_empty());
    for repair in &report.repairs {
        assert_eq!(repair.weakens_check, repair.line == 8, "{repair:?}");
        assert!(!repair.replacement.contains("true"), "{repair:?}");
    }
    assert!(report.repairs.is_sorted_by_key(|repair| repair.weakens_check));
}
