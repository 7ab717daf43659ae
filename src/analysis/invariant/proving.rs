//! The proof behind "safe": an inductive invariant, checked apart from the saturation that found
//! it, in small steps and within a budget.

use super::Invariant;
use super::check::{Errors, Obligation, holds, obligations};
use crate::analysis::reach::Reach;
use crate::bdd::{KernelLimits, impl_roots};
use crate::lang::model::Program;
use crate::util::{Bounded, Limit};

/// What is known of the invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Every obligation was proved.
    Checked,
    /// The proof hit this limit before it had proved all of them. The verdict rests on post\*
    /// alone.
    Unchecked(Limit),
}

/// Kernel steps that a proof may take at least, however short the run was.
const LEAST_STEPS: u64 = 5_000_000;

/// The check of an invariant, in progress.
pub struct Proving {
    invariant: Invariant,
    waiting: std::vec::IntoIter<Obligation>,
    limits: KernelLimits,
}

impl Proving {
    /// Builds the invariant. Its check may take as many kernel steps as the run took so far, and
    /// `LEAST_STEPS` at least, inside the run's own limits.
    pub fn new(reach: &mut Reach, errors: Errors) -> Bounded<Proving> {
        let invariant = Invariant::of(reach)?;
        let program = std::rc::Rc::clone(&reach.program);
        let limits = reach.domain.kernel.limits();
        let steps = reach.domain.kernel.steps();
        let max_steps = limits.max_steps.min(steps + steps.max(LEAST_STEPS));
        Ok(Proving {
            invariant,
            waiting: obligations(&program, errors).into_iter(),
            limits: KernelLimits { max_steps, ..limits },
        })
    }

    /// Checks one obligation. Returns the result once the proof is over; an error names an
    /// obligation that does not hold.
    pub fn step(&mut self, reach: &mut Reach) -> Option<Result<Proof, String>> {
        let Some(obligation) = self.waiting.next() else { return Some(Ok(Proof::Checked)) };
        let kernel = &mut reach.domain.kernel;
        let limits = kernel.limits();
        kernel.set_limits(self.limits);
        let found =
            holds(&reach.program, &reach.domain.layout, kernel, &self.invariant, obligation);
        kernel.set_limits(limits);
        match found {
            Ok(true) => None,
            Ok(false) => {
                Some(Err(format!("the invariant is none: {}", refuted(&reach.program, obligation))))
            }
            Err(limit) => Some(Ok(Proof::Unchecked(limit))),
        }
    }

    /// The invariant, proved or not.
    pub fn into_invariant(self) -> Invariant {
        self.invariant
    }
}

impl_roots!(Proving { invariant });

/// An obligation that does not hold, in the program's words.
fn refuted(program: &Program, obligation: Obligation) -> String {
    match obligation {
        Obligation::Start => "an initial store is left out".to_string(),
        Obligation::Keeps(procedure) => {
            format!("`{}` writes what is said to stay", program.procedure(procedure).name)
        }
        Obligation::Writes(procedure) => {
            let name = &program.procedure(procedure).name;
            format!("`{name}` reads a variable that is stored in part before it has written it")
        }
        Obligation::Statement(edge) => {
            let edge = program.edge(edge);
            format!("line {}, `{}`, leads out of it", edge.span.line, edge.text)
        }
        Obligation::Excludes(edge, check) => {
            let check = &program.edge(edge).checks[check];
            format!("line {}, `{}`, can fail in it", check.line, check.message)
        }
    }
}
