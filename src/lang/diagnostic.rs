//! Diagnostics: what is wrong with an input, where, what was expected, and what to do about it.

use crate::lang::model::Span;
use crate::util::order::sort_by_key;
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
    /// A change of the text that mends it.
    pub edit: Option<Box<Edit>>,
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What stands there. If the source says something else (because a macro made it), the edit is
    /// void.
    pub old: String,
    /// What is written instead.
    pub new: String,
    /// How many characters it replaces, all of the text that are wrong in the same way; `None` if
    /// it is one change.
    pub places: Option<u32>,
}

/// Most diagnostics that are shown for one program; the others are only counted.
pub const SHOWN_DIAGNOSTICS: usize = 20;

/// Collects diagnostics while a program is read. Keeps the first [`SHOWN_DIAGNOSTICS`] and counts
/// the rest.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// For each of the list: where the same thing stands, by byte offsets.
    places: Vec<Vec<u32>>,
    /// The diagnostic that was reported last, if it is in the list and new.
    latest: Option<usize>,
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
            edit: None,
        });
    }

    /// Reports a warning: the program can be analysed, but the user should know.
    pub fn warning(&mut self, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        self.push(Diagnostic {
            severity: Severity::Warning,
            span,
            message: message.into(),
            hint: hint.into(),
            edit: None,
        });
    }

    /// Offers a change of the text that mends what was reported last.
    pub fn offer(&mut self, span: Span, old: &str, new: String) {
        self.propose(Edit { span, old: old.to_string(), new, places: None });
    }

    /// As [`Self::offer`], for a change that replaces all characters of a kind: `places` of them.
    pub fn offer_all(&mut self, span: Span, old: &str, new: String, places: u32) {
        self.propose(Edit { span, old: old.to_string(), new, places: Some(places) });
    }

    /// Reports that `scanf` is given a number where it needs an address, with an edit.
    pub fn address_is_missing(&mut self, span: Span, number: &str) {
        let message = format!("`{number}` is a number; `scanf` needs its address");
        self.error(span, message, format!("write `&{number}`"));
        self.offer(Span { end: span.start, ..span }, "", "&".to_string());
    }

    fn propose(&mut self, edit: Edit) {
        if let Some(index) = self.latest {
            self.list[index].edit = Some(Box::new(edit));
        }
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.latest = None;
        let start = diagnostic.span.start;
        if let Some(index) = self.list.iter().position(|known| is_same(known, &diagnostic)) {
            if !self.places[index].contains(&start) {
                self.places[index].push(start);
            }
        } else if self.full() {
            self.suppressed += 1;
            self.last = diagnostic.span;
        } else if !self.list.iter().any(|known| is_repeated(known, &diagnostic)) {
            self.latest = Some(self.list.len());
            self.list.push(diagnostic);
            self.places.push(vec![start]);
        }
    }

    /// All of them in source order; what is not modelled stands there once, with the number of its
    /// other places. The last one says how many more there were.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        for (diagnostic, places) in self.list.iter_mut().zip(&self.places) {
            match places.len() {
                0 | 1 => {}
                2 => diagnostic.message.push_str(" and 1 more place"),
                n => diagnostic.message.push_str(&format!(" and {} more places", n - 1)),
            }
        }
        sort_by_key(&mut self.list, |d| d.span.start);
        if self.suppressed > 0 {
            let severity = if self.errors { Severity::Error } else { Severity::Warning };
            let message = format!("and {} more", self.suppressed);
            self.list.push(Diagnostic {
                severity,
                span: self.last,
                message,
                hint: "mend these first".to_string(),
                edit: None,
            });
        }
        self.list
    }
}

/// Was the same thing said of the same place before?
fn is_repeated(one: &Diagnostic, other: &Diagnostic) -> bool {
    (one.severity, one.span) == (other.severity, other.span)
        && (&one.message, &one.hint) == (&other.message, &other.hint)
}

/// Do two diagnostics say that the same thing is not modelled, perhaps at two places?
fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    let without_line = |d: &Diagnostic| d.message.replace(&format!("line {}", d.span.line), "line");
    one.severity == other.severity
        && one.hint == other.hint
        && one.message.contains("modelled")
        && other.message.contains("modelled")
        && without_line(one) == without_line(other)
}
