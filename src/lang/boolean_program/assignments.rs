//! Parallel assignments, with their constraints.

use super::lower::Lowering;
use super::syntax::*;
use crate::lang::lowering::expressions::{and, binary};
use crate::lang::model::{
    BinaryOperator, Expression, Operation, Place, Scalar, Span, StatementKind as Kind, VariableId,
};
use crate::lang::syntax::Name;
use rustc_hash::FxHashMap;

impl<'a> Lowering<'a> {
    #[inline(never)]
    pub(super) fn assignment(
        &mut self,
        targets: &'a [Option<Name>],
        values: &'a [Expr],
        constraint: Option<&'a Expr>,
        span: Span,
    ) {
        if targets.len() != values.len() {
            let message = format!("{} variables for {} values", targets.len(), values.len());
            self.builder.diagnostics.error(
                span,
                message,
                "write as many values as variables; `_` drops one",
            );
            return;
        }
        if self.too_many(targets.len(), span) {
            return;
        }
        let ids = self.targets(targets);
        // A right side that mentions a value afterwards is a constraint.
        let mut equations = Vec::new();
        for (value, id) in values.iter().zip(&ids) {
            let mut ticked = false;
            value.walk(|e| ticked |= matches!(e.kind, ExprKind::Ticked(_)));
            if ticked {
                equations.push((*id, value));
            }
        }
        let written: Vec<VariableId> = ids.iter().copied().flatten().collect();
        let constraints: Vec<&'a Expr> =
            equations.iter().map(|(_, value)| *value).chain(constraint).collect();
        let saved = self.save(&written, &constraints, span);
        let mut pairs = Vec::new();
        for (value, id) in values.iter().zip(&ids) {
            let is_equation = equations.iter().any(|(_, other)| std::ptr::eq(*other, value));
            let value = if is_equation {
                self.builder.choice(Scalar::BOOL)
            } else {
                self.expression(value)
            };
            if let Some(id) = id {
                pairs.push((Place::Variable(*id), value));
            }
        }
        let looks = self.builder.looks(Kind::Assignment, span);
        self.builder.emit(Operation::Assign(pairs), looks);
        if !constraints.is_empty() {
            self.relation = Some(saved);
            let mut condition = constraint.map_or_else(Expression::truth, |c| self.expression(c));
            for (id, value) in equations {
                let value = self.expression(value);
                if let Some(id) = id {
                    condition = and(
                        condition,
                        binary(
                            BinaryOperator::Equal,
                            Expression::Variable(id, Scalar::BOOL),
                            value,
                        ),
                    );
                }
            }
            self.relation = None;
            self.builder.uninterruptible();
            self.builder.hidden(span, Operation::Assume(condition));
        }
        self.enforce(span);
    }

    /// Stores the old values of those written variables whose old values the constraints read.
    pub(super) fn save(
        &mut self,
        written: &[VariableId],
        constraints: &[&Expr],
        span: Span,
    ) -> FxHashMap<VariableId, Expression> {
        let mut read: Vec<VariableId> = Vec::new();
        for constraint in constraints {
            constraint.walk(|e| {
                if let ExprKind::Name(name) = &e.kind
                    && let Some(id) =
                        self.locals.get(name.as_str()).or_else(|| self.globals.get(name.as_str()))
                    && written.contains(id)
                    && !read.contains(id)
                {
                    read.push(*id);
                }
            });
        }
        if read.is_empty() {
            return FxHashMap::default();
        }
        let values = read.iter().map(|id| Expression::Variable(*id, Scalar::BOOL)).collect();
        let kept = self.builder.store(values, span);
        read.into_iter().zip(kept).collect()
    }

    /// The variables that are written. Each may be written once.
    pub(super) fn targets(&mut self, targets: &'a [Option<Name>]) -> Vec<Option<VariableId>> {
        let mut ids: Vec<Option<VariableId>> = Vec::new();
        for target in targets {
            let id = target.as_ref().and_then(|name| {
                let id = self.find(&name.text, name.span)?;
                if ids.contains(&Some(id)) {
                    self.builder.diagnostics.error(
                        name.span,
                        format!("`{}` is assigned twice at once", name.text),
                        "assign it once",
                    );
                }
                Some(id)
            });
            ids.push(id);
        }
        ids
    }
}
