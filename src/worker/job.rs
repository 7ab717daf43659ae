//! A [`Job`] as a task of the queue. It belongs to its task, and a function of its own makes the
//! answer of it.

use super::queue::{Class, Finish, Step, Task};
use super::state::State;
use crate::session::Job;
use crate::util::{Budgets, Limit, Progress};
use crate::wire::protocol::{Detail, Reply};

type Close<J> = Box<dyn FnOnce(J, &mut State, u64) -> Finish<State>>;

/// A part of a job's work: how parts are numbered, and the number of the present one.
struct Part<J> {
    number: fn(&J) -> u32,
    now: u32,
}

/// A job, and what becomes of it.
pub(super) struct JobTask<J> {
    class: Class,
    job: J,
    max_millis: Option<u64>,
    /// Does the job have the alarm?
    is_watched: bool,
    stage_millis: Option<u64>,
    /// The task is over when the job leaves this part of its work.
    part: Option<Part<J>>,
    detail: Option<fn(&J) -> Detail>,
    news: fn(&J) -> usize,
    close: Close<J>,
}

impl<J: Job> JobTask<J> {
    /// Runs the job to its end. `close` makes the answer; it gets the milliseconds that the job
    /// took.
    pub(super) fn new(
        class: Class,
        job: J,
        close: impl FnOnce(J, &mut State, u64) -> Finish<State> + 'static,
    ) -> JobTask<J> {
        JobTask {
            class,
            job,
            max_millis: None,
            is_watched: false,
            stage_millis: None,
            part: None,
            detail: None,
            news: |_| 0,
            close: Box::new(close),
        }
    }

    /// So much time at most.
    pub(super) fn within(self, budgets: Budgets) -> JobTask<J> {
        JobTask { max_millis: budgets.max_millis, ..self }
    }

    /// After so many milliseconds the job's stage ends, and the job goes on with what is left.
    pub(super) fn with_stage_within(self, stage_millis: Option<u64>) -> JobTask<J> {
        JobTask { stage_millis, ..self }
    }

    /// To the end of the present part of the job's work, whose time it is then. `number`: the
    /// number of the part.
    pub(super) fn one_part(self, number: fn(&J) -> u32) -> JobTask<J> {
        let now = number(&self.job);
        JobTask { part: Some(Part { number, now }), ..self }
    }

    /// With reports of progress, which also tell this.
    pub(super) fn reporting(self, detail: fn(&J) -> Detail) -> JobTask<J> {
        JobTask { detail: Some(detail), ..self }
    }

    /// With a report of progress at once when this number has grown.
    pub(super) fn with_news(self, news: fn(&J) -> usize) -> JobTask<J> {
        JobTask { news, ..self }
    }
}

impl<J: Job> Task<State> for JobTask<J> {
    fn class(&self) -> Class {
        self.class
    }

    fn step(&mut self, state: &mut State) -> Step {
        if !std::mem::replace(&mut self.is_watched, true) {
            self.job.set_alarm(state.alarm.clone());
        }
        let is_done = self.job.step();
        let has_left = |part: &Part<J>| (part.number)(&self.job) != part.now;
        let is_over = is_done || self.part.as_ref().is_some_and(has_left);
        if is_over { Step::Over } else { Step::More }
    }

    fn stop(&mut self, _: &mut State) {
        self.job.stop(Limit::Time);
    }

    fn memory_full(&mut self, _: &mut State) {
        self.job.stop(Limit::Nodes);
    }

    fn time_up(&mut self, _: &mut State) {
        self.job.end_stage(Limit::Time);
    }

    fn stage_up(&mut self, _: &mut State) {
        self.job.end_stage(Limit::Time);
    }

    fn max_millis(&self) -> Option<u64> {
        self.max_millis
    }

    fn stage_millis(&self) -> Option<u64> {
        self.stage_millis
    }

    fn underway(&self, _: &State) -> Option<Progress> {
        self.detail.map(|_| self.job.progress())
    }

    fn progress(&self, _: &State) -> Option<Reply> {
        let detail = self.detail?(&self.job);
        Some(Reply::Progress { progress: self.job.progress(), detail })
    }

    fn news(&self) -> usize {
        (self.news)(&self.job)
    }

    fn finish(self: Box<Self>, state: &mut State, millis: u64) -> Finish<State> {
        (self.close)(self.job, state, millis)
    }
}
