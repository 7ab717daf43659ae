//! The native command `faultline`: reads a program, runs an analysis under budgets and a clock, prints a report.
//!
//! Exit codes: 0 safe, 1 an error found, 2 bad input or usage (diagnostics on stderr), 3 unknown.

mod arguments;
mod diagnostics;
mod json;
mod text;

pub use arguments::{Analysis, Arguments, Common, DialectName, Format, GlobalsName, Method, Planned, Projection};

use crate::lang::diagnostic::Severity;
use crate::view::report::{Report, Verdict};
use clap::{Parser, ValueEnum};
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Bad input or usage.
const REFUSED: u8 = 2;

/// What the command does: arguments in, reports and diagnostics out, exit code.
pub fn main() -> ExitCode {
    match run(Arguments::parse().analysis) {
        Ok(verdict) => ExitCode::from(match verdict {
            Verdict::Safe => 0,
            Verdict::Unsafe => 1,
            Verdict::Unknown => 3,
        }),
        Err(complaint) => {
            // Nobody is left to tell if standard error is closed.
            let _ = std::io::stderr().write_all(complaint.as_bytes());
            ExitCode::from(REFUSED)
        }
    }
}
