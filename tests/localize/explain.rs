//! Explanations as the page shows them: levels of detail that lie within each other, runs that have
//! their sequences, repairs that hold.

use crate::support::load;
use faultline::draw::levels::{aligned, blames_everything, rows};
use faultline::report::explain::explanation;
use faultline::session::{Budgets, ExplainStage, Job, Outcome, Session, Task};
use faultline::util::Limit;
use faultline::wire::explain::{ExplainAsk, Explanation, Level};
use faultline::wire::options::RequestedOptions;
use faultline::wire::projection::Method;
use faultline::wire::report::Verdict;
use std::collections::BTreeSet;

fn explained(source: &str, ask: ExplainAsk) -> Explanation {
    let requested = RequestedOptions::default();
    let session = load::session(source);
    let mut explaining = session.explain(&requested, &ask, Budgets::default()).expect("a program");
    explaining.run();
    explanation(&explaining)
}

fn example(file: &str) -> Explanation {
    explained(
        &load::example(&format!("{file}.cimple")),
        ExplainAsk { max_repairs: 0, suspects: false, ..ExplainAsk::default() },
    )
}

/// An explanation that begins with what a run has found, at the verdict or at the run's end, says
/// what an explanation says that checks the program itself. It knows the verdict from the start.
#[test]
fn an_explanation_begins_with_what_a_run_has_found() {
    let without_steps = |mut found: Explanation| {
        for cause in &mut found.causes {
            (cause.check_steps, cause.cause_steps) = (0, 0);
        }
        found
    };
    let requested = RequestedOptions::default();
    let ask = ExplainAsk { max_repairs: 1, suspects: false, ..ExplainAsk::default() };
    let files = ["explain-localize-1", "explain-localize-9", "explain-focus-2", "explain-focus-7"];
    let failing = files.map(|file| load::example(&format!("{file}.cimple")));
    let safe = "int x; void main() { x = 1; assert(x < 3); }".to_string();
    for source in failing.into_iter().chain([safe]) {
        let alone = without_steps(explained(&source, ask.clone()));
        for to_the_end in [false, true] {
            let mut session = load::session(&source);
            session.start(Task::Projection(Method::Functional), Budgets::default());
            while (to_the_end || !session.is_settled()) && !session.step() {}
            let mut job = session.explain(&requested, &ask, Budgets::default()).expect("a program");
            let fails = alone.verdict == Verdict::Unsafe;
            assert_eq!(job.told_early() > 0, fails, "{source}");
            let first = explanation(&job);
            let expected = if fails { Verdict::Unsafe } else { Verdict::Unknown };
            assert_eq!((first.verdict, first.error.is_some()), (expected, fails), "{source}");
            job.run();
            assert_eq!(without_steps(explanation(&job)), alone, "{to_the_end}: {source}");
        }
    }
}

/// The gallery's figures are the papers' programs, line for line; only what stands before a line
/// may differ.
#[test]
fn the_gallery_has_the_papers_programs() {
    for (figure, file) in [
        ("localize/fig-1", "explain-localize-1"),
        ("localize/fig-1-branch", "explain-localize-1-branch"),
        ("localize/fig-8", "explain-localize-8"),
        ("localize/fig-9", "explain-localize-9"),
        ("localize/fig-10", "explain-localize-10"),
        ("localize/fig-10-abstract", "explain-localize-10-abstract"),
        ("focus/fig-1", "explain-focus-1"),
        ("focus/fig-2", "explain-focus-2"),
        ("focus/fig-4", "explain-focus-4"),
        ("focus/fig-7", "explain-focus-7"),
        ("focus/fig-7-two", "explain-focus-7-two"),
        ("focus/fig-9", "explain-focus-9"),
    ] {
        let (golden, shown) =
            (load::golden(&format!("{figure}.cimple")), load::example(&format!("{file}.cimple")));
        let lines = |text: &str| {
            text.trim_end().lines().map(|line| line.trim().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(lines(&golden), lines(&shown), "{file}");
    }
    // Figure 9 has two errors, and leaves an input out.
    let upwards = load::golden("focus/fig-9.cimple");
    let others = [
        ("down", "altSep == UPWARD_RA", "altSep == DOWNWARD_RA"),
        ("inhibit", "climbInhibit = false", "climbInhibit"),
    ];
    for (file, from, to) in others {
        assert_eq!(
            upwards.replace(from, to),
            load::example(&format!("explain-focus-9-{file}.cimple")),
            "{file}"
        );
    }
}

/// Figure 3 of the focus paper: each level leaves out some of what the one before shows. The
/// sequence's rows lie on a failing run of its own, in order.
#[test]
fn each_level_lies_within_the_one_before() {
    for file in [
        "explain-focus-1",
        "explain-focus-2",
        "explain-focus-4",
        "explain-focus-7",
        "explain-focus-7-two",
        "explain-focus-9",
    ] {
        let found = example(file);
        assert!(
            found.verdict == Verdict::Unsafe && found.complete && !found.sequences.is_empty(),
            "{file}"
        );
        for sequence in &found.sequences {
            let (focus, nest) =
                (rows(Level::Focus, None, Some(sequence)), rows(Level::Nest, None, Some(sequence)));
            assert!(!nest.is_empty() && nest.iter().all(|row| focus.contains(row)), "{file}");
            let places: Vec<usize> =
                focus.iter().map(|row| row.row.expect("a place in the run")).collect();
            assert!(
                places.is_sorted_by(|a, b| a < b)
                    && *places.last().expect("rows") < sequence.run.len(),
                "{file}: {places:?}"
            );
            for row in &focus {
                let entry = &sequence.run[row.row.expect("a place")];
                assert_eq!(
                    (entry.edge, entry.line, &entry.statement),
                    (row.edge, row.line, &row.statement),
                    "{file}"
                );
            }
            // Consecutive statements of a line count once among the printed lines.
            let mut lines: Vec<u32> = focus.iter().map(|row| row.line).collect();
            lines.dedup();
            assert_eq!(lines, sequence.report.lines, "{file}");
        }
    }
}

/// Figure 1 of the localization paper: where the failing runs part from the correct ones beside
/// them.
#[test]
fn the_runs_of_figure_1_part_at_their_causes() {
    let found = example("explain-localize-1");
    let blamed: Vec<_> = found.causes.iter().map(|cause| cause.by_edges.lines.clone()).collect();
    assert_eq!(blamed, [[4], [8]]);
    for cause in &found.causes {
        assert!(!blames_everything(cause));
        let (correct, alignment) = (
            cause.correct.as_deref().expect("a correct run"),
            cause.alignment.as_ref().expect("an alignment"),
        );
        let rows = aligned(&cause.trace, correct, &alignment.pairs);
        let count = |side: fn(&faultline::draw::levels::AlignedRow) -> Option<usize>| {
            rows.iter().filter_map(side).collect::<Vec<_>>()
        };
        assert_eq!(
            count(|row| row.failing),
            (0..cause.trace.len()).collect::<Vec<_>>(),
            "every statement once, in order"
        );
        assert_eq!(count(|row| row.correct), (0..correct.len()).collect::<Vec<_>>());
        let apart =
            rows.iter().find(|row| !row.together).and_then(|row| row.failing).expect("they part");
        assert_eq!(
            cause.trace[apart].line + 2,
            cause.by_edges.lines[0],
            "the condition just before the missing release"
        );
        assert_eq!(
            rows.last().map(|row| (row.together, row.differ.clone())),
            Some((true, vec!["L".to_string()])),
            "the same check, another value"
        );
    }
}

/// Figure 9: beside each run that gives the advisory stands one that ends without it, row by row,
/// with few other inputs; so the causes are not the whole run.
#[test]
fn the_runs_of_figure_9_stand_beside_correct_ones() {
    for file in ["explain-focus-9", "explain-focus-9-down", "explain-focus-9-inhibit"] {
        let found = example(file);
        let cause = &found.causes[0];
        let (correct, alignment) = (
            cause.correct.as_deref().expect("a correct run"),
            cause.alignment.as_ref().expect("an alignment"),
        );
        assert!(
            cause.closest.is_some() && !correct.is_empty() && !alignment.pairs.is_empty(),
            "{file}"
        );
        let rows = aligned(&cause.trace, correct, &alignment.pairs);
        let count = |side: fn(&faultline::draw::levels::AlignedRow) -> Option<usize>| {
            rows.iter().filter_map(side).collect::<Vec<_>>()
        };
        assert_eq!(
            count(|row| row.failing),
            (0..cause.trace.len()).collect::<Vec<_>>(),
            "{file}: every statement once, in order"
        );
        assert_eq!(count(|row| row.correct), (0..correct.len()).collect::<Vec<_>>(), "{file}");
        let advised = cause.trace.last().expect("a statement").edge;
        assert!(correct.iter().all(|entry| entry.edge != advised), "{file}: without the advisory");
        // All starts are inputs: few of them are others.
        let others = cause.trace[0]
            .values
            .0
            .iter()
            .filter(|value| !correct[0].values.0.contains(value))
            .count();
        assert!((1..=2).contains(&others), "{file}: {others}");
        assert!(!blames_everything(cause), "{file}");
    }
}

/// Inputs are named as the program names them; a check that can only fail blames everything.
#[test]
fn inputs_filter_assumptions() {
    let found = example("explain-focus-7");
    let inputs: BTreeSet<&str> = found.inputs().into_iter().collect();
    assert_eq!(inputs, ["a1", "a2", "a3", "a4", "a5"].into());
    let nothing_helps = explained(
        "void main() {\n  int x;\n  x = 2;\n  assert(x == 1);\n}\n",
        ExplainAsk::default(),
    );
    assert!(nothing_helps.causes.iter().all(blames_everything) && !nothing_helps.causes.is_empty());
    for sequence in &found.sequences {
        for (about, assumption) in sequence.about.iter().zip(&sequence.report.assumptions) {
            assert!(
                !about.is_empty()
                    && about.iter().all(|name| assumption.text.contains(name.as_str())),
                "{about:?} {}",
                assumption.text
            );
        }
        assert!(sequence.picked.iter().all(|picked| !picked));
    }
}

/// A repair that is offered holds: applied to the text, and checked by itself.
#[test]
fn an_offered_repair_makes_the_program_safe() {
    let source = load::example("explain-localize-1.cimple");
    for source in [
        source,
        "int x;\nvoid main() {\n  x = 1;\n  if (*) x = 2; else x = 3;\n  assert(x != 3);\n}\n"
            .to_string(),
    ] {
        let found = explained(&source, ExplainAsk::default());
        let repairs = found.repairs.expect("they were looked for").repairs;
        for repair in &repairs {
            let edited = repair.apply(&source).expect("the text that it was made for");
            let (mut session, _) = Session::load(&edited, &RequestedOptions::default());
            session.start(Task::Check, Budgets::default());
            session.run();
            let gone = repair.verified == faultline::wire::repair::Verified::NoRunFails;
            assert!(!gone || session.outcome() == Outcome::Safe, "{edited}");
        }
        assert!(!repairs.is_empty(), "{source}");
    }
}

/// What is ended early keeps what was found; a safe program and an unknown variable are answered.
#[test]
fn stages_end_one_after_the_other() {
    let session = load::session(&load::example("explain-focus-1.cimple"));
    let ask = ExplainAsk::default();
    let mut explaining =
        session.explain(&RequestedOptions::default(), &ask, Budgets::default()).expect("a program");
    let mut seen = vec![explaining.stage()];
    while !explaining.step() {
        if seen.last() != Some(&explaining.stage()) {
            seen.push(explaining.stage());
            let so_far = explanation(&explaining);
            assert!(
                so_far.repairs.is_none() && so_far.causes.len() == 2,
                "two statements set the error"
            );
        }
        if explaining.stage() == ExplainStage::Repairs {
            explaining.stop(Limit::Time);
        }
    }
    assert_eq!(
        seen,
        [
            ExplainStage::Causes,
            ExplainStage::Sequences,
            ExplainStage::Suspects,
            ExplainStage::Repairs
        ]
    );
    let suspects = explanation(&explaining).suspects.expect("that stage was over");
    assert!(!suspects.suspects.is_empty() && suspects.limit.is_none());
    assert_eq!(explanation(&explaining).sequences.len(), 4);
    assert_eq!(explaining.limit(), Some(Limit::Time));

    let safe = explained("int x = 1; void main() { assert(x == 1); }", ask.clone());
    assert_eq!(
        (safe.verdict, safe.causes.len(), safe.sequences.len(), safe.repairs),
        (Verdict::Safe, 0, 0, None)
    );
    let unknown = ExplainAsk { uninterpreted: vec!["nothing".into()], ..ask };
    assert!(session.explain(&RequestedOptions::default(), &unknown, Budgets::default()).is_err());
}
