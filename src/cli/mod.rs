//! The native command `faultline`: reads a program, runs an analysis under budgets and a clock,
//! prints a report.
//!
//! Exit codes: 0 safe (a raw pushdown system: not reachable), 1 an error found (reachable), 2 bad
//! input or usage (diagnostics on standard error), 3 unknown.

mod affine;
mod arguments;
mod cegar;
mod check;
mod clock;
mod console;
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

use crate::session::Task;
use crate::wire::report::Verdict;
use arguments::{Analysis, Arguments, Projection};
use clap::Parser;
use questions::Questions;
use std::process::ExitCode;

/// The command: arguments and standard input in; report, diagnostics and exit code out.
pub fn main() -> ExitCode {
    let verdict = match Arguments::parse().analysis {
        Analysis::Check(common) => check::print(&common, Task::Check, &[], &Questions::default()),
        Analysis::Projection(Projection { common, method, through, stores, condition, why }) => {
            let questions = Questions { stores, condition, why };
            check::print(&common, Task::Projection(method), &through, &questions)
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
            console::tell(&complaint);
            ExitCode::from(2)
        }
    }
}
