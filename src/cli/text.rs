//! The report for people: the verdict and what it holds for, the failing run as a table, the
//! projection painted on the source.

use crate::draw::memory;
use crate::draw::paint;
use crate::draw::refinement::decided_instead;
use crate::draw::steps::effects;
use crate::draw::unchecked;
use crate::draw::widths;
use crate::draw::words;
use crate::draw::words::listed;
use crate::util::Limit;
use crate::wire::graph::StatementView;
use crate::wire::invariant::InvariantReport;
use crate::wire::report::{ProjectionReport, Report, TraceEntry, Verdict};
use std::fmt::Write;
use std::io::IsTerminal;

/// How text is marked: by escape sequences of a terminal, or not at all.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Is the output a terminal that shows colours?
    pub(super) colour: bool,
}

impl Style {
    /// The style for standard output.
    pub(super) fn of_output() -> Style {
        Style { colour: std::io::stdout().is_terminal() && Style::colours_wanted() }
    }

    /// The style for standard error.
    pub(super) fn of_errors() -> Style {
        Style { colour: std::io::stderr().is_terminal() && Style::colours_wanted() }
    }

    fn colours_wanted() -> bool {
        std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_string()
        }
    }
    pub(super) fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }
    pub(super) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }
    pub(super) fn fault(self, text: &str) -> String {
        self.paint("31", text)
    }
}

/// The whole report as text. `statements` tell which lines have statements off all failing runs.
pub(super) fn render(
    report: &Report,
    source: &str,
    statements: &[StatementView],
    style: Style,
) -> String {
    let mut out = String::new();
    line(&mut out, &style.strong(&words::headline(report)));
    if let Some(error) = report.error.as_ref().filter(|_| report.options.reach.is_none()) {
        line(&mut out, &format!("  {}", error.message));
        if let Some(detail) = &error.detail {
            line(&mut out, &format!("  {detail}"));
        }
    }
    line(&mut out, &format!("  {}", words::holds_for(&report.options)));
    if let Some(assuming) = words::assuming(report) {
        line(&mut out, &format!("  {assuming}"));
    }
    if let Some(found) = &report.widths {
        line(&mut out, &format!("  {}", widths::detail(found)));
    }
    if let Some(refined) = &report.refined {
        line(&mut out, &format!("  {}", decided_instead(refined)));
    }
    if let Some(found) = words::bounded(report) {
        line(&mut out, &format!("  {found}"));
    }
    if let Some(proof) = words::proved(report) {
        line(&mut out, &format!("  {proof}"));
    }
    if let Some(said) = unchecked::checked_and_not(report) {
        line(&mut out, &format!("  {said}"));
        for question in unchecked::questions(&report.unchecked) {
            asked(&mut out, question.label, question.command);
        }
    }
    if let Some(fault) = &report.fault {
        line(&mut out, &format!("  {fault}"));
    }
    if !report.notes.is_empty() {
        line(&mut out, "");
        line(&mut out, "Notes");
        report
            .notes
            .iter()
            .for_each(|note| line(&mut out, &format!("  {}", unchecked::note(note))));
    }
    if let Some(limit) =
        report.limit.filter(|limit| *limit == Limit::Threads && report.verdict == Verdict::Unknown)
    {
        line(&mut out, &format!("  {}", words::limit_sentence(limit)));
    }
    if let Some(trace) = report.trace.as_deref().filter(|trace| !trace.is_empty()) {
        line(&mut out, "");
        let reached = report.options.reach;
        let headline = words::run_headline(trace.len(), report.shortest, reached);
        let end = if reached.is_some() { "is reached" } else { "fails" };
        table_to(&mut out, &headline, trace, end, style);
    }
    further(&mut out, report);
    if let Some(projection) = &report.projection {
        line(&mut out, "");
        painted(&mut out, projection, source, &paint::line_marks(statements, Some(report)), style);
        if let Some(sentence) = words::slice_sentence(projection) {
            line(&mut out, "");
            line(&mut out, &sentence);
        }
        if let Some(through) = &projection.through {
            line(&mut out, "");
            match through.trace.as_deref().filter(|trace| !trace.is_empty()) {
                Some(trace) => table(&mut out, &words::through_headline(through), trace, style),
                None => line(&mut out, &words::through_headline(through)),
            }
        }
    } else if let Some(limit) = report.limit.filter(|_| report.verdict == Verdict::Unsafe) {
        line(&mut out, "");
        line(&mut out, &format!("Not finished: {}.", words::limit_sentence(limit)));
    }
    if let Some(invariant) = &report.invariant {
        line(&mut out, "");
        invariants(&mut out, invariant);
    }
    let used = &report.statistics;
    line(&mut out, "");
    let used = match &report.bounded {
        Some(bounded) if report.verdict != Verdict::Unknown => format!(
            "a circuit of {}, {} of the solver",
            words::counted(bounded.circuit, "node"),
            words::counted(bounded.conflicts, "conflict")
        ),
        _ => format!(
            "at most {} at once, {}",
            words::counted(used.peak_nodes, "decision-diagram node"),
            words::counted(used.steps, "step")
        ),
    };
    line(&mut out, &style.dim(&used));
    out
}

/// Prints a question that is open, and the command that asks it: "Look for leaks: faultline check
/// --check leak FILE".
pub(super) fn asked(out: &mut String, label: &str, command: &str) {
    let end = if label.ends_with('?') { "" } else { ":" };
    line(out, &format!("  {label}{end} faultline {command} FILE"));
}

/// Prints what else can fail, a line each.
fn further(out: &mut String, report: &Report) {
    let others = report.failures.get(1..).unwrap_or_default();
    if !others.is_empty() {
        line(out, "");
    }
    for other in others {
        line(out, &words::also(other));
    }
    if let Some(limit) = report.failures_limit {
        let why = words::limit_sentence(limit);
        line(out, "");
        line(out, &format!("Whether other checks can fail was not decided: {why}."));
    }
}

/// Prints what always holds at each line.
fn invariants(out: &mut String, all: &[InvariantReport]) {
    line(
        out,
        "What holds whenever a run is at a line, before its statement (`x at entry`: when the procedure was entered)",
    );
    let width = all.iter().map(|one| one.line.to_string().len()).max().unwrap_or(0).max(3);
    let mut procedure = "";
    for one in all {
        if one.procedure != procedure {
            procedure = &one.procedure;
            line(out, "");
            line(out, &format!("  {procedure}"));
        }
        let formula = match one.formula.as_str() {
            "false" => "no run comes here",
            "true" => "anything",
            formula => formula,
        };
        let weaker = if one.exact { "" } else { "  (and more than that)" };
        line(out, &format!("  {:>width$}  {formula}{weaker}", one.line));
    }
}

pub(super) fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

/// Prints a failing run under its headline.
pub(super) fn table(out: &mut String, headline: &str, trace: &[TraceEntry], style: Style) {
    table_to(out, headline, trace, "fails", style);
}

/// Prints a run under its headline; `end` says how the run ends.
pub(super) fn table_to(
    out: &mut String,
    headline: &str,
    trace: &[TraceEntry],
    end: &str,
    style: Style,
) {
    let Some(first) = trace.first() else { return line(out, headline) };
    let start = listed(&first.values.0);
    let start = if start.is_empty() { String::new() } else { format!("; it starts with {start}") };
    line(out, &format!("{headline}{start}"));
    line(out, "");
    let header = ["step", "line", "procedure", "statement", "then"].map(str::to_string);
    let mut rows = vec![header];
    let mut effects = effects(trace);
    if let Some(last) = effects.last_mut() {
        *last = end.to_string();
    }
    for (number, (entry, effect)) in trace.iter().zip(effects).enumerate() {
        let indent = "  ".repeat(entry.depth.min(20) as usize);
        rows.push([
            (number + 1).to_string(),
            entry.line.to_string(),
            format!("{indent}{}", entry.procedure),
            entry.statement.clone(),
            effect,
        ]);
    }
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    let last = rows.len() - 1;
    for (number, [step, place, procedure, statement, effect]) in rows.iter().enumerate() {
        let [a, b, c, d] = widths;
        let text = format!("  {step:>a$}  {place:>b$}  {procedure:<c$}  {statement:<d$}  {effect}");
        let text = text.trim_end();
        line(
            out,
            &if number == 0 {
                style.dim(text)
            } else if number == last && end == "fails" {
                style.fault(text)
            } else {
                text.to_string()
            },
        );
    }
    let memory = memory::described(trace, trace.len() - 1);
    if !memory.is_empty() {
        line(out, "");
        line(out, "Memory before the last statement");
        line(out, "");
        memory.iter().for_each(|told| line(out, &format!("  {told}")));
    }
}

fn painted(
    out: &mut String,
    projection: &ProjectionReport,
    source: &str,
    marks: &paint::LineMarks,
    style: Style,
) {
    let how = match projection.bits {
        Some(bits) => format!(" with {bits}-bit integers"),
        None => String::new(),
    };
    if projection.nodes == 0 {
        line(
            out,
            &format!(
                "None of the {} is on a failing run{how}.",
                words::counted(projection.of.into(), "reachable statement")
            ),
        );
        return;
    }
    let (lit, of) = (projection.nodes, words::counted(projection.of.into(), "reachable statement"));
    let text = match projection.overestimate {
        true => format!(
            "{lit} of {of} may be on a failing run{how}: an overestimate by the naive method, which also keeps statements that are on none; their lines are marked |"
        ),
        false => format!("{lit} of {of} can be on a failing run{how}; their lines are marked |"),
    };
    line(out, &text);
    line(out, "");
    painted_lines(out, &projection.lines, source, marks, style);
}

/// Prints the source; the lines of the projection are marked.
pub(super) fn painted_lines(
    out: &mut String,
    lit: &[u32],
    source: &str,
    marks: &paint::LineMarks,
    style: Style,
) {
    let width = source.lines().count().to_string().len().max(3);
    for (number, text) in (1u32..).zip(source.lines()) {
        let mut row = String::new();
        if lit.binary_search(&number).is_ok() {
            let _ = write!(
                row,
                "{} {} {text}",
                style.dim(&format!("{number:>width$}")),
                style.fault("|")
            );
        } else {
            let mark = if marks.dim.binary_search(&number).is_ok() { "·" } else { " " };
            let _ =
                write!(row, "{}", style.dim(format!("{number:>width$} {mark} {text}").trim_end()));
        }
        line(out, &row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::{Checks, DataModel, Dialect, EffectiveOptions, Globals};
    use crate::wire::report::{Analysis, ErrorKind};
    use crate::wire::report::{ErrorReport, ProjectedBy, Statistics, Value, Values, Verdict};
    use crate::wire::step::{Change, Element};

    fn entry(
        line: u32,
        procedure: &str,
        depth: u32,
        statement: &str,
        values: &[(&str, i128)],
    ) -> TraceEntry {
        let values =
            Values(values.iter().map(|(name, n)| (name.to_string(), Value::Number(*n))).collect());
        TraceEntry {
            line,
            procedure: procedure.into(),
            thread: 0,
            statement: statement.into(),
            values,
            depth,
            globals: 1,
            edge: None,
            ..TraceEntry::default()
        }
    }

    fn sets(name: &str, after: i128, entry: TraceEntry) -> TraceEntry {
        let change = Change {
            element: Element { place: name.into(), variable: name.into(), indices: Vec::new() },
            before: Some(Value::Number(0)),
            after: Value::Number(after),
            frame: None,
            character: false,
        };
        TraceEntry { changes: vec![change], ..entry }
    }

    fn report() -> Report {
        let options = EffectiveOptions {
            dialect: Dialect::Cimple,
            bits: 4,
            open_width: false,
            globals: Globals::Any,
            checks: Checks::default(),
            error: None,
            reach: None,
            label: None,
            switches: None,
            heap: None,
            model: DataModel::default(),
            rules: Vec::new(),
            function: None,
            array: None,
        };
        Report {
            checked: 1,
            error: Some(ErrorReport::new(
                6,
                ErrorKind::Assertion,
                "assert(x != 2) does not hold".into(),
                Some("x is 2".into()),
            )),
            trace: Some(vec![
                sets("x", 1, entry(4, "main", 0, "x = 1", &[("x", 7)])),
                entry(5, "main", 0, "up(3)", &[("x", 1)]),
                sets("x", 2, entry(2, "up", 1, "x = x + 1", &[("x", 1), ("n", 3)])),
                entry(2, "up", 1, "skip", &[("x", 2), ("n", 3)]),
                entry(6, "main", 0, "assert(x != 2)", &[("x", 2)]),
            ]),
            shortest: Some(true),
            projection: Some(ProjectionReport {
                overestimate: false,
                lines: vec![2, 4, 5, 6],
                nodes: 4,
                of: 5,
                method: ProjectedBy::Functional,
                bits: None,
                slice: None,
                through: None,
            }),
            statistics: Statistics { peak_nodes: 10, steps: 20, bytes: 30 },
            ..Report::new(Analysis::Projection, Verdict::Unsafe, options)
        }
    }

    /// A statement on each of these lines. All but line 7 are in the projection.
    fn statements(lines: &[u32]) -> Vec<StatementView> {
        let view = |line: &u32| StatementView {
            id: *line,
            location: *line,
            line: *line,
            text: String::new(),
            outcome: String::new(),
            hidden: false,
            reached: true,
            passed: false,
            lit: *line != 7,
        };
        lines.iter().map(view).collect()
    }

    const SOURCE: &str = "int x;\nvoid up(int n) { x = x + 1; }\nvoid main() {\n  x = 1;\n  up(3);\n  assert(x != 2);\n  x = 0;\n}\n";

    #[test]
    fn a_report_reads_from_top_to_bottom() {
        let text =
            render(&report(), SOURCE, &statements(&[2, 4, 5, 6, 7]), Style { colour: false });
        let expected = "\
It can fail: assertion at line 6
  assert(x != 2) does not hold
  x is 2
  for 4-bit integers, uninitialised globals arbitrary, checks: bounds, division

A shortest failing run: 5 statements; it starts with x = 7

  step  line  procedure  statement       then
     1     4  main       x = 1           x = 1
     2     5  main       up(3)           n = 3
     3     2    up       x = x + 1       x = 2
     4     2    up       skip
     5     6  main       assert(x != 2)  fails

4 of 5 reachable statements can be on a failing run; their lines are marked |

  1   int x;
  2 | void up(int n) { x = x + 1; }
  3   void main() {
  4 |   x = 1;
  5 |   up(3);
  6 |   assert(x != 2);
  7 ·   x = 0;
  8   }

at most 10 decision-diagram nodes at once, 20 steps
";
        assert_eq!(text, expected);
    }

    #[test]
    fn colours_only_where_wanted() {
        assert!(
            render(&report(), SOURCE, &[], Style { colour: true }).contains("\u{1b}[31m|\u{1b}[0m")
        );
        assert!(!render(&report(), SOURCE, &[], Style { colour: false }).contains('\u{1b}'));
    }
}
