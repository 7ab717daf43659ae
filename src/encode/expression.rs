//! Expressions as vectors of diagrams.

use super::layout::{Cell, Copy, Layout};
use crate::bdd::{Bdd, BitVector, Manager};
use crate::lang::model::{BinaryOperator, EdgeId, Expression, UnaryOperator};
use crate::util::Bounded;

/// Encodes expressions. It reads cells from chosen copies, and choices from their levels.
pub struct Encoder<'a> {
    /// The arena.
    pub kernel: &'a mut Manager,
    /// The levels of the bits.
    pub layout: &'a Layout,
    /// The edge whose choices [`Expression::Choice`] means.
    pub edge: Option<EdgeId>,
    /// The copy from which a cell is read.
    pub copy: &'a dyn Fn(Cell) -> Copy,
    /// The stores (in those copies) for which values are needed. For other stores the values are
    /// arbitrary.
    pub care: Bdd,
}

impl Encoder<'_> {
    /// The value of a cell.
    pub fn cell(&mut self, cell: Cell) -> Bounded<BitVector> {
        self.layout.value(self.kernel, cell, (self.copy)(cell))
    }

    /// The truth value of a bool.
    pub fn truth(&mut self, expression: &Expression) -> Bounded<Bdd> {
        Ok(self.value(expression)?.bits()[0])
    }

    /// The value of an expression, as wide as its type.
    pub fn value(&mut self, expression: &Expression) -> Bounded<BitVector> {
        let value = self.full_value(expression)?;
        if self.care.is_true() {
            return Ok(value);
        }
        let mut bits = Vec::new();
        for bit in value.bits() {
            bits.push(self.kernel.restrict(*bit, self.care)?);
        }
        Ok(BitVector::from_bits(bits))
    }

    fn full_value(&mut self, expression: &Expression) -> Bounded<BitVector> {
        match expression {
            Expression::Constant(bits, scalar) => {
                Ok(BitVector::constant(*bits, scalar.width.into()))
            }
            Expression::Variable(variable, _) => {
                self.cell(Cell { variable: *variable, element: 0 })
            }
            Expression::Element(array, index, _) => {
                let signed = index.scalar().signed;
                if let Expression::Constant(bits, scalar) = &**index {
                    let number = scalar.number(*bits);
                    if let Some(cell) =
                        self.layout.cells(*array).find(|cell| i128::from(cell.element) == number)
                    {
                        return self.cell(cell);
                    }
                }
                let index = self.value(index)?;
                let mut elements = Vec::new();
                for cell in self.layout.cells(*array) {
                    elements.push(self.cell(cell)?);
                }
                BitVector::read(self.kernel, &elements, &index, signed)
            }
            Expression::Choice(choice, _) => {
                let edge = self.edge.expect("only expressions of an edge have choices");
                let levels = self.layout.choice(edge, *choice).to_vec();
                BitVector::from_variables(self.kernel, &levels)
            }
            Expression::Unary(operator, operand) => {
                let value = self.value(operand)?;
                match operator {
                    UnaryOperator::Negate => value.neg(self.kernel),
                    UnaryOperator::Complement | UnaryOperator::Not => Ok(value.complement()),
                }
            }
            Expression::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expression::Cast(to, operand) => {
                let from = operand.scalar();
                let value = self.value(operand)?;
                if to.boolean && !from.boolean {
                    let truth = value.any(self.kernel)?;
                    return Ok(BitVector::from_bool(truth));
                }
                Ok(if from.signed {
                    value.sign_extend(to.width.into())
                } else {
                    value.zero_extend(to.width.into())
                })
            }
            Expression::Conditional(condition, then, otherwise) => {
                let condition = self.truth(condition)?;
                let then = self.value(then)?;
                let otherwise = self.value(otherwise)?;
                then.ite(self.kernel, condition, &otherwise)
            }
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Bounded<BitVector> {
        let signed = left.scalar().signed;
        let amount_signed = right.scalar().signed;
        let a = self.value(left)?;
        let b = self.value(right)?;
        let kernel = &mut *self.kernel;
        match operator {
            BinaryOperator::Add => a.add(kernel, &b),
            BinaryOperator::Subtract => a.sub(kernel, &b),
            BinaryOperator::Multiply => a.mul(kernel, &b),
            BinaryOperator::Divide => Ok(divide(kernel, &a, &b, signed)?.0),
            BinaryOperator::Remainder => Ok(divide(kernel, &a, &b, signed)?.1),
            BinaryOperator::ShiftLeft => a.shift_left(kernel, &b, amount_signed),
            BinaryOperator::ShiftRight if signed => {
                a.arithmetic_shift_right(kernel, &b, amount_signed)
            }
            BinaryOperator::ShiftRight => a.logical_shift_right(kernel, &b, amount_signed),
            BinaryOperator::And => a.and(kernel, &b),
            BinaryOperator::Or => a.or(kernel, &b),
            BinaryOperator::Xor => a.xor(kernel, &b),
            BinaryOperator::Equal => a.equal(kernel, &b).map(BitVector::from_bool),
            BinaryOperator::NotEqual => a.equal(kernel, &b).map(|same| BitVector::from_bool(!same)),
            BinaryOperator::Less => less(kernel, &a, &b, signed).map(BitVector::from_bool),
            BinaryOperator::LessEqual => {
                less(kernel, &b, &a, signed).map(|greater| BitVector::from_bool(!greater))
            }
        }
    }
}

/// The quotient and the remainder.
fn divide(
    kernel: &mut Manager,
    a: &BitVector,
    b: &BitVector,
    signed: bool,
) -> Bounded<(BitVector, BitVector)> {
    if signed { a.signed_div_rem(kernel, b) } else { a.unsigned_div_rem(kernel, b) }
}

fn less(kernel: &mut Manager, a: &BitVector, b: &BitVector, signed: bool) -> Bounded<Bdd> {
    if signed { a.signed_less(kernel, b) } else { a.unsigned_less(kernel, b) }
}
