//! The phases of the loop, each with the data that it works on.

use super::proof::Proof;
use super::verification::Verification;
use crate::analysis::cegar::extracted::Extracted;
use crate::analysis::cegar::extraction::Extraction;
use crate::analysis::cegar::following::Following;
use crate::analysis::cegar::interpolants::Interpolants;
use crate::analysis::cegar::interpolation::Interpolation;
use crate::analysis::cegar::projection::Projection;
use crate::analysis::cegar::round::{CegarPhase, Ending};
use crate::analysis::cegar::search::AbstractSearch;
use crate::analysis::counterexample::Counterexample;
use crate::analysis::slice::Slice;
use crate::bdd::{Bdd, Roots};
use crate::util::Limit;
use std::rc::Rc;

/// Where the loop is, and what it works on there.
pub(super) enum Phase {
    /// The slice of the errors is computed; the loop then runs on the sliced program.
    Slice(Box<Slice>),
    /// Rules are abstracted.
    Abstract,
    /// The abstract program is searched for errors.
    Check(Box<AbstractSearch>),
    /// Before the first DAG: the slice of the errors is computed for the interpolants. The search
    /// has reached an error.
    SliceForInterpolants {
        slice: Box<Slice>,
        search: Box<AbstractSearch>,
        extraction: Box<Extraction>,
    },
    /// The DAG is read off the finished search.
    Extract { search: Box<AbstractSearch>, extraction: Box<Extraction> },
    /// The rules are found that the next round stays on.
    Project {
        projection: Box<Projection>,
        extracted: Rc<Extracted>,
        interpolation: Box<Interpolation>,
    },
    /// Interpolants are computed; they say whether the DAG is spurious.
    Interpolate { extracted: Rc<Extracted>, interpolation: Box<Interpolation> },
    /// The interpolants of a spurious DAG are verified.
    Verify(Verification),
    /// Interpolants become predicates.
    Refine { extracted: Rc<Extracted>, interpolants: Rc<Interpolants> },
    /// The DAG has a real trace: a run along it is found.
    Concretize { extracted: Rc<Extracted>, interpolants: Rc<Interpolants> },
    /// No error is reached: the invariant is proved.
    Prove(Proof),
    /// The program in which some variables are followed is searched; if no error is reached, its
    /// invariant is proved.
    Follow(Box<Following>),
    /// The loop is over.
    Done(Outcome),
}

/// How the loop ended.
pub(super) enum Outcome {
    /// No error is left. The invariant is proved, or a limit stopped the proof.
    Safe { proved: Result<(), Limit> },
    /// This run of the program fails.
    Unsafe(Counterexample),
    /// A budget ran out.
    Unknown(Limit),
    /// A check found a defect of the engine.
    Fault(String),
}

impl Phase {
    /// The end with a defect of the engine.
    pub(super) fn fault(fault: String) -> Phase {
        Phase::Done(Outcome::Fault(fault))
    }

    /// The phase as progress reports name it.
    pub(super) fn kind(&self) -> CegarPhase {
        match self {
            Phase::Slice(_) => CegarPhase::Slice,
            Phase::Abstract => CegarPhase::Abstract,
            Phase::Check(_) => CegarPhase::Check,
            Phase::Follow(following) if following.is_proving() => CegarPhase::Prove,
            Phase::Follow(_) => CegarPhase::Check,
            Phase::SliceForInterpolants { .. } | Phase::Extract { .. } | Phase::Project { .. } => {
                CegarPhase::Dag
            }
            Phase::Interpolate { .. } => CegarPhase::Interpolate,
            Phase::Verify(_) => CegarPhase::Verify,
            Phase::Refine { .. } | Phase::Concretize { .. } => CegarPhase::Refine,
            Phase::Prove(_) => CegarPhase::Prove,
            Phase::Done(_) => CegarPhase::Done,
        }
    }

    /// The phase after a budget ran out in this one.
    pub(super) fn stopped(self, limit: Limit) -> Phase {
        Phase::Done(match self {
            Phase::Prove(_) => Outcome::Safe { proved: Err(limit) },
            Phase::Follow(following) if following.is_proving() => {
                Outcome::Safe { proved: Err(limit) }
            }
            Phase::Done(outcome) => outcome,
            _ => Outcome::Unknown(limit),
        })
    }

    /// How the loop ends, once that is known. The verdict "safe" is known before its proof is over.
    pub(super) fn ending(&self) -> Option<Ending> {
        match self {
            Phase::Prove(_) => Some(Ending::Safe(Ok(()))),
            Phase::Follow(following) if following.is_proving() => Some(Ending::Safe(Ok(()))),
            Phase::Done(Outcome::Safe { proved }) => Some(Ending::Safe(*proved)),
            Phase::Done(Outcome::Unsafe(_)) => Some(Ending::Unsafe),
            Phase::Done(Outcome::Unknown(limit)) => Some(Ending::Unknown(*limit)),
            _ => None,
        }
    }
}

/// Rounds list what [`Extracted`] and [`Interpolants`] hold.
impl Roots for Phase {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Phase::Check(search) => search.roots(roots),
            Phase::SliceForInterpolants { search, extraction, .. }
            | Phase::Extract { search, extraction } => (search, extraction).roots(roots),
            Phase::Project { projection, interpolation, .. } => {
                (projection, interpolation).roots(roots);
            }
            Phase::Interpolate { interpolation, .. } => interpolation.roots(roots),
            Phase::Prove(proof) => proof.roots(roots),
            // It has a kernel of its own.
            Phase::Follow(_) => {}
            Phase::Slice(_)
            | Phase::Abstract
            | Phase::Verify(_)
            | Phase::Refine { .. }
            | Phase::Concretize { .. }
            | Phase::Done(_) => {}
        }
    }
}
