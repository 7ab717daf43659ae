//! Which transitions are correct: on some run that comes to the assertion with its condition true.
//!
//! The walk back from the correct end has found the path edges from which it is reached
//! (`backward_path_edges`; Ball, Naik, Rajamani 2003, figs 3, 5 and 6). A transition is correct iff a path
//! edge to its source (post\*), its step, and such a path edge of its target meet.
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

/// Can a check not hold, whatever the values are? So it is with error labels and `reach_error()`.
pub fn never_holds(check: &Check) -> bool {
    matches!(&check.condition, Expression::Constant(0, _))
}

/// Does no run pass this check, so that correct runs are those that end the program? So it is where
/// the condition is never true, and where an error is stated as a value of a variable, at a
/// statement that gives it this very value.
pub fn none_passes(program: &Program, edge: EdgeId, check: usize) -> bool {
    let edge = program.edge(edge);
    let Some(check) = edge.checks.get(check) else { return true };
    let mut before = program.edges.iter().filter(|before| before.to == edge.from).peekable();
    never_holds(check)
        // What the check picks may let it pass.
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

/// The correct transitions toward one end: a set that is asked, never listed.
pub struct CorrectTransitions {
    walk: BackwardPathEdges,
}

/// What a transition's states must be, as diagrams. True: any.
struct States {
    /// At the source, in its frame now; of a return, of a return site: any.
    before: Bdd,
    /// At the target, in its frame now.
    after: Bdd,
    /// Of a call: what its callee is entered or left with, as post\*'s summaries say it.
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

    /// The same where correct runs come to this end. Not for [`Goal::Errors`], toward which no
    /// transition is correct.
    pub fn toward(reach: &mut Reach, goal: Goal) -> Bounded<CorrectTransitions> {
        Ok(CorrectTransitions { walk: BackwardPathEdges::new(reach, goal)? })
    }

    /// One bounded piece of work; may questions be asked now?
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
        let rule = reach.system.executes[id.0 as usize];
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
            // Of one store, where it leads is soon found; of all stores a few are tried first: most
            // edges are correct, most stores are saved behind them.
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

/// Some of these, by the first path through the diagram.
fn some_of(domain: &mut ProgramDomain, stores: Bdd) -> Bounded<Bdd> {
    match domain.kernel.cubes(stores).next() {
        Some(path) => domain.kernel.cube(&path),
        None => Ok(Bdd::FALSE),
    }
}

fn now(domain: &mut ProgramDomain, state: &Valuation) -> Bounded<Bdd> {
    domain.fixed(state.0.keys(), Copy::Now, state)
}

/// A callee's entry as its summary speaks of it: what the procedure may change in [`Copy::Entry`],
/// the rest in [`Copy::Now`].
fn as_entry(domain: &mut ProgramDomain, callee: ProcedureId, state: &Valuation) -> Bounded<Bdd> {
    let tracked = &domain.frames[callee.0 as usize].tracked;
    let (entry, rest): (Vec<Cell>, Vec<Cell>) =
        state.0.keys().copied().partition(|cell| tracked.contains(cell));
    let entry = domain.fixed(&entry, Copy::Entry, state)?;
    let rest = domain.fixed(&rest, Copy::Now, state)?;
    domain.kernel.and(entry, rest)
}
