//! The phases of a run, and the forms of a complete projection.

use super::listing::Listing;
use crate::analysis::chop::Chop;
use crate::analysis::counterexample::Walk;
use crate::analysis::early::EarlySearch;
use crate::analysis::error_projection::{ErrorProjection, Phase as ProjectionPhase};
use crate::analysis::invariant::proving::Proving;
use crate::analysis::slice::Slice;
use crate::bdd::{Bdd, Roots};
use crate::session::search::Search;
use crate::util::Stage;

/// The phase of a run.
pub(in crate::session) enum Phase {
    /// post\*.
    Forward(EarlySearch),
    /// A failing run is read off it.
    Witness { walk: Walk, early: EarlySearch },
    /// What else can fail.
    Listing(Listing),
    /// The invariant behind "safe" is checked.
    Proof(Proving),
    /// The projection by outer contexts, or the naive one.
    Contexts(ErrorProjection),
    /// The projection statement by statement.
    Statements(Chop),
    /// The slice.
    Slice(Slice),
    /// The search for a shortest run. Verdict and projection are known.
    Shortest(Search),
    /// No work is left.
    Done,
}

/// A complete projection.
pub(in crate::session) enum Projected {
    /// No run fails, so it is empty.
    Empty,
    /// By outer contexts, or the naive one.
    Contexts(ErrorProjection),
    /// Statement by statement. The outer contexts are computed when they are asked for.
    Statements(Chop, Option<ErrorProjection>),
}

impl Projected {
    /// The projection that has the failing stores of a statement.
    pub(in crate::session) fn contexts(&mut self) -> Option<&mut ErrorProjection> {
        match self {
            Projected::Empty => None,
            Projected::Contexts(projection) => Some(projection),
            Projected::Statements(_, contexts) => contexts.as_mut(),
        }
    }
}

impl Phase {
    pub(super) fn stage(&self) -> Stage {
        let projecting = |phase| match phase {
            ProjectionPhase::Backward => Stage::Backward,
            ProjectionPhase::Contexts => Stage::Contexts,
            ProjectionPhase::Statements | ProjectionPhase::Done => Stage::Statements,
        };
        match self {
            Phase::Forward(_) => Stage::Forward,
            Phase::Witness { .. } => Stage::Witness,
            Phase::Listing(_) => Stage::Failures,
            Phase::Proof(_) => Stage::Proof,
            Phase::Contexts(projection) => projecting(projection.phase()),
            Phase::Statements(chop) => projecting(chop.phase()),
            Phase::Slice(_) => Stage::Slice,
            Phase::Shortest(_) => Stage::Shortest,
            Phase::Done => Stage::Done,
        }
    }
}

impl Roots for Phase {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Phase::Forward(early) => early.roots(roots),
            Phase::Witness { walk, early } => {
                walk.roots(roots);
                early.roots(roots);
            }
            Phase::Listing(listing) => listing.roots(roots),
            Phase::Proof(proving) => proving.roots(roots),
            Phase::Contexts(projection) => projection.roots(roots),
            Phase::Statements(chop) => chop.roots(roots),
            Phase::Shortest(search) => search.roots(roots),
            Phase::Slice(_) | Phase::Done => {}
        }
    }
}

impl Roots for Projected {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Projected::Empty => {}
            Projected::Contexts(projection) => projection.roots(roots),
            Projected::Statements(chop, contexts) => {
                chop.roots(roots);
                contexts.roots(roots);
            }
        }
    }
}
