//! Correct edges by a refined abstraction (Ball, Naik, Rajamani 2003, § 6, Fig. 10): the loop of
//! refinement runs to its end, and its last abstract program says which edges some correct run
//! takes.

use super::correct::{CorrectTransitions, none_passes, passing};
use super::correct_run::collect_if_due;
use super::supergraph::{SuperEdge, halted};
use crate::analysis::budgets::Budgets;
use crate::analysis::cegar::as_program::{AsProgram, as_program};
use crate::analysis::cegar::refinement::Cegar;
use crate::analysis::cegar::round::Ending;
use crate::analysis::error_projection::Goal;
use crate::analysis::reach::Reach;
use crate::lang::model::{EdgeId, Program};
use crate::util::{Alarm, Bounded};
use crate::wire::refinement::CegarOptions;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The question.
pub struct RefinedQuestion {
    /// The program without halts.
    pub program: Rc<Program>,
    /// Only errors on this line count, if given.
    pub error_line: Option<u32>,
    /// The halts of earlier rounds.
    pub halts: BTreeSet<SuperEdge>,
    /// The statement that fails, and which of its checks.
    pub failing: (EdgeId, usize),
    /// The edges of the failing run.
    pub edges: Vec<SuperEdge>,
    /// Kernel steps are counted from the beginning of each part.
    pub budgets: Budgets,
    /// The flag that ends long operations.
    pub alarm: Option<Alarm>,
}

/// A search in progress.
pub struct RefinedSearch {
    question: RefinedQuestion,
    phase: Phase,
    /// Kernel steps of the phases that are over.
    steps_before: u64,
    known: BTreeMap<SuperEdge, bool>,
}

enum Phase {
    /// The loop of refinement runs, and then the abstraction of what it left out.
    Refining(Box<Cegar>),
    /// The abstraction is complete.
    Abstracted(Rc<AsProgram>),
    /// post\* of the abstract program with halts.
    Forward(Rc<AsProgram>, Box<Reach>),
    /// The walk back from the correct end, and then the judgement of each edge.
    Backward(Rc<AsProgram>, Box<Reach>, CorrectTransitions),
}

impl RefinedSearch {
    /// Prepares the search. `abstraction`: that of an earlier round, if there was one.
    pub fn new(
        question: RefinedQuestion,
        abstraction: Option<Rc<AsProgram>>,
    ) -> Bounded<RefinedSearch> {
        let phase = match abstraction {
            Some(abstraction) => Phase::Abstracted(abstraction),
            None => {
                let RefinedQuestion { program, error_line, budgets, alarm, .. } = &question;
                // Its last abstraction is needed, which is by predicates.
                let options = CegarOptions { follow: false, ..CegarOptions::default() };
                let program = Rc::clone(program);
                let mut cegar = Cegar::new(program, *error_line, budgets.limits(), options)?;
                cegar.set_alarm(alarm.clone());
                Phase::Refining(Box::new(cegar))
            }
        };
        Ok(RefinedSearch { question, phase, steps_before: 0, known: BTreeMap::new() })
    }

    /// The last abstraction, once there is one.
    pub fn abstraction(&self) -> Option<Rc<AsProgram>> {
        match &self.phase {
            Phase::Refining(_) => None,
            Phase::Abstracted(abstraction)
            | Phase::Forward(abstraction, _)
            | Phase::Backward(abstraction, ..) => Some(Rc::clone(abstraction)),
        }
    }

    /// Kernel steps so far.
    pub fn steps(&self) -> u64 {
        self.steps_before
            + match &self.phase {
                Phase::Refining(cegar) => cegar.abstract_program().domain.kernel.steps(),
                Phase::Abstracted(_) => 0,
                Phase::Forward(_, reach) | Phase::Backward(_, reach, _) => {
                    reach.domain.kernel.steps()
                }
            }
    }

    /// Does one bounded piece of work. At the end it returns, by edge, whether the edge is correct.
    pub fn step(&mut self) -> Bounded<Option<Vec<bool>>> {
        match &mut self.phase {
            Phase::Refining(cegar) => {
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
                let abstraction = Rc::new(as_program(abstracted)?);
                self.steps_before += abstracted.domain.kernel.steps();
                self.phase = Phase::Abstracted(abstraction);
            }
            Phase::Abstracted(abstraction) => {
                let RefinedQuestion { halts, budgets, alarm, .. } = &self.question;
                let halts = halts.iter().map(|edge| abstraction.super_edge(*edge)).collect();
                let program = Rc::new(halted(&abstraction.program, &halts));
                let reach = Box::new(budgets.reach(program, None, alarm.clone())?);
                self.phase = Phase::Forward(Rc::clone(abstraction), reach);
            }
            Phase::Forward(_, reach) => {
                if reach.is_done() {
                    return self.begin_backward().map(|()| None);
                }
                reach.step()?;
                collect_if_due(reach, &());
            }
            Phase::Backward(_, reach, correct) => {
                if correct.step(reach)? {
                    return self.judge();
                }
                collect_if_due(reach, correct);
            }
        }
        Ok(None)
    }

    fn begin_backward(&mut self) -> Bounded<()> {
        let Phase::Forward(abstraction, reach) = &mut self.phase else { return Ok(()) };
        let (failing, check) = self.question.failing;
        // Do correct runs end the program? The program is asked, because the abstract check knows
        // less.
        let goal = if none_passes(&self.question.program, failing, check) {
            Goal::End
        } else {
            let first = abstraction.images[failing].first;
            passing(reach, first, check)?
        };
        let correct = CorrectTransitions::toward(reach, goal)?;
        let abstraction = Rc::clone(abstraction);
        let over = Phase::Abstracted(Rc::clone(&abstraction));
        if let Phase::Forward(_, reach) = std::mem::replace(&mut self.phase, over) {
            self.phase = Phase::Backward(abstraction, reach, correct);
        }
        Ok(())
    }

    /// Judges one more edge. After the last one it returns the judgement of all edges.
    fn judge(&mut self) -> Bounded<Option<Vec<bool>>> {
        let Phase::Backward(abstraction, reach, correct) = &mut self.phase else { return Ok(None) };
        let edges = &self.question.edges;
        if let Some(edge) = edges.iter().find(|edge| !self.known.contains_key(edge)) {
            let is_correct = correct.has_edge(reach, abstraction.super_edge(*edge))?;
            self.known.insert(*edge, is_correct);
            return Ok(None);
        }
        Ok(Some(edges.iter().map(|edge| self.known.get(edge) == Some(&true)).collect()))
    }
}
