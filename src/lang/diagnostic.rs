//! What is wrong with an input, where, what was expected, and what to do about it.

use crate::lang::model::Span;
use serde::{Deserialize, Serialize};

/// How bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program cannot be analysed.
    Error,
    /// It can, but the user should know.
    Warning,
}

/// One message about a place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What is wrong, in one sentence: "unknown name `foo`".
    pub message: String,
    /// What to do about it: "declare it, or did you mean `food`?"; may be empty.
    pub hint: String,
}
