//! What is said of a question: how far its work is, or its verdict. One shape for the check and for
//! every tab.

use super::question::Question;
use crate::wire::report::Verdict;

/// The tone of a verdict: how it is painted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    Safe,
    Unsafe,
    /// No error within a bound, which proves nothing beyond it.
    Bounded,
    #[default]
    Unknown,
}

impl Tone {
    /// Its class in the style sheet.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Tone::Safe => "safe",
            Tone::Unsafe => "unsafe",
            Tone::Bounded => "bounded",
            Tone::Unknown => "unknown",
        }
    }
}

impl From<Verdict> for Tone {
    fn from(verdict: Verdict) -> Tone {
        match verdict {
            Verdict::Safe => Tone::Safe,
            Verdict::Unsafe => Tone::Unsafe,
            Verdict::Unknown => Tone::Unknown,
        }
    }
}

/// What a tab says of its question, in one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    /// The verdict, if there is one to tell.
    pub(crate) verdict: Option<(Tone, String)>,
    /// What it holds for, and what it took.
    pub(crate) told: String,
    /// How far the work is, while there is some; and whether Stop is offered.
    pub(crate) working: Option<(String, bool)>,
    /// Why what is shown does not answer the present question.
    pub(crate) stale: Option<String>,
    /// Is it worth while to go on with larger budgets?
    pub(crate) more: bool,
    /// What the button to ask again says; empty: there is none.
    pub(crate) again: &'static str,
}

/// What the user does with such a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// End the work where it is.
    Stop,
    /// Ask again.
    Again,
    /// Ask again with ten times the budgets.
    More,
}

impl Ask {
    /// Readies a question for it. True if it is to be asked now.
    pub(crate) fn readies<P>(self, question: &mut Question<P>) -> bool {
        if self == Ask::More {
            question.go_on();
        }
        self != Ask::Stop
    }
}
