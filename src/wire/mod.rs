//! What page, worker and command line exchange: messages, reports, the graph, options and
//! diagnostics, all of it plain data that serde writes and reads.

pub mod affine;
pub mod assumed;
pub mod broken;
pub mod cegar;
pub mod cegar_options;
pub mod closest;
pub mod code_lines;
pub mod diagnostic;
pub mod dialect;
pub mod error_kind;
pub mod example_link;
pub mod exercise;
pub mod explain;
pub mod focus;
pub mod gallery;
pub mod graph;
pub mod harness;
pub mod invariant;
pub mod kept;
pub mod lab;
pub mod later;
pub mod liveness;
pub mod localize;
pub mod note;
pub mod options;
pub mod pds;
pub mod permalink;
pub mod projection;
pub mod protocol;
pub mod refinement;
pub mod repair;
pub mod report;
pub mod step;
pub mod stores;
pub mod suspects;
pub mod taken;
pub mod testing;
pub mod threads;
pub mod trace;
pub mod unrolling;
pub mod value;
pub mod verdict;
pub mod why_not;
pub mod widths;

use crate::util::words;

words! {
    /// The analyses that make a report.
    pub enum Analysis {
        /// Does a run fail?
        Check = "check",
        /// Which statements are on a failing run?
        Projection = "projection",
        /// Abstraction and refinement.
        Cegar = "cegar",
        /// Causes.
        Localize = "localize",
        /// Focus-statement sequences.
        Focus = "focus",
        /// Threads under a bound on context switches.
        Threads = "threads",
        /// Affine relations.
        Affine = "affine",
        /// A formula of linear temporal logic.
        Ltl = "ltl",
        /// Does every run end?
        Terminates = "terminates",
    }
}
