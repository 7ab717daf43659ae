//! Questions about a finished run: what reaches a statement, what can hold there, why it is
//! innocent, and what the naive projection keeps besides. Only the naive projection takes longer.

use crate::report;
use crate::report::stores::QueryError;
use crate::report::why_not;
use crate::session::{Job, Session};
use crate::util::Limit;
use crate::wire::protocol::Reply;
use crate::worker::queue::{Class, Finish, Priority, Step, Task};
use crate::worker::state::{Answer, State};

/// Which stores reach a statement, and which of them fail.
pub(super) fn inspect(state: &mut State, statement: u32) -> Answer {
    let Some(session) = state.settled() else { return Answer::dropped() };
    match report::inspect::begin(session, statement) {
        true => Answer::later(Inspecting { statement, is_given_up: false }),
        false => Answer::now(Reply::Inspected { inspection: None }),
    }
}

/// Milliseconds for a look into a statement.
const INSPECTION_MILLIS: u64 = 10_000;

/// A look into a statement. On large programs it takes seconds.
struct Inspecting {
    statement: u32,
    is_given_up: bool,
}

impl Task<State> for Inspecting {
    fn class(&self) -> Class {
        Class::new("inspect", Priority::Question)
    }

    fn step(&mut self, state: &mut State) -> Step {
        match report::inspect::prepare(&mut state.session, self.statement) {
            Ok(true) => Step::Over,
            Ok(false) => Step::More,
            Err(_) => {
                self.is_given_up = true;
                Step::Over
            }
        }
    }

    fn stop(&mut self, _: &mut State) {
        self.is_given_up = true;
    }

    fn max_millis(&self) -> Option<u64> {
        Some(INSPECTION_MILLIS)
    }

    fn finish(self: Box<Self>, state: &mut State, _: u64) -> Finish<State> {
        let inspection = match self.is_given_up {
            true => None,
            false => report::inspect(&mut state.session, self.statement),
        };
        Finish::with([Reply::Inspected { inspection }])
    }
}

/// Can a condition hold before a statement on a failing run?
pub(super) fn query(state: &mut State, statement: u32, condition: &str) -> Answer {
    let Some(session) = state.settled() else { return Answer::dropped() };
    Answer::now(Reply::Queried { answer: report::stores::query(session, statement, condition) })
}

/// The witness of the verdict.
pub(super) fn witness(state: &mut State, file_name: String, creation_time: String) -> Answer {
    let Some(session) = state.settled() else { return Answer::dropped() };
    let origin = report::Origin { file_name, creation_time };
    Answer::now(Reply::Witness { text: report::witness(session, &origin) })
}

/// What always holds at each place.
pub(super) fn invariants(state: &mut State) -> Answer {
    let Some(session) = state.settled() else { return Answer::dropped() };
    Answer::now(Reply::Invariants { invariants: report::invariants(session) })
}

/// Why a statement is innocent, or what the naive projection keeps besides: answered at once, or
/// once the naive projection is there.
pub(super) fn explain(state: &mut State, statement: Option<u32>) -> Answer {
    let Some(session) = state.settled() else { return Answer::dropped() };
    let unreached = statement.is_some_and(|statement| {
        let executed = session.executed().and_then(|all| all.get(statement as usize));
        executed == Some(&false)
    });
    if unreached || !session.explains() {
        return Answer::Now(reason(session, statement).into_iter().collect());
    }
    match session.start_comparison() {
        true => Answer::later(Naive { statement }),
        false => Answer::Now(comparison(session, statement)),
    }
}

/// The naive projection, and the statement whose reason was asked for.
struct Naive {
    statement: Option<u32>,
}

impl Task<State> for Naive {
    fn class(&self) -> Class {
        Class::new("naive", Priority::Question)
    }

    fn step(&mut self, state: &mut State) -> Step {
        if state.session.comparison().step() { Step::Over } else { Step::More }
    }

    fn stop(&mut self, state: &mut State) {
        state.session.comparison().stop(Limit::Time);
    }

    fn finish(self: Box<Self>, state: &mut State, _: u64) -> Finish<State> {
        Finish::with(match state.session.comparison().limit() {
            Some(limit) => refusal(self.statement, limit),
            None => comparison(&mut state.session, self.statement),
        })
    }
}

/// What the naive projection keeps besides, and the reason that was asked for.
fn comparison(session: &mut Session, statement: Option<u32>) -> Vec<Reply> {
    let cross = why_not::only_naive(session);
    std::iter::once(Reply::Naive { cross }).chain(reason(session, statement)).collect()
}

fn reason(session: &mut Session, statement: Option<u32>) -> Option<Reply> {
    let (why, limit) = match why_not::why(session, statement?) {
        Ok(why) => (Some(why), None),
        Err(QueryError::Unknown(limit)) => (None, Some(limit)),
        Err(_) => (None, None),
    };
    Some(Reply::Why { why, limit })
}

fn refusal(statement: Option<u32>, limit: Limit) -> Vec<Reply> {
    let reason = statement.map(|_| Reply::Why { why: None, limit: Some(limit) });
    std::iter::once(Reply::Naive { cross: None }).chain(reason).collect()
}
