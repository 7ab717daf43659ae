//! C's types relative to `bits`, its promotions and its conversions.

use super::Elaborator;
use super::value::Value;
use crate::lang::model::{BinaryOperator, ChoiceId, Expression, Scalar, Span};
use crate::lang::syntax::{Size, Spelling, TypeName};

impl Elaborator<'_> {
    pub(super) fn int(&self) -> Scalar {
        Scalar::int(self.program.int_width, true)
    }

    /// The scalar of a type name; `None` for `void` and for what was refused.
    pub(super) fn scalar(&self, name: TypeName) -> Option<Scalar> {
        let bits = self.program.int_width;
        match name {
            TypeName::Void | TypeName::Poisoned => None,
            TypeName::Bool => Some(Scalar::BOOL),
            TypeName::Exact { width, signed } => Some(Scalar::int(width, signed)),
            TypeName::Integer { size, signed } => {
                let width = match size {
                    Size::Char => bits.min(8),
                    Size::Short => bits.min(16),
                    Size::Int => bits,
                    Size::Long => bits.saturating_mul(2),
                };
                Some(Scalar::int(width, signed))
            }
        }
    }

    /// C's integer promotion: `int` if that holds every value, else `unsigned int`; wider types stay.
    pub(super) fn promoted(&self, scalar: Scalar) -> Scalar {
        let int = self.int();
        if scalar.width > int.width {
            Scalar::int(scalar.width, scalar.signed)
        } else if scalar.width < int.width || scalar.signed {
            int
        } else {
            Scalar::int(int.width, false)
        }
    }

    /// C's usual arithmetic conversions.
    pub(super) fn common(&self, left: Scalar, right: Scalar) -> Scalar {
        let (left, right) = (self.promoted(left), self.promoted(right));
        let width = left.width.max(right.width);
        let signed = [left, right].iter().all(|s| s.width < width || s.signed);
        Scalar::int(width, signed)
    }

    /// The type that a literal has by itself, if it fits one.
    pub(super) fn literal_scalar(&self, n: i128, spelling: Spelling) -> Scalar {
        let bits = self.program.int_width;
        let width = if spelling.long { bits.saturating_mul(2) } else { bits };
        let signed = Scalar::int(width, true);
        let unsigned = Scalar::int(width, false);
        if spelling.unsigned || (spelling.pattern && !signed.holds(n) && unsigned.holds(n)) { unsigned } else { signed }
    }

    /// May the literal stand for a value of this type without a word? Negative ones wrap into unsigned types, patterns into signed ones.
    pub(super) fn fits(n: i128, spelling: Spelling, scalar: Scalar) -> bool {
        scalar.holds(n)
            || (!scalar.signed && n < 0 && Scalar::int(scalar.width, true).holds(n))
            || (spelling.pattern && n >= 0 && n <= i128::from(scalar.mask()))
    }

    /// As an assignment converts: to bool by "is it not zero", else by wrapping; a literal that does not fit is reported.
    pub(super) fn convert(&mut self, value: Value, to: Scalar, span: Span) -> Expression {
        match value {
            Value::Number(n, _) if to.boolean => Expression::Constant(u64::from(n != 0), to),
            Value::Number(n, spelling) => {
                if !Self::fits(n, spelling, to) {
                    self.does_not_fit(n, to, span);
                }
                Expression::Constant(to.wrap(n), to)
            }
            Value::Choice => self.choice(to),
            Value::Typed(expression) => cast(expression, to),
            Value::Either(condition, branches) => {
                let (then, otherwise) = *branches;
                let then = self.convert(then, to, span);
                let otherwise = self.convert(otherwise, to, span);
                Expression::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            Value::Void => {
                self.diagnostics.error(span, "this has no value", "the procedure returns nothing");
                Expression::Constant(0, to)
            }
            Value::Poisoned => Expression::Constant(0, to),
        }
    }

    /// As a condition.
    pub(super) fn truth(&mut self, value: Value, span: Span) -> Expression {
        self.convert(value, Scalar::BOOL, span)
    }

    /// With a type of its own: literals and choices are `int` unless they say otherwise.
    pub(super) fn settle(&mut self, value: Value, span: Span) -> Expression {
        let scalar = self.own_scalar(&value).unwrap_or(self.int());
        self.convert(value, scalar, span)
    }

    /// The type that it has by itself.
    pub(super) fn own_scalar(&self, value: &Value) -> Option<Scalar> {
        match value {
            Value::Number(n, spelling) => Some(self.literal_scalar(*n, *spelling)),
            Value::Typed(expression) => Some(expression.scalar()),
            Value::Either(_, branches) => match (self.own_scalar(&branches.0), self.own_scalar(&branches.1)) {
                (Some(then), Some(otherwise)) => Some(self.common(then, otherwise)),
                (then, otherwise) => then.or(otherwise),
            },
            Value::Choice | Value::Void | Value::Poisoned => None,
        }
    }

    /// The type in which two operands meet.
    pub(super) fn meeting(&self, left: &Value, right: &Value) -> Scalar {
        match (self.own_scalar(left), self.own_scalar(right)) {
            (Some(left), Some(right)) => self.common(left, right),
            (Some(one), None) | (None, Some(one)) => self.promoted(one),
            (None, None) => self.int(),
        }
    }

    /// Can both stay truth values (a bool beside a bool, 0, 1 or a choice)? C would say int, with the same result.
    pub(super) fn both_boolean(left: &Value, right: &Value) -> bool {
        let typed = |v: &Value| matches!(v, Value::Typed(e) if e.scalar().boolean);
        let may = |v: &Value| typed(v) || matches!(v, Value::Number(0 | 1, _) | Value::Choice);
        (typed(left) && may(right)) || (may(left) && typed(right))
    }

    /// A new pending choice.
    pub(super) fn choice(&mut self, scalar: Scalar) -> Expression {
        let id = ChoiceId(self.pending.choices.len() as u32);
        self.pending.choices.push(scalar);
        Expression::Choice(id, scalar)
    }

    /// Reports a constant that its type cannot hold, and says what would.
    pub(super) fn does_not_fit(&mut self, n: i128, scalar: Scalar, span: Span) {
        let bits = self.program.int_width;
        let (low, high) = if scalar.signed {
            (-(1i128 << (scalar.width - 1)), (1i128 << (scalar.width - 1)) - 1)
        } else {
            (0, i128::from(scalar.mask()))
        };
        let needed = width_for(n, scalar.signed);
        let hint = if scalar.width != bits {
            format!("a type of {needed} bits holds it")
        } else if needed <= 32 {
            format!("`//! bits = {needed}` holds it")
        } else {
            "no width up to 32 bits holds it".to_string()
        };
        let sign = if scalar.signed { "" } else { "unsigned " };
        self.diagnostics.error(span, format!("{n} does not fit: {sign}integers of {} bits go from {low} to {high}", scalar.width), hint);
    }
}

/// The least width whose type holds `n`.
fn width_for(n: i128, signed: bool) -> u32 {
    let magnitude = if n < 0 { !n } else { n };
    let bits = 128 - magnitude.leading_zeros();
    if signed || n < 0 { bits + 1 } else { bits.max(1) }
}

/// To this type; folds constants.
pub(super) fn cast(expression: Expression, to: Scalar) -> Expression {
    let from = expression.scalar();
    if from == to {
        return expression;
    }
    match expression {
        Expression::Constant(bits, from) if to.boolean => Expression::Constant(u64::from(bits & from.mask() != 0), to),
        Expression::Constant(bits, from) => Expression::Constant(to.wrap(from.number(bits)), to),
        // A truth value, or its comparison with zero, needs no detour.
        Expression::Cast(wide, inner) if to.boolean && inner.scalar().boolean && wide.width >= 1 => *inner,
        other => Expression::Cast(to, Box::new(other)),
    }
}

/// Two operands of one type.
pub(super) fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}

/// Conjunction of bools; folds constants.
pub(super) fn and(left: Expression, right: Expression) -> Expression {
    match (left, right) {
        (Expression::Constant(1, Scalar::BOOL), e) | (e, Expression::Constant(1, Scalar::BOOL)) => e,
        (Expression::Constant(0, Scalar::BOOL), _) | (_, Expression::Constant(0, Scalar::BOOL)) => Expression::falsity(),
        (left, right) => binary(BinaryOperator::And, left, right),
    }
}

/// Disjunction of bools; folds constants.
pub(super) fn or(left: Expression, right: Expression) -> Expression {
    match (left, right) {
        (Expression::Constant(0, Scalar::BOOL), e) | (e, Expression::Constant(0, Scalar::BOOL)) => e,
        (Expression::Constant(1, Scalar::BOOL), _) | (_, Expression::Constant(1, Scalar::BOOL)) => Expression::truth(),
        (left, right) => binary(BinaryOperator::Or, left, right),
    }
}
