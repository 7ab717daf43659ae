//! Threads: the bound on context switches, the interleaved run as swim lanes, and how it was found.

mod said;
mod state;
mod tab;
#[cfg(feature = "ui")]
mod view;

pub(crate) use state::Threads;
