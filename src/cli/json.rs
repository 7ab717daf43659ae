//! The report as JSON: one object, stable keys (see [`crate::view::report`]).

use super::questions::Answers;
use crate::view::report::Report;
use serde::Serialize;

/// The report, and the answers to what was asked beside it.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(flatten)]
    answers: &'a Answers,
}

/// Indented JSON with a newline at its end.
pub(super) fn render(report: &Report, answers: &Answers) -> String {
    let whole = Whole { report, answers };
    let mut json = serde_json::to_string_pretty(&whole).expect("a report has only string keys and finite numbers");
    json.push('\n');
    json
}
