//! Programs with threads against the search of `tests/threads`, which is compiled into this binary
//! as it is.
#![allow(dead_code, unused_imports, unreachable_pub)]

#[path = "../../threads/analysis.rs"]
pub mod analysis;
#[path = "../../threads/explicit.rs"]
pub mod explicit;
#[path = "../../threads/oracle.rs"]
pub mod oracle;
#[path = "../../support/mod.rs"]
pub mod support;
#[path = "../../threads/twins.rs"]
pub mod twins;

pub use analysis::analysed;

use faultline::wire::options::Dialect;
use oracle::{Shares, compare};
use support::Random;

/// A Cimple program against the explicit search. `None`: it is too large for the search. Else, does
/// a run fail?
pub fn cimple_agrees(source: &str) -> Option<bool> {
    let mut shares = Shares::default();
    compare(source, Dialect::Cimple, None, &mut shares);
    (shares.compared > 0).then_some(shares.unsafe_ones > 0)
}

/// A random C program against its twin in Cimple, whose steps are written out, and against the
/// explicit search.
pub fn c_agrees(random: Random) -> Option<bool> {
    let (c, cimple) = twins::twins(random);
    let found = twins::answer(&c, Dialect::C);
    assert_eq!(found, twins::answer(&cimple, Dialect::Cimple), "{c}\n{cimple}");
    let mut shares = Shares::default();
    compare(&c, Dialect::C, None, &mut shares);
    (shares.compared > 0).then_some(shares.unsafe_ones > 0)
}
