//! Diagnostics of an input, with the positions that an editor counts in.

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

/// A diagnostic with both byte and UTF-16 offsets resolved for the editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticView {
    /// How bad.
    pub severity: Severity,
    /// UTF-16 offset of the start (CodeMirror's positions).
    pub from: u32,
    /// UTF-16 offset of the end.
    pub to: u32,
    /// 1-based.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// A change of the text that mends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<TextEdit>,
}

/// A change of the text: what stands between two places is replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextEdit {
    /// UTF-16 offset of the start.
    pub from: u32,
    /// UTF-16 offset of the end; equal to the start for an insertion.
    pub to: u32,
    /// What is written there.
    pub text: String,
}
