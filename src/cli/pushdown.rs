//! Raw pushdown systems on the command line: options that they refuse, and their report as text.

use super::arguments::{Common, Format};
use super::questions::Questions;
use super::text::{Style, line, painted_lines};
use crate::draw::{paint, words};
use crate::session::Task;
use crate::wire::graph::StatementView;
use crate::wire::projection::Method;
use crate::wire::report::{AutomatonReport, PushdownReport, Report, TraceEntry, Verdict};

/// Refuses options that do not apply to a raw pushdown system; refuses `--saturation` for a
/// program.
pub(super) fn refuse_options(common: &Common, raw: bool) -> Result<(), String> {
    if !raw {
        return match common.saturation {
            Some(_) => Err("faultline: --saturation is for raw pushdown systems (.pds, .json), not for programs\n".to_string()),
            None => Ok(()),
        };
    }
    if !common.rule.is_empty() {
        return Err("faultline: --rule is for programs in C\n".to_string());
    }
    if common.invariants {
        return Err(
            "faultline: --invariants is for programs; a raw pushdown system has no variables\n"
                .to_string(),
        );
    }
    if common.witness.is_some() {
        return Err("faultline: --witness is for programs; the format has no pushdown systems\n"
            .to_string());
    }
    Ok(())
}

/// Refuses questions that only programs answer.
pub(super) fn refuse_questions(task: Task, questions: &Questions) -> Result<(), String> {
    if questions.stores.is_some() || questions.why.is_some() {
        return Err(
            "faultline: --stores and --why ask about programs, not about raw pushdown systems\n"
                .to_string(),
        );
    }
    match task {
        Task::Check | Task::Projection(Method::Functional) => Ok(()),
        Task::Projection(_) => Err("faultline: --method is for programs; --saturation says how a pushdown system is decided\n".to_string()),
    }
}

/// Refuses a list of test cases: there is one question, and no assertions.
pub(super) fn refuse_cases(common: &Common) -> Result<(), String> {
    match common.format {
        Format::Junit => Err(
            "faultline: --format junit is for programs; a raw pushdown system has no assertions\n"
                .to_string(),
        ),
        _ => Ok(()),
    }
}

/// The whole report as text.
pub(super) fn render(
    report: &Report,
    source: &str,
    statements: &[StatementView],
    style: Style,
) -> String {
    let mut out = String::new();
    let Some(pushdown) = &report.pushdown else { return out };
    line(&mut out, &style.strong(&words::headline(report)));
    if let Some(target) = &report.error {
        line(&mut out, &format!("  {}", target.message));
    }
    line(
        &mut out,
        &format!(
            "  {}, by {}",
            words::holds_for(&report.options),
            words::decided_by(pushdown.saturation)
        ),
    );
    if let Some(why) = &pushdown.weight_missing {
        line(&mut out, &format!("  least weight not found: {why}"));
    }
    if let Some(effect) = &pushdown.effect {
        line(&mut out, &format!("  {}", words::effect(effect)));
    }
    if let Some(fault) = &report.fault {
        line(&mut out, &format!("  {fault}"));
    }
    if let Some(trace) = report.trace.as_deref() {
        line(&mut out, "");
        let rules = words::counted(trace.len().saturating_sub(1) as u64, "rule");
        run(
            &mut out,
            trace,
            &format!("{} into the target: {rules}", words::pushdown_run(report)),
            style,
        );
    }
    projection(&mut out, report, pushdown, source, statements, style);
    line(&mut out, "");
    for (name, automaton) in [("post*", &pushdown.post), ("pre*", &pushdown.pre)] {
        if let Some(automaton) = automaton {
            line(&mut out, &style.dim(&format!("{name}: {}", size(automaton))));
        }
    }
    let used = &report.statistics;
    let used = format!(
        "at most {} at once, {} looked at",
        words::counted(used.peak_nodes, "transition"),
        words::grouped(used.steps)
    );
    line(&mut out, &style.dim(&used));
    out
}

/// Prints the rules on runs into the target, and the run through some of them.
fn projection(
    out: &mut String,
    report: &Report,
    pushdown: &PushdownReport,
    source: &str,
    statements: &[StatementView],
    style: Style,
) {
    let Some(projection) = &report.projection else {
        if let Some(limit) = report.limit.filter(|_| report.verdict != Verdict::Unknown) {
            line(out, "");
            line(out, &format!("Not finished: {}.", words::limit_sentence(limit)));
        }
        return;
    };
    let (lit, of) = (projection.nodes, words::counted(projection.of.into(), "rule"));
    line(out, "");
    if lit == 0 {
        line(out, &format!("None of the {of} that runs apply leads to a target."));
    } else {
        line(
            out,
            &format!(
                "{lit} of {of} that runs apply are on a run into the target; their lines are marked |"
            ),
        );
        line(out, "");
        let marks = paint::line_marks(statements, Some(report));
        painted_lines(out, &projection.lines, source, &marks, style);
    }
    if let Some(through) = &projection.through {
        line(out, "");
        match through.trace.as_deref().filter(|trace| !trace.is_empty()) {
            Some(trace) => run(out, trace, &words::through_headline(through), style),
            None => line(out, &words::through_headline(through)),
        }
    }
    if let Some(heads) = pushdown.heads.as_deref().filter(|heads| !heads.is_empty()) {
        line(out, "");
        line(out, &format!("State and top of the stack on such a run: {}", listed(heads)));
    }
}

fn size(automaton: &AutomatonReport) -> String {
    let how = if automaton.complete { "saturated" } else { "not saturated" };
    format!(
        "{} and {}, {how}",
        words::counted(automaton.states.into(), "state"),
        words::counted(automaton.transitions.into(), "transition")
    )
}

/// Prints the run: its configurations, each with the rule that is applied to it.
fn run(out: &mut String, trace: &[TraceEntry], headline: &str, style: Style) {
    line(out, headline);
    line(out, "");
    let header = ["step", "line", "configuration", "rule"].map(str::to_string);
    let row = |(number, entry): (usize, &TraceEntry)| {
        [
            (number + 1).to_string(),
            entry.line.to_string(),
            words::configuration(&entry.values),
            entry.statement.clone(),
        ]
    };
    let rows: Vec<[String; 4]> =
        std::iter::once(header).chain(trace.iter().enumerate().map(row)).collect();
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (a, b, c) = (width(0), width(1), width(2).min(60));
    for (number, [step, place, configuration, rule]) in rows.iter().enumerate() {
        let text = format!("  {step:>a$}  {place:>b$}  {configuration:<c$}  {rule}");
        let text = text.trim_end();
        line(
            out,
            &match number {
                0 => style.dim(text),
                last if last + 1 == rows.len() => style.fault(text),
                _ => text.to_string(),
            },
        );
    }
}

/// The first 24 of them, and how many more there are.
fn listed(heads: &[String]) -> String {
    const SHOWN: usize = 24;
    let more = if heads.len() > SHOWN {
        format!(" and {} more", heads.len() - SHOWN)
    } else {
        String::new()
    };
    format!("{}{more}", heads[..heads.len().min(SHOWN)].join(", "))
}
