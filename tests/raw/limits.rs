//! Budgets and Stop: an answer is right or "unknown", and what is known stays.

use crate::support::Random;
use crate::systems::{WAYS, print, random_system, requested};
use faultline::draw;
use faultline::draw::fold::fold;
use faultline::report;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::util::Limit;
use faultline::wire::graph::{Folding, Scope};
use faultline::wire::options::Dialect;
use faultline::wire::projection::Method;
use faultline::wire::report::Report;

const TASK: Task = Task::Projection(Method::Functional);

#[test]
fn a_small_budget_never_gives_a_wrong_answer() {
    let (mut unknown, mut cut) = (0, 0);
    for seed in 0..120 {
        let source = print(&random_system(&mut Random::new(seed), Dialect::Pds), Dialect::Pds);
        for way in WAYS {
            let (mut session, _) = Session::load(&source, &requested(Dialect::Pds, way));
            session.start(TASK, Budgets::default());
            session.run();
            let answer = session.outcome();
            assert_eq!(session.limit(), None);
            for small in [1, 3, 7, 15, 31, 63] {
                for budgets in [
                    Budgets { max_steps: small, ..Budgets::default() },
                    Budgets { max_nodes: small, ..Budgets::default() },
                ] {
                    session.start(TASK, budgets);
                    session.run();
                    match session.outcome() {
                        Outcome::Unknown(limit) => {
                            assert_eq!(
                                limit,
                                if budgets.max_steps == small {
                                    Limit::Steps
                                } else {
                                    Limit::Nodes
                                },
                                "seed {seed}"
                            );
                            unknown += 1;
                        }
                        found => assert_eq!(
                            found, answer,
                            "seed {seed} by {way:?} with {budgets:?}\n{source}"
                        ),
                    }
                    let report = report::report(&session);
                    assert_eq!(
                        report.projection.is_some(),
                        session.limit().is_none(),
                        "seed {seed}: a projection is whole or not there"
                    );
                    cut += u32::from(
                        session.limit().is_some() && session.outcome() == Outcome::Unsafe,
                    );
                }
            }
        }
    }
    assert!(unknown > 500 && cut > 50, "{unknown} unknown, {cut} cut short after the verdict");
}

#[test]
fn stop_keeps_what_was_found() {
    let source = include_str!("../../static/examples/saturation.pds");
    for way in WAYS {
        let (mut session, _) = Session::load(source, &requested(Dialect::Pds, way));
        session.start(TASK, Budgets::default());
        session.stop(Limit::Time);
        assert_eq!(session.outcome(), Outcome::Unknown(Limit::Time));
        session.start(TASK, Budgets::default());
        while session.raw().is_some_and(|raw| raw.run().is_none()) {
            assert!(!session.step(), "a run comes first");
        }
        session.stop(Limit::Time);
        assert_eq!((session.outcome(), session.limit()), (Outcome::Unsafe, Some(Limit::Time)));
        assert!(session.step(), "it is over");
    }
}

/// What the page gets is what the command line prints, and can be read back.
#[test]
fn reports_are_plain_data() {
    for source in [
        include_str!("../../static/examples/saturation.pds"),
        include_str!("../../static/examples/plotter.pds"),
    ] {
        let (mut session, _) = Session::load(source, &requested(Dialect::Pds, WAYS[2]));
        session.start(TASK, Budgets::default());
        session.run();
        let report = report::report(&session);
        let text = serde_json::to_string(&report).expect("plain data");
        assert_eq!(serde_json::from_str::<Report>(&text).expect("plain data"), report);
        let (mut graph, statements) = (report::graph(&session), report::statements(&session));
        assert!(
            graph.boxes.windows(2).all(|pair| pair[0].id < pair[1].id),
            "boxes are in the order of their numbers"
        );
        for statement in &statements {
            assert!(
                graph
                    .boxes
                    .iter()
                    .any(|b| b.id == statement.location && b.statements.contains(&statement.id))
            );
        }
        draw::layout::layout(&mut graph);
        assert!(graph.boxes.iter().all(|b| b.place.width > 0.0));
        assert!(graph.arrows.iter().all(|arrow| arrow.points.len() >= 2), "every rule is drawn");
    }
}

/// Five states with a hundred symbols each: a large picture opens on its control states, and every
/// arrow that is shown has a way.
#[test]
fn a_large_picture_folds_by_control_state() {
    let mut source = String::new();
    for k in 0..100 {
        for p in 0..5 {
            source.push_str(&format!(
                "<p{p}, a{k}> -> <p{}, a{} b>\n<p{p}, a{k}> -> <p{p}, a{}>\n",
                (p + 1) % 5,
                k,
                (k + 1) % 100
            ));
        }
    }
    source.push_str("<p0, b> -> <p3>\ninitial <p0, a0>\ntarget <p4, a7 .*>\n");
    let (session, _) = Session::load(&source, &requested(Dialect::Pds, WAYS[0]));
    let graph = report::graph(&session);
    let folding = Folding::of(&graph);
    assert_eq!(folding.scope, Scope::Calls);
    for folding in [folding, Folding { scope: Scope::Procedure("p2".into()), ..Folding::default() }]
    {
        let mut shown = fold(&graph, &folding);
        draw::layout::layout(&mut shown);
        assert!(!shown.arrows.is_empty() && shown.boxes.len() < 150, "{} boxes", shown.boxes.len());
        assert!(shown.arrows.iter().all(|arrow| arrow.points.len() >= 2), "arrows without a way");
    }
}
