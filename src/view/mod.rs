//! Plain data for every picture and report. The page renders it and never holds an engine object.

mod build_graph;
mod build_report;
pub mod diagnostics;
pub mod graph;
mod inspect;
pub mod layout;
pub mod paint;
pub mod permalink;
pub mod predicate;
pub mod protocol;
pub mod readable;
pub mod report;
mod scope;
pub mod steps;
pub mod stores;
pub mod why_not;
pub mod words;

pub use build_graph::{graph, statements};
pub use build_report::{report, value};
pub use inspect::{inspect, progress};
