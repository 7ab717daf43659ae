//! Operators: folding of literals, operand types, and what makes a result undefined.

use super::address::Address;
use super::elaborator::Elaborator;
use super::value::Value;
use crate::lang::lowering::expressions::{and, below, binary, cast, or};
use crate::lang::model::{
    BinaryOperator, ErrorKind, Expression, Scalar, Span, Subject, UnaryOperator,
};
use crate::lang::syntax::{BinaryOp, Spelling, UnaryOp};

impl Elaborator<'_> {
    /// Applies an operator, but not `&&` or `||`, to two operands that are already evaluated.
    #[inline(never)]
    pub(super) fn combine(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Value {
        match (&left, &right) {
            (Value::Poisoned, _) | (_, Value::Poisoned) => return Value::Poisoned,
            (Value::Pointer(_), _) | (_, Value::Pointer(_)) => {
                return self.combine_pointers(op, left, right, span);
            }
            (Value::Void, _) | (_, Value::Void) => {
                self.diagnostics.error(
                    span,
                    "an operand has no value",
                    "the procedure returns nothing",
                );
                return Value::Poisoned;
            }
            (l, r) if self.is_floating(l) || self.is_floating(r) => {
                return self.combine_floating(op, left, right, span);
            }
            (Value::Number(l, ls), Value::Number(r, rs))
                if self.is_exact(*l, *ls) && self.is_exact(*r, *rs) =>
            {
                // Only bitwise operators make a pattern of patterns; a sum of them is a number like
                // any other, and must fit.
                let bitwise = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
                let pattern = bitwise && (ls.pattern || rs.pattern);
                let spelling =
                    Spelling { pattern, long: ls.long || rs.long, unsigned: false, computed: true };
                // Sums and products wrap to the same value wherever they wrap. Other operators
                // need operands that have wrapped already, which is reported below.
                let wraps_later =
                    matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply);
                let fits = |n: i128, spelling: Spelling| {
                    !spelling.computed || self.literal_scalar(n, spelling).holds(n)
                };
                let fit = fits(*l, *ls) && fits(*r, *rs);
                if let Some(value) = fold(op, *l, *r, spelling).filter(|_| fit || wraps_later) {
                    return value;
                }
            }
            _ => {}
        }
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            return self.shift(op, left, right, span);
        }
        let stays_boolean = matches!(
            op,
            BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
        );
        let scalar = if stays_boolean && Self::both_boolean(&left, &right) {
            Scalar::BOOL
        } else {
            self.meeting(&left, &right)
        };
        let left = self.convert(left, scalar, span);
        let right = self.convert(right, scalar, span);
        let applied = self.apply(op, left, right, span);
        Value::Typed(self.folded(applied, span))
    }

    /// C: the only operators on addresses are `==` and `!=`.
    fn combine_pointers(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Value {
        let address = |value: &Value| match value {
            Value::Pointer(address) => *address,
            Value::Typed(Expression::Constant(0, _)) | Value::Number(0, _) => Address::Null,
            _ => Address::Unknown,
        };
        let (l, r) = (address(&left), address(&right));
        let same = match (l, r) {
            (Address::Unknown, _) | (_, Address::Unknown) | (Address::Text, Address::Text) => None,
            // A struct and its first member have the same address.
            (Address::Aggregate(_), Address::Variable(_))
            | (Address::Variable(_), Address::Aggregate(_)) => None,
            (l, r) => Some(l == r),
        };
        match (op, same) {
            (BinaryOp::Equal, Some(same)) => truth(same),
            (BinaryOp::NotEqual, Some(same)) => truth(!same),
            _ => {
                self.refuse_pointer(
                    span,
                    "addresses are only compared, and only where it is known what they are",
                );
                Value::Poisoned
            }
        }
    }

    /// Is the literal an exact number? A literal that C makes unsigned by its spelling wraps
    /// instead.
    fn is_exact(&self, n: i128, spelling: Spelling) -> bool {
        self.literal_scalar(n, spelling).signed
    }

    /// Applies an operator to operands of one type.
    fn apply(
        &mut self,
        op: BinaryOp,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Expression {
        match op {
            BinaryOp::Add => self.wrapping(BinaryOperator::Add, left, right, span),
            BinaryOp::Subtract => self.wrapping(BinaryOperator::Subtract, left, right, span),
            BinaryOp::Multiply => self.wrapping(BinaryOperator::Multiply, left, right, span),
            BinaryOp::Divide => self.division(BinaryOperator::Divide, left, right, span),
            BinaryOp::Remainder => self.division(BinaryOperator::Remainder, left, right, span),
            BinaryOp::BitAnd => binary(BinaryOperator::And, left, right),
            BinaryOp::BitOr => binary(BinaryOperator::Or, left, right),
            BinaryOp::BitXor => binary(BinaryOperator::Xor, left, right),
            BinaryOp::Equal => binary(BinaryOperator::Equal, left, right),
            BinaryOp::NotEqual => binary(BinaryOperator::NotEqual, left, right),
            BinaryOp::Less => binary(BinaryOperator::Less, left, right),
            BinaryOp::LessEqual => binary(BinaryOperator::LessEqual, left, right),
            BinaryOp::Greater => binary(BinaryOperator::Less, right, left),
            BinaryOp::GreaterEqual => binary(BinaryOperator::LessEqual, right, left),
            BinaryOp::LogicalAnd
            | BinaryOp::LogicalOr
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight => left,
        }
    }

    fn wrapping(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Expression {
        if left.scalar().signed && self.checked(ErrorKind::Overflow) {
            let fits = fits_without_wrapping(operator, &left, &right);
            let subject = Subject::Binary(operator, left.clone(), right.clone());
            self.require(ErrorKind::Overflow, fits, subject, span);
        }
        binary(operator, left, right)
    }

    fn division(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Expression {
        let scalar = left.scalar();
        let zero = Expression::Constant(0, scalar);
        let defined = match &right {
            Expression::Constant(bits, _) => (*bits == 0).then(Expression::falsity),
            divisor => Some(binary(BinaryOperator::NotEqual, divisor.clone(), zero)),
        };
        if let Some(defined) = defined.clone().filter(|_| self.checked(ErrorKind::Division)) {
            let subject = Subject::Binary(operator, left.clone(), right.clone());
            self.require(ErrorKind::Division, defined, subject, span);
        }
        if scalar.signed && self.checked(ErrorKind::Overflow) {
            let least = Expression::Constant(1 << (scalar.width - 1), scalar);
            let minus_one = Expression::Constant(scalar.mask(), scalar);
            let wraps = and(
                binary(BinaryOperator::Equal, left.clone(), least),
                binary(BinaryOperator::Equal, right.clone(), minus_one),
            );
            let subject = Subject::Binary(operator, left.clone(), right.clone());
            self.require(ErrorKind::Overflow, wraps.negated(), subject, span);
        }
        let result = binary(operator, left, right);
        match defined {
            Some(defined) if !self.checked(ErrorKind::Division) => {
                self.any_unless(defined, result, span)
            }
            _ => result,
        }
    }

    /// The operands are promoted one by one. The type of the amount matters only for its value.
    fn shift(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Value {
        let scalar = self.promoted(self.own_scalar(&left).unwrap_or(self.int()));
        let left = self.convert(left, scalar, span);
        let width = i128::from(scalar.width);
        let (amount, defined) = match right {
            Value::Number(n, _) => {
                let wide = Scalar::int(64, true);
                let amount = Expression::Constant(wide.wrap(n.clamp(-1, 64)), wide);
                (amount, (!(0..width).contains(&n)).then(Expression::falsity))
            }
            other => {
                let scalar = self.promoted(self.own_scalar(&other).unwrap_or(self.int()));
                let amount = self.convert(other, scalar, span);
                let defined = below(&amount, width);
                // If no width is given, the program is read again at a width at which a constant
                // amount is defined.
                self.misfit |=
                    self.c && matches!(amount, Expression::Constant(..)) && defined.is_some();
                (amount, defined)
            }
        };
        let operator = if op == BinaryOp::ShiftLeft {
            BinaryOperator::ShiftLeft
        } else {
            BinaryOperator::ShiftRight
        };
        if self.c && scalar.signed && op == BinaryOp::ShiftLeft && self.checked(ErrorKind::Overflow)
        {
            // C11 6.5.7: the left operand is not negative, and the result is representable.
            let back = binary(
                BinaryOperator::ShiftRight,
                binary(operator, left.clone(), amount.clone()),
                amount.clone(),
            );
            let zero = Expression::Constant(0, scalar);
            let representable = and(
                binary(BinaryOperator::LessEqual, zero, left.clone()),
                binary(BinaryOperator::Equal, back, left.clone()),
            );
            let subject = Subject::Binary(operator, left.clone(), amount.clone());
            self.require(ErrorKind::Overflow, representable, subject, span);
        }
        let constant =
            matches!((&left, &amount), (Expression::Constant(..), Expression::Constant(..)));
        let subject = Subject::Binary(operator, left.clone(), amount.clone());
        let result = binary(operator, left, amount);
        let result = if constant && defined.is_none() { self.folded(result, span) } else { result };
        Value::Typed(match defined {
            None => result,
            Some(defined) if self.checked(ErrorKind::Shift) => {
                self.require(ErrorKind::Shift, defined, subject, span);
                result
            }
            Some(defined) => self.any_unless(defined, result, span),
        })
    }

    /// Applies an operator to one operand.
    #[inline(never)]
    pub(super) fn unary(&mut self, op: UnaryOp, operand: Value, span: Span) -> Value {
        match (op, operand) {
            (_, Value::Poisoned) => Value::Poisoned,
            (UnaryOp::Minus | UnaryOp::Tilde, operand) if self.is_floating(&operand) => {
                self.negative(op, operand, span)
            }
            (UnaryOp::Not, operand) => Value::Typed(self.truth(operand, span).negated()),
            (UnaryOp::Plus, Value::Number(n, s)) => Value::Number(n, s),
            (UnaryOp::Minus, Value::Number(n, s)) if self.is_exact(n, s) => Value::Number(-n, s),
            (UnaryOp::Tilde, Value::Number(n, s)) if self.is_exact(n, s) => Value::Number(!n, s),
            (op, operand) => {
                let settled = self.settle(operand, span);
                let scalar = self.promoted(settled.scalar());
                let operand = cast(settled, scalar);
                let result = match op {
                    UnaryOp::Minus => {
                        if scalar.signed && self.checked(ErrorKind::Overflow) {
                            let least = Expression::Constant(1 << (scalar.width - 1), scalar);
                            self.require(
                                ErrorKind::Overflow,
                                binary(BinaryOperator::NotEqual, operand.clone(), least),
                                Subject::Negation(operand.clone()),
                                span,
                            );
                        }
                        Expression::Unary(UnaryOperator::Negate, Box::new(operand))
                    }
                    UnaryOp::Tilde => {
                        Expression::Unary(UnaryOperator::Complement, Box::new(operand))
                    }
                    UnaryOp::Plus | UnaryOp::Not => operand,
                };
                Value::Typed(self.folded(result, span))
            }
        }
    }
}

/// Is the signed result what it would be without wrapping?
fn fits_without_wrapping(
    operator: BinaryOperator,
    left: &Expression,
    right: &Expression,
) -> Expression {
    let scalar = left.scalar();
    let wider = match operator {
        BinaryOperator::Multiply => 2 * u32::from(scalar.width),
        _ => u32::from(scalar.width) + 1,
    };
    let result = binary(operator, left.clone(), right.clone());
    if wider <= 64 {
        let wide = Scalar::int(wider as u8, true);
        let exact = binary(operator, cast(left.clone(), wide), cast(right.clone(), wide));
        return binary(BinaryOperator::Equal, cast(result, wide), exact);
    }
    let zero = Expression::Constant(0, scalar);
    let not_negative = |e: Expression| binary(BinaryOperator::LessEqual, zero.clone(), e);
    let differ = |l: &Expression, r: &Expression| binary(BinaryOperator::Xor, l.clone(), r.clone());
    match operator {
        // The sign of a sum differs from those of both operands only if it wrapped.
        BinaryOperator::Add => {
            not_negative(binary(BinaryOperator::And, differ(left, &result), differ(right, &result)))
        }
        BinaryOperator::Subtract => {
            not_negative(binary(BinaryOperator::And, differ(left, right), differ(left, &result)))
        }
        // A product that did not wrap can be divided back.
        _ => {
            let least = Expression::Constant(1 << (scalar.width - 1), scalar);
            let minus_one = Expression::Constant(scalar.mask(), scalar);
            let is = |e: &Expression, c: &Expression| {
                binary(BinaryOperator::Equal, e.clone(), c.clone())
            };
            let back = binary(
                BinaryOperator::Equal,
                binary(BinaryOperator::Divide, result, left.clone()),
                right.clone(),
            );
            let negated_least = and(is(left, &minus_one), is(right, &least));
            or(is(left, &zero), and(back, negated_least.negated()))
        }
    }
}

/// On exact numbers: literals do not wrap among themselves (where C would leave the overflow
/// undefined). `None` where the operator is not defined or the result leaves 64 bits.
fn fold(op: BinaryOp, l: i128, r: i128, spelling: Spelling) -> Option<Value> {
    let number = match op {
        BinaryOp::Add => l + r,
        BinaryOp::Subtract => l - r,
        BinaryOp::Multiply => l.checked_mul(r)?,
        BinaryOp::Divide => l.checked_div(r)?,
        BinaryOp::Remainder => l.checked_rem(r)?,
        BinaryOp::ShiftLeft if (0..64).contains(&r) => l.checked_mul(1i128 << r)?,
        BinaryOp::ShiftRight if (0..64).contains(&r) => l >> r,
        BinaryOp::BitAnd => l & r,
        BinaryOp::BitOr => l | r,
        BinaryOp::BitXor => l ^ r,
        BinaryOp::Equal => return Some(truth(l == r)),
        BinaryOp::NotEqual => return Some(truth(l != r)),
        BinaryOp::Less => return Some(truth(l < r)),
        BinaryOp::LessEqual => return Some(truth(l <= r)),
        BinaryOp::Greater => return Some(truth(l > r)),
        BinaryOp::GreaterEqual => return Some(truth(l >= r)),
        _ => return None,
    };
    (number.unsigned_abs() <= 1 << 64).then_some(Value::Number(number, spelling))
}

fn truth(b: bool) -> Value {
    Value::Typed(if b { Expression::truth() } else { Expression::falsity() })
}
