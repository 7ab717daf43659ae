//! Causes of errors, one failing run for each (Ball, Naik, Rajamani 2003, Fig. 2), in small steps.
//!
//! A round checks the program. If a run fails, the round finds which of the run's transitions are
//! correct ([`Judging`]), and puts a halt on every cause. The next round checks the program with
//! these halts. The search ends when no run fails any more, when a run has no cause, or at a limit.

mod localized;

use super::{Budgets, Certainty, Job, Outcome, Proof, ReplayedRun, Session, Task};
use crate::analysis::cegar::as_program::AsProgram;
use crate::analysis::localize::correct::none_passes;
use crate::analysis::localize::judging::{Judging, Question, RunJudgement};
use crate::analysis::localize::supergraph::{SuperEdge, halted};
use crate::analysis::localize::trace::transitions;
use crate::analysis::slice::Slice;
use crate::lang::interpreter::replay;
use crate::lang::model::Program;
use crate::util::{Alarm, Bounded, Limit, Progress, Stage};
use crate::wire::options::EffectiveOptions;
use localized::relevant;
pub use localized::{Ending, LocalizeOptions, LocalizedTrace};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The search for causes, in progress.
pub struct LocalizeSession {
    source: String,
    effective: EffectiveOptions,
    program: Rc<Program>,
    options: LocalizeOptions,
    budgets: Budgets,
    alarm: Option<Alarm>,
    phase: Phase,
    halts: BTreeSet<SuperEdge>,
    abstraction: Option<Rc<AsProgram>>,
    traces: Vec<LocalizedTrace>,
    /// The outcome of the first round.
    outcome: Option<Outcome>,
    /// The proof of the last check.
    proof: Option<Proof>,
    fault: Option<String>,
    /// The kernel steps of the rounds that are over.
    steps_before: u64,
    /// The most nodes alive at once in the last check's kernel, and its bytes.
    kernel: (u64, u64),
}

enum Phase {
    /// The program is checked, with the halts of earlier rounds.
    Checking(Box<Session>),
    /// The failing run is judged.
    Judging(Box<Round>),
    /// The search is over.
    Done(Ending),
}

/// A round whose check has found a failing run.
struct Round {
    judging: Judging,
    /// Is the run certain to be a shortest one?
    shortest: bool,
}

impl Session {
    /// Prepares the search for causes in the loaded program. It begins with what a run of the
    /// program has found, if there was one. Returns `None` if no program is loaded.
    pub fn localize(&self, options: LocalizeOptions, budgets: Budgets) -> Option<LocalizeSession> {
        let program = self.shared_program()?;
        let (effective, alarm) = (self.options.clone(), self.alarm.clone());
        let check = self.check(Rc::clone(&program), budgets);
        Some(LocalizeSession {
            source: self.source.clone(),
            effective,
            program,
            options,
            budgets,
            alarm,
            phase: Phase::Checking(Box::new(check)),
            halts: BTreeSet::new(),
            abstraction: None,
            traces: Vec::new(),
            outcome: None,
            proof: None,
            fault: None,
            steps_before: 0,
            kernel: (0, 0),
        })
    }
}

impl Job for LocalizeSession {
    fn step(&mut self) -> bool {
        if let Err(limit) = self.advance() {
            self.stop(limit);
        }
        matches!(self.phase, Phase::Done(_))
    }

    fn stop(&mut self, limit: Limit) {
        if let Phase::Checking(check) = &mut self.phase {
            check.stop(limit);
            if let Err(limit) = self.checked() {
                return self.end(Ending::Limit(limit));
            }
        }
        // The current run is kept, without its causes if they are not known.
        if let Phase::Judging(round) = &mut self.phase {
            let judged = round.judging.all_are_judged();
            round.judging.stop(limit);
            self.keep_trace(judged, Ending::Limit(limit));
        }
    }

    fn limit(&self) -> Option<Limit> {
        match self.phase {
            Phase::Done(Ending::Limit(limit)) => Some(limit),
            _ => None,
        }
    }

    fn progress(&self) -> Progress {
        let (stage, nodes) = match &self.phase {
            Phase::Checking(check) => (Stage::Check, check.progress().nodes),
            Phase::Judging(round) => {
                let kernel = &round.judging.reach().domain.kernel;
                (round.judging.stage(), kernel.live_nodes())
            }
            Phase::Done(_) => (Stage::Done, 0),
        };
        Progress {
            stage,
            items: self.traces.len() as u64,
            nodes,
            steps: self.steps(),
            ..Progress::default()
        }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        if let Phase::Checking(check) = &mut self.phase {
            check.set_alarm(alarm.clone());
        }
        self.alarm = Some(alarm);
    }
}

impl LocalizeSession {
    fn end(&mut self, ending: Ending) {
        self.leave(Phase::Done(ending));
    }

    /// Goes to the next phase, and keeps the figures of this phase's kernel.
    fn leave(&mut self, next: Phase) -> Phase {
        self.steps_before = self.steps();
        self.kernel = self.peak();
        std::mem::replace(&mut self.phase, next)
    }

    fn contradicted(&mut self, how: &str) {
        self.fault = Some(how.to_string());
        self.outcome = Some(Outcome::Fault);
        self.end(Ending::NoError);
    }

    fn advance(&mut self) -> Bounded<()> {
        match &mut self.phase {
            Phase::Checking(check) if check.stage() == Stage::Idle => {
                let max_steps = self.budgets.max_steps.saturating_sub(self.steps_before);
                check.start(Task::Check, self.budgets.with_steps(max_steps));
            }
            Phase::Checking(check) => {
                if check.step() {
                    self.checked()?;
                }
            }
            Phase::Judging(round) => {
                if round.judging.step()? {
                    match round.judging.contradiction() {
                        Some(how) => self.contradicted(how),
                        None => self.end_round(),
                    }
                }
            }
            Phase::Done(_) => {}
        }
        Ok(())
    }

    /// Handles the end of this round's check.
    fn checked(&mut self) -> Bounded<()> {
        let Phase::Checking(check) = &self.phase else { return Ok(()) };
        let outcome = check.outcome();
        self.fault = check.fault().map(str::to_string);
        self.proof = check.proof();
        self.outcome.get_or_insert(outcome);
        match outcome {
            Outcome::Unsafe if self.program.concurrency.has_threads() => {
                // A correct run may need the other threads.
                Err(Limit::Threads)
            }
            Outcome::Unsafe => {
                self.judge();
                Ok(())
            }
            ended => {
                self.end(match ended {
                    Outcome::Unknown(limit) => Ending::Limit(limit),
                    _ => Ending::NoError,
                });
                if ended == Outcome::Fault {
                    self.outcome = Some(Outcome::Fault);
                }
                Ok(())
            }
        }
    }

    /// Begins to judge the failing run that the check has found.
    fn judge(&mut self) {
        let over = Phase::Done(Ending::NoError);
        let Phase::Checking(check) = std::mem::replace(&mut self.phase, over) else { return };
        let shortest = check.certainty() == Certainty::Shortest;
        let Some((reach, Some(run))) = check.into_reach() else { return };
        // The check has replayed the run, and halts only remove runs.
        let is_run = self.halts.is_empty() || replay(&self.program, &run.run).is_ok();
        let halted = Rc::clone(&reach.program);
        let (Some((transitions, check)), Some(last), true) =
            (transitions(&halted, &run.run), run.entries.last(), is_run)
        else {
            return self
                .contradicted("a failing run of the program with halts is none of the program");
        };
        let left = self.budgets.max_steps.saturating_sub(self.steps_before);
        let question = Question {
            program: Rc::clone(&self.program),
            halted,
            halts: self.halts.clone(),
            error_line: self.effective.error,
            refined: self.options.refined,
            failing: (last.edge, check),
            run,
            transitions,
            budgets: self.budgets.with_steps(left),
            alarm: self.alarm.clone(),
        };
        let judging = Judging::new(question, reach, self.abstraction.take());
        self.phase = Phase::Judging(Box::new(Round { judging, shortest }));
    }

    /// Handles the end of judging, when every transition of the run is judged: ends the search, or
    /// continues with a halt on every cause.
    fn end_round(&mut self) {
        self.keep_trace(true, Ending::NoError);
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
        let program = Rc::new(halted(&self.program, &self.halts));
        let (effective, alarm) = (self.effective.clone(), self.alarm.clone());
        let check = Session::of(&self.source, effective, program, alarm);
        self.phase = Phase::Checking(Box::new(check));
    }

    /// Ends the current round and keeps its run, with the causes if they are known.
    fn keep_trace(&mut self, judged: bool, ending: Ending) {
        let Phase::Judging(round) = self.leave(Phase::Done(ending)) else { return };
        let Round { judging, shortest } = *round;
        let steps = judging.steps();
        let RunJudgement { question, judged: transitions, correct, abstraction } =
            judging.into_judgement();
        let Question { halted, run, failing: (edge, check), .. } = question;
        self.abstraction = abstraction;
        let dependent = self.options.dependent;
        self.traces.push(LocalizedTrace {
            shortest,
            judged,
            ends_with_program: none_passes(&halted, edge, check),
            transitions,
            correct,
            steps,
            program: halted,
            trusted: self.options.trusted.clone(),
            relevant: dependent.then(|| relevant(&self.program, &run.run)).flatten(),
            run,
        });
    }

    /// For comparison: by edge, is it in the slice of the checks on a line? Returns `None` if the
    /// slice is too large. It is computed on demand.
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
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// The options in force.
    pub fn options(&self) -> (&EffectiveOptions, &LocalizeOptions) {
        (&self.effective, &self.options)
    }

    /// The verdict on the program.
    pub fn outcome(&self) -> Outcome {
        match (self.outcome, self.ending()) {
            (Some(outcome), _) => outcome,
            (None, _) if self.first_run().is_some() => Outcome::Unsafe,
            (None, Some(Ending::Limit(limit))) => Outcome::Unknown(limit),
            (None, _) => Outcome::Unknown(Limit::Time),
        }
    }

    /// How the interpreter contradicts the engine, if it does.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// What is known of the invariant behind "safe", of the last check.
    pub fn proof(&self) -> Option<Proof> {
        self.proof
    }

    /// Failing runs with their causes so far.
    pub fn traces(&self) -> &[LocalizedTrace] {
        &self.traces
    }

    /// The first failing run, as soon as a check has found it. A shorter one may take its place.
    pub fn first_run(&self) -> Option<&ReplayedRun> {
        match (self.traces.first(), &self.phase) {
            (Some(first), _) => Some(&first.run),
            (None, Phase::Checking(check)) => check.failing_run(),
            (None, Phase::Judging(round)) => Some(&round.judging.question().run),
            (None, Phase::Done(_)) => None,
        }
    }

    /// The reason why the search ended. Returns `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        match self.phase {
            Phase::Done(ending) => Some(ending),
            Phase::Checking(_) | Phase::Judging(_) => None,
        }
    }

    pub(super) fn alarm(&self) -> Option<&Alarm> {
        self.alarm.as_ref()
    }

    /// Kernel steps of all rounds.
    pub fn steps(&self) -> u64 {
        self.steps_before
            + match &self.phase {
                Phase::Checking(check) => check.statistics().1,
                Phase::Judging(round) => {
                    let (checked, beyond) = round.judging.steps();
                    checked + beyond
                }
                Phase::Done(_) => 0,
            }
    }

    /// The most nodes alive at once in the last check's kernel, and its bytes.
    pub fn peak(&self) -> (u64, u64) {
        match &self.phase {
            Phase::Checking(check) => {
                let (nodes, _, bytes) = check.statistics();
                (nodes, bytes)
            }
            Phase::Judging(round) => {
                let kernel = &round.judging.reach().domain.kernel;
                (kernel.peak_nodes(), kernel.bytes())
            }
            Phase::Done(_) => self.kernel,
        }
    }
}
