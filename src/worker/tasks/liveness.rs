//! A formula of linear temporal logic, or termination.

use crate::report::liveness_answer::{answer, refused, without_a_program};
use crate::session::{LivenessQuestion, LivenessSession};
use crate::util::Budgets;
use crate::wire::liveness::LivenessAsk;
use crate::wire::protocol::{Detail, Reply};
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority};
use crate::worker::state::{Answer, State};
use std::rc::Rc;

const CLASS: Class = Class::new("liveness", Priority::Analysis);

/// Does every run of the program satisfy a formula, or end?
pub(super) fn begin(state: &mut State, ask: &LivenessAsk, fair: bool, budgets: Budgets) -> Answer {
    let Some(program) = state.program() else {
        return Answer::now(Reply::Lived { answer: Box::new(without_a_program()) });
    };
    let (text, question) = match ask {
        LivenessAsk::Formula(text) => (text.as_str(), LivenessQuestion::Formula(text.clone())),
        LivenessAsk::Termination => ("", LivenessQuestion::Termination),
    };
    let source = state.session.source().to_string();
    let options = state.session.options().clone();
    let made = LivenessSession::new(
        Rc::clone(&program),
        &source,
        &options,
        &question,
        fair,
        budgets,
        Some(state.alarm.clone()),
    );
    let job = match made {
        Ok(job) => job,
        Err(refusal) => {
            let answer = refused(&program, &source, text, &refusal);
            return Answer::now(Reply::Lived { answer: Box::new(answer) });
        }
    };
    let task = JobTask::new(CLASS, job, move |job, _, _| {
        let answer = answer(&program, &source, &options, &job);
        Finish::with([Reply::Lived { answer: Box::new(answer) }])
    });
    Answer::later(task.within(budgets).reporting(|_| Detail::None))
}
