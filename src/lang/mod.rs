//! Front ends: from text to the typed program model, with diagnostics; and the interpreter of that
//! model.

mod additions;
mod alone;
mod boolean_program;
mod c;
pub mod concurrency;
pub mod contracts;
mod declared_later;
pub mod diagnostic;
pub mod directives;
mod elaborate;
pub mod error_states;
mod excused;
pub mod fault;
mod floating;
mod foreign;
mod forwarded;
pub mod given;
mod held;
mod ids;
mod initialised;
pub(crate) use initialised::leaves_out as follows_in_part;
pub mod interpreter;
mod java;
mod lexer;
mod lines;
pub mod load;
pub mod loaded;
mod lowering;
mod memory;
pub mod message;
pub mod model;
mod parser;
pub mod print;
pub mod raw;
mod reaching;
mod reading;
mod remopla;
pub mod rooms;
pub mod rules;
pub mod shared;
mod syntax;
pub mod tokens;
mod tree;
mod typographic;
pub mod written;

pub use load::{load, load_narrower, load_summarized, parse_condition, reprint};
pub use loaded::{Loaded, dialect_of};

#[cfg(test)]
mod tests;
