//! Programs from texts, from files of the tree, and from the gallery.

use faultline::lang::model::Program;
use faultline::session::Session;
use faultline::wire::options::RequestedOptions;
use std::rc::Rc;

/// The text of a file of this tree, by its path from the top.
pub(crate) fn text(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The text of a paper's figure: `golden("focus/fig-1.cimple")`.
pub(crate) fn golden(figure: &str) -> String {
    text(&format!("tests/golden/{figure}"))
}

/// The text of an example of the gallery, by its file's name.
pub(crate) fn example(file: &str) -> String {
    text(&format!("static/examples/{file}"))
}

/// The program of a text, with the options that its directives give.
pub(crate) fn program(source: &str) -> Rc<Program> {
    let loaded = faultline::lang::load(source, &RequestedOptions::default());
    let diagnostics = loaded.diagnostics;
    Rc::new(loaded.program.unwrap_or_else(|| panic!("{diagnostics:#?}\n{source}")))
}

/// A session with the program of a text, which has no diagnostics.
pub(crate) fn session(source: &str) -> Session {
    let (session, diagnostics) = Session::load(source, &RequestedOptions::default());
    assert!(diagnostics.is_empty(), "{diagnostics:#?}\n{source}");
    session
}
