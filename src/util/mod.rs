//! Identifiers, limits and worklists that every layer may use.

pub mod limits;

pub use limits::{Bounded, Limit};
