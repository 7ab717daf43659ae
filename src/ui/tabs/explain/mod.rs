//! Why a program fails: one error at four levels of detail, the failing run compared with a correct
//! one, causes, focus sequences, suspicious statements, repairs.
//!
//! The worker explains to the end and tells all of it, stage by stage; choosing a level, a run or a
//! sequence asks it nothing more.

mod said;
mod state;
mod tab;
#[cfg(feature = "ui")]
mod view;

pub(crate) use state::Explain;
