//! Random programs with threads that the bytes decide, against the search through all
//! interleavings: in Cimple, and in C beside a twin whose steps are written out.
#![no_main]

#[path = "../random/threads_oracle.rs"]
mod threads_oracle;
use threads_oracle::*;

use fuzz::{stack, tally};
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use support::Random;
use support::generate::{Shape, drawn};

fuzz_target!(init: stack::for_signals(), |data: &[u8]| {
    let mut input = Unstructured::new(data);
    let in_c = input.arbitrary().unwrap_or(false);
    let random = Random::of_bytes(input.take_rest());
    let compared = match in_c {
        true => c_agrees(random),
        false => cimple_agrees(&drawn(Shape::Threads, random).to_string()),
    };
    tally::count(compared.is_some());
});
