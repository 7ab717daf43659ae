//! Backward path edges: the path edges from which some run reaches a goal (Ball, Naik, Rajamani
//! 2003, figs 5 and 6, with sets of path edges as diagrams).
//!
//! A path edge at a vertex v consists of a state with which v's frame is entered and a state at v
//! that the first one leads to. The weights of post\* are the sets PE(v).
//!
//! Phases:
//!
//! 1. *Ascending*: from the goal backward, and from entries to callers. This phase does not enter
//!    callees that have returned.
//! 2. *Descending*: from return points to the exits of callees, and backward inside them. This
//!    phase does not go to callers.
//!
//! A step takes the set of one vertex and extends the sets of the vertices before it.
//!
//! | paper | here |
//! | --- | --- |
//! | PE(v) | [`Reach::weight_at`] |
//! | visited | [`BackwardPathEdges::found`], by frame state of post\* and location |
//! | WL₁, WL₂ | `waiting`: later locations of a procedure first; callees before callers in the first phase, callers before callees in the second |
//! | Propagate | [`ProgramDomain::before_reached`](crate::encode::ProgramDomain::before_reached), [`before_entry`](crate::encode::ProgramDomain::before_entry) |
//! | PropagateToCallAndExit | [`before_call`](crate::encode::ProgramDomain::before_call), [`exits`](crate::encode::ProgramDomain::exits) |
//!
//! Invariant: a set is exact on path edges and arbitrary elsewhere. So it can be minimised with
//! *restrict* (Coudert, Madre 1990), and it is the constant true where each path edge of the vertex
//! leads to the goal. A backward step keeps the invariant, because a step from a path edge leads to
//! a path edge.
//!
//! Differs from the paper: exits are joined with callers when the first phase is over, not during
//! it. Both phases share their sets: a path edge that the first phase found leads to the goal in
//! its own frame or deeper, for all callers, so the second phase need not visit it again.

use crate::analysis::reach::Reach;
use crate::bdd::{Bdd, impl_roots};
use crate::encode::{CONTROL, symbol};
use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId};
use crate::pds::{Right, State};
use crate::util::Bounded;
use std::cmp::Reverse;
use std::collections::BTreeMap;

pub(super) use crate::analysis::backward::Goal;

/// A vertex in the frames of a state of post\*.
type FrameVertex = (State, LocationId);

/// The position of a vertex in the worklist, the least first.
type Turn = ((u32, Reverse<u32>), State, LocationId);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Ascending,
    Descending,
    Done,
}

/// The computation of backward path edges, in progress. post\* must be finished.
pub(super) struct BackwardPathEdges {
    phase: Phase,
    /// By vertex: path edges from which the goal is reached; in the first phase, before their frame
    /// is left. A vertex without an entry has none so far.
    found: BTreeMap<FrameVertex, Bdd>,
    /// By procedure: the globals and parameters with which its frames come to the goal before they
    /// are left.
    entered: Vec<Bdd>,
    /// Worklist. The value is true if the vertex's set has grown since it was followed backward in
    /// the same frame.
    waiting: BTreeMap<Turn, bool>,
    /// Edges by target.
    into: Vec<Vec<EdgeId>>,
    /// Calls by callee.
    calls: Vec<Vec<EdgeId>>,
    /// Frame states by procedure.
    frames: Vec<Vec<State>>,
}

impl BackwardPathEdges {
    /// Starts at a goal of [`Goal::Stores`] or [`Goal::End`].
    pub(super) fn new(reach: &mut Reach, goal: Goal) -> Bounded<BackwardPathEdges> {
        let program = reach.program.clone();
        let mut into = vec![Vec::new(); program.locations.len()];
        let mut calls = vec![Vec::new(); program.procedures.len()];
        for id in program.edge_ids() {
            into[program.edge(id).to].push(id);
            if let Operation::Call { callee, .. } = program.edge(id).operation {
                calls[callee].push(id);
            }
        }
        let mut walk = BackwardPathEdges {
            phase: Phase::Ascending,
            found: BTreeMap::new(),
            entered: vec![Bdd::FALSE; program.procedures.len()],
            waiting: BTreeMap::new(),
            into,
            calls,
            frames: (0..program.procedures.len())
                .map(|k| reach.states_of(ProcedureId(k as u32)))
                .collect(),
        };
        match goal {
            Goal::Stores(location, stores) => {
                for state in walk.states_at(reach, location) {
                    walk.grow(reach, (state, location), stores)?;
                }
            }
            Goal::End => walk.grow(
                reach,
                (reach.start(), program.procedure(program.main_id()).exit),
                Bdd::TRUE,
            )?,
            Goal::Errors | Goal::Heads(_) => {}
        }
        Ok(walk)
    }

    /// Are all backward path edges found?
    pub(super) fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// The path edges of a location from which the goal is reached; arbitrary on what is no path
    /// edge.
    pub(super) fn found(&self, state: State, location: LocationId) -> Bdd {
        self.found.get(&(state, location)).copied().unwrap_or(Bdd::FALSE)
    }

    /// The globals and parameters (over [`crate::encode::Copy::Now`]) with which a procedure is
    /// entered whose frames come to the goal before they are left.
    pub(super) fn entered(&self, procedure: ProcedureId) -> Bdd {
        self.entered[procedure]
    }

    /// The frame states of a location's procedure.
    pub(super) fn states_at(&self, reach: &Reach, location: LocationId) -> Vec<State> {
        self.frames[reach.program.location(location).procedure].clone()
    }

    /// Takes one vertex from the worklist.
    pub(super) fn step(&mut self, reach: &mut Reach) -> Bounded<()> {
        let next = self
            .waiting
            .pop_first()
            .map(|((_, state, location), grown)| ((state, location), grown));
        match (self.phase, next) {
            (Phase::Done, _) => {}
            (Phase::Ascending, Some((place, _))) => {
                self.back(reach, place)?;
                self.ascend(reach, place)?;
            }
            (Phase::Ascending, None) => {
                self.phase = Phase::Descending;
                let places: BTreeMap<Turn, bool> =
                    self.found.keys().map(|place| (self.turn(reach, *place), false)).collect();
                self.waiting = places;
            }
            (Phase::Descending, Some((place, grown))) => {
                if grown {
                    self.back(reach, place)?;
                }
                self.descend(reach, place)?;
            }
            (Phase::Descending, None) => self.phase = Phase::Done,
        }
        Ok(())
    }

    /// Extends the sets of the vertices before one, in the same frame.
    fn back(&mut self, reach: &mut Reach, place: FrameVertex) -> Bounded<()> {
        let (state, location) = place;
        let found = self.found(state, location);
        if let Some(before) = reach.domain.before_known_rounds(symbol(location), found)? {
            self.grow(reach, place, before)?;
            self.waiting.remove(&self.turn(reach, place));
        }
        let found = self.found(state, location);
        for k in 0..self.into[location].len() {
            let edge = self.into[location][k];
            let from = reach.program.edge(edge).from;
            if !self.found(state, from).is_true() {
                let before = before(reach, edge, found)?;
                self.grow(reach, (state, from), before)?;
            }
        }
        Ok(())
    }

    /// Extends the sets of the calls that enter a procedure, from its entry.
    fn ascend(&mut self, reach: &mut Reach, (state, location): FrameVertex) -> Bounded<()> {
        let callee = reach.program.location(location).procedure;
        if location != reach.program.procedure(callee).entry || state == reach.start() {
            return Ok(());
        }
        let arriving = reach.weight_at(state, location);
        let starting = reach.domain.kernel.and(arriving, self.found(state, location))?;
        let starting = reach.domain.entered_with(callee, starting)?;
        let entered = &mut self.entered[callee];
        *entered = reach.domain.kernel.or(*entered, starting)?;
        let entered = *entered;
        for k in 0..self.calls[callee].len() {
            let call = self.calls[callee][k];
            let from = reach.program.edge(call).from;
            let before = reach.domain.before_entry(reach.system.executes[call], entered)?;
            for state in self.states_at(reach, from) {
                self.grow(reach, (state, from), before)?;
            }
        }
        Ok(())
    }

    /// Extends the sets of the exits of the callees that return to a location.
    fn descend(&mut self, reach: &mut Reach, (state, location): FrameVertex) -> Bounded<()> {
        let found = self.found(state, location);
        for k in 0..self.into[location].len() {
            let edge = self.into[location][k];
            let Operation::Call { callee, .. } = reach.program.edge(edge).operation else {
                continue;
            };
            let rule = reach.system.executes[edge];
            let Right::Push(entry, _) = reach.system.pds.rule(rule).right else { continue };
            let Some(middle) = reach.poststar.middle(CONTROL, entry) else { continue };
            let at_call = reach.weight_at(state, reach.program.edge(edge).from);
            let exit = reach.program.procedure(callee).exit;
            if at_call.is_false() || self.found(middle, exit).is_true() {
                continue;
            }
            let exits = reach.domain.exits(rule, reach.program.owner(edge), at_call, found)?;
            self.grow(reach, (middle, exit), exits)?;
        }
        Ok(())
    }

    /// Adds path edges to a vertex's set; `more` may be arbitrary on what is no path edge.
    fn grow(&mut self, reach: &mut Reach, place: FrameVertex, more: Bdd) -> Bounded<()> {
        let (state, location) = place;
        let all = reach.weight_at(state, location);
        let old = self.found(state, location);
        if more.is_false() || all.is_false() || old.is_true() {
            return Ok(());
        }
        let kernel = &mut reach.domain.kernel;
        let whole = kernel.or(old, more)?;
        let new = kernel.restrict(whole, all)?;
        if new == old {
            return Ok(());
        }
        if !old.is_false() {
            let gained = kernel.difference(new, old)?;
            if kernel.disjoint(gained, all)? {
                return Ok(());
            }
        }
        self.found.insert(place, new);
        self.waiting.insert(self.turn(reach, place), true);
        Ok(())
    }

    /// Later locations of a procedure come first. The first phase takes callees before callers, the
    /// second one callers before callees.
    fn turn(&self, reach: &Reach, (state, location): FrameVertex) -> Turn {
        let rank = reach.system.priority[location];
        let procedure = reach.program.location(location).procedure;
        let first = reach.system.priority[reach.program.procedure(procedure).entry];
        let block = if self.phase == Phase::Ascending { first } else { 0 };
        ((block, Reverse(rank)), state, location)
    }
}

impl_roots!(BackwardPathEdges { found, entered });

/// The path edges before an edge (for a call: over the whole of it) from which it leads to `after`.
fn before(reach: &mut Reach, edge: EdgeId, after: Bdd) -> Bounded<Bdd> {
    let rule = reach.system.executes[edge];
    match reach.program.edge(edge).operation {
        Operation::Call { callee, .. } => match reach.summary(callee) {
            Some(summary) => reach.domain.before_call(rule, summary, after),
            None => Ok(Bdd::FALSE),
        },
        _ => reach.domain.before_reached(rule, after),
    }
}
