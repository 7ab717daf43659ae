//! Programs from texts, from files of the tree, and from the gallery.

use faultline::lang::model::Program;
use faultline::session::Session;
use faultline::wire::diagnostic::Severity;
use faultline::wire::options::{Dialect, EffectiveOptions, RequestedOptions};
use std::rc::Rc;

/// The text of a file of this tree, by its path from the top, where cargo runs tests.
pub(crate) fn text(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The text of a paper's figure: `golden("focus/fig-1.cimple")`.
pub(crate) fn golden(figure: &str) -> String {
    text(&format!("tests/golden/{figure}"))
}

/// The text of an example of the gallery, by its file's name.
pub(crate) fn example(file: &str) -> String {
    text(&format!("static/examples/{file}"))
}

/// The files of a folder that have one of these extensions, in the order of their names: names and
/// texts.
pub(crate) fn files(folder: &str, extensions: &[&str]) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.expect("an entry").file_name().into_string().expect("names are UTF-8")
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.retain(|name| extensions.contains(&extension(name)));
    names.sort();
    let with_text = |name: String| {
        let text = text(&format!("{folder}/{name}"));
        (name, text)
    };
    names.into_iter().map(with_text).collect()
}

fn extension(file: &str) -> &str {
    file.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// An example as the gallery's list has it.
pub(crate) struct Listed {
    pub(crate) file: String,
    pub(crate) source: String,
    /// The language: the list's word, or else that of the file's extension.
    pub(crate) dialect: Dialect,
    /// All that the list says.
    pub(crate) entry: serde_json::Value,
}

/// The examples in the gallery's order.
pub(crate) fn gallery() -> Vec<Listed> {
    let list: Vec<serde_json::Value> =
        serde_json::from_str(&example("index.json")).expect("the list is JSON");
    let listed = |entry: serde_json::Value| {
        let file = entry["file"].as_str().expect("a file").to_string();
        let named: Option<Dialect> = entry
            .get("dialect")
            .map(|name| serde_json::from_value(name.clone()).expect("a language"));
        let dialect =
            named.or_else(|| Dialect::of_extension(extension(&file))).expect("a language");
        Listed { source: example(&file), file, dialect, entry }
    };
    list.into_iter().map(listed).collect()
}

/// The options of a text in this language.
pub(crate) fn in_dialect(dialect: Dialect) -> RequestedOptions {
    RequestedOptions { dialect: Some(dialect), ..RequestedOptions::default() }
}

/// The program of a text, with the options that its directives give.
pub(crate) fn program(source: &str) -> Rc<Program> {
    program_with(source, &RequestedOptions::default()).0
}

/// The program of a text, and the options that its directives and these make together.
pub(crate) fn program_with(
    source: &str,
    requested: &RequestedOptions,
) -> (Rc<Program>, EffectiveOptions) {
    let loaded = faultline::lang::load(source, requested);
    let diagnostics = loaded.diagnostics;
    let program = loaded.program.unwrap_or_else(|| panic!("{diagnostics:#?}\n{source}"));
    (Rc::new(program), loaded.options)
}

/// A session with the program of a text, which has no diagnostics.
pub(crate) fn session(source: &str) -> Session {
    let (session, diagnostics) = Session::load(source, &RequestedOptions::default());
    assert!(diagnostics.is_empty(), "{diagnostics:#?}\n{source}");
    session
}

/// A session with the program or the pushdown system of a text, which may have warnings.
pub(crate) fn session_with(source: &str, requested: &RequestedOptions) -> Session {
    let (session, diagnostics) = Session::load(source, requested);
    let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.count(), 0, "{diagnostics:#?}\n{source}");
    session
}
