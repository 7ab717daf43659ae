//! `faultline localize`: failing runs, each with what it does that no correct run does.

use super::arguments::{Format, Localize};
use super::clock::Clock;
use super::extended::Extended;
use super::text::{self, Style, line, table};
use super::{console, repair, suspects};
use crate::draw::words;
use crate::lang::model::{ProcedureId, Program};
use crate::report::json;
use crate::report::localize::localize_report;
use crate::session::{LocalizeOptions, RepairOptions};
use crate::wire::localize::Alignment;
use crate::wire::localize::Variant;
use crate::wire::localize::{CauseReport, LocalizeReport};
use crate::wire::report::{Report, TraceEntry, Verdict};

/// Analyses and prints. The exit code is the verdict's.
pub(super) fn print(arguments: &Localize) -> Result<Verdict, String> {
    let common = &arguments.common;
    common.refuse_formats(&[])?;
    common.refuse_proofs()?;
    let (mut session, source) = console::load(common)?;
    let program = console::program(
        &session,
        "`localize` is for programs; a raw pushdown system has no assertions that a correct run \
         could pass",
    )?;
    let options = LocalizeOptions {
        variant: arguments.variant,
        trusted: trusted(&program, &arguments.trust)?,
        dependent: arguments.dependent,
        refined: arguments.refined,
        max_traces: arguments.max_traces,
    };
    let clock = Clock::new(common, &mut session);
    let Some(mut localization) = session.localize(options, common.budgets()) else {
        return Err(String::new());
    };
    clock.run(&mut localization);
    let report = localize_report(&localization);
    let asked =
        arguments.suspects.then(|| localization.suspects(&common.requested(), common.budgets()));
    let suspects = suspects::find(&clock, asked.flatten());
    let wanted = arguments.repairs.then(|| {
        localization.repair(&common.requested(), RepairOptions::default(), common.budgets())
    });
    let repairs = repair::find(&clock, wanted.flatten());
    let style = Style::of_output();
    console::print(&match common.format {
        Format::Json => json::render(&Extended { report: &report, suspects, repairs }),
        _ => {
            render(&report, &source, style)
                + &suspects::text(suspects.as_ref())
                + &repair::text(repairs.as_ref())
        }
    })?;
    let open = report.report.verdict == Verdict::Unknown;
    console::suggest_width(&report.report.options, report.report.limit.filter(|_| open));
    Ok(report.report.verdict)
}

fn trusted(program: &Program, names: &[String]) -> Result<Vec<ProcedureId>, String> {
    let find = |name: &String| {
        let found = program.procedures.iter().position(|procedure| procedure.name == *name);
        found
            .map(|k| ProcedureId(k as u32))
            .ok_or_else(|| format!("faultline: --trust: there is no procedure `{name}`\n"))
    };
    names.iter().map(find).collect()
}

fn render(report: &LocalizeReport, source: &str, style: Style) -> String {
    if report.report.verdict != Verdict::Unsafe || report.causes.is_empty() {
        let is_unsafe = report.report.verdict == Verdict::Unsafe;
        // The limit ended the search for causes: `ending` says that.
        let limit = report.report.limit.filter(|_| !is_unsafe);
        let mut out = text::render(&Report { limit, ..report.report.clone() }, source, &[], style);
        if is_unsafe {
            line(&mut out, "");
            line(&mut out, &format!("{}.", report.ending));
        }
        return out;
    }
    let mut out = String::new();
    line(&mut out, &style.strong(&words::headline(&report.report)));
    line(&mut out, &format!("  {}", words::holds_for(&report.report.options)));
    if !report.trusted.is_empty() {
        line(&mut out, &format!("  never blamed: {}", report.trusted.join(", ")));
    }
    if report.dependent {
        line(&mut out, "  only causes on which what fails depends");
    }
    if report.refined {
        line(&mut out, "  correct is what a run of the refined abstraction does");
    }
    for (number, cause) in (1u32..).zip(&report.causes) {
        line(&mut out, "");
        one(&mut out, number, cause, source, style);
    }
    line(&mut out, "");
    line(&mut out, &format!("{}.", report.ending));
    line(&mut out, "");
    let used = &report.report.statistics;
    line(&mut out, &style.dim(&words::counted(used.steps, "step")));
    out
}

fn one(out: &mut String, number: u32, cause: &CauseReport, source: &str, style: Style) {
    let blamed = if cause.lines.is_empty() {
        "no cause".to_string()
    } else {
        format!("cause: {}", words::lines(&cause.lines))
    };
    line(out, &style.strong(&format!("{number}. {}, {blamed}", words::error_place(&cause.error))));
    if let Some(detail) = &cause.error.detail {
        line(out, &format!("  {detail}"));
    }
    let width = source.lines().count().to_string().len().max(3);
    for (at, text) in (1u32..).zip(source.lines()) {
        if cause.lines.contains(&at) {
            line(out, &style.fault(&format!("  {at:>width$} | {text}")));
        }
    }
    line(out, &format!("  {}.", cause.reason));
    for (variant, other) in
        [(Variant::Edges, &cause.by_edges), (Variant::Transitions, &cause.by_transitions)]
    {
        let how = match variant {
            Variant::Edges => "by steps alone",
            Variant::Transitions => "by steps and values",
        };
        let what = format!(
            "{} of {} ({})",
            other.transitions,
            words::counted(cause.transitions.into(), "transition"),
            words::lines(&other.lines)
        );
        line(out, &style.dim(&format!("  {how}: {what}")));
    }
    let work = format!(
        "{} to check, {} to find the cause",
        words::counted(cause.check_steps, "step"),
        words::counted(cause.cause_steps, "step")
    );
    line(out, &style.dim(&format!("  {work}")));
    if let Some(slice) = &cause.slice {
        line(
            out,
            &style.dim(&format!("  the slice, to compare with: {}", words::lines(&slice.lines))),
        );
    }
    line(out, "");
    table(
        out,
        &words::run_headline(cause.trace.len(), Some(cause.shortest), None),
        &cause.trace,
        style,
    );
    line(out, "");
    match (&cause.correct, &cause.alignment, cause.correct_limit) {
        (Some(correct), Some(alignment), _) => {
            let passes = correct.last().and_then(|last| last.edge)
                == cause.trace.last().and_then(|last| last.edge);
            let end = if passes { "holds" } else { "the program ends" };
            text::table_to(
                out,
                &correct_headline(correct, alignment, cause.closest == Some(true)),
                correct,
                end,
                style,
            );
            if let Some(limit) = cause.correct_limit {
                line(
                    out,
                    &style.dim(&format!(
                        "  another correct run may be closer: {}",
                        words::limit_sentence(limit)
                    )),
                );
            }
        }
        (.., Some(limit)) => {
            line(out, &format!("No correct run beside it: {}", words::limit_sentence(limit)))
        }
        _ if number > 1 => line(out, "No run that avoids the causes above is correct."),
        _ => line(out, "No run is correct."),
    }
}

/// The headline of the correct run: how far it goes the same way as the failing one.
fn correct_headline(correct: &[TraceEntry], alignment: &Alignment, is_closest: bool) -> String {
    let parts = match alignment.shared {
        0 => "other from the start".to_string(),
        shared => format!("the same for {}", words::counted(shared.into(), "statement")),
    };
    let way = match alignment.same_way - alignment.shared {
        0 => String::new(),
        more => format!(", then for {more} more with other values"),
    };
    let which = if is_closest { "The closest" } else { "A close" };
    format!(
        "{which} correct run, {}: {parts}{way}",
        words::counted(correct.len() as u64, "statement")
    )
}
