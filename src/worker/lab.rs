//! The pushdown lab behind messages: recordings are worked off in slices, as runs are; questions
//! are answered at once.

use super::driver::Driver;
use crate::report::lab::{
    LabOptions, LabReport, MOST_DRAWN, lab_report, lab_transfer, lab_weight, lab_witness, problems,
};
use crate::session::lab::{LabRequest, LabSession};
use crate::session::{Budgets, Job, Session};
use crate::util::Limit;
use crate::wire::protocol::{Reply, Request};

/// Milliseconds between two reports of progress.
const PROGRESS: f64 = 100.0;

/// A lab, and the request whose recording is not finished.
pub(super) struct Recording {
    session: LabSession,
    waits: Option<(u32, LabOptions)>,
    began: f64,
    reported: f64,
}

impl Driver {
    /// Is a recording to be worked on?
    pub(super) fn is_recording(&self) -> bool {
        self.recording.as_ref().is_some_and(|recording| recording.waits.is_some())
    }

    /// Answers a request of the lab; true if slices are now to be worked off.
    pub(super) fn lab(&mut self, request: Request, now: f64, post: &mut dyn FnMut(Reply)) -> bool {
        match request {
            Request::Lab { id, options } => {
                let was_busy = self.is_busy();
                self.recording = None;
                let Some(session) = &self.session else { return false };
                match begin(session, &options) {
                    Ok(session) => {
                        self.recording = Some(Recording {
                            session,
                            waits: Some((id, options)),
                            began: now,
                            reported: now,
                        });
                        return !was_busy;
                    }
                    Err(report) => post(Reply::Lab { id, report }),
                }
            }
            Request::LabWeight { id, automaton, set, step } => {
                if let Some(session) = self.recorded() {
                    post(Reply::LabWeight {
                        id,
                        answer: lab_weight(session, automaton, &set, step),
                    });
                }
            }
            Request::LabTransfer { id, from, to } => {
                if let Some(session) = self.recorded() {
                    post(Reply::LabTransfer { id, answer: lab_transfer(session, &from, &to) });
                }
            }
            Request::LabWitness { id, automaton, transition, step } => {
                if let Some(session) = self.recorded() {
                    let (witness, limit) = match lab_witness(session, automaton, transition, step) {
                        Ok(witness) => (witness, None),
                        Err(limit) => (None, Some(limit)),
                    };
                    post(Reply::LabWitness { id, witness, limit });
                }
            }
            _ => {}
        }
        false
    }

    /// A finished recording.
    fn recorded(&mut self) -> Option<&mut LabSession> {
        self.recording
            .as_mut()
            .filter(|recording| recording.waits.is_none())
            .map(|recording| &mut recording.session)
    }

    /// Ends the recording with this number where it is.
    pub(super) fn stop_recording(&mut self, id: u32, post: &mut dyn FnMut(Reply)) {
        let Some(recording) = &mut self.recording else { return };
        if recording.waits.as_ref().is_some_and(|(waiting, _)| *waiting == id) {
            recording.session.stop(Limit::Time);
            answer(recording, post);
        }
    }

    /// Works on the recording for at most so many milliseconds; true if there is more to do.
    pub(super) fn slice_lab(
        &mut self,
        clock: &impl Fn() -> f64,
        slice: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let Some(recording) = &mut self.recording else { return false };
        let Some((id, _)) = recording.waits else { return false };
        let start = clock();
        while !recording.session.step() {
            let now = clock();
            if now - start <= slice {
                continue;
            }
            if now - recording.reported > PROGRESS {
                recording.reported = now;
                let (items, nodes) = (recording.session.steps(), recording.session.transitions());
                post(Reply::Progress {
                    id,
                    phase: "lab".to_string(),
                    items,
                    nodes,
                    millis: (now - recording.began) as u64,
                });
            }
            return true;
        }
        answer(recording, post);
        false
    }
}

fn begin(session: &Session, options: &LabOptions) -> Result<LabSession, Box<LabReport>> {
    let request = LabRequest {
        task: options.task,
        set: options.set.clone(),
        max_steps: options.max_steps.into(),
        max_transitions: MOST_DRAWN as u64,
        budgets: Budgets::default(),
    };
    LabSession::new(session, &request).map_err(|problem| {
        let (found, _, limit) = problems(problem, (options.set.as_deref().unwrap_or(""), ""));
        Box::new(LabReport { limit, ..LabReport::nothing(options.clone(), found) })
    })
}

fn answer(recording: &mut Recording, post: &mut dyn FnMut(Reply)) {
    if let Some((id, options)) = recording.waits.take() {
        post(Reply::Lab { id, report: Box::new(lab_report(&mut recording.session, &options)) });
    }
}
