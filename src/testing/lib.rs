//! What a program should do, said by tests or by a reference solution; where it does not, and which
//! change would mend it.
//!
//! Layers, each of which imports only from those before it: `run`, `program`, `compare`, `suite`,
//! `coverage`, `changes`, `dependence`, `suspects`, `closest`, `domain`, `java`, `equivalent`. What
//! is in C only: changes that mend a program, and how far a point is from the output.

pub mod changes;
pub mod closest;
pub mod compare;
pub mod coverage;
mod dependence;
pub mod domain;
pub mod equivalent;
mod java;
pub mod program;
pub mod run;
pub mod suite;
pub mod suspects;
