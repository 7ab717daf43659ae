//! The kernel against truth tables and against the crate `boolean_expression`; bit-vectors against machine arithmetic.

#[path = "../support/mod.rs"]
mod support;

mod bitvectors;
