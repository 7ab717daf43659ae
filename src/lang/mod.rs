//! Front ends: from text to the typed program model, with diagnostics; and the interpreter of that
//! model.

mod additions;
mod boolean_program;
mod c;
pub mod concurrency;
pub mod diagnostic;
pub mod directives;
mod elaborate;
pub mod error_states;
pub mod interpreter;
mod lexer;
mod lines;
pub mod load;
mod lowering;
pub mod model;
mod parser;
pub mod print;
pub mod raw;
mod reading;
mod remopla;
mod syntax;
pub mod tokens;

pub use load::{Loaded, dialect_of, load, parse_condition, reprint};

#[cfg(test)]
mod tests;
