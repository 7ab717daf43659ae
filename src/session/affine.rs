//! Affine relations of a loaded program, in small steps.

use crate::analysis::affine::{AffineAnalysis, Equality};
use crate::encode::affine::Arithmetic;
use crate::lang::model::{LocationId, Program, VariableId};
use crate::semiring::affine::{Modular, Rationals};
use crate::util::{Bounded, Limit};
use std::rc::Rc;

/// An affine-relation analysis over either kind of numbers.
pub struct AffineSession {
    analysis: Bounded<Analysis>,
    arithmetic: Arithmetic,
}

enum Analysis {
    Unbounded(AffineAnalysis<Rationals>),
    Modulo(AffineAnalysis<Modular>),
}

impl AffineSession {
    /// Sets it up. `most_operations`: multiplications of numbers.
    pub fn new(program: Rc<Program>, arithmetic: Arithmetic, most_operations: u64) -> AffineSession {
        let analysis = match arithmetic {
            Arithmetic::Unbounded => AffineAnalysis::new(program, arithmetic, Rationals, most_operations).map(Analysis::Unbounded),
            Arithmetic::Modulo(width) => {
                AffineAnalysis::new(program, arithmetic, Modular::new(width), most_operations).map(Analysis::Modulo)
            }
        };
        AffineSession { analysis, arithmetic }
    }

    /// What the equalities hold for.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// One piece of work; true once it is over, by its end or by a limit.
    pub fn step(&mut self) -> bool {
        let done = match &mut self.analysis {
            Ok(Analysis::Unbounded(analysis)) => analysis.step(),
            Ok(Analysis::Modulo(analysis)) => analysis.step(),
            Err(_) => return true,
        };
        done.unwrap_or_else(|limit| {
            self.analysis = Err(limit);
            true
        })
    }

    /// Ends it early.
    pub fn stop(&mut self, limit: Limit) {
        self.analysis = Err(limit);
    }

    /// The limit that ended it, if one did.
    pub fn limit(&self) -> Option<Limit> {
        self.analysis.as_ref().err().copied()
    }

    /// May more equalities hold than are found? Meaningful once it is over.
    pub fn is_approximate(&mut self) -> Bounded<bool> {
        match &mut self.analysis {
            Ok(Analysis::Unbounded(analysis)) => analysis.is_approximate(),
            Ok(Analysis::Modulo(analysis)) => analysis.is_approximate(),
            Err(limit) => Err(*limit),
        }
    }

    /// A basis of the equalities among `variables` at a location; `None` if no run comes there. Meaningful once it is over.
    pub fn equalities_at(&mut self, location: LocationId, variables: &[VariableId]) -> Bounded<Option<Vec<Equality>>> {
        match &mut self.analysis {
            Ok(Analysis::Unbounded(analysis)) => analysis.equalities_at(location, variables),
            Ok(Analysis::Modulo(analysis)) => analysis.equalities_at(location, variables),
            Err(limit) => Err(*limit),
        }
    }

    /// Multiplications of numbers so far.
    pub fn operations(&self) -> u64 {
        match &self.analysis {
            Ok(Analysis::Unbounded(analysis)) => analysis.operations(),
            Ok(Analysis::Modulo(analysis)) => analysis.operations(),
            Err(_) => 0,
        }
    }
}
