//! Threads under a bound on context switches, and afterwards the same question by the other method.

use crate::report::{threads_found, threads_report};
use crate::session::{ThreadsMethod, ThreadsOptions, ThreadsSession};
use crate::util::Budgets;
use crate::wire::protocol::{Detail, Reply};
use crate::wire::threads::{RAISING_SHARE, SwitchBound, ThreadsAsk, USUAL_SWITCHES};
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
        switches: SwitchBound::in_force(ask.bound, state.session.options().switches),
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
    let rising = asked.switches == SwitchBound::Rising;
    let share = budgets.max_millis.filter(|_| rising).map(|millis| millis / RAISING_SHARE);
    let task = task.within(budgets).with_stage_within(share);
    let decided = |job: &ThreadsSession| job.no_error_up_to().map_or(0, |bound| bound as usize + 1);
    let task = task.with_news(decided);
    Answer::later(task.reporting(|job| Detail::NoErrorUpTo(job.no_error_up_to())))
}

/// The same question for the other method, up to the bound that is decided.
fn comparison(state: &State, first: &ThreadsSession) -> Option<Box<dyn Task<State>>> {
    let method = match first.method() {
        ThreadsMethod::QadeerRehof => ThreadsMethod::Transducer,
        ThreadsMethod::Transducer => ThreadsMethod::QadeerRehof,
    };
    let switches = SwitchBound::AtMost(first.decided().unwrap_or(USUAL_SWITCHES));
    let asked = ThreadsOptions { switches, ..first.asked() };
    let job = session(state, method, asked, COMPARISON_BUDGETS)?;
    let task = JobTask::new(COMPARISON, job, |job, _, _| {
        Finish::with([Reply::OtherMethod { found: Box::new(threads_found(&job)) }])
    });
    Some(Box::new(task.within(COMPARISON_BUDGETS)))
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
