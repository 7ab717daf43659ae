//! What expressions and places denote on the way to the program model.

use crate::lang::model::{Expression, Place, Scalar, VariableId};

/// What an expression denotes before its place has given it a type.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A number made of literals only.
    Number(i128),
    Typed(Expression),
    /// Any value of the type that the place needs.
    Undef,
    /// Already reported.
    Poisoned,
}

/// A place with its index evaluated.
pub(super) struct Target {
    pub(super) id: VariableId,
    pub(super) scalar: Scalar,
    /// The flattened index.
    pub(super) index: Option<Expression>,
    /// If the index is not checked: the condition that it is inside the array.
    pub(super) inside: Option<Expression>,
    /// An index that is certainly outside.
    pub(super) past: u32,
    pub(super) members: Option<u32>,
}

impl Target {
    /// The place that an assignment writes. A write has no effect if the index is outside.
    pub(super) fn place(self) -> Place {
        match (self.index, self.inside) {
            (None, _) => Place::Variable(self.id),
            (Some(index), None) => Place::Element(self.id, index),
            (Some(index), Some(inside)) => {
                let past = Expression::Constant(u64::from(self.past), index.scalar());
                Place::Element(
                    self.id,
                    Expression::Conditional(Box::new(inside), Box::new(index), Box::new(past)),
                )
            }
        }
    }
}
