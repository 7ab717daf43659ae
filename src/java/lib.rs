//! Java, typed once: source text to the typed program that can run from its start.
//!
//! | module | what is in it |
//! | --- | --- |
//! | `token`, `parse`, `tree` | text to syntax tree, with places; depth is bounded |
//! | `resolve` | names, types, overloading, conversions (JLS, chapters 4 to 15); what can run |
//! | [`Program`] and its parts | the typed tree |
//! | `library.java` | what Java's own classes are taken to do on open inputs |
//! | `library` | what they do where a program is executed |
//! | [`machine`] | executes a program on an input |
//! | [`Mistake`] | what is wrong, or not read, with its place |
//!
//! Generic types are erased as they are read. [`read`] is for analyses: numbers are not boxed, and
//! inputs are open. [`read_exact`] is for the machine.

pub mod machine;
mod mistake;
mod parse;
mod resolve;
mod span;
mod token;
mod tree;
mod typed;

pub use mistake::{Mistake, Wrong};
pub use resolve::{read, read_exact};
pub use span::Span;
pub use typed::{
    Binary, Catch, Class, ClassId, Constant, Expr, ExprKind, Field, FieldId, Generic, Group,
    LabelId, Local, LocalId, Method, MethodId, Program, Statement, StatementKind, Type, Unary,
};
