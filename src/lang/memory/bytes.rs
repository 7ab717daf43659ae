//! Where values stand, in bytes, as compilers for x86-64 lay them out: a pointer has two words, and
//! bit-fields share units of their declared type.

use super::lowerer::Lowerer;
use super::types::{Type, bits_of};
use crate::lang::model::Span;
use crate::lang::syntax::{Size, StructId, TypeName};
use crate::wire::options::DataModel;

/// Structs inside one another.
const MOST_LEVELS: u32 = 16;

/// Most bytes of one value.
const MOST_BYTES: u64 = 1 << 20;

/// The place of a member.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Empty for a struct or union without a name.
    pub(super) name: String,
    /// Its name in the new tree.
    pub(super) written: String,
    pub(super) ty: Type,
    /// Bytes before it, or before the unit of a bit-field.
    pub(super) offset: u64,
    pub(super) bits: Option<Bits>,
}

/// The place of a bit-field in its unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits {
    pub(super) first: u64,
    pub(super) width: u64,
    /// The bytes of the unit.
    pub(super) unit: u64,
}

/// The members of a struct or a union, with its size and alignment.
pub(super) struct Layout {
    pub(super) members: Vec<Member>,
    pub(super) bytes: u64,
    pub(super) alignment: u64,
}

impl Lowerer<'_> {
    /// Bytes of a value; `None` if the type has no size.
    pub(super) fn bytes(&mut self, ty: &Type) -> Option<u64> {
        self.bytes_within(ty, 0).map(|(bytes, _)| bytes)
    }

    pub(super) fn alignment(&mut self, ty: &Type) -> u64 {
        self.bytes_within(ty, 0).map_or(8, |(_, alignment)| alignment)
    }

    pub(super) fn pointer_bytes(&self) -> u64 {
        u64::from(self.pointer_bits()).div_ceil(8)
    }

    /// The bits of an address.
    pub(super) fn pointer_bits(&self) -> u8 {
        match self.model {
            DataModel::Lp64 => self.int.saturating_mul(2),
            DataModel::Ilp32 => self.int,
        }
    }

    /// The type of `sizeof`, or with a sign that of a distance between pointers.
    pub(super) fn size_type(&self, signed: bool) -> TypeName {
        let size = match self.model {
            DataModel::Lp64 => Size::Long,
            DataModel::Ilp32 => Size::Int,
        };
        TypeName::Integer { size, signed }
    }

    /// Bytes, and the alignment.
    fn bytes_within(&mut self, ty: &Type, depth: u32) -> Option<(u64, u64)> {
        match ty {
            Type::Scalar(name) => {
                let bytes = u64::from(bits_of(*name, self.int)).div_ceil(8);
                // Where pointers have 32 bits, so has what is aligned best.
                let most = if self.model == DataModel::Ilp32 { 4 } else { 8 };
                Some((bytes, bytes.min(most)))
            }
            Type::Pointer(..) | Type::Null => {
                let bytes = self.pointer_bytes();
                Some((bytes, bytes))
            }
            Type::Array(inner, count) => {
                let (bytes, alignment) = self.bytes_within(inner, depth)?;
                let all = bytes.checked_mul(u64::from(*count))?;
                (all <= MOST_BYTES).then_some((all, alignment))
            }
            Type::Struct(id) => {
                let layout = self.layout_within(*id, depth)?;
                Some((layout.bytes, layout.alignment))
            }
            _ => None,
        }
    }

    /// Where the members of a struct stand.
    pub(super) fn layout_of(&mut self, id: StructId) -> Option<Layout> {
        self.layout_within(id, 0)
    }

    fn layout_within(&mut self, id: StructId, depth: u32) -> Option<Layout> {
        if depth > MOST_LEVELS || self.packs {
            return None;
        }
        let file = self.file;
        let structure = file.structs.get(id.0 as usize)?;
        let fields = structure.fields.as_ref()?;
        let types = self.members(id, Span::default()).ok()?;
        let mut layout = Layout { members: Vec::new(), bytes: 0, alignment: 1 };
        // Bits from the start of the struct.
        let mut next = 0u64;
        for (position, (field, (name, ty))) in fields.iter().zip(types).enumerate() {
            let written = match name.is_empty() {
                true => super::lowerer::unnamed(position),
                false => name.clone(),
            };
            if structure.is_union {
                next = 0;
            }
            let Some(unit) = field.unit else {
                let (bytes, alignment) = match &ty {
                    // A flexible array at the end has no size.
                    Type::Array(inner, 0) => (0, self.bytes_within(inner, depth + 1)?.1),
                    ty => self.bytes_within(ty, depth + 1)?,
                };
                let offset = next.div_ceil(8 * alignment) * alignment;
                layout.alignment = layout.alignment.max(alignment);
                layout.members.push(Member { name, written, ty, offset, bits: None });
                next = (offset + bytes) * 8;
                layout.bytes = layout.bytes.max(offset + bytes);
                continue;
            };
            let unit = u64::from(bits_of(unit, self.int)).div_ceil(8);
            let Type::Scalar(named) = &ty else { return None };
            let width = u64::from(bits_of(*named, self.int));
            if width == 0 {
                next = next.div_ceil(8 * unit) * 8 * unit;
                continue;
            }
            if next / (8 * unit) != (next + width - 1) / (8 * unit) {
                next = next.div_ceil(8 * unit) * 8 * unit;
            }
            let offset = next / (8 * unit) * unit;
            let bits = Bits { first: next - offset * 8, width, unit };
            if !name.is_empty() {
                layout.alignment = layout.alignment.max(unit);
                let bits = Some(bits);
                layout.members.push(Member { name, written, ty, offset, bits });
            }
            next += width;
            layout.bytes = layout.bytes.max(next.div_ceil(8));
        }
        layout.bytes = layout.bytes.div_ceil(layout.alignment) * layout.alignment;
        (layout.bytes <= MOST_BYTES).then_some(layout)
    }

    /// The place of a member, also of one that belongs to a member without a name.
    pub(super) fn member_place(&mut self, id: StructId, name: &str, depth: u32) -> Option<Member> {
        let layout = self.layout_of(id)?;
        if depth > MOST_LEVELS {
            return None;
        }
        for member in layout.members {
            if member.name == name {
                return Some(member);
            }
            if let (true, Type::Struct(inner)) = (member.name.is_empty(), &member.ty)
                && let Some(found) = self.member_place(*inner, name, depth + 1)
            {
                return Some(Member { offset: found.offset + member.offset, ..found });
            }
        }
        None
    }

    /// Does nothing of the struct stand behind this member?
    pub(super) fn is_last(&mut self, id: StructId, member: &Member) -> bool {
        self.layout_of(id)
            .is_some_and(|layout| layout.members.iter().all(|other| other.offset <= member.offset))
    }

    /// The smallest group of bytes that values of this type are read and written by.
    pub(super) fn cell_of(&mut self, ty: &Type, depth: u32) -> u64 {
        match ty {
            Type::Array(inner, _) => self.cell_of(inner, depth),
            Type::Struct(id) if depth < MOST_LEVELS => match self.layout_of(*id) {
                Some(layout) => {
                    let mut least = 8;
                    for member in &layout.members {
                        least = least.min(match member.bits {
                            Some(bits) => bits.unit,
                            None => self.cell_of(&member.ty, depth + 1),
                        });
                    }
                    least
                }
                None => 1,
            },
            Type::Scalar(_) | Type::Pointer(..) => self.bytes(ty).unwrap_or(1).clamp(1, 8),
            _ => 8,
        }
    }

    /// The regions of the pointers in values of this type.
    pub(super) fn pointers_in(
        &mut self,
        ty: &Type,
        into: &mut Vec<super::regions::RegionId>,
        depth: u32,
    ) {
        match ty {
            Type::Pointer(_, region) => into.push(*region),
            Type::Array(inner, _) => self.pointers_in(inner, into, depth),
            Type::Struct(id) if depth < MOST_LEVELS => {
                for (_, member) in self.members(*id, Span::default()).unwrap_or_default() {
                    self.pointers_in(&member, into, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// Is there a union, or an array of no fixed size, in values of this type?
    pub(super) fn has_union(&mut self, ty: &Type, depth: u32) -> bool {
        match ty.element() {
            _ if ty.elements() == 0 => true,
            Type::Struct(id) if depth < MOST_LEVELS => {
                let id = *id;
                if self.file.structs.get(id.0 as usize).is_some_and(|s| s.is_union) {
                    return true;
                }
                let members = self.members(id, Span::default()).unwrap_or_default();
                // `int a[1];` at the end may be longer in memory that is asked for.
                if matches!(members.last(), Some((_, Type::Array(_, 0 | 1)))) {
                    return true;
                }
                members.iter().any(|(_, ty)| self.has_union(ty, depth + 1))
            }
            _ => false,
        }
    }
}
