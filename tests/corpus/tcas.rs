//! The TCAS resolution advisory of the Siemens suite: each faulty version against the original, on
//! any input.
//!
//! All 41 versions load, those whose projection is computed here are a sample unless
//! `FAULTLINE_CORPUS_FULL` is set.

#[allow(dead_code)]
#[path = "../support/tcas.rs"]
mod harness;

use crate::index::folder;
use faultline::analysis::error_projection::Method;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};
use harness::{BITS, harness, read};

fn run(source: &str) -> Session {
    let requested = RequestedOptions {
        dialect: Some(Dialect::C),
        bits: Some(BITS),
        ..RequestedOptions::default()
    };
    let (mut session, diagnostics) = Session::load(source, &requested);
    assert!(session.program().is_some(), "{diagnostics:?}");
    session.start(
        Task::Projection(Method::Functional),
        Budgets { max_steps: 200_000_000, ..Budgets::default() },
    );
    while (session.in_projection().is_none() || matches!(session.outcome(), Outcome::Unknown(_)))
        && !session.step()
    {}
    session
}

#[test]
fn every_faulty_version_has_a_projection() {
    let Some(folder) = folder() else { return };
    let original = read(&folder, "original.c");
    let same = run(&harness(&original, &original));
    assert_eq!(same.outcome(), Outcome::Safe);
    let index =
        std::fs::read_to_string(folder.join("tcas/index.tsv")).expect("the corpus has its index");
    let versions: Vec<&str> = index
        .lines()
        .filter(|l| !l.starts_with('#'))
        .filter_map(|l| l.split('\t').next())
        .collect();
    assert!(versions.len() >= 39, "{versions:?}");
    // All of them take minutes without optimisation: every eighth stands for them unless all are
    // asked for.
    let stride = if std::env::var_os("FAULTLINE_CORPUS_FULL").is_some() { 1 } else { 8 };
    for version in &versions {
        let source = harness(&read(&folder, version), &original);
        let requested = RequestedOptions {
            dialect: Some(Dialect::C),
            bits: Some(BITS),
            ..RequestedOptions::default()
        };
        let loaded = faultline::lang::load(&source, &requested);
        assert!(loaded.program.is_some(), "{version}: {:?}", loaded.diagnostics);
    }
    let mut found = Vec::new();
    for version in versions.into_iter().step_by(stride) {
        let session = run(&harness(&read(&folder, version), &original));
        let (lit, all) = match session.in_projection() {
            Some(lit) => (lit.iter().filter(|lit| **lit).count(), lit.len()),
            None => panic!("{version}: no projection: {:?}", session.limit()),
        };
        assert!(
            matches!(session.outcome(), Outcome::Unsafe | Outcome::Safe),
            "{version}: {:?}",
            session.limit()
        );
        assert_eq!(session.outcome() == Outcome::Unsafe, lit > 0, "{version}");
        found.push(format!("{version} {:?} {lit}/{all}", session.outcome()));
    }
    println!("TCAS: {}", found.join(", "));
}
