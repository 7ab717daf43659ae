//! The naive projection of a finished run, as a job, and its answer. The page marks the statements
//! that only the naive projection keeps. Two of the three reasons why a statement is innocent need
//! it, too.

use super::comparison::Comparison;
use super::run::Run;
use super::{Job, Session};
use crate::util::{Alarm, Limit, Progress, Stage};

/// The naive projection of a session's finished run, in progress. Its result stays in the session.
pub struct ComparisonJob<'s> {
    session: &'s mut Session,
}

impl Session {
    /// Can reasons be given? They need a complete exact projection.
    pub fn explains(&self) -> bool {
        self.run_of_program().is_some_and(Run::explains)
    }

    /// Begins the naive projection, with as many steps as the run was given. Returns false if there
    /// is nothing to do: the naive one is complete, or the exact one is not.
    pub fn start_comparison(&mut self) -> bool {
        match self.run_mut() {
            Some(run) if run.explains() => run.start_comparison(),
            _ => false,
        }
    }

    /// The naive projection that [`Self::start_comparison`] began. Other questions to the session
    /// are possible between two steps.
    pub fn comparison(&mut self) -> ComparisonJob<'_> {
        ComparisonJob { session: self }
    }

    /// By edge: does the naive projection keep it? Known once [`Self::comparison`] has ended
    /// without a limit.
    pub fn in_naive_projection(&self) -> Option<&[bool]> {
        let comparison = self.run_of_program()?.comparison.as_ref()?;
        Some(comparison.naive()?.in_projection())
    }
}

impl ComparisonJob<'_> {
    fn comparison(&self) -> Option<&Comparison> {
        self.session.run_of_program()?.comparison.as_ref()
    }
}

impl Job for ComparisonJob<'_> {
    fn step(&mut self) -> bool {
        self.session.run_mut().is_none_or(Run::step_comparison)
    }

    fn stop(&mut self, limit: Limit) {
        if let Some(comparison) = self.session.run_mut().and_then(|run| run.comparison.as_mut()) {
            comparison.stop(limit);
        }
    }

    fn limit(&self) -> Option<Limit> {
        self.comparison()?.limit()
    }

    fn progress(&self) -> Progress {
        let is_over = self.comparison().is_none_or(Comparison::is_over);
        let stage = if is_over { Stage::Done } else { Stage::Naive };
        Progress { stage, ..self.session.progress() }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        self.session.set_alarm(alarm);
    }
}
