//! Bounded model checking of C by SAT: is there a failing run within k rounds of each loop and k
//! nested calls?
//!
//! ```text
//! code ─execute on all inputs at once→ circuit ─clauses→ solver ─model→ input ─machine→ failing run
//!                                                          └─refutation→ checker → "no run fails"
//! ```
//!
//! It answers what decision diagrams do not hold: products and quotients of open numbers, floating
//! point, text in buffers. Every run that it reports was executed by the machine of `faultline-c`,
//! and "safe" is said only if nothing was cut off and the refutation was checked by a program that
//! shares nothing with the solver.
//!
//! Layers, each of which imports only from those before it: `circuit`, `words`, `floats`, `solver`,
//! `proof`, `value`, `memory`, `input`, `failure`, `state`, `engine` with its operations and calls,
//! `check`, `unroll`.

mod access;
mod addresses;
mod arithmetic;
mod calls;
mod check;
pub mod circuit;
mod engine;
mod failure;
pub mod floats;
mod input;
mod library;
mod memory;
mod only_run;
mod operations;
pub mod proof;
mod scan;
pub mod solver;
mod state;
mod text;
mod unroll;
mod value;
mod verifiers;
pub mod words;

pub use check::{
    Found, LARGEST_BOUND, Outcome, Reason, Verdict, check, default_checks, replay, states_errors,
};
pub use failure::{Checks, Cut, Failure, Limit};
pub use input::Given;
pub use unroll::{Arrow, Copy, Unrolling, unroll};
