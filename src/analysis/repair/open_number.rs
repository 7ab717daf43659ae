//! A number in the source for which the search looks for another value (Solar-Lezama et al. 2006).
//! Failing runs exclude values, and the check of an edited program decides.

use super::holes::Hole;
use super::known_runs::KnownRuns;
use super::person::ODD;
use super::{Candidate, Edit};
use crate::lang::model::EdgeId;
use crate::wire::repair::RepairKind;

/// The most checks for one number.
const MOST_CHECKS: u32 = 14;
/// The greatest number that the search tries.
const GREATEST: i128 = 2_047;

/// A number for which another value is looked for.
pub(super) struct OpenNumber {
    hole: Hole,
    /// The bytes of the number in the source.
    bytes: (u32, u32),
    /// The statement that it is in.
    pub(super) edge: EdgeId,
    /// The score, as that of a [`Candidate`].
    pub(super) score: u32,
    /// Is it in a statement that only reports an error?
    pub(super) weakens: bool,
    /// Values that no run has excluded.
    left: Vec<i128>,
    /// How many of the runs that checks have found were tried.
    tried: usize,
    checks: u32,
}

/// The result of one step for a number.
pub(super) enum Narrowed {
    /// A known run was tried, and values are left.
    More,
    /// This value is to be tried next.
    Guess(Candidate),
    /// No value is left, or enough values were checked.
    Over,
}

impl OpenNumber {
    /// The number at these bytes, with all values open.
    pub(super) fn new(hole: Hole, bytes: (u32, u32), edge: EdgeId, score: u32) -> OpenNumber {
        let scalar = hole.scalar();
        let greatest = scalar.number(scalar.mask() >> u32::from(scalar.signed));
        let left = (0..=GREATEST.min(greatest)).collect();
        OpenNumber { hole, bytes, edge, score, weakens: false, left, tried: 0, checks: 0 }
    }

    /// Excludes values by the next run that a check has found. Once all runs were tried, it picks a
    /// value.
    pub(super) fn narrow(&mut self, known: &KnownRuns) -> Narrowed {
        if let Some(run) = known.found().get(self.tried) {
            self.left = self.hole.passing(run, &self.left, known.some_end());
            self.tried += 1;
            return if self.left.is_empty() { Narrowed::Over } else { Narrowed::More };
        }
        if self.checks >= MOST_CHECKS || self.left.is_empty() {
            return Narrowed::Over;
        }
        self.checks += 1;
        // The middle value halves the rest, whichever side a counterexample excludes.
        let value = self.left.remove(self.left.len() / 2);
        let (start, end) = self.bytes;
        let edit = Edit { start, end, text: value.to_string(), kind: RepairKind::Constant };
        Narrowed::Guess(Candidate {
            edit,
            edge: self.edge,
            score: self.score,
            oddness: ODD,
            moves: false,
            weakens: self.weakens,
        })
    }
}
