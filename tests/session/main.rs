//! The façade: the figures of the error-projection paper, the gallery, the pushdown lab, memory,
//! garbage collected after every step, floating point, and widths of C's `int`.

mod failures;
mod figures;
mod floating;
mod gallery;
mod gc;
mod lab;
mod lab_programs;
mod listed;
mod memory;
mod steps;
mod struct_results;
mod summary;
#[path = "../support/mod.rs"]
mod support;
mod thumbnails;
mod widths;
