//! What the names of a file stand for.

use super::syntax::Structure;
use crate::lang::model::{Scalar, VariableId};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Entity<'a> {
    Constant(i128),
    Variable(Declared),
    /// Its fields are variables.
    Struct(&'a Structure),
    /// Its declaration was reported; its uses are not.
    Poisoned,
}

/// A variable, and what its uses need to know.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) id: VariableId,
    pub(super) scalar: Scalar,
    /// First index and number of elements of each dimension.
    pub(super) dimensions: Vec<(i128, u32)>,
    /// For an enumeration: the number of its members.
    pub(super) members: Option<u32>,
    /// Its name with `[]` for each index: `ps[].x`.
    pub(super) shape: String,
}
