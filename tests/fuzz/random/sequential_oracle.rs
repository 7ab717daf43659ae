//! A sequential program against the explicit oracle of `tests/oracle`, which is compiled into this
//! binary as it is.
#![allow(dead_code, unused_imports, unreachable_pub)]

#[path = "../../oracle/bounded.rs"]
pub mod bounded;
#[path = "../../oracle/compare.rs"]
pub mod compare;
#[path = "../../oracle/explicit.rs"]
pub mod explicit;
#[path = "../../cegar/random.rs"]
pub mod heuristics;
#[path = "../../oracle/lengths.rs"]
pub mod lengths;
#[path = "../../oracle/pushdown.rs"]
pub mod pushdown;
#[path = "../../oracle/replays.rs"]
pub mod replays;
#[path = "../../cegar/runs.rs"]
pub mod runs;
#[path = "../../oracle/steps.rs"]
pub mod steps;
#[path = "../../oracle/stores.rs"]
pub mod stores;
#[path = "../../support/mod.rs"]
pub mod support;
#[path = "../../oracle/symbolic.rs"]
pub mod symbolic;

use faultline::lang::diagnostic::Diagnostic;
use faultline::lang::model::Program;
use faultline::session::Budgets;
use faultline::wire::options::RequestedOptions;
use faultline::wire::refinement::{CegarOptions, Heuristic};

/// Reads a program, with the options that its directives give.
pub fn load(source: &str) -> Result<Program, Vec<Diagnostic>> {
    let loaded = faultline::lang::load(source, &RequestedOptions::default());
    loaded.program.ok_or(loaded.diagnostics)
}

/// How a comparison ended; it panics where the two differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// They agree: no run fails.
    Safe,
    /// They agree: some run fails.
    Unsafe,
    /// The program is refused.
    Refused,
    /// It is too large for the oracle.
    TooLarge,
    /// A limit ended the analysis.
    Limit,
}

/// Verdict, exact and naive projection, failing run: the product's against the oracle's.
pub fn agrees(source: &str) -> Compared {
    if load(source).is_err() {
        return Compared::Refused;
    }
    let Some((program, oracle)) = compare::ask_oracle(source) else { return Compared::TooLarge };
    let product = symbolic::answer(source, compare::target(source), Budgets::default());
    if product.is_none() {
        return Compared::Limit;
    }
    if let Some(difference) = compare::difference(&program, &oracle, &product) {
        panic!("{difference}\n{source}");
    }
    if oracle.is_unsafe { Compared::Unsafe } else { Compared::Safe }
}

/// The refinement loop with each of the six heuristics against `check`: how many agree, and how
/// many ended in a limit.
pub fn heuristics_agree(source: &str, seed: u64) -> (u32, u32) {
    let mut tally = heuristics::Tally::default();
    for heuristic in Heuristic::ALL {
        let options = CegarOptions::pure(heuristic);
        heuristics::compare(source, options, &mut tally, seed);
    }
    (tally.safe + tally.failing, tally.undecided)
}
