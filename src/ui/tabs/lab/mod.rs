//! The pushdown lab: an automaton that saturates step by step, what each step does, weights and
//! witnesses.
//!
//! A recording comes from the worker as a whole; a step in the page only shows and hides.

mod recording;
mod said;
mod state;
mod tab;
#[cfg(feature = "ui")]
mod view;

pub(crate) use state::Lab;
