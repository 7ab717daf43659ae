//! Check and projection of the loaded program, and searches for failing runs after them: steps of
//! the state's own session. Where these take long the bounded engine has a try beside them.

use super::bounded;
use crate::lang::model::EdgeId;
use crate::report::{self, EarlyTries};
use crate::session::{self, Job};
use crate::util::{Budgets, Limit, Progress, Stage};
use crate::wire::options::Dialect;
use crate::wire::projection::Method;
use crate::wire::protocol::{Detail, Reply};
use crate::wire::report::{Report, Verdict};
use crate::worker::queue::{Class, Finish, Priority, Step, Task};
use crate::worker::state::{Answer, State};
use std::cell::Cell;

/// Begins check and projection.
pub(in crate::worker) fn begin(
    state: &mut State,
    budgets: Budgets,
    method: Method,
) -> Box<dyn Task<State>> {
    state.session.use_portfolio(&state.requested);
    state.session.list_failures();
    state.session.start(session::Task::Projection(method), budgets);
    let early = EarlyTries::new(&state.session);
    Box::new(Run { budgets, early, is_stopped: false, found: None, told: Cell::new(0) })
}

/// Begins to look for the shortest failing run through a statement of each set. No sets: gives up
/// the search that is on.
pub(super) fn through(state: &mut State, sets: &[Vec<u32>]) -> Answer {
    let Some(session) = state.settled() else { return Answer::dropped() };
    session.cancel_search();
    let rules = session.raw().map_or(0, |raw| raw.system().rules.len());
    let edges = session.program().map_or(rules, |program| program.edges.len());
    let known = sets.iter().flatten().all(|edge| (*edge as usize) < edges);
    let sets: Vec<Vec<EdgeId>> =
        sets.iter().map(|set| set.iter().copied().map(EdgeId).collect()).collect();
    if sets.is_empty() || !known || !session.seek_through(sets) {
        return Answer::now(Reply::Through { through: None });
    }
    if session.stage() == Stage::Done {
        return Answer::now(Reply::Through { through: report::through(session) });
    }
    Answer::later(Search { kind: Kind::Through, budgets: Budgets::default() })
}

/// Milliseconds after which a run ends of which a failing run is known, if no time was given.
const MOST_BEYOND: u64 = 60_000;

/// The same where the bounded engine has found the run. The diagrams are slow at such a program.
const MOST_BESIDE: u64 = 10_000;

struct Run {
    budgets: Budgets,
    /// The tries of the bounded engine that are still to come.
    early: EarlyTries,
    /// Did a person, or the limits of who asked for nothing, end it?
    is_stopped: bool,
    /// What the bounded engine found.
    found: Option<Report>,
    /// How many failing runs were told.
    told: Cell<usize>,
}

impl Task<State> for Run {
    fn class(&self) -> Class {
        Class::new("run", Priority::Run)
    }

    fn step(&mut self, state: &mut State) -> Step {
        if let Some(looks) = self.early.due(&state.session) {
            self.found = bounded::short(state, looks);
            if self.found.is_some() {
                self.early.end();
            }
            return if self.is_safe() { Step::Over } else { Step::Turn };
        }
        let was_settled = state.session.is_settled();
        if state.session.step() {
            return Step::Over;
        }
        if !was_settled && state.session.is_settled() {
            return Step::Turn;
        }
        // Verdict and projection are known then; only the run may still become shorter, or an
        // answer for narrow integers become one for C's own.
        match state.session.stage() {
            Stage::Shortest | Stage::Wider => Step::Enough,
            _ => Step::More,
        }
    }

    fn stop(&mut self, state: &mut State) {
        self.is_stopped = true;
        state.session.stop(Limit::Time);
    }

    fn time_up(&mut self, state: &mut State) {
        state.session.stop(Limit::Time);
    }

    fn memory_full(&mut self, state: &mut State) {
        self.is_stopped = true;
        state.session.stop(Limit::Nodes);
    }

    /// Once a failing run is told, the rest does not take for ever.
    fn max_millis(&self) -> Option<u64> {
        self.budgets.max_millis.or(match (&self.found, self.told.get()) {
            (Some(_), _) => Some(MOST_BESIDE),
            (None, 0) => None,
            (None, _) => Some(MOST_BEYOND),
        })
    }

    fn underway(&self, state: &State) -> Option<Progress> {
        Some(state.session.progress())
    }

    fn progress(&self, state: &State) -> Option<Reply> {
        let progress = state.session.progress();
        let known = state.session.failures().len().max(1);
        if progress.fails && self.told.replace(known) < known {
            return Some(Reply::Improved { report: report::report(&state.session) });
        }
        if let Some(found) = self.found.as_ref().filter(|_| self.told.replace(known) == 0) {
            return Some(Reply::Improved { report: found.clone() });
        }
        Some(Reply::Progress { progress, detail: Detail::None })
    }

    fn finish(mut self: Box<Self>, state: &mut State, millis: u64) -> Finish<State> {
        let session = &state.session;
        let (report, statements) = (report::report(session), report::statements(session));
        // What was executed stands, whatever narrower integers say.
        if let Some(report) = self.found.take_if(|_| report.verdict != Verdict::Unsafe) {
            return Finish::with([Reply::Done { report, statements }]);
        }
        if report.verdict == Verdict::Unknown
            && report.fault.is_none()
            && !self.is_stopped
            && is_c(state)
            && report.limit != Some(Limit::Threads)
        {
            return Finish::then(None, Some(bounded::after(self.budgets, report, millis)));
        }
        let reply = Reply::Done { report, statements };
        let kind = match session.stage() {
            Stage::Shortest => Some(Kind::Shortest),
            Stage::Wider => Some(Kind::Wider),
            _ => None,
        };
        // It has what the run has left of its time.
        let max_millis = self.budgets.max_millis.map(|most| most.saturating_sub(millis));
        let budgets = Budgets { max_millis, ..self.budgets };
        let search = kind.map(|kind| Box::new(Search { kind, budgets }) as Box<dyn Task<_>>);
        Finish::then(reply, search)
    }
}

impl Run {
    /// Has the bounded engine proved that no run fails?
    fn is_safe(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.verdict == Verdict::Safe)
    }
}

fn is_c(state: &State) -> bool {
    state.session.options().dialect == Dialect::C
}

/// A search for a run, once verdict and projection are told.
struct Search {
    kind: Kind,
    budgets: Budgets,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The shortest one.
    Shortest,
    /// An answer for C's own integers, beside one for narrower ones.
    Wider,
    /// One through chosen statements.
    Through,
}

impl Task<State> for Search {
    fn class(&self) -> Class {
        match self.kind {
            Kind::Shortest | Kind::Through => Class::new("search", Priority::Search),
            // It may take long, and there is an answer.
            Kind::Wider => Class::new("wider", Priority::Comparison),
        }
    }

    fn step(&mut self, state: &mut State) -> Step {
        // Another search gives up the one for wider integers.
        let is_over = self.kind == Kind::Wider && !state.session.widens();
        if is_over || state.session.step() { Step::Over } else { Step::More }
    }

    fn stop(&mut self, state: &mut State) {
        state.session.stop(Limit::Time);
    }

    fn memory_full(&mut self, state: &mut State) {
        state.session.stop(Limit::Nodes);
    }

    fn max_millis(&self) -> Option<u64> {
        self.budgets.max_millis
    }

    fn finish(self: Box<Self>, state: &mut State, _: u64) -> Finish<State> {
        let session = &state.session;
        Finish::with([match self.kind {
            Kind::Wider if session.widths().is_none() => Reply::Widened {
                report: report::report(session),
                statements: report::statements(session),
            },
            Kind::Shortest | Kind::Wider => Reply::Improved { report: report::report(session) },
            Kind::Through => Reply::Through { through: report::through(session) },
        }])
    }
}
