//! Memory of bytes: where two types share memory, or the address of a part of a struct is taken,
//! slots are groups of bytes. A value is read from several slots and written to several at once,
//! the least significant first.

use super::build::{
    binary, cast, checked, conditional, expr, held, index, name, named, number, shift_left,
    shift_right, storing, wide,
};
use super::bytes::Bits;
use super::expressions::has_effects;
use super::layout::{FIRST_ADDRESS, Room};
use super::lowerer::{Lowered, Lowerer, refuse};
use super::places::Place;
use super::pointers::Use;
use super::regions::RegionId;
use super::types::{INT, Type, WIDE, unsigned};
use crate::lang::fault::{Fault, FaultKind};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, StructId, TypeName};

/// Most parts of a struct that one assignment copies.
const MOST_PARTS: usize = 512;

/// A place in memory of bytes.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) pointer: Expr,
    pub(super) region: RegionId,
    /// Bytes from where the pointer points.
    pub(super) offset: u64,
    pub(super) bits: Option<Bits>,
    /// The pointer as it is spelt.
    pub(super) what: String,
    /// Is it a part of a variable, so that nothing needs to be checked?
    pub(super) trusted: bool,
    /// Is it at the end of an object, where arrays may be longer than they say?
    pub(super) last: bool,
    /// Is it a part of a union?
    pub(super) shared: bool,
}

/// What the value of an assignment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    Nothing,
    Old,
    New,
}

impl Lowerer<'_> {
    /// The room of a region if its slots are bytes.
    pub(super) fn flat_room(&mut self, region: RegionId) -> Option<Room> {
        self.room(region).filter(|room| room.cell.is_some()).cloned()
    }

    /// A pointer that leads to a place in memory of bytes; `None` for other memory.
    pub(super) fn spot(&mut self, pointer: &Expr, region: RegionId, what: &str) -> Option<Spot> {
        self.flat_room(region)?;
        Some(Spot {
            pointer: pointer.clone(),
            region,
            offset: 0,
            bits: None,
            what: what.to_string(),
            trusted: false,
            last: true,
            shared: false,
        })
    }

    /// A slot: `bytes` behind a pointer without effects.
    pub(super) fn slot_at(&self, room: &Room, pointer: &Expr, bytes: u64) -> Expr {
        let span = pointer.span;
        let narrow = unsigned(16);
        let slot = match (&pointer.kind, room.numeric) {
            (ExprKind::Exactly(n, _), true) => {
                number((n + bytes).saturating_sub(FIRST_ADDRESS) / room.unit(), narrow, span)
            }
            (ExprKind::Exactly(n, _), false) => number(n + bytes / room.unit(), narrow, span),
            (_, true) => {
                let base = number(FIRST_ADDRESS.saturating_sub(bytes), WIDE, span);
                let from = binary(BinaryOp::Subtract, wide(pointer.clone()), base);
                cast(narrow, shift_right(from, u64::from(room.unit().trailing_zeros())))
            }
            (_, false) => match bytes / room.unit() {
                0 => pointer.clone(),
                n => {
                    let sum = binary(BinaryOp::Add, wide(pointer.clone()), number(n, WIDE, span));
                    cast(narrow, sum)
                }
            },
        };
        index(named(&room.name, span), slot)
    }

    /// So many bytes of memory as one number.
    pub(super) fn gathered(&self, room: &Room, pointer: &Expr, offset: u64, size: u64) -> Expr {
        let span = pointer.span;
        let ty = unsigned((size * 8) as u8);
        let mut value: Option<Expr> = None;
        for at in (0..size).step_by(room.unit() as usize) {
            let part = cast(ty, self.slot_at(room, pointer, offset + at));
            let part = shift_left(part, at * 8);
            value = Some(match value {
                None => part,
                Some(rest) => binary(BinaryOp::BitOr, rest, part),
            });
        }
        cast(ty, value.unwrap_or_else(|| number(0, ty, span)))
    }

    /// What each slot takes when this number is written.
    pub(super) fn scattered(
        &self,
        room: &Room,
        pointer: &Expr,
        (offset, size): (u64, u64),
        value: &Expr,
        into: &mut Vec<(Expr, Expr)>,
    ) {
        let cell = unsigned((room.unit() * 8) as u8);
        for at in (0..size).step_by(room.unit() as usize) {
            let part = cast(cell, shift_right(value.clone(), at * 8));
            into.push((self.slot_at(room, pointer, offset + at), part));
        }
    }

    /// Conditions for so many bytes to be read or written. `pointer` has no effects.
    pub(super) fn reachable(
        &mut self,
        room: &Room,
        pointer: &Expr,
        spot: &Spot,
        (size, alignment): (u64, u64),
        used: Use,
    ) -> Vec<(Expr, Fault<Expr>)> {
        if spot.trusted {
            return Vec::new();
        }
        let (ty, span, what) = (room.pointer(), pointer.span, &spot.what);
        let mut conditions = self.some_value(room, pointer, what);
        let per = if room.numeric { 1 } else { room.unit() };
        let (before, length) = (spot.offset / per, size / per);
        let mut parts = Vec::new();
        for object in &room.objects {
            let first = room.code(u64::from(object.first)).saturating_sub(before);
            let end = room.code(u64::from(object.first + object.slots));
            if let Some(last) = end.checked_sub(before + length)
                && last >= first
            {
                parts.push(super::build::between(pointer, first.max(1), last, ty));
            }
        }
        let holds = super::build::any(parts).unwrap_or_else(|| super::build::zero(span));
        let fault = Fault::new(FaultKind::Outside, what).of(pointer.clone(), room.number);
        let fault = Fault { stride: length, offset: before, ..fault };
        conditions.push((holds, fault.clone()));
        conditions
            .extend(self.long_enough(room, pointer, (before, length)).map(|holds| (holds, fault)));
        let least = if room.numeric { alignment.max(room.unit()) } else { alignment };
        if least / per > 1 {
            let mask = least / per - 1;
            let rest = binary(BinaryOp::BitAnd, wide(pointer.clone()), number(mask, WIDE, span));
            let wanted = number(before.wrapping_neg() & mask, WIDE, span);
            let holds = binary(BinaryOp::Equal, rest, wanted);
            conditions.push((holds, Fault::new(FaultKind::Misaligned, what)));
        }
        conditions.extend(self.there(room, pointer, what, used));
        conditions
    }

    /// The bytes of a value at a spot, and its alignment.
    fn extent(&mut self, room: &Room, spot: &Spot, ty: &Type, span: Span) -> Lowered<(u64, u64)> {
        let size = match (spot.bits, ty) {
            (Some(bits), _) => Some(bits.unit),
            (None, Type::Scalar(_) | Type::Pointer(..)) => self.bytes(ty),
            _ => None,
        };
        match size {
            Some(size @ (1 | 2 | 4 | 8))
                if size % room.unit() == 0 && spot.offset.is_multiple_of(room.unit()) =>
            {
                Ok((size, size))
            }
            _ => refuse(span, "memory that is used as values of two types"),
        }
    }

    /// A number of bytes as a value of this type.
    fn value_of(&mut self, bits: Option<Bits>, raw: Expr, ty: &Type) -> Expr {
        let span = raw.span;
        match ty {
            Type::Scalar(TypeName::Bool) if bits.is_none() => {
                binary(BinaryOp::NotEqual, raw, number(0, unsigned(8), span))
            }
            Type::Scalar(TypeName::Floating { width }) => {
                cast(TypeName::Pattern { width: *width, floating: true }, raw)
            }
            Type::Scalar(name) => {
                let first = bits.map_or(0, |bits| bits.first);
                cast(*name, shift_right(raw, first))
            }
            Type::Pointer(_, region) => {
                let Some(room) = self.room(*region).cloned() else { return raw };
                if room.numeric {
                    return raw;
                }
                // Pointers are numbers of slots, which are few.
                let k = self.held();
                let most = number(room.invalid(), WIDE, span);
                let few = binary(BinaryOp::LessEqual, held(k, span), most);
                let ty = room.pointer();
                let value = cast(ty, held(k, span));
                let chosen = conditional(few, value, number(room.invalid(), ty, span));
                checked(vec![(k, raw)], Vec::new(), cast(ty, chosen), span)
            }
            _ => raw,
        }
    }

    /// Reads a value.
    pub(super) fn load(&mut self, spot: &Spot, ty: &Type, span: Span) -> Lowered<Expr> {
        let Some(room) = self.flat_room(spot.region) else { return Ok(spot.pointer.clone()) };
        let extent = self.extent(&room, spot, ty, span)?;
        let k = self.held();
        let pointer = if spot.trusted { spot.pointer.clone() } else { held(k, span) };
        let conditions = self.reachable(&room, &pointer, spot, extent, Use::Read);
        let raw = self.gathered(&room, &pointer, spot.offset, extent.0);
        let value = self.value_of(spot.bits, raw, ty);
        let list = if spot.trusted { Vec::new() } else { vec![(k, spot.pointer.clone())] };
        Ok(checked(list, conditions, value, span))
    }

    /// Writes a value that is made of what stands there and of an operand.
    pub(super) fn change(
        &mut self,
        spot: &Spot,
        ty: &Type,
        operand: Expr,
        make: impl FnOnce(&mut Self, Expr, Expr) -> Expr,
        given: Given,
        span: Span,
    ) -> Lowered<Expr> {
        let Some(room) = self.flat_room(spot.region) else { return Ok(operand) };
        let extent = self.extent(&room, spot, ty, span)?;
        let (k, o) = (self.held(), self.held());
        let mut list = Vec::new();
        let pointer = match spot.trusted {
            true => spot.pointer.clone(),
            false => {
                list.push((k, spot.pointer.clone()));
                held(k, span)
            }
        };
        list.push((o, operand));
        let conditions = self.reachable(&room, &pointer, spot, extent, Use::Write);
        let raw = self.gathered(&room, &pointer, spot.offset, extent.0);
        let old = self.value_of(spot.bits, raw.clone(), ty);
        let written = self.written_type(ty);
        let new = cast(written, make(self, old.clone(), held(o, span)));
        let mut stores = Vec::new();
        self.pieces(&room, &pointer, spot, extent.0, ty, &new, &mut stores);
        let value = match given {
            Given::Nothing => number(0, INT, span),
            Given::Old => old,
            Given::New => new,
        };
        Ok(storing(list, conditions, stores, value, span))
    }

    /// What the slots take when this value is written.
    #[allow(clippy::too_many_arguments)]
    fn pieces(
        &mut self,
        room: &Room,
        pointer: &Expr,
        spot: &Spot,
        size: u64,
        ty: &Type,
        value: &Expr,
        into: &mut Vec<(Expr, Expr)>,
    ) {
        let whole = unsigned((size * 8) as u8);
        let span = value.span;
        let raw = match (spot.bits, ty) {
            (None, Type::Scalar(TypeName::Floating { width })) => {
                let pattern = TypeName::Pattern { width: *width, floating: false };
                cast(whole, cast(pattern, value.clone()))
            }
            (None, _) => cast(whole, value.clone()),
            (Some(bits), _) => {
                let mask = ((1u128 << bits.width) - 1) as u64;
                let kept = !(mask << bits.first) & (((1u128 << (size * 8)) - 1) as u64);
                let old = self.gathered(room, pointer, spot.offset, size);
                let old = binary(BinaryOp::BitAnd, old, number(kept, whole, span));
                let low = cast(whole, cast(unsigned(bits.width as u8), value.clone()));
                cast(whole, binary(BinaryOp::BitOr, old, shift_left(low, bits.first)))
            }
        };
        self.scattered(room, pointer, (spot.offset, size), &raw, into);
    }

    /// Writes a value.
    pub(super) fn store(
        &mut self,
        spot: &Spot,
        ty: &Type,
        value: Expr,
        given: Given,
        span: Span,
    ) -> Lowered<Expr> {
        self.change(spot, ty, value, |_, _, new| new, given, span)
    }

    /// The places that take a value in memory of a variable, with their values.
    pub(super) fn initial_pieces(
        &mut self,
        spot: &Spot,
        ty: &Type,
        value: &Expr,
        into: &mut Vec<(Expr, Expr)>,
    ) -> Lowered<()> {
        let Some(room) = self.flat_room(spot.region) else { return Ok(()) };
        let (size, _) = self.extent(&room, spot, ty, value.span)?;
        let written = self.written_type(ty);
        let value = cast(written, value.clone());
        self.pieces(&room, &spot.pointer.clone(), spot, size, ty, &value, into);
        Ok(())
    }

    /// The scalars of a struct: as a place of the new tree, and where they stand.
    fn parts(
        &mut self,
        id: StructId,
        at: (&Expr, u64),
        into: &mut Vec<(Expr, u64, Option<Bits>, Type)>,
        span: Span,
    ) -> Lowered<()> {
        let Some(layout) = self.layout_of(id) else {
            return refuse(span, "a struct whose size is not known");
        };
        for member in layout.members {
            let kind = ExprKind::Member(Box::new(at.0.clone()), name(&member.written, span));
            let e = expr(kind, span);
            self.part(&member.ty, (e, at.1 + member.offset, member.bits), into, span)?;
        }
        Ok(())
    }

    fn part(
        &mut self,
        ty: &Type,
        (e, offset, bits): (Expr, u64, Option<Bits>),
        into: &mut Vec<(Expr, u64, Option<Bits>, Type)>,
        span: Span,
    ) -> Lowered<()> {
        if into.len() > MOST_PARTS {
            return refuse(span, "a copy of a struct this large");
        }
        match ty {
            Type::Array(inner, count) => {
                let each = self.bytes(inner).unwrap_or(1);
                for k in 0..*count {
                    let at = number(u64::from(k), unsigned(16), span);
                    let element = index(e.clone(), at);
                    self.part(inner, (element, offset + u64::from(k) * each, None), into, span)?;
                }
                Ok(())
            }
            Type::Struct(id) => self.parts(*id, (&e, offset), into, span),
            _ => {
                into.push((e, offset, bits, ty.clone()));
                Ok(())
            }
        }
    }

    /// `to = from` for structs, if one of them stands in memory of bytes.
    pub(super) fn copy(
        &mut self,
        to: &Place,
        from: &Place,
        id: StructId,
        span: Span,
    ) -> Lowered<Expr> {
        let Some(layout) = self.layout_of(id) else {
            return refuse(span, "a struct whose size is not known");
        };
        let extent = (layout.bytes, layout.alignment);
        let (mut list, mut conditions, mut stores) = (Vec::new(), Vec::new(), Vec::new());
        let mut ends = Vec::new();
        for (place, used) in [(to, Use::Write), (from, Use::Read)] {
            let Some(spot) = &place.spot else {
                if has_effects(&place.e) {
                    return refuse(span, "a copy of a struct with effects");
                }
                ends.push(None);
                continue;
            };
            let Some(room) = self.flat_room(spot.region) else {
                return refuse(span, "a copy of this struct");
            };
            let k = self.held();
            let pointer = if spot.trusted { spot.pointer.clone() } else { held(k, span) };
            if !spot.trusted {
                list.push((k, spot.pointer.clone()));
            }
            conditions.extend(self.reachable(&room, &pointer, spot, extent, used));
            ends.push(Some((room, pointer, spot.clone())));
        }
        let (source, target) = (ends.pop().flatten(), ends.pop().flatten());
        match (&target, &source) {
            (Some((a, p, one)), Some((b, q, other))) => {
                let step = a.unit().max(b.unit());
                if extent.0 % step != 0 || one.offset % step != 0 || other.offset % step != 0 {
                    return refuse(span, "a copy of this struct");
                }
                for at in (0..extent.0).step_by(step as usize) {
                    let value = self.gathered(b, q, other.offset + at, step);
                    self.scattered(a, p, (one.offset + at, step), &value, &mut stores);
                }
            }
            _ => {
                let mut parts = Vec::new();
                let typed = if target.is_none() { &to.e } else { &from.e };
                self.parts(id, (typed, 0), &mut parts, span)?;
                for (e, offset, bits, ty) in parts {
                    let Some((room, pointer, spot)) = target.as_ref().or(source.as_ref()) else {
                        continue;
                    };
                    let spot = Spot { offset: spot.offset + offset, bits, ..spot.clone() };
                    let (size, _) = self.extent(room, &spot, &ty, span)?;
                    if target.is_some() {
                        let (room, pointer) = (room.clone(), pointer.clone());
                        self.pieces(&room, &pointer, &spot, size, &ty, &e, &mut stores);
                    } else {
                        let raw = self.gathered(room, pointer, spot.offset, size);
                        let value = self.value_of(bits, raw, &ty);
                        stores.push((e, value));
                    }
                }
            }
        }
        if stores.len() > 4 * MOST_PARTS {
            return refuse(span, "a copy of a struct this large");
        }
        Ok(storing(list, conditions, stores, number(0, INT, span), span))
    }
}
