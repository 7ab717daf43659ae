//! The analyses.
//!
//! | analysis | where | source |
//! | --- | --- | --- |
//! | which stores are reached, does an error occur | [`reach`] | post\* |
//! | a concrete failing run | [`counterexample`] | read off post\*'s history, replayed by the interpreter |
//! | why nothing fails, and its proof | [`invariant`] | read off post\*, checked by weakest preconditions |
//! | every statement on a failing run | [`error_projection`] | Lal, Kidd, Reps, Touili 2007 |

pub mod counterexample;
mod entered;
pub mod error_projection;
pub mod invariant;

pub mod reach;
mod remembered;
