//! Front ends: from text to the typed program model, with diagnostics; and the interpreter of that model.

pub mod diagnostic;
pub mod directives;
mod elaborate;
pub mod interpreter;
mod lexer;
pub mod load;
pub mod model;
pub mod options;
mod parser;
mod syntax;

pub use load::{Loaded, load, parse_condition};

#[cfg(test)]
mod tests;
