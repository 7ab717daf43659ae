//! Causes of errors, one failing run for each (Ball, Naik, Rajamani 2003, Fig. 2), in small steps.
//!
//! A round checks the program. If a run fails, it finds which of the run's transitions are correct,
//! and puts a halt on every cause; the next round checks the program with these halts. It ends when
//! no run fails any more, when a run has no cause, or at a limit.
//!
//! Which transitions are correct is found in the check's own kernel: post\* goes on to its end,
//! then back from the correct end. If post\* takes more steps than the check took, a look ahead of
//! each transition comes first ([`ForwardJudgement`]); where that leaves something open post\* goes on, and
//! where it grows very large, longer looks are tried. The correct run that is closest to the
//! failing one, which may take a program and a kernel of its own, is searched behind that; or
//! before it, where causes are still not known.

mod comparing;
mod judging;
mod localized;

use super::closest::{CloseSession, ClosestSearch};
use super::refined::RefinedSearch;
use super::{Budgets, CorrectRun, Job, Outcome, Phase, Session, Task};
use crate::analysis::cegar::as_program::AsProgram;
use crate::analysis::localize::correct::none_passes;
use crate::analysis::localize::forward_judgement::ForwardJudgement;
use crate::analysis::localize::supergraph::{SuperEdge, halted};
use crate::analysis::localize::trace::{Transition, transitions};
use crate::analysis::slice::Slice;
use crate::lang::interpreter::replay;
use crate::lang::model::Program;
use crate::util::{Bounded, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
use localized::relevant;
pub use localized::{Ending, Judged, LocalizeOptions, LocalizeStage, LocalizedTrace};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Kernel steps for post\* and the way back before anything else is tried: as many as the check
/// took, but at least these.
const AT_FIRST: u64 = 5_000;

/// Localization in progress.
pub struct LocalizeSession {
    source: String,
    effective: EffectiveOptions,
    program: Rc<Program>,
    options: LocalizeOptions,
    budgets: Budgets,
    session: Session,
    stage: LocalizeStage,
    halts: BTreeSet<SuperEdge>,
    pending: Vec<Transition>,
    /// Which check of its last statement the failing run violates.
    failed_check: usize,
    ahead: Option<ForwardJudgement>,
    /// How often looks ahead may still come when post\* pauses.
    looks_ahead: u8,
    close: Option<CloseSession>,
    closest: Option<ClosestSearch>,
    closest_is_set_up: bool,
    /// Did post\* say so?
    no_run_is_correct: bool,
    refined: Option<RefinedSearch>,
    abstraction: Option<Rc<AsProgram>>,
    correct: Bounded<Option<CorrectRun>>,
    judged: Vec<Judged>,
    known: BTreeMap<SuperEdge, bool>,
    traces: Vec<LocalizedTrace>,
    ending: Option<Ending>,
    /// Of the first round.
    outcome: Option<Outcome>,
    fault: Option<String>,
    steps_before: u64,
    /// Of this round, in kernels of their own.
    steps_beside: u64,
    checked_at: u64,
    /// Of the check's kernel: the steps at which post\* and the way back pause. `None`: they go on
    /// to their end.
    pause_at: Option<u64>,
    /// Did a limit end them in the middle of a step? Then they cannot go on.
    cut: bool,
    alarm: Option<Arc<AtomicBool>>,
}

impl Session {
    /// Sets up the search for causes in the loaded program; `None` if there is none.
    pub fn localize(&self, options: LocalizeOptions, budgets: Budgets) -> Option<LocalizeSession> {
        let program = Rc::clone(self.program.as_ref()?);
        let session = Session::new(&self.source, self.options.clone(), None, None);
        let mut localization = LocalizeSession {
            source: self.source.clone(),
            effective: self.options.clone(),
            program,
            options,
            budgets,
            session,
            stage: LocalizeStage::Checking,
            halts: BTreeSet::new(),
            pending: Vec::new(),
            failed_check: 0,
            ahead: None,
            looks_ahead: 0,
            close: None,
            closest: None,
            closest_is_set_up: false,
            no_run_is_correct: false,
            refined: None,
            abstraction: None,
            correct: Ok(None),
            judged: Vec::new(),
            known: BTreeMap::new(),
            traces: Vec::new(),
            ending: None,
            outcome: None,
            fault: None,
            steps_before: 0,
            steps_beside: 0,
            checked_at: 0,
            pause_at: None,
            cut: false,
            alarm: self.alarm.clone(),
        };
        localization.begin_round();
        Some(localization)
    }
}

impl Job for LocalizeSession {
    fn step(&mut self) -> bool {
        if let Err(limit) = self.advance() {
            self.stop(limit);
        }
        self.stage == LocalizeStage::Done
    }

    fn stop(&mut self, limit: Limit) {
        match self.stage {
            LocalizeStage::Done => {}
            LocalizeStage::Checking => {
                self.session.stop(limit);
                if self.session.phase() == Phase::Done
                    && let Err(limit) = self.checked()
                {
                    self.end(Ending::Limit(limit));
                }
                // Whatever a failing run would still need, the driver has no more time for it.
                if self.stage != LocalizeStage::Done {
                    self.give_up(limit);
                }
            }
            _ => self.give_up(limit),
        }
    }

    fn limit(&self) -> Option<Limit> {
        match self.ending {
            Some(Ending::Limit(limit)) => Some(limit),
            _ => None,
        }
    }

    fn progress(&self) -> Progress {
        let stage = match self.stage {
            LocalizeStage::Checking => self.session.phase().stage(),
            LocalizeStage::Ahead => Stage::Ahead,
            LocalizeStage::Close => Stage::Close,
            LocalizeStage::Closest => Stage::Closest,
            LocalizeStage::Refined => Stage::Refined,
            LocalizeStage::Forward => Stage::Forward,
            LocalizeStage::Backward => Stage::Backward,
            LocalizeStage::Judging(_) => Stage::Judging,
            LocalizeStage::Done => Stage::Done,
        };
        let items = self.traces.len() as u64;
        Progress { stage, items, nodes: self.session.live_nodes(), steps: self.steps() }
    }

    fn set_alarm(&mut self, alarm: Arc<AtomicBool>) {
        self.session.set_alarm(Arc::clone(&alarm));
        self.alarm = Some(alarm);
    }
}

impl LocalizeSession {
    fn begin_round(&mut self) {
        let program = if self.halts.is_empty() {
            Rc::clone(&self.program)
        } else {
            Rc::new(halted(&self.program, &self.halts))
        };
        self.session = Session::new(&self.source, self.effective.clone(), Some(program), None);
        if let Some(alarm) = &self.alarm {
            self.session.set_alarm(Arc::clone(alarm));
        }
        self.stage = LocalizeStage::Checking;
    }

    fn step_check(&mut self) -> Bounded<()> {
        if self.session.phase() == Phase::Idle {
            let max_steps = self.budgets.max_steps.saturating_sub(self.steps_before);
            self.session.start(Task::Check, Budgets { max_steps, ..self.budgets });
            return Ok(());
        }
        if self.session.step() { self.checked() } else { Ok(()) }
    }

    /// The run at hand is kept, without its causes if they are not known.
    fn give_up(&mut self, limit: Limit) {
        if matches!(self.stage, LocalizeStage::Close | LocalizeStage::Closest)
            || self.pause_at.is_some()
        {
            self.closest_stays_open(limit);
        }
        self.count_beside();
        let judged = self.all_are_judged();
        if !judged {
            self.judged.clear();
        }
        self.pending.clear();
        self.keep_trace(judged);
        self.end(Ending::Limit(limit));
    }

    /// A run whose first statement fails has nothing to judge.
    fn nothing_is_left(&self) -> bool {
        self.judged.len() == self.pending.len()
    }

    fn all_are_judged(&self) -> bool {
        !self.judged.is_empty() && self.judged.len() == self.pending.len()
    }

    fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.stage = LocalizeStage::Done;
    }

    fn advance(&mut self) -> Bounded<()> {
        match self.stage {
            LocalizeStage::Checking => self.step_check()?,
            LocalizeStage::Close => self.seek_close()?,
            LocalizeStage::Closest => {
                if let Err(limit) = self.seek_closest() {
                    self.go_without_closest(limit)?;
                }
            }
            LocalizeStage::Ahead => self.look_ahead()?,
            LocalizeStage::Refined => self.step_refined()?,
            LocalizeStage::Forward | LocalizeStage::Backward | LocalizeStage::Judging(_) => {
                if self.pause_at.is_none() {
                    return self.go_back();
                }
                match self.go_back() {
                    // The driver's clock is not to be waited for again.
                    Err(Limit::Time) => return Err(Limit::Time),
                    Err(_) => {
                        self.cut = true;
                        self.pause();
                    }
                    // What is left when transitions are judged is less than anything else would
                    // take.
                    Ok(()) if matches!(self.stage, LocalizeStage::Judging(_)) => {}
                    Ok(())
                        if self
                            .pause_at
                            .is_some_and(|pause_at| self.session.statistics().1 > pause_at) =>
                    {
                        self.pause()
                    }
                    Ok(()) => {}
                }
            }
            LocalizeStage::Done => {}
        }
        Ok(())
    }

    /// This round's check is over.
    fn checked(&mut self) -> Bounded<()> {
        let outcome = self.session.outcome();
        self.fault = self.session.fault().map(str::to_string);
        self.outcome.get_or_insert(outcome);
        self.checked_at = self.session.statistics().1;
        self.pause_at = None;
        self.cut = false;
        match outcome {
            Outcome::Safe => self.end(Ending::NoError),
            Outcome::Unknown(limit) => self.end(Ending::Limit(limit)),
            Outcome::Fault => {
                self.outcome = Some(Outcome::Fault);
                self.end(Ending::NoError);
            }
            Outcome::Unsafe => {
                let run = self.session.failing_run().map(|run| &run.run);
                let program = self.session.shared_program().unwrap_or_default();
                // The check has replayed it, and the halts only took runs away.
                let is_run = self.halts.is_empty()
                    || run.is_some_and(|run| replay(&self.program, run).is_ok());
                match run.and_then(|run| transitions(&program, run)) {
                    Some((transitions, check)) if is_run => {
                        (self.pending, self.failed_check) = (transitions, check)
                    }
                    _ => {
                        self.fault = Some(
                            "a failing run of the program with halts is none of the program"
                                .to_string(),
                        );
                        self.outcome = Some(Outcome::Fault);
                        self.end(Ending::NoError);
                        return Ok(());
                    }
                }
                self.judged.clear();
                self.known.clear();
                self.correct = Ok(None);
                if self.program.concurrency.has_threads() {
                    // Correct runs may need the other threads.
                    return Err(Limit::Threads);
                }
                if self.options.refined {
                    self.begin_closest();
                    return Ok(());
                }
                self.correct = Err(Limit::Steps);
                self.ahead = None;
                self.looks_ahead = 2;
                self.begin_with(AT_FIRST.max(self.checked_at));
                self.stage = LocalizeStage::Forward;
            }
        }
        Ok(())
    }

    fn contradicted(&mut self, how: &str) {
        self.fault = Some(how.to_string());
        self.outcome = Some(Outcome::Fault);
        self.end(Ending::NoError);
    }

    /// Searches in kernels of their own are over.
    fn count_beside(&mut self) {
        self.close = None;
        self.steps_beside += self.closest.take().map_or(0, |search| search.steps());
        self.steps_beside += self.refined.take().map_or(0, |search| search.steps());
    }

    fn end_round(&mut self) {
        self.keep_trace(true);
        let Some(last) = self.traces.last() else { return self.end(Ending::NoError) };
        let causes = last.causes(self.options.variant);
        if causes.is_empty() {
            let left_out = last.untrusting_causes(self.options.variant);
            return self.end(match left_out.iter().any(|edge| last.is_relevant(*edge)) {
                true => Ending::Trusted,
                false if left_out.is_empty() => Ending::NoCause,
                false => Ending::Independent,
            });
        }
        if self.traces.len() as u64 >= u64::from(self.options.max_traces) {
            return self.end(Ending::MaxTraces);
        }
        self.halts.extend(causes);
        self.steps_before += self.session.statistics().1 + std::mem::take(&mut self.steps_beside);
        self.begin_round();
    }

    fn keep_trace(&mut self, judged: bool) {
        let (Some(run), Some(program)) =
            (self.session.failing_run(), self.session.shared_program())
        else {
            return;
        };
        let steps = self.session.statistics().1 + self.steps_beside;
        let ends_with_program = run
            .entries
            .last()
            .is_some_and(|last| none_passes(&program, last.edge, self.failed_check));
        self.traces.push(LocalizedTrace {
            run: run.clone(),
            shortest: self.session.certainty() == super::Certainty::Shortest,
            judged,
            ends_with_program,
            transitions: std::mem::take(&mut self.judged),
            correct: std::mem::replace(&mut self.correct, Ok(None)),
            steps: (self.checked_at, steps - self.checked_at.min(steps)),
            program,
            trusted: self.options.trusted.clone(),
            relevant: self.options.dependent.then(|| relevant(&self.program, &run.run)).flatten(),
        });
    }

    /// To compare with: by edge, is it in the slice of the checks on a line? `None` if that is too
    /// large. Made when it is asked for.
    pub fn slice(&self, line: u32) -> Option<Vec<bool>> {
        let mut slice = Slice::new(Rc::clone(&self.program), Some(line));
        while !slice.is_done() {
            slice.step().ok()?;
        }
        Some(slice.inside().to_vec())
    }

    /// The program's text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The program, without halts.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The options in force.
    pub fn options(&self) -> (&EffectiveOptions, &LocalizeOptions) {
        (&self.effective, &self.options)
    }

    /// The verdict on the program.
    pub fn outcome(&self) -> Outcome {
        match (self.outcome, self.ending) {
            (Some(outcome), _) => outcome,
            (None, Some(Ending::Limit(limit))) => Outcome::Unknown(limit),
            (None, _) => Outcome::Unknown(Limit::Time),
        }
    }

    /// How the interpreter contradicts the engine.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Failing runs with their causes so far.
    pub fn traces(&self) -> &[LocalizedTrace] {
        &self.traces
    }

    /// What it is at.
    pub fn stage(&self) -> LocalizeStage {
        self.stage
    }

    /// Why it ended; `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The check of the round at hand; after a safe program, with its proof.
    pub fn checking(&self) -> &Session {
        &self.session
    }

    /// Kernel steps of all rounds.
    pub fn steps(&self) -> u64 {
        let searching = self.closest.as_ref().map_or(0, ClosestSearch::steps)
            + self.refined.as_ref().map_or(0, RefinedSearch::steps);
        self.steps_before + self.steps_beside + searching + self.session.statistics().1
    }
}
