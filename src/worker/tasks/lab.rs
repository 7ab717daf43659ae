//! The pushdown lab: recordings of saturations, and questions about a finished one.

use crate::report;
use crate::report::lab::{MOST_DRAWN, lab_report, lab_transfer, lab_weight, lab_witness, problems};
use crate::session::Budgets;
use crate::session::lab::{LabRequest, LabSession};
use crate::util::Limit;
use crate::wire::lab::{LabOptions, LabReport, LabTask};
use crate::wire::protocol::{Detail, Reply};
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority, Step, Task};
use crate::worker::state::{Answer, State};
use std::rc::Rc;

const CLASS: Class = Class::new("lab", Priority::Analysis);

/// Records a saturation; the recording is kept for questions.
pub(super) fn begin(state: &mut State, options: LabOptions) -> Answer {
    state.take::<LabSession>();
    if options.task == LabTask::Unrolling {
        return Answer::later(Unroll { options, report: None });
    }
    let request = LabRequest {
        options: options.clone(),
        max_transitions: MOST_DRAWN as u64,
        budgets: Budgets::default(),
    };
    let job = match LabSession::new(&state.session, &request) {
        Ok(job) => job,
        Err(problem) => {
            let (found, _, limit) = problems(problem, (options.set.as_deref().unwrap_or(""), ""));
            let report = LabReport { limit, ..LabReport::nothing(options, found) };
            return Answer::now(Reply::Lab { report: Box::new(report) });
        }
    };
    let task = JobTask::new(CLASS, job, move |mut job, state, _| {
        let report = Box::new(lab_report(&mut job, &options));
        state.keep(job);
        Finish::with([Reply::Lab { report }])
    });
    Answer::later(task.reporting(|_| Detail::None))
}

/// Unrolls with the bounded engine: one step, which looks at the clock as it goes.
struct Unroll {
    options: LabOptions,
    report: Option<LabReport>,
}

/// Milliseconds of an unrolling.
const MILLIS: u64 = 10_000;

impl Task<State> for Unroll {
    fn class(&self) -> Class {
        CLASS
    }

    fn step(&mut self, state: &mut State) -> Step {
        let alarm = state.alarm.clone();
        let stop = Rc::new(move || alarm.look(0).is_some());
        let (source, requested) = (&state.source, &state.requested);
        let options = state.session.options();
        self.report =
            Some(report::unrolling(source, requested, options, self.options.clone(), stop));
        Step::Over
    }

    fn stop(&mut self, _: &mut State) {}

    fn max_millis(&self) -> Option<u64> {
        Some(MILLIS)
    }

    fn finish(self: Box<Self>, _: &mut State, _: u64) -> Finish<State> {
        let stopped = || LabReport {
            limit: Some(Limit::Time),
            ..LabReport::nothing(self.options.clone(), Vec::new())
        };
        let report = Box::new(self.report.unwrap_or_else(stopped));
        Finish::with([Reply::Lab { report }])
    }
}

/// The weight of a set in an automaton of the recording.
pub(super) fn weight(state: &mut State, automaton: u32, set: &str, step: Option<u32>) -> Answer {
    let Some(recording) = state.kept() else { return Answer::dropped() };
    Answer::now(Reply::LabWeight { answer: lab_weight(recording, automaton, set, step) })
}

/// The weight of all runs from one set to another.
pub(super) fn transfer(state: &mut State, from: &str, to: &str) -> Answer {
    let Some(recording) = state.kept() else { return Answer::dropped() };
    Answer::now(Reply::LabTransfer { answer: lab_transfer(recording, from, to) })
}

/// Why a transition of the recording has its weight.
pub(super) fn witness(
    state: &mut State,
    automaton: u32,
    transition: u32,
    step: Option<u32>,
) -> Answer {
    let Some(recording) = state.kept() else { return Answer::dropped() };
    let (witness, limit) = match lab_witness(recording, automaton, transition, step) {
        Ok(witness) => (witness, None),
        Err(limit) => (None, Some(limit)),
    };
    Answer::now(Reply::LabWitness { witness, limit })
}
