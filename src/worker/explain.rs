//! Explanations behind messages: worked off in slices, with an answer after each stage.

use super::driver::Driver;
use crate::report::explain::{ExplainAsk, Explanation, explain, explanation};
use crate::session::{self, ExplainSession, ExplainStage, Job};
use crate::util::Limit;
use crate::wire::protocol::{Budgets, Reply};

/// Milliseconds between two reports of progress.
const PROGRESS: f64 = 100.0;

/// An explanation in progress.
pub(super) struct Explaining {
    id: u32,
    session: ExplainSession,
    ask: ExplainAsk,
    began: f64,
    /// When its stage began.
    stage_began: f64,
    reported: f64,
    max_millis: Option<u64>,
}

impl Driver {
    /// Begins an explanation; true if slices are now to be worked off.
    pub(super) fn explanation(
        &mut self,
        id: u32,
        ask: ExplainAsk,
        budgets: Budgets,
        now: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let was_busy = self.is_busy();
        self.explaining = None;
        let limits = session::Budgets {
            max_nodes: budgets.max_nodes,
            max_steps: budgets.max_steps,
            ..session::Budgets::default()
        };
        let begun = match &self.session {
            Some(session) => explain(session, &self.requested, &ask, limits),
            None => Err("There is no program to explain.".to_string()),
        };
        match begun {
            Ok(session) => {
                let max_millis = budgets.max_millis;
                self.explaining = Some(Explaining {
                    id,
                    session,
                    ask,
                    began: now,
                    stage_began: now,
                    reported: now,
                    max_millis,
                });
                !was_busy
            }
            Err(problem) => {
                post(Reply::Explained {
                    id,
                    explanation: Box::new(Explanation::nothing(ask, problem)),
                    done: true,
                    millis: 0,
                });
                false
            }
        }
    }

    /// Ends the explanation with this number where it is.
    pub(super) fn stop_explaining(&mut self, id: u32, now: f64, post: &mut dyn FnMut(Reply)) {
        if let Some(mut explaining) = self.explaining.take_if(|explaining| explaining.id == id) {
            explaining.session.stop(Limit::Time);
            explaining.tell(now, post);
        }
    }

    /// Works on it for at most so many milliseconds; true if there is more to do.
    pub(super) fn slice_explaining(
        &mut self,
        clock: &impl Fn() -> f64,
        slice: f64,
        post: &mut dyn FnMut(Reply),
    ) -> bool {
        let Some(explaining) = &mut self.explaining else { return false };
        let start = clock();
        loop {
            let stage = explaining.session.stage();
            explaining.session.step();
            let now = clock();
            if explaining.session.stage() == stage
                && explaining
                    .max_millis
                    .is_some_and(|most| now - explaining.stage_began > most as f64)
            {
                explaining.session.end_stage(Limit::Time);
            }
            if explaining.session.stage() != stage {
                explaining.stage_began = now;
                explaining.tell(now, post);
            }
            if explaining.session.stage() == ExplainStage::Done {
                self.explaining = None;
                return false;
            }
            if now - start > slice {
                if now - explaining.reported > PROGRESS {
                    explaining.reported = now;
                    let stage = explaining.session.stage().word().to_string();
                    post(Reply::Explaining {
                        id: explaining.id,
                        stage,
                        millis: (now - explaining.began) as u64,
                    });
                }
                return true;
            }
        }
    }
}

impl Explaining {
    fn tell(&self, now: f64, post: &mut dyn FnMut(Reply)) {
        let explanation = Box::new(explanation(&self.session, &self.ask));
        let done = self.session.stage() == ExplainStage::Done;
        post(Reply::Explained {
            id: self.id,
            explanation,
            done,
            millis: (now - self.began) as u64,
        });
    }
}
