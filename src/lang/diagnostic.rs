//! Diagnostics: what is wrong with an input, where, what was expected, and what to do about it.

use crate::lang::message::Message;
use crate::lang::model::Span;
use crate::util::order::sort_by_key;
use crate::wire::diagnostic::{Code, Severity};

/// One message about a place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What it is about.
    pub code: Code,
    /// Its place.
    pub span: Span,
    /// What is wrong, in one sentence: "unknown name `foo`".
    pub message: String,
    /// The message beside the number of its line, so without it.
    pub beside: String,
    /// What is not modelled: a name in backquotes, or a few words.
    pub subject: Option<String>,
    /// What to do about it: "declare it, or did you mean `food`?"; may be empty.
    pub hint: String,
    /// A change of the text that mends it.
    pub edit: Option<Box<Edit>>,
}

impl Diagnostic {
    /// A diagnostic without an edit.
    pub fn new(
        severity: Severity,
        span: Span,
        message: impl Into<Message>,
        hint: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::of(severity, span, &message.into(), hint.into())
    }

    fn of(severity: Severity, span: Span, message: &Message, hint: String) -> Diagnostic {
        Diagnostic {
            severity,
            code: message.code,
            span,
            message: message.alone(span),
            beside: message.beside(0),
            subject: message.subject.clone(),
            hint,
            edit: None,
        }
    }
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
    list: Vec<Reported>,
    /// The diagnostic that was reported last, if it is in the list and new.
    latest: Option<usize>,
    suppressed: u32,
    errors: bool,
    broken: bool,
    last: Span,
}

/// A diagnostic of the list.
#[derive(Clone, Debug)]
struct Reported {
    diagnostic: Diagnostic,
    /// Its message; `None` for one that an earlier list has finished.
    message: Option<Message>,
    /// Where the same thing stands, by byte offsets.
    places: Vec<u32>,
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
        message: impl Into<Message>,
        hint: impl Into<String>,
    ) {
        self.broken = true;
        self.error(span, message.into().or(Code::Syntax), hint);
    }

    /// Will further diagnostics only be counted? (Then it is not useful to compute a costly hint.)
    pub fn full(&self) -> bool {
        self.list.len() >= SHOWN_DIAGNOSTICS
    }

    /// Reports an error: the program cannot be analysed.
    pub fn error(&mut self, span: Span, message: impl Into<Message>, hint: impl Into<String>) {
        self.errors = true;
        self.push(Severity::Error, span, message.into(), hint.into());
    }

    /// Reports a warning: the program can be analysed, but the user should know.
    pub fn warning(&mut self, span: Span, message: impl Into<Message>, hint: impl Into<String>) {
        self.push(Severity::Warning, span, message.into().or(Code::Advice), hint.into());
    }

    /// Reports what another list has finished, as it is.
    pub(in crate::lang) fn repeat(&mut self, diagnostic: Diagnostic) {
        self.errors |= diagnostic.severity == Severity::Error;
        self.keep(diagnostic, None);
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
            self.list[index].diagnostic.edit = Some(Box::new(edit));
        }
    }

    fn push(&mut self, severity: Severity, span: Span, message: Message, hint: String) {
        self.keep(Diagnostic::of(severity, span, &message, hint), Some(message));
    }

    fn keep(&mut self, diagnostic: Diagnostic, message: Option<Message>) {
        self.latest = None;
        let start = diagnostic.span.start;
        let known = |known: &Reported| is_same(&known.diagnostic, &diagnostic);
        if let Some(index) = self.list.iter().position(known) {
            let places = &mut self.list[index].places;
            if !places.contains(&start) {
                places.push(start);
            }
        } else if self.full() {
            self.suppressed += 1;
            self.last = diagnostic.span;
        } else if !self.list.iter().any(|known| is_repeated(&known.diagnostic, &diagnostic)) {
            self.latest = Some(self.list.len());
            self.list.push(Reported { diagnostic, message, places: vec![start] });
        }
    }

    /// All of them in source order; what is not modelled stands there once, with the number of its
    /// other places. The last one says how many more there were.
    pub fn finish(self) -> Vec<Diagnostic> {
        let finished = |reported: Reported| {
            let Reported { mut diagnostic, message, places } = reported;
            let more = places.len() - 1;
            if more > 0 {
                let noun = if more == 1 { "place" } else { "places" };
                diagnostic.message.push_str(&format!(" and {more} more {noun}"));
                diagnostic.beside = match message {
                    Some(message) => message.beside(more),
                    None => diagnostic.message.clone(),
                };
            }
            diagnostic
        };
        let mut list: Vec<Diagnostic> = self.list.into_iter().map(finished).collect();
        sort_by_key(&mut list, |d| d.span.start);
        if self.suppressed > 0 {
            let severity = if self.errors { Severity::Error } else { Severity::Warning };
            let message = Message::of(Code::More, format!("and {} more", self.suppressed));
            list.push(Diagnostic::new(severity, self.last, message, "mend these first"));
        }
        list
    }
}

/// Do these keep the program from being read, and may another front end read it still? Not where
/// a mistake's mend is known: its author should hear of it.
pub fn may_be_read_otherwise(found: &[Diagnostic]) -> bool {
    all_errors(found, |one| one.edit.is_none() || LIMITS.contains(&one.code))
}

/// What is no mistake of the program's.
const LIMITS: [Code; 4] = [Code::NotModelled, Code::Memory, Code::NoSize, Code::More];

/// Do these keep the program from being read only because something is not modelled? What is asked
/// while a person types asks no further front end about a text that is not finished.
pub fn are_limits(found: &[Diagnostic]) -> bool {
    all_errors(found, |one| LIMITS.contains(&one.code))
}

fn all_errors(found: &[Diagnostic], holds: impl Fn(&Diagnostic) -> bool) -> bool {
    let mut errors = found.iter().filter(|one| one.severity == Severity::Error).peekable();
    errors.peek().is_some() && errors.all(holds)
}

/// Was the same thing said of the same place before?
fn is_repeated(one: &Diagnostic, other: &Diagnostic) -> bool {
    (one.severity, one.span) == (other.severity, other.span)
        && (&one.message, &one.hint) == (&other.message, &other.hint)
}

/// Do two diagnostics say that the same thing is not modelled, perhaps at two places?
fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    matches!(one.code, Code::NotModelled | Code::Memory)
        && (one.severity, one.code) == (other.severity, other.code)
        && (&one.beside, &one.hint) == (&other.beside, &other.hint)
}
