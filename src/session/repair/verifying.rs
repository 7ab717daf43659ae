//! The check of an edited program, and what it proves: an edit is accepted, refuted by a failing
//! run, or left aside.

use super::{Checking, Refuted, Repair, RepairSession};
use crate::analysis::repair::Candidate;
use crate::analysis::repair::trials::{Bench, End, Trial};
use crate::lang::model::{EdgeId, ErrorKind};
use crate::session::{Budgets, Job, Outcome, Proof, Session, Task};
use crate::util::Limit;
use crate::wire::repair::RepairKind;
use crate::wire::repair::Verified;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Kernel steps for the check of one edited program, at most.
const STEPS_PER_CHECK: u64 = 100_000_000;

impl RepairSession {
    pub(super) fn begin_check(
        &mut self,
        candidate: Candidate,
        edited: &str,
        second: Option<(u32, ErrorKind)>,
        number: bool,
    ) {
        let mut requested = self.requested.clone();
        if second.is_some() {
            requested.error = Some(self.run.check.line);
        }
        let (mut session, _) = Session::load(edited, &requested);
        if let Some(alarm) = &self.alarm {
            session.set_alarm(Arc::clone(alarm));
        }
        let left = self.options.max_steps.saturating_sub(self.used);
        let max_steps = self.budgets.max_steps.min(left).min(STEPS_PER_CHECK);
        session.start(Task::Check, Budgets { max_steps, ..self.budgets });
        self.checks += 1;
        self.checking = Some(Checking { session: Box::new(session), candidate, second, number });
    }

    pub(super) fn refute(&mut self, candidate: &Candidate, fails: (u32, ErrorKind)) {
        if candidate.edit.kind == RepairKind::Initialisation {
            self.refuted.push(Refuted { edit: candidate.edit.clone(), fails });
        }
    }

    /// A piece of the check of an edited program.
    pub(super) fn check(&mut self) {
        let Some(mut checking) = self.checking.take() else { return };
        if !checking.session.step() {
            self.checking = Some(checking);
            return;
        }
        self.used += checking.session.statistics().1;
        match (checking.session.outcome(), checking.second) {
            (Outcome::Safe, second) => self.accept(&checking, second),
            (Outcome::Unsafe, second) => {
                let Some(run) = checking.session.failing_run() else { return };
                let fails = (run.check.line, run.check.kind);
                if let Some(program) = checking.session.program() {
                    let trial = Trial::of(program, &run.run);
                    if Bench::new(&self.program).run(&trial)
                        == End::Fails(self.error().0, self.error().1)
                    {
                        self.failing.push(trial.clone());
                    }
                    self.history.push(trial.clone());
                    self.trials.push(trial);
                }
                if fails != self.error() && second.is_none() && !checking.number {
                    let edited = checking.candidate.edit.apply(&self.source);
                    self.begin_check(checking.candidate, &edited, Some(fails), false);
                } else {
                    self.refute(&checking.candidate, fails);
                }
            }
            (Outcome::Unknown(limit @ Limit::Time), _) => self.stop(limit),
            (Outcome::Unknown(_) | Outcome::Fault, _) => {}
        }
    }

    /// No run fails: is the assertion still reached?
    pub(super) fn accept(&mut self, checking: &Checking, stays: Option<(u32, ErrorKind)>) {
        let session = &checking.session;
        let (Some(program), Some(executed), Some(Proof::Checked)) =
            (session.program(), session.executed(), session.proof())
        else {
            return;
        };
        let is_executed = |id: &EdgeId| executed.get(id.0 as usize).copied().unwrap_or(false);
        let (line, kind) = self.error();
        let is_asked = kind == ErrorKind::Assertion;
        let judges = |id: &EdgeId| {
            let edge = program.edge(*id);
            match is_asked {
                true => edge.checks.iter().any(|check| (check.line, check.kind) == (line, kind)),
                false => edge.to == program.procedure(program.main_id()).exit,
            }
        };
        let mut judging = program.edge_ids().filter(judges).peekable();
        let passes = (judging.peek().is_none() && !is_asked) || judging.any(|id| is_executed(&id));
        if !passes {
            return;
        }
        let reached: BTreeSet<u32> =
            program.edge_ids().filter(is_executed).map(|id| program.edge(id).span.line).collect();
        let mut lines: BTreeSet<u32> =
            self.run.entries.iter().map(|entry| self.program.edge(entry.edge).span.line).collect();
        if !is_asked && let Some(failing) = self.run.entries.last() {
            // No run is to come there.
            lines.remove(&self.program.edge(failing.edge).span.line);
        }
        let repair = Repair {
            edit: checking.candidate.edit.clone(),
            edge: checking.candidate.edge,
            verified: if stays.is_some() { Verified::ThisErrorGone } else { Verified::NoRunFails },
            stays,
            unreached: lines.difference(&reached).copied().collect(),
        };
        if checking.number {
            self.open_numbers.pop_front();
        }
        // Where another error stays, an edit that leads all runs around the statements before this
        // one mends nothing.
        if repair.verified == Verified::NoRunFails || repair.unreached.is_empty() {
            self.repairs.push(repair);
        }
    }
}
