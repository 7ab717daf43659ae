//! The questions to a session, while its run goes on and after it.

use super::{
    Analysis, Certainty, Job, Loaded, Outcome, Proof, RawSession, ReplayedRun, Session, Task,
    Through,
};
use crate::analysis::invariant::Invariant;
use crate::analysis::noticed::Endless;
use crate::lang::model::{EdgeId, Program};
use crate::util::{Bounded, Limit, Stage};
use crate::wire::options::EffectiveOptions;
use std::rc::Rc;

impl Session {
    /// The program's text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The options in force.
    pub fn options(&self) -> &EffectiveOptions {
        &self.options
    }

    /// The program, if one was loaded.
    pub fn program(&self) -> Option<&Program> {
        match &self.loaded {
            Loaded::Program(program, _) => Some(program),
            Loaded::Nothing | Loaded::Raw(_) => None,
        }
    }

    /// The same as a shared pointer, to keep it during questions, or for another analysis.
    pub fn shared_program(&self) -> Option<Rc<Program>> {
        match &self.loaded {
            Loaded::Program(program, _) => Some(Rc::clone(program)),
            Loaded::Nothing | Loaded::Raw(_) => None,
        }
    }

    /// The raw pushdown system, if one was loaded.
    pub fn raw(&self) -> Option<&RawSession> {
        match &self.loaded {
            Loaded::Raw(raw) => Some(raw),
            Loaded::Nothing | Loaded::Program(..) => None,
        }
    }

    /// The task of the run.
    pub fn task(&self) -> Task {
        self.task
    }

    /// The stage of the run.
    pub fn stage(&self) -> Stage {
        self.progress().stage
    }

    /// The answer so far. It is final once the run is over. An answer for narrower integers than
    /// C's own is none.
    pub fn outcome(&self) -> Outcome {
        let claimed = self.widths.as_ref().and_then(|widths| widths.outcome());
        claimed.unwrap_or_else(|| self.outcome_of_run())
    }

    /// The answer of the run of the width in force.
    pub(super) fn outcome_of_run(&self) -> Outcome {
        match self.outcome_of_engine() {
            Outcome::Unknown(limit) => self.executed_outcome().unwrap_or(Outcome::Unknown(limit)),
            known => known,
        }
    }

    /// The same without what the interpreter alone has found.
    pub(super) fn outcome_of_engine(&self) -> Outcome {
        match &self.loaded {
            Loaded::Raw(raw) => raw.outcome(),
            Loaded::Program(_, Analysis::Started(run)) => run.outcome(),
            Loaded::Program(_, Analysis::Refused(limit)) => Outcome::Unknown(*limit),
            Loaded::Program(_, Analysis::Idle) | Loaded::Nothing => Outcome::Unknown(Limit::Time),
        }
    }

    /// How the interpreter, or the check of the invariant, contradicts the engine, if it does.
    pub fn fault(&self) -> Option<&str> {
        let refined = self.widths.as_ref().and_then(|widths| widths.refinement());
        match &self.loaded {
            Loaded::Raw(raw) => raw.fault(),
            _ if refined.is_some() => refined?.fault.as_deref(),
            _ => self.run_of_program()?.fault.as_deref(),
        }
    }

    /// What is known of the invariant behind "safe"; `None` for other verdicts.
    pub fn proof(&self) -> Option<Proof> {
        match self.widths.as_ref().and_then(|widths| widths.refinement()) {
            Some(refined) => refined.proof,
            None => self.run_of_program()?.proof,
        }
    }

    /// The invariant. For a safe program it is the proof of the verdict; for another program, what
    /// post\* has reached. Returns `None` before post\* is complete.
    pub fn invariant(&mut self) -> Bounded<Option<Invariant>> {
        let Some(run) = self.run_mut().filter(|run| run.executed.is_some()) else {
            return Ok(None);
        };
        match &run.invariant {
            Some(invariant) => Ok(Some(invariant.clone())),
            None => Invariant::of(&mut run.reach).map(Some),
        }
    }

    /// The failing run; see [`Session::answered_program`].
    pub fn failing_run(&self) -> Option<&ReplayedRun> {
        let confirmed = self.widths.as_ref().and_then(|widths| widths.wide_run());
        let own = || self.run_of_program()?.failing.as_ref();
        confirmed.or_else(own).or_else(|| self.executed_run())
    }

    /// Where more than one check can fail: a run of each, worst and nearest first. The first one is
    /// that of [`Session::failing_run`]. Empty unless [`Session::list_failures`] asked for it.
    pub fn failures(&self) -> &[ReplayedRun] {
        match (self.run_of_program(), self.executions()) {
            (Some(run), _) if self.is_answered_by_run() && run.failing.is_some() => run.failures(),
            (_, Some(execution)) if self.is_answered_by_execution() => match execution.found() {
                [_] => &[],
                found => found,
            },
            _ => &[],
        }
    }

    /// The limit because of which [`Session::failures`] may lack checks that can fail.
    pub fn failures_limit(&self) -> Option<Limit> {
        let fails = self.failing_run().is_some();
        if self.is_answered_by_execution() && fails {
            return match self.outcome_of_engine() {
                Outcome::Unknown(limit) => Some(limit),
                _ => None,
            };
        }
        match self.run_of_program() {
            Some(run) if self.is_answered_by_run() => run.failures_limit(),
            _ => self.widths.as_ref().filter(|_| self.lists && fails)?.limit(),
        }
    }

    /// Is the shown failing run that of the session's own run, for the program as it is?
    fn is_answered_by_run(&self) -> bool {
        self.widths
            .as_ref()
            .is_none_or(|widths| widths.wide_run().is_none() && widths.is_full(self))
    }

    /// Is the shown failing run a shortest one?
    pub fn certainty(&self) -> Certainty {
        if self.widths.as_ref().is_some_and(|widths| widths.wide_run().is_some()) {
            return Certainty::Open;
        }
        self.run_of_program().map_or(Certainty::Open, |run| run.certainty)
    }

    /// The loops that no run leaves, of a program of which no run fails.
    pub fn endless(&self) -> &[Endless] {
        self.run_of_program().map_or(&[], |run| &run.endless)
    }

    /// By edge: does some run execute it? Known once post\* is complete.
    pub fn executed(&self) -> Option<&[bool]> {
        self.run_of_program()?.executed.as_deref()
    }

    /// By edge: does some failing run execute it? Known once the projection is complete.
    pub fn in_projection(&self) -> Option<Vec<bool>> {
        self.run_of_program()?.in_projection()
    }

    /// By edge: does some failing run execute it and continue behind it? Known once the projection
    /// is complete.
    pub fn passed(&self) -> Option<Vec<bool>> {
        self.run_of_program()?.passed()
    }

    /// By edge: is it in the slice of the errors? Known at the end of a run that projects, unless
    /// the slice was too large.
    pub fn slice(&self) -> Option<&[bool]> {
        self.run_of_program()?.slice.as_deref()
    }

    /// Begins a search for a shortest failing run that executes a statement of each set (for a raw
    /// system: applies a rule of each set). [`Job::step`] drives it. The analysis must be over.
    /// Returns false, and begins nothing, if it is not, or if there are more than
    /// [`MAX_SETS`](crate::analysis::shortest_run::MAX_SETS) sets.
    pub fn seek_through(&mut self, sets: Vec<Vec<EdgeId>>) -> bool {
        match &mut self.loaded {
            Loaded::Raw(raw) => raw.seek_through(sets),
            _ => self.run_mut().is_some_and(|run| run.seek_through(sets)),
        }
    }

    /// Ends the search in progress, if there is one.
    pub fn cancel_search(&mut self) {
        if matches!(self.stage(), Stage::Shortest | Stage::Wider) {
            self.stop(Limit::Time);
        }
    }

    /// The shortest failing run through the statements last asked for.
    pub fn through(&self) -> Option<&Through> {
        self.run_of_program()?.through.as_ref()
    }

    /// The most nodes alive at once, the steps, and the bytes held by the kernel.
    pub fn statistics(&self) -> (u64, u64, u64) {
        let (peak, steps, bytes) = self.statistics_of_run();
        let (peak_before, steps_before) = self.widths.as_ref().map_or((0, 0), |w| w.spent());
        (peak.max(peak_before), steps.saturating_add(steps_before), bytes)
    }

    pub(super) fn statistics_of_run(&self) -> (u64, u64, u64) {
        if let Loaded::Raw(raw) = &self.loaded {
            let (peak, steps) = raw.statistics();
            return (peak, steps, 0);
        }
        self.run_of_program().map_or((0, 0, 0), |run| {
            if let Some(took) = run.took() {
                return took;
            }
            let kernel = &run.reach.domain.kernel;
            (kernel.peak_nodes(), kernel.steps(), kernel.bytes())
        })
    }

    /// Allows the kernel this many more steps, and a quarter more nodes, than it was given, for
    /// questions about answers.
    pub fn allow_more(&mut self, steps: u64) {
        if let Some(run) = self.run_mut() {
            run.allow_more(steps);
        }
    }
}
