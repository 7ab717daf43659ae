//! The oracle: random programs, an explicit-state model checker written apart from the symbolic
//! one, and the comparison of the two.
#![allow(unreachable_pub, missing_docs, clippy::unwrap_used)]

mod affine;
mod affine_figures;
#[path = "../support/allocator.rs"]
mod allocator;
mod annotated;
mod bounded;
mod brute_force;
mod causes;
mod compare;
mod correct_edges;
mod definition;
mod dialects;
mod distances;
mod explicit;
mod floating;
mod focus;
mod focus_definition;
mod formula;
mod handmade;
mod idle_checks;
mod initialised;
mod known;
mod lengths;
mod loops;
mod memory;
mod methods;
mod narrow;
mod proof;
mod pushdown;
mod reaching;
mod reasons;
mod reductions;
mod replays;
mod rules;
mod shortest;
mod shrinking;
mod slices;
mod steps;
mod stores;
mod struct_results;
mod summaries;
#[path = "../support/mod.rs"]
mod support;
mod symbolic;

use faultline::lang::diagnostic::Diagnostic;
use faultline::lang::model::Program;
use faultline::wire::options::RequestedOptions;

/// Reads a program, with the options that its directives give.
fn load(source: &str) -> Result<Program, Vec<Diagnostic>> {
    let loaded = faultline::lang::load(source, &RequestedOptions::default());
    loaded.program.ok_or(loaded.diagnostics)
}

#[test]
fn the_generator_is_deterministic() {
    for seed in 0..20 {
        assert_eq!(support::generate::program(seed), support::generate::program(seed));
    }
}
