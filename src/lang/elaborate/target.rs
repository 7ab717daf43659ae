//! What a place is before and after its indices are evaluated.

use super::structs::StructPlace;
use crate::lang::model::{Expression, Scalar, VariableId};
use crate::lang::syntax::{Expr, StructId};

/// An index of a place.
#[derive(Clone, Copy)]
pub(super) enum Index<'e> {
    Given(&'e Expr),
    /// The index 0 of `*p`.
    Zero,
}

/// A place before its indices are evaluated.
pub(super) enum Path<'e> {
    Variable {
        id: VariableId,
        name: String,
        indices: Vec<Index<'e>>,
    },
    Struct {
        type_id: StructId,
        leaves: Vec<VariableId>,
        /// The extents of the whole, including those that have an index.
        dimensions: Vec<u32>,
        name: String,
        indices: Vec<Index<'e>>,
    },
    /// Already reported.
    Poisoned,
}

/// A place, its indices already evaluated.
pub(super) enum Target {
    Variable(VariableId, Scalar),
    Element {
        array: VariableId,
        /// Flattened.
        index: Expression,
        /// The condition that the index is inside; `None` if that is certain or checked.
        inside: Option<Expression>,
        /// For several dimensions: an index past the end, which a write outside uses. (An inner
        /// index that is outside would reach an element of another row.)
        past: Option<Expression>,
        scalar: Scalar,
    },
    /// C: a whole struct.
    Struct(StructPlace),
    /// Already reported.
    Poisoned,
}
