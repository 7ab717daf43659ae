//! Explaining why a program fails, one stage after the other: causes by correct runs, then the focus-statement sequences. In small steps.

use super::{Budgets, FocusSession, LocalizeOptions, LocalizeSession, Outcome, Session};
use crate::analysis::localize::Variant;
use crate::lang::model::{Program, VariableId};
use crate::util::Limit;
use std::rc::Rc;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions {
    /// Which causes are halted at.
    pub variant: Variant,
    /// Variables that the sequences leave uninterpreted.
    pub uninterpreted: Vec<VariableId>,
    /// Failing runs, at most; 0: none.
    pub max_traces: u32,
    /// Sequences, at most; 0: none.
    pub max_sequences: u32,
}

/// What is being worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplainStage {
    /// Failing runs and their causes.
    Causes,
    /// Focus-statement sequences.
    Sequences,
    /// Nothing any more.
    Done,
}

impl ExplainStage {
    /// What messages call it.
    pub fn word(self) -> &'static str {
        match self {
            ExplainStage::Causes => "causes",
            ExplainStage::Sequences => "sequences",
            ExplainStage::Done => "done",
        }
    }
}

/// An explanation in progress.
pub struct ExplainSession {
    program: Rc<Program>,
    options: ExplainOptions,
    error_line: Option<u32>,
    budgets: Budgets,
    stage: ExplainStage,
    localize: LocalizeSession,
    focus: Option<FocusSession>,
    stopped: Option<Limit>,
}

impl Session {
    /// Sets up the explanation of the loaded program; `None` if there is none.
    pub fn explain(&self, options: ExplainOptions, budgets: Budgets) -> Option<ExplainSession> {
        let program = self.shared_program()?;
        let localize = LocalizeOptions { variant: options.variant, max_traces: options.max_traces.max(1), ..LocalizeOptions::default() };
        Some(ExplainSession {
            localize: self.localize(localize, budgets)?,
            error_line: self.options().error,
            program,
            options,
            budgets,
            stage: ExplainStage::Causes,
            focus: None,
            stopped: None,
        })
    }
}

impl ExplainSession {
    /// One piece of work; is it over?
    pub fn step(&mut self) -> bool {
        match self.stage {
            ExplainStage::Causes => {
                if self.localize.step() {
                    self.begin_sequences();
                }
            }
            ExplainStage::Sequences => {
                if self.focus.as_mut().is_none_or(FocusSession::step) {
                    self.stage = ExplainStage::Done;
                }
            }
            ExplainStage::Done => {}
        }
        self.stage == ExplainStage::Done
    }

    /// Runs to the end.
    pub fn run(&mut self) {
        while !self.step() {}
    }

    /// The sequences explain programs without threads, that fail; or whose uninterpreted variables may still make up a failure.
    fn begin_sequences(&mut self) {
        let outcome = self.localize.outcome();
        let wanted = outcome == Outcome::Unsafe || outcome == Outcome::Safe && !self.options.uninterpreted.is_empty();
        if !wanted || self.program.concurrency.has_threads() || self.options.max_sequences == 0 {
            self.stage = ExplainStage::Done;
            return;
        }
        let most = self.options.max_sequences as usize;
        let uninterpreted = self.options.uninterpreted.clone();
        self.focus = Some(FocusSession::new(Rc::clone(&self.program), self.error_line, uninterpreted, most, self.budgets));
        self.stage = ExplainStage::Sequences;
    }

    /// Ends the stage that is worked on, for a limit that the driver keeps. What was found stays, and the next stage begins.
    pub fn end_stage(&mut self, limit: Limit) {
        match self.stage {
            ExplainStage::Causes => {
                self.localize.stop(limit);
                self.begin_sequences();
            }
            ExplainStage::Sequences => {
                if let Some(focus) = &mut self.focus {
                    focus.stop(limit);
                }
                self.stage = ExplainStage::Done;
            }
            ExplainStage::Done => {}
        }
    }

    /// Ends all of it. What was found stays.
    pub fn stop(&mut self, limit: Limit) {
        self.stopped = self.stopped.or((self.stage != ExplainStage::Done).then_some(limit));
        self.end_stage(limit);
        self.stage = ExplainStage::Done;
    }

    /// What is being worked on.
    pub fn stage(&self) -> ExplainStage {
        self.stage
    }

    /// The limit that ended all of it.
    pub fn stopped(&self) -> Option<Limit> {
        self.stopped
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What was asked for.
    pub fn options(&self) -> &ExplainOptions {
        &self.options
    }

    /// The search for causes.
    pub fn causes(&self) -> &LocalizeSession {
        &self.localize
    }

    /// The sequences, once that stage has begun.
    pub fn sequences(&self) -> Option<&FocusSession> {
        self.focus.as_ref()
    }
}
