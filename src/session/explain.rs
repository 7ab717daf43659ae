//! Explaining why a program fails, one stage after the other: causes by correct runs, the
//! focus-statement sequences, statements by their best mutants, repairs. In small steps.

use super::{
    Budgets, FocusSession, Job, LocalizeOptions, LocalizeSession, Outcome, RepairHints,
    RepairOptions, RepairSession, Session, SuspectsSession,
};
use crate::lang::model::{Program, VariableId};
use crate::util::{Limit, Progress, Stage};
use crate::wire::localize::Variant;
use crate::wire::options::RequestedOptions;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What repairs get of the kernel steps, together and for the check of one edited program: one part
/// in so many.
const REPAIR_SHARE: u64 = 50;
/// What executions of mutants get, in interpreter steps.
const SUSPECTS_SHARE: u64 = 10;
const CHECK_SHARE: u64 = 500;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions {
    /// Which causes are halted at.
    pub variant: Variant,
    /// Variables that the sequences leave uninterpreted.
    pub uninterpreted: Vec<VariableId>,
    /// Failing runs, at most; at least one is looked for.
    pub max_traces: u32,
    /// Sequences, at most; 0: none.
    pub max_sequences: u32,
    /// Are statements put in order by their best mutants?
    pub suspects: bool,
    /// Repairs, at most; 0: none.
    pub max_repairs: u32,
}

/// What is being worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExplainStage {
    /// Failing runs and their causes.
    Causes,
    /// Focus-statement sequences.
    Sequences,
    /// Statements by their best mutants.
    Suspects,
    /// Repairs.
    Repairs,
    /// Nothing any more.
    Done,
}

impl ExplainStage {
    /// What messages call it.
    pub fn word(self) -> &'static str {
        match self {
            ExplainStage::Causes => "causes",
            ExplainStage::Sequences => "sequences",
            ExplainStage::Suspects => "suspects",
            ExplainStage::Repairs => "repairs",
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
    suspects: Option<SuspectsSession>,
    repair: Option<RepairSession>,
    /// What the program was loaded with.
    requested: RequestedOptions,
    stopped: Option<Limit>,
    alarm: Option<Arc<AtomicBool>>,
}

impl Session {
    /// Sets up the explanation of the loaded program; `None` if there is none.
    /// `requested`: what it was loaded with.
    pub fn explain(
        &self,
        requested: &RequestedOptions,
        options: ExplainOptions,
        budgets: Budgets,
    ) -> Option<ExplainSession> {
        let program = self.shared_program()?;
        let localize = LocalizeOptions {
            variant: options.variant,
            max_traces: options.max_traces.max(1),
            ..LocalizeOptions::default()
        };
        Some(ExplainSession {
            localize: self.localize(localize, budgets)?,
            error_line: self.options().error,
            program,
            options,
            budgets,
            stage: ExplainStage::Causes,
            focus: None,
            suspects: None,
            repair: None,
            requested: requested.clone(),
            stopped: None,
            alarm: self.alarm.clone(),
        })
    }
}

impl Job for ExplainSession {
    fn step(&mut self) -> bool {
        match self.stage {
            ExplainStage::Causes => {
                if self.localize.step() {
                    self.begin_sequences();
                }
            }
            ExplainStage::Sequences => {
                if self.focus.as_mut().is_none_or(FocusSession::step) {
                    self.begin_suspects();
                }
            }
            ExplainStage::Suspects => {
                if self.suspects.as_mut().is_none_or(SuspectsSession::step) {
                    self.begin_repairs();
                }
            }
            ExplainStage::Repairs => {
                if self.repair.as_mut().is_none_or(RepairSession::step) {
                    self.stage = ExplainStage::Done;
                }
            }
            ExplainStage::Done => {}
        }
        self.stage == ExplainStage::Done
    }

    fn stop(&mut self, limit: Limit) {
        self.stopped = self.stopped.or((self.stage != ExplainStage::Done).then_some(limit));
        self.end_stage(limit);
    }

    fn end_stage(&mut self, limit: Limit) {
        match self.stage {
            ExplainStage::Causes => {
                self.localize.stop(limit);
                self.begin_sequences();
            }
            ExplainStage::Sequences => {
                if let Some(focus) = &mut self.focus {
                    focus.stop(limit);
                }
                self.begin_suspects();
            }
            ExplainStage::Suspects => {
                if let Some(suspects) = &mut self.suspects {
                    suspects.stop(limit);
                }
                self.begin_repairs();
            }
            ExplainStage::Repairs => {
                if let Some(repair) = &mut self.repair {
                    repair.stop(limit);
                }
                self.stage = ExplainStage::Done;
            }
            ExplainStage::Done => {}
        }
    }

    fn limit(&self) -> Option<Limit> {
        self.stopped
    }

    fn progress(&self) -> Progress {
        let of = |job: Option<&dyn Job>| job.map(Job::progress).unwrap_or_default();
        let (stage, progress) = match self.stage {
            ExplainStage::Causes => (Stage::Causes, self.localize.progress()),
            ExplainStage::Sequences => {
                (Stage::Sequences, of(self.focus.as_ref().map(|job| job as &dyn Job)))
            }
            ExplainStage::Suspects => {
                (Stage::Suspects, of(self.suspects.as_ref().map(|job| job as &dyn Job)))
            }
            ExplainStage::Repairs => {
                (Stage::Repairs, of(self.repair.as_ref().map(|job| job as &dyn Job)))
            }
            ExplainStage::Done => (Stage::Done, Progress::default()),
        };
        Progress { stage, ..progress }
    }

    fn set_alarm(&mut self, alarm: Arc<AtomicBool>) {
        self.localize.set_alarm(Arc::clone(&alarm));
        if let Some(focus) = &mut self.focus {
            focus.set_alarm(Arc::clone(&alarm));
        }
        if let Some(suspects) = &mut self.suspects {
            suspects.set_alarm(Arc::clone(&alarm));
        }
        if let Some(repair) = &mut self.repair {
            repair.set_alarm(Arc::clone(&alarm));
        }
        self.alarm = Some(alarm);
    }
}

impl ExplainSession {
    /// The sequences explain programs without threads, that fail; or whose uninterpreted variables
    /// may still make up a failure.
    fn begin_sequences(&mut self) {
        if self.stopped.is_some() {
            self.stage = ExplainStage::Done;
            return;
        }
        let outcome = self.localize.outcome();
        let wanted = outcome == Outcome::Unsafe
            || outcome == Outcome::Safe && !self.options.uninterpreted.is_empty();
        if !wanted || self.program.concurrency.has_threads() || self.options.max_sequences == 0 {
            self.begin_suspects();
            return;
        }
        let most = self.options.max_sequences as usize;
        let uninterpreted = self.options.uninterpreted.clone();
        let mut focus = FocusSession::new(
            Rc::clone(&self.program),
            self.error_line,
            uninterpreted,
            most,
            self.budgets,
        );
        if let Some(alarm) = &self.alarm {
            focus.set_alarm(Arc::clone(alarm));
        }
        self.focus = Some(focus);
        self.stage = ExplainStage::Sequences;
    }

    fn begin_suspects(&mut self) {
        if self.stopped.is_some() {
            self.stage = ExplainStage::Done;
            return;
        }
        let budgets =
            Budgets { max_steps: self.budgets.max_steps / SUSPECTS_SHARE, ..self.budgets };
        self.suspects = if self.options.suspects { self.localize.suspects(budgets) } else { None };
        if self.suspects.is_some() {
            self.stage = ExplainStage::Suspects;
        } else {
            self.begin_repairs();
        }
    }

    fn begin_repairs(&mut self) {
        if self.stopped.is_some() {
            self.stage = ExplainStage::Done;
            return;
        }
        if self.localize.outcome() == Outcome::Unsafe
            && !self.program.concurrency.has_threads()
            && self.options.max_repairs > 0
        {
            let beside = self.focus.as_ref().map(RepairHints::of_focus).unwrap_or_default();
            // Many edits, each with little: what is not proved soon is not offered.
            let (all, each) =
                (self.budgets.max_steps / REPAIR_SHARE, self.budgets.max_steps / CHECK_SHARE);
            let options = RepairOptions {
                most: self.options.max_repairs as usize,
                max_steps: all,
                ..RepairOptions::default()
            };
            self.repair = self.localize.repair_beside(
                &self.requested,
                beside,
                options,
                Budgets { max_steps: each, ..self.budgets },
            );
        }
        self.stage = if self.repair.is_some() { ExplainStage::Repairs } else { ExplainStage::Done };
    }

    /// What is being worked on.
    pub fn stage(&self) -> ExplainStage {
        self.stage
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

    /// The order of suspicion, once that stage has begun.
    pub fn suspects(&self) -> Option<&SuspectsSession> {
        self.suspects.as_ref()
    }

    /// The search for repairs, once that stage has begun.
    pub fn repairs(&self) -> Option<&RepairSession> {
        self.repair.as_ref()
    }
}
