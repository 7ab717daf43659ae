//! Turns results of the engine into plain data: the reports that `wire` describes.

pub mod affine;
pub mod alignment;
mod build_graph;
mod build_report;
mod build_threads;
pub mod cegar;
pub mod cegar_seed;
mod comparison;
mod deadlock;
pub mod diagnostics;
pub mod explain;
mod expression_words;
mod failure;
pub mod focus;
mod inspect;
pub mod invariant;
pub mod lab;
pub mod localize;
mod raw;
pub mod raw_weight;
pub mod refinement_reading;
pub mod repair;
mod steps;
pub mod stores;
pub mod suspects;
mod values;
pub mod why_not;
mod witness;

pub use build_graph::{graph, statements};
pub use build_report::{report, through, trace};
pub use build_threads::{threads_found, threads_report};
pub use inspect::inspect;
pub use invariant::{invariant_at, invariants};
pub use values::value;
pub use witness::{Origin, witness};
