//! Which interpolants are chosen between the strongest and the weakest (thesis, chapter 6).

use crate::wire::refinement::Heuristic;

impl Heuristic {
    /// Are the strongest interpolants chosen? And the pass from the bottom that chooses others, if
    /// any.
    pub(super) fn passes(self) -> (bool, Option<Descent>) {
        let descent = |skip, conciliate| Some(Descent { skip, conciliate });
        match self {
            Heuristic::Strongest => (true, None),
            Heuristic::Weakest => (false, descent(false, false)),
            Heuristic::Both => (true, descent(false, false)),
            Heuristic::Conciliated => (false, descent(false, true)),
            Heuristic::Skip => (false, descent(true, false)),
            Heuristic::SkipConciliated => (false, descent(true, true)),
        }
    }
}

/// How a bottom-up pass chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Descent {
    /// Try the target's interpolant first.
    pub(super) skip: bool,
    /// Quantify out what the strongest interpolant does not mention.
    pub(super) conciliate: bool,
}

impl Descent {
    /// The weakest interpolants.
    pub(super) const WEAKEST: Descent = Descent { skip: false, conciliate: false };
}
