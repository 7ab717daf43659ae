//! The façade of the engine for the page's worker and the command line: load a program, run an
//! analysis in small steps, read the answers.
//!
//! A session never blocks and knows no clock: [`Session::step`] does one bounded piece of work, and
//! its driver decides when to stop. A limit ends a phase, not the session: earlier results are
//! kept.

mod affine;
mod answers;
mod cegar;
mod comparing;
mod comparison;
mod executing;
mod explain;
mod focus;
mod inspect;
mod job;
pub mod lab;
pub mod liveness;
mod localize;
mod offers;
mod raw;
mod raw_run;
mod raw_through;
mod raw_weights;
mod repair;
mod run;
pub mod schedule;
mod search;
mod suspects;
mod task;
mod threads;
mod widths;

pub use crate::analysis::budgets::Budgets;
use crate::analysis::execution::Execution;
pub use crate::analysis::invariant::proving::Proof;
pub use crate::analysis::localize::correct_run::CorrectRun;
pub use crate::analysis::localize::judging::Judged;
use crate::analysis::reach::Reach;
pub use crate::analysis::replay::{ReplayedEntry, ReplayedRun};
use crate::cfg::never_ends;
use crate::lang::diagnostic::Diagnostic;
use crate::lang::error_states::{ErrorState, with_error_states};
use crate::lang::model::{EdgeId, Program};
use crate::util::{Alarm, Limit, Progress, Stage};
use crate::wire::options::{EffectiveOptions, RequestedOptions};
pub use affine::AffineSession;
pub use cegar::CegarSession;
pub use comparing::ComparisonJob;
pub use explain::{ExplainSession, ExplainStage};
pub use focus::FocusSession;
pub use job::Job;
pub use lab::LabSession;
pub use liveness::{
    LivenessQuestion, LivenessRefusal, LivenessSession, Verdict as LivenessVerdict,
};
pub use localize::{Ending, LocalizeOptions, LocalizeSession, LocalizedTrace};
pub use raw::RawSession;
pub use raw_run::ReplayedRawRun;
pub use raw_through::{RawSought, RawThrough};
pub use raw_weights::{TotalWeight, Totals};
pub use repair::{Refuted, Repair, RepairHints, RepairOptions, RepairSession};
use run::{Question, Run};
pub use search::{Certainty, Sought, Through};
use std::rc::Rc;
pub use suspects::SuspectsSession;
pub use task::{Outcome, Task};
pub use threads::{
    Correct, InterleavedFailure, SwitchBound, ThreadsExplanation, ThreadsMethod, ThreadsOptions,
    ThreadsSession,
};
use widths::Widths;

/// The most kernel steps for a program of which no run ends, because a procedure never returns.
/// What fails before the stack is full is found soon; at other depths it does not matter.
const STEPS_OF_ENDLESS: u64 = 5_000_000;

/// A loaded text, with the results about it.
pub struct Session {
    source: String,
    options: EffectiveOptions,
    loaded: Loaded,
    task: Task,
    /// The sample for the next run.
    sample: Option<Vec<EdgeId>>,
    alarm: Option<Alarm>,
    /// Is every check that can fail listed?
    lists: bool,
    /// The interpreter's own runs, once the engine's answer was not soon; are they over?
    execution: Option<Box<Execution>>,
    is_executed: bool,
    /// The budgets of a run that has not begun, because building its statements takes longer than a
    /// moment: the interpreter's runs come first.
    postponed: Option<Budgets>,
    /// Which widths of C's `int` are tried; `None`: only the one in force.
    widths: Option<Box<Widths>>,
}

/// The kind of the loaded text.
enum Loaded {
    /// The text could not be read. The diagnostics say why.
    Nothing,
    /// A program, and the last run of its analysis.
    Program(Rc<Program>, Analysis),
    /// A raw pushdown system.
    Raw(Box<RawSession>),
}

/// The analysis of a program.
enum Analysis {
    /// It was not started.
    Idle,
    /// A limit was hit before its first step.
    Refused(Limit),
    /// It is in progress, or over.
    Started(Box<Run>),
}

impl Session {
    /// Reads a program. If the text is no program (see the diagnostics), a run is over before it
    /// starts.
    pub fn load(source: &str, requested: &RequestedOptions) -> (Session, Vec<Diagnostic>) {
        if crate::lang::dialect_of(source, requested).is_raw() {
            let read = crate::lang::raw::load(source, requested);
            let loaded = read.system.map_or(Loaded::Nothing, |system| {
                let saturation = requested.saturation.unwrap_or_default();
                Loaded::Raw(Box::new(RawSession::new(system, saturation)))
            });
            return (Session::new(source, read.options, loaded), read.diagnostics);
        }
        let read = crate::lang::load(source, requested);
        let loaded = read
            .program
            .map_or(Loaded::Nothing, |program| Loaded::Program(Rc::new(program), Analysis::Idle));
        (Session::new(source, read.options, loaded), read.diagnostics)
    }

    fn new(source: &str, options: EffectiveOptions, loaded: Loaded) -> Session {
        let source = source.to_string();
        let (task, sample, alarm, widths) = (Task::Check, None, None, None);
        let (lists, execution, is_executed, postponed) = (false, None, false, None);
        Session {
            source,
            options,
            loaded,
            task,
            sample,
            alarm,
            lists,
            execution,
            is_executed,
            postponed,
            widths,
        }
    }

    /// The session of a program that was made from another program.
    fn of(
        source: &str,
        options: EffectiveOptions,
        program: Rc<Program>,
        alarm: Option<Alarm>,
    ) -> Session {
        let loaded = Loaded::Program(program, Analysis::Idle);
        Session { alarm, ..Session::new(source, options, loaded) }
    }

    /// The same program with these states as further errors. Nothing is analysed yet.
    pub fn with_error_states(&self, states: &[ErrorState]) -> Session {
        let loaded = match &self.loaded {
            Loaded::Program(program, _) => {
                Loaded::Program(Rc::new(with_error_states(program, states)), Analysis::Idle)
            }
            Loaded::Nothing | Loaded::Raw(_) => Loaded::Nothing,
        };
        let session = Session::new(&self.source, self.options.clone(), loaded);
        Session { alarm: self.alarm.clone(), ..session }
    }

    /// Begins a run, and forgets the results of an earlier one.
    pub fn start(&mut self, task: Task, budgets: Budgets) {
        self.task = task;
        (self.execution, self.is_executed, self.postponed) = (None, false, None);
        if let Some(widths) = &mut self.widths {
            let (program, share) = widths.restart(budgets);
            self.options = widths.full_options().clone();
            return self.begin_run(program, share, true);
        }
        match &mut self.loaded {
            Loaded::Nothing => {}
            Loaded::Raw(raw) => raw.start(task != Task::Check, budgets, self.alarm.clone()),
            Loaded::Program(program, _) => {
                let program = Rc::clone(program);
                let max_steps = match never_ends(&program) {
                    Some(_) => budgets.max_steps.min(STEPS_OF_ENDLESS),
                    None => budgets.max_steps,
                };
                self.begin_run(program, budgets.with_steps(max_steps), true);
            }
        }
    }

    /// Begins a run of a program, which becomes the session's. `seeks_shortest`: once the verdict
    /// is known, a shortest failing run is looked for.
    fn begin_run(&mut self, program: Rc<Program>, budgets: Budgets, seeks_shortest: bool) {
        let at_first = self.budgets_at_first(budgets).filter(|_| seeks_shortest);
        let question = Question {
            program: Rc::clone(&program),
            error: self.options.error,
            task: self.task,
            budgets: at_first.unwrap_or(budgets),
            sample: self.sample.clone(),
            seeks_shortest,
            lists: self.lists && seeks_shortest,
        };
        // The nodes of an earlier run are not needed any more.
        self.loaded = Loaded::Nothing;
        let analysis = match Run::new(question, self.alarm.clone()) {
            Ok(mut run) => {
                run.allow(budgets);
                Analysis::Started(Box::new(run))
            }
            Err(limit) => {
                self.postponed = at_first.filter(|_| limit == Limit::Steps).map(|_| budgets);
                Analysis::Refused(limit)
            }
        };
        self.loaded = Loaded::Program(program, analysis);
    }

    /// From the next run on, every check that can fail is listed ([`Session::failures`]).
    pub fn list_failures(&mut self) {
        self.lists = true;
    }

    /// From the next run on, methods that go statement by statement decide only these statements
    /// (all, if `None`). Measurements use this to estimate the cost of all statements.
    pub fn sample(&mut self, edges: Option<Vec<EdgeId>>) {
        self.sample = edges;
    }

    /// The run of the program's analysis, if one was started.
    fn run_of_program(&self) -> Option<&Run> {
        match &self.loaded {
            Loaded::Program(_, Analysis::Started(run)) => Some(run),
            _ => None,
        }
    }

    /// The parts of the analysis that another analysis can use: post\*, and the failing run if one
    /// was found.
    pub fn into_reach(self) -> Option<(Reach, Option<ReplayedRun>)> {
        match self.loaded {
            Loaded::Program(_, Analysis::Started(run)) => Some((run.reach, run.failing)),
            _ => None,
        }
    }

    fn run_mut(&mut self) -> Option<&mut Run> {
        match &mut self.loaded {
            Loaded::Program(_, Analysis::Started(run)) => Some(run),
            _ => None,
        }
    }
}

impl Job for Session {
    fn step(&mut self) -> bool {
        match self.widths.take() {
            None => self.step_run(),
            Some(mut widths) => {
                let is_over = widths.step(self);
                self.widths = Some(widths);
                is_over
            }
        }
    }

    fn stop(&mut self, limit: Limit) {
        match self.widths.take() {
            None => self.stop_run(limit),
            Some(mut widths) => {
                widths.stop(self, limit);
                self.widths = Some(widths);
            }
        }
    }

    fn end_stage(&mut self, limit: Limit) {
        match self.widths.take() {
            None => self.stop_run(limit),
            Some(mut widths) => {
                widths.end_stage(self, limit);
                self.widths = Some(widths);
            }
        }
    }

    fn share_of_time(&self) -> (u32, u32) {
        self.widths.as_ref().map_or((0, 100), |widths| widths.share_of_time(self))
    }

    /// The limit that ended the run early. It is given even if the verdict was found before.
    fn limit(&self) -> Option<Limit> {
        if self.is_answered_by_execution() && self.execution_suffices() {
            return None;
        }
        if let Some(widths) = &self.widths {
            // A projection is all that refinement leaves open.
            let refined = widths.refinement().map(|refined| refined.outcome);
            let is_open = match (refined, self.task) {
                (Some(Outcome::Unsafe), Task::Projection(_)) | (None, _) => true,
                (Some(_), _) => false,
            };
            let limit = widths.limit().filter(|_| is_open);
            if limit.is_some() || !is_open {
                return limit;
            }
        }
        match &self.loaded {
            Loaded::Nothing => None,
            Loaded::Raw(raw) => raw.limit(),
            Loaded::Program(program, analysis) => {
                let limit = match analysis {
                    Analysis::Idle => None,
                    Analysis::Refused(limit) => Some(*limit),
                    Analysis::Started(run) => match run.outcome() {
                        Outcome::Unknown(Limit::Heap) => Some(Limit::Heap),
                        _ => run.limit,
                    },
                };
                limit.or(program.concurrency.has_threads().then_some(Limit::Threads))
            }
        }
    }

    fn progress(&self) -> Progress {
        match &self.widths {
            None => self.progress_of_run(),
            Some(widths) => widths.progress(self),
        }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        if let Some(run) = self.run_mut() {
            run.set_alarm(&alarm);
        }
        if let Some(widths) = &mut self.widths {
            widths.set_alarm(&alarm);
        }
        self.alarm = Some(alarm);
    }
}

/// The run of the width in force.
impl Session {
    fn step_run(&mut self) -> bool {
        if self.step_execution() || self.begin_postponed() {
            return false;
        }
        let is_over = match &mut self.loaded {
            Loaded::Program(_, Analysis::Started(run)) => run.step(),
            Loaded::Raw(raw) => raw.step(),
            Loaded::Program(..) | Loaded::Nothing => true,
        };
        if is_over {
            self.compare_with_execution();
        }
        // What the engine could not decide, the interpreter may.
        is_over && !self.is_to_execute()
    }

    fn stop_run(&mut self, limit: Limit) {
        match &mut self.loaded {
            Loaded::Program(_, Analysis::Started(run)) => run.stop(limit),
            Loaded::Program(_, analysis @ Analysis::Idle) => *analysis = Analysis::Refused(limit),
            Loaded::Program(_, analysis) if self.postponed.take().is_some() => {
                *analysis = Analysis::Refused(limit);
            }
            Loaded::Raw(raw) => raw.stop(limit),
            Loaded::Program(_, Analysis::Refused(_)) | Loaded::Nothing => {}
        }
    }

    /// The limit of a run without an answer is the time, whatever ended its parts.
    fn ended_by_time(&mut self) {
        match &mut self.loaded {
            Loaded::Program(_, Analysis::Started(run)) => run.limit = Some(Limit::Time),
            Loaded::Program(_, Analysis::Refused(limit)) => *limit = Limit::Time,
            Loaded::Program(_, Analysis::Idle) | Loaded::Raw(_) | Loaded::Nothing => {}
        }
    }

    fn progress_of_run(&self) -> Progress {
        let progress = self.progress_of_engine();
        let fails = progress.fails || self.executed_run().is_some();
        Progress { fails, ..progress }
    }

    fn progress_of_engine(&self) -> Progress {
        match &self.loaded {
            Loaded::Program(_, Analysis::Started(run)) => run.progress(),
            Loaded::Raw(raw) => raw.progress(),
            Loaded::Program(..) if self.postponed.is_some() => {
                Progress { stage: Stage::Forward, ..Progress::default() }
            }
            Loaded::Program(_, Analysis::Idle) => Progress::default(),
            Loaded::Program(_, Analysis::Refused(_)) | Loaded::Nothing => {
                Progress { stage: Stage::Done, ..Progress::default() }
            }
        }
    }

    /// Is it known whether the program fails, or is nothing looked for any more? While widths are
    /// tried, only an answer for C's own integers counts.
    pub fn is_settled(&self) -> bool {
        let is_full = self.widths.as_ref().is_none_or(|widths| widths.is_full(self));
        let fails = self.run_of_program().is_some_and(|run| run.failing.is_some());
        let is_over = matches!(
            self.progress().stage,
            Stage::Idle | Stage::Shortest | Stage::Wider | Stage::Done
        );
        is_over || is_full && fails
    }

    /// A check of the loaded program: what the run has found of it, or a check that has not begun.
    fn check(&self, program: Rc<Program>, budgets: Budgets) -> Session {
        let known = self.run_of_program().and_then(|run| run.as_check(budgets));
        let analysis = known.map_or(Analysis::Idle, |run| Analysis::Started(Box::new(run)));
        let loaded = Loaded::Program(program, analysis);
        let session = Session::new(&self.source, self.options.clone(), loaded);
        Session { alarm: self.alarm.clone(), ..session }
    }

    /// Is the verdict of the run known?
    fn is_decided(&self) -> bool {
        self.run_of_program().is_some_and(Run::is_decided)
    }
}
