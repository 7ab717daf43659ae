//! Threads under a bound on context switches, and afterwards the same question by the other method.

use crate::report::{threads_found, threads_report};
use crate::session::{ThreadsMethod, ThreadsOptions, ThreadsSession};
use crate::util::Budgets;
use crate::wire::protocol::{Detail, Reply};
use crate::wire::threads::{ThreadsAsk, USUAL_SWITCHES};
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority, Task};
use crate::worker::state::{Answer, State};

const CLASS: Class = Class::new("threads", Priority::Analysis);
const COMPARISON: Class = Class::new("threads", Priority::Comparison);
/// Budgets of the other method, for whose answer no one waits.
const COMPARISON_BUDGETS: Budgets = Budgets {
    max_nodes: 1_000_000,
    max_steps: 50_000_000,
    max_millis: Some(5_000),
    ..Budgets::USUAL
};

/// Analyses the threads of the program.
pub(super) fn begin(state: &mut State, ask: &ThreadsAsk, budgets: Budgets) -> Answer {
    let asked = ThreadsOptions {
        switches: ask.bound.or(state.session.options().switches).unwrap_or(USUAL_SWITCHES),
        at: None,
    };
    let Some(job) = session(state, ask.method, asked, budgets) else {
        let problem = Some("A pushdown system has no threads.".to_string());
        return Answer::now(Reply::Threaded { report: None, problem });
    };
    let task = JobTask::new(CLASS, job, |mut job, state, _| {
        let report = Some(Box::new(threads_report(&mut job)));
        Finish::then(Reply::Threaded { report, problem: None }, comparison(state, &job))
    });
    let task = task.within(budgets.max_millis);
    Answer::later(task.reporting(|job| Detail::NoErrorUpTo(job.no_error_up_to())))
}

/// The same question for the other method.
fn comparison(state: &State, first: &ThreadsSession) -> Option<Box<dyn Task<State>>> {
    let method = match first.method() {
        ThreadsMethod::QadeerRehof => ThreadsMethod::Transducer,
        ThreadsMethod::Transducer => ThreadsMethod::QadeerRehof,
    };
    let job = session(state, method, first.asked(), COMPARISON_BUDGETS)?;
    let task = JobTask::new(COMPARISON, job, |job, _, _| {
        Finish::with([Reply::OtherMethod { found: Box::new(threads_found(&job)) }])
    });
    Some(Box::new(task.within(COMPARISON_BUDGETS.max_millis)))
}

fn session(
    state: &State,
    method: ThreadsMethod,
    asked: ThreadsOptions,
    budgets: Budgets,
) -> Option<ThreadsSession> {
    let options = state.session.options();
    Some(ThreadsSession::by(method, state.program()?, options, asked, budgets))
}
