//! What a run works on, and what a complete projection is.

use crate::analysis::chop::Chop;
use crate::analysis::counterexample::Walk;
use crate::analysis::early::EarlySearch;
use crate::analysis::error_projection::{ErrorProjection, Phase as ProjectionPhase};
use crate::analysis::invariant::proving::Proving;
use crate::analysis::slice::Slice;
use crate::bdd::{Bdd, Roots};
use crate::session::search::Search;
use crate::util::Stage;

/// What a run works on.
pub(in crate::session) enum Phase {
    /// post\*.
    Forward(EarlySearch),
    /// Reading a failing run off it.
    Witness { walk: Walk, early: EarlySearch },
    /// Checking the invariant behind "safe".
    Proof(Proving),
    /// The projection by outer contexts, or the naive one.
    Contexts(ErrorProjection),
    /// The projection statement by statement.
    Statements(Chop),
    /// The slice.
    Slice(Slice),
    /// A shortest run; verdict and projection are known.
    Shortest(Search),
    /// Nothing.
    Done,
}

/// A complete projection.
pub(in crate::session) enum Projected {
    /// Nothing fails, so it is empty.
    Empty,
    /// By outer contexts, or the naive one.
    Contexts(ErrorProjection),
    /// Statement by statement; the outer contexts are found when they are asked for.
    Statements(Chop, Option<ErrorProjection>),
}

impl Projected {
    /// The projection that knows with which stores a statement fails.
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
