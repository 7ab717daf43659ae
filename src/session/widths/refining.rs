//! Refinement in the place of saturation, where C's own integers exceeded their first share.
//!
//! Saturation keeps all that is true of every store. Where that is too much, refinement may need
//! only a part of it: predicates, or some of the variables. Its answer is about C's own integers.
//! It has no projection.

use crate::analysis::cegar::round::Ending;
use crate::analysis::invariant::proving::Proof;
use crate::analysis::replay::ReplayedRun;
use crate::lang::model::Program;
use crate::session::{Budgets, CegarSession, Job, Outcome};
use crate::util::{Alarm, Limit, Progress, Stage};
use crate::wire::cegar::RefinedReport;
use crate::wire::refinement::CegarOptions;
use std::rc::Rc;

/// What refinement found.
#[derive(Clone, Debug)]
pub(in crate::session) struct Refined {
    /// Safe, unsafe or a fault.
    pub(in crate::session) outcome: Outcome,
    /// The failing run, if the program is unsafe.
    pub(in crate::session) run: Option<ReplayedRun>,
    /// What is known of the proof, if it is safe.
    pub(in crate::session) proof: Option<Proof>,
    pub(in crate::session) fault: Option<String>,
    pub(in crate::session) report: RefinedReport,
}

/// The loop, while it goes on.
pub(in crate::session) struct Refining {
    refinement: CegarSession,
}

impl Refining {
    /// Begins with the loop's default options. Only errors on line `error` count, if given.
    pub(in crate::session) fn new(
        program: &Rc<Program>,
        error: Option<u32>,
        budgets: Budgets,
        alarm: Option<Alarm>,
    ) -> Refining {
        let options = CegarOptions::default();
        let mut refinement = CegarSession::new(Rc::clone(program), error, options, budgets);
        if let Some(alarm) = alarm {
            refinement.set_alarm(alarm);
        }
        Refining { refinement }
    }

    pub(in crate::session) fn step(&mut self) -> bool {
        self.refinement.step()
    }

    pub(in crate::session) fn stop(&mut self, limit: Limit) {
        self.refinement.stop(limit);
    }

    pub(in crate::session) fn set_alarm(&mut self, alarm: &Alarm) {
        self.refinement.set_alarm(alarm.clone());
    }

    /// Rounds and nodes so far.
    pub(in crate::session) fn progress(&self) -> Progress {
        Progress { stage: Stage::Refine, ..self.refinement.progress() }
    }

    /// The most nodes alive at once, and the steps.
    pub(in crate::session) fn spent(&self) -> (u64, u64) {
        let (peak, steps, _) = self.refinement.statistics();
        (peak, steps)
    }

    /// What was found; or the limit that ended the loop.
    pub(in crate::session) fn into_answer(self) -> Result<Refined, Limit> {
        let refinement = self.refinement;
        let outcome = refinement.outcome();
        if let Outcome::Unknown(limit) = outcome {
            return Err(limit);
        }
        let proof = match refinement.cegar().and_then(|cegar| cegar.ending()) {
            Some(Ending::Safe(Ok(()))) => Some(Proof::Checked),
            Some(Ending::Safe(Err(limit))) => Some(Proof::Unchecked(limit)),
            _ => None,
        };
        Ok(Refined {
            outcome,
            run: refinement.failing_run().cloned(),
            proof: proof.filter(|_| outcome == Outcome::Safe),
            fault: refinement.fault().map(str::to_string),
            report: RefinedReport {
                rounds: refinement.rounds().len() as u32,
                decided: refinement.decision(),
            },
        })
    }
}
