//! Searches for shortest runs, and what they came to.

use crate::analysis::replay::ReplayedRun;
use crate::analysis::shortest_run::ShortestRun;
use crate::bdd::impl_roots;
use crate::lang::model::EdgeId;
use crate::util::Limit;

/// Is the shown failing run a shortest one?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// No search for a shorter run has ended yet.
    Open,
    /// No run is shorter.
    Shortest,
    /// A limit was hit first.
    Unknown(Limit),
}

/// The shortest failing run through some statements.
#[derive(Clone, Debug)]
pub struct Through {
    /// A statement of each of these is executed.
    pub sets: Vec<Vec<EdgeId>>,
    /// The run, if there is one.
    pub answer: Sought,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub enum Sought {
    /// This run (replayed); none is shorter.
    Run(Box<ReplayedRun>),
    /// There is none; by these sets alone, if they are named: none of their statements is on a
    /// failing run.
    None(Vec<usize>),
    /// A limit was hit first.
    Unknown(Limit),
}

/// A search in progress.
pub(super) struct Search {
    pub(super) shortest: ShortestRun,
    /// `None`: of all failing runs.
    pub(super) through: Option<Vec<Vec<EdgeId>>>,
}

impl_roots!(Search { shortest });
