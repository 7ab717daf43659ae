//! The engine in a Web Worker: messages in, messages out. [`driver`] turns requests into answers or
//! into tasks; [`queue`] works on the tasks, slice by slice; [`tasks`] has a file for each kind of
//! request, and their list; [`pulse`] says that the worker is alive, also inside a long step.
//!
//! Requests and replies are those of [`crate::wire::protocol`], as structured clones by
//! serde-wasm-bindgen.

mod driver;
mod job;
mod pulse;
mod queue;
mod state;
mod tasks;

#[cfg(feature = "ui")]
mod messages;
#[cfg(feature = "ui")]
pub use messages::start;
