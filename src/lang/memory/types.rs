//! The types of C as this lowering sees them: each pointer type knows the region it points into.

use super::regions::RegionId;
use crate::lang::syntax::{Size, StructId, TypeName};

/// A type of C.
#[derive(Clone, Debug)]
pub(super) enum Type {
    Void,
    /// A number, with the name of its type.
    Scalar(TypeName),
    Struct(StructId),
    /// A pointer into a region.
    Pointer(Box<Type>, RegionId),
    Array(Box<Type>, u32),
    /// A procedure that gives back this type.
    Procedure(Box<Type>),
    /// The null pointer, before its place gives it a type.
    Null,
    /// Threads, mutexes and other types without values here.
    Other(TypeName),
}

/// `int`.
pub(super) const INT: TypeName = TypeName::Integer { size: Size::Int, signed: true };
/// `long`.
pub(super) const LONG: TypeName = TypeName::Integer { size: Size::Long, signed: true };
/// `unsigned long`.
pub(super) const UNSIGNED_LONG: TypeName = TypeName::Integer { size: Size::Long, signed: false };
/// `char`.
pub(super) const CHAR: TypeName = TypeName::Integer { size: Size::Char, signed: true };
/// Wide enough for the sum of a slot and any index.
pub(super) const WIDE: TypeName = TypeName::Exact { width: 64, signed: false };

/// A number without a sign of this many bits.
pub(super) fn unsigned(width: u8) -> TypeName {
    TypeName::Exact { width, signed: false }
}

/// The least number of bits that can hold `most`.
pub(super) fn width_of(most: u64) -> u8 {
    (64 - most.leading_zeros()).max(1) as u8
}

impl Type {
    pub(super) fn is_pointer(&self) -> bool {
        matches!(self, Type::Pointer(..) | Type::Null)
    }

    /// Number of elements, with the elements of arrays of arrays.
    pub(super) fn elements(&self) -> u32 {
        match self {
            Type::Array(inner, count) => inner.elements().saturating_mul(*count),
            _ => 1,
        }
    }

    /// The extents of an array of arrays; empty for other types.
    pub(super) fn extents(&self) -> Vec<u32> {
        let mut extents = Vec::new();
        let mut ty = self;
        while let Type::Array(inner, count) = ty {
            extents.push(*count);
            ty = inner;
        }
        if extents.len() > 1 { extents } else { Vec::new() }
    }

    /// The type of an element, with all extents left out.
    pub(super) fn element(&self) -> &Type {
        match self {
            Type::Array(inner, _) => inner.element(),
            other => other,
        }
    }
}

/// The width of a number in bits, for this width of `int`.
pub(super) fn bits_of(name: TypeName, int: u8) -> u8 {
    match name {
        TypeName::Bool => 1,
        TypeName::Exact { width, .. }
        | TypeName::Slot { width, .. }
        | TypeName::Floating { width }
        | TypeName::Pattern { width, .. } => width,
        TypeName::Integer { size: Size::Char, .. } => int.min(8),
        TypeName::Integer { size: Size::Short, .. } => int.min(16),
        TypeName::Integer { size: Size::Long, .. } => int.saturating_mul(2),
        TypeName::Enum { width, .. } => width.unwrap_or(int),
        _ => int,
    }
}
