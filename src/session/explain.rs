//! Explains why a program fails, one stage after the other: causes by correct runs, the
//! focus-statement sequences, statements by their best mutants, repairs. It goes in small steps.

use super::{
    Budgets, FocusSession, Job, LocalizeOptions, LocalizeSession, Outcome, RepairOptions,
    RepairSession, Session, SuspectsSession,
};
use crate::lang::model::{Program, VariableId};
use crate::util::{Alarm, Limit, Progress, Stage};
use crate::wire::explain::ExplainAsk;
use crate::wire::options::RequestedOptions;
use std::rc::Rc;

/// The share of the kernel steps for repairs, for all of them together and for the check of one
/// edited program: one part in so many.
const REPAIR_SHARE: u64 = 50;
/// The share for executions of mutants, in interpreter steps.
const SUSPECTS_SHARE: u64 = 10;
const CHECK_SHARE: u64 = 500;

/// The stage of an explanation.
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
    /// All stages are over.
    Done,
}

impl ExplainStage {
    /// The name of the stage in messages.
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
    question: Question,
    /// Failing runs and their causes, which every later stage needs.
    causes: LocalizeSession,
    phase: Phase,
    /// The jobs of stages that are over.
    sequences: Option<Box<FocusSession>>,
    suspects: Option<Box<SuspectsSession>>,
    repairs: Option<Box<RepairSession>>,
    stopped: Option<Limit>,
    alarm: Option<Alarm>,
}

/// The question.
struct Question {
    program: Rc<Program>,
    ask: ExplainAsk,
    /// The variables that the sequences leave uninterpreted.
    uninterpreted: Vec<VariableId>,
    error_line: Option<u32>,
    budgets: Budgets,
    /// The options with which the program was loaded.
    requested: RequestedOptions,
}

/// The job of the current stage. A job is kept when its stage is over.
enum Phase {
    /// The causes.
    Causes,
    /// The sequences.
    Sequences(Box<FocusSession>),
    /// The order of suspicion.
    Suspects(Box<SuspectsSession>),
    /// Repairs.
    Repairs(Box<RepairSession>),
    /// Nothing.
    Done,
}

impl Session {
    /// Prepares the explanation of the loaded program. An error says why there is none.
    /// `requested`: the options with which the program was loaded.
    pub fn explain(
        &self,
        requested: &RequestedOptions,
        ask: &ExplainAsk,
        budgets: Budgets,
    ) -> Result<ExplainSession, String> {
        let localize = LocalizeOptions {
            variant: ask.variant,
            max_traces: ask.max_traces.max(1),
            ..LocalizeOptions::default()
        };
        let (Some(program), Some(causes)) =
            (self.shared_program(), self.localize(localize, budgets))
        else {
            return Err("Causes and focus sequences are for programs: a raw pushdown system has \
                neither assertions nor inputs."
                .to_string());
        };
        Ok(ExplainSession {
            causes,
            question: Question {
                uninterpreted: named(&program, &ask.uninterpreted)?,
                program,
                ask: ask.clone(),
                error_line: self.options().error,
                budgets,
                requested: requested.clone(),
            },
            phase: Phase::Causes,
            sequences: None,
            suspects: None,
            repairs: None,
            stopped: None,
            alarm: self.alarm.clone(),
        })
    }
}

/// The variables with these names. An error gives a name that is no variable of the program.
fn named(program: &Program, names: &[String]) -> Result<Vec<VariableId>, String> {
    let mut found = Vec::new();
    for name in names {
        let before = found.len();
        let ids = (0..program.variables.len() as u32).map(VariableId);
        found.extend(ids.filter(|id| {
            let variable = program.variable(*id);
            variable.has_name() && variable.name == *name
        }));
        if found.len() == before {
            return Err(format!("No variable is called {name}."));
        }
    }
    Ok(found)
}

impl Job for ExplainSession {
    fn step(&mut self) -> bool {
        if self.job().is_some_and(Job::step) {
            self.next_stage();
        }
        matches!(self.phase, Phase::Done)
    }

    fn stop(&mut self, limit: Limit) {
        if let Some(job) = self.job() {
            job.stop(limit);
            self.stopped = Some(limit);
            self.next_stage();
        }
    }

    fn end_stage(&mut self, limit: Limit) {
        if let Some(job) = self.job() {
            job.stop(limit);
            self.next_stage();
        }
    }

    fn limit(&self) -> Option<Limit> {
        self.stopped
    }

    fn progress(&self) -> Progress {
        let (stage, progress) = match &self.phase {
            Phase::Causes => (Stage::Causes, self.causes.progress()),
            Phase::Sequences(job) => (Stage::Sequences, job.progress()),
            Phase::Suspects(job) => (Stage::Suspects, job.progress()),
            Phase::Repairs(job) => (Stage::Repairs, job.progress()),
            Phase::Done => (Stage::Done, Progress::default()),
        };
        Progress { stage, ..progress }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        self.causes.set_alarm(alarm.clone());
        if let Some(job) = self.job() {
            job.set_alarm(alarm.clone());
        }
        self.alarm = Some(alarm);
    }
}

impl ExplainSession {
    /// The job of the current stage.
    fn job(&mut self) -> Option<&mut dyn Job> {
        match &mut self.phase {
            Phase::Causes => Some(&mut self.causes),
            Phase::Sequences(job) => Some(&mut **job),
            Phase::Suspects(job) => Some(&mut **job),
            Phase::Repairs(job) => Some(&mut **job),
            Phase::Done => None,
        }
    }

    /// Ends the current stage: keeps its job, and begins the next stage that has something to do. A
    /// Stop ends all stages.
    fn next_stage(&mut self) {
        let over = self.stage();
        match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Sequences(job) => self.sequences = Some(job),
            Phase::Suspects(job) => self.suspects = Some(job),
            Phase::Repairs(job) => self.repairs = Some(job),
            Phase::Causes | Phase::Done => {}
        }
        if self.stopped.is_some() {
            return;
        }
        let stages = [
            (ExplainStage::Sequences, ExplainSession::begin_sequences as fn(&Self) -> _),
            (ExplainStage::Suspects, ExplainSession::begin_suspects),
            (ExplainStage::Repairs, ExplainSession::begin_repairs),
        ];
        let mut later = stages.into_iter().filter(|(stage, _)| *stage > over);
        self.phase = later.find_map(|(_, begin)| begin(self)).unwrap_or(Phase::Done);
        if let (Some(alarm), Some(job)) = (self.alarm.clone(), self.job()) {
            job.set_alarm(alarm);
        }
    }

    /// Begins the sequences. They explain programs without threads that fail, or in which the
    /// uninterpreted variables may still cause a failure.
    fn begin_sequences(&self) -> Option<Phase> {
        let Question { program, ask, uninterpreted, error_line, budgets, .. } = &self.question;
        let outcome = self.causes.outcome();
        let wanted =
            outcome == Outcome::Unsafe || outcome == Outcome::Safe && !uninterpreted.is_empty();
        if !wanted || program.concurrency.has_threads() || ask.max_sequences == 0 {
            return None;
        }
        let focus = FocusSession::new(
            Rc::clone(program),
            *error_line,
            uninterpreted.clone(),
            ask.max_sequences as usize,
            *budgets,
        );
        Some(Phase::Sequences(Box::new(focus)))
    }

    fn begin_suspects(&self) -> Option<Phase> {
        let Question { ask, budgets, requested, .. } = &self.question;
        let budgets = budgets.with_steps(budgets.max_steps / SUSPECTS_SHARE);
        ask.suspects
            .then(|| self.causes.suspects(requested, budgets))?
            .map(|suspects| Phase::Suspects(Box::new(suspects)))
    }

    /// There are many edits, and each gets few steps. An edit that is not proved soon is not
    /// offered.
    fn begin_repairs(&self) -> Option<Phase> {
        let Question { program, ask, budgets, requested, .. } = &self.question;
        let wanted = self.causes.outcome() == Outcome::Unsafe
            && !program.concurrency.has_threads()
            && ask.max_repairs > 0;
        if !wanted {
            return None;
        }
        let hints = self.sequences.as_deref().map(FocusSession::repair_hints).unwrap_or_default();
        let of_repairs = RepairOptions {
            most: ask.max_repairs as usize,
            max_steps: budgets.max_steps / REPAIR_SHARE,
            ..RepairOptions::default()
        };
        let each = budgets.with_steps(budgets.max_steps / CHECK_SHARE);
        let repair = self.causes.repair_with_hints(requested, hints, of_repairs, each)?;
        Some(Phase::Repairs(Box::new(repair)))
    }

    /// The current stage.
    pub fn stage(&self) -> ExplainStage {
        match self.phase {
            Phase::Causes => ExplainStage::Causes,
            Phase::Sequences(_) => ExplainStage::Sequences,
            Phase::Suspects(_) => ExplainStage::Suspects,
            Phase::Repairs(_) => ExplainStage::Repairs,
            Phase::Done => ExplainStage::Done,
        }
    }

    /// How much of the current stage can be told before the stage is over: the first failing run,
    /// and then its causes, too.
    pub fn told_early(&self) -> u32 {
        match &self.phase {
            Phase::Causes if !self.causes.traces().is_empty() => 2,
            Phase::Causes if self.causes.first_run().is_some() => 1,
            _ => 0,
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.question.program
    }

    /// The question as it was asked.
    pub fn ask(&self) -> &ExplainAsk {
        &self.question.ask
    }

    /// The search for causes.
    pub fn causes(&self) -> &LocalizeSession {
        &self.causes
    }

    /// The sequences, once that stage has begun.
    pub fn sequences(&self) -> Option<&FocusSession> {
        match &self.phase {
            Phase::Sequences(job) => Some(job),
            _ => self.sequences.as_deref(),
        }
    }

    /// The order of suspicion, once that stage has begun.
    pub fn suspects(&self) -> Option<&SuspectsSession> {
        match &self.phase {
            Phase::Suspects(job) => Some(job),
            _ => self.suspects.as_deref(),
        }
    }

    /// The search for repairs, once that stage has begun.
    pub fn repairs(&self) -> Option<&RepairSession> {
        match &self.phase {
            Phase::Repairs(job) => Some(job),
            _ => self.repairs.as_deref(),
        }
    }
}
