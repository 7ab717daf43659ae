//! Plain data for every picture and report. The page renders it and never holds an engine object.

pub mod affine;
mod build_graph;
mod build_report;
pub mod c_expression;
mod dag_scope;
pub mod diagnostics;
pub mod dot;
pub mod focus;
pub mod fold;
pub mod graph;
pub mod graph_report;
mod inspect;
pub mod invariant;
pub mod lab;
pub mod layout;
pub mod paint;
pub mod permalink;
pub mod predicate;
pub mod protocol;
mod raw;
pub mod raw_weight;
pub mod readable;
pub mod report;
mod scope;
pub mod steps;
pub mod stores;
pub mod svg;
pub mod why_not;
mod witness;
pub mod words;

pub use build_graph::{graph, statements};
pub use build_report::{report, through, trace, value};
pub use dag_scope::node_scalars;
pub use inspect::{inspect, progress};
pub use invariant::{invariant_at, invariants};
pub use witness::{Origin, witness};
