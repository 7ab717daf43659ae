//! Calls that look for a bit: `__builtin_clz` and its like.

use super::elaborator::Elaborator;
use super::meaning::{BitScan, ScanWidth};
use super::value::Value;
use crate::lang::lowering::expressions::{binary, cast};
use crate::lang::model::{BinaryOperator, Expression, Scalar, Span, StatementKind};
use crate::lang::syntax::Expr;

impl Elaborator<'_> {
    /// `__builtin_clz(x)` and its like: nested conditions over the bits, from the side where the
    /// search begins. `__builtin_clzg(x, n)` is `n` for 0.
    pub(super) fn scan(
        &mut self,
        what: BitScan,
        width: ScanWidth,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let (argument, at_zero) = match arguments {
            [argument] => (argument, None),
            [argument, at_zero] if width == ScanWidth::Own => (argument, Some(at_zero)),
            _ => {
                self.diagnostics.error(span, "this takes one argument", "give it one integer");
                return Value::Poisoned;
            }
        };
        let value = self.expression(argument);
        let bits = self.program.int_width;
        let scalar = match width {
            ScanWidth::Short => Scalar::int(bits.min(16), false),
            ScanWidth::Int => Scalar::int(bits, false),
            ScanWidth::Long => self.long(false),
            ScanWidth::Own => match &value {
                Value::Typed(e) if !e.scalar().boolean => Scalar { signed: false, ..e.scalar() },
                _ => Scalar::int(bits, false),
            },
        };
        let value = self.convert(value, scalar, argument.span);
        let looks = self.looks(StatementKind::Hidden, span);
        let value = self.store(value, looks);
        let (int, bits) = (self.int(), i128::from(scalar.width));
        let bit = |position: i128| {
            let one = Expression::Constant(1 << position, scalar);
            cast(binary(BinaryOperator::And, value.clone(), one), Scalar::BOOL)
        };
        if !int.holds(bits) {
            self.does_not_fit(bits, int, span);
        }
        let mut result = match (what, at_zero) {
            (BitScan::First, _) => Expression::Constant(0, int),
            (_, Some(at_zero)) => {
                let at_zero_value = self.expression(at_zero);
                self.convert(at_zero_value, int, at_zero.span)
            }
            // The result for 0 is undefined: any value.
            (BitScan::Leading | BitScan::Trailing, None) => self.choice(int),
        };
        for step in (0..bits).rev() {
            let (position, count) = match what {
                BitScan::Leading => (bits - 1 - step, step),
                BitScan::Trailing => (step, step),
                BitScan::First => (step, step + 1),
            };
            let count = Expression::Constant(int.wrap(count), int);
            result =
                Expression::Conditional(Box::new(bit(position)), Box::new(count), Box::new(result));
        }
        Value::Typed(result)
    }
}
