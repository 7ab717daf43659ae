//! `faultline focus`: the ways to fail, by rank, with what they assume of the inputs.

use super::arguments::{Focus, Format};
use super::beside::Beside;
use super::clock::Clock;
use super::repair;
use crate::lang::error_states::parse;
use crate::lang::model::{Program, VariableId};
use crate::session::{FocusSession, Outcome, RepairHints, RepairOptions, Task};
use crate::view::focus::{AssumptionReport, FocusReport, SequenceReport, focus_report};
use crate::view::report::Verdict;
use crate::view::words::{error_place, limit_sentence};
use std::fmt::Write;
use std::rc::Rc;

/// Checks, enumerates and prints.
pub(super) fn print(arguments: &Focus) -> Result<Verdict, String> {
    let common = &arguments.common;
    if let Format::Dot | Format::Svg = common.format {
        return Err("faultline: dot and svg are formats of `faultline graph`\n".to_string());
    }
    let (mut session, _) = super::load(common)?;
    let Some(program) = session.program().map(|program| Rc::new(program.clone())) else {
        return Err("faultline: `focus` explains programs; a raw pushdown system has `check` and `projection`\n".to_string());
    };
    if program.concurrency.has_threads() {
        return Err("faultline: `focus` explains programs without threads\n".to_string());
    }
    let mut program = program;
    if !arguments.error_states.is_empty() {
        let states = arguments.error_states.iter().map(|text| parse(&program, text)).collect::<Result<Vec<_>, _>>();
        let states = states.map_err(|error| format!("faultline: --error-state: {error}\n"))?;
        session = session.with_error_states(&states);
        program = session.program().map(|program| Rc::new(program.clone())).unwrap_or(program);
    }
    let program = program;
    named(&program, &arguments.inputs)?;
    let uninterpreted = named(&program, &arguments.uninterpreted)?;
    let clock = Clock::new(common, &mut session);
    session.start(Task::Check, common.budgets());
    clock.run(&mut session);
    // What is left aside during the search can also be infeasible: that is shown of a safe program too.
    let wanted = session.outcome() == Outcome::Unsafe || session.outcome() == Outcome::Safe && !uninterpreted.is_empty();
    let mut focus = wanted.then(|| {
        FocusSession::new(
            Rc::clone(&program),
            session.options().error,
            uninterpreted.clone(),
            arguments.max_sequences as usize,
            common.budgets(),
        )
    });
    if let Some(focus) = &mut focus {
        focus.set_alarm(clock.alarm());
        clock.run(focus);
    }
    let report = focus_report(&session, focus.as_ref(), &arguments.inputs);
    let hints = focus.as_ref().filter(|_| arguments.repairs).map(RepairHints::of_focus);
    let search = hints.and_then(|hints| session.repair(&common.requested(), hints, RepairOptions::default(), common.budgets()));
    let repairs = repair::find(&clock, search);
    super::print(&match common.format {
        Format::Json => super::json::render(&Beside { report: &report, suspects: None, repairs }),
        _ => text(&report) + &repair::text(repairs.as_ref()),
    });
    Ok(report.verdict)
}

/// The variables of these names.
fn named(program: &Program, names: &[String]) -> Result<Vec<VariableId>, String> {
    let mut found = Vec::new();
    for name in names {
        let before = found.len();
        let ids = (0..program.variables.len() as u32).map(VariableId);
        found.extend(ids.filter(|id| program.variable(*id).name == *name));
        if found.len() == before {
            return Err(format!("faultline: no variable is called `{name}`\n"));
        }
    }
    Ok(found)
}

fn text(report: &FocusReport) -> String {
    let mut text = match (report.verdict, &report.error) {
        (Verdict::Unsafe, Some(error)) => format!("Unsafe: {} ({})\n", error.message, error_place(error)),
        (Verdict::Unsafe, None) => "Unsafe\n".to_string(),
        (Verdict::Safe, _) => "Safe: nothing fails\n".to_string(),
        (Verdict::Unknown, _) => "Unknown\n".to_string(),
    };
    for sequence in &report.sequences {
        render(sequence, &mut text);
    }
    if report.undecided > 0 {
        let _ = writeln!(text, "\nNot listed: {} more for which no run was found.", report.undecided);
    }
    match report.limit {
        Some(limit) => {
            let _ = writeln!(text, "\nNot all ways to fail were looked at: {}", limit_sentence(limit));
        }
        None if !report.complete && !report.sequences.is_empty() => text.push_str("\nThere may be more ways to fail.\n"),
        None => {}
    }
    text
}

fn render(sequence: &SequenceReport, text: &mut String) {
    let feasible = if sequence.feasible { "" } else { ", not feasible" };
    let _ = writeln!(text, "\nRank {}: {} statements{feasible}", sequence.rank, sequence.length);
    for statement in &sequence.statements {
        let outcome = if statement.outcome.is_empty() { String::new() } else { format!(": {}", statement.outcome) };
        let mark = if statement.nest && sequence.feasible { "▸" } else { " " };
        let _ = writeln!(text, "{:>5} {mark} {}{outcome}", statement.line, statement.statement);
    }
    if sequence.assumptions.is_empty() {
        text.push_str("  assumes nothing\n");
    }
    for AssumptionReport { text: what, line, deleted } in &sequence.assumptions {
        let deleted = if *deleted { ", reduced" } else { "" };
        let _ = writeln!(text, "  assumes {what}  (line {line}{deleted})");
    }
    let nest: Vec<String> = sequence.nest.iter().map(u32::to_string).collect();
    if !nest.is_empty() {
        let _ = writeln!(text, "  look at lines {} (▸)", nest.join(", "));
    }
}
