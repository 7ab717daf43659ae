//! The pushdown lab: recordings of saturations, and questions about a finished one.

use crate::report::lab::{MOST_DRAWN, lab_report, lab_transfer, lab_weight, lab_witness, problems};
use crate::session::Budgets;
use crate::session::lab::{LabRequest, LabSession};
use crate::wire::lab::{LabOptions, LabReport};
use crate::wire::protocol::{Detail, Reply};
use crate::worker::job::JobTask;
use crate::worker::queue::{Class, Finish, Priority};
use crate::worker::state::{Answer, State};

const CLASS: Class = Class::new("lab", Priority::Analysis);

/// Records a saturation; the recording is kept for questions.
pub(super) fn begin(state: &mut State, options: LabOptions) -> Answer {
    state.take::<LabSession>();
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
