//! What a tab says first: its verdict, or how far its work is, or why it has nothing to say.

use super::question::Question;
use crate::wire::diagnostic::DiagnosticView;
use crate::wire::report::{Unchecked, Verdict};

/// The tone of what is said: how it is painted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    Safe,
    Unsafe,
    /// A failing run is known and shown, and the work on the rest goes on.
    Failing,
    /// There is nothing that could fail: no praise, and no blame.
    Neutral,
    /// No error within a bound, which proves nothing beyond it.
    Bounded,
    Unknown,
    /// The work goes on, and there is no verdict yet.
    Running,
    /// What was said is about an older program.
    Stale,
    /// The tab has nothing to say about such a program.
    Refused,
    /// There is no engine to be asked.
    Faulty,
    /// No verdict at all.
    #[default]
    Plain,
}

impl Tone {
    /// Its class in the style sheet.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Tone::Safe => "safe",
            Tone::Unsafe => "unsafe",
            Tone::Failing => "unsafe failing",
            Tone::Neutral => "neutral",
            Tone::Bounded => "bounded",
            Tone::Unknown => "unknown",
            Tone::Running => "running",
            Tone::Stale => "stale",
            Tone::Refused => "refused",
            Tone::Faulty => "faulty",
            Tone::Plain => "plain",
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

/// Why an answer was cut short that no person asked for.
pub(crate) const CUT: &str =
    "A link or a reload began it, so it had half a minute and 1 GB of memory.";

/// The button after it.
pub(crate) const GO_ON: (Ask, &str) = (Ask::Again, "Go on without these limits");

/// What a tab says of its question. Empty texts are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) tone: Tone,
    /// The verdict, in one sentence.
    pub(crate) headline: String,
    /// Its reason, and what a person must know besides, a sentence each.
    pub(crate) told: Vec<String>,
    /// What was checked, for which numbers, in one quiet sentence.
    pub(crate) scope: String,
    /// What was not checked, in the same line.
    pub(crate) unchecked: Vec<Unchecked>,
    /// All that the verdict holds for: shown on request, as all below.
    pub(crate) holds: String,
    /// What else is known, a sentence each.
    pub(crate) more: Vec<String>,
    /// How far the work is, while there is some.
    pub(crate) working: String,
    /// Was the work told to stop?
    pub(crate) stopping: bool,
    /// The numbers of the engine, a sentence each.
    pub(crate) figures: Vec<String>,
    /// What can be asked for now, and what its button says.
    pub(crate) asks: Vec<(Ask, &'static str)>,
    /// Is it about the text alone? Then it is said also where the engine cannot read the program.
    pub(crate) of_text: bool,
    /// Another tab is the one for such a program: what the button that shows it says.
    pub(crate) leads: &'static str,
}

impl Said {
    /// Work that is on its way, and nothing else to tell.
    pub(crate) fn working(working: String, stopping: bool) -> Said {
        let headline = if stopping { "Stopping…" } else { "Working…" }.to_string();
        Said { tone: Tone::Running, headline, working, stopping, ..Said::default() }
    }

    /// The tab follows one thread, and the program has several.
    pub(crate) fn one_thread(name: &str) -> Said {
        Said {
            tone: Tone::Refused,
            headline: format!("{name} follows one thread only"),
            told: vec!["The program has several, and the tab Threads runs them together.".into()],
            leads: "See what the threads do together",
            ..Said::default()
        }
    }

    /// The tab needs a model of the program, and there is none.
    pub(crate) fn only_bounded(name: &str, diagnostics: &[DiagnosticView]) -> Said {
        Said {
            tone: Tone::Refused,
            headline: format!("{name} has no picture of this program"),
            told: diagnostics.iter().next().map(not_read).into_iter().collect(),
            leads: "See the answer",
            ..Said::default()
        }
    }

    /// What is shown answers an older program.
    pub(crate) fn stale(headline: &str, again: &'static str) -> Said {
        Said {
            tone: Tone::Stale,
            headline: "Changed since the last answer".into(),
            told: vec![format!("The answer was “{headline}”.")],
            asks: vec![(Ask::Again, again)],
            ..Said::default()
        }
    }
}

/// Why there is no picture of a program that the bounded engine reads.
pub(crate) fn not_read(one: &DiagnosticView) -> String {
    format!("No picture is drawn because of line {}: {}.", one.line, one.beside_its_line())
}

/// What the user asks for with a button beside the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Ask again.
    Again,
    /// Ask again with ten times the budgets.
    More,
    /// Start the engine anew.
    Engine,
    /// Look at what the answer says nothing about.
    Look(Unchecked),
}

impl Ask {
    /// Readies a question for it.
    pub(crate) fn readies<P>(self, question: &mut Question<P>) {
        if self == Ask::More {
            question.go_on();
        }
    }
}
