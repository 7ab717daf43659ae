//! What is wrong with a program, or not read.

use crate::span::Span;
use std::fmt;

/// The first thing for which a program cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What.
    pub kind: MistakeKind,
    /// Where.
    pub span: Span,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MistakeKind {
    /// Another token was expected: what, and what stands there.
    Expected(String, String),
    /// A character that no token of C begins with.
    Character(char),
    /// A name that nobody declares.
    UnknownName(String),
    /// A procedure that nobody defines is called.
    NoBody(String),
    /// A member that the struct does not have: member, type.
    NoMember(String, String),
    /// An operator does not take operands of these types.
    Operands(String, String),
    /// A value of one type is needed as another: have, need.
    Conversion(String, String),
    /// Too many or too few arguments: name, given, needed.
    Arguments(String, u32, u32),
    /// Something that is written is no place in memory.
    NotAPlace,
    /// A number is needed that the text itself determines.
    NotConstant,
    /// The size of a type is needed, and it has none yet.
    Incomplete(String),
    /// A name is declared twice in one block.
    Twice(String),
    /// `break`, `continue`, `case` outside of what they belong to.
    Stray(&'static str),
    /// `goto` without its label.
    NoLabel(String),
    /// There is no `main`.
    NoMain,
    /// A header that is not known.
    Header(String),
    /// `#error`, `#endif` without `#if`, and the like.
    Directive(String),
    /// A macro is used with the wrong number of arguments, or without its end.
    Macro(String),
    /// Correct C that is not executed here.
    NotExecuted(String),
    /// Nested too deeply, or too long.
    TooLarge,
}

impl Mistake {
    /// A mistake at a place.
    pub fn new(kind: MistakeKind, span: Span) -> Mistake {
        Mistake { kind, span }
    }

    /// What to do about it; may be empty.
    pub fn hint(&self) -> &'static str {
        match self.kind {
            MistakeKind::Expected(..) => "look at this line and at the end of the one before",
            MistakeKind::UnknownName(_) => "declare it, or look at its spelling",
            MistakeKind::NoBody(_) => "define it in the program",
            MistakeKind::NoMain => "a test runs a program from `main`",
            MistakeKind::Header(_) => "leave it out, or put its text into the program",
            MistakeKind::NotExecuted(_) => "tests run programs without it",
            _ => "",
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MistakeKind::Expected(what, found) => write!(f, "expected {what}, found {found}"),
            MistakeKind::Character(c) => write!(f, "unexpected character `{c}`"),
            MistakeKind::UnknownName(name) => write!(f, "unknown name `{name}`"),
            MistakeKind::NoBody(name) => write!(f, "`{name}` has no body"),
            MistakeKind::NoMember(name, ty) => write!(f, "`{ty}` has no member `{name}`"),
            MistakeKind::Operands(operator, types) => {
                write!(f, "`{operator}` does not take {types}")
            }
            MistakeKind::Conversion(have, need) => {
                write!(f, "a value of type `{have}` stands where `{need}` is needed")
            }
            MistakeKind::Arguments(name, given, needed) => {
                write!(f, "`{name}` takes {needed} arguments, {given} are given")
            }
            MistakeKind::NotAPlace => write!(f, "this is no place that can be written"),
            MistakeKind::NotConstant => write!(f, "a constant is needed here"),
            MistakeKind::Incomplete(ty) => write!(f, "the type `{ty}` is not complete here"),
            MistakeKind::Twice(name) => write!(f, "`{name}` is declared twice"),
            MistakeKind::Stray(word) => write!(f, "`{word}` stands outside of what it belongs to"),
            MistakeKind::NoLabel(name) => write!(f, "there is no label `{name}`"),
            MistakeKind::NoMain => write!(f, "there is no procedure `main`"),
            MistakeKind::Header(name) => write!(f, "unknown header `{name}`"),
            MistakeKind::Directive(what) => write!(f, "{what}"),
            MistakeKind::Macro(what) => write!(f, "{what}"),
            MistakeKind::NotExecuted(what) => write!(f, "{what} is not executed"),
            MistakeKind::TooLarge => write!(f, "the program is nested too deeply or too long"),
        }
    }
}
