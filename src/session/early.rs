//! A search for a failing run beside post\*, where post\* itself says only at its end whether one
//! fails.
//!
//! Where callees start with the weight 1 ([`crate::encode::ProgramDomain::some_start_anywhere`]) a
//! weight speaks of stores that may never enter, so an error counts once post\* is complete. The
//! search in the order of lengths ([`ShortestRun`]) starts from the program's start alone and sees
//! only what is reached. It gets one kernel step for every [`SHARE`] that post\* takes, and
//! [`FIRST`] before that, so a safe program pays twice at most, and a program with a short failing
//! run has its verdict long before its weights are complete.

use super::seek::shortest_replayed;
use super::{Certainty, Phase, Session, Task};
use crate::analysis::shortest_run::{Shortest, ShortestRun};
use crate::bdd::{Bdd, Roots};
use crate::util::{Bounded, Limit};

/// Kernel steps of post\* for one of the search, after the first [`FIRST`].
const SHARE: u64 = 1;
/// Kernel steps that the search has at once.
const FIRST: u64 = 2_000_000;

/// Where the search is.
pub(super) enum Early {
    /// Not needed so far.
    Waiting,
    /// On.
    Searching {
        /// The search.
        search: Box<ShortestRun>,
        /// Kernel steps that it took.
        used: u64,
    },
    /// Over, whatever it found.
    Over,
}

impl Roots for Early {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        if let Early::Searching { search, .. } = self {
            search.roots(roots);
        }
    }
}

impl Session {
    /// One piece of the search, if it is its turn; true if it was.
    pub(super) fn search_early(&mut self) -> Bounded<bool> {
        let Some(reach) = &mut self.reach else { return Ok(false) };
        if matches!(self.early, Early::Waiting) && reach.has_two_phases() {
            let before = reach.domain.kernel.steps();
            let search = Box::new(ShortestRun::new(reach, &[], None)?);
            self.early = Early::Searching { search, used: reach.domain.kernel.steps() - before };
        }
        let Early::Searching { search, used } = &mut self.early else { return Ok(false) };
        let steps = reach.domain.kernel.steps();
        if used.saturating_mul(SHARE) > FIRST.saturating_add(steps - *used) {
            return Ok(false);
        }
        let answer = search.step(reach);
        *used += reach.domain.kernel.steps() - steps;
        let rank = search.rank();
        match answer {
            Ok(None) => return Ok(true),
            Ok(Some(Shortest::None)) => {}
            Ok(Some(Shortest::Run(counterexample))) => {
                let program = self.program.as_ref().expect("only programs are run");
                match shortest_replayed(program, &counterexample, rank) {
                    Ok(run) => {
                        self.run = Some(run);
                        self.certainty = Certainty::Shortest;
                    }
                    Err(contradiction) => self.fault = Some(contradiction),
                }
                if self.task == Task::Check || self.fault.is_some() {
                    self.phase = Phase::Done;
                }
            }
            // The program's runs are too long for it; post\* goes on alone.
            Err(Limit::Depth) => {}
            Err(limit) => return Err(limit),
        }
        self.early = Early::Over;
        Ok(true)
    }
}
