//! What follows if no run of an edited program fails. The edit is a repair if some run still
//! reaches the assertion or, for an error without a condition, if some run still ends.

use super::Candidate;
use super::found::Repair;
use super::trials::{StatementKey, keys};
use crate::analysis::replay::ReplayedRun;
use crate::lang::model::{EdgeId, ErrorKind, Program, StatementKind};
use crate::util::order::inserted;
use crate::wire::repair::Verified;
use std::collections::BTreeSet;

/// An edited program of which no run fails.
pub(super) struct Proved<'p> {
    /// The edited program.
    pub(super) program: &'p Program,
    /// By edge: does some run execute it?
    pub(super) executed: &'p [bool],
    /// The edit.
    pub(super) candidate: &'p Candidate,
    /// Another error that stays: then the check looked only for the error that is to be repaired.
    pub(super) stays: Option<(u32, ErrorKind)>,
}

impl Proved<'_> {
    fn is_executed(&self, id: EdgeId) -> bool {
        self.executed.get(id.0 as usize).copied().unwrap_or(false)
    }

    /// Does some run still pass the check that failed? For a check without a condition: does some
    /// run still end?
    pub(super) fn still_passes(&self, (line, kind): (u32, ErrorKind)) -> bool {
        let asked = kind == ErrorKind::Assertion;
        let judges = |id: &EdgeId| {
            let edge = self.program.edge(*id);
            match asked {
                true => edge.checks.iter().any(|check| (check.line, check.kind) == (line, kind)),
                false => edge.to == self.program.procedure(self.program.main_id()).exit,
            }
        };
        let mut judging = self.program.edge_ids().filter(judges).peekable();
        (judging.peek().is_none() && !asked) || judging.any(|id| self.is_executed(id))
    }

    /// How many assignments and calls of the failing run no run executes any more, as of a loop
    /// that ends at once. The statement that is edited may be another one now.
    fn idle(&self, original: &Program, run: &ReplayedRun) -> usize {
        let executed = self.program.edge_ids().filter(|id| self.is_executed(*id));
        let now = keys(self.program);
        let executed: BTreeSet<&StatementKey> =
            inserted(executed.filter_map(|id| now.get(id.0 as usize)));
        let before = keys(original);
        let own = original.edge(self.candidate.edge).span;
        let counts = |id: &EdgeId| {
            let edge = original.edge(*id);
            matches!(edge.kind, StatementKind::Assignment | StatementKind::Call) && edge.span != own
        };
        let of_run: BTreeSet<EdgeId> =
            inserted(run.entries.iter().map(|entry| entry.edge).filter(counts));
        let is_idle =
            |id: &&EdgeId| before.get(id.0 as usize).is_some_and(|key| !executed.contains(key));
        of_run.iter().filter(is_idle).count()
    }

    /// The repair of the program that fails by this run. [`Self::still_passes`] must hold. Returns
    /// `None` if another error stays and some lines are not executed any more, because an edit that
    /// leads all runs around the statements before that error repairs nothing.
    pub(super) fn repair(&self, original: &Program, run: &ReplayedRun) -> Option<Repair> {
        let line_of = |program: &Program, id: EdgeId| program.edge(id).span.line;
        let executed = self.program.edge_ids().filter(|id| self.is_executed(*id));
        let reached: BTreeSet<u32> = inserted(executed.map(|id| line_of(self.program, id)));
        let mut lines: BTreeSet<u32> =
            run.entries.iter().map(|entry| line_of(original, entry.edge)).collect();
        if run.check.kind != ErrorKind::Assertion
            && let Some(failing) = run.entries.last()
        {
            // No run should reach the failing statement itself.
            lines.remove(&line_of(original, failing.edge));
        }
        let repair = Repair {
            edit: self.candidate.edit.clone(),
            edge: self.candidate.edge,
            oddness: self.candidate.oddness,
            idle: self.idle(original, run),
            verified: match self.stays {
                Some(_) => Verified::ThisErrorGone,
                None => Verified::NoRunFails,
            },
            stays: self.stays,
            weakens: self.candidate.weakens,
            unreached: lines.difference(&reached).copied().collect(),
        };
        (repair.verified == Verified::NoRunFails || repair.unreached.is_empty()).then_some(repair)
    }
}
