//! Tests of the front end and of the interpreter, through their public functions.

mod dump;
mod paper_programs;
