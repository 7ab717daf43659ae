//! Plain data for every picture and report. The page renders it and never holds an engine object.

pub mod diagnostics;
pub mod graph;
pub mod layout;
pub mod paint;
pub mod permalink;
pub mod protocol;
pub mod report;
pub mod steps;
pub mod words;
