//! What the server answers about an analysed text, as values of the protocol (version 3.17).

use super::text::Text;
use crate::draw::paint::line_marks;
use crate::draw::steps::effects;
use crate::draw::words::{capitalised, counted};
use crate::draw::{failure, widths, words};
use crate::wire::diagnostic::{DiagnosticView, Severity};
use crate::wire::graph::StatementView;
use crate::wire::repair::{RepairsReport, Verified};
use crate::wire::report::{Report, TraceEntry, Verdict};
use serde_json::{Value, json};

/// Most statements of a run that a diagnostic lists; of a longer one, the last ones.
const MOST_STEPS: usize = 100;

/// The types of semantic tokens: lines on some failing run, lines on none.
pub(super) const TOKENS: [&str; 2] = ["lit", "innocent"];

/// A text and what is known of it.
pub(super) struct Findings {
    pub(super) uri: String,
    pub(super) text: Text,
    /// What the front end says.
    pub(super) read: Vec<DiagnosticView>,
    /// Missing if the text cannot be read.
    pub(super) report: Option<Report>,
    pub(super) statements: Vec<StatementView>,
}

impl Findings {
    /// The text's diagnostics: the front end's, the error with its run, or why there is no verdict,
    /// and notes as hints.
    /// `with_run`: the client shows related places.
    pub(super) fn diagnostics(&self, with_run: bool) -> Vec<Value> {
        let read = self.read.iter().map(|view| {
            let hint =
                if view.hint.is_empty() { String::new() } else { format!("\n{}", view.hint) };
            json!({
                "range": self.text.range(view.from, view.to),
                "severity": match view.severity { Severity::Error => 1, Severity::Warning => 2 },
                "source": "faultline",
                "code": view.code,
                "message": format!("{}{hint}", view.message),
            })
        });
        let notes = self.report.iter().flat_map(|report| &report.notes).map(|note| {
            json!({
                "range": self.text.range_of_line(note.line),
                // A hint.
                "severity": 4,
                "source": "faultline",
                "code": note.code,
                "message": format!("{}.", capitalised(&note.text)),
            })
        });
        let verdict = self.report.iter().filter_map(|report| self.verdict(report, with_run));
        read.chain(verdict).chain(notes).collect()
    }

    fn verdict(&self, report: &Report, with_run: bool) -> Option<Value> {
        let holds = format!("{}.", capitalised(&words::holds_for(&report.options)));
        match (report.verdict, &report.error) {
            (Verdict::Unsafe, Some(error)) => {
                let mut told = json!({
                    "range": self.text.range_of_line(error.line),
                    "severity": 1,
                    "source": "faultline",
                    "code": error.kind,
                    "message": format!("{} {holds}", failure::sentence(error)),
                });
                if let Some(trace) = report.trace.as_deref().filter(|_| with_run) {
                    told["relatedInformation"] = self.run(trace);
                }
                Some(told)
            }
            (Verdict::Unknown, _) => {
                let mut message = vec![format!("{}.", words::headline(report))];
                message.extend(report.fault.clone());
                message.extend(report.widths.as_ref().map(widths::detail));
                message.push(holds);
                Some(json!({
                    "range": self.text.range_of_line(1),
                    "severity": 3,
                    "source": "faultline",
                    "code": report.limit.map_or("defect", |limit| limit.word()),
                    "message": message.join(" "),
                }))
            }
            _ => None,
        }
    }

    /// The steps of a run, as places with what happens there.
    fn run(&self, trace: &[TraceEntry]) -> Value {
        let steps = (1..).zip(trace.iter().zip(effects(trace)));
        let last = trace.len();
        let told = steps.skip(last.saturating_sub(MOST_STEPS)).map(|(number, (entry, effect))| {
            let then = match (number == last, effect.as_str()) {
                (true, _) => " fails".to_string(),
                (_, "") => String::new(),
                (_, effect) => format!(" → {effect}"),
            };
            json!({
                "location": { "uri": self.uri, "range": self.text.range_of_line(entry.line) },
                "message": format!("{number}. {}: {}{then}", entry.procedure, entry.statement),
            })
        });
        told.collect()
    }

    /// The lit and the innocent lines, as tokens: five numbers each, relative to the one before.
    pub(super) fn tokens(&self) -> Value {
        let marks = line_marks(&self.statements, self.report.as_ref());
        let shown = self.report.as_ref().is_some_and(|report| report.projection.is_some());
        let mut lines: Vec<(u32, u32)> = marks.lit.iter().map(|line| (*line, 0)).collect();
        lines.extend(marks.dim.iter().map(|line| (*line, 1)));
        lines.sort_unstable();
        let mut data = Vec::new();
        let mut before = 1;
        for (line, kind) in lines.into_iter().filter(|_| shown) {
            let (start, length) = self.text.inside(line);
            data.extend([line - before, start, length, kind, 0]);
            before = line;
        }
        json!({ "data": data })
    }

    /// A hover text about a line.
    pub(super) fn hover(&self, line: u32, sentences: &[String]) -> Value {
        match sentences.is_empty() {
            true => Value::Null,
            false => json!({
                "contents": { "kind": "plaintext", "value": sentences.join("\n") },
                "range": self.text.range_of_line(line),
            }),
        }
    }

    /// Edits that mend what is wrong between two lines (from 1): the front end's for what it
    /// refused, and the checked repairs of the failing run.
    pub(super) fn actions(
        &self,
        (from, to): (u32, u32),
        repairs: Option<&RepairsReport>,
    ) -> Vec<Value> {
        let edit = |range: Value, text: &str| json!({ "changes": { &self.uri: [{ "range": range, "newText": text }] } });
        let read = self.read.iter().filter(|view| (from..=to).contains(&view.line));
        let read = read.filter_map(|view| {
            let change = view.edit.as_ref()?;
            Some(json!({
                "title": change.label(),
                "kind": "quickfix",
                "edit": edit(self.text.range(change.from, change.to), &change.text),
            }))
        });
        let repairs = repairs.into_iter().flat_map(|found| &found.repairs).enumerate();
        let repairs = repairs.map(|(number, repair)| {
            let range = self.text.range_of_columns(
                (repair.line, repair.column),
                (repair.end_line, repair.end_column),
            );
            json!({
                "title": format!("{} ({})", repair.sentence, repair.claim),
                "kind": "quickfix",
                "isPreferred": number == 0
                    && repair.verified == Verified::NoRunFails
                    && !repair.weakens_check,
                "edit": edit(range, &repair.replacement),
            })
        });
        read.chain(repairs).collect()
    }

    /// May a repair be asked for here: is a line between these on a failing run?
    pub(super) fn can_be_repaired(&self, (from, to): (u32, u32)) -> bool {
        let Some(report) = self.report.as_ref().filter(|one| one.verdict == Verdict::Unsafe) else {
            return false;
        };
        let lit = report.projection.iter().flat_map(|projection| &projection.lines);
        let failing = report.error.iter().map(|error| &error.line);
        lit.chain(failing).any(|line| (from..=to).contains(line))
    }
}

/// "x = 1 (3 stores)".
pub(super) fn stores_words(formula: &str, count: &str) -> String {
    match (formula, count) {
        ("true", count) => format!("any of {count} stores"),
        (formula, count) => match count.parse() {
            Ok(count) => format!("{formula} ({})", counted(count, "store")),
            Err(_) => format!("{formula} ({count} stores)"),
        },
    }
}
