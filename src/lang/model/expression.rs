//! Expressions and where they are written: operators are total, and nothing has effects.

use super::Scalar;
use crate::lang::ids::{ChoiceId, VariableId};

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// Two's complement negation, wrapping.
    Negate,
    /// Bitwise complement.
    Complement,
    /// Truth value negation, bool to bool.
    Not,
}

/// Operators with two operands. Both operands have the same type, except those of shifts; the
/// result of a shift has the type of the left operand. Comparisons give `bool`. `And` and `Or` over
/// bools are the logical operators; both sides are evaluated, which is harmless because expressions
/// have no effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Subtract,
    /// Wrapping product.
    Multiply,
    /// Truncating quotient; `x / 0` is 0; the signed overflow wraps.
    Divide,
    /// Remainder with the sign of the dividend; `x % 0` is 0.
    Remainder,
    /// Left shift; the right operand's *number* counts; 0 if negative or not less than the width.
    ShiftLeft,
    /// Right shift, arithmetic iff the left operand is signed; out of range (negative or not less
    /// than the width): 0.
    ShiftRight,
    /// Bitwise (for bools: logical) conjunction.
    And,
    /// Bitwise (for bools: logical) disjunction.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Equality; gives bool.
    Equal,
    /// Inequality; gives bool.
    NotEqual,
    /// Compares by the signedness of the operands; gives bool.
    Less,
    /// Compares by the signedness of the operands; gives bool.
    LessEqual,
}

/// An expression without effects. Total: it always has a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A bit pattern.
    Constant(u64, Scalar),
    /// The value of a scalar variable.
    Variable(VariableId, Scalar),
    /// An element of an array by its flattened index (its *number* counts); 0 where the index is
    /// outside.
    Element(VariableId, Box<Expression>, Scalar),
    /// A value that the run picks when it executes the edge.
    Choice(ChoiceId, Scalar),
    /// An operator with one operand.
    Unary(UnaryOperator, Box<Expression>),
    /// An operator with two operands.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// Widens by the signedness of the *source* type, or truncates. A cast to bool says whether the
    /// value is not zero.
    Cast(Scalar, Box<Expression>),
    /// `if (bool) then else`, both branches of the same type.
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
}

impl Expression {
    /// The constant `true`.
    pub fn truth() -> Expression {
        Expression::Constant(1, Scalar::BOOL)
    }
    /// The constant `false`.
    pub fn falsity() -> Expression {
        Expression::Constant(0, Scalar::BOOL)
    }
    /// An operator with two operands.
    #[inline(never)]
    pub fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }
    /// Does it hold for the expression or a part of it?
    pub fn any(&self, holds: impl Fn(&Expression) -> bool) -> bool {
        let mut rest = vec![self];
        while let Some(e) = rest.pop() {
            if holds(e) {
                return true;
            }
            match e {
                Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => {}
                Expression::Element(_, e, _) | Expression::Unary(_, e) | Expression::Cast(_, e) => {
                    rest.push(e);
                }
                Expression::Binary(_, l, r) => rest.extend([&**l, &**r]),
                Expression::Conditional(c, t, e) => rest.extend([&**c, &**t, &**e]),
            }
        }
        false
    }
    /// Does some part look at the pattern of a floating value, as comparisons of such values do?
    pub fn has_pattern(&self) -> bool {
        self.any(|e| match e {
            Expression::Cast(to, inner) => inner.scalar().floating && !to.floating,
            _ => false,
        })
    }
    /// The type of the expression.
    pub fn scalar(&self) -> Scalar {
        match self {
            Expression::Constant(_, s)
            | Expression::Variable(_, s)
            | Expression::Element(_, _, s)
            | Expression::Choice(_, s)
            | Expression::Cast(s, _) => *s,
            Expression::Unary(UnaryOperator::Not, _) => Scalar::BOOL,
            Expression::Unary(_, e) => e.scalar(),
            Expression::Binary(op, left, _) => match op {
                BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessEqual => Scalar::BOOL,
                _ => left.scalar(),
            },
            Expression::Conditional(_, then, _) => then.scalar(),
        }
    }
    /// `!self`, for bools; folds constants and double negation.
    pub fn negated(self) -> Expression {
        match self {
            Expression::Constant(bits, s) => Expression::Constant(bits ^ 1, s),
            Expression::Unary(UnaryOperator::Not, inner) => *inner,
            other => Expression::Unary(UnaryOperator::Not, Box::new(other)),
        }
    }
}

/// Where an assignment writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A scalar variable.
    Variable(VariableId),
    /// An element of an array by its flattened index; a write outside has no effect.
    Element(VariableId, Expression),
}

impl Place {
    /// The variable that is written.
    pub fn variable(&self) -> VariableId {
        match self {
            Place::Variable(v) | Place::Element(v, _) => *v,
        }
    }
}
