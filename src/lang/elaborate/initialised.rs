//! Reads of what may have no value, as they are elaborated: each gets a check, which
//! [`crate::lang::initialised`] completes once the whole program is known.

use super::elaborator::Elaborator;
use crate::lang::initialised::{Noted, Place as ReadPlace};
use crate::lang::model::{
    EdgeId, ErrorKind, Expression, Operation, ProcedureId, Span, StatementKind, Subject,
    VariableKind,
};
use crate::lang::syntax::Expr;
use rustc_hash::FxHashSet;

/// Which reads are checked.
#[derive(Debug, Default)]
pub(super) enum Wanted {
    /// None.
    #[default]
    Nothing,
    /// All that could be of something without a value.
    All,
    /// Those at these places.
    These(FxHashSet<ReadPlace>),
}

/// What is known of reads.
#[derive(Debug, Default)]
pub(super) struct Reads {
    pub(super) wanted: Wanted,
    /// Values are only moved: what has none may be copied.
    pub(super) moving: bool,
    pub(super) noted: Noted,
}

impl Elaborator<'_> {
    /// Could a read be checked?
    pub(super) fn checks_reads(&self) -> bool {
        !matches!(self.reads.wanted, Wanted::Nothing)
            && !self.reads.moving
            && !self.folding
            && self.names.in_block()
            && self.checked(ErrorKind::Initialised)
    }

    fn is_wanted(&self, place: ReadPlace) -> bool {
        self.checks_reads()
            && match &self.reads.wanted {
                Wanted::Nothing => false,
                Wanted::All => true,
                Wanted::These(places) => places.contains(&place),
            }
    }

    /// The next edge fails if this variable or element has no value.
    pub(super) fn has_value(&mut self, value: &Expression, span: Span) {
        let id = match value {
            Expression::Variable(id, _) | Expression::Element(id, ..) => *id,
            _ => return,
        };
        let kind = self.program.variable(id).kind;
        if !matches!(kind, VariableKind::Local | VariableKind::Global)
            || !self.is_wanted(ReadPlace::Value(span.start, span.end))
        {
            return;
        }
        let message = self.tidy(span);
        let subject = Subject::Value(value.clone(), span);
        let open = Expression::falsity();
        self.require_named(ErrorKind::Initialised, open, subject, message, span);
    }

    /// The next edge fails if this procedure has returned no value.
    pub(super) fn has_returned(&mut self, callee: ProcedureId, span: Span) {
        if self.is_wanted(ReadPlace::Result(span.start, span.end)) {
            let subject = Subject::Returned(callee, span);
            let open = Expression::falsity();
            self.require_named(ErrorKind::Initialised, open, subject, String::new(), span);
        }
    }

    /// Gives a check of a result an edge of its own.
    pub(super) fn settle_result(&mut self, span: Span) {
        let is_result = |subject: &Subject| matches!(subject, Subject::Returned(..));
        if self.pending.checks.last().is_some_and(|check| is_result(&check.subject)) {
            let text = self.tidy(span);
            self.hidden(span, text);
        }
    }

    /// Drops the check of a result that is not used.
    pub(super) fn forget_result(&mut self) {
        self.pending.checks.retain(|check| !matches!(check.subject, Subject::Returned(..)));
    }

    /// These places begin to exist. Those without a value here have none until they are written.
    pub(super) fn unset(&mut self, changes: &[(Expr, Option<Expr>)], span: Span) {
        let first = self.program.edges.len();
        self.forget(changes, span);
        for at in first..self.program.edges.len() {
            let edge = &self.program.edges[at];
            let Operation::Assign(stores) = &edge.operation else { continue };
            for (index, (_, value)) in stores.iter().enumerate() {
                if matches!(value, Expression::Choice(..)) {
                    self.reads.noted.unset.insert((EdgeId(at as u32), index));
                }
            }
        }
    }

    /// What the edges from this one on store counts as a value.
    pub(super) fn stores_values(&mut self, first: usize) {
        for at in first..self.program.edges.len() {
            if self.program.edges[at].kind != StatementKind::Hidden {
                self.reads.noted.stored.insert(EdgeId(at as u32));
            }
        }
    }
}
