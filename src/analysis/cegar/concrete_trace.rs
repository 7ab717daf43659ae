//! A concrete run of a DAG some of whose traces are real, with values (the thesis reports the
//! abstract trace only, 4.2).
//!
//! Strongest interpolants are exactly the stores with which the DAG's traces really reach each
//! node. So from a store at an error the walk finds a store before it, backwards along some edge,
//! and so on up to the top. It never follows a trace that is not real. After a call it goes through
//! the body from ε to its entry, while the pivot waits on a stack.

use super::concrete::Concrete;
use super::dag::{Action, CounterexampleDag, DagEdge, DagPoint, NodeId};
use super::interpolants::Family;
use crate::analysis::counterexample::{Counterexample, MAX_STEPS, Step};
use crate::bdd::Bdd;
use crate::encode::{Cell, Copy, ErrorSite, Valuation};
use crate::lang::model::EdgeId;
use crate::util::{Bounded, Limit};

/// A store at a node: the frame's entry (in a body; tracked cells), the store now, and at a pivot
/// the parameters.
#[derive(Clone, Debug)]
struct NodeStore {
    node: NodeId,
    entry: Valuation,
    now: Valuation,
    parameters: Valuation,
}

/// A run along one of the DAG's real traces; `None` if every trace is spurious.
///
/// `strongest` are the strongest interpolants, `errors` the checks that count. The interpreter must
/// execute the run before it is shown. A run of more than [`MAX_STEPS`] statements is
/// [`Limit::Depth`].
pub fn concrete_trace(
    concrete: &mut Concrete<'_>,
    dag: &CounterexampleDag,
    strongest: &Family,
    errors: &[ErrorSite],
) -> Bounded<Option<Counterexample>> {
    let mut walk = Walk { concrete, dag, strongest, steps: Vec::new(), waiting: Vec::new() };
    let Some((mut at, edge, check)) = walk.failure()? else { return Ok(None) };
    let Some(error) = errors.iter().find(|site| site.edge == edge && site.check == check).copied()
    else {
        return Ok(None);
    };
    loop {
        if walk.steps.len() > MAX_STEPS {
            return Err(Limit::Depth);
        }
        match walk.back(&at)? {
            Some(before) => at = before,
            None => break,
        }
    }
    let mut steps = walk.steps;
    steps.reverse();
    Ok(Some(Counterexample { initial: at.now, steps, error }))
}

struct Walk<'a, 'c> {
    concrete: &'a mut Concrete<'c>,
    dag: &'a CounterexampleDag,
    strongest: &'a Family,
    /// The last step first.
    steps: Vec<Step>,
    /// Pivots whose callee is being walked.
    waiting: Vec<NodeStore>,
}

impl Walk<'_, '_> {
    /// A store that fails, with the edge and the check.
    fn failure(&mut self) -> Bounded<Option<(NodeStore, EdgeId, usize)>> {
        for id in self.dag.incoming(self.dag.bottom()) {
            let DagEdge { from, action: Action::Fail(edge, check), .. } = self.dag.edge(*id) else {
                continue;
            };
            let Concrete { program, domain, relations } = &mut *self.concrete;
            let relation = relations.step(domain, program, edge, Some(check))?;
            let failing = relation.after(&mut domain.kernel, self.strongest[from])?;
            if failing.is_false() {
                continue;
            }
            let at = self.pick(from, failing);
            let Concrete { program, domain, .. } = &mut *self.concrete;
            let choices =
                domain.choices_of_failure(program, edge, check, &at.now)?.unwrap_or_default();
            self.steps.push(Step { edge, before: at.now.clone(), after: at.now.clone(), choices });
            return Ok(Some((at, edge, check)));
        }
        Ok(None)
    }

    /// Finds a store before `at`, along some edge into its node. Returns `None` at the start.
    fn back(&mut self, at: &NodeStore) -> Bounded<Option<NodeStore>> {
        let incoming = self.dag.incoming(at.node);
        if incoming.is_empty() && self.dag.is_in_body(at.node) {
            // At the top of a body the walk continues in the caller.
            let mut pivot = self.waiting.pop().expect("a body is walked with its caller waiting");
            self.enters(&mut pivot, at);
            return Ok(Some(pivot));
        }
        for id in incoming {
            let edge = self.dag.edge(*id);
            let before = match edge.action {
                Action::Begin => return Ok(None),
                Action::Fail(..) => None,
                Action::Execute(id) => self.before_statement(edge.from, id, at)?,
                Action::Push(id) => self.before_push(edge.from, id, at)?,
                Action::Enter => self.before_entry(edge.from, at)?,
                Action::Return(_) => self.before_return(edge, at)?,
                Action::Pop => self.before_pop(edge.from, at)?,
            };
            if before.is_some() {
                return Ok(before);
            }
        }
        unreachable!("a store of a strongest interpolant has come along some edge")
    }

    fn before_statement(
        &mut self,
        from: NodeId,
        edge: EdgeId,
        at: &NodeStore,
    ) -> Bounded<Option<NodeStore>> {
        let after = self.fixed_now(at)?;
        let Concrete { program, domain, relations } = &mut *self.concrete;
        let relation = relations.step(domain, program, edge, None)?;
        let before = relation.before(&mut domain.kernel, after)?;
        let Some(found) = self.pick_within(from, before, &at.entry)? else { return Ok(None) };
        let Concrete { program, domain, .. } = &mut *self.concrete;
        let choices =
            domain.choices_of_step(program, edge, &found.now, &at.now)?.unwrap_or_default();
        self.steps.push(Step { edge, before: found.now.clone(), after: at.now.clone(), choices });
        Ok(Some(found))
    }

    /// Goes from a pivot to the call, with the same store. The step was noted when the callee was
    /// entered; it gets its choices here.
    fn before_push(
        &mut self,
        from: NodeId,
        edge: EdgeId,
        at: &NodeStore,
    ) -> Bounded<Option<NodeStore>> {
        let callers = self.fixed_now(at)?;
        let Concrete { program, domain, relations } = &mut *self.concrete;
        let call = relations.call(domain, program, edge)?;
        let parameters = domain.frames[call.callee].parameters.clone();
        let passed = domain.fixed(&parameters, Copy::Middle, &at.parameters)?;
        let pushed = domain.kernel.and(callers, call.push())?;
        if domain.kernel.disjoint(pushed, passed)? {
            return Ok(None);
        }
        let Some(found) = self.pick_within(from, callers, &at.entry)? else { return Ok(None) };
        let Concrete { program, domain, .. } = &mut *self.concrete;
        let choices =
            domain.choices_of_call(program, edge, &found.now, &at.parameters)?.unwrap_or_default();
        if let Some(step) = self.steps.last_mut() {
            step.choices = choices;
        }
        Ok(Some(found))
    }

    /// Goes from the entry of a callee that does not return to the pivot.
    fn before_entry(&mut self, from: NodeId, at: &NodeStore) -> Bounded<Option<NodeStore>> {
        let call = self.concrete.call_at(self.dag.node(from).point)?;
        let Concrete { program, domain, .. } = &mut *self.concrete;
        let parameters = domain.frames[call.callee].parameters.clone();
        let globals: Vec<Cell> = program.globals().flat_map(|id| domain.layout.cells(id)).collect();
        let passed = domain.fixed(&parameters, Copy::Middle, &at.now)?;
        let globals = domain.fixed(&globals, Copy::Now, &at.now)?;
        let entered = domain.kernel.and(passed, globals)?;
        let Some(mut pivot) = self.pick_within(from, entered, &at.entry)? else { return Ok(None) };
        self.enters(&mut pivot, at);
        Ok(Some(pivot))
    }

    /// Notes the call; its choices are found when the call itself is reached.
    fn enters(&mut self, pivot: &mut NodeStore, callee: &NodeStore) {
        let DagPoint::Pivot(edge) = self.dag.node(pivot.node).point else { return };
        let frame = &self.concrete.domain.frames[self.dag.procedure(callee.node)];
        pivot.parameters =
            Valuation(frame.parameters.iter().map(|cell| (*cell, callee.now.get(*cell))).collect());
        self.steps.push(Step {
            edge,
            before: pivot.now.clone(),
            after: callee.now.clone(),
            choices: Vec::new(),
        });
    }

    /// Goes from a return site over the body: the pivot waits, and the walk continues at the body's
    /// ε.
    fn before_return(&mut self, edge: DagEdge, at: &NodeStore) -> Bounded<Option<NodeStore>> {
        let Action::Return(body) = edge.action else { return Ok(None) };
        let end = self.dag.body(body).bottom();
        let after = self.fixed_now(at)?;
        let call = self.concrete.call_at(self.dag.node(edge.from).point)?;
        let kernel = &mut self.concrete.domain.kernel;
        let effect = call.effect(kernel, self.strongest[end])?;
        let before = call.return_before(kernel, effect, after)?;
        let Some(pivot) = self.pick_within(edge.from, before, &at.entry)? else { return Ok(None) };
        let callers = self.fixed_now(&pivot)?;
        let domain = &mut *self.concrete.domain;
        let parameters = domain.frames[call.callee].parameters.clone();
        let passed = domain.fixed(&parameters, Copy::Middle, &pivot.parameters)?;
        let callers = domain.kernel.and(callers, passed)?;
        let left = call.returned_between(&mut domain.kernel, callers, after)?;
        let left = domain.kernel.and(left, self.strongest[end])?;
        if left.is_false() {
            return Ok(None);
        }
        self.waiting.push(pivot);
        Ok(Some(self.pick(end, left)))
    }

    fn before_pop(&mut self, from: NodeId, at: &NodeStore) -> Bounded<Option<NodeStore>> {
        let left = self.fixed_now(at)?;
        self.pick_within(from, left, &at.entry)
    }

    /// The cells of a node's signature: entry, now, parameters.
    fn cells(&self, node: NodeId) -> (Vec<Cell>, Vec<Cell>, Vec<Cell>) {
        let domain = &*self.concrete.domain;
        let procedure = self.dag.procedure(node);
        let frame = &domain.frames[procedure];
        let entry = if self.dag.is_in_body(node) { frame.tracked.clone() } else { Vec::new() };
        let mut now = domain.visible(procedure);
        let mut parameters = Vec::new();
        match self.dag.node(node).point {
            DagPoint::Returned => {
                let dropped = |cell: &Cell| {
                    frame.locals.contains(cell)
                        && frame.result != Some(*cell)
                        && !frame.constant_parameters.contains(cell)
                };
                now.retain(|cell| !dropped(cell));
            }
            DagPoint::Pivot(edge) => {
                if let crate::lang::model::Operation::Call { callee, .. } =
                    &self.concrete.program.edge(edge).operation
                {
                    parameters = domain.frames[*callee].parameters.clone();
                }
            }
            _ => {}
        }
        (entry, now, parameters)
    }

    /// A store of a nonempty diagram over a node's signature.
    fn pick(&self, node: NodeId, stores: Bdd) -> NodeStore {
        let (entry, now, parameters) = self.cells(node);
        let copies = [(&entry, Copy::Entry), (&now, Copy::Now), (&parameters, Copy::Middle)];
        let all: Vec<(Cell, Copy)> = copies
            .iter()
            .flat_map(|(cells, copy)| cells.iter().map(|cell| (*cell, *copy)))
            .collect();
        let model = self.concrete.domain.pick(stores, &all).unwrap_or_default();
        let of = |wanted: Copy| {
            Valuation(
                model
                    .iter()
                    .filter(|((_, copy), _)| *copy == wanted)
                    .map(|((cell, _), bits)| (*cell, *bits))
                    .collect(),
            )
        };
        NodeStore { node, entry: of(Copy::Entry), now: of(Copy::Now), parameters: of(Copy::Middle) }
    }

    /// Picks a store inside the node's strongest interpolant, with this entry. Returns `None` if
    /// there is none.
    fn pick_within(
        &mut self,
        node: NodeId,
        stores: Bdd,
        entry: &Valuation,
    ) -> Bounded<Option<NodeStore>> {
        let (cells, _, _) = self.cells(node);
        let domain = &mut *self.concrete.domain;
        let entry = domain.fixed(&cells, Copy::Entry, entry)?;
        let stores = domain.kernel.and(stores, entry)?;
        let stores = domain.kernel.and(stores, self.strongest[node])?;
        Ok((!stores.is_false()).then(|| self.pick(node, stores)))
    }

    fn fixed_now(&mut self, at: &NodeStore) -> Bounded<Bdd> {
        let (_, now, _) = self.cells(at.node);
        self.concrete.domain.fixed(&now, Copy::Now, &at.now)
    }
}
