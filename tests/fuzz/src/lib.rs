//! What the fuzz targets share: a mutator that mostly keeps a text a program, a tally of the inputs
//! that were accepted, and what must hold of a text in each language.
#![warn(missing_docs)]

pub mod going_on;
pub mod mutate;
#[allow(dead_code)]
#[path = "../../support/printing.rs"]
mod printing;
#[cfg(feature = "libfuzzer")]
pub mod stack;
pub mod tally;
pub mod texts;
