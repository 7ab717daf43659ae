//! Does a failing run that was found with narrow integers fail with C's own, too? The interpreter
//! executes it with the same numbers; if that does not fail, a search looks for other numbers along
//! the same statements.

use crate::analysis::path_program::PathProgram;
use crate::analysis::replay::{ReplayedRun, execute};
use crate::analysis::widened::replay_wider;
use crate::lang::model::Program;
use crate::session::{Budgets, Job, Outcome, Session, Task};
use crate::util::{Alarm, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
use crate::wire::widths::AtFullWidth;
use std::rc::Rc;

/// Budgets of the search along the path: a second or two.
const NODES: u64 = 2_000_000;
const STEPS: u64 = 4_000_000;

/// What came of it.
#[derive(Clone, Debug)]
pub(in crate::session) enum Confirmed {
    /// This run fails with C's own integers.
    Fails(Box<ReplayedRun>),
    /// No run along the same statements does.
    DoesNotFail,
    /// A limit was hit.
    Unknown(Limit),
}

impl Confirmed {
    /// The same as plain data.
    pub(in crate::session) fn answer(&self) -> (AtFullWidth, Option<Limit>) {
        match self {
            Confirmed::Fails(_) => (AtFullWidth::Fails, None),
            Confirmed::DoesNotFail => (AtFullWidth::DoesNotFail, None),
            Confirmed::Unknown(limit) => (AtFullWidth::Unknown, Some(*limit)),
        }
    }
}

/// The question, while it is worked on.
pub(in crate::session) struct Confirming {
    /// The program with C's own integers.
    full: Rc<Program>,
    /// Only errors on this line count, if given.
    error: Option<u32>,
    search: Option<(PathProgram, Session)>,
    answer: Option<Confirmed>,
}

impl Confirming {
    /// Asks about a failing run of `narrow`. The interpreter answers at once if it can.
    pub(in crate::session) fn new(
        narrow: &Program,
        full: &Rc<Program>,
        options: &EffectiveOptions,
        run: &ReplayedRun,
        (budgets, alarm): (Budgets, Option<Alarm>),
    ) -> Confirming {
        let error = options.error;
        let mut confirming =
            Confirming { full: Rc::clone(full), error, search: None, answer: None };
        let same = replay_wider(narrow, full, run).filter(|run| confirming.counts(run));
        if let Some(same) = same {
            confirming.answer = Some(Confirmed::Fails(Box::new(same)));
            return confirming;
        }
        let edges: Vec<_> = run.run.steps.iter().map(|step| step.edge).collect();
        match PathProgram::new(full, &edges) {
            None => confirming.answer = Some(Confirmed::Unknown(Limit::Depth)),
            Some(path) => {
                let program = Rc::clone(&path.program);
                let mut session = Session::of("", options.clone(), program, alarm);
                let budgets = Budgets {
                    max_nodes: budgets.max_nodes.min(NODES),
                    max_steps: budgets.max_steps.min(STEPS),
                    ..budgets
                };
                session.start(Task::Check, budgets);
                confirming.search = Some((path, session));
            }
        }
        confirming
    }

    fn counts(&self, run: &ReplayedRun) -> bool {
        self.error.is_none_or(|line| line == run.check.line)
    }

    /// What came of it; before the end of the search, its limit.
    pub(in crate::session) fn into_answer(self) -> Confirmed {
        self.answer.unwrap_or(Confirmed::Unknown(Limit::Time))
    }

    /// The search is over.
    fn searched(&mut self) {
        let Some((path, session)) = self.search.take() else { return };
        let found = || {
            let run = path.run_of_whole(session.failing_run()?);
            execute(&self.full, run).ok().filter(|run| self.counts(run))
        };
        self.answer = Some(match session.outcome() {
            Outcome::Safe => Confirmed::DoesNotFail,
            Outcome::Unknown(limit) => Confirmed::Unknown(limit),
            Outcome::Unsafe => match found() {
                Some(run) => Confirmed::Fails(Box::new(run)),
                None => Confirmed::Unknown(Limit::Depth),
            },
            // Nothing is claimed where a check contradicts the engine.
            Outcome::Fault => Confirmed::Unknown(Limit::Depth),
        });
    }
}

impl Job for Confirming {
    fn step(&mut self) -> bool {
        if let Some((_, session)) = &mut self.search
            && session.step()
        {
            self.searched();
        }
        self.search.is_none()
    }

    fn stop(&mut self, limit: Limit) {
        if let Some((_, session)) = &mut self.search {
            session.stop(limit);
            self.searched();
        }
    }

    fn limit(&self) -> Option<Limit> {
        match &self.answer {
            Some(Confirmed::Unknown(limit)) => Some(*limit),
            _ => None,
        }
    }

    fn progress(&self) -> Progress {
        let progress = self.search.as_ref().map(|(_, session)| session.progress());
        Progress { stage: Stage::Confirm, ..progress.unwrap_or_default() }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        if let Some((_, session)) = &mut self.search {
            session.set_alarm(alarm);
        }
    }
}
