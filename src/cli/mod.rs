//! The native command `faultline`: reads a program, runs an analysis under budgets and a clock, prints a report.
//!
//! Exit codes: 0 safe, 1 an error found, 2 bad input or usage (diagnostics on stderr), 3 unknown.

mod arguments;
mod diagnostics;
mod json;
mod text;

pub use arguments::{Analysis, Arguments, Common, DialectName, Format, GlobalsName, Method, Planned, Projection};
