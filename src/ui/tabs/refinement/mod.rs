//! The refinement loop: rounds and their phases, counterexample DAGs with their interpolants, the
//! abstract program, heuristics to be compared.
//!
//! The worker runs the loop to its end and keeps it; a round is read off it when it is shown.

mod asking;
mod events;
mod folds;
mod pair;
mod run;
mod said;
mod state;
mod tab;
#[cfg(feature = "ui")]
mod view;

pub(crate) use state::Refinement;
