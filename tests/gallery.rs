//! The gallery keeps its promises: every example is there, is read in its language, and has the verdict that the list says.

use faultline::analysis::error_projection::Method;
use faultline::lang::options::{Dialect, RequestedOptions};
use faultline::session::{Budgets, Outcome, Session, Task};

#[test]
fn every_example_answers_as_the_list_says() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/static/examples");
    let read = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).unwrap_or_else(|error| panic!("{file}: {error}"));
    let list: Vec<serde_json::Value> = serde_json::from_str(&read("index.json")).expect("the list is JSON");
    let mut listed = Vec::new();
    for entry in &list {
        let file = entry["file"].as_str().expect("a file");
        let by_name = file.rsplit_once('.').and_then(|(_, extension)| Dialect::of_extension(extension));
        let said: Option<Dialect> = entry.get("dialect").map(|name| serde_json::from_value(name.clone()).expect("a language"));
        let dialect = said.or(by_name).expect("a language");
        let (mut session, diagnostics) = Session::load(&read(file), &RequestedOptions { dialect: Some(dialect), ..Default::default() });
        assert!(diagnostics.is_empty(), "{file}: {diagnostics:#?}");
        session.start(Task::Projection(Method::Functional), Budgets::default());
        session.run();
        let expected = match entry["verdict"].as_str() {
            Some("safe") => Outcome::Safe,
            Some("unsafe") => Outcome::Unsafe,
            other => panic!("{file}: {other:?}"),
        };
        assert_eq!(session.outcome(), expected, "{file}");
        listed.push(file.to_string());
    }
    let beside =
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    for file in beside.filter(|file| file != "index.json") {
        assert!(listed.contains(&file), "{file} is not in the list");
    }
}
