//! The native command `faultline`: reads a program, runs an analysis under budgets and a clock,
//! prints a report.
//!
//! Exit codes: 0 safe (a raw pushdown system: not reachable), 1 an error found (reachable), 2 bad
//! input or usage (diagnostics on standard error), 3 unknown.

mod affine;
mod arguments;
mod cegar;
mod clock;
mod diagnostics;
mod extended;
mod focus;
mod graph;
mod json;
mod localize;
mod pushdown;
mod questions;
mod reference;
mod repair;
mod saturate;
mod suspects;
mod text;
mod threads;
mod through;
mod witness;

pub use reference::{command, reference};

use crate::lang::diagnostic::Severity;
use crate::lang::model::Program;
use crate::report;
use crate::session::{Session, Task};
use crate::wire::report::{Report, Verdict};
use arguments::{Analysis, Arguments, Common, Format, Projection};
use clap::Parser;
use clock::Clock;
use questions::{Answers, Questions};
use serde::Serialize;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::rc::Rc;
use text::Style;

/// The command: arguments and standard input in; report, diagnostics and exit code out.
pub fn main() -> ExitCode {
    let verdict = match Arguments::parse().analysis {
        Analysis::Check(common) => analyse(&common, Task::Check, &[], &Questions::default()),
        Analysis::Projection(Projection { common, method, through, stores, condition, why }) => {
            let questions = Questions { stores, condition, why };
            analyse(&common, Task::Projection(method), &through, &questions)
        }
        Analysis::Cegar(arguments) => cegar::print(&arguments),
        Analysis::Localize(arguments) => localize::print(&arguments),
        Analysis::Focus(arguments) => focus::print(&arguments),
        Analysis::Threads(arguments) => threads::print(&arguments),
        Analysis::Affine(arguments) => affine::print(&arguments),
        Analysis::Graph(arguments) => graph::print(&arguments),
        Analysis::Pds(arguments) => saturate::print(&arguments),
    };
    match verdict {
        Ok(Verdict::Safe) => ExitCode::from(0),
        Ok(Verdict::Unsafe) => ExitCode::from(1),
        Ok(Verdict::Unknown) => ExitCode::from(3),
        Err(complaint) => {
            tell(&complaint);
            ExitCode::from(2)
        }
    }
}

/// Runs `check` or `projection` and prints the report. `through`: lines that one more failing run
/// goes through. The error is a message about bad input.
fn analyse(
    common: &Common,
    task: Task,
    through: &[u32],
    questions: &Questions,
) -> Result<Verdict, String> {
    common.refuse_pictures()?;
    let (mut session, source) = load(common)?;
    if session.raw().is_some() {
        pushdown::refuse_questions(task, questions)?;
    }
    questions.refuse(&session, task, Style::of_errors())?;
    let sets = match (session.program(), session.raw()) {
        (Some(program), _) => through::statements(program, through)?,
        (None, Some(raw)) => through::rules(raw.system(), through)?,
        (None, None) => Vec::new(),
    };
    let clock = Clock::new(common, &mut session);
    session.start(task, common.budgets());
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
    let printed = match common.format {
        Format::Json => json::render(&Whole { report: &report, answers: &answers }),
        _ if report.pushdown.is_some() => {
            pushdown::render(&report, &source, &report::statements(&session), style)
        }
        _ => text::render(&report, &source, &report::statements(&session), style) + &answers.text(),
    };
    if let Some(path) = &common.witness
        && let Err(complaint) = witness::write(common, path, &mut session)
    {
        tell(&complaint);
    }
    print(&printed);
    Ok(report.verdict)
}

/// The report, and the answers to further questions.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(flatten)]
    answers: &'a Answers,
}

/// Reads the program and prints its warnings to standard error. Gives its text as well. The error
/// is a message about bad input.
fn load(common: &Common) -> Result<(Session, String), String> {
    let source = read(common)?;
    let (session, found) = Session::load(&source, &common.requested());
    let name = common.file.to_string_lossy();
    let messages = diagnostics::render(&name, &source, &found, Style::of_errors());
    if session.program().is_none() && session.raw().is_none()
        || found.iter().any(|d| d.severity == Severity::Error)
    {
        return Err(messages);
    }
    tell(&messages);
    pushdown::refuse_options(common, session.raw().is_some())?;
    Ok((session, source))
}

/// The loaded program. The error is `complaint`, for an analysis that takes no raw pushdown
/// systems.
fn program(session: &Session, complaint: &str) -> Result<Rc<Program>, String> {
    session.shared_program().ok_or_else(|| format!("faultline: {complaint}\n"))
}

/// Writes to standard output. A reader that has gone away (`| head`) changes no verdict.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Reads the whole file as text.
fn read(common: &Common) -> Result<String, String> {
    let name = common.file.display();
    let bytes = if common.file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(&common.file)
    };
    let bytes = bytes.map_err(|error| format!("faultline: cannot read {name}: {error}\n"))?;
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        format!("faultline: {name} is no text: byte {place} is not UTF-8\n")
    })
}

/// Writes a message to standard error. A closed standard error changes nothing else.
fn tell(message: &str) {
    let _ = std::io::stderr().write_all(message.as_bytes());
}
