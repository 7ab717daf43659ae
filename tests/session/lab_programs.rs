//! The lab on programs: their own pushdown systems, under their own names.

use crate::lab::{example, load, record, task, transition, weight};
use crate::support::load::{Listed, gallery};
use faultline::report::lab::{lab_weight, lab_witness};
use faultline::session::Budgets;
use faultline::session::lab::{LabProblem, LabRequest, LabSession};
use faultline::wire::lab::LabTask;
use faultline::wire::lab::{LabOptions, LabRole};
use faultline::wire::options::Dialect;

/// A program's own pushdown system, under its names.
#[test]
fn a_program_is_saturated() {
    let source = "//! bits = 3\n//! globals = zero\nint g;\nvoid up(int by) {\n  g = g + by;\n}\nvoid main() {\n  up(1);\n  up(1);\n  assert(g != 2);\n}\n";
    let session = load(source, Dialect::Cimple);
    let (mut lab, report) = record(&session, &task(LabTask::Post));
    let automaton = &report.automata[0];
    assert!(
        automaton.complete
            && automaton
                .states
                .iter()
                .any(|state| state.name == "up" && state.role == LabRole::Callee)
    );
    assert!(
        report.rules.iter().any(|rule| rule.statement == "g = g + by" && rule.line == 5),
        "{:?}",
        report.rules
    );
    // The callee's summary relates what it is entered with to what it is left with.
    let summary = transition(automaton, "p", "ε", "up").expect("up returns");
    let text = &automaton.transitions[summary as usize].weight;
    assert_eq!(text, "by = 1 ∧ 0 ≤ g ≤ 1 ∧ g' = g + 1 (mod 8)");
    assert_eq!(weight(&mut lab, "<p, main@10>"), "g = 2");
    assert_eq!(weight(&mut lab, "<p, up@5 main@9>"), "by = 1 ∧ g = 0");
    assert_eq!(weight(&mut lab, "<p, up@5 main@10>"), "by = 1 ∧ g = 1");
    assert!(lab_weight(&mut lab, 0, "<p, up@5>", None).is_zero);
    let answer = lab_weight(&mut lab, 0, "<p, error@10>", None);
    let run = answer.run.expect("the assertion fails");
    assert_eq!(run.start, "<p, main@8>");
    assert!(
        !answer.is_zero && run.steps.iter().any(|step| step.configuration == "<p, up@5 main@10>")
    );
    let witness = lab_witness(&mut lab, 0, summary, None).expect("no limit").expect("it is there");
    assert!(!witness.nodes[0].derivations.is_empty());
    // pre* of the errors: what fails from where.
    let (mut lab, _) = record(&session, &task(LabTask::Pre));
    assert_eq!(weight(&mut lab, "<p, main@10>"), "g = 2");
    assert_eq!(weight(&mut lab, "<p, main@9>"), "g = 1");
    let options = LabOptions { set: Some("<p, up@5 main@10>".to_string()), ..task(LabTask::Pre) };
    let (mut lab, _) = record(&session, &options);
    assert!(!lab_weight(&mut lab, 0, "<p, main@9>", None).is_zero);
}

/// post\* of a set of a program starts there with any stores.
#[test]
fn a_program_is_saturated_from_a_set() {
    let source = "//! bits = 3\n//! globals = zero\nint g;\nvoid up(int by) {\n  g = g + by;\n}\nvoid main() {\n  up(1);\n  up(1);\n  assert(g != 2);\n}\n";
    let session = load(source, Dialect::Cimple);
    let of = |set: &str| LabOptions { set: Some(set.to_string()), ..task(LabTask::Post) };
    let (mut lab, report) = record(&session, &of("<p, main@9>"));
    assert!(
        report.automata[0].complete && report.notes.iter().any(|note| note.contains("any store")),
        "{:?}",
        report.notes
    );
    assert_eq!(weight(&mut lab, "<p, error@10>"), "g = 2");
    assert_eq!(weight(&mut lab, "<p, up@5 main@10>"), "by = 1");
    assert!(lab_weight(&mut lab, 0, "<p, main@8>", None).is_zero);
    let run = lab_weight(&mut lab, 0, "<p, error@10>", None).run.expect("it is reached");
    assert_eq!(
        (run.start.as_str(), run.steps.last().expect("it has steps").configuration.as_str()),
        ("<p, main@9>", "<p, error@10>")
    );
    // A callee at the bottom of the stack returns to nobody.
    let (mut lab, _) = record(&session, &of("<p, up@5>"));
    assert!(
        !lab_weight(&mut lab, 0, "<p, up@end>", None).is_zero
            && lab_weight(&mut lab, 0, "<p, main@9>", None).is_zero
    );
    for set in ["<p, up@5 main@10>", "<p, main@9*>", "<p, main@9+>"] {
        let request = LabRequest {
            options: LabOptions { task: LabTask::Post, set: Some(set.into()), max_steps: 10 },
            max_transitions: 10,
            budgets: Budgets::default(),
        };
        assert!(
            matches!(LabSession::new(&session, &request).err(), Some(LabProblem::Refused(..))),
            "{set}"
        );
    }
}

/// post\* of one place with any stores comes to another place of the same frame just where pre\* of
/// the other comes to the one: the two saturations share no direction.
#[test]
fn both_saturations_agree_between_places_of_programs() {
    let (mut there, mut not) = (0, 0);
    for file in [
        "coffee.cimple",
        "mailbox.cimple",
        "retry.cimple",
        "even-odd.cimple",
        "table-1.cimple",
        "double-lock.bp",
    ] {
        let session = example(file);
        let (_, report) = record(&session, &task(LabTask::Post));
        let places: Vec<&str> = report
            .rules
            .iter()
            .filter_map(|rule| rule.text.split_once(" -> ").map(|(left, _)| left))
            .collect();
        for k in 0..8 {
            let (a, b) = (places[k * 7 % places.len()], places[(k * 5 + 3) % places.len()]);
            let (mut post, one) =
                record(&session, &LabOptions { set: Some(a.into()), ..task(LabTask::Post) });
            let (mut pre, other) =
                record(&session, &LabOptions { set: Some(b.into()), ..task(LabTask::Pre) });
            assert!(one.automata[0].complete && other.automata[0].complete, "{file}");
            let (forward, backward) =
                (lab_weight(&mut post, 0, b, None), lab_weight(&mut pre, 0, a, None));
            assert_eq!(forward.is_zero, backward.is_zero, "{file}: from {a} to {b}");
            assert!(
                forward.is_zero || forward.run.is_some(),
                "{file}: from {a} to {b}: no run was replayed"
            );
            *(if forward.is_zero { &mut not } else { &mut there }) += 1;
        }
    }
    assert!(there > 5 && not > 5, "{there} pairs connected, {not} not");
}

/// Every example of the gallery: post\* comes to an error just where the verdict says so, by a run
/// that was replayed; pre\* of the errors holds the start of every program that fails.
#[test]
fn the_gallery_agrees_with_its_verdicts() {
    let (mut fail, mut runs) = (0, 0);
    for Listed { file, source, dialect, entry } in gallery() {
        // Without refinement quicksort has no end; of programs with threads the lab runs the first
        // alone; those that are there for liveness or tests check nothing, so there is no set that
        // fails.
        let view = entry["view"].as_str().unwrap_or_default();
        // Variants of a program that takes long do nothing new.
        if ["threads", "liveness", "tests"].contains(&view)
            || file == "refine-quicksort.cimple"
            || file.starts_with("explain-focus-9-")
        {
            continue;
        }
        let session = load(&source, dialect);
        // Loops are gone round one by one here: those that are there for refinement may be too
        // long. So may those of C and Java, whose integers have 32 bits.
        let is_wide = file.ends_with(".c") || file.ends_with(".java");
        let may_be_too_long = file.starts_with("refine-") || is_wide;
        let max_steps = if may_be_too_long { 200 } else { 2_000 };
        let options = LabOptions { max_steps, ..task(LabTask::Post) };
        let (mut post, report) = record(&session, &options);
        let start = report.set.clone();
        if may_be_too_long && !report.automata[0].complete {
            continue;
        }
        assert!(report.automata[0].complete, "{file}");
        let (mut pre, report) = record(&session, &LabOptions { task: LabTask::Pre, ..options });
        if session.raw().is_some() && report.set.starts_with("as ") {
            continue;
        }
        let unsafe_ = entry["verdict"] == "unsafe";
        if is_wide && !report.automata[0].complete {
            continue;
        }
        let answer = lab_weight(&mut post, 0, &report.set, None);
        if may_be_too_long && answer.limit.is_some() {
            continue;
        }
        assert_eq!(answer.is_zero, !unsafe_, "{file}: {answer:?}");
        assert!(answer.run.is_none() || unsafe_, "{file}");
        // The advisory's procedures ask the same questions again: the few sequences that are tried
        // answer them now so, now otherwise.
        if !file.starts_with("explain-focus-9") {
            runs += usize::from(answer.run.is_some());
            fail += usize::from(unsafe_);
        }
        let answer = lab_weight(&mut pre, 0, &start, None);
        assert!(!unsafe_ || !answer.is_zero, "{file}: {answer:?}");
    }
    // Runs with 32-bit integers may need more nodes than these tests allow.
    assert!(fail >= 12 && 5 * runs >= 4 * fail, "{runs} runs for {fail}");
}
