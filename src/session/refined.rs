//! Correct edges by a refined abstraction (Ball, Naik, Rajamani 2003, § 6, Fig. 10): the loop of
//! refinement runs to its end, and its last abstract program says which edges some correct run
//! takes.

use super::Budgets;
use super::closest::collect_if_due;
use crate::analysis::cegar::as_program::{AsProgram, as_program};
use crate::analysis::cegar::refinement::Cegar;
use crate::analysis::cegar::round::{CegarOptions, Ending};
use crate::analysis::error_projection::Goal;
use crate::analysis::localize::correct::{CorrectTransitions, none_passes, passing};
use crate::analysis::localize::supergraph::{SuperEdge, halted};
use crate::analysis::reach::Reach;
use crate::bdd::KernelLimits;
use crate::lang::model::{EdgeId, Program};
use crate::util::Bounded;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A search in progress.
pub(super) struct RefinedSearch {
    limits: KernelLimits,
    alarm: Option<Arc<AtomicBool>>,
    /// Until the abstraction is there.
    refinement: Option<Box<Cegar>>,
    refined_in: u64,
    abstraction: Option<Rc<AsProgram>>,
    reach: Option<Reach>,
    correct: Option<CorrectTransitions>,
    failing: (EdgeId, usize),
    /// Do correct runs end the program? The abstract check may say otherwise: it knows less.
    ends_with_program: bool,
    halts: BTreeSet<SuperEdge>,
    edges: Vec<SuperEdge>,
    known: BTreeMap<SuperEdge, bool>,
}

impl RefinedSearch {
    /// Sets it up for the edges of a failing run of the program with halts; with the abstraction of
    /// an earlier round, if there was one.
    pub(super) fn new(
        (program, error_line): (&Rc<Program>, Option<u32>),
        halts: &BTreeSet<SuperEdge>,
        failing: (EdgeId, usize),
        edges: Vec<SuperEdge>,
        abstraction: Option<Rc<AsProgram>>,
        budgets: Budgets,
        alarm: Option<Arc<AtomicBool>>,
    ) -> Bounded<RefinedSearch> {
        let limits = KernelLimits { max_nodes: budgets.max_nodes, max_steps: budgets.max_steps };
        let refinement = match abstraction {
            Some(_) => None,
            None => {
                let mut cegar =
                    Cegar::new(Rc::clone(program), error_line, limits, CegarOptions::default())?;
                cegar.set_alarm(alarm.clone());
                Some(Box::new(cegar))
            }
        };
        Ok(RefinedSearch {
            limits,
            alarm,
            refinement,
            refined_in: 0,
            abstraction,
            reach: None,
            correct: None,
            failing,
            ends_with_program: none_passes(program, failing.0, failing.1),
            halts: halts.clone(),
            edges,
            known: BTreeMap::new(),
        })
    }

    /// The last abstraction, once it is there.
    pub(super) fn abstraction(&self) -> Option<Rc<AsProgram>> {
        self.abstraction.clone()
    }

    /// Kernel steps so far.
    pub(super) fn steps(&self) -> u64 {
        let refining = self
            .refinement
            .as_ref()
            .map_or(self.refined_in, |cegar| cegar.abstract_program().domain.kernel.steps());
        refining + self.reach.as_ref().map_or(0, |reach| reach.domain.kernel.steps())
    }

    /// One bounded piece of work; by edge: is it correct?
    pub(super) fn step(&mut self) -> Bounded<Option<Vec<bool>>> {
        if let Some(cegar) = &mut self.refinement {
            if !cegar.step() {
                return Ok(None);
            }
            if let Some(Ending::Unknown(limit)) = cegar.ending() {
                return Err(limit);
            }
            let abstracted = cegar.abstracted();
            if !abstracted.abstraction.is_done() {
                return abstracted.abstract_one().map(|()| None);
            }
            self.abstraction = Some(Rc::new(as_program(abstracted)?));
            self.refined_in = abstracted.domain.kernel.steps();
            self.refinement = None;
            return Ok(None);
        }
        let Some(abstraction) = &self.abstraction else { return Ok(None) };
        let Some(reach) = &mut self.reach else {
            let halts = self.halts.iter().map(|edge| abstraction.super_edge(*edge)).collect();
            let mut reach =
                Reach::new(Rc::new(halted(&abstraction.program, &halts)), None, self.limits)?;
            reach.domain.kernel.set_alarm(self.alarm.clone());
            self.reach = Some(reach);
            return Ok(None);
        };
        if !reach.is_done() {
            reach.step()?;
            collect_if_due(reach, &());
            return Ok(None);
        }
        let Some(correct) = &mut self.correct else {
            let first = abstraction.images[self.failing.0].first;
            let goal = match self.ends_with_program {
                true => Goal::End,
                false => passing(reach, first, self.failing.1)?,
            };
            self.correct = Some(CorrectTransitions::toward(reach, goal)?);
            return Ok(None);
        };
        if !correct.step(reach)? {
            collect_if_due(reach, correct);
            return Ok(None);
        }
        if let Some(edge) = self.edges.iter().find(|edge| !self.known.contains_key(edge)) {
            let is_correct = correct.has_edge(reach, abstraction.super_edge(*edge))?;
            self.known.insert(*edge, is_correct);
            return Ok(None);
        }
        Ok(Some(self.edges.iter().map(|edge| self.known.get(edge) == Some(&true)).collect()))
    }
}
