//! Causes of errors, one failing run for each (Ball, Naik, Rajamani 2003, Fig. 2), in small steps.
//!
//! A round checks the program. If a run fails, it goes on to the end of post\*, finds which of the run's transitions are correct, and puts a halt on every cause; the next round
//! checks the program with these halts. It ends when no run fails any more, when a run has no cause, or at a limit.

use super::closest::{ClosestSearch, Found};
use super::{Budgets, CorrectRun, Outcome, Phase, ReplayedRun, Session, Task};
use crate::analysis::localize::Variant;
use crate::analysis::localize::correct::{CorrectTransitions, never_holds};
use crate::analysis::localize::supergraph::{SuperEdge, halted, lines};
use crate::analysis::localize::trace::{Transition, transitions};
use crate::lang::interpreter::{ConcreteRun, replay};
use crate::lang::model::{ProcedureId, Program};
use crate::lang::options::EffectiveOptions;
use crate::util::{Bounded, Limit};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Kernel steps for the closest correct run.
const CLOSEST_STEPS: u64 = 20_000_000;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct LocalizeOptions {
    /// Which causes are halted at. Both are found.
    pub variant: Variant,
    /// Procedures whose statements are never causes.
    pub trusted: Vec<ProcedureId>,
    /// Failing runs, at most.
    pub max_traces: u32,
}

impl Default for LocalizeOptions {
    fn default() -> Self {
        LocalizeOptions { variant: Variant::Edges, trusted: Vec::new(), max_traces: 10 }
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
}

impl LocalizedTrace {
    /// The cause, as edges of the supergraph.
    pub fn causes(&self, variant: Variant) -> BTreeSet<SuperEdge> {
        let mut causes = self.untrusting_causes(variant);
        causes.retain(|edge| !self.trusted.contains(&self.program.owner(edge.edge())));
        causes
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Checking,
    /// The correct run closest to the failing one is searched.
    Closest,
    /// post\* goes on to its end.
    Forward,
    /// Which transitions are correct?
    Backward,
    /// The n-th transition of the run is judged.
    Judging(usize),
    Done,
}

/// Localization in progress.
pub struct LocalizeSession {
    source: String,
    effective: EffectiveOptions,
    program: Rc<Program>,
    options: LocalizeOptions,
    budgets: Budgets,
    session: Session,
    stage: Stage,
    halts: BTreeSet<SuperEdge>,
    pending: Vec<Transition>,
    closest: Option<ClosestSearch>,
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
    alarm: Option<Arc<AtomicBool>>,
}

impl Session {
    /// Sets up the search for causes in the loaded program; `None` if there is none.
    pub fn localize(&self, options: LocalizeOptions, budgets: Budgets) -> Option<LocalizeSession> {
        let program = Rc::clone(self.program.as_ref()?);
        let session = Session::new(&self.source, self.options.clone(), Some((*program).clone()), None);
        let mut localization = LocalizeSession {
            source: self.source.clone(),
            effective: self.options.clone(),
            program,
            options,
            budgets,
            session,
            stage: Stage::Checking,
            halts: BTreeSet::new(),
            pending: Vec::new(),
            closest: None,
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
            alarm: self.alarm.clone(),
        };
        localization.begin_round();
        Some(localization)
    }
}

impl LocalizeSession {
    fn begin_round(&mut self) {
        let program = halted(&self.program, &self.halts);
        self.session = Session::new(&self.source, self.effective.clone(), Some(program), None);
        if let Some(alarm) = &self.alarm {
            self.session.set_alarm(Arc::clone(alarm));
        }
        let max_steps = self.budgets.max_steps.saturating_sub(self.steps_before);
        self.session.start(Task::Check, Budgets { max_steps, ..self.budgets });
        self.stage = Stage::Checking;
    }

    /// One bounded piece of work; is it over?
    pub fn step(&mut self) -> bool {
        if let Err(limit) = self.advance() {
            self.stop(limit);
        }
        self.stage == Stage::Done
    }

    /// Runs to the end.
    pub fn run(&mut self) {
        while !self.step() {}
    }

    /// Ends it where it is, for a limit that the driver keeps. What was found stays.
    pub fn stop(&mut self, limit: Limit) {
        match self.stage {
            Stage::Done => {}
            Stage::Checking => {
                self.session.stop(limit);
                if self.session.phase() == Phase::Done
                    && let Err(limit) = self.checked()
                {
                    self.end(Ending::Limit(limit));
                }
                // Whatever a failing run would still need, the driver has no more time for it.
                if self.stage != Stage::Done {
                    self.give_up(limit);
                }
            }
            _ => self.give_up(limit),
        }
    }

    /// The run at hand is kept without its causes.
    fn give_up(&mut self, limit: Limit) {
        if let Some(search) = self.closest.take() {
            self.steps_beside += search.steps();
            self.correct = Err(limit);
        }
        self.pending.clear();
        self.judged.clear();
        self.keep_trace(false);
        self.end(Ending::Limit(limit));
    }

    fn end(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.stage = Stage::Done;
    }

    fn advance(&mut self) -> Bounded<()> {
        match self.stage {
            Stage::Checking => {
                if self.session.step() {
                    self.checked()?;
                }
            }
            Stage::Closest => {
                if let Err(limit) = self.seek_closest() {
                    self.correct = Err(limit);
                    self.begin_forward()?;
                }
            }
            Stage::Forward => {
                let Some(reach) = &mut self.session.reach else { return Ok(()) };
                reach.step()?;
                if reach.is_done() {
                    self.begin_backward()?;
                }
                self.session.collect();
            }
            Stage::Backward => {
                let (Some(reach), Some(correct)) = (&mut self.session.reach, &mut self.session.correct) else { return Ok(()) };
                if correct.step(reach)? {
                    self.stage = Stage::Judging(0);
                }
                self.session.collect();
            }
            Stage::Judging(next) => {
                if next < self.pending.len() {
                    self.judge(next)?;
                    self.stage = Stage::Judging(next + 1);
                    self.session.collect();
                } else {
                    self.end_round();
                }
            }
            Stage::Done => {}
        }
        Ok(())
    }

    /// This round's check is over.
    fn checked(&mut self) -> Bounded<()> {
        let outcome = self.session.outcome();
        self.fault = self.session.fault().map(str::to_string);
        self.outcome.get_or_insert(outcome);
        self.checked_at = self.session.statistics().1;
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
                // The halts only took runs away.
                match (replay(&self.program, &run), transitions(&program, &run)) {
                    (Ok(_), Some(transitions)) => self.pending = transitions,
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
                self.begin_closest(&run);
            }
        }
        Ok(())
    }

    fn begin_closest(&mut self, run: &ConcreteRun) {
        self.stage = Stage::Closest;
        let program = self.session.shared_program().unwrap_or_default();
        let check = replay(&self.program, run).map_or(0, |replay| replay.failed_check);
        let max_steps = CLOSEST_STEPS.min(self.budgets.max_steps.saturating_sub(self.steps()));
        let budgets = Budgets { max_steps, ..self.budgets };
        match ClosestSearch::new(&program, run, check, budgets, self.alarm.clone()) {
            Ok(search) => self.closest = search,
            Err(limit) => self.correct = Err(limit),
        }
    }

    fn seek_closest(&mut self) -> Bounded<()> {
        let Some(search) = &mut self.closest else { return self.begin_forward() };
        match search.step(&self.program)? {
            None => return Ok(()),
            Some(Found::Run(run)) => self.correct = Ok(Some(*run)),
            Some(Found::None) => self.correct = Ok(None),
            Some(Found::Fault) => {
                self.fault = Some("a correct run could not be replayed".to_string());
                self.outcome = Some(Outcome::Fault);
                self.end(Ending::NoError);
                return Ok(());
            }
        }
        self.begin_forward()
    }

    /// On to all correct transitions.
    fn begin_forward(&mut self) -> Bounded<()> {
        self.steps_beside += self.closest.take().map_or(0, |search| search.steps());
        self.stage = Stage::Forward;
        match self.session.reach.as_ref().is_some_and(|reach| reach.is_done()) {
            true => self.begin_backward(),
            false => Ok(()),
        }
    }

    fn begin_backward(&mut self) -> Bounded<()> {
        let (Some(reach), Some(run)) = (&mut self.session.reach, &self.session.run) else { return Ok(()) };
        let check = replay(&self.program, &run.run).map_or(0, |replay| replay.failed_check);
        if let Some(failing) = run.entries.last() {
            self.session.correct = Some(CorrectTransitions::new(reach, failing.edge, check)?);
            self.stage = Stage::Backward;
        }
        Ok(())
    }

    fn judge(&mut self, next: usize) -> Bounded<()> {
        let (Some(reach), Some(correct)) = (&mut self.session.reach, &mut self.session.correct) else { return Ok(()) };
        let transition = self.pending[next].clone();
        let edge_is_correct = match self.known.get(&transition.edge) {
            Some(known) => *known,
            None => correct.has_edge(reach, transition.edge)?,
        };
        self.known.insert(transition.edge, edge_is_correct);
        let is_correct = edge_is_correct && correct.has(reach, &transition)?;
        self.judged.push(Judged { transition, edge_is_correct, is_correct });
        Ok(())
    }

    /// Every transition is judged.
    fn end_round(&mut self) {
        self.keep_trace(true);
        let Some(last) = self.traces.last() else { return self.end(Ending::NoError) };
        let causes = last.causes(self.options.variant);
        if causes.is_empty() {
            let trusted = !last.untrusting_causes(self.options.variant).is_empty();
            return self.end(if trusted { Ending::Trusted } else { Ending::NoCause });
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
        });
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
        let searching = self.closest.as_ref().map_or(0, ClosestSearch::steps);
        self.steps_before + self.steps_beside + searching + self.session.statistics().1
    }
}
