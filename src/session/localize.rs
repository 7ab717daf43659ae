//! Causes of errors, one failing run for each (Ball, Naik, Rajamani 2003, Fig. 2), in small steps.
//!
//! A round checks the program. If a run fails, it finds which of the run's transitions are correct, and puts a halt on every cause; the next round checks the
//! program with these halts. It ends when no run fails any more, when a run has no cause, or at a limit.
//!
//! Which transitions are correct is found in the check's own kernel where that is soon done: post\* goes on to its end, then back from the correct end. If half the check's steps are
//! not enough for that, a look ahead of each transition follows ([`Ahead`]); where that leaves something open post\* goes on. The correct run
//! that is closest to the failing one, which takes a program and a kernel of its own, is searched behind that. Where it is not soon done, the closest run comes first: it
//! settles what is on it, and what is left is asked one by one ([`NearbySearch`]), before post\* goes on after all.

use super::closest::{ClosestSearch, Found};
use super::nearby::{NearbySearch, Tried, settled_by};
use super::refined::RefinedSearch;
use super::{Budgets, CorrectRun, Outcome, Phase, ReplayedRun, Session, Task};
use crate::analysis::cegar::as_program::AsProgram;
use crate::analysis::focus::focus_of_run;
use crate::analysis::localize::Variant;
use crate::analysis::localize::ahead::{Ahead, Looked};
use crate::analysis::localize::correct::{CorrectTransitions, never_holds};
use crate::analysis::localize::supergraph::{SuperEdge, halted, lines};
use crate::analysis::localize::trace::{Transition, transitions};
use crate::analysis::slice::Slice;
use crate::bdd::KernelLimits;
use crate::lang::interpreter::{ConcreteRun, replay};
use crate::lang::model::{EdgeId, ProcedureId, Program};
use crate::lang::options::EffectiveOptions;
use crate::util::{Bounded, Limit};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Kernel steps for the closest correct run, beside those that the check took.
const CLOSEST_STEPS: u64 = 5_000_000;

/// Kernel steps for correct transitions one by one, beside those that the check took.
const NEARBY_STEPS: u64 = 2_000_000;

/// Kernel steps for post\* and the way back before anything else is tried: half of those that the check took, but at least these.
const AT_FIRST: u64 = 5_000;

/// Kernel steps, beside those that the check took, for looks ahead.
const AHEAD: u64 = 3_000;

/// Longest failing run, in transitions, for looks ahead.
const LONGEST_AHEAD: usize = 4_000;

/// Kernel steps, beside those that the check took, for post\* and the way back after looks ahead, before programs of their own are built; then they pause.
const AT_ONCE: u64 = 1_000_000;

/// One piece of work, in the middle of which nothing pauses, ends at so many times the steps for its part. post\* starts anew after that, if it is needed.
const WHOLE: u64 = 4;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct LocalizeOptions {
    /// Which causes are halted at. Both are found.
    pub variant: Variant,
    /// Procedures whose statements are never causes.
    pub trusted: Vec<ProcedureId>,
    /// Only causes on which what fails depends on the failing run, by data and control (as in focus-statement sequences)? That loses errors of omission.
    pub dependent: bool,
    /// Are edges correct if the abstraction that the loop of refinement ends with has a correct run over them? Else if the program itself has. Causes by
    /// transitions are then those by edges.
    pub refined: bool,
    /// Failing runs, at most.
    pub max_traces: u32,
}

impl Default for LocalizeOptions {
    fn default() -> Self {
        LocalizeOptions { variant: Variant::Edges, trusted: Vec::new(), dependent: false, refined: false, max_traces: 10 }
    }
}

/// Why no further failing run is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No run fails any more.
    NoError,
    /// Every edge (transition) of the last run is on some correct run: coincidental correctness.
    NoCause,
    /// The last run has causes, but all in trusted procedures.
    Trusted,
    /// The last run has causes, but what fails depends on none of them, and only those that it depends on were asked for.
    Independent,
    /// As many failing runs as were asked for.
    MaxTraces,
    /// A limit, in a later round or while looking for causes.
    Limit(Limit),
}

/// A transition of a failing run, and whether correct runs have it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Which.
    pub transition: Transition,
    /// Does some correct run take its edge?
    pub edge_is_correct: bool,
    /// Does some correct run take its edge with the same states?
    pub is_correct: bool,
}

/// A failing run with its causes.
#[derive(Clone, Debug)]
pub struct LocalizedTrace {
    /// The run; of the program with the earlier rounds' halts, and (replayed) of the program itself.
    pub run: ReplayedRun,
    /// Is it certain to be a shortest one of its round?
    pub shortest: bool,
    /// Are its transitions judged? Not where a limit came first.
    pub judged: bool,
    /// Do correct runs end where the program ends, as the check that fails never holds?
    pub ends_with_program: bool,
    /// All of its transitions, in order.
    pub transitions: Vec<Judged>,
    /// The correct run closest to it ([`closest`](crate::analysis::localize::closest)), of the program with the earlier rounds' halts; none if there is no
    /// correct run at all; or the limit that ended the search.
    pub correct: Bounded<Option<CorrectRun>>,
    /// Kernel steps for checking, and for everything that causes need beyond that.
    pub steps: (u64, u64),
    /// The program with the halts of earlier rounds.
    program: Rc<Program>,
    trusted: Vec<ProcedureId>,
    /// Statements on which what fails depends, if only those count.
    relevant: Option<BTreeSet<EdgeId>>,
}

impl LocalizedTrace {
    /// The cause, as edges of the supergraph.
    pub fn causes(&self, variant: Variant) -> BTreeSet<SuperEdge> {
        let mut causes = self.untrusting_causes(variant);
        causes.retain(|edge| !self.trusted.contains(&self.program.owner(edge.edge())));
        causes.retain(|edge| self.is_relevant(*edge));
        causes
    }

    fn is_relevant(&self, edge: SuperEdge) -> bool {
        self.relevant.as_ref().is_none_or(|relevant| relevant.contains(&edge.edge()))
    }

    fn untrusting_causes(&self, variant: Variant) -> BTreeSet<SuperEdge> {
        let incorrect = |judged: &&Judged| match variant {
            Variant::Edges => !judged.edge_is_correct,
            Variant::Transitions => !judged.is_correct,
        };
        self.transitions.iter().filter(incorrect).map(|judged| judged.transition.edge).collect()
    }

    /// The lines of the cause, ascending.
    pub fn lines(&self, variant: Variant) -> Vec<u32> {
        let trace: Vec<SuperEdge> = self.transitions.iter().map(|judged| judged.transition.edge).collect();
        lines(&self.program, &trace, &self.causes(variant))
    }

    /// The lines of the vertices that the run passes, one after the other, the failing statement's last.
    pub fn path(&self) -> Vec<u32> {
        let from = |judged: &Judged| judged.transition.edge.from(&self.program).line(&self.program);
        let mut path: Vec<u32> = self.transitions.iter().map(from).collect();
        path.extend(self.run.entries.last().map(|entry| self.program.location(self.program.edge(entry.edge).from).line));
        path.dedup();
        path
    }
}

/// What a localization is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalizeStage {
    /// The program, with the halts of earlier rounds, is checked.
    Checking,
    /// A look ahead of each transition.
    Ahead,
    /// The correct run closest to the failing one is searched.
    Closest,
    /// Correct transitions are looked for one by one.
    Nearby,
    /// Correct edges by a refined abstraction.
    Refined,
    /// post\* goes on to its end.
    Forward,
    /// Which transitions are correct?
    Backward,
    /// The n-th transition of the run is judged.
    Judging(usize),
    /// Over.
    Done,
}

impl LocalizeStage {
    /// A word for progress lines and measurements.
    pub fn word(self) -> &'static str {
        match self {
            LocalizeStage::Checking => "check",
            LocalizeStage::Ahead => "ahead",
            LocalizeStage::Closest => "closest",
            LocalizeStage::Nearby => "nearby",
            LocalizeStage::Refined => "refined",
            LocalizeStage::Forward => "forward",
            LocalizeStage::Backward => "backward",
            LocalizeStage::Judging(_) => "judging",
            LocalizeStage::Done => "done",
        }
    }
}

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
    ahead: Option<Ahead>,
    /// Do looks ahead come when post\* and the way back pause?
    ahead_is_next: bool,
    closest: Option<ClosestSearch>,
    closest_is_set_up: bool,
    nearby: Option<NearbySearch>,
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
    /// Of the check's kernel: the steps at which post\* and the way back pause. `None`: they go on to their end.
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
            ahead_is_next: false,
            closest: None,
            closest_is_set_up: false,
            nearby: None,
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

impl LocalizeSession {
    fn begin_round(&mut self) {
        let program = if self.halts.is_empty() { Rc::clone(&self.program) } else { Rc::new(halted(&self.program, &self.halts)) };
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

    /// One bounded piece of work; is it over?
    pub fn step(&mut self) -> bool {
        if let Err(limit) = self.advance() {
            self.stop(limit);
        }
        self.stage == LocalizeStage::Done
    }

    /// Runs to the end.
    pub fn run(&mut self) {
        while !self.step() {}
    }

    /// Ends it where it is, for a limit that the driver keeps. What was found stays.
    pub fn stop(&mut self, limit: Limit) {
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

    /// The run at hand is kept, without its causes if they are not known.
    fn give_up(&mut self, limit: Limit) {
        if self.stage == LocalizeStage::Closest || self.pause_at.is_some() {
            self.correct = Err(limit);
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
            LocalizeStage::Closest => {
                if let Err(limit) = self.seek_closest() {
                    self.correct = Err(limit);
                    match self.nothing_is_left() {
                        true => self.end_judged_round(),
                        false => self.begin_forward()?,
                    }
                }
            }
            LocalizeStage::Ahead => self.look_ahead()?,
            LocalizeStage::Nearby => self.try_nearby()?,
            LocalizeStage::Refined => self.step_refined()?,
            LocalizeStage::Forward | LocalizeStage::Backward | LocalizeStage::Judging(_) => {
                let Some(pause_at) = self.pause_at else { return self.go_back() };
                match self.go_back() {
                    // The driver's clock is not to be waited for again.
                    Err(Limit::Time) => return Err(Limit::Time),
                    Err(_) => {
                        self.cut = true;
                        self.pause();
                    }
                    // What is left when transitions are judged is less than a look ahead of each.
                    Ok(()) if self.ahead_is_next && matches!(self.stage, LocalizeStage::Judging(_)) => {}
                    Ok(()) if self.stage != LocalizeStage::Closest && self.session.statistics().1 > pause_at => self.pause(),
                    Ok(()) => {}
                }
            }
            LocalizeStage::Done => {}
        }
        Ok(())
    }

    /// One piece of post\*, of the way back from the correct end, or of what is asked then.
    fn go_back(&mut self) -> Bounded<()> {
        match self.stage {
            LocalizeStage::Forward => {
                let Some(reach) = &mut self.session.reach else { return Ok(()) };
                if !reach.is_done() {
                    reach.step()?;
                }
                if reach.is_done() {
                    self.begin_backward()?;
                }
                self.session.collect();
            }
            LocalizeStage::Backward => {
                let (Some(reach), Some(correct)) = (&mut self.session.reach, &mut self.session.correct) else { return Ok(()) };
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
                let run = self.session.failing_run().map(|run| run.run.clone()).unwrap_or_default();
                let program = self.session.shared_program().unwrap_or_default();
                // The check has replayed it, and the halts only took runs away.
                let is_run = self.halts.is_empty() || replay(&self.program, &run).is_ok();
                match transitions(&program, &run) {
                    Some((transitions, check)) if is_run => (self.pending, self.failed_check) = (transitions, check),
                    _ => {
                        self.fault = Some("a failing run of the program with halts is none of the program".to_string());
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
                self.ahead_is_next = true;
                self.begin_with(AT_FIRST.max(self.checked_at / 2));
                self.stage = LocalizeStage::Forward;
            }
        }
        Ok(())
    }

    /// Something begins in the check's kernel that pauses after so many steps.
    fn begin_with(&mut self, steps: u64) {
        self.allow(WHOLE.saturating_mul(steps));
        self.pause_at = Some(self.session.statistics().1.saturating_add(steps));
    }

    /// post\* and the way back have taken what they may.
    fn pause(&mut self) {
        if std::mem::take(&mut self.ahead_is_next) {
            self.begin_with(AHEAD.saturating_add(self.checked_at));
            self.stage = LocalizeStage::Ahead;
        } else {
            self.begin_closest();
        }
    }

    /// Looks ahead have left something open: post\* and the way back go on.
    fn go_on(&mut self) -> Bounded<()> {
        self.ahead = None;
        self.judged.clear();
        if std::mem::take(&mut self.cut) {
            self.begin_poststar()?;
        }
        self.begin_with(AT_ONCE.saturating_add(self.checked_at));
        self.stage = LocalizeStage::Forward;
        Ok(())
    }

    fn look_ahead(&mut self) -> Bounded<()> {
        let (Some(reach), Some(run)) = (&mut self.session.reach, &self.session.run) else { return Ok(()) };
        let Some(ahead) = &mut self.ahead else {
            match run.entries.last().filter(|_| self.pending.len() <= LONGEST_AHEAD) {
                Some(failing) => self.ahead = Some(Ahead::new(&reach.program, failing.edge, self.failed_check, &self.pending)),
                None => self.go_on()?,
            }
            return Ok(());
        };
        match ahead.step(reach) {
            // The driver's clock is not to be waited for again.
            Err(Limit::Time) => return Err(Limit::Time),
            Ok(Some(Looked::Decided(decided))) => {
                let judged = |(transition, (edge_is_correct, is_correct)): (&Transition, (bool, bool))| Judged {
                    transition: transition.clone(),
                    edge_is_correct,
                    is_correct,
                };
                self.judged = self.pending.iter().zip(decided).map(judged).collect();
                self.ahead = None;
                self.begin_closest();
            }
            Ok(None) if self.pause_at.is_none_or(|pause_at| reach.domain.kernel.steps() <= pause_at) => {}
            Ok(_) | Err(_) => {
                self.session.collect();
                self.go_on()?;
            }
        }
        Ok(())
    }

    /// Lets the check's kernel take this many more steps, if the budget has them.
    fn allow(&mut self, steps: u64) {
        let left = self.budgets.max_steps.saturating_sub(self.steps());
        if let Some(reach) = &mut self.session.reach {
            let kernel = &mut reach.domain.kernel;
            let max_steps = kernel.steps().saturating_add(steps.min(left));
            kernel.set_limits(KernelLimits { max_nodes: self.budgets.max_nodes, max_steps });
        }
    }

    fn begin_closest(&mut self) {
        self.pause_at = None;
        self.stage = LocalizeStage::Closest;
        self.correct = Ok(None);
        self.closest = None;
        self.closest_is_set_up = false;
    }

    /// Builds the program that is asked for the closest run.
    fn set_up_closest(&mut self) {
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

    fn seek_closest(&mut self) -> Bounded<()> {
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
    fn compare(&mut self, run: &CorrectRun) {
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

    fn contradicted(&mut self, how: &str) {
        self.fault = Some(how.to_string());
        self.outcome = Some(Outcome::Fault);
        self.end(Ending::NoError);
    }

    /// On to correct transitions one by one, if post\* is not there anyway.
    fn begin_nearby(&mut self) -> Bounded<()> {
        if self.options.refined {
            return self.begin_refined();
        }
        let is_done = !self.cut && self.session.reach.as_ref().is_none_or(|reach| reach.is_done());
        let (Some(run), Some(program)) = (&self.session.run, self.session.shared_program()) else { return Ok(()) };
        let (false, Some(failing), Ok(Some(correct))) = (is_done, run.entries.last(), &self.correct) else { return self.begin_forward() };
        let max_steps = NEARBY_STEPS.saturating_add(self.checked_at).min(self.budgets.max_steps.saturating_sub(self.steps()));
        let budgets = Budgets { max_steps, ..self.budgets };
        let (failing, pending) = ((failing.edge, self.failed_check), self.pending.clone());
        self.nearby = NearbySearch::new(program, failing, pending, correct, budgets, self.alarm.clone()).unwrap_or(None);
        self.stage = LocalizeStage::Nearby;
        Ok(())
    }

    fn try_nearby(&mut self) -> Bounded<()> {
        let Some(search) = &mut self.nearby else { return self.begin_forward() };
        match search.step() {
            Ok(None) => Ok(()),
            Ok(Some(Tried::Decided(decided))) => {
                self.decided(decided);
                Ok(())
            }
            Ok(Some(Tried::Fault)) => {
                self.contradicted("a correct run through a transition could not be replayed");
                Ok(())
            }
            // The driver's clock is not to be waited for again.
            Err(Limit::Time) => Err(Limit::Time),
            Ok(Some(Tried::Open)) | Err(_) => self.begin_forward(),
        }
    }

    fn begin_refined(&mut self) -> Bounded<()> {
        self.count_beside();
        self.stage = LocalizeStage::Refined;
        let Some(run) = &self.session.run else { return Ok(()) };
        let Some(failing) = run.entries.last().map(|entry| (entry.edge, self.failed_check)) else { return Ok(()) };
        let edges = self.pending.iter().map(|transition| transition.edge).collect();
        let budgets = Budgets { max_steps: self.budgets.max_steps.saturating_sub(self.steps()), ..self.budgets };
        let about = (&self.program, self.effective.error);
        let search = RefinedSearch::new(about, &self.halts, failing, edges, self.abstraction.clone(), budgets, self.alarm.clone())?;
        self.refined = Some(search);
        Ok(())
    }

    fn step_refined(&mut self) -> Bounded<()> {
        let Some(search) = &mut self.refined else { return Ok(()) };
        if let Some(correct) = search.step()? {
            self.abstraction = search.abstraction();
            self.decided(correct.into_iter().map(|correct| (correct, correct)).collect());
        }
        Ok(())
    }

    /// All transitions are judged without post\*.
    fn decided(&mut self, decided: Vec<(bool, bool)>) {
        self.count_beside();
        let judged = |(transition, (edge_is_correct, is_correct))| Judged { transition, edge_is_correct, is_correct };
        self.judged = std::mem::take(&mut self.pending).into_iter().zip(decided).map(judged).collect();
        self.end_round();
    }

    /// Searches in kernels of their own are over.
    fn count_beside(&mut self) {
        self.steps_beside += self.closest.take().map_or(0, |search| search.steps());
        self.steps_beside += self.refined.take().map_or(0, |search| search.steps());
        self.steps_beside += self.nearby.take().map_or(0, |search| search.steps());
    }

    /// On to all correct transitions.
    fn begin_forward(&mut self) -> Bounded<()> {
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
    fn begin_poststar(&mut self) -> Bounded<()> {
        self.steps_beside += self.session.statistics().1;
        self.session.correct = None;
        self.session.begin_poststar(self.budgets.max_steps.saturating_sub(self.steps()))
    }

    fn begin_backward(&mut self) -> Bounded<()> {
        if self.session.correct.is_some() {
            self.stage = LocalizeStage::Backward;
            return Ok(());
        }
        let (Some(reach), Some(run)) = (&mut self.session.reach, &self.session.run) else { return Ok(()) };
        if let Some(failing) = run.entries.last() {
            self.session.correct = Some(CorrectTransitions::new(reach, failing.edge, self.failed_check)?);
            self.stage = LocalizeStage::Backward;
        }
        Ok(())
    }

    fn judge(&mut self, next: usize) -> Bounded<()> {
        let (Some(reach), Some(correct)) = (&mut self.session.reach, &mut self.session.correct) else { return Ok(()) };
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

    /// Every transition is judged, and nothing is left to be searched.
    fn end_judged_round(&mut self) {
        self.count_beside();
        self.pending.clear();
        self.end_round();
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
        let (Some(run), Some(program)) = (self.session.failing_run(), self.session.shared_program()) else { return };
        let steps = self.session.statistics().1 + self.steps_beside;
        self.traces.push(LocalizedTrace {
            run: run.clone(),
            shortest: self.session.certainty() == super::Certainty::Shortest,
            judged,
            ends_with_program: never_holds(&run.check),
            transitions: std::mem::take(&mut self.judged),
            correct: std::mem::replace(&mut self.correct, Ok(None)),
            steps: (self.checked_at, steps - self.checked_at.min(steps)),
            program,
            trusted: self.options.trusted.clone(),
            relevant: self.options.dependent.then(|| relevant(&self.program, &run.run)).flatten(),
        });
    }

    /// To compare with: by edge, is it in the slice of the checks on a line? `None` if that is too large. Made when it is asked for.
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
            + self.nearby.as_ref().map_or(0, NearbySearch::steps)
            + self.refined.as_ref().map_or(0, RefinedSearch::steps);
        self.steps_before + self.steps_beside + searching + self.session.statistics().1
    }
}

/// The statements of a failing run on which what fails depends.
fn relevant(program: &Rc<Program>, run: &ConcreteRun) -> Option<BTreeSet<EdgeId>> {
    let executed = replay(program, run).ok()?;
    let depends = focus_of_run(program, &executed).focus;
    Some(executed.steps.iter().zip(depends).filter(|(_, depends)| *depends).map(|(step, _)| step.edge).collect())
}
