//! Which expressions are affine.

use super::Columns;
use crate::lang::model::{BinaryOperator, Expression, Scalar, UnaryOperator};
use crate::semiring::affine::AffineExpression;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// The numbers for which the equalities must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Integers that never wrap.
    Unbounded,
    /// Values modulo 2^w, for the program's integers as they are.
    Modulo(u32),
}

impl Arithmetic {
    /// Is arithmetic in this type linear for these numbers? Wrapping at a width of w or more does
    /// not matter modulo 2^w.
    fn is_linear(self, scalar: Scalar) -> bool {
        match self {
            Arithmetic::Unbounded => scalar.is_integer(),
            Arithmetic::Modulo(width) => scalar.is_integer() && u32::from(scalar.width) >= width,
        }
    }

    /// Does a conversion between these types keep the number?
    fn keeps_number(self, from: Scalar, to: Scalar) -> bool {
        if to.boolean {
            return from.boolean;
        }
        let fits = from.width <= to.width
            && (!from.signed || to.signed)
            && (from.signed == to.signed || from.width < to.width);
        fits || self.is_linear(to) && (self == Arithmetic::Unbounded || self.is_linear(from))
            // In two's complement, the number in the wider type is the same modulo 2^w.
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
            Expression::Binary(operator, left, right) => self
                .is_linear(left.scalar())
                .then(|| self.binary(columns, *operator, left, right))?,
            Expression::Cast(to, inner) => self
                .keeps_number(inner.scalar(), *to)
                .then(|| self.affine(columns, inner))
                .flatten(),
        }
    }

    /// The same of a binary operation whose operands are numbers of a linear type.
    fn binary(
        self,
        columns: &Columns,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<AffineExpression> {
        let constant = match right {
            Expression::Constant(bits, scalar) => Some(scalar.number(*bits)),
            _ => None,
        };
        let zero = AffineExpression::constant(0);
        let one = BigInt::one();
        match operator {
            BinaryOperator::Add => {
                let right = self.affine(columns, right)?;
                Some(self.affine(columns, left)?.add_scaled(&one, &right))
            }
            BinaryOperator::Subtract => {
                let right = self.affine(columns, right)?;
                Some(self.affine(columns, left)?.add_scaled(&-one, &right))
            }
            BinaryOperator::Multiply => {
                let (left, right) = (self.affine(columns, left)?, self.affine(columns, right)?);
                let (factor, other) =
                    if left.terms.is_empty() { (left, right) } else { (right, left) };
                factor.terms.is_empty().then(|| zero.add_scaled(&factor.constant, &other))
            }
            BinaryOperator::ShiftLeft => {
                let amount = constant?;
                let inside = (0..i128::from(left.scalar().width)).contains(&amount);
                let left = self.affine(columns, left)?;
                inside.then(|| zero.add_scaled(&(one << amount as u32), &left))
            }
            // a % b is a minus a multiple of b.
            BinaryOperator::Remainder => match (constant?, self) {
                (divisor, Arithmetic::Modulo(width))
                    if width < 64 && divisor != 0 && divisor % (1i128 << width) == 0 =>
                {
                    self.affine(columns, left)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::model::VariableId;
    use crate::wire::options::RequestedOptions;

    /// Every integer type of at most four bits, and truth values.
    fn scalars() -> Vec<Scalar> {
        let integers = (1..=4).flat_map(|width| [false, true].map(|s| Scalar::int(width, s)));
        integers.chain([Scalar::BOOL]).collect()
    }

    fn pairs() -> Vec<(Scalar, Scalar)> {
        let with = |from: Scalar| scalars().into_iter().map(move |to| (from, to));
        scalars().into_iter().flat_map(with).collect()
    }

    /// A truth value that becomes an integer of one bit with a sign is -1.
    #[test]
    fn conversions_keep_a_number_if_all_of_its_type_are_kept() {
        for width in 1..=5 {
            let arithmetic = Arithmetic::Modulo(width);
            for (from, to) in pairs() {
                let kept = (0..=from.mask()).all(|bits| {
                    let number = from.number(bits);
                    let converted = if to.boolean {
                        i128::from(number != 0)
                    } else {
                        to.number(to.wrap(number))
                    };
                    (number - converted) % (1 << width) == 0
                });
                // Of integers as truth values nothing is claimed.
                let claimed = kept && (!to.boolean || from.boolean);
                assert_eq!(arithmetic.keeps_number(from, to), claimed, "{width} {from:?} {to:?}");
            }
        }
    }

    /// Operations with a constant against arithmetic on every value.
    #[test]
    fn operations_are_what_they_compute_modulo_a_power_of_two() {
        use BinaryOperator::{Add, Multiply, Remainder, ShiftLeft, Subtract};
        for signed in [false, true] {
            let (scalar, name) =
                (Scalar::int(4, signed), if signed { "int4_t" } else { "uint4_t" });
            let source = format!("{name} x; void main() {{ x = x + 1; }}");
            let program = crate::lang::load(&source, &RequestedOptions::default()).program;
            let columns = Columns::new(&program.expect("a program"));
            let x = || Box::new(Expression::Variable(VariableId(0), scalar));
            for (width, constant) in (1..=5).flat_map(|w| (0..16).map(move |c| (w, c))) {
                let (arithmetic, c) = (Arithmetic::Modulo(width), scalar.number(constant));
                for operator in [Add, Subtract, Multiply, ShiftLeft, Remainder] {
                    let right = Box::new(Expression::Constant(constant, scalar));
                    let found =
                        arithmetic.affine(&columns, &Expression::Binary(operator, x(), right));
                    let known = width <= 4
                        && match operator {
                            ShiftLeft => (0..4).contains(&c),
                            Remainder => c != 0 && c % (1 << width) == 0,
                            _ => true,
                        };
                    assert_eq!(found.is_some(), known, "{operator:?} {c} modulo 2^{width}");
                    let Some(found) = found else { continue };
                    for value in (0..16).map(|bits| scalar.number(bits)) {
                        let result = match operator {
                            Add => value + c,
                            Subtract => value - c,
                            Multiply => value * c,
                            ShiftLeft => value << c,
                            _ => value % c,
                        };
                        let sum: BigInt = found.terms.iter().map(|(_, a)| a * value).sum();
                        let difference = found.constant.clone() + sum - result;
                        let rest = difference % BigInt::from(1u8 << width);
                        assert!(rest.is_zero(), "{value} {operator:?} {c}");
                    }
                }
            }
        }
    }
    /// `-x`, `~x` of every value, where their type wraps at a width of the modulus or more.
    #[test]
    fn negations_and_complements_are_what_they_compute() {
        for signed in [false, true] {
            let (scalar, name) =
                (Scalar::int(4, signed), if signed { "int4_t" } else { "uint4_t" });
            let source = format!("{name} x; void main() {{ x = x + 1; }}");
            let program = crate::lang::load(&source, &RequestedOptions::default()).program;
            let columns = Columns::new(&program.expect("a program"));
            for (width, operator) in (1..=5)
                .flat_map(|w| [UnaryOperator::Negate, UnaryOperator::Complement].map(|o| (w, o)))
            {
                let x = Box::new(Expression::Variable(VariableId(0), scalar));
                let found =
                    Arithmetic::Modulo(width).affine(&columns, &Expression::Unary(operator, x));
                assert_eq!(found.is_some(), width <= 4, "{operator:?} modulo 2^{width}");
                let Some(found) = found else { continue };
                for value in (0..16).map(|bits| scalar.number(bits)) {
                    let result =
                        if operator == UnaryOperator::Negate { -value } else { -1 - value };
                    let sum: BigInt = found.terms.iter().map(|(_, a)| a * value).sum();
                    let difference = found.constant.clone() + sum - result;
                    assert!((difference % BigInt::from(1u8 << width)).is_zero(), "{operator:?}");
                }
            }
        }
    }
}
