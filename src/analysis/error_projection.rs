//! Error projections: every statement that some failing run executes (Lal, Kidd, Reps, Touili
//! 2007).
//!
//! Post\* says which stores reach a location, and pre\* says which stores fail from there. Joining
//! the two over all calling contexts gives runs that enter a procedure from one caller and leave it
//! to another (§ 2, "the correlation problem"). The paper intersects the two automata by functional
//! weights λz. a ⊗ z ⊗ b and then solves one path problem per node (§ 4).
//!
//! Differs from the paper: all nodes are decided at once, by *outer contexts*. For each frame state
//! q of the product, C_q(a, b) says that a frame can be entered with store a and that the run still
//! fails after the frame is left with store b. It is a least fixpoint over the callers, computed
//! once. A statement from n to m is in the projection iff some a, v, v', b have R_n(a, v), the
//! statement leads from v to v', W_m(v', b) and C_q(a, b). Quantifying only a and b gives exactly
//! the stores that fail here. If the target lies in the frame itself or deeper, no context is
//! needed, as post\* weights hold only reachable entries.
//!
//! Phases: pre\* of the goal, then the outer contexts, then one decision for each statement.
//!
//! The naive projection (§ 2) forgets which a goes with which b. It is kept for comparison.

pub use super::backward::Goal;
use super::backward::backward;
use super::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, symbol};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId};
use crate::pds::{BackwardWeights, PreStar, Right, RuleId, StackSymbol, State, Transition};
use crate::util::Bounded;
use crate::wire::projection::Method;
use std::collections::{BTreeMap, BTreeSet};

/// The phases of a projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// pre\* of the errors.
    Backward,
    /// Outer contexts.
    Contexts,
    /// Statements are decided one by one.
    Statements,
    /// The projection is complete.
    Done,
}

/// A projection in progress. Needs a finished post\*.
pub struct ErrorProjection {
    method: Method,
    goal: Goal,
    phase: Phase,
    prestar: PreStar<crate::encode::ProgramDomain>,
    target: State,
    /// By frame state (for the naive method: by procedure): the outer context so far.
    contexts: BTreeMap<State, Bdd>,
    /// Calls whose contexts are to be looked at again: the caller's state, and the transition (for
    /// the naive method: the edge).
    waiting: BTreeSet<(State, u32)>,
    calls_of: BTreeMap<State, Vec<u32>>,
    /// By frame state and location: the stores that fail from there, over entry and now.
    failing: BTreeMap<(State, LocationId), Bdd>,
    in_projection: Vec<bool>,
    passed: Vec<bool>,
    items: u64,
}

impl ErrorProjection {
    /// Prepares the projection of all errors that count. The method is functional or naive; the
    /// other methods are for [`super::chop::Chop`].
    pub fn new(reach: &mut Reach, method: Method) -> Bounded<ErrorProjection> {
        ErrorProjection::set_up(reach, method, Goal::Errors)
    }

    /// Prepares the exact projection of another goal: every statement that some run executes on its
    /// way there. For [`Goal::Stores`] and [`Goal::Heads`] the statements after a location belong
    /// only to runs that reach the goal once more.
    ///
    /// Runs that violate a formula have such a goal (see [`super::liveness::violating`]). With
    /// [`Goal::Stores`] it is the independent oracle for
    /// [`CorrectTransitions`](super::localize::correct::CorrectTransitions), which
    /// `tests/oracle/correct_edges.rs` compares with it.
    pub fn toward(reach: &mut Reach, goal: Goal) -> Bounded<ErrorProjection> {
        ErrorProjection::set_up(reach, Method::Functional, goal)
    }

    fn set_up(reach: &mut Reach, method: Method, goal: Goal) -> Bounded<ErrorProjection> {
        // The exact methods ignore stores that no run reaches. The naive method is defined without
        // this restriction.
        let (prestar, hit) = backward(reach, &goal, method != Method::Naive)?;
        let edges = reach.program.edges.len();
        Ok(ErrorProjection {
            method,
            goal,
            phase: Phase::Backward,
            prestar,
            target: hit,
            contexts: BTreeMap::new(),
            waiting: BTreeSet::new(),
            calls_of: BTreeMap::new(),
            failing: BTreeMap::new(),
            in_projection: vec![false; edges],
            passed: vec![false; edges],
            items: 0,
        })
    }

    /// The method that was chosen.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The phase under way.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// By edge: is it in the projection? Complete once [`Phase::Done`].
    pub fn in_projection(&self) -> &[bool] {
        &self.in_projection
    }

    /// By edge: does some failing run execute it *and* go on behind it (for a call: return)?
    /// Complete once [`Phase::Done`].
    pub fn passed(&self) -> &[bool] {
        &self.passed
    }

    /// One bounded piece of work.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<()> {
        self.items += 1;
        match self.phase {
            Phase::Backward => {
                self.prestar.step(&reach.system.pds, &mut reach.domain)?;
                if self.prestar.is_done() {
                    self.phase = Phase::Contexts;
                    self.begin_contexts(reach);
                    self.items = 0;
                }
            }
            Phase::Contexts => {
                match self.method {
                    Method::Naive => self.naive_context(reach)?,
                    _ => self.exact_context(reach)?,
                }
                if self.waiting.is_empty() {
                    self.phase = Phase::Statements;
                    self.items = 0;
                }
            }
            Phase::Statements => {
                let edge = EdgeId(self.items as u32 - 1);
                if (edge.0 as usize) < self.in_projection.len() {
                    let arriving = reach.weights_at(symbol(reach.program.edge(edge).from));
                    let (ending, passing) = self.failing_parts(reach, edge, arriving)?;
                    self.in_projection[edge] = !ending.is_false() || !passing.is_false();
                    self.passed[edge] = !passing.is_false();
                } else {
                    self.phase = Phase::Done;
                }
            }
            Phase::Done => {}
        }
        Ok(())
    }

    /// Returns exactly the stores (over [`crate::encode::Copy::Now`]) that some failing run has
    /// before this edge when it executes it (Lal, Kidd, Reps, Touili 2007, § 5.2: V_n). Call it
    /// only after [`Phase::Statements`] has begun. With the naive method it returns a superset.
    pub fn failing_at(&mut self, reach: &mut Reach, edge: EdgeId) -> Bounded<Bdd> {
        let arriving = reach.remembered_at(reach.program.edge(edge).from)?;
        let (ending, passing) = self.failing_parts(reach, edge, arriving)?;
        reach.domain.kernel.or(ending, passing)
    }

    /// The stores (over [`crate::encode::Copy::Now`]) from which executing this edge can fail under
    /// *some* stack of pending calls. They are read off pre\* alone, so perhaps no run reaches
    /// them. For the naive method only: the others keep pre\* inside the reached stores.
    pub fn failing_onward(&mut self, reach: &mut Reach, edge: EdgeId) -> Bounded<Bdd> {
        let procedure = reach.program.owner(edge);
        let mut failing = self.failing_in_frame(reach, edge)?;
        if let (Some(to_end), Some(context)) =
            (self.to_end(reach, edge, None)?, self.contexts.get(&State(procedure.0)).copied())
        {
            let outside = reach.domain.fails_outside(procedure, to_end, context)?;
            failing = reach.domain.kernel.or(failing, outside)?;
        }
        Ok(failing)
    }

    /// The stores (over [`crate::encode::Copy::Now`]) from which a run that begins with an edge
    /// reaches the target before its frame is left.
    pub(super) fn failing_in_frame(&self, reach: &mut Reach, edge: EdgeId) -> Bounded<Bdd> {
        let failing = self.failing_within(reach, edge)?;
        let Some(inside) = self.backward(reach, edge, self.target, None)? else {
            return Ok(failing);
        };
        let inside = reach.domain.entry_to_now(reach.program.owner(edge), inside)?;
        reach.domain.kernel.or(failing, inside)
    }

    /// The pre\* weight from a location to its frame's end.
    pub(super) fn end_from(&self, location: LocationId) -> Option<Bdd> {
        self.weight(symbol(location), CONTROL.into())
    }

    /// The stores (over [`crate::encode::Copy::Now`]) at a location from which a run
    /// reaches the target before its frame is left.
    pub(super) fn target_from(&self, reach: &mut Reach, location: LocationId) -> Bounded<Bdd> {
        match self.weight(symbol(location), self.target) {
            Some(inside) => {
                reach.domain.entry_to_now(reach.program.location(location).procedure, inside)
            }
            None => Ok(Bdd::FALSE),
        }
    }

    /// The pre\* weight of the paths that begin with an edge and lead to its frame's end. For a
    /// call, `summary` (a weight from the callee's entry to its end) replaces all ways through the
    /// callee.
    pub fn to_end(
        &self,
        reach: &mut Reach,
        edge: EdgeId,
        summary: Option<Bdd>,
    ) -> Bounded<Option<Bdd>> {
        self.backward(reach, edge, CONTROL.into(), summary)
    }

    /// The stores at a call's return site (over now) from which some caller's stack fails, for
    /// the naive method under any caller.
    pub fn failing_after(&mut self, reach: &mut Reach, edge: EdgeId) -> Bounded<Bdd> {
        let (start, to) = (reach.start(), reach.program.edge(edge).to);
        self.failing_from(reach, start, to)
    }

    fn backward(
        &self,
        reach: &mut Reach,
        edge: EdgeId,
        to: State,
        summary: Option<Bdd>,
    ) -> Bounded<Option<Bdd>> {
        let rule = reach.system.executes[edge];
        let Some(after) = self.weight(symbol(reach.program.edge(edge).to), to) else {
            return Ok(None);
        };
        match reach.system.pds.rule(rule).right {
            Right::Push(entry, _) => match summary.or_else(|| self.weight(entry, CONTROL.into())) {
                Some(summary) => reach.domain.return_before(rule, &summary, &after).map(Some),
                None => Ok(None),
            },
            _ => reach.domain.before(rule, &after).map(Some),
        }
    }

    /// The failing stores before an edge, of those that arrive there (by frame state, over entry
    /// and now), in two parts that may overlap: those with which the run ends in the edge (a check
    /// of it fails, or the callee never returns), and those with which it goes on after it.
    fn failing_parts(
        &mut self,
        reach: &mut Reach,
        edge: EdgeId,
        arriving: Vec<(State, Bdd)>,
    ) -> Bounded<(Bdd, Bdd)> {
        let procedure = reach.program.owner(edge);
        let mut parts = [Bdd::FALSE; 2];
        for (state, arriving) in arriving {
            let arriving = match self.method {
                Method::Naive => reach.domain.forget_entry(procedure, arriving)?,
                _ => arriving,
            };
            let failing =
                [self.failing_within(reach, edge)?, self.failing_behind(reach, state, edge)?];
            for (part, failing) in parts.iter_mut().zip(failing) {
                let here = reach.domain.kernel.and(arriving, failing)?;
                let here = reach.domain.forget_entry(procedure, here)?;
                *part = reach.domain.kernel.or(*part, here)?;
            }
        }
        Ok((parts[0], parts[1]))
    }

    /// The stores before an edge with which a check of it fails, or the target is reached inside
    /// its callee.
    fn failing_within(&self, reach: &mut Reach, edge: EdgeId) -> Bounded<Bdd> {
        let mut failing = Bdd::FALSE;
        let fails =
            if self.goal == Goal::Errors { reach.system.fails[edge].clone() } else { Vec::new() };
        for rule in fails {
            let here = reach.domain.before_step(rule, Bdd::TRUE)?;
            failing = reach.domain.kernel.or(failing, here)?;
        }
        let rule = reach.system.executes[edge];
        if let Right::Push(entry, _) = reach.system.pds.rule(rule).right {
            let inside = self.inside_callee(reach, rule, entry)?;
            failing = reach.domain.kernel.or(failing, inside)?;
        }
        Ok(failing)
    }

    /// The entries and stores before an edge from which the run goes on after it and then fails.
    fn failing_behind(&mut self, reach: &mut Reach, state: State, edge: EdgeId) -> Bounded<Bdd> {
        let rule = reach.system.executes[edge];
        let after = self.failing_from(reach, state, reach.program.edge(edge).to)?;
        match reach.system.pds.rule(rule).right {
            Right::Push(entry, _) => {
                match reach.summary(reach.program.location(LocationId(entry.0)).procedure) {
                    Some(summary) => reach.domain.before_call(rule, summary, after),
                    None => Ok(Bdd::FALSE),
                }
            }
            _ => reach.domain.before_step(rule, after),
        }
    }

    /// The caller's stores from which the target is reached inside the callee.
    fn inside_callee(&self, reach: &mut Reach, rule: RuleId, entry: StackSymbol) -> Bounded<Bdd> {
        let stores = self.entering_stores(reach, entry)?;
        reach.domain.before_entry(rule, stores)
    }

    /// The globals and parameters (over [`crate::encode::Copy::Now`]) with which a callee is
    /// entered so that its frame, or one above it, reaches the target.
    fn entering_stores(&self, reach: &mut Reach, entry: StackSymbol) -> Bounded<Bdd> {
        let callee = reach.program.location(LocationId(entry.0)).procedure;
        // The first frame has no caller, so its end is not the end of a callee.
        let Some(stores) = self.weight(entry, self.target).filter(|_| self.goal != Goal::End)
        else {
            return Ok(Bdd::FALSE);
        };
        let stores = reach.domain.forget_uninitialised(callee, stores)?;
        reach.domain.entry_to_now(callee, stores)
    }

    /// The entries and stores at a location from which the target is reached: inside the frame, or
    /// after it is left to its context.
    fn failing_from(
        &mut self,
        reach: &mut Reach,
        state: State,
        location: LocationId,
    ) -> Bounded<Bdd> {
        if let Some(known) = self.failing.get(&(state, location)) {
            return Ok(*known);
        }
        let procedure = reach.program.location(location).procedure;
        let mut stores = Bdd::FALSE;
        let counts = self.goal != Goal::End || state == reach.start();
        if let Some(inside) = self.weight(symbol(location), self.target).filter(|_| counts) {
            stores = reach.domain.entry_to_now(procedure, inside)?;
        }
        if let Some(context) = self.contexts.get(&self.key(state, procedure)).copied() {
            let outside = self.failing_outside(reach, location, context)?;
            stores = reach.domain.kernel.or(stores, outside)?;
        }
        if self.phase == Phase::Statements || self.phase == Phase::Done {
            self.failing.insert((state, location), stores);
        }
        Ok(stores)
    }

    fn failing_outside(
        &self,
        reach: &mut Reach,
        location: LocationId,
        context: Bdd,
    ) -> Bounded<Bdd> {
        let procedure = reach.program.location(location).procedure;
        match self.weight(symbol(location), CONTROL.into()) {
            Some(to_end) => reach.domain.fails_outside(procedure, to_end, context),
            None => Ok(Bdd::FALSE),
        }
    }

    /// The weight of a pre\* transition from the control location.
    fn weight(&self, from: StackSymbol, to: State) -> Option<Bdd> {
        let transition = Transition { from: CONTROL.into(), symbol: Some(from), to, via: None };
        self.prestar.automaton().find(transition).map(|id| *self.prestar.automaton().weight(id))
    }

    /// The key of a context. The naive projection has one context for each procedure, which all
    /// callers share.
    fn key(&self, state: State, procedure: ProcedureId) -> State {
        match self.method {
            Method::Naive => State(procedure.0),
            _ => state,
        }
    }

    fn begin_contexts(&mut self, reach: &Reach) {
        if self.method == Method::Naive {
            for edge in reach.program.edge_ids() {
                if matches!(reach.program.edge(edge).operation, Operation::Call { .. }) {
                    let caller = State(reach.program.owner(edge).0);
                    self.calls_of.entry(caller).or_default().push(edge.0);
                    self.waiting.insert((caller, edge.0));
                }
            }
        } else {
            for (id, transition) in reach.poststar.automaton().transitions().iter().enumerate() {
                if transition.via.is_some() {
                    self.calls_of.entry(transition.to).or_default().push(id as u32);
                    self.waiting.insert((transition.to, id as u32));
                }
            }
        }
        if self.waiting.is_empty() {
            self.phase = Phase::Statements;
        }
    }

    /// Looks at one call from one frame state of its caller: adds the entries and ends of its
    /// callee on failing runs.
    fn exact_context(&mut self, reach: &mut Reach) -> Bounded<()> {
        let Some((caller, id)) = self.waiting.pop_first() else { return Ok(()) };
        let transition = reach.poststar.automaton().transition(id);
        let (rule, callee) = (transition.via.expect("only calls wait"), transition.from);
        let at_call = *reach.poststar.automaton().weight(id);
        let Right::Push(_, below) = reach.system.pds.rule(rule).right else {
            unreachable!("only push rules leave a symbol below")
        };
        let location = LocationId(below.0);
        let procedure = reach.program.location(location).procedure;
        let at_return = self.failing_from(reach, caller, location)?;
        let context = reach.domain.outer_context(rule, procedure, at_call, at_return)?;
        self.grow(reach, callee, context)
    }

    /// Looks at one call from all frame states of its caller: adds the stores with which its callee
    /// can be left so that some caller fails.
    fn naive_context(&mut self, reach: &mut Reach) -> Bounded<()> {
        let Some((caller, edge)) = self.waiting.pop_first() else { return Ok(()) };
        let edge = EdgeId(edge);
        let rule = reach.system.executes[edge];
        let Operation::Call { callee, .. } = reach.program.edge(edge).operation else {
            unreachable!("only calls wait")
        };
        let (location, procedure) = (reach.program.edge(edge).to, reach.program.owner(edge));
        let at_return = self.failing_from(reach, caller, location)?;
        let context = reach.domain.leaving_context(rule, procedure, at_return)?;
        self.grow(reach, State(callee.0), context)
    }

    fn grow(&mut self, reach: &mut Reach, callee: State, context: Bdd) -> Bounded<()> {
        let old = self.contexts.get(&callee).copied().unwrap_or(Bdd::FALSE);
        let new = reach.domain.kernel.or(old, context)?;
        if new != old {
            self.contexts.insert(callee, new);
            for call in self.calls_of.get(&callee).into_iter().flatten() {
                self.waiting.insert((callee, *call));
            }
        }
        Ok(())
    }
}

impl_roots!(ErrorProjection { prestar, contexts, failing });
