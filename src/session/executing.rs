//! The interpreter's own runs beside the engine's ([`Execution`]), where the engine has no answer
//! soon: what they find is told at once, and it is the answer if the engine has none.

use super::run::Run;
use super::{Analysis, Budgets, Loaded, Outcome, ReplayedRun, Session, Task};
use crate::analysis::execution::{Execution, Only, Starts};
use crate::util::Limit;
use crate::wire::cegar::{Decider, DecisionReport, RefinedReport};
use std::rc::Rc;

/// Kernel steps that the engine still has where the interpreter's answer says all.
const STILL_QUICK: u64 = 3_000_000;

/// Kernel steps after which the engine's answer is not soon: some tenths of a second.
const SOON: u64 = 400_000;

impl Session {
    /// Does a piece of the interpreter's work, if it is its turn.
    pub(super) fn step_execution(&mut self) -> bool {
        if !self.is_to_execute() {
            return false;
        }
        if self.execution.is_none() {
            let Some(program) = self.shared_program() else { return false };
            let is_cut = self.run_of_program().is_some_and(Run::is_list_cut);
            let starts = if is_cut { Starts::All } else { Starts::FirstFirst };
            self.execution = Some(Box::new(Execution::new(program, self.options.error, starts)));
        }
        self.is_executed = self.execution.as_mut().is_none_or(|execution| execution.step());
        if self.is_executed {
            self.use_executed();
        }
        true
    }

    /// Gives the interpreter's failing runs to the engine's run, which lists them.
    fn hand_over(&mut self) {
        let found = self.executions().map_or(Vec::new(), |execution| execution.found().to_vec());
        if let Some(run) = self.run_mut() {
            run.take_executed(&found);
        }
    }

    /// The interpreter's runs are over: the engine's run lists them, or it has little more to do.
    fn use_executed(&mut self) {
        self.hand_over();
        let suffices = self.execution_suffices();
        if let Some(run) = self.run_mut().filter(|run| suffices && !run.is_decided()) {
            run.allow_at_most(STILL_QUICK);
        }
    }

    /// Is it the interpreter's turn?
    pub(super) fn is_to_execute(&self) -> bool {
        self.lists && !self.is_executed && self.is_executable()
    }

    /// The budgets within which a run begins, if the interpreter's runs may come before it.
    pub(super) fn budgets_at_first(&self, budgets: Budgets) -> Option<Budgets> {
        let may_execute = self.lists && self.execution.is_none() && !self.is_executed;
        let is_shorter = budgets.max_steps > SOON;
        (may_execute && is_shorter).then(|| budgets.with_steps(SOON))
    }

    /// Does a run wait whose statements take long to become relations, and is nothing to be
    /// executed before it?
    pub fn has_slow_statements(&self) -> bool {
        self.postponed.is_some() && !self.is_to_execute()
    }

    /// Begins a run that was postponed, once the interpreter's runs are over; has it begun?
    pub(super) fn begin_postponed(&mut self) -> bool {
        let Some(mut budgets) = self.postponed.take() else { return false };
        let Some(program) = self.shared_program() else { return false };
        if self.execution_suffices() {
            budgets = budgets.with_steps(budgets.max_steps.min(STILL_QUICK));
        }
        // It is not postponed again.
        self.is_executed = true;
        self.begin_run(program, budgets, true);
        self.hand_over();
        true
    }

    /// Is the engine without an answer, about a program as it is?
    fn is_executable(&self) -> bool {
        let is_full = self
            .widths
            .as_ref()
            .is_none_or(|widths| widths.is_full(self) && widths.outcome().is_none());
        let is_late = match &self.loaded {
            Loaded::Program(program, _) if program.concurrency.has_threads() => false,
            Loaded::Program(_, Analysis::Started(run)) => {
                let is_given_up = run.is_done()
                    && matches!(run.outcome(), Outcome::Unknown(limit) if limit != Limit::Time);
                let is_long = run.reach.domain.kernel.steps() >= SOON;
                is_given_up || run.is_list_cut() || run.is_unlisted() && is_long
            }
            Loaded::Program(_, Analysis::Refused(limit)) => *limit != Limit::Time,
            Loaded::Program(_, Analysis::Idle) | Loaded::Nothing | Loaded::Raw(_) => false,
        };
        is_full && is_late
    }

    /// What was executed, if that was the loaded program.
    pub(super) fn executions(&self) -> Option<&Execution> {
        let program = self.shared_program()?;
        self.execution.as_deref().filter(|execution| Rc::ptr_eq(execution.program(), &program))
    }

    /// The answer of the interpreter alone.
    pub(super) fn executed_outcome(&self) -> Option<Outcome> {
        let execution = self.executions()?;
        if !execution.found().is_empty() {
            return Some(Outcome::Unsafe);
        }
        (self.is_executed && execution.only() == Only::Ends).then_some(Outcome::Safe)
    }

    /// Is the answer that of the interpreter alone?
    pub(super) fn is_answered_by_execution(&self) -> bool {
        let other = self.widths.as_ref().is_some_and(|widths| widths.outcome().is_some());
        !other && self.engine_outcome().is_none() && self.executed_outcome().is_some()
    }

    /// The answer of the engine for the width in force, if it has one.
    fn engine_outcome(&self) -> Option<Outcome> {
        let outcome = self.outcome_of_engine();
        Some(outcome).filter(|outcome| !matches!(outcome, Outcome::Unknown(_)))
    }

    /// The failing run that the interpreter found, if the engine has found none.
    pub(super) fn executed_run(&self) -> Option<&ReplayedRun> {
        self.executions()?.found().first()
    }

    /// How an answer of the interpreter alone is told.
    pub(super) fn told_execution(&self) -> Option<RefinedReport> {
        let by = match self.is_answered_by_execution() {
            false => return None,
            true => Decider::Execution,
        };
        let decided = DecisionReport { by, predicates: 0, followed: 0, variables: 0 };
        Some(RefinedReport { rounds: 0, decided: Some(decided) })
    }

    /// The engine must not prove what the interpreter refutes.
    pub(super) fn compare_with_execution(&mut self) {
        let refuted = self.executions().is_some_and(|execution| !execution.found().is_empty());
        let is_safe = self.outcome_of_engine() == Outcome::Safe;
        if let Some(run) = self.run_mut().filter(|_| refuted && is_safe) {
            run.fault = Some("the interpreter has a failing run, and the engine has none".into());
        }
    }

    /// Does an answer of the interpreter alone say all that was asked for?
    pub(super) fn execution_suffices(&self) -> bool {
        match self.executed_outcome() {
            Some(Outcome::Safe) => true,
            Some(_) => self.task == Task::Check,
            None => false,
        }
    }
}
