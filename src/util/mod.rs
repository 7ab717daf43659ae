//! Limits and hashes, which every layer may use.

pub mod limits;
pub mod sha256;

pub use limits::{Bounded, Limit};
