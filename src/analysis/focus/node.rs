//! The nodes of the search. Each carries the entries and constraints of its sequence.

use super::feasible::Conjunction;
use super::lines::LineSet;
use super::state::{LocalStateId, SearchState};
use crate::bdd::{Bdd, impl_roots};
use crate::lang::model::{EdgeId, Expression, VariableId};
use std::rc::Rc;

/// An error: an edge and its check.
pub(super) type Error = (EdgeId, usize);

/// A condition or check of a sequence, over the store at the node.
#[derive(Clone)]
pub(super) struct Constraint {
    /// The number of entries that come after it.
    pub(super) ordinal: u32,
    pub(super) edge: EdgeId,
    pub(super) expression: Expression,
    pub(super) truth: Bdd,
    /// Does it mention a variable that is not interpreted during the search?
    pub(super) uninterpreted: bool,
}

/// Entries from here to the end.
pub(super) struct Link {
    pub(super) edge: EdgeId,
    /// The number of the way in which the statement's conditions came out.
    pub(super) way: u32,
    pub(super) rest: Option<Rc<Link>>,
}

/// A focus statement by which a sequence grows.
#[derive(Clone, Copy)]
pub(super) struct FocusStep {
    pub(super) edge: EdgeId,
    /// The return that becomes an entry because of it.
    pub(super) returned: Option<EdgeId>,
}

/// A path through a procedure, which a call of it takes in one step ([`super::path`]).
pub(super) struct ProcedurePath {
    /// The entries from the procedure's end, with the ways of their conditions.
    pub(super) entries: Vec<(EdgeId, u32)>,
    /// The constraints over the store at the entry. Ordinals count from the procedure's end.
    pub(super) constraints: Vec<Rc<Constraint>>,
    /// The values of the relevant variables at the end, over the store at the entry.
    pub(super) values: Vec<(VariableId, Expression)>,
    pub(super) entry: LocalStateId,
}

/// A node of the search: a position before a statement of some run that fails.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) state: SearchState,
    pub(super) error: Error,
    pub(super) constraints: Vec<Rc<Constraint>>,
    pub(super) entries: Option<Rc<Link>>,
    /// The number of the list of entries and ways.
    pub(super) path: u32,
    pub(super) count: u32,
    pub(super) length: u32,
    pub(super) lines: LineSet,
    /// The conjunction of all interpreted constraints.
    pub(super) holds: Conjunction,
    /// The conjunction of all constraints, where some are not interpreted; true otherwise.
    pub(super) all: Conjunction,
    /// Set while a path through a procedure is made: the values of the relevant variables at its
    /// end, over the store here. Diagrams are left out then.
    pub(super) values: Option<Vec<(VariableId, Expression)>>,
}

impl Node {
    /// A node about whose run nothing is known yet.
    pub(super) fn new(state: SearchState, error: Error) -> Node {
        Node {
            state,
            error,
            constraints: Vec::new(),
            entries: None,
            path: 0,
            count: 0,
            length: 0,
            lines: LineSet::default(),
            holds: Conjunction::default(),
            all: Conjunction::default(),
            values: None,
        }
    }

    /// The entries with their ways, from here to the end.
    pub(super) fn entries(&self) -> Vec<(EdgeId, u32)> {
        let (mut entries, mut here) = (Vec::new(), &self.entries);
        while let Some(link) = here {
            entries.push((link.edge, link.way));
            here = &link.rest;
        }
        entries
    }
}

impl_roots!(Node { holds, all, constraints });
impl_roots!(Constraint { truth });

impl Drop for Link {
    /// Lists can be long, so they are dropped without recursion.
    fn drop(&mut self) {
        let mut rest = self.rest.take();
        while let Some(link) = rest {
            rest = Rc::try_unwrap(link).ok().and_then(|mut link| link.rest.take());
        }
    }
}

/// A sequence that reaches the program's start.
pub(super) struct Candidate {
    pub(super) entries: Vec<EdgeId>,
    /// The constraints in the order of the entries.
    pub(super) constraints: Vec<Rc<Constraint>>,
    pub(super) length: u32,
    pub(super) lines: LineSet,
    /// The conjunction of all constraints.
    pub(super) holds: Conjunction,
    pub(super) error: Error,
}

impl_roots!(Candidate { holds, constraints });
