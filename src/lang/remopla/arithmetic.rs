//! Operators and conversions. Operands are converted to a common type; literals take the type of
//! the other operand.

use super::lowering::Lowering;
use super::syntax::{BinaryOp, UnaryOp};
use super::value::Value;
use crate::lang::lowering::expressions::{below, binary, cast};
use crate::lang::message::at_line;
use crate::lang::model::{
    BinaryOperator, ErrorKind, Expression, Scalar, Span, Subject, UnaryOperator,
};

/// The type to which two integers are converted. It holds every value of both, except for types of
/// 64 bits with different signs.
fn common(left: Scalar, right: Scalar) -> Scalar {
    let width = match (left.signed, right.signed) {
        (true, false) => left.width.max(right.width + 1),
        (false, true) => right.width.max(left.width + 1),
        _ => left.width.max(right.width),
    };
    Scalar::int(width.min(64), left.signed || right.signed)
}

/// The least type that can hold a number. It is signed if `signed` says so or if the number is
/// negative.
fn type_of(n: i128, signed: bool) -> Scalar {
    let magnitude = if n < 0 { !n } else { n };
    let bits = (128 - magnitude.leading_zeros()).max(1);
    let signed = signed || n < 0;
    Scalar::int((bits + u32::from(signed)).min(64) as u8, signed)
}

impl Lowering<'_> {
    /// Converts to a truth value.
    pub(super) fn truth(&mut self, value: Value, span: Span) -> Expression {
        match value {
            Value::Typed(e) if e.scalar().boolean => e,
            Value::Undef => self.builder.choice(Scalar::BOOL),
            Value::Number(n @ (0 | 1)) => Expression::Constant(n as u64, Scalar::BOOL),
            Value::Poisoned => Expression::falsity(),
            Value::Number(_) | Value::Typed(_) => {
                self.builder.diagnostics.error(
                    span,
                    "a truth value is needed here, not an integer",
                    "compare it, as in `x != 0`",
                );
                Expression::falsity()
            }
        }
    }

    /// Converts to this type. Integers are cut off or extended; literals must fit.
    pub(super) fn convert(
        &mut self,
        value: Value,
        to: Scalar,
        members: Option<u32>,
        span: Span,
    ) -> Expression {
        if to.boolean {
            return self.truth(value, span);
        }
        match value {
            Value::Number(n) if to.holds(n) => Expression::Constant(to.wrap(n), to),
            Value::Number(n) => {
                let sign = if to.signed { "signed " } else { "" };
                let message = format!("{n} does not fit into {sign}{} bits", to.width);
                let needed = type_of(n, to.signed);
                self.builder.diagnostics.error(
                    span,
                    message,
                    format!("{} bits hold it", needed.width),
                );
                Expression::Constant(0, to)
            }
            Value::Typed(e) if e.scalar().boolean => {
                self.builder.diagnostics.error(
                    span,
                    "an integer is needed here, not a truth value",
                    "branch on it",
                );
                Expression::Constant(0, to)
            }
            Value::Typed(e) => cast(e, to),
            Value::Poisoned => Expression::Constant(0, to),
            Value::Undef => {
                let any = self.builder.choice(to);
                match members.filter(|n| to.holds(i128::from(*n))) {
                    None => any,
                    Some(members) => {
                        let limit = Expression::Constant(u64::from(members), to);
                        let inside = binary(BinaryOperator::Less, any.clone(), limit);
                        Expression::Conditional(
                            Box::new(inside),
                            Box::new(any),
                            Box::new(Expression::Constant(0, to)),
                        )
                    }
                }
            }
        }
    }

    #[inline(never)]
    pub(super) fn unary(&mut self, op: UnaryOp, value: Value, span: Span) -> Value {
        let int = self.builder.program.int_width;
        match (op, value) {
            (_, Value::Poisoned | Value::Undef) => Value::Poisoned,
            (UnaryOp::Not, value) => Value::Typed(self.truth(value, span).negated()),
            (UnaryOp::Minus, Value::Number(n)) => Value::Number(-n),
            (UnaryOp::Tilde, Value::Number(n)) => Value::Number(!n),
            (UnaryOp::Tilde, Value::Typed(e)) if e.scalar().boolean => Value::Typed(e.negated()),
            (UnaryOp::Tilde, Value::Typed(e)) => {
                Value::Typed(Expression::Unary(UnaryOperator::Complement, Box::new(e)))
            }
            (UnaryOp::Minus, Value::Typed(e)) => {
                let scalar = e.scalar();
                if scalar.boolean {
                    self.needs_integers(span);
                    return Value::Poisoned;
                }
                let wide = Scalar::int(scalar.width.max(int), scalar.signed);
                let e = cast(e, wide);
                if wide.signed && self.options.checks.overflow {
                    let least = Expression::Constant(1 << (wide.width - 1), wide);
                    let fits = binary(BinaryOperator::NotEqual, e.clone(), least);
                    let subject = Subject::Negation(e.clone());
                    let text = self.builder.text(span);
                    self.require(ErrorKind::Overflow, fits, subject, text, span);
                }
                Value::Typed(Self::negation(e))
            }
        }
    }

    fn needs_integers(&mut self, span: Span) {
        self.builder.diagnostics.error(
            span,
            "this operator needs integers, not truth values",
            "truth values have `&&`, `||`, `^^` and `!`",
        );
    }

    /// Applies an operator, but not `&&` or `||`, to two operands that are already evaluated.
    #[inline(never)]
    pub(super) fn combine(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Value {
        match (&left, &right) {
            (Value::Poisoned | Value::Undef, _) | (_, Value::Poisoned | Value::Undef) => {
                return Value::Poisoned;
            }
            (Value::Number(l), Value::Number(r)) => return self.fold(op, *l, *r, span),
            _ => {}
        }
        let is_bool = |value: &Value| matches!(value, Value::Typed(e) if e.scalar().boolean);
        if op == BinaryOp::LogicalXor || is_bool(&left) || is_bool(&right) {
            return self.combine_truths(op, left, right, span);
        }
        let signed = [&left, &right]
            .iter()
            .any(|value| matches!(value, Value::Typed(e) if e.scalar().signed));
        let scalar = |value: &Value| match value {
            Value::Typed(e) => e.scalar(),
            Value::Number(n) => type_of(*n, signed),
            Value::Undef | Value::Poisoned => unreachable!("returned above"),
        };
        let is_shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        let mut meet = if is_shift { scalar(&left) } else { common(scalar(&left), scalar(&right)) };
        if is_shift
            || matches!(
                op,
                BinaryOp::Add
                    | BinaryOp::Subtract
                    | BinaryOp::Multiply
                    | BinaryOp::Divide
                    | BinaryOp::Remainder
            )
        {
            meet.width = meet.width.max(self.builder.program.int_width);
        }
        let typed = |value: Value, to: Scalar| match value {
            Value::Typed(e) => cast(e, to),
            Value::Number(n) => Expression::Constant(to.wrap(n), to),
            Value::Undef | Value::Poisoned => unreachable!("returned above"),
        };
        let right_scalar = if is_shift { scalar(&right) } else { meet };
        let (left, right) = (typed(left, meet), typed(right, right_scalar));
        use BinaryOperator as Model;
        let (operator, left, right) = match op {
            BinaryOp::Equal => (Model::Equal, left, right),
            BinaryOp::NotEqual => (Model::NotEqual, left, right),
            BinaryOp::Less => (Model::Less, left, right),
            BinaryOp::LessEqual => (Model::LessEqual, left, right),
            BinaryOp::Greater => (Model::Less, right, left),
            BinaryOp::GreaterEqual => (Model::LessEqual, right, left),
            BinaryOp::BitAnd => (Model::And, left, right),
            BinaryOp::BitOr => (Model::Or, left, right),
            BinaryOp::BitXor => (Model::Xor, left, right),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return self.shift(op, left, right, span),
            BinaryOp::Divide | BinaryOp::Remainder => return self.divide(op, left, right, span),
            BinaryOp::Add => (Model::Add, left, right),
            BinaryOp::Subtract => (Model::Subtract, left, right),
            BinaryOp::Multiply => (Model::Multiply, left, right),
            BinaryOp::And | BinaryOp::Or | BinaryOp::LogicalXor => unreachable!("truth values"),
        };
        if matches!(operator, Model::Add | Model::Subtract | Model::Multiply)
            && meet.signed
            && self.options.checks.overflow
        {
            self.check_overflow(operator, &left, &right, span);
        }
        Value::Typed(binary(operator, left, right))
    }

    /// Applies an operator to two operands, at least one of which is a truth value.
    fn combine_truths(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Value {
        let operator = match op {
            BinaryOp::LogicalXor | BinaryOp::BitXor => BinaryOperator::Xor,
            BinaryOp::BitAnd => BinaryOperator::And,
            BinaryOp::BitOr => BinaryOperator::Or,
            BinaryOp::Equal => BinaryOperator::Equal,
            BinaryOp::NotEqual => BinaryOperator::NotEqual,
            _ => {
                self.needs_integers(span);
                return Value::Poisoned;
            }
        };
        let left = self.truth(left, span);
        let right = self.truth(right, span);
        Value::Typed(binary(operator, left, right))
    }

    /// The next edge fails if the signed result wraps: it is compared with the result at twice the
    /// width.
    fn check_overflow(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        span: Span,
    ) {
        let width = left.scalar().width;
        if 2 * width > 64 && operator == BinaryOperator::Multiply {
            let message = at_line("this product is too wide for the check of overflows");
            self.builder.diagnostics.error(
                span,
                message,
                "use operands of one sign, or switch the check off",
            );
        }
        let wide = Scalar::int((2 * width).min(64), true);
        let exact = binary(operator, cast(left.clone(), wide), cast(right.clone(), wide));
        let result = binary(operator, left.clone(), right.clone());
        let fits = binary(BinaryOperator::Equal, exact, cast(result, wide));
        let subject = Subject::Binary(operator, left.clone(), right.clone());
        let text = self.builder.text(span);
        self.require(ErrorKind::Overflow, fits, subject, text, span);
    }

    /// `x / 0` is an error; if that is not checked, it is any value.
    fn divide(&mut self, op: BinaryOp, left: Expression, right: Expression, span: Span) -> Value {
        let scalar = right.scalar();
        let zero = Expression::Constant(0, scalar);
        let defined = match &right {
            Expression::Constant(bits, _) => (*bits == 0).then(Expression::falsity),
            _ => Some(binary(BinaryOperator::NotEqual, right.clone(), zero)),
        };
        let operator =
            if op == BinaryOp::Divide { BinaryOperator::Divide } else { BinaryOperator::Remainder };
        let result = binary(operator, left, right);
        let checked = self.options.checks.division;
        self.defined(ErrorKind::Division, checked, defined, result, span)
    }

    /// A shift by the width or more is an error; if that is not checked, it is any value.
    fn shift(&mut self, op: BinaryOp, left: Expression, right: Expression, span: Span) -> Value {
        let defined = below(&right, i128::from(left.scalar().width));
        let operator = if op == BinaryOp::ShiftLeft {
            BinaryOperator::ShiftLeft
        } else {
            BinaryOperator::ShiftRight
        };
        let result = binary(operator, left, right);
        let checked = self.options.checks.shift;
        self.defined(ErrorKind::Shift, checked, defined, result, span)
    }

    fn defined(
        &mut self,
        kind: ErrorKind,
        checked: bool,
        defined: Option<Expression>,
        result: Expression,
        span: Span,
    ) -> Value {
        Value::Typed(match defined {
            None => result,
            Some(condition) if checked => {
                let subject = match &result {
                    Expression::Binary(operator, left, right) => {
                        Subject::Binary(*operator, (**left).clone(), (**right).clone())
                    }
                    _ => Subject::Condition,
                };
                let text = self.builder.text(span);
                self.require(kind, condition, subject, text, span);
                result
            }
            Some(condition) => {
                let any = self.builder.choice(result.scalar());
                Expression::Conditional(Box::new(condition), Box::new(result), Box::new(any))
            }
        })
    }

    /// Applies an operator to two literals, exactly.
    fn fold(&mut self, op: BinaryOp, left: i128, right: i128, span: Span) -> Value {
        let truth =
            |b: bool| Value::Typed(if b { Expression::truth() } else { Expression::falsity() });
        let small = (0..64).contains(&right);
        let number = match op {
            BinaryOp::Equal => return truth(left == right),
            BinaryOp::NotEqual => return truth(left != right),
            BinaryOp::Less => return truth(left < right),
            BinaryOp::LessEqual => return truth(left <= right),
            BinaryOp::Greater => return truth(left > right),
            BinaryOp::GreaterEqual => return truth(left >= right),
            BinaryOp::LogicalXor => match (left, right) {
                (0 | 1, 0 | 1) => return truth(left != right),
                _ => None,
            },
            BinaryOp::Add => left.checked_add(right),
            BinaryOp::Subtract => left.checked_sub(right),
            BinaryOp::Multiply => left.checked_mul(right),
            BinaryOp::Divide => left.checked_div(right),
            BinaryOp::Remainder => left.checked_rem(right),
            BinaryOp::ShiftLeft => (small && left.unsigned_abs() < 1 << 63).then(|| left << right),
            BinaryOp::ShiftRight => small.then(|| left >> right),
            BinaryOp::BitAnd => Some(left & right),
            BinaryOp::BitOr => Some(left | right),
            BinaryOp::BitXor => Some(left ^ right),
            BinaryOp::And | BinaryOp::Or => unreachable!("truth values"),
        };
        match number.filter(|n| n.unsigned_abs() < 1 << 63) {
            Some(n) => Value::Number(n),
            None => {
                self.builder.diagnostics.error(
                    span,
                    "this constant has no value",
                    "constants are below 2^63; nothing is divided by 0",
                );
                Value::Poisoned
            }
        }
    }
}
