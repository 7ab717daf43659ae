//! Values of expressions as vectors of diagrams over the store now, to be substituted into a
//! postcondition (Dijkstra 1975: wp(x := e, R) = R[e/x]).
//!
//! The module shares only the layout of bits with the effects of `encode`, and only the kernel with
//! post\*.

use crate::bdd::{Bdd, BitVector, Manager, Var};
use crate::encode::{Cell, Copy, Layout};
use crate::lang::model::{
    BinaryOperator, EdgeId, Expression, Place, Program, Scalar, UnaryOperator, VariableId,
};
use crate::util::Bounded;
use std::collections::BTreeMap;

/// A substitution: levels, and the functions that replace them.
pub(in crate::analysis) type Substitution = Vec<(Var, Bdd)>;

/// Evaluates expressions at one edge; a choice evaluates to its own variables.
pub(in crate::analysis) struct Evaluator<'a> {
    pub(in crate::analysis) kernel: &'a mut Manager,
    pub(in crate::analysis) layout: &'a Layout,
    pub(in crate::analysis) edge: EdgeId,
    /// The stores for which values are needed. For other stores the values of products and the like
    /// may be wrong.
    pub(in crate::analysis) care: Bdd,
}

impl Evaluator<'_> {
    fn now(&mut self, variable: VariableId, element: u32) -> Bounded<BitVector> {
        self.layout.value(self.kernel, Cell { variable, element }, Copy::Now)
    }

    fn simplified(&mut self, value: BitVector) -> Bounded<BitVector> {
        let bits: Bounded<Vec<Bdd>> =
            value.bits().iter().map(|bit| self.kernel.restrict(*bit, self.care)).collect();
        Ok(BitVector::from_bits(bits?))
    }

    /// The truth of a bool.
    pub(in crate::analysis) fn truth(&mut self, expression: &Expression) -> Bounded<Bdd> {
        Ok(self.value(expression)?.top())
    }

    /// As wide as the expression's type.
    pub(in crate::analysis) fn value(&mut self, expression: &Expression) -> Bounded<BitVector> {
        Ok(match expression {
            Expression::Constant(bits, scalar) => BitVector::constant(*bits, scalar.width.into()),
            Expression::Variable(variable, _) => self.now(*variable, 0)?,
            Expression::Element(array, index, scalar) => {
                // Zero, unless the index is that of an element.
                let (index, signed) = (self.value(index)?, index.scalar().signed);
                let mut value = BitVector::constant(0, scalar.width.into());
                for cell in self.layout.cells(*array) {
                    let here = index.is_number(self.kernel, cell.element.into(), signed)?;
                    value = self.now(*array, cell.element)?.ite(self.kernel, here, &value)?;
                }
                value
            }
            Expression::Choice(choice, _) => {
                let levels = self.layout.choice(self.edge, *choice).to_vec();
                BitVector::from_variables(self.kernel, &levels)?
            }
            Expression::Unary(UnaryOperator::Negate, operand) => {
                self.value(operand)?.neg(self.kernel)?
            }
            Expression::Unary(UnaryOperator::Complement | UnaryOperator::Not, operand) => {
                self.value(operand)?.complement()
            }
            Expression::Binary(operator, left, right) => {
                let (mut a, mut b) = (self.value(left)?, self.value(right)?);
                let hard = [
                    BinaryOperator::Multiply,
                    BinaryOperator::Divide,
                    BinaryOperator::Remainder,
                    BinaryOperator::ShiftLeft,
                    BinaryOperator::ShiftRight,
                ];
                if hard.contains(operator) {
                    (a, b) = (self.simplified(a)?, self.simplified(b)?);
                }
                operate(self.kernel, *operator, (a, left.scalar()), (b, right.scalar()))?
            }
            Expression::Cast(to, operand) => {
                let value = self.value(operand)?;
                match (to.boolean, operand.scalar()) {
                    (true, from) if !from.boolean => BitVector::from_bool(value.any(self.kernel)?),
                    (_, from) if from.signed => value.sign_extend(to.width.into()),
                    _ => value.zero_extend(to.width.into()),
                }
            }
            Expression::Conditional(condition, then, otherwise) => {
                let condition = self.truth(condition)?;
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                then.ite(self.kernel, condition, &otherwise)?
            }
        })
    }

    /// The substitution of an assignment.
    pub(in crate::analysis) fn assignment(
        &mut self,
        list: &[(Place, Expression)],
    ) -> Bounded<Substitution> {
        let after = self.written(list)?;
        Ok(after
            .iter()
            .flat_map(|(cell, value)| becomes(self.layout, *cell, Copy::Now, value))
            .collect())
    }

    /// The values that an assignment writes: it evaluates all right sides and indices first, then
    /// writes from left to right.
    pub(in crate::analysis) fn written(
        &mut self,
        list: &[(Place, Expression)],
    ) -> Bounded<BTreeMap<Cell, BitVector>> {
        let mut after: BTreeMap<Cell, BitVector> = BTreeMap::new();
        for (place, value) in list {
            let value = self.value(value)?;
            match place {
                Place::Variable(variable) => {
                    after.insert(Cell { variable: *variable, element: 0 }, value);
                }
                Place::Element(array, index) => {
                    let (index, signed) = (self.value(index)?, index.scalar().signed);
                    for cell in self.layout.cells(*array) {
                        let here = index.is_number(self.kernel, cell.element.into(), signed)?;
                        let old = match after.get(&cell) {
                            Some(written) => written.clone(),
                            None => self.now(*array, cell.element)?,
                        };
                        after.insert(cell, value.ite(self.kernel, here, &old)?);
                    }
                }
            }
        }
        Ok(after)
    }

    /// Every check of this edge holds.
    pub(in crate::analysis) fn passes(&mut self, program: &Program, checks: usize) -> Bounded<Bdd> {
        let mut holds = Bdd::TRUE;
        for check in &program.edge(self.edge).checks[..checks] {
            let one = self.truth(&check.condition)?;
            holds = self.kernel.and(holds, one)?;
        }
        Ok(holds)
    }
}

/// The value of an operator, from its operands with their types.
pub(in crate::analysis) fn operate(
    kernel: &mut Manager,
    operator: BinaryOperator,
    (a, left): (BitVector, Scalar),
    (b, right): (BitVector, Scalar),
) -> Bounded<BitVector> {
    match operator {
        BinaryOperator::Add => a.add(kernel, &b),
        BinaryOperator::Subtract => a.sub(kernel, &b),
        BinaryOperator::Multiply => a.mul(kernel, &b),
        BinaryOperator::Divide if left.signed => Ok(a.signed_div_rem(kernel, &b)?.0),
        BinaryOperator::Divide => Ok(a.unsigned_div_rem(kernel, &b)?.0),
        BinaryOperator::Remainder if left.signed => Ok(a.signed_div_rem(kernel, &b)?.1),
        BinaryOperator::Remainder => Ok(a.unsigned_div_rem(kernel, &b)?.1),
        BinaryOperator::ShiftLeft => a.shift_left(kernel, &b, right.signed),
        BinaryOperator::ShiftRight if left.signed => {
            a.arithmetic_shift_right(kernel, &b, right.signed)
        }
        BinaryOperator::ShiftRight => a.logical_shift_right(kernel, &b, right.signed),
        BinaryOperator::And => a.and(kernel, &b),
        BinaryOperator::Or => a.or(kernel, &b),
        BinaryOperator::Xor => a.xor(kernel, &b),
        BinaryOperator::Equal => Ok(BitVector::from_bool(a.equal(kernel, &b)?)),
        BinaryOperator::NotEqual => Ok(BitVector::from_bool(a.not_equal(kernel, &b)?)),
        BinaryOperator::Less if left.signed => Ok(BitVector::from_bool(a.signed_less(kernel, &b)?)),
        BinaryOperator::Less => Ok(BitVector::from_bool(a.unsigned_less(kernel, &b)?)),
        BinaryOperator::LessEqual if left.signed => {
            Ok(BitVector::from_bool(a.signed_less_equal(kernel, &b)?))
        }
        BinaryOperator::LessEqual => Ok(BitVector::from_bool(a.unsigned_less_equal(kernel, &b)?)),
    }
}

/// A cell's copy becomes a value.
pub(in crate::analysis) fn becomes(
    layout: &Layout,
    cell: Cell,
    copy: Copy,
    value: &BitVector,
) -> Substitution {
    layout.cell(cell, copy).into_iter().zip(value.bits().iter().copied()).collect()
}

/// A cell's copy is read from another copy of it.
pub(in crate::analysis) fn read_from(
    kernel: &mut Manager,
    layout: &Layout,
    cells: &[Cell],
    copy: Copy,
    from: Copy,
) -> Bounded<Substitution> {
    let mut all = Vec::new();
    for (level, source) in layout.shift(cells, copy, from) {
        all.push((level, kernel.var(source)?));
    }
    Ok(all)
}
