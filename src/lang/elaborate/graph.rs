//! The control-flow graph under construction.
//!
//! Branches meet by *merging* their ends into one location (union-find) instead of by extra edges; `finish` renumbers what is left. A
//! location that is merged away never has out-edges: only ends of branches are.

use super::Elaborator;
use crate::lang::model::{Check, Edge, EdgeId, Location, LocationId, Operation, ProcedureId, Program, Scalar, Span, StatementKind};

/// Checks and choices of an expression that wait for their edge.
#[derive(Debug, Default)]
pub(super) struct Pending {
    pub(super) checks: Vec<Check>,
    pub(super) choices: Vec<Scalar>,
}

/// Locations, and where the next edge starts.
#[derive(Debug, Default)]
pub(super) struct Graph {
    locations: Vec<Location>,
    parents: Vec<u32>,
    procedure: u32,
    entry: u32,
    /// Of the procedure under construction.
    pub(super) exit: LocationId,
    /// `None` after a jump: what follows cannot be reached.
    pub(super) current: Option<LocationId>,
}

impl Graph {
    /// A new procedure: its entry is the current location.
    pub(super) fn start(&mut self, procedure: ProcedureId) -> LocationId {
        self.procedure = procedure.0;
        let entry = self.fresh();
        self.entry = entry.0;
        self.current = Some(entry);
        entry
    }

    pub(super) fn fresh(&mut self) -> LocationId {
        let id = self.locations.len() as u32;
        self.locations.push(Location { procedure: ProcedureId(self.procedure), line: 0 });
        self.parents.push(id);
        LocationId(id)
    }

    fn find(&mut self, id: LocationId) -> LocationId {
        let mut root = id.0;
        while self.parents[root as usize] != root {
            let grandparent = self.parents[self.parents[root as usize] as usize];
            self.parents[root as usize] = grandparent;
            root = grandparent;
        }
        LocationId(root)
    }

    /// Makes them one location.
    pub(super) fn merge(&mut self, gone: LocationId, kept: LocationId) {
        let (gone, kept) = (self.find(gone), self.find(kept));
        if gone == kept {
            return;
        }
        let line = self.locations[gone.0 as usize].line;
        if self.locations[kept.0 as usize].line == 0 {
            self.locations[kept.0 as usize].line = line;
        }
        self.parents[gone.0 as usize] = kept.0;
    }

    /// Merges the ends of two branches.
    pub(super) fn join(&mut self, one: Option<LocationId>, other: Option<LocationId>) -> Option<LocationId> {
        match (one, other) {
            (Some(one), Some(other)) => {
                self.merge(other, one);
                Some(one)
            }
            (one, other) => one.or(other),
        }
    }

    /// The current location, or a new one that cannot be reached.
    pub(super) fn here(&mut self) -> LocationId {
        match self.current {
            Some(here) => here,
            None => {
                let here = self.fresh();
                self.current = Some(here);
                here
            }
        }
    }

    pub(super) fn at_entry(&mut self) -> bool {
        match self.current {
            Some(here) => self.find(here).0 == self.entry,
            None => false,
        }
    }

    /// Unless it has a line already.
    pub(super) fn set_line(&mut self, location: LocationId, line: u32) {
        let root = self.find(location);
        if self.locations[root.0 as usize].line == 0 {
            self.locations[root.0 as usize].line = line;
        }
    }

    /// Renumbers the locations that are left, in the order in which they were made.
    pub(super) fn finish(&mut self, program: &mut Program) {
        let mut number = vec![u32::MAX; self.locations.len()];
        for id in 0..self.locations.len() as u32 {
            if self.parents[id as usize] == id {
                number[id as usize] = program.locations.len() as u32;
                program.locations.push(self.locations[id as usize]);
            }
        }
        let mut new = |id: LocationId| LocationId(number[self.find(id).0 as usize]);
        for edge in &mut program.edges {
            edge.from = new(edge.from);
            edge.to = new(edge.to);
        }
        for procedure in &mut program.procedures {
            procedure.entry = new(procedure.entry);
            procedure.exit = new(procedure.exit);
        }
    }
}

/// How an edge appears.
#[derive(Clone, Debug)]
pub(super) struct Looks {
    pub(super) kind: StatementKind,
    pub(super) span: Span,
    pub(super) text: String,
}

impl Elaborator<'_> {
    /// The looks of a statement with its own source text.
    pub(super) fn looks(&self, kind: StatementKind, span: Span) -> Looks {
        Looks { kind, span, text: self.tidy(span) }
    }

    /// An edge from the current location to a new one, which becomes current. It takes the pending checks and choices.
    pub(super) fn emit(&mut self, operation: Operation, looks: Looks) {
        let to = self.graph.fresh();
        self.emit_to(operation, looks, to);
        self.graph.current = Some(to);
    }

    /// An edge from the current location to this one; nothing is current afterwards.
    pub(super) fn emit_to(&mut self, operation: Operation, looks: Looks, to: LocationId) {
        let from = self.graph.here();
        let pending = std::mem::take(&mut self.pending);
        let watched = self.watched(&operation, looks.kind);
        let span = looks.span;
        let (middle, text) = if watched { (self.graph.fresh(), looks.text.clone()) } else { (to, String::new()) };
        self.push_edge(from, middle, operation, pending, String::new(), looks);
        if watched {
            self.graph.current = Some(middle);
            self.user_error(span);
            let pending = std::mem::take(&mut self.pending);
            self.push_edge(middle, to, Operation::Skip, pending, String::new(), Looks { kind: StatementKind::Hidden, span, text });
        }
        self.graph.current = None;
    }

    /// The plain form: every field given.
    pub(super) fn push_edge(
        &mut self,
        from: LocationId,
        to: LocationId,
        operation: Operation,
        pending: Pending,
        outcome: String,
        looks: Looks,
    ) -> EdgeId {
        self.graph.set_line(from, looks.span.line);
        let scope = self.names.scope(&mut self.program);
        let id = EdgeId(self.program.edges.len() as u32);
        self.program.edges.push(Edge {
            from,
            to,
            checks: pending.checks,
            operation,
            choices: pending.choices,
            kind: looks.kind,
            outcome,
            span: looks.span,
            text: looks.text,
            scope,
        });
        id
    }

    /// A step that is not in the source; carries what is pending.
    pub(super) fn hidden(&mut self, span: Span, text: String) {
        self.emit(Operation::Skip, Looks { kind: StatementKind::Hidden, span, text });
    }

    /// An entry has no in-edge: a place that may be jumped to is moved away from it.
    pub(super) fn leave_entry(&mut self, span: Span) {
        if self.graph.at_entry() {
            let text = self.tidy(span);
            self.hidden(span, text);
        }
    }
}
