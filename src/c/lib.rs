//! C, typed once.
//!
//! ```text
//! text ─preprocess→ tokens ─parse→ typed tree ─compile→ code ─machine→ output, exit code, coverage
//! ```
//!
//! The parser types each expression where it reads it: every name is resolved, every conversion is
//! a node of its own, every `sizeof` of a fixed type is a number. Nothing behind it asks about a
//! name or a type again. The machine executes the compiled code as a compiled program does on
//! x86-64 Linux: `int` of 32 bits, `long` and pointers of 64, IEEE 754, `printf` and `scanf` as the
//! standard says. It knows the bounds and the lifetime of every object, and which bytes have a
//! value.
//!
//! Layers, each of which imports only from those before it: `span`, `mistake`, `token`,
//! `preprocess`, `types`, `tree`, `parse`, `code`, `compile`, `machine`.

pub mod code;
mod compile;
pub mod machine;
pub mod mistake;
mod parse;
mod preprocess;
pub mod span;
mod token;
pub mod tree;
pub mod types;

pub use compile::compile;

use mistake::Mistake;
use tree::Tree;

/// The typed tree of a program.
///
/// `included` gives the text of a file that the program includes by `#include "NAME"`.
pub fn parse(text: &str, included: &dyn Fn(&str) -> Option<String>) -> Result<Tree, Mistake> {
    let tokens = preprocess::preprocess(text, included)?;
    parse::parse(tokens)
}

/// Is this a procedure of the library that programs can call here?
pub fn is_library(name: &str) -> bool {
    // The library stands in front of every program, an empty one too.
    parse("", &|_| None)
        .is_ok_and(|tree| tree.procedures.iter().any(|procedure| procedure.name == name))
}
