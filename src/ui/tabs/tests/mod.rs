//! Tests: what a program should print for an input, run exactly; hints that a person opens one by
//! one; and a reference solution, with an input on which both differ.

mod exercise;
mod said;
mod state;
mod stepping;
mod tab;
#[cfg(feature = "ui")]
mod view;

pub(crate) use state::Tests;
