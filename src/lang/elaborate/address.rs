//! Addresses in C, as far as they are known before the program runs.

use crate::lang::model::VariableId;

/// What a pointer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Address {
    Null,
    /// The address of a scalar, or of an array's first element.
    Variable(VariableId),
    /// The address of a struct, or of the first struct of an array.
    Aggregate(u32),
    /// The address of a string. It is not null, and nothing is read through it.
    Text,
    /// An address that is not known. It is refused where it is used.
    Unknown,
}
