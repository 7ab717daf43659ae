//! The refinement loop on a loaded program, in small steps.

use super::Job;
use super::{Budgets, Outcome, ReplayedRun};
use crate::analysis::cegar::predicates::ProgramPoint;
use crate::analysis::cegar::refinement::Cegar;
use crate::analysis::cegar::round::{CegarPhase, Ending, Round};
use crate::analysis::replay::replay;
use crate::bdd::{Bdd, KernelLimits};
use crate::lang::model::Program;
use crate::util::{Alarm, Limit, Progress, Stage};
use crate::wire::cegar::{Decider, DecisionReport};
use crate::wire::refinement::CegarOptions;
use std::rc::Rc;

/// A run of the loop. It never blocks: [`CegarSession::step`] does one bounded piece of work.
pub struct CegarSession {
    program: Rc<Program>,
    /// The loop, or the limit that its preparation hit.
    cegar: Result<Cegar, Limit>,
    run: Option<ReplayedRun>,
    fault: Option<String>,
}

impl Job for CegarSession {
    fn step(&mut self) -> bool {
        let Ok(cegar) = &mut self.cegar else { return true };
        let done = cegar.step();
        if let (true, None, None, Some(counterexample)) =
            (done, &self.run, &self.fault, cegar.counterexample())
        {
            match replay(&self.program, counterexample) {
                Ok(run) => self.run = Some(run),
                Err(contradiction) => self.fault = Some(contradiction),
            }
        }
        done
    }

    fn stop(&mut self, limit: Limit) {
        if let Ok(cegar) = &mut self.cegar {
            cegar.stop(limit);
        }
    }

    fn limit(&self) -> Option<Limit> {
        match (self.outcome(), self.cegar.as_ref().ok().and_then(Cegar::ending)) {
            (Outcome::Unknown(limit), _) | (_, Some(Ending::Safe(Err(limit)))) => Some(limit),
            _ => None,
        }
    }

    fn progress(&self) -> Progress {
        let stage = match self.phase() {
            CegarPhase::Slice => Stage::Slice,
            CegarPhase::Abstract => Stage::Abstract,
            CegarPhase::Check => Stage::Check,
            CegarPhase::Dag => Stage::Dag,
            CegarPhase::Interpolate => Stage::Interpolate,
            CegarPhase::Verify => Stage::Verify,
            CegarPhase::Refine => Stage::Refine,
            CegarPhase::Prove => Stage::Prove,
            CegarPhase::Done => Stage::Done,
        };
        let (nodes, steps) =
            self.cegar.as_ref().map_or((0, 0), |cegar| (cegar.live_nodes(), cegar.steps()));
        Progress { stage, items: self.rounds().len() as u64, nodes, steps, ..Progress::default() }
    }

    fn set_alarm(&mut self, alarm: Alarm) {
        if let Ok(cegar) = &mut self.cegar {
            cegar.set_alarm(Some(alarm));
        }
    }
}

impl CegarSession {
    /// Prepares the loop. Only errors on `error_line` count, if given.
    pub fn new(
        program: Rc<Program>,
        error_line: Option<u32>,
        options: CegarOptions,
        budgets: Budgets,
    ) -> CegarSession {
        let limits = KernelLimits { max_nodes: budgets.max_nodes, max_steps: budgets.max_steps };
        let mut cegar = Cegar::new(Rc::clone(&program), error_line, limits, options);
        if let (Ok(cegar), true) = (&mut cegar, budgets.collect_every_step) {
            cegar.collect_every_step();
        }
        CegarSession { program, cegar, run: None, fault: None }
    }

    /// Adds a predicate before the loop begins. Returns whether it was new.
    pub fn seed(&mut self, point: ProgramPoint, formula: Bdd) -> bool {
        self.cegar.as_mut().is_ok_and(|cegar| cegar.seed(point, formula))
    }

    /// Runs to the end of the current phase. Returns whether the run is over.
    pub fn step_phase(&mut self) -> bool {
        let phase = self.phase();
        while self.phase() == phase && !self.step() {}
        self.phase() == CegarPhase::Done
    }

    /// The program.
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// The phase under way.
    pub fn phase(&self) -> CegarPhase {
        self.cegar.as_ref().map_or(CegarPhase::Done, Cegar::phase)
    }

    /// The rounds so far; the last one may be under way.
    pub fn rounds(&self) -> &[Round] {
        self.cegar.as_ref().map_or(&[], Cegar::rounds)
    }

    /// The loop, if its preparation succeeded.
    pub fn cegar(&self) -> Option<&Cegar> {
        self.cegar.as_ref().ok()
    }

    /// The same, to read formulas over its abstract program.
    pub fn cegar_mut(&mut self) -> Option<&mut Cegar> {
        self.cegar.as_mut().ok()
    }

    /// The answer. It is final once the run is over.
    pub fn outcome(&self) -> Outcome {
        let cegar = match &self.cegar {
            Ok(cegar) => cegar,
            Err(limit) => return Outcome::Unknown(*limit),
        };
        if self.fault().is_some() {
            return Outcome::Fault;
        }
        match cegar.ending() {
            Some(Ending::Safe(_)) if self.program.concurrency.has_threads() => {
                Outcome::Unknown(Limit::Threads)
            }
            Some(Ending::Safe(_)) if !self.program.cut_offs.is_empty() => {
                Outcome::Unknown(Limit::Heap)
            }
            Some(Ending::Safe(_)) => Outcome::Safe,
            Some(Ending::Unsafe) if self.run.is_some() => Outcome::Unsafe,
            Some(Ending::Unknown(limit)) => Outcome::Unknown(limit),
            Some(Ending::Unsafe) | None => Outcome::Unknown(Limit::Time),
        }
    }

    /// What gave the verdict of a run that is over; `None` if there is none.
    pub fn decision(&self) -> Option<DecisionReport> {
        if !matches!(self.outcome(), Outcome::Safe | Outcome::Unsafe) {
            return None;
        }
        let followed = self.rounds().last()?.follows;
        Some(DecisionReport {
            by: if followed.is_some() { Decider::Followed } else { Decider::Predicates },
            predicates: self.predicate_count(),
            followed: followed.unwrap_or(0) as u32,
            variables: self.program.variables.len() as u32,
        })
    }

    /// Predicates of all points.
    pub fn predicate_count(&self) -> u64 {
        self.cegar().map_or(0, |cegar| cegar.abstract_program().predicates.count() as u64)
    }

    /// How a check, or the interpreter, contradicts the engine, if it does.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref().or_else(|| self.cegar.as_ref().ok()?.fault())
    }

    /// The failing run, as the interpreter executed it.
    pub fn failing_run(&self) -> Option<&ReplayedRun> {
        self.run.as_ref()
    }

    /// The most nodes alive at once, the steps, and the bytes held by the kernel.
    pub fn statistics(&self) -> (u64, u64, u64) {
        self.cegar
            .as_ref()
            .map_or((0, 0, 0), |cegar| (cegar.peak_nodes(), cegar.steps(), cegar.bytes()))
    }
}
