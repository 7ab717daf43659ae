//! The verdict as JUnit's XML, as build servers read it: one test case for each line that checks
//! something.
//!
//! If the whole program is safe, every case passed. Else each line is decided by itself, as
//! `--error LINE` does, with the same budgets for each; the clock is one for all. A failed case has
//! its failing run. A limit is no error of the program, so a case that it left open is skipped,
//! with the limit's name. Only a defect of Faultline itself is an error.

use super::arguments::Common;
use super::clock::Clock;
use super::text::{self, Style};
use crate::draw::svg::escape;
use crate::draw::{failure, widths, words};
use crate::lang::model::Program;
use crate::report;
use crate::session::{Session, Task};
use crate::util::Limit;
use crate::wire::options::RequestedOptions;
use crate::wire::report::{Report, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is checked on a line.
struct Checked {
    procedure: String,
    /// `assertion: assert(x > 0)`, several with semicolons between.
    what: Vec<String>,
}

/// What came out.
enum Outcome {
    Passed,
    Failed { kind: &'static str, message: String, run: String },
    Open { limit: Limit, message: String },
    Defect(String),
}

impl Outcome {
    fn of(report: &Report) -> Outcome {
        if let Some(fault) = &report.fault {
            return Outcome::Defect(fault.clone());
        }
        match (report.verdict, &report.error) {
            (Verdict::Safe, _) => Outcome::Passed,
            (Verdict::Unsafe, error) => Outcome::Failed {
                kind: error.as_ref().map_or("error", |error| error.kind.word()),
                message: error.as_ref().map_or_else(|| words::headline(report), failure::sentence),
                run: run(report),
            },
            (Verdict::Unknown, _) => {
                let mut message = words::headline(report);
                if let Some(found) = &report.widths {
                    message.push_str(&format!(". {}", widths::detail(found)));
                }
                Outcome::Open { limit: report.limit.unwrap_or(Limit::Time), message }
            }
        }
    }
}

/// Decides every line and prints the suite. `whole`: the report of the program as a whole, which
/// `session` made. The verdict: unsafe if a case failed, safe if all passed, else unknown.
pub(super) fn render(
    common: &Common,
    session: &Session,
    whole: &Report,
    source: &str,
    clock: &Clock,
) -> (String, Verdict) {
    let requested = common.requested();
    let lines = session.program().map(|program| checked(program, requested.error));
    let mut cases = Vec::new();
    for (line, checked) in lines.unwrap_or_default() {
        let outcome = match whole.verdict {
            Verdict::Safe => Outcome::Passed,
            _ if decides(whole, line, requested.error) => Outcome::of(whole),
            _ if clock.is_over() => {
                Outcome::Open { limit: Limit::Time, message: words::no_answer(Some(Limit::Time)) }
            }
            _ => decided(common, &requested, line, source, clock),
        };
        let name = format!("line {line}, {}", checked.what.join("; "));
        cases.push((checked.procedure, name, outcome));
    }
    if cases.is_empty() {
        cases.push((String::new(), "no run fails".to_string(), Outcome::of(whole)));
    }
    let count = |fits: fn(&Outcome) -> bool| cases.iter().filter(|case| fits(&case.2)).count();
    let failed = count(|outcome| matches!(outcome, Outcome::Failed { .. }));
    let open = count(|outcome| matches!(outcome, Outcome::Open { .. }));
    let defects = count(|outcome| matches!(outcome, Outcome::Defect(_)));
    let counts = format!("tests=\"{}\" failures=\"{failed}\" errors=\"{defects}\"", cases.len());
    let file = common.file.to_string_lossy();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"Faultline\" {counts}>");
    let _ = writeln!(out, "  <testsuite name=\"{}\" {counts} skipped=\"{open}\">", escape(&file));
    let _ = writeln!(
        out,
        "    <properties>\n      <property name=\"verdict\" value=\"{}\"/>\n      <property name=\"holds\" value=\"{}\"/>\n    </properties>",
        escape(&words::headline(whole)),
        escape(&words::holds_for(&whole.options))
    );
    cases.iter().for_each(|(procedure, name, outcome)| case(&mut out, procedure, name, outcome));
    out.push_str("  </testsuite>\n</testsuites>\n");
    let verdict = match (failed, open + defects) {
        (0, 0) => Verdict::Safe,
        (0, _) => Verdict::Unknown,
        _ => Verdict::Unsafe,
    };
    (out, verdict)
}

/// The lines that check something, or the one that was asked for.
fn checked(program: &Program, only: Option<u32>) -> BTreeMap<u32, Checked> {
    let mut lines: BTreeMap<u32, Checked> = BTreeMap::new();
    for id in program.edge_ids() {
        let checks = program.edge(id).checks.iter();
        let checks = checks.flat_map(|check| {
            program.lines_of(id, check).into_iter().map(move |line| (line, check))
        });
        for (line, check) in checks.filter(|(line, _)| only.is_none_or(|only| only == *line)) {
            let found = lines.entry(line).or_insert_with(|| Checked {
                procedure: program.procedure(program.owner(id)).name.clone(),
                what: Vec::new(),
            });
            let what = format!("{}: {}", check.kind, check.message);
            if !found.what.contains(&what) {
                found.what.push(what);
            }
        }
    }
    lines
}

/// Is the report of the whole program the answer for this line, too?
fn decides(whole: &Report, line: u32, only: Option<u32>) -> bool {
    let fails_here = whole.error.as_ref().is_some_and(|error| error.line == line);
    only == Some(line) || whole.verdict == Verdict::Unsafe && fails_here
}

/// Decides one line by itself.
fn decided(
    common: &Common,
    requested: &RequestedOptions,
    line: u32,
    source: &str,
    clock: &Clock,
) -> Outcome {
    let requested = RequestedOptions { error: Some(line), ..requested.clone() };
    let (mut session, _) = Session::load(source, &requested);
    session.use_portfolio(&requested);
    clock.start(&mut session, Task::Check, common.budgets());
    clock.run(&mut session);
    Outcome::of(&report::report(&session))
}

/// The failing run as text.
fn run(report: &Report) -> String {
    let mut out = String::new();
    text::line(&mut out, &format!("{}.", words::capitalised(&words::holds_for(&report.options))));
    if let Some(trace) = report.trace.as_deref().filter(|trace| !trace.is_empty()) {
        text::line(&mut out, "");
        let headline = words::run_headline(trace.len(), report.shortest, report.options.reach);
        text::table(&mut out, &headline, trace, Style { colour: false });
    }
    out
}

fn case(out: &mut String, procedure: &str, name: &str, outcome: &Outcome) {
    let named = format!("<testcase classname=\"{}\" name=\"{}\"", escape(procedure), escape(name));
    // Written line by line: `escape` has no line ends.
    let lines = |text: &str| text.lines().map(escape).collect::<Vec<_>>().join("\n");
    let told = match outcome {
        Outcome::Passed => {
            let _ = writeln!(out, "    {named}/>");
            return;
        }
        Outcome::Failed { kind, message, run } => format!(
            "<failure type=\"{kind}\" message=\"{}\">{}</failure>",
            escape(message),
            lines(run)
        ),
        Outcome::Open { limit, message } => {
            format!("<skipped type=\"{limit}\" message=\"{}\"/>", escape(message))
        }
        Outcome::Defect(message) => {
            format!("<error type=\"defect\" message=\"{}\"/>", escape(message))
        }
    };
    let _ = writeln!(out, "    {named}>\n      {told}\n    </testcase>");
}
