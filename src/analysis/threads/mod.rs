//! Programs with threads under a bound on context switches (Lal, Touili, Kidd, Reps 2007).
//!
//! A *context* is a stretch of a run in which one thread runs; k switches make k + 1 contexts (§ 2.3; § 2.4 as printed runs k). The
//! relation of one context is ∪ᵢ(⇒ᵢ)\*, not (∪ᵢ⇒ᵢ)\* as printed, which would lose the bound.
//!
//! | what | where |
//! | --- | --- |
//! | the threads that matter under a bound | [`system`] |

pub mod system;

pub use system::{Begins, ThreadInstance, ThreadSystem};
