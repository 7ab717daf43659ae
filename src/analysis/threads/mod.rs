//! Programs with threads under a bound on context switches (Lal, Touili, Kidd, Reps 2007).
//!
//! A *context* is a stretch of a run in which one thread runs; k switches make k + 1 contexts (§
//! 2.3; § 2.4 as printed runs k). The relation of one context is ∪ᵢ(⇒ᵢ)\*, not (∪ᵢ⇒ᵢ)\* as printed,
//! which would lose the bound.
//!
//! | what | where |
//! | --- | --- |
//! | the threads that matter under a bound | [`system`] |
//! | one context of one thread, its stacks split by globals | [`context`], [`stacks`] |
//! | Qadeer and Rehof's tree, raised switch by switch | [`qadeer_rehof`] |
//! | a proof for any number of switches, checked by the interpreter | [`closed_set`] |
//! | who made recursive calls, in such a proof | `callers` |
//! | the steps of each thread in it, and what makes no difference | `thread_steps`, `left_out` |
//! | its configurations, each with a number | `numbered` |
//! | what can be seen of a configuration | [`visible`] |
//! | the statements of failing runs, thread by thread | [`failing_statements`] |
//! | the correct run whose schedule differs least | [`closest_schedule`] |
//! | data races, as checks of a watched program | [`race_watch`] |
//! | interleavings chosen by hand | [`scheduling`] |
//! | waiting for ever | [`thread_state`] |
//! | a thread by itself, with what the others do at its switches given | [`sequential_thread`] |

mod callers;
pub mod closed_set;
pub mod closest_schedule;
pub mod context;
pub mod failing_statements;
pub mod interleaving;
mod left_out;
mod numbered;
pub mod qadeer_rehof;
pub mod race_watch;
pub mod scheduling;
pub mod sequential_thread;
pub mod stacks;
pub mod system;
pub mod thread_state;
mod thread_steps;
pub mod visible;

pub use qadeer_rehof::QadeerRehof;
pub use system::{Begins, ThreadInstance, ThreadSystem};
