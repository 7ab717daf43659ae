//! The analyses.
//!
//! | analysis | where | source |
//! | --- | --- | --- |
//! | which stores are reached, does an error occur | [`reach`] | post\* |
//! | a concrete failing run | [`counterexample`] | read off post\*'s history, replayed by the interpreter |
//! | every statement on a failing run | [`error_projection`] | Lal, Kidd, Reps, Touili 2007 |
//! | why a statement is on no failing run | [`why_not`] | the same, § 2 |

pub mod counterexample;
mod entered;
pub mod error_projection;
pub mod reach;
pub mod why_not;
