//! Focus-statement sequences of a loaded program, in small steps.

use super::{Budgets, Job};
use crate::analysis::focus::{FocusAnalysis, FocusSequence, Inputs, Question};
use crate::bdd::KernelLimits;
use crate::lang::model::{Program, VariableId};
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use std::rc::Rc;

/// An enumeration of the ways to fail.
pub struct FocusSession {
    program: Rc<Program>,
    analysis: Bounded<FocusAnalysis>,
    limit: Option<Limit>,
}

impl Job for FocusSession {
    fn step(&mut self) -> bool {
        let Ok(analysis) = &mut self.analysis else { return true };
        match analysis.step() {
            Ok(done) => done,
            Err(limit) => {
                self.limit = Some(limit);
                true
            }
        }
    }

    fn stop(&mut self, limit: Limit) {
        self.limit = self.limit.or(Some(limit));
        if let Ok(analysis) = &mut self.analysis {
            analysis.finish();
        }
    }

    fn limit(&self) -> Option<Limit> {
        self.limit.or_else(|| self.analysis.as_ref().ok()?.cut())
    }

    fn progress(&self) -> Progress {
        let over = self.limit.is_some() || self.is_complete();
        let (nodes, steps) = self
            .inputs()
            .map_or((0, 0), |inputs| (inputs.kernel.live_nodes(), inputs.kernel.steps()));
        let stage = if over { Stage::Done } else { Stage::Sequences };
        Progress {
            stage,
            items: self.sequences().len() as u64,
            nodes,
            steps,
            ..Progress::default()
        }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        if let Ok(analysis) = &mut self.analysis {
            analysis.inputs().kernel.set_alarm(Some(alarm));
        }
    }
}

impl FocusSession {
    /// Prepares the sequences of the errors on `error_line`, or of all errors; at most `most`
    /// sequences. For `uninterpreted` see [`Question`].
    pub fn new(
        program: Rc<Program>,
        error_line: Option<u32>,
        uninterpreted: Vec<VariableId>,
        most: usize,
        budgets: Budgets,
    ) -> FocusSession {
        let limits = KernelLimits { max_nodes: budgets.max_nodes, max_steps: budgets.max_steps };
        let question = Question { error_line, uninterpreted, most };
        let mut analysis = FocusAnalysis::new(Rc::clone(&program), question, limits);
        if let (Ok(analysis), true) = (&mut analysis, budgets.collect_every_step) {
            analysis.collect_every_step();
        }
        FocusSession { program, limit: analysis.as_ref().err().copied(), analysis }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Were all ways to fail looked at?
    pub fn is_complete(&self) -> bool {
        self.limit().is_none() && self.analysis.as_ref().is_ok_and(FocusAnalysis::is_complete)
    }

    /// How many sequences could not be decided, because no run was found for them.
    pub fn undecided(&self) -> u32 {
        self.analysis.as_ref().map_or(0, FocusAnalysis::undecided)
    }

    /// The sequences, by rank.
    pub fn sequences(&self) -> &[FocusSequence] {
        self.analysis.as_ref().map_or(&[], FocusAnalysis::sequences)
    }

    /// The variables of assumptions, and the diagrams over them.
    pub fn inputs(&self) -> Option<&Inputs> {
        self.analysis.as_ref().ok().map(FocusAnalysis::inputs_ref)
    }
}
