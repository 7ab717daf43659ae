//! `faultline check` and `faultline projection`: the verdict, a failing run, the statements on
//! failing runs.

use super::arguments::{Common, Format};
use super::clock::Clock;
use super::questions::{Answers, Questions};
use super::text::{self, Style};
use super::{console, junit, pushdown, sarif, through, witness};
use crate::report;
use crate::report::json;
use crate::session::Task;
use crate::wire::report::{Report, Verdict};
use serde::Serialize;

/// Runs `check` or `projection` and prints the report. `through`: lines that one more failing run
/// goes through. The error is a message about bad input.
pub(super) fn print(
    common: &Common,
    task: Task,
    through: &[u32],
    questions: &Questions,
) -> Result<Verdict, String> {
    refuse_format(common, task, through, questions)?;
    let (mut session, source) = console::load(common)?;
    if session.raw().is_some() {
        pushdown::refuse_questions(task, questions)?;
        pushdown::refuse_cases(common)?;
    }
    questions.refuse(&session, task, Style::of_errors())?;
    let sets = match (session.program(), session.raw()) {
        (Some(program), _) => through::statements(program, through)?,
        (None, Some(raw)) => through::rules(raw.system(), through)?,
        (None, None) => Vec::new(),
    };
    session.use_portfolio(&common.requested());
    session.list_failures();
    let clock = Clock::new(common, &mut session);
    clock.start(&mut session, task, common.budgets());
    clock.run(&mut session);
    if !sets.is_empty() && session.seek_through(sets) {
        clock.run(&mut session);
    }
    let mut report = report::report(&session);
    if common.invariants {
        report.invariant = report::invariants(&mut session);
    }
    let answers = questions.ask(&mut session, &clock);
    let style = Style::of_output();
    let mut verdict = report.verdict;
    let printed = match common.format {
        Format::Sarif => sarif::render(&report, &common.file, &source),
        Format::Junit => {
            let (printed, of_all) = junit::render(common, &session, &report, &source, &clock);
            verdict = of_all;
            printed
        }
        Format::Json => json::render(&Whole { report: &report, answers: &answers }),
        _ if report.pushdown.is_some() => {
            // Systems have many rules, and only a projection shows them.
            let shown = report.projection.is_some();
            let statements = if shown { report::statements(&session) } else { Vec::new() };
            pushdown::render(&report, &source, &statements, style)
        }
        _ => text::render(&report, &source, &report::statements(&session), style) + &answers.text(),
    };
    // The report is printed even if the witness cannot be written.
    let written = match &common.witness {
        Some(path) => witness::write(common, path, &mut session),
        None => Ok(()),
    };
    console::print(&printed)?;
    written.map(|()| verdict)
}

/// Refuses a format that this analysis does not have, and what SARIF and JUnit have no place for.
fn refuse_format(
    common: &Common,
    task: Task,
    through: &[u32],
    questions: &Questions,
) -> Result<(), String> {
    common.refuse_formats(match task {
        Task::Check => &[Format::Sarif, Format::Junit],
        Task::Projection(_) => &[Format::Sarif],
    })?;
    let is_report = matches!(common.format, Format::Text | Format::Json);
    let is_asked = common.invariants || !through.is_empty() || !questions.is_empty();
    match is_asked && !is_report {
        true => {
            Err("faultline: --invariants, --through, --stores and --why are for text and json\n"
                .to_string())
        }
        false => Ok(()),
    }
}

/// The report, and the answers to further questions.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(flatten)]
    answers: &'a Answers,
}
