//! Plain data for every picture and report. The page renders it and never holds an engine object.

mod build_graph;
mod build_report;
pub mod graph;
pub mod protocol;
pub mod report;
pub mod sentence;

pub use build_graph::{graph, statements};
pub use build_report::{report, value};
