//! Limits, progress and hashes, which every layer may use.

pub mod limits;
pub mod progress;
pub mod sha256;

pub use limits::{Bounded, Limit};
pub use progress::{Progress, Stage};
