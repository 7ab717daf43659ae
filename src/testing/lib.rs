//! What a program should do, said by tests or by a reference solution; where it does not, and which
//! change would mend it.
//!
//! Layers, each of which imports only from those before it: `program`, `compare`, `suite`,
//! `coverage`, `changes`, `dependence`, `suspects`, `closest`, `domain`, `equivalent`.

pub mod changes;
pub mod closest;
pub mod compare;
pub mod coverage;
mod dependence;
pub mod domain;
pub mod equivalent;
pub mod program;
pub mod suite;
pub mod suspects;
