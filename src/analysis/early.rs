//! A search for a failing run that runs together with post\*, for programs where post\* knows only
//! at its end whether a run fails.
//!
//! If callees start with the weight 1 ([`crate::encode::ProgramDomain::some_start_anywhere`]), a
//! weight may hold stores that no run brings. So an error counts only once post\* is complete. The
//! search in the order of lengths ([`ShortestRun`]) starts from the program's start alone and sees
//! only reached stores. It gets `FIRST` kernel steps at the beginning, and then one kernel step for
//! every `SHARE` that post\* takes. So a safe program costs twice as much at most, and a program
//! with a short failing run has its verdict long before its weights are complete.

use super::counterexample::Counterexample;
use super::reach::Reach;
use super::shortest_run::{Shortest, ShortestRun};
use crate::bdd::{Bdd, Roots};
use crate::util::{Bounded, Limit};

/// Kernel steps of post\* for one of the search, after the first [`FIRST`].
const SHARE: u64 = 1;
/// Kernel steps that the search has at once.
const FIRST: u64 = 2_000_000;

/// The state of the search that runs in turn with post\*.
#[derive(Default)]
pub enum EarlySearch {
    /// The search is not needed so far.
    #[default]
    Waiting,
    /// The search is running.
    Searching {
        /// The search.
        search: Box<ShortestRun>,
        /// Kernel steps that it took.
        used: u64,
    },
    /// The search is over.
    Over,
}

/// The outcome of one turn.
pub enum Turn {
    /// It is post\*'s turn.
    Poststar,
    /// A piece of the search was done.
    Searched,
    /// A shortest failing run, and the number of its statements.
    Found(Box<Counterexample>, u64),
}

impl Roots for EarlySearch {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        if let EarlySearch::Searching { search, .. } = self {
            search.roots(roots);
        }
    }
}

impl EarlySearch {
    /// Does one piece of the search, if it is its turn.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<Turn> {
        let may_fail = !reach.system.errors.is_empty();
        if matches!(self, EarlySearch::Waiting) && reach.has_two_phases() && may_fail {
            let before = reach.domain.kernel.steps();
            let search = Box::new(ShortestRun::new(reach, &[], None)?);
            let used = reach.domain.kernel.steps() - before;
            *self = EarlySearch::Searching { search, used };
        }
        let EarlySearch::Searching { search, used } = self else { return Ok(Turn::Poststar) };
        let steps = reach.domain.kernel.steps();
        if used.saturating_mul(SHARE) > FIRST.saturating_add(steps - *used) {
            return Ok(Turn::Poststar);
        }
        let answer = search.step(reach);
        *used += reach.domain.kernel.steps() - steps;
        let rank = search.rank();
        let turn = match answer {
            Ok(None) => return Ok(Turn::Searched),
            Ok(Some(Shortest::Run(counterexample))) => Turn::Found(counterexample, rank),
            // No run fails, or the runs of the program are too long: post\* continues alone.
            Ok(Some(Shortest::None)) | Err(Limit::Depth) => Turn::Searched,
            Err(limit) => return Err(limit),
        };
        *self = EarlySearch::Over;
        Ok(turn)
    }
}
