//! The command as scripts use it: exit codes, keys of JSON, clear words for bad input, golden
//! texts, graphs, witnesses, and the reference.
#![allow(clippy::unwrap_used)]

mod cli;
mod graph;
mod printed;
mod reference;
mod witness;
