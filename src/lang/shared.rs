//! Procedures that several calls share and that have no text of their own in the source: those of
//! the library, and those that take memory and give it back. What happens in one is told as the
//! call that led there.

use super::ids::{EdgeId, ProcedureId};
use super::model::{Check, Operation, Program, Span, Subject};
use std::collections::{BTreeMap, BTreeSet};

/// A call of a shared procedure, as the source writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedCall {
    /// Its place.
    pub span: Span,
    /// Its text, without the statement around it: `strlen(name)`.
    pub text: String,
    /// The procedure.
    pub callee: ProcedureId,
}

/// The shared procedures of a program, and the calls of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// All of them.
    pub procedures: BTreeSet<ProcedureId>,
    /// By edge.
    pub calls: BTreeMap<EdgeId, SharedCall>,
}

impl Program {
    /// Does a shared procedure have this edge?
    pub fn is_shared(&self, edge: EdgeId) -> bool {
        self.shared.procedures.contains(&self.owner(edge))
    }

    /// Does a statement of the source start on this line here? Edges of shared procedures are no
    /// statements of any line.
    pub fn stands_at(&self, id: EdgeId, line: u32) -> bool {
        let edge = self.edge(id);
        edge.span.line == line && edge.is_statement() && !self.is_shared(id)
    }

    /// The call as which a step of a shared procedure is told: the innermost pending one that the
    /// source writes. `pending` has the pending calls, the innermost first. `None` for other steps.
    pub fn told(
        &self,
        edge: EdgeId,
        pending: impl IntoIterator<Item = EdgeId>,
    ) -> Option<&SharedCall> {
        if !self.is_shared(edge) {
            return None;
        }
        let call = pending.into_iter().find(|call| !self.is_shared(*call))?;
        self.shared.calls.get(&call)
    }

    /// A check as it is told where it fails: with the line and the text of its call if a shared
    /// procedure has it.
    pub fn told_check(
        &self,
        edge: EdgeId,
        check: &Check,
        pending: impl IntoIterator<Item = EdgeId>,
    ) -> Check {
        let mut told = check.clone();
        if let Some(call) = self.told(edge, pending) {
            // What a procedure does not keep is told where it says so.
            if let Subject::Contract(broken) = &check.subject
                && !broken.at_call
            {
                return told;
            }
            told.line = call.span.line;
            told.message = match &check.subject {
                Subject::Memory(fault) => fault.kind.message(&call.text),
                Subject::Rule(broken) => broken.message(&call.text),
                Subject::Contract(broken) => broken.message(&call.text),
                _ => call.text.clone(),
            };
        }
        told
    }

    /// The calls that are pending at the last of these steps of one thread, the innermost first.
    /// A step is an edge with the number of calls that are pending before it.
    pub fn pending<'s>(
        &'s self,
        steps: impl DoubleEndedIterator<Item = (EdgeId, u32)> + 's,
    ) -> impl Iterator<Item = EdgeId> + 's {
        let mut steps = steps.rev();
        let mut depth = steps.next().map_or(0, |(_, depth)| depth);
        steps.filter_map(move |(edge, before)| {
            let calls = matches!(self.edge(edge).operation, Operation::Call { .. });
            (calls && before + 1 == depth).then(|| {
                depth -= 1;
                edge
            })
        })
    }

    /// The lines at which a failure of a check can be told, ascending: its own, or those of the
    /// calls that lead to the shared procedure that has it.
    pub fn lines_of(&self, edge: EdgeId, check: &Check) -> Vec<u32> {
        if matches!(&check.subject, Subject::Contract(broken) if !broken.at_call) {
            return vec![check.line];
        }
        let mut lines = BTreeSet::new();
        let mut seen = BTreeSet::from([self.owner(edge)]);
        let mut open = vec![self.owner(edge)];
        while let Some(procedure) = open.pop().filter(|_| self.is_shared(edge)) {
            let calls = self.shared.calls.iter().filter(|(_, call)| call.callee == procedure);
            for (id, call) in calls {
                match self.is_shared(*id) {
                    true if seen.insert(self.owner(*id)) => open.push(self.owner(*id)),
                    true => {}
                    false => drop(lines.insert(call.span.line)),
                }
            }
        }
        if lines.is_empty() {
            lines.insert(check.line);
        }
        lines.into_iter().collect()
    }
}
