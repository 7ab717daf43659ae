//! Searches for shortest runs, and their results.

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

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Sought {
    /// This run, which was replayed. None is shorter.
    Run(Box<ReplayedRun>),
    /// There is no such run. If sets are named, these alone exclude one, because none of their
    /// statements is on a failing run.
    None(Vec<usize>),
    /// A limit was hit first.
    Unknown(Limit),
}

/// A search in progress.
pub(super) struct Search {
    pub(super) shortest: ShortestRun,
    /// The sets of statements; `None`: all failing runs count.
    pub(super) through: Option<Vec<Vec<EdgeId>>>,
}

impl_roots!(Search { shortest });
