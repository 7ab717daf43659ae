//! Handles that stand for one thread after another: created in loops, in several places, or
//! elements of an array.
//!
//! A *cell* is one handle: a variable, or an element of an array. Each cell has a hidden flag that
//! its thread sets when it ends, and one that says that its thread was not joined yet. A creation
//! is a branch over the cells, so that each cell's thread has a procedure of its own, which sets
//! the cell's flag. If a cell gets a new thread while its last one still runs and was not joined,
//! the run is cut off there: nothing would be known of later joins.

use super::address::Address;
use super::elaborator::Elaborator;
use super::signature::Role;
use super::sync_calls::two;
use crate::lang::model::{
    BinaryOperator, EdgeId, Expression, Operation, Place, Scalar, Span, StatementKind, VariableId,
};
use crate::lang::syntax::{Expr, ExprKind};

/// Most elements of an array of handles.
const MOST_CELLS: u32 = 8;

/// A declared handle, or an array of them.
#[derive(Clone, Debug)]
pub(super) struct HandlePlace {
    /// The procedure that declares it; `None` if it is global.
    pub(super) owner: Option<String>,
    /// Where its declaration starts.
    pub(super) declared_at: u32,
    /// How many handles it has.
    pub(super) cells: u32,
    /// Is it an array?
    pub(super) is_array: bool,
    /// Do several declarations of its owner have its name?
    pub(super) is_ambiguous: bool,
}

impl Elaborator<'_> {
    /// Notes the declaration of a handle.
    pub(super) fn note_handle(&mut self, name: &str, place: HandlePlace) {
        let known = self.threads.places.get(name).filter(|old| old.owner == place.owner);
        let again =
            known.is_some_and(|old| old.is_ambiguous || old.declared_at != place.declared_at);
        let place = HandlePlace { is_ambiguous: again || place.is_ambiguous, ..place };
        self.threads.places.insert(name.to_string(), place);
    }

    /// The handle that an expression names, with its index, if its threads can be told apart.
    pub(super) fn cells_of<'e>(&self, e: &'e Expr) -> Option<(String, Option<&'e Expr>)> {
        let (name, index) = match &e.kind {
            ExprKind::Name(name) => (name, None),
            ExprKind::Index(base, index) => match &base.kind {
                ExprKind::Name(name) => (name, Some(&**index)),
                _ => return None,
            },
            _ => return None,
        };
        let place = self.threads.places.get(name)?;
        let is_ours = place.owner.as_ref().is_none_or(|owner| {
            *owner == self.current.name
                && !self.shared_by_threads.contains(owner)
                && !self.survey.recursive.contains(owner)
        });
        let fits = place.is_array == index.is_some() && (1..=MOST_CELLS).contains(&place.cells);
        (fits && is_ours && !place.is_ambiguous).then(|| (name.clone(), index))
    }

    /// Starts the thread of a cell.
    pub(super) fn create_in_cell(
        &mut self,
        (name, index): (&str, Option<&Expr>),
        (body, addresses, given): (usize, Vec<Address>, Option<(Scalar, Expression)>),
        span: Span,
    ) {
        let branches = self.branches(name, index);
        let (from, end) = (self.graph.here(), self.graph.fresh());
        for (cell, condition) in branches.iter().enumerate() {
            let (ended, open) = self.flags_of(name, cell as u32);
            let role = Role::Thread(Some(ended));
            let Some(id) = self.copy_of(body, addresses.clone(), role, span) else { return };
            self.graph.current = Some(from);
            self.take_branch(condition.clone(), span);
            let has_ended = Expression::Variable(ended, Scalar::BOOL);
            let is_open = Expression::Variable(open, Scalar::BOOL);
            self.cut_off_if(two(BinaryOperator::And, is_open, has_ended.negated()), span);
            let mut writes = vec![
                (Place::Variable(ended), Expression::falsity()),
                (Place::Variable(open), Expression::truth()),
            ];
            writes.extend(self.passed(id, &given));
            let looks = self.looks(StatementKind::Call, span);
            self.emit_to(Operation::Assign(writes), looks, end);
            let edge = EdgeId(self.program.edges.len() as u32 - 1);
            self.program.concurrency.starts.insert(edge, id);
        }
        self.leave_branches(&branches, from, end, span);
    }

    /// Waits for the thread of a cell.
    pub(super) fn join_cell(
        &mut self,
        (name, index): (&str, Option<&Expr>),
        wanted: &Option<(Place, Scalar)>,
        span: Span,
    ) {
        let branches = self.branches(name, index);
        let (from, end) = (self.graph.here(), self.graph.fresh());
        for (cell, condition) in branches.iter().enumerate() {
            let (ended, open) = self.flags_of(name, cell as u32);
            self.graph.current = Some(from);
            self.take_branch(condition.clone(), span);
            let looks = self.looks(StatementKind::Assumption, span);
            self.emit(Operation::Assume(Expression::Variable(ended, Scalar::BOOL)), looks);
            self.last_edge_waits();
            let hidden = self.looks(StatementKind::Hidden, span);
            let mut writes = vec![(Place::Variable(open), Expression::falsity())];
            writes.extend(self.received(ended, wanted));
            self.emit_to(Operation::Assign(writes), hidden, end);
        }
        self.leave_branches(&branches, from, end, span);
    }

    /// By cell: the condition that it is the one that is meant; `None` if there is but one.
    fn branches(&mut self, name: &str, index: Option<&Expr>) -> Vec<Option<Expression>> {
        let Some(index) = index else { return vec![None] };
        let int = self.int();
        let index = self.argument(index, int);
        let cells = self.threads.places.get(name).map_or(0, |place| place.cells);
        let is = |cell: u32| {
            let cell = Expression::Constant(int.wrap(i128::from(cell)), int);
            Some(two(BinaryOperator::Equal, index.clone(), cell))
        };
        (0..cells).map(is).collect()
    }

    fn take_branch(&mut self, condition: Option<Expression>, span: Span) {
        if let Some(condition) = condition {
            let hidden = self.looks(StatementKind::Hidden, span);
            self.emit(Operation::Assume(condition), hidden);
        }
    }

    /// Goes on behind the branches. An index outside of the array is none of them.
    fn leave_branches(
        &mut self,
        branches: &[Option<Expression>],
        from: crate::lang::model::LocationId,
        end: crate::lang::model::LocationId,
        span: Span,
    ) {
        let none = branches.iter().cloned().map(|branch| branch.map(Expression::negated));
        let none: Option<Vec<Expression>> = none.collect();
        let outside = none.and_then(|none| {
            none.into_iter().reduce(|left, right| two(BinaryOperator::And, left, right))
        });
        if let Some(outside) = outside {
            self.graph.current = Some(from);
            self.end_cut_off(outside, span);
        }
        self.graph.current = Some(end);
    }

    /// A run for which the condition holds ends here, and nothing follows from its end.
    pub(super) fn cut_off_if(&mut self, condition: Expression, span: Span) {
        let from = self.graph.here();
        self.end_cut_off(condition.clone(), span);
        self.graph.current = Some(from);
        let hidden = self.looks(StatementKind::Hidden, span);
        self.emit(Operation::Assume(condition.negated()), hidden);
    }

    fn end_cut_off(&mut self, condition: Expression, span: Span) {
        let hidden = self.looks(StatementKind::Hidden, span);
        self.emit(Operation::Assume(condition), hidden.clone());
        self.program.cut_offs.push(EdgeId(self.program.edges.len() as u32 - 1));
        self.emit(Operation::Assume(Expression::falsity()), hidden);
    }

    /// The flags of a cell: its thread has ended; it was not joined yet.
    fn flags_of(&mut self, name: &str, cell: u32) -> (VariableId, VariableId) {
        let declared_at = self.threads.places.get(name).map_or(0, |place| place.declared_at);
        let key = (declared_at, cell);
        if let Some(flags) = self.threads.cells.get(&key) {
            return *flags;
        }
        let flags = (self.hidden_global("ended"), self.hidden_global("open"));
        self.threads.cells.insert(key, flags);
        flags
    }
}
