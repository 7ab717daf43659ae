//! The portfolio for C: saturation is tried first, and where it exceeds its share, refinement
//! ([`refining`]). Where neither the program nor the user gives the width of `int`, it is 32 bits,
//! and narrower widths are tried as well.
//!
//! Widths are tried one after the other ([`plan`]). The first that has an answer is the width of
//! the session: later questions and other analyses use its program. An answer for narrower integers
//! is no answer about C's. So "safe" there is `unknown` with the limit that 32 bits ran into, and a
//! failing run counts only if it fails with 32 bits, too ([`confirming`]).

mod confirming;
mod plan;
mod portfolio;
mod refining;

use self::confirming::{Confirmed, Confirming};
use self::plan::{Method, Rung, plan, refinement, second_share};
use self::refining::{Refined, Refining};
use super::run::{Question, Run};
use super::{Analysis, Budgets, Job, Loaded, Outcome, ReplayedRun, Session, Task};
use crate::analysis::widened::have_one_shape;
use crate::lang::model::Program;
use crate::lang::{load_narrower, load_summarized};
use crate::util::{Alarm, Limit, Progress, Stage};
use crate::wire::options::{EffectiveOptions, RequestedOptions};
use crate::wire::report::Verdict;
use crate::wire::widths::TriedWidth;
use std::collections::VecDeque;
use std::rc::Rc;

/// The widths of a session, and what came of them so far.
pub(super) struct Widths {
    /// What the program was loaded with.
    requested: RequestedOptions,
    /// The program with C's own integers or those of the given width, and the options that go with
    /// it.
    full: Rc<Program>,
    full_options: EffectiveOptions,
    /// The widths that are tried besides.
    narrower: &'static [u32],
    budgets: Budgets,
    /// What is being tried, and what comes after it.
    rung: Rung,
    plan: VecDeque<Rung>,
    /// How many rungs have begun.
    begun: u32,
    phase: Phase,
    tried: Vec<TriedWidth>,
    /// The rungs that were given up, with their limits.
    given_up: Vec<(Rung, Limit)>,
    confirmed: Option<Confirmed>,
    /// What refinement found of C's own integers.
    refined: Option<Box<Refined>>,
    /// Most nodes, and all steps, of the runs that are over.
    spent: (u64, u64),
}

enum Phase {
    /// The session's own run tries a width.
    Trying,
    /// That run is over; the next step begins the next one.
    Between,
    /// Refinement tries C's own integers.
    Refining(Box<Refining>),
    /// The same, beside an answer for narrower integers.
    RefiningAgain(Box<Refining>),
    /// A failing run of a narrower width is tried with C's own.
    Confirming(Box<Confirming>),
    /// There is an answer for a narrower width, or refinement has one without a projection. C's own
    /// integers are tried again, with more of the budget.
    Again(Box<Run>),
    /// Nothing.
    Over,
}

impl Widths {
    /// The width is to be tried from C's own on; gives that program and its share of the budgets.
    pub(super) fn restart(&mut self, budgets: Budgets) -> (Rc<Program>, Budgets) {
        self.budgets = budgets;
        let bits = self.full_options.bits;
        self.plan = plan(bits, self.narrower, budgets);
        self.rung = self.plan.pop_front().unwrap_or_else(|| Rung::whole(bits, budgets));
        self.begun = 1;
        self.phase = Phase::Trying;
        self.tried.clear();
        self.given_up.clear();
        self.confirmed = None;
        self.refined = None;
        self.spent = (0, 0);
        (Rc::clone(&self.full), self.rung.budgets)
    }

    /// Is C's own width the session's?
    pub(super) fn is_full(&self, session: &Session) -> bool {
        session.shared_program().is_some_and(|program| Rc::ptr_eq(&program, &self.full))
    }

    /// The options with C's own width.
    pub(super) fn full_options(&self) -> &EffectiveOptions {
        &self.full_options
    }

    /// Does one bounded piece of work; is all over? The session's own run is `session`'s.
    pub(super) fn step(&mut self, session: &mut Session) -> bool {
        match &mut self.phase {
            Phase::Over => return session.step_run(),
            Phase::Between => self.begin(session),
            Phase::Trying => {
                let is_over = session.step_run();
                self.spend_all_if_decided(session);
                if is_over {
                    self.tried(session);
                }
            }
            Phase::Refining(refining) | Phase::RefiningAgain(refining) => {
                if refining.step() {
                    self.refined(session);
                }
            }
            Phase::Confirming(job) => {
                if job.step() {
                    self.confirmed(session);
                }
            }
            Phase::Again(run) => {
                let is_over = run.step();
                if run.is_decided() {
                    run.allow(self.budgets);
                }
                if is_over {
                    self.tried_again(session);
                }
            }
        }
        matches!(self.phase, Phase::Over)
    }

    /// Ends everything. An answer for narrower integers stays.
    pub(super) fn stop(&mut self, session: &mut Session, limit: Limit) {
        self.plan.clear();
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Over => session.stop_run(limit),
            Phase::Between => self.give_up(session, limit),
            Phase::Trying => {
                session.stop_run(limit);
                self.tried(session);
                if let Phase::Confirming(job) = std::mem::replace(&mut self.phase, Phase::Over) {
                    self.confirmed = Some(job.into_answer());
                }
            }
            Phase::Refining(mut refining) => {
                refining.stop(limit);
                self.phase = Phase::Refining(refining);
                self.refined(session);
            }
            // A stop says nothing about C's own integers.
            Phase::RefiningAgain(_) => {}
            Phase::Confirming(mut job) => {
                job.stop(limit);
                self.confirmed = Some(job.into_answer());
            }
            Phase::Again(mut run) => {
                run.stop(limit);
                self.phase = Phase::Again(run);
                self.tried_again(session);
            }
        }
        self.phase = Phase::Over;
    }

    /// Ends only the width that is being tried; the next one follows.
    pub(super) fn end_stage(&mut self, session: &mut Session, limit: Limit) {
        if matches!(self.phase, Phase::Between) {
            // The next width has not begun: none of its time is spent.
            return;
        }
        if !self.is_open(session) || self.plan.is_empty() {
            return self.stop(session, limit);
        }
        if let Phase::Refining(refining) = &mut self.phase {
            refining.stop(limit);
            return self.refined(session);
        }
        session.stop_run(limit);
        self.tried(session);
    }

    /// Is nothing known yet of what is being tried?
    fn is_open(&self, session: &Session) -> bool {
        match self.phase {
            Phase::Trying => !session.is_decided(),
            Phase::Between | Phase::Refining(_) => true,
            Phase::Confirming(_) | Phase::Again(_) | Phase::RefiningAgain(_) | Phase::Over => false,
        }
    }

    /// Are C's own integers tried again, beside an answer?
    fn is_again(&self) -> bool {
        matches!(self.phase, Phase::Again(_) | Phase::RefiningAgain(_))
    }

    /// The share of the time that is left which the present width may take.
    pub(super) fn share_of_time(&self, session: &Session) -> (u32, u32) {
        let is_open = self.is_open(session);
        let percent = if is_open { self.rung.percent } else { 100 };
        (2 * self.begun + u32::from(!is_open), percent)
    }

    pub(super) fn progress(&self, session: &Session) -> Progress {
        match &self.phase {
            Phase::Over => session.progress_of_run(),
            // A run of narrower integers that fails need not be one of C's own.
            Phase::Trying => {
                let progress = session.progress_of_run();
                let is_full = self.rung.bits == self.full_options.bits;
                Progress { fails: progress.fails && is_full, ..progress }
            }
            Phase::Between => Progress { stage: Stage::Forward, ..Progress::default() },
            Phase::Refining(refining) => refining.progress(),
            Phase::Confirming(job) => job.progress(),
            Phase::RefiningAgain(refining) => {
                Progress { stage: Stage::Wider, ..refining.progress() }
            }
            Phase::Again(run) => Progress { stage: Stage::Wider, ..run.progress() },
        }
    }

    pub(super) fn set_alarm(&mut self, alarm: &Alarm) {
        match &mut self.phase {
            Phase::Refining(refining) | Phase::RefiningAgain(refining) => {
                refining.set_alarm(alarm);
            }
            Phase::Confirming(job) => job.set_alarm(alarm.clone()),
            Phase::Again(run) => run.set_alarm(alarm),
            Phase::Over | Phase::Trying | Phase::Between => {}
        }
    }

    /// What may be said of C's own integers, if refinement or an answer for narrower ones says it.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        if let Some(refined) = &self.refined {
            return Some(refined.outcome);
        }
        let answered = self.tried.last()?.verdict != Verdict::Unknown;
        let limit = self.limit().filter(|_| answered)?;
        Some(match self.confirmed_run() {
            Some(_) => Outcome::Unsafe,
            None => Outcome::Unknown(limit),
        })
    }

    /// The limit that C's own integers ran into.
    pub(super) fn limit(&self) -> Option<Limit> {
        self.tried.first()?.limit
    }

    /// What refinement found.
    pub(super) fn refinement(&self) -> Option<&Refined> {
        self.refined.as_deref()
    }

    /// The run that fails with C's own integers, though the session's own run did not find it.
    pub(super) fn wide_run(&self) -> Option<&ReplayedRun> {
        self.refined.as_ref().and_then(|refined| refined.run.as_ref()).or(self.confirmed_run())
    }

    /// The same, where it was found with narrower integers.
    fn confirmed_run(&self) -> Option<&ReplayedRun> {
        match &self.confirmed {
            Some(Confirmed::Fails(run)) => Some(run),
            _ => None,
        }
    }

    /// Most nodes, and all steps, of the runs that are over.
    pub(super) fn spent(&self) -> (u64, u64) {
        self.spent
    }

    /// Once the verdict about C's own integers is known, the rest may take the whole budget.
    fn spend_all_if_decided(&mut self, session: &mut Session) {
        if self.rung.bits == self.full_options.bits && session.is_decided() {
            let budgets = self.budgets;
            if let Some(run) = session.run_mut() {
                run.allow(budgets);
            }
        }
    }

    /// The run of a width is over.
    fn tried(&mut self, session: &mut Session) {
        match session.outcome_of_run() {
            Outcome::Unknown(limit) => {
                self.note(Verdict::Unknown, Some(limit));
                self.given_up.push((self.rung, limit));
                self.spend(session);
                self.next(session, limit);
            }
            _ if self.rung.bits == self.full_options.bits
                && session.is_answered_by_execution()
                && !session.execution_suffices() =>
            {
                self.project_later(session);
            }
            _ if self.rung.bits == self.full_options.bits => {
                self.tried.clear();
                self.phase = Phase::Over;
            }
            // A defect is told as it is.
            Outcome::Fault => self.phase = Phase::Over,
            Outcome::Safe => {
                self.note(Verdict::Safe, None);
                self.try_again(session);
            }
            Outcome::Unsafe => {
                self.note(Verdict::Unsafe, None);
                let (Some(narrow), Some(run)) = (session.shared_program(), session.failing_run())
                else {
                    self.phase = Phase::Over;
                    return;
                };
                let with = (self.budgets, session.alarm.clone());
                let job = Confirming::new(&narrow, &self.full, &self.full_options, run, with);
                self.phase = Phase::Confirming(Box::new(job));
            }
        }
    }

    /// A failing run is known, and the projection is not: saturation has further tries.
    fn project_later(&mut self, session: &mut Session) {
        let limit = match session.outcome_of_engine() {
            Outcome::Unknown(limit) => limit,
            _ => Limit::Steps,
        };
        let (full, most) = (self.full_options.bits, second_share(self.budgets));
        self.plan.retain(|rung| {
            let is_whole = rung.bits == full && rung.method == Method::Saturation;
            is_whole && rung.budgets.max_steps <= most.max_steps
        });
        self.given_up.push((self.rung, limit));
        self.spend(session);
        self.next(session, limit);
    }

    /// Refinement is over. Its "safe" says all; to "unsafe" a projection may still come.
    #[inline(never)]
    fn refined(&mut self, session: &mut Session) {
        let (refining, is_again) = match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Refining(refining) => (refining, false),
            Phase::RefiningAgain(refining) => (refining, true),
            _ => return,
        };
        let (peak, steps) = refining.spent();
        self.spent = (self.spent.0.max(peak), self.spent.1.saturating_add(steps));
        match refining.into_answer() {
            Err(limit) => {
                let again = refinement(self.full_options.bits, self.budgets);
                self.given_up.push((if is_again { again } else { self.rung }, limit));
                if is_again { self.saturate_again(session) } else { self.next(session, limit) }
            }
            Ok(refined) => {
                let projects = matches!(session.task, Task::Projection(_));
                let is_open = projects && refined.outcome == Outcome::Unsafe;
                self.refined = Some(Box::new(refined));
                self.only_full(session, Limit::Steps);
                if is_open {
                    self.saturate_again(session);
                }
            }
        }
    }

    /// Begins refinement with this budget. The session's own run stays as it is.
    fn begin_refinement(&self, session: &Session, budgets: Budgets) -> Box<Refining> {
        let (error, alarm) = (self.full_options.error, session.alarm.clone());
        Box::new(Refining::new(&self.full, error, budgets, alarm))
    }

    /// The session has C's own integers again, without a run: `limit` ended it, or the one that C's
    /// own integers ran into first.
    fn only_full(&self, session: &mut Session, limit: Limit) {
        let limit = self.limit().unwrap_or(limit);
        session.loaded = Loaded::Program(Rc::clone(&self.full), Analysis::Refused(limit));
        session.options = self.full_options.clone();
    }

    /// Notes what came of the present width. An answer comes last.
    fn note(&mut self, verdict: Verdict, limit: Option<Limit>) {
        let tried = TriedWidth { bits: self.rung.bits, verdict, limit };
        let known = self.tried.iter().position(|other| other.bits == tried.bits);
        match known {
            Some(at) if verdict == Verdict::Unknown => self.tried[at] = tried,
            known => {
                known.map(|at| self.tried.remove(at));
                self.tried.push(tried);
            }
        }
    }

    fn spend(&mut self, session: &Session) {
        let (peak, steps, _) = session.statistics_of_run();
        self.spent = (self.spent.0.max(peak), self.spent.1.saturating_add(steps));
    }

    /// Goes on with the next width, if there is one.
    fn next(&mut self, session: &mut Session, limit: Limit) {
        let given_up = &self.given_up;
        let is_hopeless =
            |rung: &Rung| given_up.iter().any(|(old, limit)| old.leaves_no_hope(rung, *limit));
        while self.plan.pop_front_if(|rung| is_hopeless(rung)).is_some() {}
        match self.plan.pop_front() {
            None => self.give_up(session, limit),
            Some(rung) => {
                self.rung = rung;
                self.begun += 1;
                self.phase = Phase::Between;
            }
        }
    }

    /// No width has an answer: the session has C's own integers again.
    fn give_up(&mut self, session: &mut Session, limit: Limit) {
        if session.options.bits != self.full_options.bits {
            self.only_full(session, limit);
        }
        // What has no answer once the time is up might have had one with more time.
        if let Some(first) = self.tried.first_mut().filter(|_| limit == Limit::Time) {
            first.limit = Some(limit);
        }
        if limit == Limit::Time && matches!(session.outcome_of_run(), Outcome::Unknown(_)) {
            session.ended_by_time();
        }
        if self.tried.len() == 1 {
            self.tried.clear();
        }
        self.phase = Phase::Over;
    }

    /// Begins to try the present width; goes on with the next one if the program cannot be read
    /// with it.
    fn begin(&mut self, session: &mut Session) {
        if self.rung.method == Method::Distances {
            let (budgets, alarm) = (self.rung.budgets, session.alarm.clone());
            let begun = Refining::distances(&self.full, &self.full_options, budgets, alarm);
            let Some(refining) = begun else { return self.next(session, Limit::Steps) };
            self.only_full(session, Limit::Steps);
            self.phase = Phase::Refining(Box::new(refining));
            return;
        }
        if self.rung.method == Method::Summary {
            let asked = RequestedOptions {
                bits: Some(self.full_options.bits),
                model: Some(self.full_options.model),
                ..self.requested.clone()
            };
            let program = load_summarized(&session.source, &asked).filter(|_| self.has_heap());
            let Some(program) = program else { return self.next(session, self.limit_so_far()) };
            let with = (self.rung.budgets, session.alarm.clone());
            // The session keeps its run: that is the answer if this has none.
            self.phase =
                Phase::Refining(Box::new(Refining::summarized(program, &self.full_options, with)));
            return;
        }
        if self.rung.method == Method::Refinement {
            // The nodes of saturation are not needed any more.
            self.only_full(session, Limit::Steps);
            self.phase = Phase::Refining(self.begin_refinement(session, self.rung.budgets));
            return;
        }
        let bits = self.rung.bits;
        let is_full = bits == self.full_options.bits;
        let (program, options) = if is_full {
            (Rc::clone(&self.full), self.full_options.clone())
        } else {
            let narrower = load_narrower(&session.source, &self.requested, bits);
            let narrower = narrower.and_then(|read| Some((read.program?, read.options)));
            match narrower.filter(|(program, _)| have_one_shape(program, &self.full)) {
                Some((program, options)) => (Rc::new(program), options),
                None => return self.next(session, Limit::Depth),
            }
        };
        session.options = options;
        session.begin_run(program, self.rung.budgets, is_full);
        self.phase = Phase::Trying;
    }

    /// Does the program take objects of which it may have too few?
    fn has_heap(&self) -> bool {
        self.full.memory.has_heap()
    }

    /// The limit that ended what was tried first.
    fn limit_so_far(&self) -> Limit {
        self.limit().unwrap_or(Limit::Steps)
    }

    /// Whether a failing run fails with C's own integers is known.
    fn confirmed(&mut self, session: &mut Session) {
        let Phase::Confirming(job) = std::mem::replace(&mut self.phase, Phase::Over) else {
            return;
        };
        self.confirmed = Some(job.into_answer());
        if self.confirmed_run().is_none() {
            self.try_again(session);
        }
    }

    /// There is an answer for narrower integers only: begins C's own again, with more. Refinement
    /// comes first.
    fn try_again(&mut self, session: &Session) {
        self.plan.clear();
        let rung = refinement(self.full_options.bits, self.budgets);
        if self.given_up.iter().any(|(old, limit)| old.leaves_no_hope(&rung, *limit)) {
            return self.saturate_again(session);
        }
        self.begun += 1;
        self.phase = Phase::RefiningAgain(self.begin_refinement(session, rung.budgets));
    }

    /// Begins to saturate C's own integers again.
    #[inline(never)]
    fn saturate_again(&mut self, session: &Session) {
        self.plan.clear();
        self.phase = Phase::Over;
        let budgets = second_share(self.budgets);
        let again = Rung::whole(self.full_options.bits, budgets);
        if self.given_up.iter().any(|(old, limit)| old.leaves_no_hope(&again, *limit)) {
            return;
        }
        let question = Question {
            program: Rc::clone(&self.full),
            error: self.full_options.error,
            task: session.task,
            budgets,
            sample: session.sample.clone(),
            seeks_shortest: true,
            lists: session.lists,
        };
        if let Ok(run) = Run::new(question, session.alarm.clone()) {
            self.begun += 1;
            self.phase = Phase::Again(Box::new(run));
        }
    }

    /// The second try of C's own integers is over. If it has an answer, that is the answer.
    #[inline(never)]
    fn tried_again(&mut self, session: &mut Session) {
        let Phase::Again(run) = std::mem::replace(&mut self.phase, Phase::Over) else { return };
        let kernel = &run.reach.domain.kernel;
        let (peak, steps) = (kernel.peak_nodes(), kernel.steps());
        match run.outcome() {
            Outcome::Unknown(limit) => {
                self.spent = (self.spent.0.max(peak), self.spent.1.saturating_add(steps));
                // A stop says nothing about C's own integers.
                if let Some(first) = self.tried.first_mut().filter(|_| limit != Limit::Time) {
                    first.limit = Some(limit);
                }
            }
            _ => {
                self.spend(session);
                session.loaded = Loaded::Program(Rc::clone(&self.full), Analysis::Started(run));
                session.options = self.full_options.clone();
                self.tried.clear();
                self.confirmed = None;
                self.refined = None;
            }
        }
    }
}
