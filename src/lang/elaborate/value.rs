//! Values on their way through an expression: literals and choices take the type that their place
//! needs.

use super::address::Address;
use crate::lang::model::{Expression, VariableId};
use crate::lang::syntax::Spelling;

/// What an expression denotes before its place has given it a type.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A number made of literals only. It is exact and has no type yet.
    Number(i128, Spelling),
    /// Any value of the type that the place needs.
    Choice,
    /// An expression, which has its type.
    Typed(Expression),
    /// `c ? 1 : nondet()`: one of two values without a type yet.
    Either(Expression, Box<(Value, Value)>),
    /// C: a pointer that holds this address.
    Pointer(Address),
    /// The value of a procedure without a result.
    Void,
    /// Already reported.
    Poisoned,
}

impl Value {
    pub(super) fn number(n: i128) -> Value {
        Value::Number(n, Spelling::default())
    }

    /// The expression, if the value has its type.
    pub(super) fn expression(self) -> Option<Expression> {
        match self {
            Value::Typed(expression) => Some(expression),
            _ => None,
        }
    }

    /// The number, if the value is a constant.
    pub(super) fn constant(&self) -> Option<i128> {
        match self {
            Value::Number(n, _) => Some(*n),
            Value::Typed(Expression::Constant(bits, scalar)) => Some(scalar.number(*bits)),
            _ => None,
        }
    }

    /// Does the value still take its type from its place?
    pub(super) fn is_untyped(&self) -> bool {
        matches!(self, Value::Number(..) | Value::Choice | Value::Either(..))
    }
}

/// Does the expression contain a choice?
pub(super) fn has_choice(expression: &Expression) -> bool {
    expression.any(|e| matches!(e, Expression::Choice(..)))
}

/// Does the expression read a variable for which `which` holds?
pub(super) fn reads(expression: &Expression, which: impl Fn(VariableId) -> bool) -> bool {
    expression.any(
        |e| matches!(e, Expression::Variable(v, _) | Expression::Element(v, _, _) if which(*v)),
    )
}
