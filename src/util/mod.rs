//! Budgets, limits, order, progress, hashes, enumerations with words and ids as indices: what every
//! layer may use.

mod alarm;
mod budgets;
mod indented;
mod index;
pub mod limits;
pub mod names;
pub mod order;
pub mod progress;
pub mod sha256;
mod words;

pub use alarm::Alarm;
pub use budgets::{AccelerateLoops, Budgets, Narrow, Order, Unread};
pub use indented::indented;
pub(crate) use index::index_by;
pub use limits::{Bounded, Limit};
pub use progress::{Progress, Stage};
pub(crate) use words::words;
