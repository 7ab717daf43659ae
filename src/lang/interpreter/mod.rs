//! A small-step interpreter of the program model, written apart from the symbolic code:
//! counterexamples are replayed by it before they are shown, and small programs are explored by it
//! exhaustively as an oracle.
//!
//! A [`Configuration`] is a store for the globals, a frame per active call, and a location. An edge
//! is executed with the values that the run picks ([`ConcreteStep`]); a return is no step of its
//! own: it follows at once when an edge leads into an exit.

pub(crate) mod evaluate;
mod execute;
mod interleaved;
mod open_locals;
mod replay;
mod successors;

pub use execute::{Configuration, Frame, Machine, Outcome, Shape, Stop};
pub use interleaved::{
    Ended, InterleavedError, InterleavedReplay, InterleavedRun, RunThread, SharedConfiguration,
    replay_interleaved,
};
pub use open_locals::open_locals;
pub use replay::{ConcreteRun, ConcreteStep, Replay, ReplayError, Replayed, replay};
pub use successors::{Successors, Transition};

/// Variables with the bit patterns of their elements (one for a scalar).
pub type Assignment = Vec<(crate::lang::model::VariableId, Vec<u64>)>;
