//! Edits of a failing program that may repair it, and the search for those that do. A check of the
//! edited program decides; the search asks for this check, and `session::RepairSession` carries it
//! out.
//!
//! | what | where |
//! | --- | --- |
//! | which edit is tried next, and what follows from the checks | [`search`], [`found`] |
//! | where to look first, by causes and focus sequences | [`hints`] |
//! | all edits in the order of suspicion | `candidates` |
//! | what it proves that no run of an edited program fails | `proof` |
//! | known runs; statements that alone could be to blame for them; numbers narrowed down by them | `known_runs`, `blame`, `open_number` |
//! | the source as tokens; which of them make a statement, a condition, a part of a condition | [`source`] |
//! | edits inside a statement: numbers, names, operators, parts of conditions | [`mutations`] |
//! | a number, or what a statement assigns, left open: which values would pass the known runs | [`holes`] |
//! | statements that the failing run lacks; initialisations (*Error Explanation by Focus-Statement Sequences*, § 1) | [`insertions`] |
//! | an edited program tried on failing runs that are known, by the interpreter | [`trials`], [`execution`] |
//! | what a person would write first | [`person`] |
//! | statements that say what is wanted, which are never edited | [`property`] |
//! | statements that only report an error, whose edits come last | [`judging`] |
//!
//! An edit replaces one piece of the text and never adds a line, so the lines of everything else
//! stay.

mod blame;
mod candidates;
pub mod execution;
pub mod found;
pub mod hints;
pub mod holes;
pub mod insertions;
pub mod judging;
mod known_runs;
pub mod mutations;
mod open_number;
pub mod person;
mod proof;
pub mod property;
pub mod search;
pub mod source;
pub mod trials;

use self::hints::RepairHints;
use crate::lang::model::EdgeId;
use crate::wire::repair::RepairKind;

/// The replacement of a piece of the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    /// The first byte that is replaced.
    pub start: u32,
    /// The byte after the last one that is replaced; equal to `start` if text is only inserted.
    pub end: u32,
    /// The new text.
    pub text: String,
    /// The kind of the edit.
    pub kind: RepairKind,
}

impl Edit {
    /// The source with the edit.
    pub fn apply(&self, source: &str) -> String {
        let (before, after) = (source.get(..self.start as usize), source.get(self.end as usize..));
        format!("{}{}{}", before.unwrap_or_default(), self.text, after.unwrap_or_default())
    }
}

/// How much an edit's oddness counts against the order of suspicion.
const HANDICAP: u32 = 3;

impl Candidate {
    /// An edit of a statement that is the `suspicion`-th in the order of suspicion.
    fn new(source: &str, edit: Edit, edge: EdgeId, suspicion: u32) -> Candidate {
        let replaced = source.get(edit.start as usize..edit.end as usize).unwrap_or_default();
        let oddness = person::oddness(&edit, replaced);
        let score = suspicion + HANDICAP * oddness;
        Candidate { edit, edge, score, oddness, moves: false, weakens: false }
    }
}

/// An edit that is tried.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The edit.
    pub edit: Edit,
    /// The statement that it changes.
    pub edge: EdgeId,
    /// Edits with a smaller score are tried earlier. The score is the statement's place in the
    /// order of suspicion plus a handicap for what a person would not write.
    pub score: u32,
    /// See [`person::oddness`].
    pub oddness: u32,
    /// Does it change more than the value that the statement gives or decides?
    pub moves: bool,
    /// Does it change a statement that only reports an error? See [`judging`].
    pub weakens: bool,
}
