//! The TCAS resolution advisory of the Siemens suite: each faulty version against the original, on
//! any input.
//!
//! All 41 versions load, those whose projection is computed here are a sample unless
//! `FAULTLINE_CORPUS_FULL` is set.

use crate::support::tcas::{BITS, harness, read};
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};
use faultline::wire::projection::Method;
use std::path::Path;

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

pub(crate) fn every_faulty_version_has_a_projection(folder: &Path) {
    let original = read(folder, "original.c");
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
        let source = harness(&read(folder, version), &original);
        let requested = RequestedOptions {
            dialect: Some(Dialect::C),
            bits: Some(BITS),
            ..RequestedOptions::default()
        };
        let loaded = faultline::lang::load(&source, &requested);
        assert!(loaded.program.is_some(), "{version}: {:?}", loaded.diagnostics);
    }
    for version in versions.into_iter().step_by(stride) {
        let session = run(&harness(&read(folder, version), &original));
        let Some(lit) = session.in_projection().map(|lit| lit.contains(&true)) else {
            panic!("{version}: no projection: {:?}", session.limit());
        };
        assert!(
            matches!(session.outcome(), Outcome::Unsafe | Outcome::Safe),
            "{version}: {:?}",
            session.limit()
        );
        assert_eq!(session.outcome() == Outcome::Unsafe, lit, "{version}");
    }
}
