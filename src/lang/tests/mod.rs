//! Tests of the front end and of the interpreter, through their public functions.

mod boolean_programs;
mod c;
mod c_threads;
mod diagnostics;
mod dump;
mod execution;
mod foreign;
mod initialised;
mod lowering;
mod members;
mod memory;
mod memory_library;
mod options;
mod paper_programs;
mod remopla;
mod robustness;
