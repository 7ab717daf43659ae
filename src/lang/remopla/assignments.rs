//! Parallel assignments over ranges, and relations between values before and after.

use super::lowering::Lowering;
use super::syntax::*;
use super::value::Target;
use crate::lang::lowering::expressions::{and, binary};
use crate::lang::message::is;
use crate::lang::model::{BinaryOperator, Expression, Operation, Span, StatementKind as Kind};
use rustc_hash::{FxHashMap, FxHashSet};

impl<'a> Lowering<'a> {
    /// `skip (e)`: a guard. If `e` has ticks, it is a relation between values before and after.
    #[inline(never)]
    pub(super) fn relation(&mut self, relation: &'a Expr, span: Span, kind: Kind) {
        let looks = self.builder.looks(kind, span);
        let condition = if relation.has_tick() {
            let written = self.ticked(relation);
            let saved = self.save(&written, &[relation], span);
            self.builder.emit(Operation::Havoc(written.iter().map(|d| d.id).collect()), looks);
            self.relation = Some(saved);
            let value = self.expression(relation);
            self.relation = None;
            let mut condition = self.truth(value, relation.span);
            for declared in written {
                condition = and(condition, self.is_member(&declared));
            }
            self.builder.uninterruptible();
            self.builder.hidden(span, Operation::Assume(condition));
            return;
        } else {
            let value = self.expression(relation);
            self.truth(value, relation.span)
        };
        self.builder.emit(Operation::Assume(condition), looks);
    }

    /// Parallel assignments, each perhaps over ranges.
    #[inline(never)]
    pub(super) fn assignments(&mut self, list: &'a [Assignment], span: Span) {
        let relations: Vec<&'a Assignment> = list.iter().filter(|a| a.value.has_tick()).collect();
        let mut pairs: Vec<(Target, Expression)> = Vec::new();
        let mut equations = Vec::new();
        let mut saved = FxHashMap::default();
        if !relations.is_empty() {
            let mut written = Vec::new();
            for assignment in list {
                match self.scalar_variable(&assignment.place) {
                    Some(declared) if assignment.ranges.is_empty() => written.push(declared),
                    _ => {
                        let message = is("a value afterwards (`x'`) beside an array or a range");
                        self.builder.diagnostics.error(
                            assignment.place.span,
                            message,
                            "write two statements",
                        );
                        return;
                    }
                }
            }
            let values: Vec<&Expr> = relations.iter().map(|a| &a.value).collect();
            saved = self.save(&written, &values, span);
        }
        for assignment in list {
            if assignment.value.has_tick() {
                let Some(target) = self.target(&assignment.place) else { return };
                let any = self.builder.choice(target.scalar);
                equations.push((target.id, target.scalar, &assignment.value));
                pairs.push((target, any));
            } else if !self.assign_over(&assignment.ranges, assignment, &mut pairs) {
                return;
            }
        }
        let mut scalars = FxHashSet::default();
        if let Some((target, _)) =
            pairs.iter().find(|(target, _)| target.index.is_none() && !scalars.insert(target.id))
        {
            let name = &self.builder.program.variable(target.id).name;
            self.builder.diagnostics.error(
                span,
                format!("`{name}` is assigned twice at once"),
                "assign it once",
            );
            return;
        }
        let pairs = pairs.into_iter().map(|(target, value)| (target.place(), value)).collect();
        let looks = self.builder.looks(Kind::Assignment, span);
        self.builder.emit(Operation::Assign(pairs), looks);
        if !equations.is_empty() {
            self.relation = Some(saved);
            let mut condition = Expression::truth();
            for (id, scalar, value) in equations {
                let lowered = self.expression(value);
                let lowered = self.convert(lowered, scalar, None, value.span);
                let equal =
                    binary(BinaryOperator::Equal, Expression::Variable(id, scalar), lowered);
                condition = and(condition, equal);
            }
            self.relation = None;
            self.builder.uninterruptible();
            self.builder.hidden(span, Operation::Assume(condition));
        }
    }

    /// Makes one assignment for each value of the ranges. Returns false after a reported error that
    /// makes the rest useless.
    pub(super) fn assign_over(
        &mut self,
        ranges: &'a [Range],
        assignment: &'a Assignment,
        into: &mut Vec<(Target, Expression)>,
    ) -> bool {
        let Some((range, inner)) = ranges.split_first() else {
            let Some(target) = self.target(&assignment.place) else { return false };
            let value = self.expression(&assignment.value);
            let value = self.convert(value, target.scalar, target.members, assignment.value.span);
            into.push((target, value));
            return true;
        };
        let Some((low, high)) = self.bounds_of(range) else { return false };
        for k in low..=high {
            if !self.spend(range.name.span) {
                return false;
            }
            self.ranges.push((&range.name.text, k));
            let went_on = self.assign_over(inner, assignment, into);
            self.ranges.pop();
            if !went_on {
                return false;
            }
        }
        true
    }
}
