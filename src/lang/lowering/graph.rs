//! The control-flow graph under construction.
//!
//! Branches meet by *merging* their ends into one location (union-find) instead of by extra edges;
//! `finish` renumbers what is left. A location that is merged away never has out-edges: only ends
//! of branches are.

use crate::lang::given::{self, Picked};
use crate::lang::model::{
    Check, Edge, EdgeId, Location, LocationId, Operation, ProcedureId, Program, ScopeId, Span,
    StatementKind,
};
use crate::util::order::inserted;

/// Checks and choices of an expression that wait for their edge.
#[derive(Debug, Default)]
pub(in crate::lang) struct Pending {
    pub(in crate::lang) checks: Vec<Check>,
    pub(in crate::lang) choices: Vec<Picked>,
}

/// Locations, and where the next edge starts.
#[derive(Debug, Default)]
pub(in crate::lang) struct Graph {
    locations: Vec<Location>,
    parents: Vec<u32>,
    procedure: u32,
    entry: u32,
    /// The exit of the procedure under construction.
    pub(in crate::lang) exit: LocationId,
    /// `None` after a jump: the next statement cannot be reached.
    pub(in crate::lang) current: Option<LocationId>,
}

impl Graph {
    /// A new procedure: its entry is the current location.
    pub(in crate::lang) fn start(&mut self, procedure: ProcedureId) -> LocationId {
        self.procedure = procedure.0;
        let entry = self.fresh();
        self.entry = entry.0;
        self.current = Some(entry);
        entry
    }

    pub(in crate::lang) fn fresh(&mut self) -> LocationId {
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

    /// Merges two locations into one.
    pub(in crate::lang) fn merge(&mut self, gone: LocationId, kept: LocationId) {
        let (gone, kept) = (self.find(gone), self.find(kept));
        if gone == kept {
            return;
        }
        let line = self.locations[gone].line;
        if self.locations[kept].line == 0 {
            self.locations[kept].line = line;
        }
        self.parents[gone] = kept.0;
    }

    /// Merges the ends of two branches.
    pub(in crate::lang) fn join(
        &mut self,
        one: Option<LocationId>,
        other: Option<LocationId>,
    ) -> Option<LocationId> {
        match (one, other) {
            (Some(one), Some(other)) => {
                self.merge(other, one);
                Some(one)
            }
            (one, other) => one.or(other),
        }
    }

    /// The current location, or a new one that cannot be reached.
    pub(in crate::lang) fn here(&mut self) -> LocationId {
        match self.current {
            Some(here) => here,
            None => {
                let here = self.fresh();
                self.current = Some(here);
                here
            }
        }
    }

    pub(in crate::lang) fn at_entry(&mut self) -> bool {
        match self.current {
            Some(here) => self.find(here).0 == self.entry,
            None => false,
        }
    }

    /// Sets the line of a location, unless it has one already.
    pub(in crate::lang) fn set_line(&mut self, location: LocationId, line: u32) {
        let root = self.find(location);
        if self.locations[root].line == 0 {
            self.locations[root].line = line;
        }
    }

    /// Adds an edge to the program; the caller gives every field.
    pub(in crate::lang) fn edge(
        &mut self,
        program: &mut Program,
        ends: (LocationId, LocationId),
        scope: ScopeId,
        step: Step,
    ) -> EdgeId {
        let Step { operation, pending, outcome, looks } = step;
        self.set_line(ends.0, looks.span.line);
        let id = EdgeId(program.edges.len() as u32);
        given::note(&mut program.givers, id, &pending.choices);
        program.edges.push(Edge {
            from: ends.0,
            to: ends.1,
            checks: pending.checks,
            operation,
            choices: pending.choices.iter().map(|picked| picked.scalar).collect(),
            kind: looks.kind,
            outcome,
            span: looks.span,
            text: looks.text,
            scope,
        });
        id
    }

    /// Renumbers the locations that are left, in the order in which they were made.
    pub(in crate::lang) fn finish(&mut self, program: &mut Program) {
        let mut number = vec![u32::MAX; self.locations.len()];
        for id in 0..self.locations.len() as u32 {
            if self.parents[id as usize] == id {
                number[id as usize] = program.locations.len() as u32;
                program.locations.push(self.locations[id as usize]);
            }
        }
        let mut new = |id: LocationId| LocationId(number[self.find(id)]);
        for edge in &mut program.edges {
            edge.from = new(edge.from);
            edge.to = new(edge.to);
        }
        for procedure in &mut program.procedures {
            procedure.entry = new(procedure.entry);
            procedure.exit = new(procedure.exit);
        }
        let uninterruptible = std::mem::take(&mut program.concurrency.uninterruptible);
        program.concurrency.uninterruptible = inserted(uninterruptible.into_iter().map(&mut new));
    }
}

/// How an edge appears.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Looks {
    pub(in crate::lang) kind: StatementKind,
    pub(in crate::lang) span: Span,
    pub(in crate::lang) text: String,
}

/// What an edge does, and how it appears.
pub(in crate::lang) struct Step {
    pub(in crate::lang) operation: Operation,
    pub(in crate::lang) pending: Pending,
    /// The outcome, for a condition.
    pub(in crate::lang) outcome: String,
    pub(in crate::lang) looks: Looks,
}
