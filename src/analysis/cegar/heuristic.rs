//! Which interpolants are chosen between the strongest and the weakest (thesis, chapter 6).

/// A way to choose interpolants. The chosen ones lie between the strongest and the weakest, and are
/// tracked along every edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Heuristic {
    /// The strongest everywhere (6.2).
    Strongest,
    /// The weakest everywhere (6.2).
    Weakest,
    /// Both the strongest and the weakest (6.2.2).
    Both,
    /// Bottom-up weakest ones, in which what the strongest does not mention is quantified out
    /// (6.3). It quantifies bits of variables.
    Conciliated,
    /// A statement is taken for a skip where the strongest interpolant allows that (6.4).
    Skip,
    /// First [`Heuristic::Skip`], then conciliated (6.5).
    SkipConciliated,
}

impl Heuristic {
    /// All six, in the order of the thesis.
    pub const ALL: [Heuristic; 6] = [
        Heuristic::Strongest,
        Heuristic::Weakest,
        Heuristic::Both,
        Heuristic::Conciliated,
        Heuristic::Skip,
        Heuristic::SkipConciliated,
    ];

    /// The stable word of the command line's contract.
    pub fn word(self) -> &'static str {
        match self {
            Heuristic::Strongest => "strongest",
            Heuristic::Weakest => "weakest",
            Heuristic::Both => "both",
            Heuristic::Conciliated => "conciliated",
            Heuristic::Skip => "skip",
            Heuristic::SkipConciliated => "skip-conciliated",
        }
    }

    /// The heuristic of this word.
    pub fn from_word(word: &str) -> Option<Heuristic> {
        Heuristic::ALL.into_iter().find(|heuristic| heuristic.word() == word)
    }

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
