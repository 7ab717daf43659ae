//! The engine in a Web Worker: messages in, messages out. [`driver`] turns requests into answers or
//! into tasks; [`queue`] works on the tasks, slice by slice; every other file is one kind of
//! request.
//!
//! Requests and replies are those of [`crate::wire::protocol`], as structured clones by
//! serde-wasm-bindgen.

mod affine;
mod driver;
mod explain;
mod job;
mod lab;
mod questions;
mod queue;
mod refinement;
mod run;
mod state;
mod threads;

#[cfg(feature = "ui")]
mod messages;
#[cfg(feature = "ui")]
pub use messages::start;
