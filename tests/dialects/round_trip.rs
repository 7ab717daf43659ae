//! Printed in its own dialect and read back, a program is the same.

use crate::handmade::SAMPLES;
use crate::program::random;
use crate::support::printing::same_again;
use crate::write::{write, writers};
use faultline::wire::options::Dialect;

#[test]
fn handmade_programs() {
    for (name, dialect, source) in SAMPLES {
        same_again(source, dialect, name);
    }
}

#[test]
fn random_programs() {
    for seed in 0..150 {
        for writer in writers() {
            let dialect = writer.dialect();
            if matches!(dialect, Dialect::BooleanProgram | Dialect::Remopla) {
                let source = write(&random(seed, writer.counts()), writer.as_ref());
                same_again(&source, dialect, &format!("seed {seed} as {}", dialect.name()));
            }
        }
    }
}

/// A string that is an input's format says how many values are read, so it is printed as it is.
#[test]
fn formats_of_input() {
    let source = "#include <stdio.h>\nint main(void) { int x, y; printf(\"\\\"%d\\\"\", 1); \
                  return scanf(\"%d\" \" %d\", &x, &y); }\n";
    same_again(source, Dialect::C, "a program that reads two numbers");
}
