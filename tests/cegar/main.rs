//! The refinement loop: whole runs on the paper's programs, and on random ones against post\*; and
//! counterexample DAGs with their interpolants (`dag`).
#![allow(unreachable_pub, missing_docs, clippy::unwrap_used)]

mod abstraction;
mod dag;
mod figures;
mod following;
mod limits;
mod random;
mod reading;
mod runs;
#[path = "../support/mod.rs"]
mod support;
