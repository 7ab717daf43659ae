//! Operators of annotations: their numbers do not wrap, and a comparison of a signed number with an
//! unsigned one compares the numbers (ACSL 2.2: terms have the type `integer`).
//!
//! Each result has as many bits as it can need. Where that would be more than there are, the run is
//! cut off if an operand needs them.

use super::elaborator::Elaborator;
use super::value::Value;
use crate::lang::lowering::expressions::{and, binary, cast, or};
use crate::lang::model::{BinaryOperator, ErrorKind, Expression, Scalar, Span, Subject};
use crate::lang::syntax::{BinaryOp, Expr, Spelling};

/// Most bits of an operand of a sum.
const OF_SUM: u8 = 62;
/// Most bits of an operand of a product that could need more bits than there are.
const OF_PRODUCT: u8 = 32;

impl Elaborator<'_> {
    /// `left op right`.
    #[inline(never)]
    pub(super) fn mathematical(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Value {
        let mut values = self.expressions(&[left, right]).into_iter();
        let (Some(left), Some(right)) = (values.next(), values.next()) else {
            return Value::Poisoned;
        };
        let is_other = |v: &Value| matches!(v, Value::Poisoned | Value::Pointer(_) | Value::Void);
        let is_other = is_other(&left) || is_other(&right);
        if is_other || self.is_floating(&left) || self.is_floating(&right) {
            return self.combine(op, left, right, span);
        }
        if let (Some(l), Some(r)) = (left.constant(), right.constant())
            && let Some(folded) = fold(op, l, r)
        {
            return folded;
        }
        match op {
            BinaryOp::Less => self.compared_numbers(BinaryOperator::Less, left, right, span),
            BinaryOp::LessEqual => {
                self.compared_numbers(BinaryOperator::LessEqual, left, right, span)
            }
            BinaryOp::Greater => self.compared_numbers(BinaryOperator::Less, right, left, span),
            BinaryOp::GreaterEqual => {
                self.compared_numbers(BinaryOperator::LessEqual, right, left, span)
            }
            BinaryOp::Equal => self.compared_numbers(BinaryOperator::Equal, left, right, span),
            BinaryOp::NotEqual => {
                let Value::Typed(equal) =
                    self.compared_numbers(BinaryOperator::Equal, left, right, span)
                else {
                    return Value::Poisoned;
                };
                Value::Typed(equal.negated())
            }
            BinaryOp::Add => self.sum(BinaryOperator::Add, left, right, span),
            BinaryOp::Subtract => self.sum(BinaryOperator::Subtract, left, right, span),
            BinaryOp::Multiply => self.product(left, right, span),
            BinaryOp::Divide => self.quotient(BinaryOperator::Divide, left, right, span),
            BinaryOp::Remainder => self.quotient(BinaryOperator::Remainder, left, right, span),
            _ => self.combine(op, left, right, span),
        }
    }

    fn compared_numbers(
        &mut self,
        op: BinaryOperator,
        left: Value,
        right: Value,
        span: Span,
    ) -> Value {
        let (l, r) = (self.whole(left, span), self.whole(right, span));
        let (ls, rs) = (l.scalar(), r.scalar());
        let width = signed_width(ls).max(signed_width(rs));
        let holds = match (ls.signed, rs.signed) {
            (false, false) => {
                let both = Scalar::int(ls.width.max(rs.width), false);
                binary(op, cast(l, both), cast(r, both))
            }
            _ if width <= 64 => {
                let both = Scalar::int(width as u8, true);
                binary(op, cast(l, both), cast(r, both))
            }
            // One is unsigned and has all bits, the other has a sign.
            (true, _) => {
                let negative = below_zero(&l);
                let same =
                    binary(op, cast(l, Scalar::int(64, false)), cast(r, Scalar::int(64, false)));
                match op {
                    BinaryOperator::Equal => and(negative.negated(), same),
                    _ => or(negative, same),
                }
            }
            (false, true) => {
                let negative = below_zero(&r);
                let same =
                    binary(op, cast(l, Scalar::int(64, false)), cast(r, Scalar::int(64, false)));
                and(negative.negated(), same)
            }
        };
        Value::Typed(holds)
    }

    fn sum(&mut self, op: BinaryOperator, left: Value, right: Value, span: Span) -> Value {
        let (l, r) = (self.whole(left, span), self.whole(right, span));
        let (l, r) = (self.narrowed(l, OF_SUM, span), self.narrowed(r, OF_SUM, span));
        let width = signed_width(l.scalar()).max(signed_width(r.scalar())) + 1;
        let result = Scalar::int(width as u8, true);
        Value::Typed(binary(op, cast(l, result), cast(r, result)))
    }

    fn product(&mut self, left: Value, right: Value, span: Span) -> Value {
        let (mut l, mut r) = (self.whole(left, span), self.whole(right, span));
        if signed_width(l.scalar()) + signed_width(r.scalar()) > 64 {
            (l, r) = (self.narrowed(l, OF_PRODUCT, span), self.narrowed(r, OF_PRODUCT, span));
        }
        let width = signed_width(l.scalar()) + signed_width(r.scalar());
        let result = Scalar::int(width as u8, true);
        Value::Typed(binary(BinaryOperator::Multiply, cast(l, result), cast(r, result)))
    }

    fn quotient(&mut self, op: BinaryOperator, left: Value, right: Value, span: Span) -> Value {
        let (l, r) = (self.whole(left, span), self.whole(right, span));
        let (l, r) = (self.narrowed(l, OF_SUM, span), self.narrowed(r, OF_SUM, span));
        // One bit more: the least number divided by -1.
        let width = signed_width(l.scalar()).max(signed_width(r.scalar())) + 1;
        let both = Scalar::int(width as u8, true);
        let (l, r) = (cast(l, both), cast(r, both));
        let defined = binary(BinaryOperator::NotEqual, r.clone(), Expression::Constant(0, both));
        let subject = Subject::Binary(op, l.clone(), r.clone());
        self.require(ErrorKind::Division, defined, subject, span);
        Value::Typed(binary(op, l, r))
    }

    /// A number with its own type; a constant with the least one.
    fn whole(&mut self, value: Value, span: Span) -> Expression {
        if let Some(n) = value.constant() {
            let scalar = least(n);
            return Expression::Constant(scalar.wrap(n), scalar);
        }
        let settled = self.settle(value, span);
        match settled.scalar().boolean {
            true => cast(settled, Scalar::int(1, false)),
            false => settled,
        }
    }

    /// The number with at most so many bits. A run in which it needs more is cut off.
    fn narrowed(&mut self, e: Expression, most: u8, span: Span) -> Expression {
        let scalar = e.scalar();
        if signed_width(scalar) <= u32::from(most) {
            return e;
        }
        let narrow = Scalar::int(most, true);
        let back = cast(cast(e.clone(), narrow), scalar);
        let mut fits = binary(BinaryOperator::Equal, back, e.clone());
        if !scalar.signed {
            fits = and(fits, below_zero(&cast(e.clone(), narrow)).negated());
        }
        self.cut_off_if(fits.negated(), span);
        cast(e, narrow)
    }
}

fn below_zero(e: &Expression) -> Expression {
    binary(BinaryOperator::Less, e.clone(), Expression::Constant(0, e.scalar()))
}

/// The bits of a number with the sign that it may need.
fn signed_width(scalar: Scalar) -> u32 {
    u32::from(scalar.width) + u32::from(!scalar.signed)
}

/// The type with the fewest bits that holds a number of at most 64 bits.
fn least(n: i128) -> Scalar {
    let bits = |n: i128| (128 - n.leading_zeros()) as u8;
    match n < 0 {
        true => Scalar::int((bits(!n) + 1).min(64), true),
        false => Scalar::int(bits(n).clamp(1, 64), false),
    }
}

/// `None` where the operator is not defined or the result needs more than 64 bits.
fn fold(op: BinaryOp, l: i128, r: i128) -> Option<Value> {
    let truth =
        |b: bool| Some(Value::Typed(if b { Expression::truth() } else { Expression::falsity() }));
    let number = match op {
        BinaryOp::Add => l + r,
        BinaryOp::Subtract => l - r,
        BinaryOp::Multiply => l.checked_mul(r)?,
        BinaryOp::Divide => l.checked_div(r)?,
        BinaryOp::Remainder => l.checked_rem(r)?,
        BinaryOp::Equal => return truth(l == r),
        BinaryOp::NotEqual => return truth(l != r),
        BinaryOp::Less => return truth(l < r),
        BinaryOp::LessEqual => return truth(l <= r),
        BinaryOp::Greater => return truth(l > r),
        BinaryOp::GreaterEqual => return truth(l >= r),
        _ => return None,
    };
    let spelling = Spelling { long: true, computed: true, ..Spelling::default() };
    (i128::from(i64::MIN)..=i128::from(i64::MAX))
        .contains(&number)
        .then_some(Value::Number(number, spelling))
}
