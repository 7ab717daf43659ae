//! The failing run through chosen statements: what is asked, and what is shown instead of the
//! shortest run of all.

use crate::draw::words;
use crate::ui::state::question::Question;
use crate::ui::state::shared::Shared;
use crate::wire::report::{Report, ThroughReport};

/// Most statements that a run can be asked to go through.
pub(crate) const MOST: usize = 8;

/// What was asked and what is known of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ThroughRun {
    /// One statement of each set; edge numbers.
    pub(crate) sets: Vec<Vec<u32>>,
    /// The search for it.
    pub(crate) question: Question<()>,
    /// The answer.
    pub(crate) answer: Option<ThroughReport>,
    /// The report with the run through the statements in the place of its own, if there is such a
    /// run.
    pub(crate) shown: Option<Shared<Report>>,
    /// Where to go in it; else to the first of the statement chosen last.
    pub(crate) step: Option<usize>,
}

impl ThroughRun {
    /// What the timeline says of it.
    pub(crate) fn headline(&self) -> String {
        match &self.answer {
            Some(answer) => words::through_headline(answer),
            None if self.question.is_busy() => "Looking for the shortest run through here…".into(),
            None => "Nothing is known of runs through here: run the program again".into(),
        }
    }
}
