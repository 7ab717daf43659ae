//! Which expressions are affine.

use super::Columns;
use crate::lang::model::{BinaryOperator, Expression, Scalar, UnaryOperator};
use crate::semiring::affine::AffineExpression;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// What the equalities are to hold for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Integers that never wrap.
    Unbounded,
    /// Values modulo 2^w, for the program's integers as they are.
    Modulo(u32),
}

impl Arithmetic {
    /// Is arithmetic in this type linear here? Wrapping at a width of w or more does not matter
    /// modulo 2^w.
    fn is_linear(self, scalar: Scalar) -> bool {
        match self {
            Arithmetic::Unbounded => !scalar.boolean,
            Arithmetic::Modulo(width) => !scalar.boolean && u32::from(scalar.width) >= width,
        }
    }

    /// Does a conversion between these types leave the number as it is?
    fn keeps_number(self, from: Scalar, to: Scalar) -> bool {
        if to.boolean {
            return from.boolean;
        }
        let fits = from.width <= to.width
            && (!from.signed || to.signed)
            && (from.signed == to.signed || from.width < to.width);
        fits || from.boolean || self.is_linear(to) && (self == Arithmetic::Unbounded || self.is_linear(from))
            // Two's complement of the wider type is the number modulo 2^w, too.
            || self.is_linear(to) && from.width <= to.width
    }

    /// The expression as a0 + Σ ai xi over the columns; `None` if it is not known to be of that
    /// form.
    pub(super) fn affine(
        self,
        columns: &Columns,
        expression: &Expression,
    ) -> Option<AffineExpression> {
        match expression {
            Expression::Constant(bits, scalar) => {
                Some(AffineExpression::constant(scalar.number(*bits)))
            }
            Expression::Variable(variable, _) => {
                columns.of(*variable).map(AffineExpression::variable)
            }
            Expression::Element(..) | Expression::Choice(..) | Expression::Conditional(..) => None,
            Expression::Unary(UnaryOperator::Not, inner) => {
                let inner = self.affine(columns, inner)?;
                Some(AffineExpression::constant(1).add_scaled(&-BigInt::one(), &inner))
            }
            Expression::Unary(operator, inner) => {
                if !self.is_linear(inner.scalar()) {
                    return None;
                }
                let inner = self.affine(columns, inner)?;
                let constant = if *operator == UnaryOperator::Complement {
                    -BigInt::one()
                } else {
                    BigInt::zero()
                };
                Some(AffineExpression::constant(constant).add_scaled(&-BigInt::one(), &inner))
            }
            Expression::Binary(operator, left, right) => {
                if !self.is_linear(left.scalar()) {
                    return None;
                }
                match operator {
                    BinaryOperator::Add | BinaryOperator::Subtract => {
                        let factor = if *operator == BinaryOperator::Add {
                            BigInt::one()
                        } else {
                            -BigInt::one()
                        };
                        Some(
                            self.affine(columns, left)?
                                .add_scaled(&factor, &self.affine(columns, right)?),
                        )
                    }
                    BinaryOperator::Multiply => {
                        let (left, right) =
                            (self.affine(columns, left)?, self.affine(columns, right)?);
                        let (constant, other) =
                            if left.terms.is_empty() { (left, right) } else { (right, left) };
                        constant.terms.is_empty().then(|| {
                            AffineExpression::constant(0).add_scaled(&constant.constant, &other)
                        })
                    }
                    BinaryOperator::ShiftLeft => match (&**right, right.scalar()) {
                        (Expression::Constant(bits, _), scalar) => {
                            let amount = scalar.number(*bits);
                            let inside = (0..i128::from(left.scalar().width)).contains(&amount);
                            let left = self.affine(columns, left)?;
                            inside.then(|| {
                                AffineExpression::constant(0)
                                    .add_scaled(&(BigInt::one() << amount as u32), &left)
                            })
                        }
                        _ => None,
                    },
                    // a % b is a less a multiple of b.
                    BinaryOperator::Remainder => match (&**right, right.scalar(), self) {
                        (Expression::Constant(bits, _), scalar, Arithmetic::Modulo(width))
                            if width < 64 =>
                        {
                            let divisor = scalar.number(*bits);
                            if divisor != 0 && divisor % (1i128 << width) == 0 {
                                self.affine(columns, left)
                            } else {
                                None
                            }
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            Expression::Cast(to, inner) => self
                .keeps_number(inner.scalar(), *to)
                .then(|| self.affine(columns, inner))
                .flatten(),
        }
    }
}
