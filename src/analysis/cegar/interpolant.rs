//! Craig interpolants on a counterexample DAG, and whether it is spurious, in one pass (thesis,
//! 4.3, 5.2 and chapter 6).
//!
//! Strongest interpolants I come top-down (figs 5.5, 5.9, 7.1): bodies before their callers, as I>
//! of a body does not depend on who calls it. The DAG is spurious iff I at the bottom is 0 (Prop.
//! 4.8). Weakest ones J and those that a heuristic chooses (K) come bottom-up (figs 5.6, 5.9),
//! callers before bodies: J‹ at the pivot from the effect I>, and then J> such that J‹ ∧ J> ⊨
//! J(m_i+1).
//!
//! Differs from the paper: a node may have several outgoing edges, and a body several callers; the
//! interpolant is the conjunction of what each edge asks for (Thm 3.8), also of what the heuristics
//! of 6.4 ask for.
//!
//! In a body I ⊨ K ⊨ J need not hold, as J> is the weakest for J‹: where a heuristic chooses a
//! stronger K‹, it may choose a K> that is weaker than J>. What bounds K there is the weakest for
//! K‹: ∀L. K‹ → K(m_i+1), and so on upwards in the body. [`Interpolants::bounds`] has that.

use super::dag::{Action, CounterexampleDag, DagEdgeId, DagPoint, NodeId};
use super::heuristic::{Descent, Heuristic};
use super::outline::Outline;
use crate::bdd::{Bdd, Roots, Var, impl_roots};
use crate::encode::{CallRelation, ProgramDomain, Relations};
use crate::lang::model::{Operation, Program};
use crate::util::Bounded;
use std::rc::Rc;

/// The concrete program: where diagrams are made, and what its rules do.
pub struct Concrete<'a> {
    /// The program.
    pub program: &'a Program,
    /// Owner of the arena.
    pub domain: &'a mut ProgramDomain,
    /// The rules as relations.
    pub relations: &'a mut Relations,
}

impl Concrete<'_> {
    /// The call of a pivot.
    pub(super) fn call_at(&mut self, point: DagPoint) -> Bounded<Rc<CallRelation>> {
        let DagPoint::Pivot(edge) = point else {
            unreachable!("a finished DAG enters and returns from pivots only")
        };
        self.relations.call(self.domain, self.program, edge)
    }
}

/// One interpolant for each node of a DAG.
pub type Family = Vec<Bdd>;

/// What interpolation comes to.
#[derive(Clone, Debug)]
pub struct Interpolants {
    /// I, by node: the stores that reach the node on the DAG's traces (in a body: related to the
    /// entry); or what stood in for I.
    pub strongest: Family,
    /// Is that of the slice of the errors only ([`super::outline`])? Where J was asked for it is I
    /// itself.
    pub outlined: bool,
    /// J, by node: the stores from which no trace of the DAG fails. Empty if some trace is real, or
    /// J was not asked for.
    pub weakest: Family,
    /// What the heuristic chose: one family, or two ([`Heuristic::Both`]). Empty if some trace is
    /// real.
    pub chosen: Vec<Family>,
    /// For each chosen family the weakest one that K around the calls allows: I ⊨ K ⊨ bound. In the
    /// main part that is J. (K itself, if J was not asked for.)
    pub bounds: Vec<Family>,
}

impl Interpolants {
    /// Is no trace of the DAG real? (Prop. 4.8)
    pub fn is_spurious(&self, dag: &CounterexampleDag) -> bool {
        self.strongest[dag.bottom().0 as usize].is_false()
    }
}

impl_roots!(Interpolants { strongest, weakest, chosen, bounds });

/// Interpolation under way: one node a step.
pub struct Interpolation {
    heuristic: Heuristic,
    /// Is J asked for, chosen or not?
    weakest: bool,
    /// Bodies before callers, sources before targets.
    down: Vec<NodeId>,
    /// Callers before bodies, targets before sources.
    up: Vec<NodeId>,
    /// Passes that are still to be made after the strongest; the last comes first.
    descents: Vec<Descent>,
    /// In the pass under way.
    next: usize,
    result: Interpolants,
    pass: Pass,
    done: bool,
    outline: Option<Outline>,
    /// What stands in for I in the heuristic's own pass, if anything does.
    stand_in: Option<Family>,
}

/// What is computed node by node.
enum Pass {
    /// The strongest of the slice.
    Outline(Family),
    /// I.
    Strongest,
    /// K, and what bounds it.
    Descent(Descent, Family, Family),
}

impl Interpolation {
    /// I, J and K; nothing is computed yet.
    pub fn new(dag: &CounterexampleDag, heuristic: Heuristic) -> Interpolation {
        Interpolation { weakest: true, ..Interpolation::of_chosen(dag, heuristic) }.with_descents()
    }

    /// I and K without J, for a driver that shows nothing: J can take much longer than K. That K ⊨
    /// J then follows from its being 0 at the bottom and tracked along every edge.
    pub fn of_chosen(dag: &CounterexampleDag, heuristic: Heuristic) -> Interpolation {
        let parts = dag.parts();
        let down = parts.iter().rev().flat_map(|part| part.nodes.iter().copied()).collect();
        let up = parts.iter().flat_map(|part| part.nodes.iter().rev().copied()).collect();
        let result = Interpolants {
            strongest: vec![Bdd::FALSE; dag.node_count()],
            outlined: false,
            weakest: Vec::new(),
            chosen: Vec::new(),
            bounds: Vec::new(),
        };
        let fresh = Interpolation {
            heuristic,
            weakest: false,
            down,
            up,
            descents: Vec::new(),
            next: 0,
            result,
            pass: Pass::Strongest,
            done: false,
            outline: None,
            stand_in: None,
        };
        fresh.with_descents()
    }

    /// First tries whether the slice of the errors is enough, and if so lets that stand in for I
    /// where the heuristic asks what I says.
    pub fn outlined(mut self, dag: &CounterexampleDag, outline: Outline) -> Interpolation {
        self.outline = Some(outline);
        self.pass = Pass::Outline(vec![Bdd::FALSE; dag.node_count()]);
        self
    }

    /// What [`Self::outlined`] was given, to be used again.
    pub fn take_outline(&mut self) -> Option<Outline> {
        self.outline.take()
    }

    fn with_descents(mut self) -> Interpolation {
        let chosen = self.heuristic.passes().1;
        self.descents = chosen.into_iter().filter(|descent| *descent != Descent::WEAKEST).collect();
        if self.weakest || chosen == Some(Descent::WEAKEST) {
            self.descents.push(Descent::WEAKEST);
        }
        self
    }

    /// Is there nothing left to do?
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The interpolants at one more node.
    pub fn step(&mut self, concrete: &mut Concrete<'_>, dag: &CounterexampleDag) -> Bounded<()> {
        if self.done {
            return Ok(());
        }
        match &mut self.pass {
            Pass::Outline(family) => {
                let node = self.down[self.next];
                let Some(outline) = &mut self.outline else {
                    unreachable!("it was given with the pass")
                };
                let here = outline.at(concrete, dag, family, node)?;
                family[node.0 as usize] = here;
            }
            Pass::Strongest => {
                let node = self.down[self.next];
                let strongest = strongest_at(concrete, dag, &self.result.strongest, node)?;
                self.result.strongest[node.0 as usize] = strongest;
            }
            Pass::Descent(descent, family, bounds) => {
                let node = self.up[self.next];
                let strongest = &self.result.strongest;
                let says = self
                    .stand_in
                    .as_ref()
                    .filter(|_| *descent != Descent::WEAKEST)
                    .unwrap_or(strongest);
                let asked = asked_at(concrete, dag, *descent, says, family, node)?;
                let here = says[node.0 as usize];
                let chosen =
                    if descent.conciliate { conciliate(concrete, asked, here)? } else { asked };
                let bound = if *descent == Descent::WEAKEST || !self.weakest {
                    chosen
                } else if !dag.is_in_body(node) {
                    self.result.weakest[node.0 as usize]
                } else if dag.node(node).point == DagPoint::Returned {
                    asked
                } else {
                    asked_at(concrete, dag, Descent::WEAKEST, strongest, bounds, node)?
                };
                family[node.0 as usize] = chosen;
                bounds[node.0 as usize] = bound;
            }
        }
        self.next += 1;
        if self.next == self.down.len() {
            self.next_pass(dag);
        }
        Ok(())
    }

    /// All the rest, without a collection in between.
    pub fn run(&mut self, concrete: &mut Concrete<'_>, dag: &CounterexampleDag) -> Bounded<()> {
        while !self.done {
            self.step(concrete, dag)?;
        }
        Ok(())
    }

    fn next_pass(&mut self, dag: &CounterexampleDag) {
        self.next = 0;
        let (strongest, chosen) = self.heuristic.passes();
        match std::mem::replace(&mut self.pass, Pass::Strongest) {
            Pass::Outline(family) => {
                if !family[dag.bottom().0 as usize].is_false() {
                    return;
                }
                if self.weakest {
                    self.stand_in = Some(family);
                    return;
                }
                (self.result.strongest, self.result.outlined) = (family, true);
            }
            Pass::Strongest if !self.result.is_spurious(dag) => {
                self.done = true;
                return;
            }
            Pass::Strongest if strongest => {
                self.result.chosen.push(self.result.strongest.clone());
                self.result.bounds.push(self.result.strongest.clone());
            }
            Pass::Strongest => {}
            Pass::Descent(descent, family, bounds) => {
                if descent == Descent::WEAKEST {
                    self.result.weakest = family.clone();
                    // I ⊨ J everywhere (5.2.2).
                    self.result.bounds =
                        self.result.chosen.iter().map(|_| family.clone()).collect();
                }
                if chosen == Some(descent) {
                    self.result.chosen.push(family);
                    self.result.bounds.push(bounds);
                }
            }
        }
        match self.descents.pop() {
            Some(descent) => {
                self.pass = Pass::Descent(
                    descent,
                    vec![Bdd::TRUE; dag.node_count()],
                    vec![Bdd::TRUE; dag.node_count()],
                )
            }
            None => self.done = true,
        }
    }

    /// What there is so far; whole once it is done.
    pub fn result(&self) -> &Interpolants {
        &self.result
    }

    /// The result.
    pub fn into_result(self) -> Interpolants {
        self.result
    }
}

impl_roots!(Interpolation { result, stand_in, pass, outline });

impl Roots for Pass {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        match self {
            Pass::Outline(family) => family.roots(roots),
            Pass::Strongest => {}
            Pass::Descent(_, family, bounds) => (family, bounds).roots(roots),
        }
    }
}

/// I at a node from those of its predecessors (fig. 7.1).
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

/// The image of I at an edge's source.
fn after(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    family: &Family,
    edge: DagEdgeId,
) -> Bounded<Bdd> {
    let edge = dag.edge(edge);
    let before = family[edge.from.0 as usize];
    if before.is_false() {
        return Ok(Bdd::FALSE);
    }
    let Concrete { program, domain, relations } = concrete;
    match edge.action {
        // In an outline a check may be left open: then it may fail.
        Action::Fail(id, check) if check >= program.edge(id).checks.len() => Ok(Bdd::TRUE),
        Action::Begin => relations.initial(domain, program),
        Action::Execute(id) => {
            relations.step(domain, program, id, None)?.after(&mut domain.kernel, before)
        }
        // What is at the bottom speaks of nothing: is there a failing store?
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
            let returned = family[dag.body(body).bottom().0 as usize];
            let effect = call.effect(&mut concrete.domain.kernel, returned)?;
            call.return_after(&mut concrete.domain.kernel, before, effect)
        }
        Action::Pop => relations.popped(domain, dag.procedure(edge.from), before),
    }
}

/// What is asked of K at a node by those of its successors, and at the end of a body by those
/// around its calls.
fn asked_at(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    descent: Descent,
    strongest: &Family,
    family: &Family,
    node: NodeId,
) -> Bounded<Bdd> {
    let here = strongest[node.0 as usize];
    let mut all = Bdd::TRUE;
    match dag.node(node).point {
        DagPoint::Error => return Ok(Bdd::FALSE),
        DagPoint::Returned => {
            for id in dag.uses(dag.node(node).instance) {
                let edge = dag.edge(id);
                let (pivot, target) = (family[edge.from.0 as usize], family[edge.to.0 as usize]);
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

/// The weakest predicate at an edge's source with which the edge leads into K at its target.
fn weakest(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    strongest: &Family,
    family: &Family,
    edge: DagEdgeId,
) -> Bounded<Bdd> {
    let edge = dag.edge(edge);
    let target = family[edge.to.0 as usize];
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
            let returned = strongest[dag.body(body).bottom().0 as usize];
            let effect = call.effect(&mut concrete.domain.kernel, returned)?;
            call.return_weakest(&mut concrete.domain.kernel, effect, target)
        }
        // The pop drops locals, of which K> does not speak.
        Action::Pop => Ok(target),
    }
}

/// K at the target, if the edge may be taken for a skip (6.4): I ⊨ K, and K ∧ C ⊨ K. The latter
/// says that K is not weaker than the weakest.
fn skipped(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    here: Bdd,
    family: &Family,
    edge: DagEdgeId,
    weakest: Bdd,
) -> Bounded<Option<Bdd>> {
    let edge = dag.edge(edge);
    let target = family[edge.to.0 as usize];
    let same_frame = match edge.action {
        Action::Begin | Action::Enter | Action::Pop => return Ok(None),
        Action::Execute(_) | Action::Fail(..) | Action::Return(_) => true,
        // Only a predicate that does not speak of the callee's parameters can be read at the call.
        Action::Push(id) => {
            let Operation::Call { callee, .. } = &concrete.program.edge(id).operation else {
                return Ok(None);
            };
            let parameters = &concrete.domain.frames[callee.0 as usize].parameters;
            let middle =
                concrete.domain.layout.cells_levels(parameters, crate::encode::Copy::Middle);
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
fn conciliate(concrete: &mut Concrete<'_>, chosen: Bdd, strongest: Bdd) -> Bounded<Bdd> {
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

/// Which nodes need predicates if the abstract values already say `known` at each (thesis, 8.3):
/// above a node where they imply the interpolant nothing is needed, as no trace gets past it.
/// `known` is over the signature of its node.
pub fn needed(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    family: &Family,
    known: &Family,
) -> Bounded<Vec<bool>> {
    let mut asked = vec![false; dag.node_count()];
    let mut needed = vec![false; dag.node_count()];
    for part in dag.parts() {
        for node in part.nodes.iter().rev() {
            let k = node.0 as usize;
            asked[k] = match dag.node(*node).point {
                DagPoint::Error => true,
                DagPoint::Returned => {
                    dag.uses(part.instance).any(|edge| needed[dag.edge(edge).to.0 as usize])
                }
                _ => dag.outgoing(*node).iter().any(|edge| needed[dag.edge(*edge).to.0 as usize]),
            };
            needed[k] = asked[k] && !concrete.domain.kernel.is_subset(known[k], family[k])?;
        }
    }
    Ok(needed)
}
