//! Built-in checks, and the values that replace undefined results if a check is off.

use super::elaborator::Elaborator;
use super::names::Entity;
use crate::lang::lowering::expressions::{closed_value, or, size};
use crate::lang::message::at_line;
use crate::lang::model::{
    Check, ErrorKind, Expression, Operation, Place, Scalar, Span, StatementKind, Subject,
    VariableId,
};

/// Largest expression with an alternative for its undefined case; such alternatives can double its
/// size at each level.
const MOST_NODES: usize = 20_000;

impl Elaborator<'_> {
    /// Is this check on?
    pub(super) fn checked(&self, kind: ErrorKind) -> bool {
        let checks = self.options.checks;
        !self.total
            && self.check_nodes > 0
            && match kind {
                ErrorKind::Division => checks.division,
                ErrorKind::Bounds => checks.bounds,
                ErrorKind::Overflow => checks.overflow && !self.current.shared,
                ErrorKind::Shift => checks.shift,
                ErrorKind::Initialised => checks.initialised,
                _ => true,
            }
    }

    /// The next edge fails unless this condition holds. A condition on an operand that is not
    /// evaluated does not count.
    pub(super) fn require(
        &mut self,
        kind: ErrorKind,
        condition: Expression,
        subject: Subject,
        span: Span,
    ) {
        let text = self.tidy(span);
        self.require_named(kind, condition, subject, text, span);
    }

    pub(super) fn require_named(
        &mut self,
        kind: ErrorKind,
        condition: Expression,
        subject: Subject,
        message: String,
        span: Span,
    ) {
        let mut condition = condition;
        for guard in self.guards.iter().rev() {
            condition = or(guard.clone().negated(), condition);
        }
        // A condition over constants is decided here.
        if let Some(bits) = closed_value(&condition) {
            condition = Expression::Constant(bits, Scalar::BOOL);
        }
        if condition == Expression::truth() || !self.spend(&condition, span) {
            return;
        }
        let line = span.line;
        self.pending.checks.push(Check { kind, condition, message, subject, line });
    }

    /// Takes room for an expression that checks need; false (reported once) if there is none left.
    fn spend(&mut self, expression: &Expression, span: Span) -> bool {
        if self.check_nodes == 0 {
            return false;
        }
        self.check_nodes = self.check_nodes.saturating_sub(size(expression, self.check_nodes));
        if self.check_nodes == 0 {
            let message = at_line("the checks of this program are too large");
            self.diagnostics.error(
                span,
                message,
                "split long expressions into several assignments",
            );
        }
        self.check_nodes > 0
    }

    /// `result` if it is defined, else any value.
    pub(super) fn any_unless(
        &mut self,
        defined: Expression,
        result: Expression,
        span: Span,
    ) -> Expression {
        if self.total || !self.spend(&result, span) {
            return result;
        }
        if size(&result, MOST_NODES) >= MOST_NODES {
            self.diagnostics.error(
                span,
                at_line("this expression nests too many unchecked operations"),
                "store a part of it in a variable",
            );
            return Expression::Constant(0, result.scalar());
        }
        let any = self.choice(result.scalar());
        Expression::Conditional(Box::new(defined), Box::new(result), Box::new(any))
    }

    /// Does the user's error condition mention a variable that this edge writes?
    pub(super) fn watched(&mut self, operation: &Operation, kind: StatementKind) -> bool {
        if kind == StatementKind::Hidden || self.error_condition.is_none() {
            return false;
        }
        let written: Vec<VariableId> = match operation {
            Operation::Assign(pairs) => {
                pairs.iter().map(|(place, _): &(Place, _)| place.variable()).collect()
            }
            Operation::Call { result, .. } => result.iter().copied().collect(),
            _ => return false,
        };
        self.watches(&written)
    }

    /// Does the user's error condition mention one of these variables? All names of the condition
    /// must be visible here.
    pub(super) fn watches(&self, written: &[VariableId]) -> bool {
        let Some(condition) = &self.error_condition else { return false };
        let entities: Option<Vec<Entity>> =
            condition.mentions.iter().map(|name| self.names.find(name)).collect();
        entities.is_some_and(|list| {
            list.iter().any(|e| matches!(e, Entity::Variable { id, .. } if written.contains(id)))
        })
    }

    /// Adds the check of the user's error condition, over the store after the assignment.
    pub(super) fn user_error(&mut self, span: Span) {
        let Some(mut condition) = self.error_condition.take() else { return };
        condition.used = true;
        let guards = std::mem::take(&mut self.guards);
        let value = self.expression(&condition.expression);
        let wrong = self.truth(value, condition.span);
        self.require_named(
            ErrorKind::Assignment,
            wrong.negated(),
            Subject::Condition,
            condition.text.clone(),
            span,
        );
        self.guards = guards;
        self.error_condition = Some(condition);
    }
}
