//! Tests of the front end and of the interpreter, through their public functions.

mod diagnostics;
mod dump;
mod execution;
mod lowering;
mod options;
mod paper_programs;
mod robustness;
