//! Conditions become two edges out of one location; operands with effects become control flow.

use super::elaborator::Elaborator;
use super::value::{Value, has_choice};
use crate::lang::given::Picked;
use crate::lang::lowering::graph::{Looks, Pending};
use crate::lang::model::{Expression, LocationId, Operation, StatementKind};
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Where a condition leads; `None` if it cannot lead there.
pub(super) type Branches = (Option<LocationId>, Option<LocationId>);

impl Elaborator<'_> {
    /// Evaluates a condition and branches. The words are the outcomes that the edges show. `None`
    /// makes the edge hidden, because the evaluation of the condition is not complete there.
    pub(super) fn branch(
        &mut self,
        e: &Expr,
        looks: &Looks,
        when_true: Option<&str>,
        when_false: Option<&str>,
    ) -> Branches {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, inner) if self.effects(inner).any() => {
                let (when_not, when) = self.branch(inner, looks, when_false, when_true);
                (when, when_not)
            }
            ExprKind::Binary(op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), ..)
                if self.effects(e).any() =>
            {
                self.branch_chain(*op, e, looks, when_true, when_false)
            }
            _ => self.branch_leaf(e, looks, when_true, when_false),
        }
    }

    /// `a && b && f()`: the operands of one operator in a row, from the left.
    #[inline(never)]
    fn branch_chain(
        &mut self,
        op: BinaryOp,
        e: &Expr,
        looks: &Looks,
        when_true: Option<&str>,
        when_false: Option<&str>,
    ) -> Branches {
        let mut operands = Vec::new();
        let mut node = e;
        while let ExprKind::Binary(inner, left, right) = &node.kind {
            if *inner != op {
                break;
            }
            operands.push(&**right);
            node = left;
        }
        operands.push(node);
        let mut decided = None;
        let mut end = None;
        while let Some(operand) = operands.pop() {
            let last = operands.is_empty();
            let (goes_on, stops) = if op == BinaryOp::LogicalAnd {
                self.branch(operand, looks, when_true.filter(|_| last), when_false)
            } else {
                let (stops, goes_on) =
                    self.branch(operand, looks, when_true, when_false.filter(|_| last));
                (goes_on, stops)
            };
            decided = self.graph.join(decided, stops);
            end = goes_on;
            self.graph.current = goes_on;
        }
        if op == BinaryOp::LogicalAnd { (end, decided) } else { (decided, end) }
    }

    #[inline(never)]
    fn branch_leaf(
        &mut self,
        e: &Expr,
        looks: &Looks,
        when_true: Option<&str>,
        when_false: Option<&str>,
    ) -> Branches {
        let value = self.expression(e);
        if matches!(value, Value::Choice) {
            let from = self.graph.here();
            let then = self.outcome(from, Expression::truth(), Vec::new(), looks, when_true);
            let otherwise = self.outcome(from, Expression::truth(), Vec::new(), looks, when_false);
            self.graph.current = None;
            return (Some(then), Some(otherwise));
        }
        let truth = self.truth(value, e.span);
        let truth = self.settle_condition(truth, looks);
        let choices = std::mem::take(&mut self.pending).choices;
        let from = self.graph.here();
        self.graph.current = None;
        match truth {
            Expression::Constant(bits, _) => {
                let end = self.outcome(
                    from,
                    Expression::truth(),
                    Vec::new(),
                    looks,
                    if bits == 1 { when_true } else { when_false },
                );
                if bits == 1 { (Some(end), None) } else { (None, Some(end)) }
            }
            truth => {
                let then = self.outcome(from, truth.clone(), choices.clone(), looks, when_true);
                let otherwise = self.outcome(from, truth.negated(), choices, looks, when_false);
                (Some(then), Some(otherwise))
            }
        }
    }

    /// Gives the pending checks an edge of their own, so that the edges of the outcomes have none.
    /// A value with choices is stored there: all outcomes must see the same one.
    pub(super) fn settle_condition(&mut self, value: Expression, looks: &Looks) -> Expression {
        if self.pending.checks.is_empty() {
            return value;
        }
        if has_choice(&value) {
            return self.store(value, looks.clone());
        }
        self.hidden(looks.span, looks.text.clone());
        value
    }

    /// Adds the edge of one outcome, to a new location.
    pub(super) fn outcome(
        &mut self,
        from: LocationId,
        condition: Expression,
        choices: Vec<Picked>,
        looks: &Looks,
        word: Option<&str>,
    ) -> LocationId {
        let to = self.graph.fresh();
        let kind = if word.is_some() { looks.kind } else { StatementKind::Hidden };
        let pending = Pending { checks: Vec::new(), choices };
        let looks = Looks { kind, ..looks.clone() };
        self.push_edge(
            from,
            to,
            Operation::Assume(condition),
            pending,
            word.unwrap_or_default().to_string(),
            looks,
        );
        to
    }
}
