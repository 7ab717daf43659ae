//! Weight domains in the pushdown engine: against explicit weights, with locals, only monotone, and
//! on figures of the papers.

mod constants;
mod explicit;
mod figures;
mod jop;
mod locals;

#[path = "../support/mod.rs"]
mod support;
