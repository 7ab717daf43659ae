//! Random programs that the bytes decide, against the explicit oracle: verdict, projection, failing
//! run.
#![no_main]

#[path = "../random/sequential_oracle.rs"]
mod sequential_oracle;
use sequential_oracle::*;

use fuzz::{stack, tally};
use libfuzzer_sys::fuzz_target;
use support::Random;
use support::generate::{Shape, drawn};

fuzz_target!(init: stack::for_signals(), |data: &[u8]| {
    let source = drawn(Shape::Sequential, Random::of_bytes(data)).to_string();
    tally::count(matches!(agrees(&source), Compared::Safe | Compared::Unsafe));
});
