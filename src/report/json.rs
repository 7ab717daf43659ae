//! The report as JSON: one object, stable keys (see [`crate::report::report`]).

use serde::Serialize;

/// Indented JSON with a newline at its end.
pub fn render(report: &impl Serialize) -> String {
    let mut json = serde_json::to_string_pretty(report)
        .expect("a report has only string keys and finite numbers");
    json.push('\n');
    json
}
