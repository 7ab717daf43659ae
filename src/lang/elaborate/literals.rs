//! C's constants: their types, and operators on them.
//!
//! Below 32 bits a constant must keep the value that it has in C: a constant that its type cannot
//! hold is reported. (If no width is given, the program is then read again at a larger width.) At
//! 32 bits the rules of C apply, including wrapping.

use super::elaborator::Elaborator;
use super::value::Value;
use crate::lang::interpreter::evaluate;
use crate::lang::model::{BinaryOperator, Expression, Scalar, Span, UnaryOperator};
use crate::lang::syntax::Spelling;
use crate::wire::options::DataModel;

/// The width at which `int` is C's own.
pub(super) const REAL_WIDTH: u8 = 32;

impl Elaborator<'_> {
    /// `size_t`.
    pub(super) fn size(&self) -> Scalar {
        match self.options.model {
            DataModel::Lp64 => self.long(false),
            DataModel::Ilp32 => Scalar::int(self.program.int_width, false),
        }
    }

    pub(super) fn long(&self, signed: bool) -> Scalar {
        Scalar::int(self.program.int_width.saturating_mul(2), signed)
    }

    /// The value of a literal, with the first of C's types that can hold it (C11 6.4.4.1).
    pub(super) fn c_literal(&mut self, n: u64, spelling: Spelling, span: Span) -> Value {
        let n = i128::from(n);
        let (int, unsigned) = (self.int(), Scalar::int(self.program.int_width, false));
        let (long, unsigned_long) = (self.long(true), self.long(false));
        let real = self.program.int_width == REAL_WIDTH;
        let mut candidates: Vec<Scalar> = Vec::new();
        if !spelling.long {
            candidates.extend((!spelling.unsigned).then_some(int));
            candidates.extend((spelling.unsigned || spelling.pattern).then_some(unsigned));
        }
        if spelling.long || real {
            candidates.extend((!spelling.unsigned).then_some(long));
            candidates.push(unsigned_long);
        }
        let scalar = match candidates.iter().find(|scalar| scalar.holds(n)) {
            Some(scalar) => *scalar,
            None => {
                let scalar = candidates.first().copied().unwrap_or(int);
                self.does_not_fit(n, scalar, span);
                scalar
            }
        };
        Value::Typed(Expression::Constant(scalar.wrap(n), scalar))
    }

    /// A number of type `int`.
    pub(super) fn int_constant(&mut self, n: i128, span: Span) -> Expression {
        let int = self.int();
        if !int.holds(n) {
            self.does_not_fit(n, int, span);
        }
        Expression::Constant(int.wrap(n), int)
    }

    /// An operator over constants becomes a constant.
    pub(super) fn folded(&mut self, e: Expression, span: Span) -> Expression {
        if !self.c {
            return e;
        }
        let (bits, exact, scalar) = match &e {
            Expression::Binary(op, left, right) => {
                let (Expression::Constant(l, ls), Expression::Constant(r, rs)) =
                    (&**left, &**right)
                else {
                    return e;
                };
                let bits = evaluate::binary(*op, (*l, *ls), (*r, *rs));
                let (x, y) = (ls.number(*l), rs.number(*r));
                let exact = match op {
                    BinaryOperator::Add => Some(x + y),
                    BinaryOperator::Subtract => Some(x - y),
                    BinaryOperator::Multiply => x.checked_mul(y),
                    BinaryOperator::ShiftLeft if (0..64).contains(&y) => x.checked_mul(1i128 << y),
                    _ => None,
                };
                (bits, exact, e.scalar())
            }
            Expression::Unary(op, operand) => {
                let Expression::Constant(bits, scalar) = &**operand else { return e };
                let exact = (*op == UnaryOperator::Negate).then(|| -scalar.number(*bits));
                (evaluate::unary(*op, *scalar, *bits), exact, e.scalar())
            }
            Expression::Conditional(condition, then, otherwise) => {
                let Expression::Constant(truth, _) = **condition else { return e };
                return if truth == 1 { (**then).clone() } else { (**otherwise).clone() };
            }
            _ => return e,
        };
        if let Some(exact) = exact
            .filter(|n| scalar.signed && !scalar.holds(*n) && self.program.int_width < REAL_WIDTH)
        {
            self.constant_wraps(exact, scalar, span);
        }
        Expression::Constant(scalar.wrap(i128::from(bits)), scalar)
    }

    /// Reports a constant that changes its value when it is converted, if `int` is narrower than in
    /// C.
    pub(super) fn keeps_value(&mut self, e: &Expression, to: Scalar, span: Span) {
        if let Expression::Constant(bits, from) = e
            && self.c
            && self.program.int_width < REAL_WIDTH
            && !to.boolean
            && !Self::fits(from.number(*bits), Spelling::default(), to)
        {
            self.does_not_fit(from.number(*bits), to, span);
        }
    }
}
