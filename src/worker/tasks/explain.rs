//! Explanations, stage by stage: each stage has a clock of its own, so that a slow stage keeps no
//! quick one away. The first failing run and its causes are told before the first stage is over.

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
        Ok(job) => Answer::Later(stage(job, budgets, budgets.max_millis)),
        Err(problem) => {
            let explanation = Box::new(Explanation::nothing(ask, problem));
            Answer::now(Reply::Explained { explanation })
        }
    }
}

/// A part of an explanation: a stage, and how much of it can be told before it is over.
fn part(job: &ExplainSession) -> u32 {
    3 * job.stage() as u32 + job.told_early()
}

/// The part that the job is at, and what follows it. `left`: how much of the stage's time is left.
fn stage(job: ExplainSession, budgets: Budgets, left: Option<u64>) -> Box<dyn Task<State>> {
    let now = job.stage();
    let task = JobTask::new(CLASS, job, move |job, _, millis| {
        let explanation = Box::new(explanation(&job));
        let is_over = job.stage() == ExplainStage::Done;
        let left = match job.stage() == now {
            true => left.map(|left| left.saturating_sub(millis)),
            false => budgets.max_millis,
        };
        let next = (!is_over).then(|| stage(job, budgets, left));
        Finish::then(Reply::Explained { explanation }, next)
    });
    let task = task.one_part(part).within(Budgets { max_millis: left, ..budgets });
    Box::new(task.reporting(|_| Detail::None))
}
