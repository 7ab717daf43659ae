//! The kernel against truth tables and against the crate `boolean_expression`; bit-vectors against
//! machine arithmetic.
#![allow(clippy::unwrap_used)]

#[path = "../support/reachable_squares.rs"]
mod reachable_squares;
#[path = "../support/mod.rs"]
mod support;

mod bitvectors;
mod budgets;
mod depth;
mod operations;
mod readable;
mod workload;
