//! Which transitions are correct: on some run that comes to the assertion with its condition true.
//!
//! Ball, Naik, Rajamani 2003, figs 3, 5 and 6 walk backwards over path edges (entry, state) in two phases, state by state: first up to callers, then down into callees.
//! Here sets of path edges are diagrams. The walk up is the outer contexts of [`ErrorProjection`], toward the correct end instead of the errors
//! ("the frame, entered like this, comes to the end in itself, deeper, or after it is left to its context"); the walk down is pre\*'s summaries within those
//! contexts. A transition is correct iff a path edge to its source (post\*), its step, and a path edge from its target to the end meet.
//!
//! Differs from the paper: fig. 6's Propagate compares Ω_g with Ω'_g also where v_j is an entry, where the caller's path edge has another entry
//! state; and only the summary transition v_c → v_r is collected there. Contexts relate a callee's entry to its caller's states, and a call's
//! transitions into the callee and back are judged like all others.

use super::supergraph::SuperEdge;
use super::trace::Transition;
use crate::analysis::error_projection::{ErrorProjection, Goal, Phase};
use crate::analysis::reach::Reach;
use crate::bdd::Bdd;
use crate::encode::{Cell, Copy, ProgramDomain, Valuation, symbol};
use crate::lang::model::{Check, EdgeId, Expression, Operation, ProcedureId};
use crate::pds::{Domain, RuleId, State};
use crate::util::Bounded;

/// Can a check not hold, whatever the values are? So it is with error labels and `reach_error()`.
pub fn never_holds(check: &Check) -> bool {
    matches!(&check.condition, Expression::Constant(0, _))
}

/// Where correct runs end, for a violated check: at the same check, with its condition (and those checked before it) true; or at the program's end where the
/// condition is never true.
pub fn correct_end(reach: &mut Reach, edge: EdgeId, check: usize) -> Bounded<Goal> {
    let program = reach.program.clone();
    let statement = program.edge(edge);
    if never_holds(&statement.checks[check]) {
        return Ok(Goal::End);
    }
    let reached = reach.stores_at(statement.from)?;
    let correct = reach.domain.passing_checks(&program, edge, check, reached)?;
    Ok(Goal::Stores(statement.from, correct))
}

/// The correct transitions toward one end: a set that is asked, never listed.
pub struct CorrectTransitions {
    projection: ErrorProjection,
}

/// What a transition's states must be, as diagrams. True: any.
struct States {
    /// At the source, in its frame now; of a return, of a return site: any.
    before: Bdd,
    /// At the target, in its frame, over [`Copy::Entry`] as in weights of pre\*; of a call, at its callee's entry, over [`Copy::Now`].
    after: Bdd,
    /// Of a call: what its callee is entered or left with, as post\*'s summaries say it.
    callee: Bdd,
}

const ANY: States = States { before: Bdd::TRUE, after: Bdd::TRUE, callee: Bdd::TRUE };

impl CorrectTransitions {
    /// Sets up the walk back from the correct end of runs that violate an edge's k-th check. post\* must be finished.
    pub fn new(reach: &mut Reach, edge: EdgeId, check: usize) -> Bounded<CorrectTransitions> {
        let goal = correct_end(reach, edge, check)?;
        Ok(CorrectTransitions { projection: ErrorProjection::toward(reach, goal)? })
    }

    /// One bounded piece of work; may questions be asked now?
    pub fn step(&mut self, reach: &mut Reach) -> Bounded<bool> {
        if self.is_ready() {
            return Ok(true);
        }
        self.projection.step(reach)?;
        Ok(self.is_ready())
    }

    fn is_ready(&self) -> bool {
        matches!(self.projection.phase(), Phase::Statements | Phase::Done)
    }

    /// Every diagram held, for garbage collection.
    pub fn roots(&self, roots: &mut Vec<Bdd>) {
        self.projection.roots(roots);
    }

    /// Is the edge in project(C)?
    pub fn has_edge(&mut self, reach: &mut Reach, edge: SuperEdge) -> Bounded<bool> {
        Ok(self.has_sample(reach, edge)? || self.has_some(reach, edge, &ANY)?)
    }

    /// Is a transition of the edge in C that starts from a few of the stores that come there? Most edges are correct, most stores are saved behind them, and of few
    /// stores that is soon found. Not asked where all are few enough.
    fn has_sample(&mut self, reach: &mut Reach, edge: SuperEdge) -> Bounded<bool> {
        let id = edge.edge();
        let rule = reach.system.executes[id.0 as usize];
        let summary = match reach.program.edge(id).operation {
            Operation::Call { callee, .. } => Some(reach.summary(callee).unwrap_or(Bdd::FALSE)),
            _ => None,
        };
        for (state, arriving) in reach.weights_at(symbol(reach.program.edge(id).from)) {
            if !self.projection.asks_of_few(reach, state, reach.program.edge(id).to) {
                continue;
            }
            let few = some_of(&mut reach.domain, arriving)?;
            let mut behind = over(&mut reach.domain, rule, summary, few)?;
            if behind.is_false() {
                let all = over(&mut reach.domain, rule, summary, arriving)?;
                behind = some_of(&mut reach.domain, all)?;
            }
            if self.comes_to_the_end(reach, state, id, behind)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does some run come to the correct end that is behind an edge with one of these entries and stores, in a frame of this state?
    fn comes_to_the_end(&mut self, reach: &mut Reach, state: State, edge: EdgeId, behind: Bdd) -> Bounded<bool> {
        if behind.is_false() {
            return Ok(false);
        }
        let (procedure, to) = (reach.program.owner(edge), reach.program.edge(edge).to);
        let stores = reach.domain.forget_entry(procedure, behind)?;
        let stores = reach.domain.now_to_entry(procedure, stores)?;
        let failing = self.projection.failing_among(reach, state, to, stores)?;
        Ok(!reach.domain.kernel.and(behind, failing)?.is_false())
    }

    /// Is the transition in C?
    pub fn has(&mut self, reach: &mut Reach, transition: &Transition) -> Bounded<bool> {
        let Transition { edge, before, after } = transition;
        let domain = &mut reach.domain;
        let states = match edge {
            SuperEdge::Step(_) => States { before: now(domain, before)?, after: onward(domain, after)?, callee: Bdd::TRUE },
            SuperEdge::Enter(call) => {
                let Operation::Call { callee, .. } = reach.program.edge(*call).operation else { return Ok(false) };
                let entered = as_entry(domain, callee, after)?;
                States { before: now(domain, before)?, after: now(domain, after)?, callee: entered }
            }
            SuperEdge::Return(_) => States { before: Bdd::TRUE, after: onward(domain, after)?, callee: now(domain, before)? },
            SuperEdge::Onward(_) => States { before: Bdd::TRUE, after: onward(domain, after)?, callee: Bdd::TRUE },
        };
        self.has_some(reach, *edge, &states)
    }

    /// Is some transition of the edge, with such states, in C?
    fn has_some(&mut self, reach: &mut Reach, super_edge: SuperEdge, states: &States) -> Bounded<bool> {
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
                let entry = symbol(reach.program.procedure(*callee).entry);
                let entered = self.projection.entering_stores(reach, entry)?;
                let entered = reach.domain.kernel.and(entered, states.after)?;
                reach.domain.before_entry(rule, entered)?
            }
            _ => Bdd::FALSE,
        };
        for (state, arriving) in reach.weights_at(symbol(from)) {
            let arriving = reach.domain.kernel.and(arriving, states.before)?;
            if arriving.is_false() {
                continue;
            }
            if !reach.domain.kernel.and(arriving, inside)?.is_false() {
                return Ok(true);
            }
            let is_enter = matches!(super_edge, SuperEdge::Enter(_));
            if is_enter && !states.before.is_true() && self.projection.asks_of_few(reach, state, to) {
                // From one store: few are at the return site, and only of those is it asked what follows.
                let returned = reach.domain.return_after(&arriving, rule, &summary)?;
                if self.comes_to_the_end(reach, state, id, returned)? {
                    return Ok(true);
                }
                continue;
            }
            let behind = match is_enter {
                true => self.projection.failing_from(reach, state, to)?,
                false => self.projection.failing_among(reach, state, to, states.after)?,
            };
            let before = match super_edge {
                _ if behind.is_false() => continue,
                SuperEdge::Step(_) => reach.domain.before_step(rule, behind)?,
                _ => reach.domain.before_call(rule, summary, behind)?,
            };
            if !reach.domain.kernel.and(arriving, before)?.is_false() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Over an edge: a statement, or a call with what its callee is entered and left with.
fn over(domain: &mut ProgramDomain, rule: RuleId, summary: Option<Bdd>, before: Bdd) -> Bounded<Bdd> {
    match summary {
        _ if before.is_false() => Ok(Bdd::FALSE),
        Some(summary) => domain.return_after(&before, rule, &summary),
        None => domain.after(&before, rule),
    }
}

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

/// A state as the start of a weight of pre\*.
fn onward(domain: &mut ProgramDomain, state: &Valuation) -> Bounded<Bdd> {
    domain.fixed(state.0.keys(), Copy::Entry, state)
}

/// A callee's entry as its summary speaks of it: what the procedure may change in [`Copy::Entry`], the rest in [`Copy::Now`].
fn as_entry(domain: &mut ProgramDomain, callee: ProcedureId, state: &Valuation) -> Bounded<Bdd> {
    let tracked = &domain.frames[callee.0 as usize].tracked;
    let (entry, rest): (Vec<Cell>, Vec<Cell>) = state.0.keys().copied().partition(|cell| tracked.contains(cell));
    let entry = domain.fixed(&entry, Copy::Entry, state)?;
    let rest = domain.fixed(&rest, Copy::Now, state)?;
    domain.kernel.and(entry, rest)
}
