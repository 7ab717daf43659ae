//! Does a failing run that was found with narrow integers fail with C's own, too?
//!
//! 1. The interpreter executes it with the same numbers.
//! 2. The numbers may be large, so that a result wraps with narrow integers only. So a search with
//!    narrow integers looks for a run along the same statements with small inputs, and the
//!    interpreter executes that one.
//! 3. A search with C's own integers looks for any other numbers along the same statements.

use crate::analysis::path_program::PathProgram;
use crate::analysis::replay::{ReplayedRun, execute};
use crate::analysis::widened::replay_wider;
use crate::lang::model::{EdgeId, Program};
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
    narrow: Rc<Program>,
    /// The program with C's own integers.
    full: Rc<Program>,
    /// The options of the program with C's own integers.
    options: EffectiveOptions,
    budgets: Budgets,
    alarm: Option<Alarm>,
    /// The statements of the run.
    path: Vec<EdgeId>,
    search: Option<Search>,
    answer: Option<Confirmed>,
}

/// A search for a run along the path that fails.
struct Search {
    numbers: Numbers,
    path: PathProgram,
    session: Session,
}

/// The numbers that a search looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// Inputs of half the width, with narrow integers.
    Small,
    /// Any, with C's own integers.
    Any,
}

impl Confirming {
    /// Asks about a failing run of `narrow`. The interpreter answers at once if it can.
    pub(in crate::session) fn new(
        narrow: &Rc<Program>,
        full: &Rc<Program>,
        options: &EffectiveOptions,
        run: &ReplayedRun,
        (budgets, alarm): (Budgets, Option<Alarm>),
    ) -> Confirming {
        let mut confirming = Confirming {
            narrow: Rc::clone(narrow),
            full: Rc::clone(full),
            options: options.clone(),
            budgets: Budgets {
                max_nodes: budgets.max_nodes.min(NODES),
                max_steps: budgets.max_steps.min(STEPS),
                ..budgets
            },
            alarm,
            path: run.run.steps.iter().map(|step| step.edge).collect(),
            search: None,
            answer: None,
        };
        match confirming.fails_wider(run) {
            Some(same) => confirming.answer = Some(Confirmed::Fails(Box::new(same))),
            None => confirming.begin(Numbers::Small),
        }
        confirming
    }

    /// The run of the narrow program, with the same numbers in C's own integers, if it fails there.
    fn fails_wider(&self, run: &ReplayedRun) -> Option<ReplayedRun> {
        replay_wider(&self.narrow, &self.full, run).filter(|run| self.counts(run))
    }

    fn begin(&mut self, numbers: Numbers) {
        let half = self.narrow.int_width / 2;
        let path = match numbers {
            Numbers::Small => PathProgram::with_small_inputs(&self.narrow, &self.path, half),
            Numbers::Any => PathProgram::new(&self.full, &self.path),
        };
        let Some(path) = path else {
            self.answer = Some(Confirmed::Unknown(Limit::Depth));
            return;
        };
        let program = Rc::clone(&path.program);
        let mut session = Session::of("", self.options.clone(), program, self.alarm.clone());
        session.start(Task::Check, self.budgets);
        self.search = Some(Search { numbers, path, session });
    }

    fn counts(&self, run: &ReplayedRun) -> bool {
        self.options.error.is_none_or(|line| line == run.check.line)
    }

    /// What came of it; before the end of the search, its limit.
    pub(in crate::session) fn into_answer(self) -> Confirmed {
        self.answer.unwrap_or(Confirmed::Unknown(Limit::Time))
    }

    /// A search is over. One for small numbers decides only if its run fails with C's own integers.
    fn searched(&mut self) {
        let Some(Search { numbers, path, session }) = self.search.take() else { return };
        let run = || Some(path.run_of_whole(session.failing_run()?));
        if numbers == Numbers::Small {
            let found = || self.fails_wider(&execute(&self.narrow, run()?).ok()?);
            match found() {
                Some(found) => self.answer = Some(Confirmed::Fails(Box::new(found))),
                None => self.begin(Numbers::Any),
            }
            return;
        }
        let found = || execute(&self.full, run()?).ok().filter(|run| self.counts(run));
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
        if let Some(search) = &mut self.search
            && search.session.step()
        {
            self.searched();
        }
        self.search.is_none()
    }

    fn stop(&mut self, limit: Limit) {
        // The second search, if it follows the first at once, has not begun its work.
        while let Some(search) = &mut self.search {
            search.session.stop(limit);
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
        let progress = self.search.as_ref().map(|search| search.session.progress());
        Progress { stage: Stage::Confirm, ..progress.unwrap_or_default() }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        if let Some(search) = &mut self.search {
            search.session.set_alarm(alarm.clone());
        }
        self.alarm = Some(alarm);
    }
}
