//! Strongest interpolants of the slice of the errors.
//!
//! Strongest interpolants follow every statement of every trace, also through procedures that have
//! nothing to do with the errors. So they grow with arrays that no predicate will ever mention.
//! Here a statement outside of the slice (thesis, 1.4; [`super::sliced`](mod@super::sliced)) does
//! anything to what it writes, and a body's entry is related only to variables of the slice.
//!
//! The result is weaker than I, and is tracked along every edge. If it is 0 at the bottom, the DAG
//! is spurious. Then it may replace I wherever a heuristic reads I: what the heuristic chooses
//! above it also lies above I. If it is not 0 at the bottom, nothing follows, and I itself is
//! needed.

use super::concrete::Concrete;
use super::dag::{CounterexampleDag, NodeId};
use super::interpolants::Family;
use super::sliced::{sliced, written_by};
use super::strongest::strongest_at;
use crate::bdd::{Bdd, impl_roots};
use crate::cfg::{read_by, read_in};
use crate::encode::Relations;
use crate::lang::model::{Program, VariableId};
use crate::util::Bounded;
use std::collections::BTreeSet;

/// Computes strongest interpolants over the slice of a program.
pub struct SlicedInterpolants {
    /// The program with the statements outside of the slice weakened.
    program: Program,
    /// The relations of its rules.
    relations: Relations,
    /// By variable: does some statement of the slice mention it?
    mentioned: Vec<bool>,
}

impl SlicedInterpolants {
    /// Prepares them for the slice of the edges for which `inside` is true.
    pub fn new(program: &Program, inside: &[bool]) -> SlicedInterpolants {
        let mut variables = BTreeSet::new();
        for (edge, _) in program.edges.iter().zip(inside).filter(|(_, inside)| **inside) {
            variables.extend(written_by(&edge.operation));
            read_by(&edge.operation, &mut variables);
            edge.checks.iter().for_each(|check| read_in(&check.condition, &mut variables));
        }
        let mentioned = (0..program.variables.len() as u32)
            .map(|id| variables.contains(&VariableId(id)))
            .collect();
        SlicedInterpolants {
            program: sliced(program, inside),
            relations: Relations::new(),
            mentioned,
        }
    }

    /// Drops the relations, which belong to one kernel, so that another kernel can be used.
    pub fn forget_relations(&mut self) {
        self.relations = Relations::new();
    }

    /// The interpolant at a node from those of its predecessors.
    pub(super) fn strongest_at(
        &mut self,
        concrete: &mut Concrete<'_>,
        dag: &CounterexampleDag,
        family: &Family,
        node: NodeId,
    ) -> Bounded<Bdd> {
        let SlicedInterpolants { program, relations, mentioned } = self;
        if dag.incoming(node).is_empty() && dag.is_in_body(node) {
            let is_mentioned = |variable: VariableId| mentioned[variable];
            return relations.entered_with(concrete.domain, dag.procedure(node), &is_mentioned);
        }
        let mut sliced = Concrete { program, domain: concrete.domain, relations };
        strongest_at(&mut sliced, dag, family, node)
    }
}

impl_roots!(SlicedInterpolants { relations });
