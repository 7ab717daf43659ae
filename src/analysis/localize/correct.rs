//! Which transitions are correct: those on some run that reaches the correct end (Ball, Naik,
//! Rajamani 2003, figs 3, 5 and 6).
//!
//! A transition is correct iff three things fit together: a path edge to its source (from post\*),
//! its own step, and a path edge of its target from which the correct end is reached (from
//! `backward_path_edges`).
//!
//! Differs from the paper: fig. 6's Propagate compares Ω_g with Ω'_g also where v_j is an entry,
//! where the caller's path edge has another entry state; and only the summary transition v_c → v_r
//! is collected there. A callee's entry and exit are joined with its caller's states here, and a
//! call's transitions into the callee and back are judged like all others.

use super::backward_path_edges::{BackwardPathEdges, Goal};
use super::supergraph::SuperEdge;
use super::trace::Transition;
use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::cfg::read_in;
use crate::encode::{Cell, Copy, ProgramDomain, Valuation};
use crate::lang::interpreter::{Assignment, Machine};
use crate::lang::model::{
    Check, Edge, EdgeId, ErrorKind, Expression, Operation, Place, ProcedureId, Program,
};
use crate::pds::ForwardWeights;
use crate::util::Bounded;
use std::collections::BTreeSet;

/// Is the condition of a check constantly false? This holds of error labels and `reach_error()`.
pub fn never_holds(check: &Check) -> bool {
    matches!(&check.condition, Expression::Constant(0, _))
}

/// Does no run pass this check? Then correct runs are those that end the program. This holds where
/// the condition is constantly false. It also holds where an error is stated as a value of a
/// variable and every statement before the check assigns this value.
pub fn none_passes(program: &Program, edge: EdgeId, check: usize) -> bool {
    let edge = program.edge(edge);
    let Some(check) = edge.checks.get(check) else { return true };
    let mut before = program.edges.iter().filter(|before| before.to == edge.from).peekable();
    never_holds(check)
        // The check may pass with some value that it picks.
        || edge.choices.is_empty()
            && check.kind == ErrorKind::Assignment
            && before.peek().is_some()
            && before.all(|before| fails_behind(program, before, &check.condition))
}

/// Is the condition false behind this statement, by the constants that it assigns?
fn fails_behind(program: &Program, before: &Edge, condition: &Expression) -> bool {
    let Operation::Assign(pairs) = &before.operation else { return false };
    let constant = |(place, value): &(Place, Expression)| match (place, value) {
        (Place::Variable(id), Expression::Constant(bits, _)) => Some((*id, vec![*bits])),
        _ => None,
    };
    let assigned: Assignment = pairs.iter().filter_map(constant).collect();
    let mut read = BTreeSet::new();
    read_in(condition, &mut read);
    if !read.iter().all(|id| assigned.iter().any(|(known, _)| known == id)) {
        return false;
    }
    let machine = Machine::new(program);
    let globals = machine.initial(&assigned, &Vec::new()).globals;
    let behind = machine.thread_start(program.location(before.from).procedure, globals, &assigned);
    machine.evaluate(&behind, condition, &[]) == 0
}

/// Where correct runs end, for a violated check: at the same check, with its condition (and those
/// checked before it) true; or at the program's end where none passes it.
pub fn correct_end(reach: &mut Reach, edge: EdgeId, check: usize) -> Bounded<Goal> {
    match none_passes(&reach.program, edge, check) {
        true => Ok(Goal::End),
        false => passing(reach, edge, check),
    }
}

/// At a check, with its condition (and those checked before it) true.
pub fn passing(reach: &mut Reach, edge: EdgeId, check: usize) -> Bounded<Goal> {
    let program = reach.program.clone();
    let statement = program.edge(edge);
    let reached = reach.stores_at(statement.from)?;
    let correct = reach.domain.passing_checks(&program, edge, check, reached)?;
    Ok(Goal::Stores(statement.from, correct))
}

/// The correct transitions toward one end. The set can be queried; it is never listed.
pub struct CorrectTransitions {
    walk: BackwardPathEdges,
}

/// The states that a transition may have, as diagrams. True: all.
struct States {
    /// At the source, in its frame now; all for a return or a return site.
    before: Bdd,
    /// At the target, in its frame now.
    after: Bdd,
    /// Of a call: the states with which its callee is entered or left, as in the summaries of
    /// post\*.
    callee: Bdd,
}

const ANY: States = States { before: Bdd::TRUE, after: Bdd::TRUE, callee: Bdd::TRUE };

impl CorrectTransitions {
    /// Sets up the walk back from the correct end of runs that violate an edge's k-th check. post\*
    /// must be finished.
    pub fn new(reach: &mut Reach, edge: EdgeId, check: usize) -> Bounded<CorrectTransitions> {
        let goal = correct_end(reach, edge, check)?;
        CorrectTransitions::toward(reach, goal)
    }

    /// The same for correct runs that end at this goal. The goal must not be [`Goal::Errors`],
    /// because no transition is correct toward errors.
    pub fn toward(reach: &mut Reach, goal: Goal) -> Bounded<CorrectTransitions> {
        Ok(CorrectTransitions { walk: BackwardPathEdges::new(reach, goal)? })
    }

    /// One bounded piece of work; returns whether queries can be answered now.
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<bool> {
        if !self.walk.is_done() {
            self.walk.step(reach)?;
        }
        Ok(self.walk.is_done())
    }

    /// Is the edge in project(C)?
    pub fn has_edge(&mut self, reach: &mut Reach, edge: SuperEdge) -> Bounded<bool> {
        self.has_some(reach, edge, &ANY)
    }

    /// Is the transition in C?
    pub fn has(&mut self, reach: &mut Reach, transition: &Transition) -> Bounded<bool> {
        let Transition { edge, before, after } = transition;
        let domain = &mut reach.domain;
        let states = match edge {
            SuperEdge::Step(_) => States {
                before: now(domain, before)?,
                after: now(domain, after)?,
                callee: Bdd::TRUE,
            },
            SuperEdge::Enter(call) => {
                let Operation::Call { callee, .. } = reach.program.edge(*call).operation else {
                    return Ok(false);
                };
                let entered = as_entry(domain, callee, after)?;
                States { before: now(domain, before)?, after: now(domain, after)?, callee: entered }
            }
            SuperEdge::Return(_) => States {
                before: Bdd::TRUE,
                after: now(domain, after)?,
                callee: now(domain, before)?,
            },
            SuperEdge::Onward(_) => {
                States { before: Bdd::TRUE, after: now(domain, after)?, callee: Bdd::TRUE }
            }
        };
        self.has_some(reach, *edge, &states)
    }

    /// Is some transition of the edge, with such states, in C?
    fn has_some(
        &mut self,
        reach: &mut Reach,
        super_edge: SuperEdge,
        states: &States,
    ) -> Bounded<bool> {
        let id = super_edge.edge();
        let (from, to) = (reach.program.edge(id).from, reach.program.edge(id).to);
        let rule = reach.system.executes[id];
        let summary = match reach.program.edge(id).operation {
            Operation::Call { callee, .. } => {
                let summary = reach.summary(callee).unwrap_or(Bdd::FALSE);
                reach.domain.kernel.and(summary, states.callee)?
            }
            _ => Bdd::FALSE,
        };
        let inside = match (super_edge, &reach.program.edge(id).operation) {
            (SuperEdge::Enter(_), Operation::Call { callee, .. }) => {
                let entered = reach.domain.kernel.and(self.walk.entered(*callee), states.after)?;
                reach.domain.before_entry(rule, entered)?
            }
            _ => Bdd::FALSE,
        };
        for state in self.walk.states_at(reach, from) {
            let arriving = reach.domain.kernel.and(reach.weight_at(state, from), states.before)?;
            if arriving.is_false() {
                continue;
            }
            if !reach.domain.kernel.disjoint(arriving, inside)? {
                return Ok(true);
            }
            let mut behind = self.walk.found(state, to);
            if !matches!(super_edge, SuperEdge::Enter(_)) {
                behind = reach.domain.kernel.and(behind, states.after)?;
            }
            if behind.is_false() {
                continue;
            }
            // The successor of one store is found quickly. Of many stores a few are tried first:
            // most edges are correct, and most stores behind them reach the end.
            let is_one = !states.before.is_true();
            let few = if is_one { arriving } else { some_of(&mut reach.domain, arriving)? };
            let there = match super_edge {
                SuperEdge::Step(_) => reach.domain.after(&few, rule)?,
                _ => reach.domain.return_after(&few, rule, &summary)?,
            };
            if !reach.domain.kernel.disjoint(there, behind)? {
                return Ok(true);
            }
            if is_one {
                continue;
            }
            let before = match super_edge {
                SuperEdge::Step(_) => reach.domain.before_reached(rule, behind)?,
                _ => reach.domain.before_call(rule, summary, behind)?,
            };
            if !reach.domain.kernel.disjoint(arriving, before)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl_roots!(CorrectTransitions { walk });

/// The stores of the first path through a diagram.
fn some_of(domain: &mut ProgramDomain, stores: Bdd) -> Bounded<Bdd> {
    match domain.kernel.cubes(stores).next() {
        Some(path) => domain.kernel.cube(&path),
        None => Ok(Bdd::FALSE),
    }
}

fn now(domain: &mut ProgramDomain, state: &Valuation) -> Bounded<Bdd> {
    domain.fixed(state.0.keys(), Copy::Now, state)
}

/// A callee's entry in the copies that its summary uses: [`Copy::Entry`] for what the procedure may
/// change, [`Copy::Now`] for the rest.
fn as_entry(domain: &mut ProgramDomain, callee: ProcedureId, state: &Valuation) -> Bounded<Bdd> {
    let tracked = &domain.frames[callee].tracked;
    let (entry, rest): (Vec<Cell>, Vec<Cell>) =
        state.0.keys().copied().partition(|cell| tracked.contains(cell));
    let entry = domain.fixed(&entry, Copy::Entry, state)?;
    let rest = domain.fixed(&rest, Copy::Now, state)?;
    domain.kernel.and(entry, rest)
}
