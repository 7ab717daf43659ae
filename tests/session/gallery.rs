//! The gallery keeps its promises: every example is there, is read in its language, and has the
//! verdict that the list says.

use crate::support::load::{Listed, gallery, in_dialect};
use faultline::draw::levels::rows;
use faultline::draw::refinement::timeline;
use faultline::report::cegar_seed::seed;
use faultline::report::explain::explanation;
use faultline::report::lab::{lab_report, lab_transfer, lab_weight};
use faultline::report::refinement_reading::{RoundReading, rounds};
use faultline::report::testing::tests;
use faultline::report::testing_answer::{compared_answer, tests_answer};
use faultline::session::lab::{LabRequest, LabSession};
use faultline::session::{
    Budgets, CegarSession, Job, LivenessQuestion, LivenessSession, LivenessVerdict, Outcome, Proof,
    Session, SwitchBound, Task, ThreadsOptions, ThreadsSession,
};
use faultline::wire::gallery::Topic;
use faultline::wire::lab::LabOptions;
use faultline::wire::liveness::{LivenessAsk, asked_in, is_fair_in};
use faultline::wire::options::{Dialect, RequestedOptions};
use faultline::wire::permalink::{
    ExplainPlace, LabPlace, LivenessPlace, RefinementPlace, TestsPlace, ThreadsPlace,
};
use faultline::wire::projection::Method;
use faultline::wire::refinement::PaperTable;
use faultline::wire::testing::{
    ComparedAnswer, ComparedView, EquivalentRequest, TestVerdict, TestsAnswer, TestsRequest,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The automaton, the step and the transition of an entry are there, and what it asks has an
/// answer.
fn opens_in_the_lab(file: &str, session: &Session, place: LabPlace) {
    let set = Some(place.set.clone()).filter(|set| !set.is_empty());
    let options = LabOptions { task: place.task, set, ..LabOptions::default() };
    let budgets = Budgets::default();
    let request = LabRequest { options: options.clone(), max_transitions: 1_000, budgets };
    let mut lab =
        LabSession::new(session, &request).unwrap_or_else(|problem| panic!("{file}: {problem:?}"));
    while !lab.step() {}
    let report = lab_report(&mut lab, &options);
    let automaton = report
        .automata
        .get(place.automaton as usize)
        .unwrap_or_else(|| panic!("{file}: automaton {}", place.automaton));
    assert!(
        place.step.is_none_or(|step| (step as usize) < automaton.steps.len()),
        "{file}: step {:?}",
        place.step
    );
    assert!(
        place.transition.is_none_or(|t| (t as usize) < automaton.transitions.len()),
        "{file}: transition {:?}",
        place.transition
    );
    if !place.question.is_empty() {
        let answer = lab_weight(&mut lab, place.automaton, &place.question, place.step);
        assert!(answer.weight.is_some(), "{file}: {answer:?}");
    }
    if !place.from.is_empty() {
        let answer = lab_transfer(&mut lab, &place.from, &place.to);
        assert!(answer.weight.is_some(), "{file}: {answer:?}");
    }
}

/// The loop has the verdict of the list; the round, the phase and the node of an entry are there.
fn opens_in_a_round(file: &str, session: &Session, place: RefinementPlace, expected: Outcome) {
    let program = Rc::new(session.program().expect("a program").clone());
    let mut cegar = CegarSession::new(
        program,
        session.options().error,
        place.ask.options(),
        Budgets::default(),
    );
    for predicate in &place.ask.predicates {
        assert_eq!(seed(&mut cegar, predicate), Ok(1), "{file}: {predicate}");
    }
    cegar.run();
    assert_eq!((cegar.outcome(), cegar.fault()), (expected, None), "{file}");
    let there = timeline(&rounds(&cegar))
        .iter()
        .any(|step| step.round == place.round && Some(step.phase) == place.phase);
    assert!(there, "{file}: round {}, {:?}", place.round, place.phase);
    let mut reading = RoundReading::new(&cegar, place.round)
        .unwrap_or_else(|| panic!("{file}: round {}", place.round));
    while !reading.step(&mut cegar) {}
    let view = reading.finish(&cegar);
    assert!(!view.graph.boxes.is_empty(), "{file}: nothing is drawn");
    let ids: Vec<u32> = view.nodes.iter().map(|node| node.node).collect();
    assert!(
        place.node.is_none_or(|node| ids.contains(&node)),
        "{file}: node {:?} of {ids:?}",
        place.node
    );
}

/// The failing run, the sequence and the step of an entry are there.
fn opens_explained(file: &str, session: &Session, place: ExplainPlace) {
    let ask = faultline::wire::explain::ExplainAsk {
        max_repairs: 0,
        suspects: false,
        ..place.ask.clone()
    };
    let mut explaining = session
        .explain(&RequestedOptions::default(), &ask, Budgets::default())
        .unwrap_or_else(|why| panic!("{file}: {why}"));
    explaining.run();
    let found = explanation(&explaining);
    let (cause, sequence) =
        (found.causes.get(place.run as usize), found.sequences.get(place.sequence as usize));
    assert!(cause.is_some(), "{file}: {} failing runs", found.causes.len());
    let rows = rows(place.level, cause, sequence);
    assert!(
        !rows.is_empty() && place.step.is_none_or(|step| (step as usize) < rows.len()),
        "{file}: {} rows",
        rows.len()
    );
}

/// With as many switches as the program names, or with a bound that rises by itself, the threads
/// have the verdict of the list; the place is one that the page offers.
fn opens_with_threads(file: &str, session: &Session, place: ThreadsPlace, expected: Outcome) {
    let program = Rc::new(session.program().expect("a program").clone());
    let named = session.options().switches;
    let switches = SwitchBound::in_force(None, named);
    if let (Some(SwitchBound::AtMost(bound)), Some(named)) = (place.ask.bound, named) {
        assert!(bound <= named, "{file}: {place:?}");
    }
    let mut threads = ThreadsSession::new(
        program,
        session.options(),
        ThreadsOptions { switches, at: None },
        Budgets::default(),
    );
    threads.run();
    assert_eq!((threads.outcome(), threads.fault()), (expected, None), "{file}");
    if switches == SwitchBound::Rising && expected == Outcome::Safe {
        assert!(threads.converged().is_some(), "{file}: {:?}", threads.proof());
    }
}

/// The first question that an example's text asks, decided.
pub(crate) fn asked(file: &str, session: &Session, source: &str) -> LivenessSession {
    let question = match asked_in(source).into_iter().next().expect("a question") {
        LivenessAsk::Formula(formula) => LivenessQuestion::Formula(formula),
        LivenessAsk::Termination => LivenessQuestion::Termination,
    };
    let program = Rc::new(session.program().expect("a program").clone());
    let (options, budgets) = (session.options(), Budgets::default());
    let mut asking = LivenessSession::new(
        program,
        source,
        options,
        &question,
        is_fair_in(source),
        budgets,
        None,
    )
    .unwrap_or_else(|refusal| panic!("{file}: {refusal:?}"));
    while !asking.step() {}
    asking
}

/// The question that the example's text asks first has the answer of the list; a place is one that
/// the page offers.
fn opens_with_a_question(file: &str, session: &Session, source: &str, entry: &Value) {
    if let Some(place) = entry.get("liveness") {
        serde_json::from_value::<LivenessPlace>(place.clone())
            .unwrap_or_else(|error| panic!("{file}: {error}"));
    }
    let asking = asked(file, session, source);
    let told = match asking.verdict() {
        Some(LivenessVerdict::Holds(Proof::Checked)) => "holds",
        Some(LivenessVerdict::Violated(_)) => "violated",
        _ => "unknown",
    };
    assert_eq!(Some(told), entry["verdict"].as_str(), "{file}");
}

/// A test of the example fails. What an exercise begins with is the example, and its solution
/// passes all tests, the hidden ones by their hashes.
fn opens_with_tests(file: &str, source: &str, place: TestsPlace) {
    let hidden = place.exercise.as_ref().map_or(Vec::new(), |exercise| exercise.hidden.clone());
    let request = |source: &str| TestsRequest {
        source: source.to_string(),
        tests: place.tests.clone(),
        compare: "lines".into(),
        hidden: hidden.clone(),
        ..TestsRequest::default()
    };
    let verdict = |source: &str| {
        let report = tests(&request(source), &Default::default(), &|| false);
        report.unwrap_or_else(|why| panic!("{file}: {why:?}")).verdict
    };
    assert_eq!(verdict(source), TestVerdict::Fails, "{file}");
    if let Some(exercise) = &place.exercise {
        assert_eq!(exercise.start, source, "{file}");
        assert_eq!(verdict(&exercise.reference), TestVerdict::Passes, "{file}: the solution");
    }
}

/// What an entry with tests or a reference says, and the line to look at first. Its tests stand in
/// comments; a test fails, or all pass and the reference finds an input.
pub(crate) fn tested(file: &str, source: &str, entry: &Value) -> (&'static str, Option<u32>) {
    let place: TestsPlace = match entry.get("tests") {
        Some(place) => {
            serde_json::from_value(place.clone()).unwrap_or_else(|error| panic!("{file}: {error}"))
        }
        None => TestsPlace::default(),
    };
    if place.exercise.is_some() {
        opens_with_tests(file, source, place);
        return ("exercise", None);
    }
    let TestsPlace { tests, reference, domain, .. } = place;
    let (source, compare) = (source.to_string(), "lines".to_string());
    let ask = TestsRequest {
        source: source.clone(),
        tests: tests.clone(),
        compare: compare.clone(),
        explain: true,
        ..TestsRequest::default()
    };
    let TestsAnswer::Report(found) = tests_answer(&ask, &|| false) else { panic!("{file}") };
    match (found.verdict, reference.is_empty()) {
        (TestVerdict::Fails, true) => {
            let suspects = found.suspects.unwrap_or_default();
            assert!(!suspects.is_empty(), "{file}: nothing is suspected");
            ("fails", suspects.first().map(|suspect| suspect.line))
        }
        (TestVerdict::Passes, false) => {
            let ask = EquivalentRequest { source, reference, domain, tests, compare };
            match compared_answer(&ask, &|| false) {
                ComparedAnswer::Report(ComparedView { test: Some(test), .. }) => {
                    ("differs", test.line)
                }
                other => panic!("{file}: {other:?}"),
            }
        }
        other => panic!("{file}: {other:?}"),
    }
}

#[test]
fn every_example_answers_as_the_list_says() {
    let mut listed = Vec::new();
    for Listed { file, source, dialect, entry } in &gallery() {
        if entry["view"] == "tests" {
            assert_eq!(Some(tested(file, source, entry).0), entry["verdict"].as_str(), "{file}");
            listed.push(file.to_string());
            continue;
        }
        let requested = in_dialect(*dialect);
        let (mut session, diagnostics) = Session::load(source, &requested);
        assert!(diagnostics.is_empty(), "{file}: {diagnostics:#?}");
        if entry["topic"] == "memory" || entry["topic"] == "java" {
            // A heap may have no bound.
            session.use_portfolio(&requested);
        }
        if let Some(paper) = entry.get("paper") {
            serde_json::from_value::<PaperTable>(paper.clone())
                .unwrap_or_else(|error| panic!("{file}: {error}"));
        }
        if entry["view"] == "liveness" {
            opens_with_a_question(file, &session, source, entry);
            listed.push(file.to_string());
            continue;
        }
        let place: Option<RefinementPlace> = entry
            .get("refinement")
            .map(|place| serde_json::from_value(place.clone()).expect("a place"));
        // Where abstraction is what the entry is about, the values may be too many.
        let budgets = if place.is_some() {
            Budgets { max_steps: 20_000_000, ..Budgets::default() }
        } else {
            Budgets::default()
        };
        session.start(Task::Projection(Method::Functional), budgets);
        session.run();
        let expected = match entry["verdict"].as_str() {
            Some("safe") => Outcome::Safe,
            Some("unsafe") => Outcome::Unsafe,
            other => panic!("{file}: {other:?}"),
        };
        let view = entry.get("view").map_or("projection", |view| view.as_str().expect("a word"));
        if view == "threads" {
            opens_with_threads(
                file,
                &session,
                serde_json::from_value(entry["threads"].clone()).expect("a place"),
                expected,
            );
            listed.push(file.to_string());
            continue;
        }
        assert!(
            session.outcome() == expected || place.is_some() && session.limit().is_some(),
            "{file}: {:?}",
            session.outcome()
        );
        assert!(["projection", "lab", "refinement", "explain"].contains(&view), "{file}: {view}");
        if let Some(place) = entry.get("explain") {
            assert_eq!(view, "explain", "{file}");
            opens_explained(
                file,
                &session,
                serde_json::from_value(place.clone()).expect("a place"),
            );
        }
        if let Some(place) = entry.get("lab") {
            assert_eq!(view, "lab", "{file}");
            opens_in_the_lab(
                file,
                &session,
                serde_json::from_value(place.clone()).expect("a place"),
            );
        }
        if let Some(place) = place {
            assert_eq!(view, "refinement", "{file}");
            opens_in_a_round(file, &session, place, expected);
        }
        listed.push(file.to_string());
    }
    let beside = std::fs::read_dir("static/examples")
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let own = ["index.json", "pictures.json"];
    for file in beside.filter(|file| !own.contains(&file.as_str())) {
        assert!(listed.contains(&file), "{file} is not in the list");
    }
}

/// The gallery is for people who write C: at least half of its programs are.
#[test]
fn every_example_has_a_topic_and_half_of_the_programs_are_in_c() {
    let examples = gallery();
    let mut found = BTreeMap::new();
    for Listed { file, entry, .. } in &examples {
        let topic: Topic = serde_json::from_value(entry["topic"].clone())
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        *found.entry(topic).or_insert(0) += 1;
    }
    for topic in Topic::ALL {
        assert!(found.get(&topic).is_some_and(|count| *count > 1), "{topic}: {found:?}");
    }
    let programs = examples.iter().filter(|example| !example.dialect.is_raw()).count();
    let in_c = examples.iter().filter(|example| example.dialect == Dialect::C).count();
    assert!(2 * in_c >= programs, "{in_c} of {programs} programs are in C");
}

/// The gallery's first example is told without a width, so the same lines are lit at every width
/// that holds its numbers.
#[test]
fn the_lock_taken_twice_is_a_story_that_is_true_at_every_width() {
    let first = gallery().into_iter().find(|example| example.file == "mailbox.cimple");
    let first = first.expect("the lock taken twice");
    let lit = |bits| {
        let requested = RequestedOptions { bits: Some(bits), ..in_dialect(first.dialect) };
        let (mut session, _) = Session::load(&first.source, &requested);
        session.start(Task::Projection(Method::Functional), Budgets::default());
        session.run();
        faultline::report::report(&session).projection.expect("it fails").lines
    };
    let narrow = lit(4);
    assert!(!narrow.is_empty());
    for bits in [5, 8, 16, 32] {
        assert_eq!(lit(bits), narrow, "{bits} bits");
    }
}
