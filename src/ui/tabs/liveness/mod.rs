//! Liveness: does every run satisfy a formula of linear temporal logic, does every run end? A run
//! that does not is a lasso, which is stepped round.

mod said;
mod state;
mod tab;
#[cfg(feature = "ui")]
mod view;

pub(crate) use state::Liveness;
