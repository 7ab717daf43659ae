//! The error projection: which statements can take part in a failure. The control-flow graph, the
//! selected statement, and the failing run.

mod asking;
mod choosing;
mod questions;
mod said;
mod state;
mod tab;
mod through;
#[cfg(feature = "ui")]
mod view;

pub(crate) use state::Projection;
