//! One program in several dialects: the same verdict and projection; printed and read back, the
//! same program; and no text, however broken, makes a front end panic.
#![allow(unreachable_pub, missing_docs)]

mod agreement;
mod c_programs;
mod cimple_fuzz;
mod fuzz;
mod guess;
mod handmade;
mod hints;
mod large_texts;
mod pasted;
mod program;
mod relations;
mod round_trip;
#[path = "../support/mod.rs"]
mod support;
mod write;
