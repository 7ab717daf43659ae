//! Expressions: evaluation order and short circuits.

use super::address::Address;
use super::effects::Effects;
use super::elaborator::Elaborator;
use super::library::{is_of_verifier, is_variable};
use super::names::Entity;
use super::value::{Value, has_choice};
use crate::lang::lowering::expressions::{and, or};
use crate::lang::lowering::graph::Pending;
use crate::lang::lowering::suggestion::similar;
use crate::lang::message::{Message, are, at_line, is};
use crate::lang::model::{Expression, LocationId, Operation, Place, Scalar, Span, StatementKind};
use crate::lang::syntax::{BinaryOp, Block, Expr, ExprKind};

/// The end of one side of a branch inside an expression.
struct Side {
    value: Value,
    end: Option<LocationId>,
    pending: Pending,
    span: Span,
}

impl Elaborator<'_> {
    /// Evaluates an expression at the current location. This function only dispatches: nothing that
    /// needs room on the stack is inlined here. The caps of the parser bound the recursion; a loop
    /// walks chains of operators.
    pub(super) fn expression(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::Number(n, spelling) if self.c => self.c_literal(*n, *spelling, e.span),
            ExprKind::Number(n, spelling) => Value::Number(i128::from(*n), *spelling),
            ExprKind::Truth(b) => {
                Value::Typed(if *b { Expression::truth() } else { Expression::falsity() })
            }
            ExprKind::Choice => Value::Choice,
            ExprKind::Poisoned => Value::Poisoned,
            ExprKind::Name(name) => self.named(name, e.span),
            ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Indirect(_) => {
                let place = self.place(e);
                self.read(&place, e.span)
            }
            ExprKind::Address(_) | ExprKind::PointerCast(..) => self.pointer_value(e),
            ExprKind::Text(_) => Value::Pointer(Address::Text),
            ExprKind::SizeOf(_) | ExprKind::SizeOfType(..) | ExprKind::SizeOfPointer => {
                self.size_of(e)
            }
            ExprKind::Checked(checked) => self.checked_value(checked, e.span),
            ExprKind::Held(number) => self.held_value(*number),
            ExprKind::Exactly(number, type_name) => self.exactly(*number, *type_name),
            ExprKind::Statements(block) => self.statements_value(block),
            ExprKind::Call(name, arguments) => self.call(name, arguments, e.span, None, None),
            ExprKind::Through(..) => {
                let message = are("function pointers").of_memory();
                self.diagnostics.error(e.span, message, "call the procedure by its name");
                Value::Poisoned
            }
            ExprKind::Unary(op, operand) => {
                let operand = self.expression(operand);
                self.unary(*op, operand, e.span)
            }
            ExprKind::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, ..) => self.logical(e),
            ExprKind::Binary(..) => self.chain(e),
            ExprKind::Mathematical(op, left, right) => self.mathematical(*op, left, right, e.span),
            ExprKind::Conditional(parts) => self.conditional(parts, e.span),
            ExprKind::Otherwise(parts) => self.otherwise(parts, e.span),
            ExprKind::Assign(op, place, value) => self.assignment(*op, place, value, e.span, true),
            ExprKind::Step { up, prefix, place } => self.step(*up, *prefix, place, e.span, true),
            ExprKind::Cast(type_name, operand) => {
                let operand = self.expression(operand);
                self.explicit_cast(*type_name, operand, e.span)
            }
            ExprKind::Comma(list) => {
                let mut value = Value::Void;
                for part in list {
                    value = self.expression(part);
                }
                value
            }
        }
    }

    /// Evaluates expressions in order. Each value is kept safe from the effects of the later ones.
    pub(super) fn expressions(&mut self, list: &[&Expr]) -> Vec<Value> {
        let effects: Vec<Effects> = list.iter().map(|e| self.effects(e)).collect();
        let mut values: Vec<Value> = Vec::with_capacity(list.len());
        for (i, e) in list.iter().enumerate() {
            if effects[i].uses_up_choices() {
                values = self.keep_values(values, effects[i], e.span);
            }
            values.push(self.expression(e));
        }
        values
    }

    #[inline(never)]
    fn named(&mut self, name: &str, span: Span) -> Value {
        match self.names.find(name) {
            Some(Entity::Constant(n)) if self.c => {
                let scalar = self.program.constants.get(name).map_or(self.int(), |c| c.1);
                let scalar = if scalar.holds(n) { scalar } else { self.int() };
                Value::Typed(Expression::Constant(scalar.wrap(n), scalar))
            }
            Some(Entity::Constant(n)) => Value::number(n),
            Some(Entity::Poisoned) => Value::Poisoned,
            Some(Entity::Pointer(address)) => Value::Pointer(address),
            Some(Entity::Aggregate(_) | Entity::Handle(_)) => {
                let message = Message::from(at_line(&format!("`{name}` is no number")));
                self.diagnostics.error(span, message, "name a member of the struct");
                Value::Poisoned
            }
            Some(Entity::Variable { id, value: Some(n), .. }) if self.folding && self.c => {
                let scalar = self.program.variable(id).scalar;
                Value::Typed(Expression::Constant(scalar.wrap(n), scalar))
            }
            Some(Entity::Variable { value: Some(n), .. }) if self.folding => Value::number(n),
            Some(Entity::Variable { id, .. }) => {
                let variable = self.program.variable(id);
                if variable.is_array() && self.c {
                    return Value::Pointer(Address::Variable(id));
                }
                if variable.is_array() {
                    self.diagnostics.error(
                        span,
                        format!("`{name}` is an array"),
                        "arrays are not passed or copied; use an element like `a[0]`",
                    );
                    return Value::Poisoned;
                }
                let value = Expression::Variable(id, variable.scalar);
                self.has_value(&value, span);
                Value::Typed(self.read_apart(id, value, span))
            }
            None if self.c => self.built_in_name(name, span),
            None => {
                self.unknown_name(name, span);
                Value::Poisoned
            }
        }
    }

    /// C: a name that means something without a declaration.
    fn built_in_name(&mut self, name: &str, span: Span) -> Value {
        match name {
            "true" => Value::Typed(self.int_constant(1, span)),
            "false" => Value::Typed(self.int_constant(0, span)),
            "NULL" => Value::Pointer(Address::Null),
            _ if self.signatures.contains_key(name) => Value::Pointer(Address::Unknown),
            _ if is_variable(name) => {
                let message = Message::from(is(&format!("the library's variable `{name}`")));
                self.diagnostics.error(span, message, "declare a global of your own");
                Value::Poisoned
            }
            _ => {
                self.unknown_name(name, span);
                Value::Poisoned
            }
        }
    }

    fn pointer_value(&mut self, e: &Expr) -> Value {
        let address = self.address(e);
        if self.effects(e).any() || matches!(address, Address::Unknown) {
            // The operand may be refused by name, and its effects count.
            if let ExprKind::PointerCast(_, inner) = &e.kind {
                self.expression(inner);
            }
        }
        Value::Pointer(address)
    }

    /// GNU's `({ … })`: the value of its last statement.
    #[inline(never)]
    fn statements_value(&mut self, block: &Block) -> Value {
        // Checks of operands that were evaluated before must not wait for an edge inside the block.
        self.names.open();
        let (last, before) = match block.statements.split_last() {
            Some((last, before))
                if matches!(last.kind, crate::lang::syntax::StatementKind::Expression(_)) =>
            {
                (Some(last), before)
            }
            _ => (None, &block.statements[..]),
        };
        self.flush(block.end);
        self.block_statements(before);
        let value = match last.map(|s| &s.kind) {
            Some(crate::lang::syntax::StatementKind::Expression(e)) => {
                let value = self.expression(e);
                self.names.close();
                return value;
            }
            _ => Value::Void,
        };
        self.names.close();
        value
    }

    /// Gives pending checks an edge of their own, and forgets pending choices.
    fn flush(&mut self, span: Span) {
        if !self.pending.checks.is_empty() {
            let text = self.tidy(span);
            self.hidden(span, text);
        }
        self.pending = Pending::default();
    }

    pub(super) fn unknown_name(&mut self, name: &str, span: Span) {
        if self.diagnostics.full() {
            self.diagnostics.error(span, "unknown name", "");
            return;
        }
        if is_of_verifier(name) {
            let what = format!("`{name}`");
            self.diagnostics.error(span, is(&what), "only another verifier gives it a meaning");
            return;
        }
        let is_procedure = self.signatures.contains_key(name);
        let suggested = if is_procedure { None } else { similar(name, self.names.all()) };
        let hint = match &suggested {
            _ if is_procedure => format!("`{name}` is a procedure: call it as `{name}(…)`"),
            _ if self.c && name == "skip" => "in C, the statement that does nothing is `;`".into(),
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "declare it".to_string(),
        };
        let suggested = suggested.map(str::to_string);
        self.diagnostics.error(span, format!("unknown name `{name}`"), hint);
        if let Some(meant) = suggested {
            self.diagnostics.offer(span, name, meant);
        }
    }

    /// `a + b - c …`, evaluated from left to right.
    #[inline(never)]
    pub(super) fn chain(&mut self, e: &Expr) -> Value {
        let mut spine = Vec::new();
        let mut node = e;
        while let ExprKind::Binary(op, left, right) = &node.kind {
            if matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr) {
                break;
            }
            spine.push((*op, &**right, node.span));
            node = left;
        }
        let mut value = self.expression(node);
        for (op, right, span) in spine.into_iter().rev() {
            value = self.keep(value, self.effects(right), span);
            let right = self.expression(right);
            value = self.combine(op, value, right, span);
        }
        value
    }

    /// `a && b || c …` as a value.
    #[inline(never)]
    fn logical(&mut self, e: &Expr) -> Value {
        if self.effects(e).any() {
            return self.branching_truth(e);
        }
        let mut spine = Vec::new();
        let mut node = e;
        while let ExprKind::Binary(op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), left, right) =
            &node.kind
        {
            spine.push((*op, &**right));
            node = left;
        }
        let first = self.expression(node);
        let mut value = self.truth(first, node.span);
        for (op, right) in spine.into_iter().rev() {
            value = self.keep_expression(value, self.effects(right), right.span);
            let guarded = self.check_nodes > 0 && (may_fail(right) || self.checks_reads());
            if guarded {
                let guard = if op == BinaryOp::LogicalAnd {
                    value.clone()
                } else {
                    value.clone().negated()
                };
                self.guards.push(guard);
            }
            let next = self.expression(right);
            let next = self.truth(next, right.span);
            if guarded {
                self.guards.pop();
            }
            value = if op == BinaryOp::LogicalAnd { and(value, next) } else { or(value, next) };
        }
        Value::Typed(value)
    }

    /// A condition whose operands have effects: each path through it stores its value.
    #[inline(never)]
    fn branching_truth(&mut self, e: &Expr) -> Value {
        let temporary = self.temporary(Scalar::BOOL, e.span);
        let looks = self.looks(StatementKind::Hidden, e.span);
        let (when_true, when_false) = self.branch(e, &looks, None, None);
        let mut ends = [None, None];
        for (end, (start, truth)) in ends
            .iter_mut()
            .zip([(when_true, Expression::truth()), (when_false, Expression::falsity())])
        {
            if start.is_some() {
                self.graph.current = start;
                self.emit(
                    Operation::Assign(vec![(Place::Variable(temporary), truth)]),
                    looks.clone(),
                );
                *end = self.graph.current;
            }
        }
        self.graph.current = self.graph.join(ends[0], ends[1]);
        Value::Typed(Expression::Variable(temporary, Scalar::BOOL))
    }

    /// `c ? a : b`
    #[inline(never)]
    fn conditional(&mut self, parts: &[Expr; 3], span: Span) -> Value {
        let [condition, then, otherwise] = parts;
        let later = self.effects(otherwise);
        let both = self.effects(then).with(later);
        if both.any() {
            return self.branching_conditional(parts, span);
        }
        let value = self.expression(condition);
        let truth = self.truth(value, condition.span);
        let truth = self.keep_expression(truth, both, condition.span);
        self.guards.push(truth.clone());
        let value = self.expression(then);
        let then = self.keep(value, later, then.span);
        self.guards.pop();
        self.guards.push(truth.clone().negated());
        let otherwise = self.expression(otherwise);
        self.guards.pop();
        self.chosen(truth, then, otherwise, span)
    }

    /// One of two values that are already evaluated.
    fn chosen(&mut self, truth: Expression, then: Value, otherwise: Value, span: Span) -> Value {
        match (&then, &otherwise) {
            (Value::Poisoned, _) | (_, Value::Poisoned) => return Value::Poisoned,
            _ => {}
        }
        if then.is_untyped() && otherwise.is_untyped() {
            return Value::Either(truth, Box::new((then, otherwise)));
        }
        let scalar = if Self::both_boolean(&then, &otherwise) {
            Scalar::BOOL
        } else {
            self.meeting(&then, &otherwise)
        };
        if matches!((&then, &otherwise), (Value::Void, Value::Void)) {
            return Value::Void;
        }
        if let (Value::Pointer(one), Value::Pointer(other)) = (&then, &otherwise) {
            return Value::Pointer(if one == other { *one } else { Address::Unknown });
        }
        let then = self.convert(then, scalar, span);
        let otherwise = self.convert(otherwise, scalar, span);
        let result = Expression::Conditional(Box::new(truth), Box::new(then), Box::new(otherwise));
        Value::Typed(self.folded(result, span))
    }

    /// GNU's `a ?: b`. If `a` has effects, its value is stored first.
    #[inline(never)]
    fn otherwise(&mut self, parts: &[Expr; 2], span: Span) -> Value {
        let [first, otherwise] = parts;
        let value = self.expression(first);
        match value {
            Value::Poisoned | Value::Void | Value::Pointer(_) => {
                return match value {
                    Value::Poisoned => Value::Poisoned,
                    other => {
                        self.convert(other, Scalar::BOOL, first.span);
                        self.refuse_pointer(first.span, "a pointer is no number here");
                        Value::Poisoned
                    }
                };
            }
            _ => {}
        }
        let settled = self.settle(value, first.span);
        let looks = self.looks(StatementKind::Hidden, first.span);
        let effects = self.effects(otherwise);
        let kept = match has_choice(&settled) || effects.any() {
            true => self.store(settled, looks.clone()),
            false => settled,
        };
        let truth = self.truth(Value::Typed(kept.clone()), first.span);
        if !effects.any() {
            self.guards.push(truth.clone().negated());
            let otherwise = self.expression(otherwise);
            self.guards.pop();
            return self.chosen(truth, Value::Typed(kept), otherwise, span);
        }
        let choices = std::mem::take(&mut self.pending).choices;
        let from = self.graph.here();
        let when = self.outcome(from, truth.clone(), choices.clone(), &looks, None);
        let when_not = self.outcome(from, truth.negated(), choices, &looks, None);
        let then = Side {
            value: Value::Typed(kept),
            end: Some(when),
            pending: Pending::default(),
            span: first.span,
        };
        let otherwise = self.side(Some(when_not), otherwise);
        self.meet(then, otherwise, span)
    }

    #[inline(never)]
    fn branching_conditional(&mut self, parts: &[Expr; 3], span: Span) -> Value {
        let [condition, then, otherwise] = parts;
        let looks = self.looks(StatementKind::Hidden, condition.span);
        let (when_true, when_false) = self.branch(condition, &looks, None, None);
        let then = self.side(when_true, then);
        let otherwise = self.side(when_false, otherwise);
        self.meet(then, otherwise, span)
    }

    /// Evaluates one side of a branch, and stops there.
    #[inline(never)]
    fn side(&mut self, start: Option<LocationId>, e: &Expr) -> Side {
        self.graph.current = start;
        let value = self.expression(e);
        Side {
            value,
            end: self.graph.current,
            pending: std::mem::take(&mut self.pending),
            span: e.span,
        }
    }

    /// Stores the values of both sides in one temporary.
    #[inline(never)]
    fn meet(&mut self, then: Side, otherwise: Side, span: Span) -> Value {
        if matches!((&then.value, &otherwise.value), (Value::Void, Value::Void)) {
            self.graph.current = self.graph.join(then.end, otherwise.end);
            return Value::Void;
        }
        let both = Self::both_boolean(&then.value, &otherwise.value);
        let scalar = if both { Scalar::BOOL } else { self.meeting(&then.value, &otherwise.value) };
        let temporary = self.temporary(scalar, span);
        let mut ends = [None, None];
        for (end, side) in ends.iter_mut().zip([then, otherwise]) {
            self.graph.current = side.end;
            self.pending = side.pending;
            let value = self.convert(side.value, scalar, side.span);
            let looks = self.looks(StatementKind::Hidden, side.span);
            self.emit(Operation::Assign(vec![(Place::Variable(temporary), value)]), looks);
            *end = self.graph.current;
        }
        self.graph.current = self.graph.join(ends[0], ends[1]);
        Value::Typed(Expression::Variable(temporary, scalar))
    }
}

/// Could the evaluation need a check? (Any arithmetic may overflow.)
fn may_fail(e: &Expr) -> bool {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match &e.kind {
            ExprKind::Index(..)
            | ExprKind::Unary(..)
            | ExprKind::Step { .. }
            | ExprKind::Checked(_) => return true,
            ExprKind::Binary(op, ..) => match op {
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => {
                    return true;
                }
                BinaryOp::Remainder | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return true,
                _ => e.children(&mut stack),
            },
            _ => e.children(&mut stack),
        }
    }
    false
}
