//! Suggests repairs of a failing program, in small steps. A search looks for edits
//! ([`RepairSearch`](crate::analysis::repair::search::RepairSearch)); for each edit that it asks
//! about, a session of its own checks the edited program.

use super::{Budgets, FocusSession, Job, LocalizeSession, Outcome, Proof, Session, Task};
pub use crate::analysis::repair::found::{Refuted, Repair, RepairOptions};
pub use crate::analysis::repair::hints::RepairHints;
use crate::analysis::repair::search::{Attempt, Checked, FailingProgram, RepairSearch, Turn};
use crate::util::{Alarm, Limit, Progress, Stage};
use crate::wire::localize::Variant;
use crate::wire::options::RequestedOptions;
use std::rc::Rc;

/// A search for repairs in progress.
pub struct RepairSession {
    search: RepairSearch,
    phase: Phase,
    /// The budgets of each check.
    budgets: Budgets,
    alarm: Option<Alarm>,
}

/// The phase of the search.
enum Phase {
    /// The search looks for the next edit.
    Searching,
    /// An edited program is checked.
    Checking { session: Box<Session>, attempt: Box<Attempt> },
    /// The search is over, by its end or by a limit.
    Done(Option<Limit>),
}

impl Session {
    /// Looks for repairs of the failing run that a finished check found. Returns `None` if there is
    /// no such run. `requested`: the options with which the program was loaded.
    pub fn repair(
        &self,
        requested: &RequestedOptions,
        hints: RepairHints,
        options: RepairOptions,
        budgets: Budgets,
    ) -> Option<RepairSession> {
        let program = FailingProgram {
            source: self.source.clone(),
            requested: requested.clone(),
            effective: self.options.clone(),
            program: self.shared_program()?,
            run: self.failing_run()?.clone(),
        };
        let search = RepairSearch::new(program, hints, options);
        Some(RepairSession::new(search, budgets, self.alarm.clone()))
    }
}

impl LocalizeSession {
    /// Looks for repairs of the first failing run, first at its causes. Returns `None` if no run
    /// fails.
    pub fn repair(
        &self,
        requested: &RequestedOptions,
        options: RepairOptions,
        budgets: Budgets,
    ) -> Option<RepairSession> {
        self.repair_with_hints(requested, RepairHints::default(), options, budgets)
    }

    /// The same with further hints. They come after the causes. They come before the causes if
    /// every step of the run is a cause, because then the causes say nothing.
    pub fn repair_with_hints(
        &self,
        requested: &RequestedOptions,
        hints: RepairHints,
        options: RepairOptions,
        budgets: Budgets,
    ) -> Option<RepairSession> {
        let first = self.traces().first()?;
        let (effective, localize) = self.options();
        let causes = Variant::ALL.map(|variant| first.causes(variant));
        let hints = RepairHints {
            trusted: localize.trusted.clone(),
            ..hints.with_causes(&first.transitions, &causes)
        };
        let program = FailingProgram {
            source: self.source().to_string(),
            requested: requested.clone(),
            effective: effective.clone(),
            program: Rc::clone(self.program()),
            run: first.run.clone(),
        };
        let search = RepairSearch::new(program, hints, options);
        Some(RepairSession::new(search, budgets, self.alarm().cloned()))
    }
}

impl FocusSession {
    /// The places where its sequences suggest to look for repairs.
    pub fn repair_hints(&self) -> RepairHints {
        RepairHints::of_sequences(self.program(), self.sequences(), self.inputs())
    }
}

impl Job for RepairSession {
    fn step(&mut self) -> bool {
        match &mut self.phase {
            Phase::Done(_) => {}
            Phase::Searching => match self.search.step() {
                Turn::More => {}
                Turn::Check(attempt) => self.check(attempt),
                Turn::Over(limit) => self.phase = Phase::Done(limit),
            },
            Phase::Checking { session, .. } => {
                if session.step() {
                    self.conclude();
                }
            }
        }
        matches!(self.phase, Phase::Done(_))
    }

    fn stop(&mut self, limit: Limit) {
        if !matches!(self.phase, Phase::Done(_)) {
            self.phase = Phase::Done(Some(limit));
        }
    }

    fn limit(&self) -> Option<Limit> {
        match self.phase {
            Phase::Done(limit) => limit,
            Phase::Searching | Phase::Checking { .. } => None,
        }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        if let Phase::Checking { session, .. } = &mut self.phase {
            session.set_alarm(alarm.clone());
        }
        self.alarm = Some(alarm);
    }

    fn progress(&self) -> Progress {
        let (stage, nodes) = match &self.phase {
            Phase::Searching => (Stage::Repairs, 0),
            Phase::Checking { session, .. } => (Stage::Repairs, session.progress().nodes),
            Phase::Done(_) => (Stage::Done, 0),
        };
        let effort = self.search.effort();
        Progress {
            stage,
            items: u64::from(effort.tried),
            nodes,
            steps: effort.steps,
            ..Progress::default()
        }
    }
}

impl RepairSession {
    fn new(search: RepairSearch, budgets: Budgets, alarm: Option<Alarm>) -> RepairSession {
        RepairSession { search, phase: Phase::Searching, budgets, alarm }
    }

    /// Begins the check of an edited program.
    fn check(&mut self, attempt: Box<Attempt>) {
        let (mut session, _) = Session::load(&attempt.source, &attempt.requested);
        if let Some(alarm) = &self.alarm {
            session.set_alarm(alarm.clone());
        }
        let max_steps = self.budgets.max_steps.min(attempt.max_steps);
        session.start(Task::Check, self.budgets.with_steps(max_steps));
        self.phase = Phase::Checking { session: Box::new(session), attempt };
    }

    /// Handles the end of the check: tells the search its result.
    fn conclude(&mut self) {
        let phase = std::mem::replace(&mut self.phase, Phase::Searching);
        let Phase::Checking { session, attempt } = phase else { return };
        let next = self.search.checked(*attempt, &answer(&session), session.statistics().1);
        match (session.outcome(), next) {
            (Outcome::Unknown(limit @ Limit::Time), _) => self.stop(limit),
            (_, Some(next)) => self.check(next),
            (_, None) => {}
        }
    }

    /// The search, with its results and its effort.
    pub fn search(&self) -> &RepairSearch {
        &self.search
    }

    /// The same, to ask for its diagnoses.
    pub fn search_mut(&mut self) -> &mut RepairSearch {
        &mut self.search
    }
}

/// The answer of a finished check about the edited program.
fn answer(session: &Session) -> Checked<'_> {
    match (session.outcome(), session.program()) {
        (Outcome::Safe, Some(program)) => match (session.executed(), session.proof()) {
            (Some(executed), Some(Proof::Checked)) => Checked::Safe { program, executed },
            _ => Checked::Open,
        },
        (Outcome::Unsafe, Some(program)) => {
            session.failing_run().map_or(Checked::Open, |run| Checked::Unsafe { program, run })
        }
        _ => Checked::Open,
    }
}
