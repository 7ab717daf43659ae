//! A small-step interpreter of the program model, independent of the symbolic code. It replays
//! counterexamples before they are shown. Tests use it as an oracle: it explores small programs
//! exhaustively.
//!
//! A [`Configuration`] is a store for the globals, a frame per active call, and a location. An edge
//! is executed with the values that the run picks ([`ConcreteStep`]). A return is no step of its
//! own: it happens as part of the edge that leads to an exit.

mod accesses;
pub(crate) mod evaluate;
mod execute;
mod interleaved;
mod observe;
mod open_locals;
mod races;
mod replay;
mod successors;
mod taken;

pub use accesses::{Access, is_private};
pub use execute::{Assignment, Configuration, Frame, Machine, Outcome, Shape, Stop};
pub use interleaved::{
    Ended, InterleavedError, InterleavedReplay, InterleavedRun, RunThread, SharedConfiguration,
    replay_interleaved,
};
pub use observe::{Observation, Observed, Written, observe};
pub(crate) use open_locals::edge_reads;
pub use open_locals::open_locals;
pub use races::{Race, Touch, replay_race};
pub use replay::{ConcreteRun, ConcreteStep, Replay, ReplayError, Replayed, replay};
pub use successors::{Successors, Transition};
