//! Diagnostics: what is wrong with an input, where, what was expected, and what to do about it.

use crate::lang::model::Span;
use crate::wire::diagnostic::Severity;

/// One message about a place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Its place.
    pub span: Span,
    /// What is wrong, in one sentence: "unknown name `foo`".
    pub message: String,
    /// What to do about it: "declare it, or did you mean `food`?"; may be empty.
    pub hint: String,
}

/// Most diagnostics that are shown for one program; the others are only counted.
pub const SHOWN_DIAGNOSTICS: usize = 20;

/// Collects diagnostics while a program is read. Keeps the first [`SHOWN_DIAGNOSTICS`] and counts
/// the rest.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    suppressed: u32,
    errors: bool,
    broken: bool,
    last: Span,
}

impl Diagnostics {
    /// Is there an error among them?
    pub fn has_errors(&self) -> bool {
        self.errors
    }

    /// Is the text itself broken, so that a check of names and types is not useful? (A refused
    /// construct does not break it.)
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Reports that the text cannot be read here. Later phases could only guess after such an
    /// error.
    pub fn syntax_error(
        &mut self,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.broken = true;
        self.error(span, message, hint);
    }

    /// Will further diagnostics only be counted? (Then it is not useful to compute a costly hint.)
    pub fn full(&self) -> bool {
        self.list.len() >= SHOWN_DIAGNOSTICS
    }

    /// Reports an error: the program cannot be analysed.
    pub fn error(&mut self, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        self.errors = true;
        self.push(Diagnostic {
            severity: Severity::Error,
            span,
            message: message.into(),
            hint: hint.into(),
        });
    }

    /// Reports a warning: the program can be analysed, but the user should know.
    pub fn warning(&mut self, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        self.push(Diagnostic {
            severity: Severity::Warning,
            span,
            message: message.into(),
            hint: hint.into(),
        });
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        if self.full() {
            self.suppressed += 1;
            self.last = diagnostic.span;
        } else if !self.list.contains(&diagnostic) {
            self.list.push(diagnostic);
        }
    }

    /// All of them in source order; the last one says how many more there were.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| d.span.start);
        if self.suppressed > 0 {
            let severity = if self.errors { Severity::Error } else { Severity::Warning };
            let message = format!("and {} more", self.suppressed);
            self.list.push(Diagnostic {
                severity,
                span: self.last,
                message,
                hint: "mend these first".to_string(),
            });
        }
        self.list
    }
}
