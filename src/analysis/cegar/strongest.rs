//! Strongest interpolants, node by node from the top (thesis, figs 5.5, 5.9 and 7.1).
//!
//! I at a node is the union of the images of I at its predecessors. A node may have several
//! incoming edges. A body is computed before its callers, as I> of a body does not depend on them.

use super::concrete::Concrete;
use super::dag::{Action, CounterexampleDag, DagEdgeId, NodeId};
use super::interpolants::Family;
use crate::bdd::Bdd;
use crate::util::Bounded;

/// I at a node from I at its predecessors (fig. 7.1).
pub(super) fn strongest_at(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    family: &Family,
    node: NodeId,
) -> Bounded<Bdd> {
    if dag.incoming(node).is_empty() {
        if !dag.is_in_body(node) {
            return Ok(Bdd::TRUE);
        }
        // I_f0 ≡ G = G‹ ∧ P = P‹ (fig. 5.5).
        return concrete.relations.entered(concrete.domain, dag.procedure(node));
    }
    let mut any = Bdd::FALSE;
    for edge in dag.incoming(node) {
        let after = after(concrete, dag, family, *edge)?;
        any = concrete.domain.kernel.or(any, after)?;
    }
    Ok(any)
}

/// The image of I at the source of an edge.
fn after(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    family: &Family,
    edge: DagEdgeId,
) -> Bounded<Bdd> {
    let edge = dag.edge(edge);
    let before = family[edge.from];
    if before.is_false() {
        return Ok(Bdd::FALSE);
    }
    let Concrete { program, domain, relations } = concrete;
    match edge.action {
        // A slice may have dropped the check. Then it may fail.
        Action::Fail(id, check) if check >= program.edge(id).checks.len() => Ok(Bdd::TRUE),
        Action::Begin => relations.initial(domain, program),
        Action::Execute(id) => {
            relations.step(domain, program, id, None)?.after(&mut domain.kernel, before)
        }
        // The interpolant at the bottom has no variables: it says whether some store fails.
        Action::Fail(id, check) => {
            let failing = relations
                .step(domain, program, id, Some(check))?
                .after(&mut domain.kernel, before)?;
            Ok(Bdd::constant(!failing.is_false()))
        }
        Action::Push(id) => {
            relations.call(domain, program, id)?.push_after(&mut domain.kernel, before)
        }
        Action::Enter => {
            let call = concrete.call_at(dag.node(edge.from).point)?;
            call.enter_after(&mut concrete.domain.kernel, before)
        }
        Action::Return(body) => {
            let call = concrete.call_at(dag.node(edge.from).point)?;
            let returned = family[dag.body(body).bottom()];
            let effect = call.effect(&mut concrete.domain.kernel, returned)?;
            call.return_after(&mut concrete.domain.kernel, before, effect)
        }
        Action::Pop => relations.popped(domain, dag.procedure(edge.from), before),
    }
}
