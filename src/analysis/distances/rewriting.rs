//! The program of distances: the same edges, over distances to the anchor.

use super::finding::{Found, Known};
use super::{Sum, sides, sum};
use crate::lang::model::{
    BinaryOperator, Edge, Expression, Initial, LocationId, Operation, Place, ProcedureId, Program,
    Scalar, VariableId,
};

/// Rewrites a program.
pub(super) fn rewritten(program: &Program, found: &Found) -> Program {
    let rewriting = Rewriting { program, found, scalar: program.variable(found.anchor).scalar };
    let mut new = program.clone();
    for id in &found.members {
        if let Initial::Exactly(values) = &mut new.variables[*id].initial {
            for bits in values {
                let scalar = program.variable(*id).scalar;
                *bits = scalar.wrap(i128::from(*bits) - i128::from(found.base));
            }
        }
    }
    for id in program.edge_ids() {
        rewriting.edge(program.owner(id), &mut new.edges[id]);
    }
    new
}

struct Rewriting<'p> {
    program: &'p Program,
    found: &'p Found,
    /// The anchor's type.
    scalar: Scalar,
}

impl Rewriting<'_> {
    fn edge(&self, owner: ProcedureId, edge: &mut Edge) {
        let at = edge.from;
        for check in &mut edge.checks {
            check.condition = self.plain(at, &check.condition);
        }
        edge.operation = match &edge.operation {
            Operation::Skip => Operation::Skip,
            Operation::Havoc(ids) => Operation::Havoc(ids.clone()),
            Operation::Assume(condition) => Operation::Assume(self.plain(at, condition)),
            Operation::Assign(list) => Operation::Assign(self.writes(at, owner, list)),
            Operation::Call { callee, arguments, result } => {
                let parameters = &self.program.procedure(*callee).parameters;
                let passed = parameters.iter().zip(arguments);
                let arguments =
                    passed.map(|(to, value)| self.value(at, Some(*to), value)).collect();
                Operation::Call { callee: *callee, arguments, result: *result }
            }
        };
    }

    /// What is written; where that is the anchor, all other distances of the present frame and of
    /// the globals move.
    fn writes(
        &self,
        at: LocationId,
        owner: ProcedureId,
        list: &[(Place, Expression)],
    ) -> Vec<(Place, Expression)> {
        let anchor = Place::Variable(self.found.anchor);
        // The last write counts.
        let moved = list.iter().rfind(|(place, _)| *place == anchor);
        let by = moved.map(|(_, value)| self.value(at, Some(self.found.anchor), value));
        let by = by.filter(|by| !matches!(by, Expression::Constant(0, _)));
        let less = |value: Expression, to: VariableId| match &by {
            None => value,
            Some(by) => self.less(value, by.clone(), to),
        };
        let mut writes = Vec::new();
        let mut written = Vec::new();
        for (place, value) in list {
            let to = match place {
                Place::Variable(id) => Some(*id),
                Place::Element(..) => None,
            };
            let place = match place {
                Place::Element(array, index) => Place::Element(*array, self.plain(at, index)),
                place => place.clone(),
            };
            let value = self.value(at, to, value);
            match to.filter(|to| self.found.members.contains(to)) {
                Some(to) if to == self.found.anchor => {
                    writes.push((place, Expression::Constant(0, self.scalar)));
                }
                Some(to) => writes.push((place, less(value, to))),
                None => writes.push((place, value)),
            }
            written.extend(to);
        }
        if by.is_some() {
            for id in &self.found.members {
                let is_here = self.program.variable(*id).owner.is_none_or(|other| other == owner);
                if is_here && *id != self.found.anchor && !written.contains(id) {
                    let scalar = self.program.variable(*id).scalar;
                    let moved = less(Expression::Variable(*id, scalar), *id);
                    writes.push((Place::Variable(*id), moved));
                }
            }
        }
        writes
    }

    fn less(&self, value: Expression, by: Expression, to: VariableId) -> Expression {
        let scalar = self.program.variable(to).scalar;
        let by = if by.scalar() == scalar { by } else { Expression::Cast(scalar, Box::new(by)) };
        Expression::binary(BinaryOperator::Subtract, value, by)
    }

    /// A value that is given to a variable.
    fn value(&self, at: LocationId, to: Option<VariableId>, value: &Expression) -> Expression {
        let Some(to) = to.filter(|to| self.found.members.contains(to)) else {
            return self.plain(at, value);
        };
        match sum(value, self.scalar.width) {
            Some(sum) => self.distance(at, sum, self.program.variable(to).scalar),
            // The finding has excluded it.
            None => value.clone(),
        }
    }

    /// The distance to the anchor of a sum at a place.
    fn distance(&self, at: LocationId, sum: Sum, scalar: Scalar) -> Expression {
        let constant = |number: i128| Expression::Constant(scalar.wrap(number), scalar);
        let Some(id) = sum.variable else {
            let anchor = match self.found.known[at.0 as usize] {
                Known::Value(bits) => i128::from(bits),
                Known::Never | Known::Open => 0,
            };
            return constant(sum.offset - anchor);
        };
        if id == self.found.anchor {
            return constant(sum.offset);
        }
        let own = self.program.variable(id).scalar;
        let value = Expression::Variable(id, own);
        let value = if own == scalar { value } else { Expression::Cast(scalar, Box::new(value)) };
        match scalar.wrap(sum.offset) {
            0 => value,
            _ => {
                let offset = Box::new(constant(sum.offset));
                Expression::Binary(BinaryOperator::Add, Box::new(value), offset)
            }
        }
    }

    /// An expression that compares members for equality only.
    fn plain(&self, at: LocationId, e: &Expression) -> Expression {
        if let Some((operator, left, right)) = sides(e) {
            let sum_of = |side: &Expression| sum(side, self.scalar.width);
            let right = right.map_or(Some(Sum { variable: None, offset: 0 }), sum_of);
            if let (Some(left), Some(right)) = (sum_of(left), right) {
                let ours =
                    |sum: Sum| sum.variable.is_some_and(|id| self.found.members.contains(&id));
                if ours(left) || ours(right) {
                    let side = |sum| Box::new(self.distance(at, sum, self.scalar));
                    return Expression::Binary(operator, side(left), side(right));
                }
            }
        }
        let rewrite = |e: &Expression| Box::new(self.plain(at, e));
        match e {
            Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => {
                e.clone()
            }
            Expression::Element(id, index, scalar) => {
                Expression::Element(*id, rewrite(index), *scalar)
            }
            Expression::Unary(operator, e) => Expression::Unary(*operator, rewrite(e)),
            Expression::Cast(scalar, e) => Expression::Cast(*scalar, rewrite(e)),
            Expression::Binary(operator, l, r) => {
                Expression::Binary(*operator, rewrite(l), rewrite(r))
            }
            Expression::Conditional(c, t, e) => {
                Expression::Conditional(rewrite(c), rewrite(t), rewrite(e))
            }
        }
    }
}
