//! The effects of an expression, and temporaries for values that must outlive an effect.

use super::elaborator::Elaborator;
use super::value::{Value, has_choice, reads};
use crate::lang::lowering::graph::Looks;
use crate::lang::model::{
    Expression, Operation, Origin, Place, Scalar, Span, StatementKind, VariableId, VariableKind,
};
use crate::lang::syntax::{Expr, ExprKind};

/// The effects of evaluating an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Calls a procedure, which may write any global.
    pub(super) calls: bool,
    /// Writes a variable itself.
    pub(super) assigns: bool,
    /// Has an edge of its own before it has its value, though it may change nothing: the choices
    /// that are pending are made there.
    pub(super) edges: bool,
}

impl Effects {
    /// All of them.
    pub(super) const ALL: Effects = Effects { calls: true, assigns: true, edges: true };

    /// May it change anything?
    pub(super) fn any(self) -> bool {
        self.calls || self.assigns
    }

    /// Are pending choices made before it has its value?
    pub(super) fn uses_up_choices(self) -> bool {
        self.any() || self.edges
    }

    /// The effects of one and of the other.
    pub(super) fn with(self, other: Effects) -> Effects {
        Effects {
            calls: self.calls || other.calls,
            assigns: self.assigns || other.assigns,
            edges: self.edges || other.edges,
        }
    }
}

impl Elaborator<'_> {
    /// The effects of evaluating an expression.
    pub(super) fn effects(&self, e: &Expr) -> Effects {
        let mut effects = Effects::default();
        let interleaved = self.reads_apart();
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            match &e.kind {
                ExprKind::Call(name, arguments) => {
                    effects.calls |= self.call_has_effects(&name.text);
                    effects.assigns |= self.call_assigns(&name.text);
                    stack.extend(arguments);
                }
                ExprKind::Assign(..) | ExprKind::Step { .. } => {
                    effects.assigns = true;
                    e.children(&mut stack);
                }
                ExprKind::Checked(checked) => {
                    effects.assigns |= !checked.stores.is_empty();
                    effects.edges |= !(checked.held.is_empty()
                        && checked.notes.is_empty()
                        && checked.cuts.is_empty());
                    e.children(&mut stack);
                }
                ExprKind::Otherwise(_) => {
                    effects.edges = true;
                    e.children(&mut stack);
                }
                ExprKind::Statements(_) => effects = Effects::ALL,
                ExprKind::Name(name) if interleaved && self.is_shared_name(name) => {
                    effects.assigns = true
                }
                _ => e.children(&mut stack),
            }
        }
        effects
    }

    /// Makes a value safe from effects that come before its use. A value that they could change is
    /// stored in a temporary.
    pub(super) fn keep(&mut self, value: Value, effects: Effects, span: Span) -> Value {
        let Value::Typed(expression) = value else {
            return match value {
                Value::Either(..) if effects.uses_up_choices() => {
                    let settled = self.settle(value, span);
                    self.keep(Value::Typed(settled), effects, span)
                }
                other => other,
            };
        };
        Value::Typed(self.keep_expression(expression, effects, span))
    }

    /// As [`Self::keep`], for an expression that has its type.
    pub(super) fn keep_expression(
        &mut self,
        expression: Expression,
        effects: Effects,
        span: Span,
    ) -> Expression {
        if !self.endangered(&expression, effects) {
            return expression;
        }
        let looks = self.looks(StatementKind::Hidden, span);
        self.store(expression, looks)
    }

    /// As [`Self::keep`], for several expressions. One edge stores all of them, because they may
    /// share pending choices.
    pub(super) fn keep_together(
        &mut self,
        expressions: Vec<Expression>,
        effects: Effects,
        span: Span,
    ) -> Vec<Expression> {
        if !expressions.iter().any(|e| self.endangered(e, effects)) {
            return expressions;
        }
        let mut kept = Vec::with_capacity(expressions.len());
        let mut stores = Vec::new();
        for expression in expressions {
            if self.endangered(&expression, effects) {
                let scalar = expression.scalar();
                let temporary = self.temporary(scalar, span);
                stores.push((Place::Variable(temporary), expression));
                kept.push(Expression::Variable(temporary, scalar));
            } else {
                kept.push(expression);
            }
        }
        let looks = self.looks(StatementKind::Hidden, span);
        self.emit(Operation::Assign(stores), looks);
        kept
    }

    pub(super) fn keep_values(
        &mut self,
        values: Vec<Value>,
        effects: Effects,
        span: Span,
    ) -> Vec<Value> {
        let mut typed = Vec::new();
        let mut slots = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Value::Typed(_) | Value::Either(..) => {
                    let settled = self.settle(value, span);
                    typed.push(settled);
                    slots.push(None);
                }
                other => slots.push(Some(other)),
            }
        }
        let mut kept = self.keep_together(typed, effects, span).into_iter();
        slots
            .into_iter()
            .map(|slot| slot.or_else(|| kept.next().map(Value::Typed)).unwrap_or(Value::Poisoned))
            .collect()
    }

    /// Could these effects change the value of the expression, or use up its choices?
    fn endangered(&self, expression: &Expression, effects: Effects) -> bool {
        let kind = |v: VariableId| self.program.variable(v).kind;
        (effects.uses_up_choices() && has_choice(expression))
            || (effects.calls && reads(expression, |v| kind(v) == VariableKind::Global))
            || (effects.assigns && reads(expression, |v| kind(v) != VariableKind::Temporary))
    }

    /// Stores the value in a new temporary, by a hidden edge.
    pub(super) fn store(&mut self, expression: Expression, looks: Looks) -> Expression {
        let scalar = expression.scalar();
        let temporary = self.temporary(scalar, looks.span);
        self.emit(
            Operation::Assign(vec![(Place::Variable(temporary), expression)]),
            Looks { kind: StatementKind::Hidden, ..looks },
        );
        Expression::Variable(temporary, scalar)
    }

    /// A variable for the value of a part of the source, which is its only name.
    pub(super) fn temporary(&mut self, scalar: Scalar, span: Span) -> VariableId {
        let id = self.new_variable("temporary", scalar, Vec::new(), VariableKind::Temporary, span);
        self.program.variables[id].origin = Origin::Expression(self.tidy(span));
        id
    }
}
