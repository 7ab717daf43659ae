//! The façade: the figures of the error-projection paper, the gallery, the pushdown lab, memory,
//! and garbage collected after every step.

mod failures;
mod figures;
mod gallery;
mod gc;
mod lab;
mod lab_programs;
mod memory;
mod steps;
#[path = "../support/mod.rs"]
mod support;
