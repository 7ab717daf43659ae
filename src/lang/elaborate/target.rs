//! What a place is before and after its indices are evaluated.

use super::structs::StructPlace;
use crate::lang::model::{Expression, Scalar, VariableId};
use crate::lang::syntax::{Expr, StructId};

/// An index of a place.
#[derive(Clone, Copy)]
pub(super) enum Index<'e> {
    Given(&'e Expr),
    /// That of `*p`.
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
        /// Of the whole, indexed or not.
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
        /// When the index is inside, if that is neither certain nor checked.
        inside: Option<Expression>,
        /// Of two dimensions: an index past the end, for writes outside (a column outside would
        /// meet an element of another row).
        past: Option<Expression>,
        scalar: Scalar,
    },
    /// C: a whole struct.
    Struct(StructPlace),
    /// Already reported.
    Poisoned,
}
