//! `remopla`: models of a tool for quantitative information flow, without known answers. Three
//! speak of probabilities.

use faultline::session::{Budgets, Job, Outcome, Session, Task};
use faultline::wire::options::{Dialect, RequestedOptions};
use std::path::Path;

/// Those without probabilities are explored to the end; the others are refused for that reason
/// alone.
pub(crate) fn explored_or_refused(folder: &Path) {
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
        let executed = session.executed().expect("complete");
        assert!(executed.contains(&true), "{name}: something runs");
        explored += 1;
        crate::support::printing::same_again(&source, Dialect::Remopla, &name);
    }
    assert_eq!((explored, refused), (13, 3));
}
