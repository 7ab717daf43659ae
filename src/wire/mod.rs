//! What page, worker and command line exchange: messages, reports, the graph, options and
//! diagnostics, all of it plain data that serde writes and reads.

pub mod dialect;
pub mod graph;
pub mod options;
pub mod permalink;
pub mod protocol;
pub mod refinement;
pub mod report;
pub mod threads;
pub mod threads_ask;
