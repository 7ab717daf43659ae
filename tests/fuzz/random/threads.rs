//! Random programs with threads for as long as one likes, in Cimple and in C, against the search
//! through all interleavings.
//! `cargo run -p fuzz --bin random_threads -- FILE SECONDS`, see `fuzz::going_on`.

mod threads_oracle;
use threads_oracle::*;

use fuzz::going_on::go_on;
use support::{Random, generate};

fn main() {
    go_on(1_000_000, |seed, counts| {
        let compared = match seed % 2 {
            0 => cimple_agrees(&generate::threads(seed).to_string()),
            _ => c_agrees(Random::new(seed)),
        };
        let word = match compared {
            Some(true) => "unsafe",
            Some(false) => "no error within the bound",
            None => "too large for the search",
        };
        counts.add(word, 1);
        counts.add("in C", seed % 2);
    });
}
