//! Interpolants that a heuristic chooses, node by node from the bottom (thesis, figs 5.6, 5.9 and
//! chapter 6).
//!
//! Every edge out of a node asks for the weakest predicate with which it leads into K at its
//! target. Around a call J‹ at the pivot comes from the effect I>, and then J> such that J‹ ∧ J> ⊨
//! J(m_i+1).
//!
//! Differs from the paper: a node may have several outgoing edges, and a body several callers. The
//! interpolant is the conjunction of what each edge asks for (Thm 3.8), also of what the heuristics
//! of 6.4 ask for.

use super::concrete::Concrete;
use super::dag::{Action, CounterexampleDag, DagEdgeId, DagPoint, NodeId};
use super::heuristic::Descent;
use super::interpolants::Family;
use crate::bdd::{Bdd, Var};
use crate::encode::Copy;
use crate::lang::model::Operation;
use crate::util::Bounded;

/// What K must satisfy at a node so that it leads into K at the targets of the node's edges. At the
/// end of a body this is what K around the body's calls requires.
pub(super) fn asked_at(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    descent: Descent,
    strongest: &Family,
    family: &Family,
    node: NodeId,
) -> Bounded<Bdd> {
    let here = strongest[node];
    let mut all = Bdd::TRUE;
    match dag.node(node).point {
        DagPoint::Error => return Ok(Bdd::FALSE),
        DagPoint::Returned => {
            for id in dag.uses(dag.node(node).instance) {
                let edge = dag.edge(id);
                let (pivot, target) = (family[edge.from], family[edge.to]);
                if target.is_true() {
                    continue;
                }
                let call = concrete.call_at(dag.node(edge.from).point)?;
                let asked = call.returned_weakest(&mut concrete.domain.kernel, pivot, target)?;
                all = concrete.domain.kernel.and(all, asked)?;
            }
        }
        _ => {
            for edge in dag.outgoing(node) {
                let weakest = weakest(concrete, dag, strongest, family, *edge)?;
                let skipped = if descent.skip {
                    skipped(concrete, dag, here, family, *edge, weakest)?
                } else {
                    None
                };
                all = concrete.domain.kernel.and(all, skipped.unwrap_or(weakest))?;
            }
        }
    }
    Ok(all)
}

/// The weakest predicate at the source of an edge with which the edge leads into K at its target.
fn weakest(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    strongest: &Family,
    family: &Family,
    edge: DagEdgeId,
) -> Bounded<Bdd> {
    let edge = dag.edge(edge);
    let target = family[edge.to];
    if target.is_true() {
        return Ok(Bdd::TRUE);
    }
    let Concrete { program, domain, relations } = concrete;
    match edge.action {
        Action::Begin => {
            let initial = relations.initial(domain, program)?;
            Ok(Bdd::constant(domain.kernel.is_subset(initial, target)?))
        }
        Action::Execute(id) => {
            relations.step(domain, program, id, None)?.weakest(&mut domain.kernel, target)
        }
        Action::Fail(id, check) => {
            relations.step(domain, program, id, Some(check))?.weakest(&mut domain.kernel, target)
        }
        Action::Push(id) => {
            relations.call(domain, program, id)?.push_weakest(&mut domain.kernel, target)
        }
        Action::Enter => {
            let call = concrete.call_at(dag.node(edge.from).point)?;
            call.enter_weakest(&mut concrete.domain.kernel, target)
        }
        Action::Return(body) => {
            let call = concrete.call_at(dag.node(edge.from).point)?;
            let returned = strongest[dag.body(body).bottom()];
            let effect = call.effect(&mut concrete.domain.kernel, returned)?;
            call.return_weakest(&mut concrete.domain.kernel, effect, target)
        }
        // The pop drops locals, which K> does not mention.
        Action::Pop => Ok(target),
    }
}

/// K at the target, if the edge may be treated as a skip (6.4): I ⊨ K, and K ∧ C ⊨ K. The second
/// condition says that K is not weaker than the weakest predicate.
fn skipped(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    here: Bdd,
    family: &Family,
    edge: DagEdgeId,
    weakest: Bdd,
) -> Bounded<Option<Bdd>> {
    let edge = dag.edge(edge);
    let target = family[edge.to];
    let same_frame = match edge.action {
        Action::Begin | Action::Enter | Action::Pop => return Ok(None),
        Action::Execute(_) | Action::Fail(..) | Action::Return(_) => true,
        // At the call only a predicate that does not mention the callee's parameters has a meaning.
        Action::Push(id) => {
            let Operation::Call { callee, .. } = &concrete.program.edge(id).operation else {
                return Ok(None);
            };
            let parameters = &concrete.domain.frames[*callee].parameters;
            let middle = concrete.domain.layout.cells_levels(parameters, Copy::Middle);
            let support = concrete.domain.kernel.support(target);
            !middle.iter().any(|level| support.contains(level))
        }
    };
    let kernel = &mut concrete.domain.kernel;
    let fits =
        same_frame && kernel.is_subset(here, target)? && kernel.is_subset(target, weakest)?;
    Ok(fits.then_some(target))
}

/// ∀Z. K, where Z are the bits of K that I does not mention (6.3, Thm 6.3).
pub(super) fn conciliate(concrete: &mut Concrete<'_>, chosen: Bdd, strongest: Bdd) -> Bounded<Bdd> {
    let kernel = &mut concrete.domain.kernel;
    let mentioned = kernel.support(strongest);
    let others: Vec<Var> = kernel
        .support(chosen)
        .into_iter()
        .filter(|level| mentioned.binary_search(level).is_err())
        .collect();
    let others = kernel.var_set(&others);
    kernel.forall(chosen, others)
}
