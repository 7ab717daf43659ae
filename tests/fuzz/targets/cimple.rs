//! Cimple: any text is read, printed and read again, or refused with a reason.
#![no_main]

use faultline::wire::options::Dialect;
use fuzz::{mutate, stack, tally, texts};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(init: stack::for_signals(), |data: &[u8]| -> Corpus {
    let Ok(source) = std::str::from_utf8(data) else {
        tally::count(false);
        return Corpus::Reject;
    };
    let accepted = texts::printed_program(source, Dialect::Cimple);
    tally::count(accepted);
    // Only programs are kept and changed further.
    if accepted { Corpus::Keep } else { Corpus::Reject }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let gentle = seed % 5 > 0;
    if let Some(text) = mutate::gently(&data[..size], seed).filter(|_| gentle)
        && text.len() <= max_size.min(texts::LONGEST)
    {
        data[..text.len()].copy_from_slice(text.as_bytes());
        return text.len();
    }
    fuzzer_mutate(data, size, max_size)
});
