//! Check and projection of the loaded program, and searches for failing runs after them: steps of
//! the state's own session. Where these take long the bounded engine has a try beside them.

use super::bounded;
use crate::lang::model::{BinaryOperator, EdgeId, Expression, Operation, Program};
use crate::report;
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
    let is_first = is_c(state) && state.session.program().is_some_and(is_slow);
    let (tries, is_stopped, found, told) = (u32::from(!is_first), false, None, Cell::new(0));
    Box::new(Run { budgets, tries, is_stopped, found, told })
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

/// Steps of the kernel, some tenths of a second, after which the bounded engine has a try where the
/// program computes what diagrams are slow at. A first visit ends before, and fetches no engine.
const SOON: u64 = 2_000_000;
/// The same, some seconds, for all programs.
const TRY_AFTER: u64 = 20_000_000;

struct Run {
    budgets: Budgets,
    /// How many of its two tries the bounded engine had.
    tries: u32,
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
        if self.is_due(state) {
            self.tries += 1;
            self.found = bounded::short(state, self.tries);
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
    /// Is it the bounded engine's turn? Soon where the diagrams are slow at what the program
    /// computes, and where they take long. A failing run of theirs comes with what takes part in
    /// it.
    fn is_due(&self, state: &State) -> bool {
        let after = match self.tries {
            0 => SOON,
            1 if is_c(state) => TRY_AFTER,
            _ => return false,
        };
        let progress = state.session.progress();
        let is_open = !progress.fails && !state.session.is_settled();
        progress.steps > after && is_open && self.found.is_none()
    }

    /// Has the bounded engine proved that no run fails?
    fn is_safe(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.verdict == Verdict::Safe)
    }
}

fn is_c(state: &State) -> bool {
    state.session.options().dialect == Dialect::C
}

/// Does it compute what diagrams are slow at: products and quotients of open numbers, floating
/// point? Then the bounded engine has its try soon.
fn is_slow(program: &Program) -> bool {
    use Expression::{Choice, Element, Variable};
    let is_constant =
        |e: &Expression| !e.any(|e| matches!(e, Variable(..) | Element(..) | Choice(..)));
    let is_slow = |e: &Expression| match e {
        Expression::Variable(_, scalar) | Expression::Element(.., scalar) => scalar.floating,
        Expression::Binary(
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder,
            a,
            b,
        ) => !is_constant(a) && !is_constant(b),
        _ => false,
    };
    program.edges.iter().any(|edge| match &edge.operation {
        Operation::Assume(condition) => condition.any(is_slow),
        Operation::Assign(list) => list.iter().any(|(_, value)| value.any(is_slow)),
        Operation::Call { arguments, .. } => arguments.iter().any(|value| value.any(is_slow)),
        Operation::Skip | Operation::Havoc(_) => false,
    })
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
