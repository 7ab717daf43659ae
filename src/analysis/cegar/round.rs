//! What a run of the loop was asked for, and what each of its rounds did.

use super::extracted::Extracted;
use super::heuristic::Heuristic;
use super::interpolants::Interpolants;
use super::predicates::ProgramPoint;
use super::search::Extent;
use crate::bdd::{Bdd, Roots};
use crate::util::Limit;
use std::rc::Rc;

/// What the loop is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CegarOptions {
    /// Which interpolants become predicates.
    pub heuristic: Heuristic,
    /// No predicates where the abstract values already imply the interpolant (thesis, 8.3).
    pub lazy: bool,
    /// How far the abstract program is explored (thesis, 8.1).
    pub extent: Extent,
    /// Statements outside of the slice of the errors do anything to what they write (thesis, 1.4).
    pub slice: bool,
    /// Each round stays on the rules that can lead to an error in the round before (Lal, Kidd,
    /// Reps, Touili 2007, 7.1).
    pub project: bool,
    /// The strongest and the weakest interpolants are kept beside the chosen ones, to be looked at.
    pub explain: bool,
    /// Most refinements; more is [`Limit::Rounds`].
    pub max_rounds: u32,
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
            explain: false,
            max_rounds: 1_000,
        }
    }
}

/// Where the loop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CegarPhase {
    /// Which statements matter at all.
    Slice,
    /// Rules are abstracted.
    Abstract,
    /// The abstract program is model-checked.
    Check,
    /// Its error traces become a DAG.
    Dag,
    /// Is the DAG spurious? Strongest, weakest, chosen interpolants.
    Interpolate,
    /// What interpolants must keep is proved apart.
    Verify,
    /// They become predicates, or a real trace a run.
    Refine,
    /// No error is left: the invariant is proved apart.
    Prove,
    /// Over.
    Done,
}

impl CegarPhase {
    /// A word for progress lines and reports.
    pub fn word(self) -> &'static str {
        match self {
            CegarPhase::Slice => "slice",
            CegarPhase::Abstract => "abstract",
            CegarPhase::Check => "check",
            CegarPhase::Dag => "DAG",
            CegarPhase::Interpolate => "interpolate",
            CegarPhase::Verify => "verify",
            CegarPhase::Refine => "refine",
            CegarPhase::Prove => "prove",
            CegarPhase::Done => "done",
        }
    }
}

/// One round: abstract, check, DAG, interpolate, refine. The last one finds no error, or a real
/// one.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// Rules that were abstracted, again or for the first time.
    pub rules_abstracted: u64,
    /// Predicates of all points while the round ran, and the length of the longest list: the bits
    /// of the abstract program.
    pub predicates: usize,
    /// See there.
    pub bits: usize,
    /// The last rank that was looked at.
    pub ranks: u64,
    /// The counterexample DAG; `None` where no error is reached.
    pub extracted: Option<Rc<Extracted>>,
    /// Its interpolants.
    pub interpolants: Option<Rc<Interpolants>>,
    /// By node: does the lazy loop need a predicate there? Empty where it was not asked.
    pub needed: Vec<bool>,
    /// Obligations of interpolants that were proved.
    pub proved: u64,
    /// What was added after it, in order.
    pub added: Vec<(ProgramPoint, Bdd)>,
    /// The length of the longest list after it.
    pub longest_after: usize,
    /// Kernel steps that each phase took.
    pub steps: Vec<(CegarPhase, u64)>,
}

impl Round {
    /// Was every trace of the DAG spurious? `None` without a DAG, or before that is known.
    pub fn is_spurious(&self) -> Option<bool> {
        Some(self.interpolants.as_ref()?.is_spurious(&self.extracted.as_ref()?.dag))
    }
}

impl Roots for Round {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        (&self.extracted, &self.interpolants).roots(roots);
        roots.extend(self.added.iter().map(|(_, formula)| formula));
    }
}

/// How the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No error is left. Was the invariant proved, or which limit stopped that?
    Safe(Result<(), Limit>),
    /// The run found is one of the program.
    Unsafe,
    /// A budget ran out.
    Unknown(Limit),
}
