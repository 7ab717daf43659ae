//! The lazy loop: no predicate where the abstract values already imply the interpolant (thesis,
//! 8.3).

use super::abstract_program::AbstractProgram;
use super::concrete::Concrete;
use super::dag::{CounterexampleDag, DagPoint};
use super::extracted::Extracted;
use super::interpolants::Family;
use crate::bdd::Bdd;
use crate::encode::Copy;
use crate::util::Bounded;

/// By node: the meaning of the abstract values there, over the signature of the node's predicates.
pub(super) fn abstract_knowledge(
    program: &mut AbstractProgram,
    extracted: &Extracted,
) -> Bounded<Family> {
    let mut known = Vec::new();
    for node in extracted.dag.node_ids() {
        let (Some(point), true) =
            (extracted.points[node], extracted.dag.node(node).point != DagPoint::Error)
        else {
            known.push(Bdd::TRUE);
            continue;
        };
        let mut meaning = program.meaning(point, extracted.states[node])?;
        if !extracted.dag.is_in_body(node) {
            let frame = &program.domain.frames[extracted.dag.procedure(node)];
            let entry = program.domain.layout.cells_levels(&frame.tracked, Copy::Entry);
            let entry = program.domain.kernel.var_set(&entry);
            meaning = program.domain.kernel.exists(meaning, entry)?;
        }
        known.push(meaning);
    }
    Ok(known)
}

/// By node: does it need a predicate if the abstract values already say `known`?
///
/// Where they imply the interpolant, neither the node nor the nodes above it need one, as no trace
/// gets past it. `known` is over the signatures of the nodes.
pub fn needed(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    family: &Family,
    known: &Family,
) -> Bounded<Vec<bool>> {
    let mut asked = vec![false; dag.node_count()];
    let mut needed = vec![false; dag.node_count()];
    for part in dag.parts() {
        for &node in part.nodes.iter().rev() {
            asked[node] = match dag.node(node).point {
                DagPoint::Error => true,
                DagPoint::Returned => dag.uses(part.instance).any(|edge| needed[dag.edge(edge).to]),
                _ => dag.outgoing(node).iter().any(|edge| needed[dag.edge(*edge).to]),
            };
            needed[node] =
                asked[node] && !concrete.domain.kernel.is_subset(known[node], family[node])?;
        }
    }
    Ok(needed)
}
