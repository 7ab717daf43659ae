//! The oracle: random programs, an explicit-state model checker written apart from the symbolic one, and the comparison of the two.
#![allow(unreachable_pub, missing_docs)]

mod bounded;
mod explicit;
mod generate;
mod handmade;
mod pushdown;
mod shrink;
mod steps;
mod stores;
mod symbolic;

#[test]
fn the_generator_is_deterministic() {
    for seed in 0..20 {
        assert_eq!(generate::program(seed), generate::program(seed));
    }
}
