//! Ranks the statements of a failing run by the effect of their best mutants on known runs, in
//! small steps.

use super::offers;
use super::{Budgets, Job, LocalizeSession, Outcome, ReplayedRun, Session};
use crate::analysis::repair::mutations::Pool;
use crate::analysis::repair::source::Source;
use crate::analysis::suspects::{Question, Suspects, numbers};
use crate::lang::model::{EdgeId, ProcedureId, Program};
use crate::util::{Alarm, Limit, Progress, Stage};
use crate::wire::options::{Dialect, EffectiveOptions, RequestedOptions};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The most interpreter steps of all executions together.
const MOST_STEPS: u64 = 400_000_000;

/// The ranking, in progress.
pub struct SuspectsSession {
    source: String,
    dialect: Dialect,
    /// With what the text is read, with its width of `int`.
    requested: RequestedOptions,
    program: Rc<Program>,
    run: ReplayedRun,
    trusted: Vec<ProcedureId>,
    analysis: Suspects,
    /// The offers that were read again by now. A report is made more than once.
    read: RefCell<FxHashMap<Offer, bool>>,
    limit: Option<Limit>,
    done: bool,
}

/// A statement, a text in it, and what is offered instead.
type Offer = (EdgeId, String, String);

/// The numbers from which changes are made: those of the lowered program and, if the text has C's
/// tokens, all numbers in the text.
fn all_numbers(
    source: &str,
    dialect: Dialect,
    program: &Program,
    trusted: &[ProcedureId],
) -> Vec<i128> {
    let mut found = numbers(program, trusted);
    if matches!(dialect, Dialect::Cimple | Dialect::C) {
        found.extend(Pool::of(&Source::new(source, program, trusted), program).numbers());
    }
    found.extend([0, 1]);
    found.sort_unstable();
    found.dedup();
    found
}

impl Session {
    /// Ranks the statements of the failing run that a finished check found. Procedures in `trusted`
    /// are never blamed. `requested`: the options with which the program was loaded. Returns `None`
    /// if there is no such run, or if the program has threads.
    pub fn suspects(
        &self,
        requested: &RequestedOptions,
        trusted: &[ProcedureId],
        budgets: Budgets,
    ) -> Option<SuspectsSession> {
        let (program, run) = (self.shared_program()?, self.failing_run()?.clone());
        let mut session = SuspectsSession::new(
            (self.source(), self.options(), requested),
            program,
            run,
            trusted,
            budgets,
        )?;
        if let Some(alarm) = &self.alarm {
            session.set_alarm(alarm.clone());
        }
        Some(session)
    }
}

impl LocalizeSession {
    /// The same for its first failing run.
    pub fn suspects(
        &self,
        requested: &RequestedOptions,
        budgets: Budgets,
    ) -> Option<SuspectsSession> {
        let first = self.traces().first().filter(|_| self.outcome() == Outcome::Unsafe)?;
        let (effective, options) = self.options();
        let program = Rc::clone(self.program());
        let mut session = SuspectsSession::new(
            (self.source(), effective, requested),
            program,
            first.run.clone(),
            &options.trusted,
            budgets,
        )?;
        if let Some(alarm) = self.alarm() {
            session.set_alarm(alarm.clone());
        }
        Some(session)
    }
}

impl Job for SuspectsSession {
    fn step(&mut self) -> bool {
        if !self.done {
            match self.analysis.step() {
                Ok(is_over) => self.done = is_over,
                Err(limit) => self.stop(limit),
            }
        }
        self.done
    }

    fn stop(&mut self, limit: Limit) {
        if !self.done {
            self.limit = Some(limit);
            self.analysis.finish();
            self.done = true;
        }
    }

    fn limit(&self) -> Option<Limit> {
        self.limit
    }

    fn progress(&self) -> Progress {
        let stage = if self.done { Stage::Done } else { Stage::Suspects };
        Progress { stage, items: self.analysis.suspects().len() as u64, ..Progress::default() }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        self.analysis.set_alarm(alarm);
    }
}

impl SuspectsSession {
    fn new(
        (source, effective, requested): (&str, &EffectiveOptions, &RequestedOptions),
        program: Rc<Program>,
        run: ReplayedRun,
        trusted: &[ProcedureId],
        budgets: Budgets,
    ) -> Option<SuspectsSession> {
        if program.concurrency.has_threads() {
            return None;
        }
        let question = Question {
            run: run.run.clone(),
            error: (run.check.line, run.check.kind),
            trusted: trusted.to_vec(),
            numbers: all_numbers(source, effective.dialect, &program, trusted),
            most_steps: budgets.max_steps.min(MOST_STEPS),
        };
        let analysis = Suspects::new(Rc::clone(&program), question);
        Some(SuspectsSession {
            source: source.to_string(),
            dialect: effective.dialect,
            requested: RequestedOptions {
                dialect: Some(effective.dialect),
                bits: Some(effective.bits),
                ..requested.clone()
            },
            program,
            run,
            trusted: trusted.to_vec(),
            analysis,
            read: RefCell::default(),
            limit: None,
            done: false,
        })
    }

    /// The result.
    pub fn found(&self) -> &Suspects {
        &self.analysis
    }

    /// The program's text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Does a statement contain `old`, and does the front end read the program with `new` instead?
    pub fn is_read(&self, edge: EdgeId, old: &str, new: &str) -> bool {
        let offer = (edge, old.to_string(), new.to_string());
        let known = self.read.borrow().get(&offer).copied();
        known.unwrap_or_else(|| {
            let span = self.program.edge(edge).span;
            let is_read = offers::is_read(&self.source, &self.requested, span, (old, new));
            self.read.borrow_mut().insert(offer, is_read);
            is_read
        })
    }

    /// The language of the text.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The failing run.
    pub fn failing_run(&self) -> &ReplayedRun {
        &self.run
    }

    /// Procedures that are never blamed.
    pub fn trusted(&self) -> &[ProcedureId] {
        &self.trusted
    }
}
