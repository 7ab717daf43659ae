//! Which transitions of a round's failing run are correct, in the check's kernel.

use super::{Judged, LocalizeSession, LocalizeStage};
use crate::analysis::localize::correct::CorrectTransitions;
use crate::analysis::localize::forward_judgement::{ForwardJudgement, Judgement};
use crate::analysis::localize::trace::Transition;
use crate::bdd::KernelLimits;
use crate::session::Budgets;
use crate::session::early::Early;
use crate::session::refined::RefinedSearch;
use crate::util::{Bounded, Limit};

/// Kernel steps, beside those that the check took, for looks ahead, and for each edge of the
/// program: what its rules and weights take before a first step grows with it as well.
const AHEAD: u64 = 3_000;
const AHEAD_FOR_EACH_EDGE: u64 = 20;

/// The same for the second time, once post\* has grown very large.
const AHEAD_AGAIN: u64 = 2_000_000;

/// Longest failing run, in transitions, for looks ahead.
const LONGEST_AHEAD: usize = 4_000;

/// Kernel steps, beside those that the check took, for post\* after looks ahead, and again for the
/// way back from its end; then they pause.
const AT_ONCE: u64 = 8_000_000;

/// One piece of work, in the middle of which nothing pauses, ends at so many times the steps for
/// its part. post\* starts anew after that, if it is needed.
const WHOLE: u64 = 4;

impl LocalizeSession {
    /// Something begins in the check's kernel that pauses after so many steps.
    pub(super) fn begin_with(&mut self, steps: u64) {
        self.allow(WHOLE.saturating_mul(steps));
        self.pause_at = Some(self.session.statistics().1.saturating_add(steps));
    }

    /// post\* or the way back have taken what they may.
    pub(super) fn pause(&mut self) {
        // The way back takes less than post\* did; looks ahead are for where post\* is not
        // complete.
        if self.looks_ahead == 0 || self.stage != LocalizeStage::Forward {
            return self.begin_closest();
        }
        self.looks_ahead -= 1;
        let for_edges = AHEAD_FOR_EACH_EDGE.saturating_mul(self.program.edges.len() as u64);
        let steps =
            if self.looks_ahead == 0 { AHEAD_AGAIN } else { AHEAD.saturating_add(for_edges) };
        self.begin_with(steps.saturating_add(self.checked_at));
        self.stage = LocalizeStage::Ahead;
    }

    /// Looks ahead have left something open: post\* and the way back go on.
    pub(super) fn go_on(&mut self) -> Bounded<()> {
        self.ahead = None;
        self.judged.clear();
        if std::mem::take(&mut self.cut) {
            self.begin_poststar()?;
        }
        self.begin_with(AT_ONCE.saturating_add(self.checked_at));
        self.stage = LocalizeStage::Forward;
        Ok(())
    }

    pub(super) fn look_ahead(&mut self) -> Bounded<()> {
        let (Some(reach), Some(run)) = (&mut self.session.reach, &self.session.run) else {
            return Ok(());
        };
        let Some(ahead) = &mut self.ahead else {
            match run.entries.last().filter(|_| self.pending.len() <= LONGEST_AHEAD) {
                Some(failing) => {
                    self.ahead = Some(ForwardJudgement::new(
                        &reach.program,
                        failing.edge,
                        self.failed_check,
                        &self.pending,
                    ))
                }
                None => self.go_on()?,
            }
            return Ok(());
        };
        match ahead.step(reach) {
            // The driver's clock is not to be waited for again.
            Err(Limit::Time) => return Err(Limit::Time),
            Ok(Some(Judgement::Decided(decided))) => {
                let judged =
                    |(transition, (edge_is_correct, is_correct)): (&Transition, (bool, bool))| {
                        Judged { transition: transition.clone(), edge_is_correct, is_correct }
                    };
                self.judged = self.pending.iter().zip(decided).map(judged).collect();
                self.ahead = None;
                self.begin_closest();
            }
            Ok(None)
                if self.pause_at.is_none_or(|pause_at| reach.domain.kernel.steps() <= pause_at) => {
            }
            Ok(_) | Err(_) => {
                self.session.collect();
                self.go_on()?;
            }
        }
        Ok(())
    }

    /// Lets the check's kernel take this many more steps, if the budget has them.
    pub(super) fn allow(&mut self, steps: u64) {
        let left = self.budgets.max_steps.saturating_sub(self.steps());
        if let Some(reach) = &mut self.session.reach {
            let kernel = &mut reach.domain.kernel;
            let max_steps = kernel.steps().saturating_add(steps.min(left));
            kernel.set_limits(KernelLimits { max_nodes: self.budgets.max_nodes, max_steps });
        }
    }

    /// One piece of post\*, of the way back from the correct end, or of what is asked then.
    pub(super) fn go_back(&mut self) -> Bounded<()> {
        match self.stage {
            LocalizeStage::Forward => {
                let Some(reach) = &mut self.session.reach else { return Ok(()) };
                if !reach.is_done() {
                    reach.step()?;
                }
                if reach.is_done() {
                    if self.pause_at.is_some() {
                        self.begin_with(AT_ONCE.saturating_add(self.checked_at));
                    }
                    self.begin_backward()?;
                }
                self.session.collect();
            }
            LocalizeStage::Backward => {
                let (Some(reach), Some(correct)) =
                    (&mut self.session.reach, &mut self.session.correct)
                else {
                    return Ok(());
                };
                if correct.step(reach)? {
                    self.stage = LocalizeStage::Judging(0);
                }
                self.session.collect();
            }
            LocalizeStage::Judging(next) => {
                if next < self.pending.len() {
                    self.judge(next)?;
                    self.stage = LocalizeStage::Judging(next + 1);
                    self.session.collect();
                } else if self.pause_at.is_some() {
                    self.begin_closest();
                } else {
                    self.end_judged_round();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// On with post\*, or what takes its place.
    pub(super) fn begin_rest(&mut self) -> Bounded<()> {
        if self.options.refined { self.begin_refined() } else { self.begin_forward() }
    }

    pub(super) fn begin_refined(&mut self) -> Bounded<()> {
        self.count_beside();
        self.stage = LocalizeStage::Refined;
        let Some(run) = &self.session.run else { return Ok(()) };
        let Some(failing) = run.entries.last().map(|entry| (entry.edge, self.failed_check)) else {
            return Ok(());
        };
        let edges = self.pending.iter().map(|transition| transition.edge).collect();
        let budgets = Budgets {
            max_steps: self.budgets.max_steps.saturating_sub(self.steps()),
            ..self.budgets
        };
        let about = (&self.program, self.effective.error);
        let search = RefinedSearch::new(
            about,
            &self.halts,
            failing,
            edges,
            self.abstraction.clone(),
            budgets,
            self.alarm.clone(),
        )?;
        self.refined = Some(search);
        Ok(())
    }

    pub(super) fn step_refined(&mut self) -> Bounded<()> {
        let Some(search) = &mut self.refined else { return Ok(()) };
        if let Some(correct) = search.step()? {
            self.abstraction = search.abstraction();
            self.decided(correct.into_iter().map(|correct| (correct, correct)).collect());
        }
        Ok(())
    }

    /// All transitions are judged without post\*.
    pub(super) fn decided(&mut self, decided: Vec<(bool, bool)>) {
        let judged = |(transition, (edge_is_correct, is_correct)): (&Transition, (bool, bool))| {
            Judged { transition: transition.clone(), edge_is_correct, is_correct }
        };
        self.judged = self.pending.iter().zip(decided).map(judged).collect();
        self.end_judged_round();
    }

    /// On to all correct transitions.
    pub(super) fn begin_forward(&mut self) -> Bounded<()> {
        self.count_beside();
        if self.options.refined {
            return self.begin_refined();
        }
        self.stage = LocalizeStage::Forward;
        self.judged.clear();
        if std::mem::take(&mut self.cut) {
            self.begin_poststar()?;
        } else {
            self.allow(u64::MAX);
        }
        match self.session.reach.as_ref().is_some_and(|reach| reach.is_done()) {
            true => self.begin_backward(),
            false => Ok(()),
        }
    }

    /// post\* anew, after it was ended in the middle of a step.
    pub(super) fn begin_poststar(&mut self) -> Bounded<()> {
        self.steps_beside += self.session.statistics().1;
        self.session.correct = None;
        // They look into the kernel that is given up.
        (self.session.early, self.session.walk) = (Early::Over, None);
        self.session.begin_poststar(self.budgets.max_steps.saturating_sub(self.steps()))
    }

    pub(super) fn begin_backward(&mut self) -> Bounded<()> {
        if self.session.correct.is_some() {
            self.stage = LocalizeStage::Backward;
            return Ok(());
        }
        let (Some(reach), Some(run)) = (&mut self.session.reach, &self.session.run) else {
            return Ok(());
        };
        if let Some(failing) = run.entries.last() {
            self.session.correct =
                Some(CorrectTransitions::new(reach, failing.edge, self.failed_check)?);
            self.stage = LocalizeStage::Backward;
        }
        Ok(())
    }

    pub(super) fn judge(&mut self, next: usize) -> Bounded<()> {
        let (Some(reach), Some(correct)) = (&mut self.session.reach, &mut self.session.correct)
        else {
            return Ok(());
        };
        let transition = self.pending[next].clone();
        // A correct transition's edge is correct as well.
        let known = self.known.get(&transition.edge).copied();
        let is_correct = known != Some(false) && correct.has(reach, &transition)?;
        let edge_is_correct = match known {
            _ if is_correct => true,
            Some(known) => known,
            None => correct.has_edge(reach, transition.edge)?,
        };
        self.known.insert(transition.edge, edge_is_correct);
        self.judged.push(Judged { transition, edge_is_correct, is_correct });
        Ok(())
    }
}
