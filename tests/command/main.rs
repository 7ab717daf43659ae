//! The command as scripts use it: exit codes, keys of JSON, clear words for bad input, golden
//! texts, graphs, witnesses, and the reference.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod bounded;
mod calling;
mod check;
mod document;
mod exchange;
mod grading;
mod grading_stated;
mod graph;
mod language_server;
mod leaves;
mod localize;
mod made_names;
mod notes;
mod output;
mod printed;
mod project;
mod reach;
mod reference;
mod rules;
mod skill;
mod starts;
mod tasks;
mod testing;
mod witness;
