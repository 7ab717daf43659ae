//! Expressions and names.

use super::lower::Lowering;
use super::syntax::*;
use crate::lang::lowering::expressions::{and, binary, or};
use crate::lang::lowering::suggestion::suggestion;
use crate::lang::model::{BinaryOperator, Expression, Scalar, Span, VariableId};

impl Lowering<'_> {
    pub(super) fn find(&mut self, name: &str, span: Span) -> Option<VariableId> {
        let found = self.locals.get(name).or_else(|| self.globals.get(name)).copied();
        if found.is_none() {
            if self.builder.diagnostics.full() {
                self.builder.diagnostics.error(span, "unknown name", "");
                return None;
            }
            let known = self.locals.keys().chain(self.globals.keys()).copied();
            let hint = match name {
                "true" => "write `T`".to_string(),
                "false" => "write `F`".to_string(),
                _ => {
                    suggestion(name, known).unwrap_or_else(|| format!("declare it: `decl {name};`"))
                }
            };
            self.builder.diagnostics.error(span, format!("unknown name `{name}`"), hint);
        }
        found
    }

    #[inline(never)]
    pub(super) fn leaf(&mut self, e: &Expr) -> Expression {
        match &e.kind {
            ExprKind::Truth(true) => Expression::truth(),
            ExprKind::Truth(false) => Expression::falsity(),
            ExprKind::Choice => self.builder.choice(Scalar::BOOL),
            ExprKind::Name(name) => match self.find(name, e.span) {
                Some(id) => match self.relation.as_ref().and_then(|saved| saved.get(&id)) {
                    Some(before) => before.clone(),
                    None => Expression::Variable(id, Scalar::BOOL),
                },
                None => Expression::falsity(),
            },
            ExprKind::Ticked(name) => {
                if self.relation.is_none() {
                    let message = format!("`'{name}` is a value after an assignment");
                    self.builder.diagnostics.error(
                        e.span,
                        message,
                        "it can be written to the right of `:=` only",
                    );
                }
                self.find(name, e.span)
                    .map_or_else(Expression::falsity, |id| Expression::Variable(id, Scalar::BOOL))
            }
            _ => unreachable!("an inner node"),
        }
    }

    pub(super) fn expression(&mut self, e: &Expr) -> Expression {
        match &e.kind {
            ExprKind::Not(inner) => self.expression(inner).negated(),
            ExprKind::Binary(op, left, right) => {
                let left = self.expression(left);
                let right = self.expression(right);
                match op {
                    BinaryOp::Implies => or(left.negated(), right),
                    BinaryOp::Or => or(left, right),
                    BinaryOp::And => and(left, right),
                    BinaryOp::Xor => binary(BinaryOperator::Xor, left, right),
                    BinaryOp::Equal => binary(BinaryOperator::Equal, left, right),
                    BinaryOp::NotEqual => binary(BinaryOperator::NotEqual, left, right),
                }
            }
            ExprKind::Schoose(both) => {
                let positive = self.expression(&both[0]);
                let negative = self.expression(&both[1]);
                match (positive, negative) {
                    (Expression::Constant(1, _), _) => Expression::truth(),
                    (positive, Expression::Constant(1, _)) => positive,
                    (positive, negative) => {
                        let any = self.builder.choice(Scalar::BOOL);
                        or(positive, and(negative.negated(), any))
                    }
                }
            }
            _ => self.leaf(e),
        }
    }
}
