//! Plain data for every picture and report. The page renders it and never holds an engine object.

pub mod graph;
pub mod predicate;
pub mod protocol;
pub mod readable;
pub mod report;
