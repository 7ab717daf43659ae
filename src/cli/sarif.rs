//! The report as SARIF 2.1.0 (Static Analysis Results Interchange Format, OASIS 2020, errata 01):
//! what editors and code-scanning services read.
//!
//! Each check that can fail is a result with a failing run as its code flow: one location for each
//! statement, with the values before it. Lit lines are related locations. A verdict that a limit
//! prevented is no result: it is a notification of the tool, and the invocation counts as not
//! successful. A program without a failing run has no results but its notes, whose level is `note`.

use crate::draw::{failure, widths, words};
use crate::report::json;
use crate::util::Limit;
use crate::wire::error_kind::Meaning;
use crate::wire::note::{Note, NoteCode};
use crate::wire::options::Dialect;
use crate::wire::report::{ErrorKind, Report, TraceEntry, Verdict};
use serde_json::{Map, Value, json};
use std::path::Path;

/// The format's schema, by its name in the standard.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The name under which a defect of Faultline is notified; limits have their own names.
const DEFECT: &str = "defect";

/// The report. `file`: the program's name; `source`: its text.
pub(super) fn render(report: &Report, file: &Path, source: &str) -> String {
    let place = Place { artifact: artifact(file), source: source.lines().collect() };
    let mut results = match report.verdict {
        Verdict::Unsafe => {
            let further = report.failures.iter().skip(1).map(|failure| Report {
                error: Some(failure.error()),
                trace: Some(failure.trace.clone()),
                shortest: Some(false),
                ..report.clone()
            });
            let further: Vec<Value> = further.map(|report| place.result(&report)).collect();
            std::iter::once(place.result(report)).chain(further).collect()
        }
        Verdict::Safe | Verdict::Unknown => Vec::new(),
    };
    results.extend(report.notes.iter().map(|note| place.note(note)));
    let mut artifact = json!({ "location": place.artifact, "roles": ["analysisTarget"] });
    if report.options.dialect == Dialect::C {
        artifact["sourceLanguage"] = json!("c");
    }
    let mut properties = json!({
        "verdict": report.verdict,
        "options": report.options,
        "statistics": report.statistics,
    });
    if let Some(limit) = report.limit {
        properties["limit"] = json!(limit);
    }
    json::render(&json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Faultline",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": ErrorKind::ALL.map(rule).into_iter().chain(NoteCode::ALL.map(rule_of_note))
                    .collect::<Vec<Value>>(),
                "notifications": notifications(),
            } },
            "invocations": [{
                "executionSuccessful": report.verdict != Verdict::Unknown,
                "exitCode": exit_code(report.verdict),
                "exitCodeDescription": words::headline(report),
                "toolExecutionNotifications": noted(report),
            }],
            "artifacts": [artifact],
            "results": results,
            "properties": properties,
        }],
    }))
}

fn exit_code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Safe => 0,
        Verdict::Unsafe => 1,
        Verdict::Unknown => 3,
    }
}

/// The place of a file: a relative path stays relative, so that it is found in a checkout.
fn artifact(file: &Path) -> Value {
    match file.to_str() {
        Some("-") => json!({ "description": { "text": "standard input" } }),
        _ => json!({ "uri": uri(&file.to_string_lossy(), file.is_absolute()) }),
    }
}

/// A path as a reference (RFC 3986): all but unreserved characters is written as `%XX`.
fn uri(path: &str, is_absolute: bool) -> String {
    let path = path.replace(std::path::MAIN_SEPARATOR, "/");
    let mut uri = match (is_absolute, path.starts_with('/')) {
        (true, true) => "file://".to_string(),
        (true, false) => "file:///".to_string(),
        (false, _) => String::new(),
    };
    for byte in path.trim_start_matches("./").bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => uri.push(byte.into()),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// What a kind of error is called.
fn rule(kind: ErrorKind) -> Value {
    let Meaning { rule, description, .. } = kind.meaning();
    json!({
        "id": kind,
        "name": rule,
        "shortDescription": { "text": description },
        "defaultConfiguration": { "level": "error" },
    })
}

/// What a kind of note is called.
fn rule_of_note(code: NoteCode) -> Value {
    let (name, text) = match code {
        NoteCode::EndlessLoop => ("EndlessLoop", "No run leaves a loop."),
        NoteCode::NeverReturns => ("NeverReturns", "A procedure never returns."),
        NoteCode::NeverEnds => {
            ("NeverEnds", "A procedure never returns, so no run reaches the end.")
        }
        NoteCode::Leak => ("MemoryNotFreed", "Memory is never freed."),
        NoteCode::AssignedCondition => ("AssignedCondition", "A condition assigns."),
        NoteCode::Unreached => ("UnreachedStatement", "No run executes a statement."),
        NoteCode::AlwaysTrue => ("AlwaysTrue", "A condition always holds."),
        NoteCode::AlwaysFalse => ("AlwaysFalse", "A condition never holds."),
        NoteCode::UnusedResult => ("UnusedResult", "Nothing uses a value."),
    };
    json!({
        "id": code,
        "name": name,
        "shortDescription": { "text": text },
        "defaultConfiguration": { "level": "note" },
    })
}

/// What the tool can notify: each limit, and a defect of its own.
fn notifications() -> Vec<Value> {
    let described =
        |id: &str, text: &str| json!({ "id": id, "shortDescription": { "text": text } });
    let limits = Limit::ALL.iter().map(|limit| {
        described(limit.word(), &words::capitalised(&format!("{}.", words::limit_sentence(*limit))))
    });
    limits.chain([described(DEFECT, "The interpreter contradicts the engine.")]).collect()
}

/// Why there is no verdict, or what a verdict lacks.
fn noted(report: &Report) -> Vec<Value> {
    let at = |id: &str| {
        let limit = Limit::ALL.iter().position(|limit| limit.word() == id);
        json!({ "id": id, "index": limit.unwrap_or(Limit::ALL.len()) })
    };
    let note = |id: &str, level: &str, text: String| json!({ "descriptor": at(id), "level": level, "message": { "text": text } });
    let mut notes = Vec::new();
    if let Some(fault) = &report.fault {
        notes.push(note(DEFECT, "error", fault.clone()));
    }
    match (report.verdict, report.limit) {
        (Verdict::Unknown, Some(limit)) => {
            let mut text = format!("{}.", words::headline(report));
            if let Some(found) = &report.widths {
                text.push_str(&format!(" {}", widths::detail(found)));
            }
            notes.push(note(limit.word(), "warning", text));
        }
        (Verdict::Unsafe, Some(limit)) => {
            let text = format!("Not finished: {}.", words::limit_sentence(limit));
            notes.push(note(limit.word(), "note", text));
        }
        _ => {}
    }
    if let Some(limit) = report.proof.and_then(|proof| proof.limit) {
        let text = words::proved(report).unwrap_or_default();
        notes.push(note(limit.word(), "note", format!("{}.", words::capitalised(&text))));
    }
    notes
}

/// The program's lines, to point into.
struct Place<'a> {
    artifact: Value,
    source: Vec<&'a str>,
}

impl Place<'_> {
    /// A line of the program; with its text, so that it can be read apart from it.
    fn physical(&self, line: u32) -> Value {
        let mut region = json!({ "startLine": line.max(1) });
        if let Some(text) = self.source.get(line.max(1) as usize - 1) {
            region["snippet"] = json!({ "text": text });
        }
        let mut artifact = self.artifact.clone();
        artifact["index"] = json!(0);
        json!({ "artifactLocation": artifact, "region": region })
    }

    /// A note.
    fn note(&self, note: &Note) -> Value {
        let before = NoteCode::ALL.iter().position(|one| *one == note.code);
        json!({
            "ruleId": note.code,
            "ruleIndex": before.map(|before| ErrorKind::ALL.len() + before),
            "level": "note",
            "message": { "text": format!("{}.", words::capitalised(&note.text)) },
            "locations": [{ "physicalLocation": self.physical(note.line) }],
        })
    }

    /// The error, the run that ends with it, and the lit lines.
    fn result(&self, report: &Report) -> Value {
        let trace = report.trace.as_deref().unwrap_or_default();
        let procedure = trace.last().map(|last| last.procedure.as_str());
        let (kind, line, text) = match &report.error {
            Some(error) => (error.kind, error.line, failure::sentence(error)),
            None => (ErrorKind::Target, 1, words::headline(report)),
        };
        let mut location = json!({ "physicalLocation": self.physical(line) });
        if let Some(procedure) = procedure.filter(|name| !name.is_empty()) {
            location["logicalLocations"] = json!([{ "name": procedure, "kind": "function" }]);
        }
        let mut result = json!({
            "ruleId": kind,
            "ruleIndex": ErrorKind::ALL.iter().position(|one| *one == kind),
            "kind": "fail",
            "level": "error",
            "message": { "text": format!("{text} {}.", words::capitalised(
                &words::holds_for(&report.options))) },
            "locations": [location],
        });
        if !trace.is_empty() {
            let headline = match report.pushdown {
                Some(_) => words::pushdown_run(report),
                None => words::run_headline(trace.len(), report.shortest, report.options.reach),
            };
            result["codeFlows"] = json!([{
                "message": { "text": format!("{headline}.") },
                "threadFlows": [{ "locations": self.flow(trace) }],
            }]);
        }
        let lit = report.projection.iter().flat_map(|projection| &projection.lines);
        let over = report.projection.as_ref().is_some_and(|found| found.overestimate);
        let why = match over {
            true => {
                "The naive method, which keeps too much, keeps a statement of this line: it may \
                 be on no failing run."
            }
            false => "A statement of this line is on some failing run.",
        };
        let related: Vec<Value> = (1u32..)
            .zip(lit)
            .map(|(id, line)| {
                json!({
                    "id": id,
                    "physicalLocation": self.physical(*line),
                    "message": { "text": why },
                })
            })
            .collect();
        if !related.is_empty() {
            result["relatedLocations"] = json!(related);
        }
        result
    }

    fn flow(&self, trace: &[TraceEntry]) -> Vec<Value> {
        let step = |(number, entry): (usize, &TraceEntry)| {
            let values = entry.values.0.iter();
            let state: Map<String, Value> = values
                .map(|(name, value)| (name.clone(), json!({ "text": value.to_string() })))
                .collect();
            let mut location = json!({
                "physicalLocation": self.physical(entry.line),
                "message": { "text": entry.statement },
            });
            if !entry.procedure.is_empty() {
                location["logicalLocations"] =
                    json!([{ "name": entry.procedure, "kind": "function" }]);
            }
            let is_last = number + 1 == trace.len();
            json!({
                "location": location,
                "state": state,
                "nestingLevel": entry.depth,
                "executionOrder": number + 1,
                "importance": if is_last { "essential" } else { "important" },
            })
        };
        trace.iter().enumerate().map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("./src/a b#.c", false), "src/a%20b%23.c");
        assert_eq!(uri("/tmp/ä.c", true), "file:///tmp/%C3%A4.c");
        assert_eq!(uri("../x:y.c", false), "../x%3Ay.c");
    }
}
