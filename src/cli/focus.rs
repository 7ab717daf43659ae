//! `faultline focus`: the ways to fail, by rank, with what they assume of the inputs.

use super::arguments::{Focus, Format};
use super::clock::Clock;
use super::console;
use super::extended::Extended;
use super::repair;
use crate::draw::words::{counted, headline, holds_for, limit_sentence, line_numbers};
use crate::lang::error_states::parse;
use crate::lang::model::{Program, VariableId};
use crate::report::focus::focus_report;
use crate::report::json;
use crate::session::{FocusSession, Outcome, RepairOptions, Session, Task};
use crate::wire::focus::{AssumptionReport, FocusReport, SequenceReport};
use crate::wire::report::{Report, Verdict};
use std::fmt::Write;

const COMPLAINT: &str =
    "`focus` explains programs; a raw pushdown system has `check` and `projection`";

/// Checks, enumerates and prints.
pub(super) fn print(arguments: &Focus) -> Result<Verdict, String> {
    let common = &arguments.common;
    common.refuse_formats(&[])?;
    common.refuse_proofs()?;
    let (session, _) = console::load(common)?;
    let mut session = with_errors(session, &arguments.error_states)?;
    let program = console::program(&session, COMPLAINT)?;
    named(&program, "--inputs", &arguments.inputs)?;
    let mut inputs: Vec<String> = Vec::new();
    for name in &arguments.inputs {
        if !inputs.contains(name) {
            inputs.push(name.clone());
        }
    }
    let uninterpreted = named(&program, "--uninterpreted", &arguments.uninterpreted)?;
    let clock = Clock::new(common, &mut session);
    clock.start(&mut session, Task::Check, common.budgets());
    clock.run(&mut session);
    // A safe program has no sequences, unless some variables are uninterpreted: their sequences
    // may turn out to be infeasible.
    let wanted = session.outcome() == Outcome::Unsafe
        || session.outcome() == Outcome::Safe && !uninterpreted.is_empty();
    let most = arguments.max_sequences as usize;
    let mut focus = wanted.then(|| {
        let error = session.options().error;
        FocusSession::new(program, error, uninterpreted, most, common.budgets())
    });
    if let Some(focus) = &mut focus {
        clock.run(focus);
    }
    let report = focus_report(&session, focus.as_ref(), &inputs, &arguments.uninterpreted);
    let hints = focus.as_ref().filter(|_| arguments.repairs).map(FocusSession::repair_hints);
    let search = hints.and_then(|hints| {
        session.repair(&common.requested(), hints, RepairOptions::default(), common.budgets())
    });
    let repairs = repair::find(&clock, search);
    console::print(&match common.format {
        Format::Json => json::render(&Extended { report: &report, suspects: None, repairs }),
        _ => text(&crate::report::report(&session), &report) + &repair::text(repairs.as_ref()),
    })?;
    let open = report.verdict == Verdict::Unknown;
    console::suggest_width(&report.options, report.limit.filter(|_| open));
    Ok(report.verdict)
}

/// Makes these states errors of the program. Refuses programs that have no sequences.
fn with_errors(session: Session, states: &[String]) -> Result<Session, String> {
    let program = console::program(&session, COMPLAINT)?;
    if program.concurrency.has_threads() {
        return Err("faultline: `focus` explains programs without threads\n".to_string());
    }
    if states.is_empty() {
        return Ok(session);
    }
    let states = states.iter().map(|text| parse(&program, text)).collect::<Result<Vec<_>, _>>();
    let states = states.map_err(|error| format!("faultline: --error-state: {error}\n"))?;
    Ok(session.with_error_states(&states))
}

/// The variables with these names. The error names the option that gave an unknown name.
fn named(program: &Program, option: &str, names: &[String]) -> Result<Vec<VariableId>, String> {
    let mut found = Vec::new();
    for name in names {
        let before = found.len();
        let ids = (0..program.variables.len() as u32).map(VariableId);
        found.extend(
            ids.filter(|id| {
                program.variable(*id).has_name() && program.variable(*id).name == *name
            }),
        );
        if found.len() == before {
            return Err(format!("faultline: {option}: no variable is called `{name}`\n"));
        }
    }
    Ok(found)
}

fn text(checked: &Report, report: &FocusReport) -> String {
    let mut text = format!("{}\n  {}\n", headline(checked), holds_for(&report.options));
    if let Some(error) = &report.error {
        let _ = writeln!(text, "  {}", error.message);
        if let Some(detail) = &error.detail {
            let _ = writeln!(text, "  {detail}");
        }
    }
    if !report.uninterpreted.is_empty() {
        let _ = writeln!(
            text,
            "  not interpreted during the search: {}",
            report.uninterpreted.join(", ")
        );
    }
    if !report.inputs.is_empty() {
        let _ = writeln!(text, "  assumptions over {} alone", report.inputs.join(", "));
    }
    for sequence in &report.sequences {
        render(sequence, &mut text);
    }
    if report.undecided > 0 {
        let _ =
            writeln!(text, "\nNot listed: {} more for which no run was found.", report.undecided);
    }
    match report.limit {
        // For an unknown verdict the first line has told the limit.
        Some(limit) if report.verdict != Verdict::Unknown => {
            let _ =
                writeln!(text, "\nNot all ways to fail were looked at: {}", limit_sentence(limit));
        }
        None if !report.complete && !report.sequences.is_empty() => {
            text.push_str("\nThere may be more ways to fail.\n")
        }
        _ => {}
    }
    text
}

fn render(sequence: &SequenceReport, text: &mut String) {
    let feasible = if sequence.feasible { "" } else { ", not feasible" };
    let same = sequence.same_as.map_or(String::new(), |earlier| {
        format!(", after Reduce the same as number {}", earlier + 1)
    });
    let _ = writeln!(
        text,
        "\nRank {}: {}{feasible}{same}",
        sequence.rank,
        counted(sequence.length.into(), "statement")
    );
    for statement in &sequence.statements {
        let outcome = if statement.outcome.is_empty() {
            String::new()
        } else {
            format!(": {}", statement.outcome)
        };
        let mark = if statement.nest && sequence.feasible { "▸" } else { " " };
        let _ = writeln!(text, "{:>5} {mark} {}{outcome}", statement.line, statement.statement);
    }
    if sequence.assumptions.is_empty() && sequence.hidden_assumptions == 0 {
        text.push_str("  assumes nothing\n");
    }
    for AssumptionReport { text: what, line, deleted } in &sequence.assumptions {
        let deleted = if *deleted { ", reduced" } else { "" };
        let _ = writeln!(text, "  assumes {what}  (line {line}{deleted})");
    }
    if sequence.hidden_assumptions > 0 {
        let _ = writeln!(
            text,
            "  {} over other variables",
            counted(sequence.hidden_assumptions.into(), "assumption")
        );
    }
    if !sequence.nest.is_empty() {
        let lines = if sequence.nest.len() == 1 { "line" } else { "lines" };
        let _ = writeln!(text, "  look at {lines} {} (▸)", line_numbers(&sequence.nest).join(", "));
    }
}
