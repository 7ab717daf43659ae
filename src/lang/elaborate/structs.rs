//! C's structs, flattened: one variable for each scalar or array in them.

use crate::lang::model::{Expression, Scalar, VariableId};
use crate::lang::syntax::{StructId, TypeName};

/// A scalar or an array in a struct.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The path inside the struct: `x.y`.
    pub(super) path: String,
    pub(super) scalar: Scalar,
    pub(super) dimensions: Vec<u32>,
    /// The room into which it points, if it is a pointer.
    pub(super) room: Option<u16>,
    /// `_Atomic`.
    pub(super) atomic: bool,
}

/// A member with its type, its extents, and the leaves that it covers.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) type_name: TypeName,
    pub(super) dimensions: Vec<u32>,
    pub(super) first: usize,
    pub(super) leaves: usize,
}

/// A struct's members and leaves.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) members: Vec<Member>,
    pub(super) leaves: Vec<Leaf>,
}

/// A variable whose type is a struct, or an array of structs.
#[derive(Clone, Debug)]
pub(super) struct Aggregate {
    pub(super) type_id: StructId,
    pub(super) dimensions: Vec<u32>,
    pub(super) leaves: Vec<VariableId>,
    pub(super) constant: bool,
}

/// A struct inside an aggregate, its indices evaluated (flattened; `None` if there are none).
#[derive(Clone, Debug)]
pub(super) struct StructPlace {
    pub(super) type_id: StructId,
    pub(super) leaves: Vec<VariableId>,
    pub(super) index: Option<Expression>,
}

pub(super) fn index_constant(element: usize, total: u32) -> Expression {
    let width = Scalar::int((32 - total.leading_zeros()).max(1) as u8, false);
    Expression::Constant(element as u64, width)
}
