//! Strongest interpolants of the slice of the errors: what surely does not matter is never encoded.
//!
//! Strongest interpolants follow every statement of every trace, also through procedures that have
//! nothing to do with the errors; so they grow with arrays that no predicate will ever speak of.
//! Here statements outside of the slice (thesis, 1.4; [`super::sliced`](mod@super::sliced)) do
//! anything to what they write, and a body's entry is remembered for variables of the slice only.
//! What comes out is weaker than I, and tracked along every edge. If it is 0 at the bottom the DAG
//! is spurious, and it may stand in for I wherever a heuristic asks what I says: what is chosen
//! above it lies above I, too. Else nothing follows, and I itself is needed.

use super::dag::{CounterexampleDag, NodeId};
use super::interpolant::{Concrete, Family, strongest_at};
use super::sliced::{sliced, written_by};
use crate::bdd::{Bdd, impl_roots};
use crate::cfg::{read_by, read_in};
use crate::encode::Relations;
use crate::lang::model::{Program, VariableId};
use crate::util::Bounded;
use std::collections::BTreeSet;

/// A program of which only a slice matters, and the relations of its rules.
pub struct Outline {
    program: Program,
    relations: Relations,
    /// By variable: does some statement of the slice mention it?
    matters: Vec<bool>,
}

impl Outline {
    /// `inside[e]`: is edge e in the slice?
    pub fn new(program: &Program, inside: &[bool]) -> Outline {
        let mut mentioned = BTreeSet::new();
        for (edge, _) in program.edges.iter().zip(inside).filter(|(_, inside)| **inside) {
            mentioned.extend(written_by(&edge.operation));
            read_by(&edge.operation, &mut mentioned);
            edge.checks.iter().for_each(|check| read_in(&check.condition, &mut mentioned));
        }
        let matters = (0..program.variables.len() as u32)
            .map(|id| mentioned.contains(&VariableId(id)))
            .collect();
        Outline { program: sliced(program, inside), relations: Relations::new(), matters }
    }

    /// Forgets relations, for another arena.
    pub fn forget(&mut self) {
        self.relations = Relations::new();
    }

    /// As I at a node, from those of its predecessors.
    pub(super) fn at(
        &mut self,
        concrete: &mut Concrete<'_>,
        dag: &CounterexampleDag,
        family: &Family,
        node: NodeId,
    ) -> Bounded<Bdd> {
        let Outline { program, relations, matters } = self;
        if dag.incoming(node).is_empty() && dag.is_in_body(node) {
            let of = |variable: VariableId| matters[variable.0 as usize];
            return relations.entered_with(concrete.domain, dag.procedure(node), &of);
        }
        strongest_at(
            &mut Concrete { program, domain: concrete.domain, relations },
            dag,
            family,
            node,
        )
    }
}

impl_roots!(Outline { relations });
