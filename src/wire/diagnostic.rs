//! Diagnostics of an input, with the positions that an editor counts in.

use crate::util::words;
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

words! {
    /// What a diagnostic is about.
    pub enum Code {
        /// The text cannot be read here.
        Syntax = "syntax",
        /// It is against the rules of its language.
        Invalid = "invalid",
        /// It is not modelled.
        NotModelled = "not-modelled",
        /// A use of memory that is not modelled.
        Memory = "memory",
        /// An array has no size.
        NoSize = "no-size",
        /// The text is of a language that is not read.
        OtherLanguage = "other-language",
        /// The program can be read, but a person should know this.
        Advice = "advice",
        /// How many diagnostics were left out.
        More = "more",
    }
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
    /// What it is about.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// The message beside the number of its line, if that differs: without the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    /// What is not modelled: a name in backquotes, or a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// What to do.
    pub hint: String,
    /// A change of the text that mends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<TextEdit>,
}

impl DiagnosticView {
    /// The message beside the number of its line.
    pub fn beside_its_line(&self) -> &str {
        self.beside.as_deref().unwrap_or(&self.message)
    }
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
    /// How many characters it replaces, if these are all characters of the text that are wrong in
    /// the same way: typographic quotes and such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<u32>,
}

impl TextEdit {
    /// "Write `int`", "Replace all 12": what a button for the edit says.
    pub fn label(&self) -> String {
        match self.places {
            None => format!("Write {}", self.text),
            Some(1) => "Replace it".to_string(),
            Some(places) => format!("Replace all {places}"),
        }
    }

    /// The text after the edit. Offsets behind its end count as the end.
    pub fn applied(&self, source: &str) -> String {
        let byte = |unit: u32| {
            let mut before = 0;
            let behind = source.char_indices().find(|(_, c)| {
                before += c.len_utf16() as u32;
                before > unit
            });
            behind.map_or(source.len(), |(at, _)| at)
        };
        let (from, to) = (byte(self.from), byte(self.to.max(self.from)));
        format!("{}{}{}", &source[..from], self.text, &source[to..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_counts_utf16_units() {
        let edit =
            |from, to, text: &str| TextEdit { from, to, text: text.to_string(), places: None };
        assert_eq!(edit(0, 6, "int").applied("double x;"), "int x;");
        assert_eq!(edit(6, 6, ";").applied("ä = 𝔸 "), "ä = 𝔸; ");
        assert_eq!(edit(4, 6, "b").applied("ä = 𝔸;"), "ä = b;");
        assert_eq!(edit(99, 99, ";").applied("x"), "x;");
    }
}
