//! `faultline ltl` and `faultline terminates`: does every run satisfy a formula, does every run
//! end?

use super::arguments::{Common, Format, Ltl, RefineFormula, Terminates};
use super::clock::Clock;
use super::console;
use super::liveness_rounds;
use super::text::{Style, line, table_to};
use crate::analysis::liveness::raw_program::{RawProgram, program_of};
use crate::draw::liveness as words;
use crate::lang::raw::RawSystem;
use crate::report::json;
use crate::report::liveness::{liveness_refusal, liveness_report};
use crate::report::liveness_rounds::liveness_rounds as rounds_of;
use crate::session::{LivenessQuestion, LivenessSession};
use crate::wire::liveness::{
    LassoEnding, LassoReport, LivenessAsk, LivenessReport, LivenessVerdict, asked_in, is_fair_in,
};
use crate::wire::report::Verdict;
use std::rc::Rc;

/// Decides a formula: the one that is given, or that of the program's directive.
pub(super) fn print_formula(arguments: &Ltl) -> Result<Verdict, String> {
    print(&arguments.common, arguments.fair, &arguments.refining, |source| {
        let asked = || {
            asked_in(source).into_iter().find_map(|ask| match ask {
                LivenessAsk::Formula(formula) => Some(formula),
                LivenessAsk::Termination => None,
            })
        };
        let formula = arguments.ltl.clone().or_else(asked).ok_or_else(|| {
            "faultline: give a formula by --ltl, or in the program: //! ltl = FORMULA\n".to_string()
        })?;
        Ok(LivenessQuestion::Formula(formula))
    })
}

/// Decides termination.
pub(super) fn print_termination(arguments: &Terminates) -> Result<Verdict, String> {
    print(&arguments.common, arguments.fair, &arguments.refining, |_| {
        Ok(LivenessQuestion::Termination)
    })
}

fn print(
    common: &Common,
    fair: bool,
    refining: &RefineFormula,
    question: impl Fn(&str) -> Result<LivenessQuestion, String>,
) -> Result<Verdict, String> {
    common.refuse_formats(&[])?;
    common.refuse_proofs()?;
    let (mut session, source) = console::load(common)?;
    let raw = session.raw().map(|raw| raw_program(raw.system(), refining));
    let raw = raw.transpose().map_err(|message| format!("faultline: {message}\n"))?;
    let program = match &raw {
        Some(raw) => Rc::clone(&raw.program),
        None => console::program(&session, "the text is neither a program nor a system")?,
    };
    let question = question(&source)?;
    let clock = Clock::new(common, &mut session);
    let (options, fair, budgets) =
        (session.options(), fair || is_fair_in(&source), common.budgets());
    let made = match &raw {
        Some(raw) => LivenessSession::of_raw(raw, options, &question, fair, budgets, None),
        None => {
            let program = Rc::clone(&program);
            LivenessSession::new(program, &source, options, &question, fair, budgets, None)
        }
    };
    let mut job = made.map_err(|refusal| {
        let formula = match &question {
            LivenessQuestion::Formula(formula) => formula.as_str(),
            LivenessQuestion::Termination => "",
        };
        let mistake = liveness_refusal(formula, &refusal);
        let (start, length) = (mistake.start as usize, (mistake.end - mistake.start).max(1));
        let place = match formula {
            "" => String::new(),
            _ => format!("  {formula}\n  {}{}\n", " ".repeat(start), "^".repeat(length as usize)),
        };
        format!("faultline: {}\n{place}", mistake.message)
    })?;
    if refining.refine {
        job = job.refined(refining.max_rounds);
    }
    clock.run(&mut job);
    let mut report = liveness_report(&program, session.options(), &job);
    report.refinement = rounds_of(&program, &mut job);
    console::print(&match common.format {
        Format::Json => json::render(&report),
        _ => text(&report, Style::of_output()),
    })?;
    console::suggest_width(&report.options, report.limit);
    Ok(match report.verdict {
        LivenessVerdict::Holds => Verdict::Safe,
        LivenessVerdict::Violated => Verdict::Unsafe,
        LivenessVerdict::Unknown => Verdict::Unknown,
    })
}

/// A pushdown system as a program. It is not refined: its places have no formulas that are worth
/// to be read.
fn raw_program(system: &RawSystem, refining: &RefineFormula) -> Result<RawProgram, String> {
    if refining.refine {
        return Err("--refine is about programs; a pushdown system is searched itself".to_string());
    }
    program_of(system)
}

fn text(report: &LivenessReport, style: Style) -> String {
    let mut out = String::new();
    line(&mut out, &style.strong(&words::headline(report)));
    if let Some(formula) = &report.formula {
        line(&mut out, &format!("  {formula}"));
    }
    line(&mut out, &format!("  {}", crate::draw::words::holds_for(&report.options)));
    line(&mut out, &format!("  {}", words::what_counts(report)));
    if report.fair {
        line(&mut out, &format!("  {}", words::FAIR));
    }
    if let Some(proof) = words::proved(report) {
        line(&mut out, &format!("  {proof}"));
    }
    if let Some(fault) = &report.fault {
        line(&mut out, &format!("  {fault}"));
    }
    if let Some(lasso) = &report.lasso {
        line(&mut out, "");
        run(&mut out, lasso, style);
    }
    let on_runs = words::statements(report).or_else(|| words::statements_unknown(report));
    if let Some(on_runs) = on_runs {
        line(&mut out, "");
        line(&mut out, &on_runs);
    }
    liveness_rounds::rounds(&mut out, report.refinement.as_deref().unwrap_or_default());
    line(&mut out, "");
    let used = format!(
        "{}, {}",
        crate::draw::words::counted(report.rounds, "round"),
        crate::draw::words::counted(report.steps, "step")
    );
    line(&mut out, &style.dim(&used));
    out
}

fn run(out: &mut String, lasso: &LassoReport, style: Style) {
    let end = match lasso.ends {
        LassoEnding::Cycle => "the cycle begins",
        LassoEnding::End => "the program ends",
        LassoEnding::Failure => "fails",
        LassoEnding::Exit => "ends the program",
    };
    if lasso.prefix.is_empty() {
        line(out, "The run is in its cycle from the start on");
    } else {
        table_to(out, &words::prefix_headline(lasso), &lasso.prefix, end, style);
    }
    if !lasso.cycle.is_empty() {
        line(out, "");
        table_to(out, &words::cycle_headline(lasso), &lasso.cycle, "again from step 1", style);
    }
    line(out, "");
    line(out, &words::growth(lasso));
    if lasso.table.is_empty() {
        return;
    }
    line(out, "");
    line(out, "What holds in each state (the cycle begins at the bar)");
    line(out, "");
    let width = lasso.table.iter().map(|row| row.formula.chars().count()).max().unwrap_or(0);
    let bar = |cells: Vec<String>| {
        let (prefix, cycle) = cells.split_at((lasso.from as usize).min(cells.len()));
        format!("{} | {}", prefix.join(" "), cycle.join(" "))
    };
    let shown = lasso.states.len().min(MOST_STATES);
    let lines: Vec<String> =
        lasso.states[..shown].iter().map(|state| format!("{:>3}", state.line)).collect();
    line(out, &style.dim(&format!("  {:<width$}  {}", "line", bar(lines))));
    for row in &lasso.table {
        let cells = row.values[..shown.min(row.values.len())].iter();
        let cells = cells.map(|value| format!("{:>3}", if *value { "x" } else { "." })).collect();
        line(out, &format!("  {:<width$}  {}", row.formula, bar(cells)));
    }
    if shown < lasso.states.len() {
        line(out, &format!("  … and {} more states", lasso.states.len() - shown));
    }
}

/// The most states in a table.
const MOST_STATES: usize = 24;
