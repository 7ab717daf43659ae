//! What is wrong with a text, or not read.

use crate::span::Span;

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// This was expected.
    Expected(&'static str),
    /// A character that no token begins with, or a literal without an end.
    NoToken,
    /// A literal that no type holds.
    TooLarge,
    /// It stands deeper in others than is read.
    TooDeep,
    /// Java has it; it is not read.
    NotRead(String),
    /// Nothing has this name.
    Unknown(String),
    /// Two things have this name.
    Twice(String),
    /// A value of one type where another is needed.
    Type {
        /// The type of the value.
        found: String,
        /// What is needed.
        needed: String,
    },
    /// No method of this name takes these arguments.
    NoMethod(String),
    /// Several methods of this name take these arguments.
    Ambiguous(String),
    /// Another rule of Java is broken.
    Rule(&'static str),
    /// Nothing to start from.
    NoMain,
}

/// A mistake or a refusal, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong.
    pub wrong: Wrong,
    /// Where.
    pub span: Span,
}

impl Mistake {
    /// Is it Java that is not read, rather than no Java?
    pub fn is_refusal(&self) -> bool {
        matches!(self.wrong, Wrong::NotRead(_) | Wrong::TooDeep)
    }

    /// The sentence.
    pub fn message(&self) -> String {
        match &self.wrong {
            Wrong::Expected(what) => format!("expected {what}"),
            Wrong::NoToken => "this is no token of Java".to_string(),
            Wrong::TooLarge => "a number that its type does not hold".to_string(),
            Wrong::TooDeep => "this stands too deep inside of others".to_string(),
            Wrong::NotRead(what) => format!("{what} is not read yet"),
            Wrong::Unknown(name) => format!("unknown name `{name}`"),
            Wrong::Twice(name) => format!("`{name}` is declared twice"),
            Wrong::Type { found, needed } => {
                format!("this has the type {found}; {needed} is needed")
            }
            Wrong::NoMethod(name) => format!("no method `{name}` takes these arguments"),
            Wrong::Ambiguous(name) => format!("several methods `{name}` take these arguments"),
            Wrong::Rule(rule) => rule.to_string(),
            Wrong::NoMain => "nothing to start from".to_string(),
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match &self.wrong {
            Wrong::Expected(_) | Wrong::NoToken => "see what `javac` says of this line",
            Wrong::TooLarge => "write a smaller number, or `L` behind it",
            Wrong::TooDeep => "store a part of it in a variable",
            Wrong::NotRead(_) => "leave it out, or write it with what docs/languages.md lists",
            Wrong::Unknown(_) => "declare it, or look at the spelling",
            Wrong::Twice(_) => "rename one of the two",
            Wrong::Type { .. } => "convert the value, or change the type",
            Wrong::NoMethod(_) | Wrong::Ambiguous(_) => "look at the types of the arguments",
            Wrong::Rule(_) => "see what `javac` says of this line",
            Wrong::NoMain => "write `public static void main(String[] args)`",
        }
    }
}

/// The value, or the first mistake.
pub(crate) type Read<T> = Result<T, Mistake>;

/// A mistake at this place.
pub(crate) fn wrong<T>(span: Span, wrong: Wrong) -> Read<T> {
    Err(Mistake { wrong, span })
}

/// Java that is not read, by its name.
pub(crate) fn not_read<T>(span: Span, what: impl Into<String>) -> Read<T> {
    wrong(span, Wrong::NotRead(what.into()))
}
