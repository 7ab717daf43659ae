//! Raw pushdown systems: front ends, the three ways to decide reachability, runs, projection. (The
//! corpus is in `tests/corpus`.)

mod command;
mod fuzz;
mod golden;
mod limits;
mod oracle;
mod printing;
mod reading;
mod relations;
mod systems;
mod through;
mod variables;
mod weights;

#[path = "../support/mod.rs"]
mod support;
