//! The concrete program, in the form that the algorithms over a counterexample DAG need.

use super::dag::DagPoint;
use crate::encode::{CallRelation, ProgramDomain, Relations};
use crate::lang::model::Program;
use crate::util::Bounded;
use std::rc::Rc;

/// The concrete program: where its diagrams are made, and what its rules do.
pub struct Concrete<'a> {
    /// The program.
    pub program: &'a Program,
    /// Owns the kernel.
    pub domain: &'a mut ProgramDomain,
    /// The rules as relations.
    pub relations: &'a mut Relations,
}

impl Concrete<'_> {
    /// The relations of the call at a pivot.
    pub(super) fn call_at(&mut self, point: DagPoint) -> Bounded<Rc<CallRelation>> {
        let DagPoint::Pivot(edge) = point else {
            unreachable!("DagBuilder::finish admits entries and returns at pivots only")
        };
        self.relations.call(self.domain, self.program, edge)
    }
}
