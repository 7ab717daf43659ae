//! The value of an expression in a configuration: by numbers (`i128`), not by bits, so that it
//! shares no idea with the symbolic encoding.

use super::execute::{Configuration, Machine};
use crate::lang::model::{BinaryOperator, Expression, Scalar, UnaryOperator};

impl Machine<'_> {
    /// The bit pattern of `e`; `choices` are the values that the run picks at this edge, masked to
    /// their types (missing ones are 0).
    pub fn evaluate(&self, configuration: &Configuration, e: &Expression, choices: &[u64]) -> u64 {
        match e {
            Expression::Constant(bits, scalar) => bits & scalar.mask(),
            Expression::Variable(id, _) => {
                self.values(configuration, *id).first().copied().unwrap_or(0)
            }
            Expression::Element(id, index, _) => {
                let position = index.scalar().number(self.evaluate(configuration, index, choices));
                let values = self.values(configuration, *id);
                usize::try_from(position).ok().and_then(|i| values.get(i)).copied().unwrap_or(0)
            }
            Expression::Choice(id, scalar) => {
                choices.get(id.0 as usize).copied().unwrap_or(0) & scalar.mask()
            }
            Expression::Unary(operator, operand) => {
                let scalar = operand.scalar();
                unary(*operator, scalar, self.evaluate(configuration, operand, choices))
            }
            Expression::Binary(operator, left, right) => {
                let l = (self.evaluate(configuration, left, choices), left.scalar());
                let r = (self.evaluate(configuration, right, choices), right.scalar());
                binary(*operator, l, r)
            }
            Expression::Cast(to, operand) => {
                let number =
                    operand.scalar().number(self.evaluate(configuration, operand, choices));
                if to.boolean { u64::from(number != 0) } else { to.wrap(number) }
            }
            Expression::Conditional(condition, then, otherwise) => {
                let taken = if self.evaluate(configuration, condition, choices) == 1 {
                    then
                } else {
                    otherwise
                };
                self.evaluate(configuration, taken, choices)
            }
        }
    }
}

/// The value of an operator with one operand.
pub(crate) fn unary(operator: UnaryOperator, scalar: Scalar, bits: u64) -> u64 {
    let number = scalar.number(bits);
    match operator {
        UnaryOperator::Negate => scalar.wrap(-number),
        UnaryOperator::Complement => scalar.wrap(-number - 1),
        UnaryOperator::Not => u64::from(bits == 0),
    }
}

/// The value of an operator with two operands, each given with its type. Only the operands of
/// shifts have different types.
pub(crate) fn binary(
    operator: BinaryOperator,
    (left, scalar): (u64, Scalar),
    (right, right_scalar): (u64, Scalar),
) -> u64 {
    let l = scalar.number(left);
    let r = right_scalar.number(right);
    let in_range = (0..i128::from(scalar.width)).contains(&r);
    match operator {
        BinaryOperator::Add => scalar.wrap(l + r),
        BinaryOperator::Subtract => scalar.wrap(l - r),
        // The product of two unsigned factors of 64 bits has 128 bits. The low bits are right
        // although the product wraps.
        BinaryOperator::Multiply => scalar.wrap(l.wrapping_mul(r)),
        BinaryOperator::Divide => scalar.wrap(if r == 0 { 0 } else { l / r }),
        BinaryOperator::Remainder => scalar.wrap(if r == 0 { 0 } else { l % r }),
        BinaryOperator::ShiftLeft => scalar.wrap(if in_range { l << r } else { 0 }),
        BinaryOperator::ShiftRight => scalar.wrap(if in_range { l >> r } else { 0 }),
        BinaryOperator::And => left & right,
        BinaryOperator::Or => left | right,
        BinaryOperator::Xor => left ^ right,
        BinaryOperator::Equal => u64::from(l == r),
        BinaryOperator::NotEqual => u64::from(l != r),
        BinaryOperator::Less => u64::from(l < r),
        BinaryOperator::LessEqual => u64::from(l <= r),
    }
}
