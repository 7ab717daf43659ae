//! Limits, progress, hashes and ids as indices, which every layer may use.

mod index;
pub mod limits;
pub mod progress;
pub mod sha256;

pub(crate) use index::index_by;
pub use limits::{Bounded, Limit};
pub use progress::{Progress, Stage};
