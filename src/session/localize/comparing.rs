//! The correct run beside a round's failing one, and what it says of the transitions: a close one
//! by the interpreter, then the closest.

use super::{Judged, LocalizeSession, LocalizeStage};
use crate::analysis::error_projection::Goal;
use crate::analysis::localize::correct::correct_end;
use crate::analysis::localize::supergraph::SuperEdge;
use crate::analysis::localize::trace::{Transition, transitions_of_prefix};
use crate::lang::model::Program;
use crate::session::closest::{CloseSession, ClosestSearch, Found};
use crate::session::{Budgets, CorrectRun};
use crate::util::{Bounded, Limit};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Statements that are executed for a close correct run: as many as the check took kernel steps,
/// but at least and at most these.
const CLOSE: (u64, u64) = (5_000, 200_000);

/// Kernel steps for the closest correct run: so many times those that the check took, but at least
/// these.
const CLOSEST: u64 = 200_000;
const CLOSEST_SHARE: u64 = 5;

impl LocalizeSession {
    /// A close correct run is looked for first: it is shown where the closest is not found, and
    /// ends the search for that early where it is.
    pub(super) fn begin_closest(&mut self) {
        self.pause_at = None;
        self.stage = LocalizeStage::Close;
        self.correct = Ok(None);
        self.closest = None;
        self.closest_is_set_up = false;
        if self.none_is_correct().unwrap_or(false) {
            // The end of it.
            (self.stage, self.closest_is_set_up) = (LocalizeStage::Closest, true);
            self.no_run_is_correct = true;
            return;
        }
        let (Some(run), Some(program)) = (&self.session.run, self.session.shared_program()) else {
            return;
        };
        self.close = CloseSession::new(
            program,
            &run.run,
            self.failed_check,
            self.checked_at.clamp(CLOSE.0, CLOSE.1),
        );
    }

    /// Is the correct end not reached at all? Known once post\* is complete.
    fn none_is_correct(&mut self) -> Bounded<bool> {
        self.no_run_is_correct = false;
        let (Some(reach), Some(run)) = (&mut self.session.reach, &self.session.run) else {
            return Ok(false);
        };
        let Some(last) = run.entries.last().filter(|_| !self.cut && reach.is_done()) else {
            return Ok(false);
        };
        match correct_end(reach, last.edge, self.failed_check)? {
            Goal::Stores(_, stores) => Ok(stores.is_false()),
            _ => {
                let program = Rc::clone(&reach.program);
                Ok(reach.stores_at(program.procedure(program.main_id()).exit)?.is_false())
            }
        }
    }

    pub(super) fn seek_close(&mut self) -> Bounded<()> {
        let Some(close) = &mut self.close else { return self.go_without_closest(Limit::Steps) };
        if !close.step() {
            return Ok(());
        }
        self.stage = LocalizeStage::Closest;
        let wrong = self.judged.iter().filter(|judged| {
            matches!(judged.transition.edge, SuperEdge::Step(_) | SuperEdge::Enter(_))
        });
        let first_wrong = wrong.map(|judged| judged.is_correct).position(|is_correct| !is_correct);
        match close.found(&self.program, first_wrong) {
            Found::Run(run) => {
                let is_closest = run.closest.is_ok();
                self.correct = Ok(Some(*run));
                if is_closest {
                    return self.closest_is_known();
                }
            }
            Found::None => {}
            Found::Fault => self.contradicted("a close correct run could not be replayed"),
        }
        Ok(())
    }

    /// Builds the program that is asked for the closest run.
    fn set_up_closest(&mut self) -> Bounded<()> {
        self.closest_is_set_up = true;
        let (Some(close), Some(program)) = (self.close.take(), self.session.shared_program())
        else {
            return Ok(());
        };
        let (failing, than) = close.failing();
        let steps = CLOSEST.max(CLOSEST_SHARE.saturating_mul(self.checked_at));
        let budgets = Budgets {
            max_steps: steps.min(self.budgets.max_steps.saturating_sub(self.steps())),
            ..self.budgets
        };
        self.closest =
            Some(ClosestSearch::new(&program, failing, than, budgets, self.alarm.clone())?);
        Ok(())
    }

    pub(super) fn seek_closest(&mut self) -> Bounded<()> {
        if self.no_run_is_correct {
            return self.closest_is_known();
        }
        if !self.closest_is_set_up {
            return self.set_up_closest();
        }
        let Some(search) = &mut self.closest else { return self.go_without_closest(Limit::Steps) };
        match search.step(&self.program)? {
            None => return Ok(()),
            Some(Found::Run(run)) => self.correct = Ok(Some(*run)),
            // None is closer than the close one.
            Some(Found::None) => {
                if let Ok(Some(run)) = &mut self.correct {
                    run.closest = Ok(());
                }
            }
            Some(Found::Fault) => {
                self.contradicted("a correct run could not be replayed");
                return Ok(());
            }
        }
        self.closest_is_known()
    }

    /// The closest correct run is known, or that there is none.
    fn closest_is_known(&mut self) -> Bounded<()> {
        let is_one = matches!(self.correct, Ok(Some(_)));
        if self.nothing_is_left() {
            match !is_one
                && self.judged.iter().any(|judged| judged.edge_is_correct || judged.is_correct)
            {
                true => self.contradicted("a transition is said to be correct, and no run is"),
                false => self.end_judged_round(),
            }
            return Ok(());
        }
        match is_one {
            true => self.begin_rest(),
            false if self.options.refined => self.begin_refined(),
            false => {
                let wrong = vec![(false, false); self.pending.len()];
                self.decided(wrong);
                Ok(())
            }
        }
    }

    /// The closest correct run stays unknown; a close one will do where one is needed.
    pub(super) fn go_without_closest(&mut self, limit: Limit) -> Bounded<()> {
        self.closest_stays_open(limit);
        if self.nothing_is_left() {
            self.end_judged_round();
            return Ok(());
        }
        self.begin_rest()
    }

    /// A close correct run stays, and is not said to be the closest.
    pub(super) fn closest_stays_open(&mut self, limit: Limit) {
        match &mut self.correct {
            // Known before the limit came.
            Ok(Some(CorrectRun { closest: Ok(()), .. })) => {}
            Ok(Some(run)) => run.closest = Err(limit),
            correct => *correct = Err(limit),
        }
    }

    /// What a correct run passes, as the interpreter executed it, must be judged correct.
    fn agrees(&self, run: &CorrectRun) -> Result<(), &'static str> {
        let program = self.session.shared_program().unwrap_or_default();
        let agrees = |(judged, (edge, transition)): (&Judged, &(bool, bool))| {
            (judged.edge_is_correct || !*edge) && (judged.is_correct || !*transition)
        };
        match passes(&program, run, &self.pending) {
            Some(passes) if self.judged.iter().zip(&passes).all(agrees) => Ok(()),
            Some(_) => Err("a correct run passes what is said to be incorrect"),
            None => Err("a correct run could not be replayed"),
        }
    }

    /// Every transition is judged, and nothing is left to be searched.
    pub(super) fn end_judged_round(&mut self) {
        self.count_beside();
        if let Ok(Some(run)) = &self.correct
            && let Err(how) = self.agrees(run)
        {
            return self.contradicted(how);
        }
        self.pending.clear();
        self.end_round();
    }
}

/// By transition of a failing run: does this correct run pass its edge, and it? `None` if that is
/// no run of the program.
fn passes(
    program: &Program,
    correct: &CorrectRun,
    transitions: &[Transition],
) -> Option<Vec<(bool, bool)>> {
    let statements = correct.run.steps.len().saturating_sub(usize::from(correct.passes_check));
    let on_correct = transitions_of_prefix(program, &correct.run, statements)?;
    let mut by_edge: BTreeMap<SuperEdge, Vec<&Transition>> = BTreeMap::new();
    for transition in &on_correct {
        by_edge.entry(transition.edge).or_default().push(transition);
    }
    let passed = |transition: &Transition| {
        let same = by_edge.get(&transition.edge);
        (same.is_some(), same.is_some_and(|same| same.contains(&transition)))
    };
    Some(transitions.iter().map(passed).collect())
}
