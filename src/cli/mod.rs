//! The native command `faultline`: reads a program, runs an analysis under budgets and a clock, prints a report.
//!
//! Exit codes: 0 safe, 1 an error found, 2 bad input or usage (diagnostics on standard error), 3 unknown.

mod arguments;
mod diagnostics;
mod graph;
mod json;
mod questions;
mod text;
mod through;
mod witness;

pub use arguments::{Analysis, Arguments, Common, DialectName, Format, GlobalsName, Graph, MethodName, Planned, Projection};

use crate::analysis::error_projection::Method;
use crate::lang::diagnostic::Severity;
use crate::session::{Session, Task};
use crate::util::Limit;
use crate::view;
use crate::view::report::{Report, Verdict};
use clap::{Parser, ValueEnum};
use questions::{Answers, Questions};
use serde::Serialize;
use std::io::{IsTerminal, Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The command: arguments and standard input in; report, diagnostics and exit code out.
pub fn main() -> ExitCode {
    let verdict = match Arguments::parse().analysis {
        Analysis::Check(common) => analyse(&common, Task::Check, &[], &Questions::default()),
        Analysis::Projection(Projection { common, method, through, stores, condition, why }) => {
            analyse(&common, Task::Projection(method.into()), &through, &Questions { stores, condition, why })
        }
        Analysis::Cegar(_) => Err(planned("cegar")),
        Analysis::Localize(_) => Err(planned("localize")),
        Analysis::Focus(_) => Err(planned("focus")),
        Analysis::Threads(_) => Err(planned("threads")),
        Analysis::Affine(_) => Err(planned("affine")),
        Analysis::Graph(arguments) => graph::print(&arguments),
        Analysis::Pds(_) => Err(planned("pds")),
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

fn planned(analysis: &str) -> String {
    format!("faultline: the analysis `{analysis}` is not there yet; there are `check`, `projection` and `graph`\n")
}

/// Reads, runs and prints; `through`: lines that a further run is to go through. The error is what to say about bad input.
fn analyse(common: &Common, task: Task, through: &[u32], questions: &Questions) -> Result<Verdict, String> {
    if let Format::Dot | Format::Svg = common.format {
        return Err("faultline: dot and svg are formats of `faultline graph`; a report is text or json\n".to_string());
    }
    let (mut session, source) = load(common)?;
    questions.refuse(&session, task, std::io::stderr().is_terminal() && colours_wanted())?;
    let sets = match session.program() {
        Some(program) => through::statements(program, through)?,
        None => Vec::new(),
    };
    let end = deadline(common);
    session.start(task, common.budgets());
    run(&mut session, end);
    if !sets.is_empty() && session.seek_through(sets) {
        run(&mut session, end);
    }
    let mut report = view::report(&session);
    if common.invariants {
        report.invariant = view::invariants(&mut session);
    }
    let answers = questions.ask(&mut session, end);
    let style = text::Style { colour: std::io::stdout().is_terminal() && colours_wanted() };
    let printed = match common.format {
        Format::Json => json::render(&Whole { report: &report, answers: &answers }),
        _ => text::render(&report, &source, &view::statements(&session), style) + &answers.text(),
    };
    if let Some(path) = &common.witness
        && let Err(complaint) = witness::write(common, path, &mut session)
    {
        tell(&complaint);
    }
    print(&printed);
    Ok(report.verdict)
}

/// The report, and the answers to what was asked beside it.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(flatten)]
    answers: &'a Answers,
}

/// Reads the program, with its warnings on standard error. The error is what to say about bad input.
fn load(common: &Common) -> Result<(Session, String), String> {
    if let Err(dialect) = common.dialect() {
        let name = dialect.to_possible_value().expect("every dialect has a name on the command line");
        let name = name.get_name();
        return Err(format!("faultline: the dialect `{name}` is not there yet; `--dialect cimple` reads the file as Cimple\n"));
    }
    let source = read(common)?;
    let (session, found) = Session::load(&source, &common.requested());
    let colour = std::io::stderr().is_terminal() && colours_wanted();
    let messages = diagnostics::render(&common.file.to_string_lossy(), &source, &found, colour);
    if session.program().is_none() || found.iter().any(|d| d.severity == Severity::Error) {
        return Err(messages);
    }
    tell(&messages);
    Ok((session, source))
}

/// On standard output. A reader that has gone away (`| head`) changes no verdict.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// The whole file as text.
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

/// When the time will be up, from now on.
fn deadline(common: &Common) -> Option<Instant> {
    common.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds))
}

/// Steps to the end, or until the clock runs out.
fn run(session: &mut Session, end: Option<Instant>) {
    while !session.step() {
        if end.is_some_and(|end| Instant::now() >= end) {
            session.stop(Limit::Time);
        }
    }
}

fn colours_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Says it on standard error, if anybody listens.
fn tell(message: &str) {
    let _ = std::io::stderr().write_all(message.as_bytes());
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Method {
        match name {
            MethodName::Functional => Method::Functional,
            MethodName::PerNode => Method::PerNode,
            MethodName::DoublePrestar => Method::DoublePrestar,
            MethodName::DoublePoststar => Method::DoublePoststar,
            MethodName::Naive => Method::Naive,
        }
    }
}
