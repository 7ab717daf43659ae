//! The answer of a run as a text to keep: a witness, JSON, or a document.

use crate::report::document::{causes, document};
use crate::report::localize::failing;
use crate::report::{self, Origin};
use crate::session::LocalizeSession;
use crate::util::Budgets;
use crate::wire::protocol::{Reply, Written};
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority};
use crate::worker::state::{Answer, State};

/// Milliseconds for the causes in a document.
const CAUSES_MILLIS: u64 = 5_000;

/// Writes the text. `step`: what a document shows first of the failing run, from 0 on.
pub(super) fn begin(
    state: &mut State,
    what: Written,
    origin: Origin,
    step: Option<usize>,
) -> Answer {
    let Some(session) = state.settled() else { return Answer::dropped() };
    let text = match what {
        Written::Witness => report::witness(session, &origin),
        Written::Json => Some(report::json::render(&report::report(session))),
        Written::Html => {
            let budgets = Budgets { max_millis: Some(CAUSES_MILLIS), ..Budgets::default() };
            match causes(session, budgets) {
                Some(job) => return Answer::later(localizing(job, budgets, origin, step)),
                None => Some(document(session, &origin.file_name, None, step)),
            }
        }
    };
    Answer::now(Reply::Written { what, text })
}

/// A document that waits for its causes.
fn localizing(
    job: LocalizeSession,
    budgets: Budgets,
    origin: Origin,
    step: Option<usize>,
) -> JobTask<LocalizeSession> {
    let class = Class::new("document", Priority::Question);
    let close = move |job: LocalizeSession, state: &mut State, _| {
        let causes = failing(&job);
        let text = document(&mut state.session, &origin.file_name, causes.as_ref(), step);
        Finish::with([Reply::Written { what: Written::Html, text: Some(text) }])
    };
    JobTask::new(class, job, close).within(budgets)
}
