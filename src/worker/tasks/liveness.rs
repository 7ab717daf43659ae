//! A formula of linear temporal logic, or termination.

use crate::analysis::liveness::raw_program::program_of;
use crate::report::liveness_answer::{Names, answer, impossible, refused};
use crate::session::{LivenessQuestion, LivenessSession};
use crate::util::Budgets;
use crate::wire::liveness::{LivenessAnswer, LivenessAsk};
use crate::wire::protocol::{Detail, Reply};
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority};
use crate::worker::state::{Answer, State};
use std::rc::Rc;

const CLASS: Class = Class::new("liveness", Priority::Analysis);

/// Does every run of the program, or of the pushdown system, satisfy a formula, or end?
pub(super) fn begin(state: &mut State, ask: &LivenessAsk, fair: bool, budgets: Budgets) -> Answer {
    let now = |answer| Answer::now(Reply::Lived { answer: Box::new(answer) });
    let raw = match state.session.raw().map(|raw| program_of(raw.system())).transpose() {
        Ok(raw) => raw,
        Err(message) => return now(impossible(message)),
    };
    let program = raw.as_ref().map(|raw| Rc::clone(&raw.program)).or_else(|| state.program());
    let Some(program) = program else {
        return now(impossible("there is neither a program nor a system".to_string()));
    };
    let (text, question) = match ask {
        LivenessAsk::Formula(text) => (text.as_str(), LivenessQuestion::Formula(text.clone())),
        LivenessAsk::Termination => ("", LivenessQuestion::Termination),
    };
    let source = state.session.source().to_string();
    let options = state.session.options().clone();
    let alarm = Some(state.alarm.clone());
    let made = match &raw {
        Some(raw) => LivenessSession::of_raw(raw, &options, &question, fair, budgets, alarm),
        None => {
            let program = Rc::clone(&program);
            LivenessSession::new(program, &source, &options, &question, fair, budgets, alarm)
        }
    };
    let names = move |of: &dyn Fn(&Names<'_>) -> LivenessAnswer| match &raw {
        Some(raw) => of(&Names::Atoms(&raw.atoms)),
        None => of(&Names::Source(&source)),
    };
    let job = match made {
        Ok(job) => job,
        Err(refusal) => return now(names(&|names| refused(&program, names, text, &refusal))),
    };
    let task = JobTask::new(CLASS, job, move |job, _, _| {
        let answer = names(&|names| answer(&program, names, &options, &job));
        Finish::with([Reply::Lived { answer: Box::new(answer) }])
    });
    Answer::later(task.within(budgets).reporting(|_| Detail::None))
}
