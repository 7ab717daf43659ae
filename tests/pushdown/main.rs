//! Weight domains and pushdown systems: the laws of every domain, saturation against plain search
//! and against the textbook version, witnesses, the transducer, functional weights, and figures of
//! the papers.

mod affine;
mod constants;
mod explicit;
mod figures;
mod functional;
mod jop;
mod laws;
mod locals;
mod recordings;
mod runs;
mod saturation;
#[path = "../support/mod.rs"]
mod support;
mod transducer;
