//! The correct run that is closest to a round's failing one, and what it says of the transitions.

use super::{Judged, LocalizeSession, LocalizeStage};
use crate::session::closest::{ClosestSearch, Found};
use crate::session::nearby::settled_by;
use crate::session::{Budgets, CorrectRun};
use crate::util::Bounded;

/// Kernel steps for the closest correct run, beside those that the check took.
const CLOSEST_STEPS: u64 = 5_000_000;

impl LocalizeSession {
    pub(super) fn begin_closest(&mut self) {
        self.pause_at = None;
        self.stage = LocalizeStage::Closest;
        self.correct = Ok(None);
        self.closest = None;
        self.closest_is_set_up = false;
    }

    /// Builds the program that is asked for the closest run.
    pub(super) fn set_up_closest(&mut self) {
        self.closest_is_set_up = true;
        let (Some(run), Some(program)) = (&self.session.run, self.session.shared_program()) else { return };
        let run = &run.run;
        let max_steps = CLOSEST_STEPS.saturating_add(self.checked_at).min(self.budgets.max_steps.saturating_sub(self.steps()));
        let budgets = Budgets { max_steps, ..self.budgets };
        match ClosestSearch::new(&program, run, self.failed_check, budgets, self.alarm.clone()) {
            Ok(search) => self.closest = search,
            Err(limit) => self.correct = Err(limit),
        }
    }

    pub(super) fn seek_closest(&mut self) -> Bounded<()> {
        if !self.closest_is_set_up {
            self.set_up_closest();
            return Ok(());
        }
        let all_are_judged = self.nothing_is_left();
        let Some(search) = &mut self.closest else {
            match all_are_judged {
                true => self.end_judged_round(),
                false => self.begin_forward()?,
            }
            return Ok(());
        };
        match search.step(&self.program)? {
            None => Ok(()),
            Some(Found::Run(run)) if all_are_judged => {
                self.compare(&run);
                self.correct = Ok(Some(*run));
                if self.stage != LocalizeStage::Done {
                    self.end_judged_round();
                }
                Ok(())
            }
            Some(Found::None) if all_are_judged => {
                match self.judged.iter().any(|judged| judged.edge_is_correct || judged.is_correct) {
                    true => self.contradicted("a transition is said to be correct, and no run is"),
                    false => self.end_judged_round(),
                }
                Ok(())
            }
            Some(Found::Run(run)) => {
                self.correct = Ok(Some(*run));
                self.begin_nearby()
            }
            Some(Found::None) if self.options.refined => self.begin_refined(),
            Some(Found::None) => {
                let wrong = vec![(false, false); self.pending.len()];
                self.decided(wrong);
                Ok(())
            }
            Some(Found::Fault) => {
                self.contradicted("a correct run could not be replayed");
                Ok(())
            }
        }
    }

    /// What a correct run passes, as the interpreter executed it, must be judged correct.
    pub(super) fn compare(&mut self, run: &CorrectRun) {
        let program = self.session.shared_program().unwrap_or_default();
        let agrees = |(judged, (edge, transition)): (&Judged, &(bool, bool))| {
            (judged.edge_is_correct || !*edge) && (judged.is_correct || !*transition)
        };
        match settled_by(&program, run, &self.pending) {
            Some(settled) if self.judged.iter().zip(&settled).all(agrees) => {}
            Some(_) => self.contradicted("a correct run passes what is said to be incorrect"),
            None => self.contradicted("a correct run could not be replayed"),
        }
    }
}
