//! The refinement loop: whole runs on the paper's programs, and on random ones against post\*.
#![allow(unreachable_pub, missing_docs)]

mod abstraction;
mod figures;
#[path = "../oracle/generate/mod.rs"]
mod generate;
mod limits;
mod random;
mod support;
