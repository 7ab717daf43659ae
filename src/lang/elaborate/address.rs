//! Addresses of C.

use crate::lang::model::VariableId;

/// What a pointer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Address {
    Null,
    /// Of a scalar, or of an array's first element.
    Variable(VariableId),
    /// Of a struct, or of the first of an array of structs.
    Aggregate(u32),
    /// Of a string: not null, and never looked through.
    Text,
    /// Not known: refused where it matters.
    Unknown,
}
