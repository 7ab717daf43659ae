//! The error projection of a formula that is violated, or of runs that never end: every statement
//! that some violating run executes.
//!
//! Violating runs are the accepting runs of the product. Such a run executes a statement after
//! finitely many others, and what follows is an accepting run as well. So a statement is on some
//! violating run iff a run from the start executes it and then comes to a head from which an
//! accepting run begins, under whatever stack: the heads that the search for a repeating one has
//! left ([`super::heads`]). That is an error projection with another goal (Lal, Kidd, Reps, Touili
//! 2007, Def. 8), taken of the product and read off at the program's statements. The run that is
//! shown must lie within it ([`missing`]).

use super::lasso::{Ending, Lasso};
use super::product::{Meaning, Product};
use crate::analysis::error_projection::{ErrorProjection, Goal, Phase};
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, Roots};
use crate::lang::model::EdgeId;
use crate::util::Bounded;
use std::rc::Rc;

/// The projection, in progress.
pub struct ViolatingStatements(ErrorProjection);

impl Roots for ViolatingStatements {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.0.roots(roots);
    }
}

impl ViolatingStatements {
    /// Prepares it. `reach`: the complete post\* of the product; `recurring`: by location, the
    /// heads from which an accepting run begins.
    pub fn new(reach: &mut Reach, recurring: Rc<[Bdd]>) -> Bounded<ViolatingStatements> {
        ErrorProjection::toward(reach, Goal::Heads(recurring)).map(ViolatingStatements)
    }

    /// One bounded piece of work; returns whether it was the last one.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<bool> {
        self.0.step(reach)?;
        Ok(self.0.phase() == Phase::Done)
    }

    /// By edge of the program: does some violating run execute it, or end in it? Complete once the
    /// last step is done. `edges`: how many the program has.
    pub fn statements(&self, product: &Product, edges: usize) -> Vec<bool> {
        of_program(product, self.0.in_projection(), edges)
    }
}

/// A statement of a run that was shown to violate the formula, and that the projection does not
/// have: then one of the two is wrong. The interpreter has replayed the run.
pub fn missing(statements: &[bool], lasso: &Lasso) -> Option<EdgeId> {
    let last = match lasso.ending {
        Ending::Failure(edge) | Ending::Exit(edge) => Some(edge),
        Ending::Cycle | Ending::End => None,
    };
    let executed = lasso.run.steps.iter().map(|step| step.edge);
    executed.chain(last).find(|edge| !statements[edge.0 as usize])
}

/// What is known of a product's edges, by edge of its program.
pub fn of_program(product: &Product, known: &[bool], edges: usize) -> Vec<bool> {
    let mut of_program = vec![false; edges];
    for (meaning, _) in product.meanings.iter().zip(known).filter(|(_, known)| **known) {
        match meaning {
            Meaning::Executes(edge) | Meaning::Fails(edge) | Meaning::Exits(edge) => {
                of_program[*edge] = true;
            }
            Meaning::Nothing => {}
        }
    }
    of_program
}
