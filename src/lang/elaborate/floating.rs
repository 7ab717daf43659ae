//! Floating point: values are stored, copied, compared and negated, all exactly, as patterns of
//! bits. Arithmetic, and conversions of what is no constant, are refused by name.
//!
//! This comes later in the page (`static/delivery/later.mjs`) and is never inlined.

use super::elaborator::Elaborator;
use super::value::Value;
use crate::lang::floating;
use crate::lang::lowering::expressions::{and, binary, cast, or};
use crate::lang::message::is;
use crate::lang::model::{BinaryOperator, Expression, Scalar, Span};
use crate::lang::syntax::{BinaryOp, UnaryOp};

impl Elaborator<'_> {
    /// Converts a value, of which the type or the new type is floating.
    #[inline(never)]
    pub(super) fn as_floating(&mut self, e: Expression, to: Scalar, span: Span) -> Expression {
        let from = e.scalar();
        if from == to {
            return e;
        }
        if to.boolean {
            return Pattern::of(&e).is_zero().negated();
        }
        if let Expression::Constant(bits, _) = e {
            match (from.floating, to.floating) {
                (true, true) => {
                    let bits = floating::resized(bits, from.width, to.width);
                    return Expression::Constant(bits, to);
                }
                (false, _) => {
                    let bits = floating::of_integer(from.number(bits), to.width);
                    return Expression::Constant(bits, to);
                }
                (true, false) => {
                    let number = floating::integer(bits, from.width);
                    // C leaves other results undefined (C11 6.3.1.4).
                    if let Some(number) = number.filter(|number| to.holds(*number)) {
                        return Expression::Constant(to.wrap(number), to);
                    }
                }
            }
        }
        let what = match from.floating && to.floating {
            true => "a conversion between `float` and `double`",
            false => "a conversion between floating point and integers",
        };
        self.refuse_floating(what, span);
        Expression::Constant(0, to)
    }

    fn refuse_floating(&mut self, what: &str, span: Span) {
        let message = is(what);
        self.diagnostics.error(span, message, "use integers, scaled if need be");
    }

    /// An operator, one of whose operands is floating: comparisons only.
    #[inline(never)]
    pub(super) fn combine_floating(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Value {
        use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        if let Some(constant) = self.constants_combined(op, &left, &right) {
            return constant;
        }
        if !matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual) {
            self.refuse_floating("arithmetic with floating point", span);
            return Value::Poisoned;
        }
        let scalar = self.compared(&left, &right);
        let left = self.convert(left, scalar, span);
        let right = self.convert(right, scalar, span);
        let compared = match op {
            Equal => is_equal(&left, &right),
            NotEqual => is_equal(&left, &right).negated(),
            Less => is_less(&left, &right),
            Greater => is_less(&right, &left),
            LessEqual => or(is_less(&left, &right), is_equal(&left, &right)),
            _ => or(is_less(&right, &left), is_equal(&left, &right)),
        };
        Value::Typed(self.folded(compared, span))
    }

    /// Arithmetic with two constants, as IEEE 754 rounds it to the nearest number.
    fn constants_combined(&self, op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
        let scalar = self.meeting(left, right);
        let number = |value: &Value| match value {
            Value::Typed(Expression::Constant(bits, of)) if of.floating => {
                Some(floating::resized(*bits, of.width, 64))
            }
            value => value.constant().map(|n| {
                let rounded = floating::of_integer(n, scalar.width);
                floating::resized(rounded, scalar.width, 64)
            }),
        };
        let bits = floating::combined(op, (number(left)?, number(right)?), scalar.width)?;
        Some(Value::Typed(Expression::Constant(bits, scalar)))
    }

    /// The type in which two values are compared. A `double` that a `float` holds exactly is
    /// compared as one.
    fn compared(&self, left: &Value, right: &Value) -> Scalar {
        let single = Scalar::floating(32);
        let is_single = |value: &Value| self.own_scalar(value) == Some(single);
        let fits = |value: &Value| match value {
            Value::Typed(Expression::Constant(bits, scalar)) if scalar.floating => {
                let narrow = floating::resized(*bits, scalar.width, 32);
                floating::resized(narrow, 32, scalar.width) == *bits
            }
            _ => false,
        };
        match is_single(left) && fits(right) || fits(left) && is_single(right) {
            true => single,
            false => self.meeting(left, right),
        }
    }

    /// `-x`: the other sign. Other operators need an integer.
    #[inline(never)]
    pub(super) fn negative(&mut self, op: UnaryOp, operand: Value, span: Span) -> Value {
        let e = self.settle(operand, span);
        let scalar = e.scalar();
        if op != UnaryOp::Minus {
            self.refuse_floating("`~` of floating point", span);
            return Value::Poisoned;
        }
        let pattern = Pattern::of(&e);
        let sign = pattern.others() + 1;
        if let Expression::Constant(bits, _) = e {
            return Value::Typed(Expression::Constant(bits ^ sign, scalar));
        }
        let sign = Expression::Constant(sign, pattern.scalar);
        let negated = binary(BinaryOperator::Xor, pattern.bits, sign);
        Value::Typed(cast(negated, scalar))
    }
}

/// A pattern of bits, as an unsigned integer. What is known of a constant is folded.
struct Pattern {
    bits: Expression,
    scalar: Scalar,
}

impl Pattern {
    fn of(e: &Expression) -> Pattern {
        let scalar = Scalar::int(e.scalar().width, false);
        Pattern { bits: cast(e.clone(), scalar), scalar }
    }

    /// All bits but the sign.
    fn others(&self) -> u64 {
        self.scalar.mask() >> 1
    }

    fn compare(&self, operator: BinaryOperator, of: Expression, with: u64) -> Expression {
        let holds = match (&of, operator) {
            (Expression::Constant(bits, _), BinaryOperator::Equal) => Some(*bits == with),
            (Expression::Constant(bits, _), _) => Some(*bits <= with),
            _ => None,
        };
        match holds {
            Some(true) => Expression::truth(),
            Some(false) => Expression::falsity(),
            None => binary(operator, of, Expression::Constant(with, self.scalar)),
        }
    }

    /// The pattern without the sign.
    fn absolute(&self) -> Expression {
        match &self.bits {
            Expression::Constant(bits, scalar) => {
                Expression::Constant(bits & self.others(), *scalar)
            }
            bits => {
                let others = Expression::Constant(self.others(), self.scalar);
                binary(BinaryOperator::And, bits.clone(), others)
            }
        }
    }

    fn is_zero(&self) -> Expression {
        self.compare(BinaryOperator::Equal, self.absolute(), 0)
    }

    fn is_negative(&self) -> Expression {
        self.compare(BinaryOperator::LessEqual, self.bits.clone(), self.others()).negated()
    }

    /// Not "not a number": the absolute value is at most infinity.
    fn is_number(&self) -> Expression {
        let infinity = match self.scalar.width {
            32 => u64::from(f32::INFINITY.to_bits()),
            _ => f64::INFINITY.to_bits(),
        };
        self.compare(BinaryOperator::LessEqual, self.absolute(), infinity)
    }
}

/// `a == b` (IEEE 754, 5.11): one pattern, or two zeros, and both are numbers.
fn is_equal(left: &Expression, right: &Expression) -> Expression {
    let (a, b) = (Pattern::of(left), Pattern::of(right));
    let same = binary(BinaryOperator::Equal, a.bits.clone(), b.bits.clone());
    and(and(a.is_number(), b.is_number()), or(same, and(a.is_zero(), b.is_zero())))
}

/// `a < b` (IEEE 754, 5.11): by sign and absolute value, if both are numbers and not both zero.
fn is_less(left: &Expression, right: &Expression) -> Expression {
    let (a, b) = (Pattern::of(left), Pattern::of(right));
    let below =
        |x: &Pattern, y: &Pattern| binary(BinaryOperator::Less, x.bits.clone(), y.bits.clone());
    let (a_negative, b_negative) = (a.is_negative(), b.is_negative());
    let not_both_zero = and(a.is_zero(), b.is_zero()).negated();
    let below_zero = and(a_negative.clone(), or(b_negative.clone().negated(), below(&b, &a)));
    let above_zero = and(a_negative.negated(), and(b_negative.negated(), below(&a, &b)));
    let ordered = or(below_zero, above_zero);
    and(and(a.is_number(), b.is_number()), and(not_both_zero, ordered))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::lowering::expressions::closed;

    /// Zeros, least and greatest numbers of each sign, infinities, and what is not a number.
    const SPECIAL: [f64; 15] = [
        0.0,
        -0.0,
        5e-324,
        -5e-324,
        f64::MIN_POSITIVE,
        0.1,
        -0.1,
        1.0,
        1.5,
        -1.5,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];

    /// A value that is not folded.
    fn opaque(e: Expression) -> Expression {
        let choice = (Expression::truth(), e.clone(), e);
        Expression::Conditional(Box::new(choice.0), Box::new(choice.1), Box::new(choice.2))
    }

    fn agree(a: Expression, b: Expression, equal: bool, less: bool) {
        for (a, b) in
            [(opaque(a.clone()), opaque(b.clone())), (opaque(a.clone()), b.clone()), (a, b)]
        {
            assert_eq!(closed(&is_equal(&a, &b)), Some(equal.into()), "{a:?} == {b:?}");
            assert_eq!(closed(&is_less(&a, &b)), Some(less.into()), "{a:?} < {b:?}");
        }
    }

    #[test]
    fn comparisons_are_those_of_the_processor() {
        for a in SPECIAL {
            for b in SPECIAL {
                let double = |x: f64| Expression::Constant(x.to_bits(), Scalar::floating(64));
                agree(double(a), double(b), a == b, a < b);
                let (a, b) = (a as f32, b as f32);
                let single =
                    |x: f32| Expression::Constant(x.to_bits().into(), Scalar::floating(32));
                agree(single(a), single(b), a == b, a < b);
            }
        }
    }
}
