//! The correct run that is closest to a failing one, and what is said of other runs.

use super::*;

/// Executed again by the interpreter alone: it comes to the check that the failing run violates,
/// with its condition true, or ends the program.
pub(super) fn is_correct(program: &Program, trace: &LocalizedTrace) -> bool {
    let Ok(Some(correct)) = &trace.correct else { return false };
    let machine = Machine::new(program);
    let run = &correct.run;
    let mut at = machine.initial(&run.initial_globals, &run.initial_locals);
    let failing = trace.run.run.steps.last().expect("a run").edge;
    let check = replay(program, &trace.run.run).expect("a run").failed_check;
    for (k, step) in run.steps.iter().enumerate() {
        assert_eq!(program.edge(step.edge).from, at.location);
        match machine.execute(
            &at,
            step.edge,
            &step.choices,
            step.locals.as_ref().unwrap_or(&Vec::new()),
        ) {
            Executed::Next(next) => at = next,
            last if k + 1 < run.steps.len() => panic!("{last:?}"),
            Executed::Error(failed) => {
                return correct.passes_check && step.edge == failing && failed > check;
            }
            Executed::Blocked => return correct.passes_check && step.edge == failing,
        }
    }
    match correct.passes_check {
        true => run.steps.last().expect("it has steps").edge == failing,
        false => machine.has_ended(&at),
    }
}

/// The closest correct run of the only failing run: its lines, and how many entries are shared, and
/// go the same way.
fn closest(source: &str) -> (Vec<u32>, u32, u32) {
    let found = localize(
        source,
        LocalizeOptions::default(),
        Budgets { collect_every_step: true, ..Budgets::default() },
    );
    assert!(is_correct(found.program(), &found.traces()[0]), "{source}");
    let cause = localize_report(&found).causes.remove(0);
    let alignment = cause.alignment.expect("a correct run");
    (
        cause.correct.expect("a correct run").iter().map(|entry| entry.line).collect(),
        alignment.shared,
        alignment.same_way,
    )
}

/// Fig. 1: t1 = [1, 2, 4, 5] parts from [1, 2, 3, 5] at the choice of line 2; t3 from the run
/// through 7 at line 6.
#[test]
fn the_correct_run_closest_to_fig_1() {
    let found = figure("fig-1", Variant::Edges);
    let closest: Vec<Vec<u32>> = localize_report(&found)
        .causes
        .iter()
        .map(|cause| {
            cause.correct.as_ref().expect("a correct run").iter().map(|entry| entry.line).collect()
        })
        .collect();
    let distinct =
        |lines: &[u32]| lines.chunk_by(|a, b| a == b).map(|run| run[0]).collect::<Vec<_>>();
    assert_eq!(
        closest.iter().map(|lines| distinct(lines)).collect::<Vec<_>>(),
        [vec![1, 2, 3, 5], vec![1, 2, 3, 5, 6, 7, 9]]
    );
    assert!(found.traces().iter().all(|trace| is_correct(found.program(), trace)));
}

/// First the transitions in common, then the fewest other values, then the same way.
#[test]
fn what_is_closest() {
    // The last choice that can still save the run.
    let late = "void main() {
  int x; int y; int z;
  x = *; y = *;
  z = 1;
  if (*) z = 2;
  assert(x != 3 || y != 2 || z == 2);
}
";
    let (lines, shared, same_way) = closest(late);
    assert_eq!((lines, shared, same_way), (vec![3, 3, 4, 5, 5, 6], 3, 3));
    // Other values at the start, as few as can be, and the same way.
    let inputs = "int a; int b; int c;
void main() {
  if (a > 3) skip;
  if (b > 3) c = b;
  assert(a < 5 || b < 5 || c == a);
}
";
    let found = localize(inputs, LocalizeOptions::default(), Budgets::default());
    let trace = &found.traces()[0];
    assert!(is_correct(found.program(), trace));
    let correct = trace.correct.as_ref().expect("no limit").as_ref().expect("a correct run");
    let differ = |k: &usize| trace.run.run.initial_globals[*k] != correct.run.initial_globals[*k];
    assert_eq!((0..3).filter(differ).count(), 1);
    // None at all.
    let found =
        localize("void main() { assert(1 == 2); }", LocalizeOptions::default(), Budgets::default());
    let cause = localize_report(&found).causes.remove(0);
    assert_eq!((cause.correct, cause.alignment, cause.correct_limit), (None, None, None));
}

/// Where a limit ends the search for the closest correct run, a close one stands there: a correct
/// run, which is not said to be the closest.
#[test]
fn a_close_correct_run_where_the_closest_is_not_found() {
    let source = example("stack.cimple");
    let options = LocalizeOptions { max_traces: 1, ..LocalizeOptions::default() };
    let whole = localize(&source, options.clone(), Budgets::default());
    let report = localize_report(&whole);
    assert_eq!((report.causes[0].closest, report.causes[0].correct_limit), (Some(true), None));
    // The search for the closest one comes last, so the last step is one of its.
    let budgets = Budgets { max_steps: whole.steps() - 1, ..Budgets::default() };
    let found = localize(&source, options, budgets);
    let trace = &found.traces()[0];
    assert!(trace.judged && is_correct(found.program(), trace));
    let report = localize_report(&found);
    let cause = &report.causes[0];
    assert_eq!((cause.closest, cause.correct_limit), (Some(false), Some(Limit::Steps)));
    assert_eq!(cause.lines, localize_report(&whole).causes[0].lines, "the causes do not need it");
    let shared = |localized: &LocalizeSession| {
        localized.traces()[0].correct.as_ref().expect("no limit").as_ref().expect("a run").shared
    };
    assert!(shared(&found) <= shared(&whole));
}

/// An error that is stated as a value of a variable, at a statement that gives it this value, has
/// no condition that could hold: correct runs end the program without it.
#[test]
fn correct_runs_past_an_error_state_end_the_program() {
    let source = "//! error = (advice == 2)
int a; int b;
void main() {
  int advice;
  advice = 0;
  if (a > 3 && b < 2)
    advice = 2;
  if (a < 0)
    advice = 1;
}
";
    let found = localize(source, LocalizeOptions::default(), Budgets::default());
    let trace = &found.traces()[0];
    assert!(trace.ends_with_program && is_correct(found.program(), trace));
    let report = localize_report(&found);
    assert_eq!(
        (report.causes[0].closest, report.causes[0].by_edges.lines.contains(&7)),
        (Some(true), true),
        "{:?}",
        report.causes[0]
    );
    let correct = trace.correct.as_ref().expect("no limit").as_ref().expect("a correct run");
    let differ = |k: &usize| trace.run.run.initial_globals[*k] != correct.run.initial_globals[*k];
    assert_eq!((0..2).filter(differ).count(), 1, "one other value is enough");
    // What is assigned may be another value: then correct runs are those in which it is.
    let source = "//! error = (x == 2)\nint a; int x;\nvoid main() {\n  x = a;\n}\n";
    let found = localize(source, LocalizeOptions::default(), Budgets::default());
    assert!(
        !found.traces()[0].ends_with_program && is_correct(found.program(), &found.traces()[0])
    );
}

/// What is said of other runs holds of the run beside the failing one, and of those that the causes
/// before leave.
#[test]
fn what_is_said_of_other_runs_holds_of_those_shown() {
    let source = "//! error = (x == 2)\nint x;\nvoid main() {\n if (x == 1) {\n  x = 2;\n } else {\n  x = 0;\n }\n}\n";
    let found = localize(source, LocalizeOptions::default(), Budgets::default());
    assert!(matches!(found.traces()[0].correct, Ok(Some(_))));
    let report = localize_report(&found);
    assert!(!report.causes[0].reason.contains("at all"), "{}", report.causes[0].reason);

    let skips = "  skip;\n".repeat(7);
    let source = format!(
        "int x; int z;\nvoid main() {{\n z = 0; x = 0;\n if (*) {{ x = 1; z = 1; }}\n if (*) {{\n  assert(x != 1);\n }} else {{\n{skips}  assert(z == 1);\n }}\n}}\n"
    );
    let found = localize(&source, LocalizeOptions::default(), Budgets::default());
    let report = localize_report(&found);
    assert_eq!(report.causes.len(), 2, "{:?}", report.causes);
    assert!(
        !report.causes[0].reason.contains("avoids the causes above"),
        "{}",
        report.causes[0].reason
    );
    assert!(
        report.causes[1].reason.contains("avoids the causes above"),
        "{}",
        report.causes[1].reason
    );
}
