//! What the user does to the refinement loop, and which picture is shown.

use crate::wire::refinement::{Heuristic, RefinementAsk};

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RefinementEvent {
    /// Run with other options.
    Other(RefinementAsk),
    /// Show another picture.
    Show(Shown),
    /// Select a node of the DAG, or none.
    Select(Option<u32>),
    /// Fold or unfold the frame that a node lies in, or that is entered from it.
    Fold(u32),
    /// The same of a frame, by its number in the picture.
    FoldFrame(u32),
    /// Fold all frames, or none.
    FoldAll(bool),
    /// Choose a heuristic to be compared with another one, or give it up.
    Choose(Heuristic),
    /// Show the pictures of the two that are chosen, or go back to the table.
    Pair(bool),
    /// On one side of the two: another heuristic, or another round.
    Side(usize, SideEvent),
    /// End the run, or the comparison, where it is.
    Stop,
    /// Run all heuristics.
    Compare,
    /// The run takes long: its rounds are shown as they come.
    Live,
    /// The step has come to rest: ask for what is to be shown of it.
    Settled,
}

/// What happens on one side of two heuristics that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SideEvent {
    /// Another heuristic.
    Heuristic(Heuristic),
    /// Another round.
    Round(u32),
}

pub(crate) use crate::wire::permalink::RefinementPicture as Shown;

impl Shown {
    /// What its button says.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shown::Dag => "Counterexamples",
            Shown::Program => "Abstract program",
            Shown::Heuristics => "Heuristics",
        }
    }
}
