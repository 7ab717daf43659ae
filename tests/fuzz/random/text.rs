//! Prints the random program of a seed: `random_text sequential|threads|c|twin SEED [BITS]`. `c` is
//! a sequential program in C, with integers of BITS bits; `twin` is a C program with threads.

mod threads_oracle;
use threads_oracle::*;

use faultline::lang::print::cimple_as_c;
use support::{Random, generate};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seed = arguments.get(1).and_then(|seed| seed.parse().ok()).expect("a seed");
    let text = match arguments[0].as_str() {
        "sequential" => generate::sequential(seed).to_string(),
        "threads" => generate::threads(seed).to_string(),
        "c" => {
            let source = generate::sequential(seed).to_string();
            let text = cimple_as_c(&source).expect("the generator writes what C has");
            match arguments.get(2) {
                Some(bits) => {
                    let own = text.lines().filter(|line| !line.starts_with("//! bits"));
                    own.fold(format!("//! bits = {bits}\n"), |all, line| all + line + "\n")
                }
                None => text,
            }
        }
        "twin" => twins::twins(Random::new(seed)).0,
        other => panic!("`{other}` is none of sequential, threads, c, twin"),
    };
    print!("{text}");
}
