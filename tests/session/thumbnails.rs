//! The gallery's small pictures are what the engine says of each example: lines that a failing run
//! passes, or the contexts of an interleaved run.

use crate::gallery::{asked, tested};
use crate::support::load::{Listed, gallery, in_dialect};
use faultline::draw::labels::{crossed, label_place};
use faultline::draw::layout::layout;
use faultline::draw::paint::{LineMarks, line_marks};
use faultline::draw::thumbnail::{Thumbnail, of_lines, of_threads};
use faultline::report::liveness::liveness_report;
use faultline::report::{graph, report, statements, threads_report};
use faultline::session::{
    Budgets, Job, Session, SwitchBound, Task, ThreadsOptions, ThreadsSession,
};
use faultline::wire::projection::Method;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

fn picture(example: &Listed) -> Thumbnail {
    let Listed { file, source, dialect, entry } = example;
    if entry.get("view").is_some_and(|view| view == "tests") {
        let line = tested(file, source, entry).1;
        let marks = LineMarks { lit: line.into_iter().collect(), ..LineMarks::default() };
        return of_lines(source, &marks, line);
    }
    let (mut session, _) = Session::load(source, &in_dialect(*dialect));
    if entry.get("view").is_some_and(|view| view == "threads")
        && let Some(program) = session.program()
    {
        // What fails in the gallery fails with four switches.
        let most = SwitchBound::AtMost(session.options().switches.unwrap_or(4));
        let options = ThreadsOptions { switches: most, at: None };
        let program = Rc::new(program.clone());
        let mut threads =
            ThreadsSession::new(program, session.options(), options, Budgets::default());
        threads.run();
        let report = threads_report(&mut threads);
        return of_threads(&report).unwrap_or_else(|| of_lines(source, &Default::default(), None));
    }
    if entry.get("view").is_some_and(|view| view == "liveness") {
        return of_a_cycle(example, &session);
    }
    // Refinement decides what is too much for the values; its picture is of the text alone.
    if entry.get("view").is_some_and(|view| view == "refinement") && entry["verdict"] == "safe" {
        return of_lines(source, &Default::default(), None);
    }
    session.start(Task::Projection(Method::Functional), Budgets::default());
    session.run();
    let report = report(&session);
    let marks = line_marks(&statements(&session), Some(&report));
    let fails = report.trace.as_ref().and_then(|trace| Some(trace.last()?.line));
    assert!(entry["verdict"] == "safe" || !marks.lit.is_empty(), "{file}: nothing is lit");
    of_lines(source, &marks, fails)
}

/// What a run does again and again is lit.
fn of_a_cycle(example: &Listed, session: &Session) -> Thumbnail {
    let asking = asked(&example.file, session, &example.source);
    let program = session.program().expect("a program");
    let lasso = liveness_report(program, session.options(), &asking).lasso;
    let cycle = lasso.map(|lasso| lasso.cycle).unwrap_or_default();
    let lines: BTreeSet<u32> = cycle.iter().map(|entry| entry.line).collect();
    let marks = LineMarks { lit: lines.into_iter().collect(), ..LineMarks::default() };
    of_lines(&example.source, &marks, None)
}

/// `UPDATE_EXPECT=1 cargo test --test session thumbnails` writes the pictures anew.
#[test]
fn the_gallerys_pictures_are_those_of_its_examples() {
    let pictures: BTreeMap<String, Thumbnail> =
        gallery().iter().map(|example| (example.file.clone(), picture(example))).collect();
    let entries: Vec<String> = pictures
        .iter()
        .map(|(file, picture)| {
            let picture = serde_json::to_string(picture).expect("plain data");
            format!("\"{file}\":{picture}")
        })
        .collect();
    expect_test::expect_file!["../../static/examples/pictures.json"]
        .assert_eq(&format!("{{\n{}\n}}\n", entries.join(",\n")));
}

/// Each label of the gallery's graphs stands apart from all arrows but its own, and inside the
/// picture.
#[test]
fn no_arrow_crosses_a_label_in_the_gallerys_graphs() {
    let mut labels = 0;
    for Listed { file, source, dialect, .. } in &gallery() {
        let (session, _) = Session::load(source, &in_dialect(*dialect));
        let mut drawn = graph(&session);
        layout(&mut drawn);
        assert_eq!(crossed(&drawn), [] as [usize; 0], "{file}");
        for arrow in drawn.arrows.iter().filter(|arrow| !arrow.label.is_empty()) {
            labels += 1;
            let place = label_place(&arrow.label, arrow.label_at);
            let inside = place.x >= 0.0 && place.x + place.width <= drawn.size.x;
            assert!(inside, "{file}: {} at {:?}", arrow.label, arrow.label_at);
        }
    }
    assert!(labels > 400, "{labels}");
}
