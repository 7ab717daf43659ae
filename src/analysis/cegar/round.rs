//! The options of the loop, its phases by name, and the results of its rounds.

use super::extracted::Extracted;
use super::interpolants::Interpolants;
use super::predicates::ProgramPoint;
use crate::bdd::{Bdd, Roots};
use crate::lang::model::VariableId;
use crate::util::Limit;
use std::rc::Rc;

pub use crate::wire::refinement::CegarPhase;

/// One round: abstract, check, DAG, interpolate, refine. The last one finds no error, or a real
/// one.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// Rules that were abstracted, again or for the first time.
    pub rules_abstracted: u64,
    /// Predicates of all points while the round ran.
    pub predicates: usize,
    /// The length of the longest list of predicates: the bits of the abstract program.
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
    /// The predicates that were added after it, in order.
    pub added: Vec<(ProgramPoint, Bdd)>,
    /// How many variables were followed while it ran; `None` while the loop uses predicates.
    pub follows: Option<usize>,
    /// The variables that are followed after it for the first time, in order.
    pub followed: Vec<VariableId>,
    /// Its trace was executed by the interpreter: it is real.
    pub is_executed: bool,
    /// The length of the longest list after it.
    pub longest_after: usize,
    /// Kernel steps that each phase took.
    pub steps: Vec<(CegarPhase, u64)>,
}

impl Round {
    /// Did the loop refine its abstraction after it?
    pub fn is_refined(&self) -> bool {
        !self.added.is_empty() || !self.followed.is_empty()
    }

    /// Was every trace of the DAG spurious? `None` without a DAG, or before that is known.
    pub fn is_spurious(&self) -> Option<bool> {
        if self.is_executed {
            return Some(false);
        }
        Some(self.interpolants.as_ref()?.is_spurious(&self.extracted.as_ref()?.dag))
    }
}

impl Round {
    /// Notes kernel steps of a phase, which may have begun before.
    pub fn took(&mut self, phase: CegarPhase, steps: u64) {
        match self.steps.iter_mut().find(|(known, _)| *known == phase) {
            Some((_, known)) => *known += steps,
            None => self.steps.push((phase, steps)),
        }
        self.steps.sort_by_key(|(phase, _)| *phase);
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
    /// No error is left. The invariant was proved, or this limit stopped the proof.
    Safe(Result<(), Limit>),
    /// The program has the failing run that was found.
    Unsafe,
    /// A budget ran out.
    Unknown(Limit),
}
