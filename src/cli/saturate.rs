//! `faultline pds`: saturations of pushdown systems, weights of configurations and regular sets,
//! witnesses, transducers.

use super::arguments::{Format, Pds};
use super::clock::Clock;
use super::console;
use crate::report::json;
use crate::report::lab::{lab_report, lab_transfer, lab_weight, lab_witness, problems};
use crate::session::lab::{LabProblem, LabRequest, LabSession};
use crate::wire::diagnostic::DiagnosticView;
use crate::wire::lab::{LabAnswer, LabOptions, LabTask};
use crate::wire::pds::PdsReport;
use crate::wire::report::Verdict;
use std::fmt::Write;

/// Most transitions that are recorded, even if `--max-nodes` allows more.
const MOST_TRANSITIONS: u64 = 200_000;

/// Saturates and prints. Exit codes: 0 done, 3 if a limit was hit.
pub(super) fn print(arguments: &Pds) -> Result<Verdict, String> {
    let common = &arguments.common;
    if common.saturation.is_some() {
        return Err("faultline: --saturation decides between saturations; here --saturate says which one is shown\n".to_string());
    }
    if common.format == Format::Svg {
        return Err("faultline: an automaton is printed as text, json or dot\n".to_string());
    }
    common.refuse_formats(&[Format::Dot])?;
    let (mut session, _) = console::load(common)?;
    let task = arguments.saturate;
    if (arguments.from.is_some() || arguments.to.is_some())
        != (task == LabTask::Transducer && arguments.from.is_some())
    {
        return Err(
            "faultline: --from and --to ask a transducer: add --saturate transducer\n".to_string()
        );
    }
    let options = LabOptions { task, set: arguments.set.clone(), max_steps: common.max_steps };
    let request = LabRequest {
        options: options.clone(),
        max_transitions: common.max_nodes.min(MOST_TRANSITIONS),
        budgets: common.budgets(),
    };
    let set = arguments.set.as_deref().unwrap_or("");
    let mut lab = match LabSession::new(&session, &request) {
        Ok(lab) => lab,
        Err(LabProblem::Limit(limit)) => {
            console::print(&match common.format {
                Format::Json => json::render(&PdsReport::ended(limit, &options, session.options())),
                _ => format!("No answer: {}\n", crate::draw::words::limit_sentence(limit)),
            })?;
            return Ok(Verdict::Unknown);
        }
        Err(problem) => return Err(complaint(&problems(problem, (set, "")).0, set)),
    };
    Clock::new(common, &mut session).run(&mut lab);
    let mut report = PdsReport::new(&lab_report(&mut lab, &options), session.options());
    if let Some(set) = &arguments.weight {
        report.weight = Some(checked(lab_weight(&mut lab, 0, set, None), (set, ""))?);
    }
    if let (Some(from), Some(to)) = (&arguments.from, &arguments.to) {
        report.weight = Some(checked(lab_transfer(&mut lab, from, to), (from, to))?);
    }
    if let Some(transition) = arguments.witness_of {
        match lab_witness(&mut lab, 0, transition, None) {
            Ok(Some(witness)) => report.witness = Some(witness),
            Ok(None) => {
                return Err(format!(
                    "faultline: there is no transition {transition}; the text numbers them from 0\n"
                ));
            }
            Err(limit) => report.limit = Some(limit),
        }
    }
    console::print(&match common.format {
        Format::Json => json::render(&report),
        Format::Dot => report.dot(),
        _ => report.text(),
    })?;
    Ok(if report.is_complete() { Verdict::Safe } else { Verdict::Unknown })
}

fn checked(answer: LabAnswer, (first, second): (&str, &str)) -> Result<LabAnswer, String> {
    match (&answer.problems[..], &answer.problems_to[..]) {
        ([], []) => Ok(answer),
        ([], found) => Err(complaint(found, second)),
        (found, _) => Err(complaint(found, first)),
    }
}

/// A message for each problem with a set; it marks the place in the set.
fn complaint(found: &[DiagnosticView], set: &str) -> String {
    let mut out = String::new();
    for problem in found {
        let units: Vec<u16> = set.encode_utf16().collect();
        let before = (problem.from as usize).min(units.len());
        let _ = writeln!(out, "faultline: {}", problem.message);
        if !set.is_empty() {
            let width = (problem.to.saturating_sub(problem.from)).max(1) as usize;
            let _ = writeln!(
                out,
                "  {set}\n  {}{}",
                " ".repeat(before),
                "^".repeat(width.min(units.len() - before).max(1))
            );
        }
        let _ = writeln!(out, "  {}", problem.hint);
    }
    out
}
