//! The message of a diagnostic, as data: its code, its sentence, and whether the sentence ends with
//! its own line. No code reads the sentence again.

use crate::lang::model::Span;
use crate::wire::diagnostic::Code;

/// The subject of a sentence, `pointers are`, and what is said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct What<'a> {
    subject: &'a str,
    /// `is` or `are`, for "… is not modelled". `None`: the subject is a whole sentence.
    verb: Option<&'static str>,
    code: Code,
    /// The name in the program that the sentence quotes.
    name: Option<&'a str>,
}

/// "… is not modelled".
pub(crate) const fn is(subject: &str) -> What<'_> {
    What { subject, verb: Some("is"), code: Code::NotModelled, name: None }
}

/// "… are not modelled".
pub(crate) const fn are(subject: &str) -> What<'_> {
    What { subject, verb: Some("are"), code: Code::NotModelled, name: None }
}

/// A whole sentence, of which the line comes at the end.
pub(crate) const fn at_line(sentence: &str) -> What<'_> {
    What { subject: sentence, verb: None, code: Code::Invalid, name: None }
}

impl<'a> What<'a> {
    /// It is a use of memory: not modelled as such, but perhaps once memory is arrays.
    pub(crate) const fn of_memory(self) -> What<'a> {
        What { code: Code::Memory, ..self }
    }

    /// It is not modelled in any way, whatever was said of it.
    pub(crate) const fn of_no_memory(self) -> What<'a> {
        match self.code {
            Code::Memory => What { code: Code::NotModelled, ..self },
            _ => self,
        }
    }

    /// With the name that the program writes there.
    pub(crate) const fn named(self, name: &'a str) -> What<'a> {
        What { name: Some(name), ..self }
    }
}

/// Where a message names the line of its diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Nowhere.
    Nothing,
    /// "…: line 7".
    Line,
    /// "… in line 7".
    InLine,
}

/// What a diagnostic says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub(super) code: Code,
    /// What is not modelled: a name in backquotes, or the sentence's subject.
    pub(super) subject: Option<String>,
    /// Without the line.
    text: String,
    ending: Ending,
}

impl Message {
    /// A sentence with a code of its own.
    pub(crate) fn of(code: Code, text: String) -> Message {
        Message { code, ..text.into() }
    }

    /// Of this code, if it has none of its own.
    pub(super) fn or(self, code: Code) -> Message {
        match self.code {
            Code::Invalid => Message { code, ..self },
            _ => self,
        }
    }

    /// The message that stands alone, with its line.
    pub(super) fn alone(&self, span: Span) -> String {
        match self.ending {
            Ending::Nothing => self.text.clone(),
            Ending::Line => format!("{}: line {}", self.text, span.line),
            Ending::InLine => format!("{} in line {}", self.text, span.line),
        }
    }

    /// The message beside the number of its line, where the same is said at so many more places.
    pub(super) fn beside(&self, more: usize) -> String {
        let here = match (self.ending, more) {
            (_, 0) => return self.text.clone(),
            (Ending::Nothing, _) => "",
            (Ending::Line, _) => ": here",
            (Ending::InLine, _) => " here",
        };
        let joined = if self.ending == Ending::Nothing { "" } else { " in" };
        let places = if more == 1 { "place" } else { "places" };
        format!("{}{here} and{joined} {more} more {places}", self.text)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message { code: Code::Invalid, subject: None, text, ending: Ending::Nothing }
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Message {
        text.to_string().into()
    }
}

impl From<What<'_>> for Message {
    fn from(what: What<'_>) -> Message {
        let What { subject, verb, code, name } = what;
        let quoted = name.map(|name| format!("`{name}`"));
        let sentence = match verb {
            Some(verb) => format!("{subject} {verb} not modelled"),
            None => subject.to_string(),
        };
        let (text, ending) = match &quoted {
            Some(quoted) => (format!("{sentence}: {quoted}"), Ending::InLine),
            None => (sentence, Ending::Line),
        };
        let subject = verb.map(|_| quoted.unwrap_or_else(|| subject.to_string()));
        Message { code, subject, text, ending }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_named_once() {
        let at = Span { line: 7, ..Span::default() };
        for (what, alone, beside, with_more) in [
            (
                are("pointers").of_memory(),
                "pointers are not modelled: line 7",
                "pointers are not modelled",
                "pointers are not modelled: here and in 2 more places",
            ),
            (
                is("the heap").named("malloc"),
                "the heap is not modelled: `malloc` in line 7",
                "the heap is not modelled: `malloc`",
                "the heap is not modelled: `malloc` here and in 2 more places",
            ),
            (
                at_line("header `x.h` is not known"),
                "header `x.h` is not known: line 7",
                "header `x.h` is not known",
                "header `x.h` is not known: here and in 2 more places",
            ),
        ] {
            let message = Message::from(what);
            assert_eq!(message.alone(at), alone);
            assert_eq!(message.beside(0), beside);
            assert_eq!(message.beside(2), with_more);
        }
    }

    #[test]
    fn what_is_not_modelled_has_a_subject() {
        let subject = |what: What<'_>| Message::from(what).subject;
        assert_eq!(subject(are("pointers")).as_deref(), Some("pointers"));
        assert_eq!(subject(is("the heap").named("malloc")).as_deref(), Some("`malloc`"));
        assert_eq!(subject(at_line("header `x.h` is not known")), None);
    }
}
