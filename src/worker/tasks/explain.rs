//! Explanations, stage by stage: each stage is a task with a clock and an answer of its own, so
//! that a slow stage keeps no quick one away.

use crate::report::explain::explanation;
use crate::session::{ExplainSession, ExplainStage};
use crate::util::Budgets;
use crate::wire::explain::{ExplainAsk, Explanation};
use crate::wire::protocol::{Detail, Reply};
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority, Task};
use crate::worker::state::{Answer, State};

const CLASS: Class = Class::new("explain", Priority::Analysis);

/// Explains why the program fails.
pub(super) fn begin(state: &mut State, ask: ExplainAsk, budgets: Budgets) -> Answer {
    match state.session.explain(&state.requested, &ask, budgets) {
        Ok(job) => Answer::Later(stage(job, budgets)),
        Err(problem) => {
            let explanation = Box::new(Explanation::nothing(ask, problem));
            Answer::now(Reply::Explained { explanation })
        }
    }
}

/// The stage that the job is at, and what follows it.
fn stage(job: ExplainSession, budgets: Budgets) -> Box<dyn Task<State>> {
    let task = JobTask::new(CLASS, job, move |job, _, _| {
        let explanation = Box::new(explanation(&job));
        let is_over = job.stage() == ExplainStage::Done;
        let next = (!is_over).then(|| stage(job, budgets));
        Finish::then(Reply::Explained { explanation }, next)
    });
    Box::new(task.one_stage().within(budgets).reporting(|_| Detail::None))
}
