//! Edges at the current location of the graph under construction.

use super::elaborator::Elaborator;
use crate::lang::lowering::graph::{Looks, Pending, Step};
use crate::lang::lowering::tidy::tidy_at;
use crate::lang::model::{EdgeId, LocationId, Operation, Span, StatementKind};

impl Elaborator<'_> {
    /// The source text of a place, without comments, on one line.
    #[inline(always)]
    pub(super) fn tidy(&self, span: Span) -> String {
        tidy_at(self.source, span)
    }

    /// The source text of a place as it stands.
    pub(super) fn source_text(&self, span: Span) -> String {
        self.source.get(span.start as usize..span.end as usize).unwrap_or_default().to_string()
    }

    /// The looks of a statement with its own source text.
    pub(super) fn looks(&self, kind: StatementKind, span: Span) -> Looks {
        Looks { kind, span, text: self.tidy(span) }
    }

    /// Adds an edge from the current location to a new one, which becomes current. The edge takes
    /// the pending checks and choices.
    pub(super) fn emit(&mut self, operation: Operation, looks: Looks) {
        let to = self.graph.fresh();
        self.emit_to(operation, looks, to);
        self.graph.current = Some(to);
    }

    /// Adds an edge from the current location to the given one. No location is current afterwards.
    pub(super) fn emit_to(&mut self, operation: Operation, looks: Looks, to: LocationId) {
        let from = self.graph.here();
        let pending = std::mem::take(&mut self.pending);
        let watched = self.watched(&operation, looks.kind);
        let span = looks.span;
        let (middle, text) =
            if watched { (self.graph.fresh(), looks.text.clone()) } else { (to, String::new()) };
        self.push_edge(from, middle, operation, pending, String::new(), looks);
        if watched {
            self.graph.current = Some(middle);
            self.user_error(span);
            let pending = std::mem::take(&mut self.pending);
            self.push_edge(
                middle,
                to,
                Operation::Skip,
                pending,
                String::new(),
                Looks { kind: StatementKind::Hidden, span, text },
            );
        }
        self.graph.current = None;
    }

    /// Adds an edge; the caller gives every field.
    pub(super) fn push_edge(
        &mut self,
        from: LocationId,
        to: LocationId,
        operation: Operation,
        pending: Pending,
        outcome: String,
        mut looks: Looks,
    ) -> EdgeId {
        if self.ghost {
            looks.kind = StatementKind::Hidden;
        }
        let scope = self.names.scope(&mut self.program);
        self.graph.edge(
            &mut self.program,
            (from, to),
            scope,
            Step { operation, pending, outcome, looks },
        )
    }

    /// Adds a step that is not in the source. It takes the pending checks and choices.
    pub(super) fn hidden(&mut self, span: Span, text: String) {
        self.emit(Operation::Skip, Looks { kind: StatementKind::Hidden, span, text });
    }

    /// Makes sure that the current location is not the entry, because jumps may lead here and an
    /// entry has no in-edges.
    pub(super) fn leave_entry(&mut self, span: Span) {
        if self.graph.at_entry() {
            let text = self.tidy(span);
            self.hidden(span, text);
        }
    }
}
