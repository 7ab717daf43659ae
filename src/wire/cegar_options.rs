//! What the refinement loop is asked for, and the phases that it tells of.

use crate::util::words;
use serde::{Deserialize, Serialize};

words! {
    /// A way to choose interpolants. Whatever is chosen lies between the strongest and the weakest
    /// and is tracked along every edge.
    pub enum Heuristic {
        /// The strongest everywhere (6.2).
        Strongest = "strongest",
        /// The weakest everywhere (6.2).
        Weakest = "weakest",
        /// Both the strongest and the weakest (6.2.2).
        Both = "both",
        /// Bottom-up weakest ones, in which what the strongest does not mention is quantified out
        /// (6.3). It quantifies bits of variables.
        Conciliated = "conciliated",
        /// A statement is taken for a skip where the strongest interpolant allows that (6.4).
        Skip = "skip",
        /// First [`Heuristic::Skip`], then conciliated (6.5).
        SkipConciliated = "skip-conciliated",
    }
}

impl Heuristic {
    /// Its name and what it does, for people.
    pub fn told(self) -> (&'static str, &'static str) {
        match self {
            Heuristic::Strongest => (
                "strongest",
                "What holds there on the traces: images of the statements, from the top down",
            ),
            Heuristic::Weakest => {
                ("weakest", "What must not hold for an error: pre-images, from the bottom up")
            }
            Heuristic::Both => {
                ("both", "The strongest and the weakest, two predicates at each place")
            }
            Heuristic::Conciliated => (
                "conciliated",
                "The weakest, without the bits that the strongest does not speak of",
            ),
            Heuristic::Skip => {
                ("assume skip", "A statement is taken for a skip where the strongest allows that")
            }
            Heuristic::SkipConciliated => {
                ("assume skip, conciliated", "Both of these; the default")
            }
        }
    }
}

words! {
    /// The phases of a round of the loop.
    pub enum CegarPhase {
        /// The slice of the errors is computed.
        Slice = "slice",
        /// Rules are abstracted.
        Abstract = "abstract",
        /// The abstract program is model-checked.
        Check = "check",
        /// Its error traces become a DAG.
        Dag = "DAG",
        /// Interpolants are computed; they say whether the DAG is spurious.
        Interpolate = "interpolate",
        /// The properties of the interpolants are proved.
        Verify = "verify",
        /// Interpolants become predicates, or a real trace becomes a run.
        Refine = "refine",
        /// No error is left: the invariant is proved.
        Prove = "prove",
        /// Over.
        Done = "done",
    }
}

/// How far the search goes. Serde writes whether it is shallow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum Extent {
    /// To all reachable configurations.
    #[default]
    All,
    /// To the first rank with an error (thesis, 8.1.1).
    FirstError,
}

impl From<bool> for Extent {
    fn from(is_shallow: bool) -> Extent {
        if is_shallow { Extent::FirstError } else { Extent::All }
    }
}

impl From<Extent> for bool {
    fn from(extent: Extent) -> bool {
        extent == Extent::FirstError
    }
}

/// What the loop is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CegarOptions {
    /// Which interpolants become predicates.
    #[serde(rename = "interpolants")]
    pub heuristic: Heuristic,
    /// No predicates where the abstract values already imply the interpolant (thesis, 8.3).
    pub lazy: bool,
    /// How far the abstract program is explored (thesis, 8.1).
    #[serde(rename = "shallow")]
    pub extent: Extent,
    /// Statements outside of the slice of the errors do anything to what they write (thesis, 1.4).
    pub slice: bool,
    /// Each round stays on the rules that can lead to an error in the round before (Lal, Kidd,
    /// Reps, Touili 2007, 7.1).
    pub project: bool,
    /// Once predicates have had their share of the budget, the loop follows whole variables
    /// (Kurshan 1994, localization reduction). Programs with threads are not followed.
    pub follow: bool,
    /// The strongest and the weakest interpolants are kept beside the chosen ones, to be looked at.
    #[serde(skip)]
    pub explain: bool,
    /// Most refinements; more is [`Limit::Rounds`](crate::util::Limit::Rounds).
    pub max_rounds: u32,
}

impl CegarOptions {
    /// Predicates alone, to the end, by this heuristic: what the papers' figures are of.
    pub fn pure(heuristic: Heuristic) -> CegarOptions {
        CegarOptions { heuristic, follow: false, ..CegarOptions::default() }
    }
}

impl Default for CegarOptions {
    fn default() -> CegarOptions {
        let heuristic = Heuristic::SkipConciliated;
        CegarOptions {
            heuristic,
            lazy: false,
            extent: Extent::All,
            slice: false,
            project: false,
            follow: true,
            explain: false,
            max_rounds: 1_000,
        }
    }
}
