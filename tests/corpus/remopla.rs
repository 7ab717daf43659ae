//! `remopla`: models of a tool for quantitative information flow, without known answers. Three
//! speak of probabilities.

use crate::index::folder;
use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};
use std::collections::BTreeSet;

/// Those without probabilities are explored to the end; the others are refused for that reason
/// alone.
#[test]
fn explored_or_refused() {
    let Some(folder) = folder() else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder.join("remopla"))
        .expect("it is there")
        .map(|e| e.expect("readable").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "rem"));
    files.sort();
    let (mut explored, mut refused) = (0, 0);
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned();
        let requested =
            RequestedOptions { dialect: Some(Dialect::Remopla), ..RequestedOptions::default() };
        let (mut session, diagnostics) = Session::load(&source, &requested);
        if session.program().is_none() {
            assert!(
                diagnostics
                    .iter()
                    .all(|d| d.message.starts_with("probabilistic choices (`pchoice`)")),
                "{name}: {diagnostics:?}"
            );
            assert!(source.contains("pchoice"), "{name}");
            refused += 1;
            continue;
        }
        session.start(Task::Check, Budgets::default());
        session.run();
        assert_eq!(session.outcome(), Outcome::Safe, "{name}: nothing there can fail");
        let executed = session.executed().expect("complete").to_vec();
        let program = session.program().expect("loaded");
        let passed = program
            .edges
            .iter()
            .zip(&executed)
            .filter(|(_, executed)| **executed)
            .map(|(edge, _)| edge);
        let places: BTreeSet<u32> = passed.flat_map(|edge| [edge.from.0, edge.to.0]).collect();
        println!("{name}: {} of {} places reached", places.len(), program.locations.len());
        explored += 1;
        crate::printing::same_again(&source, Dialect::Remopla, &name);
    }
    assert_eq!((explored, refused), (13, 3));
}
