//! The correct run that is closest to the failing one, or a close one, and what follows from it for
//! transitions that are not judged yet.

use super::{Aside, Judging, Question};
use crate::analysis::error_projection::Goal;
use crate::analysis::localize::correct::correct_end;
use crate::analysis::localize::correct_run::{CloseRunSearch, ClosestRunSearch, CorrectRun, Found};
use crate::analysis::localize::supergraph::SuperEdge;
use crate::util::{Bounded, Limit};
use std::rc::Rc;

/// The statements that may be executed in the search for a close correct run: as many as the check
/// took kernel steps, but not fewer and not more than these.
const CLOSE: (u64, u64) = (5_000, 200_000);

/// The kernel steps for the closest correct run: a multiple of those that the check took, but at
/// least this number.
const CLOSEST: u64 = 200_000;
const CLOSEST_SHARE: u64 = 5;

impl Judging {
    /// Searches a close correct run first. It is shown if the closest one is not found. If it is
    /// the closest one, the search ends early.
    pub(super) fn begin_comparing(&mut self) {
        self.pause_at = None;
        self.correct = Ok(None);
        self.aside = Some(Aside::Compare);
    }

    pub(super) fn compare(&mut self) -> Bounded<()> {
        if self.none_is_correct().unwrap_or(false) {
            return self.closest_is_known();
        }
        let most = self.checked.clamp(CLOSE.0, CLOSE.1);
        let Question { halted, run, failing, .. } = &self.question;
        match CloseRunSearch::new(Rc::clone(halted), &run.run, failing.1, most) {
            Some(close) => self.aside = Some(Aside::Close(Box::new(close))),
            None => return self.go_without_closest(Limit::Steps),
        }
        Ok(())
    }

    /// Does no run reach the correct end? This is known once post\* is complete.
    fn none_is_correct(&mut self) -> Bounded<bool> {
        let reach = &mut self.reach;
        if self.cut || !reach.is_done() {
            return Ok(false);
        }
        let (edge, check) = self.question.failing;
        match correct_end(reach, edge, check)? {
            Goal::Stores(_, stores) => Ok(stores.is_false()),
            _ => {
                let program = Rc::clone(&reach.program);
                Ok(reach.stores_at(program.procedure(program.main_id()).exit)?.is_false())
            }
        }
    }

    pub(super) fn seek_close(&mut self, mut close: Box<CloseRunSearch>) -> Bounded<()> {
        if !close.step() {
            self.aside = Some(Aside::Close(close));
            return Ok(());
        }
        let wrong = self.judged.iter().filter(|judged| {
            matches!(judged.transition.edge, SuperEdge::Step(_) | SuperEdge::Enter(_))
        });
        let first_wrong = wrong.map(|judged| judged.is_correct).position(|is_correct| !is_correct);
        match close.found(&self.question.program, first_wrong) {
            Found::Run(run) => {
                let is_closest = run.closest.is_ok();
                self.correct = Ok(Some(*run));
                if is_closest {
                    return self.closest_is_known();
                }
            }
            Found::None => {}
            Found::Fault => {
                self.contradicted("a close correct run could not be replayed");
                return Ok(());
            }
        }
        match self.closest_search(&close) {
            Ok(search) => {
                self.aside = Some(Aside::Closest(Box::new(search)));
                Ok(())
            }
            Err(limit) => self.go_without_closest(limit),
        }
    }

    /// Builds the program that is searched for the closest run.
    fn closest_search(&self, close: &CloseRunSearch) -> Bounded<ClosestRunSearch> {
        let (failing, than) = close.failing();
        let steps = CLOSEST.max(CLOSEST_SHARE.saturating_mul(self.checked)).min(self.steps_left());
        let budgets = self.question.budgets.with_steps(steps);
        let alarm = self.question.alarm.clone();
        ClosestRunSearch::new(&self.question.halted, failing, than, budgets, alarm)
    }

    pub(super) fn seek_closest(&mut self, mut search: Box<ClosestRunSearch>) -> Bounded<()> {
        let answer = search.step(&self.question.program);
        self.aside = Some(Aside::Closest(search));
        match answer {
            Err(limit) => return self.go_without_closest(limit),
            Ok(None) => return Ok(()),
            Ok(Some(Found::Run(run))) => self.correct = Ok(Some(*run)),
            // No run is closer than the close one.
            Ok(Some(Found::None)) => {
                if let Ok(Some(run)) = &mut self.correct {
                    run.closest = Ok(());
                }
            }
            Ok(Some(Found::Fault)) => {
                self.contradicted("a correct run could not be replayed");
                return Ok(());
            }
        }
        self.closest_is_known()
    }

    /// Notes that the closest correct run is known, or that there is none.
    fn closest_is_known(&mut self) -> Bounded<()> {
        let is_one = matches!(self.correct, Ok(Some(_)));
        if self.nothing_is_left() {
            let some_is_correct =
                self.judged.iter().any(|judged| judged.edge_is_correct || judged.is_correct);
            if !is_one && some_is_correct {
                self.contradicted("a transition is said to be correct, and no run is");
            } else {
                self.end();
            }
            return Ok(());
        }
        if is_one || self.question.refined {
            return self.begin_rest();
        }
        self.decided(vec![(false, false); self.question.transitions.len()]);
        Ok(())
    }

    /// Notes that the closest correct run stays unknown. A close one takes its place where one is
    /// needed.
    fn go_without_closest(&mut self, limit: Limit) -> Bounded<()> {
        self.closest_stays_open(limit);
        if self.nothing_is_left() {
            self.end();
            return Ok(());
        }
        self.begin_rest()
    }

    /// Keeps a close correct run, without the claim that it is the closest one.
    pub(super) fn closest_stays_open(&mut self, limit: Limit) {
        match &mut self.correct {
            // The search knew this before the limit came.
            Ok(Some(CorrectRun { closest: Ok(()), .. })) => {}
            Ok(Some(run)) => run.closest = Err(limit),
            correct => *correct = Err(limit),
        }
    }
}
