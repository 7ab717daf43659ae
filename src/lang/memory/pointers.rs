//! What is done with pointers: to follow them, to compare them, to walk with them.

use super::build::{
    all, any, between, binary, cast, checked, conditional, counting, held, index, named, not,
    number, wide, zero,
};
use super::layout::{Placed, Room};
use super::lowerer::{Lowered, Lowerer, refuse};
use super::regions::RegionId;
use super::types::{Type, WIDE};
use crate::lang::fault::{Fault, FaultKind};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, TypeName};

/// What a pointer is followed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
}

/// The pointers into objects that stand side by side, as ranges.
fn ranges(room: &Room, objects: impl Iterator<Item = Placed>) -> Vec<(u64, u64)> {
    let mut found: Vec<(u64, u64)> = Vec::new();
    for object in objects.filter(|object| object.slots > 0) {
        let first = room.code(u64::from(object.first));
        let last = room.code(u64::from(object.first + object.slots)) - 1;
        match found.last_mut() {
            Some(range) if range.1 + 1 == first => range.1 = last,
            _ => found.push((first, last)),
        }
    }
    found
}

/// Is the slot inside one of these ranges? `None` if it is so for every slot of the room.
fn inside(e: &Expr, ranges: &[(u64, u64)], room: &Room, ty: TypeName) -> Option<Expr> {
    if ranges == [(1, u64::from(room.slots))] {
        return None;
    }
    let parts = ranges.iter().map(|(low, high)| between(e, *low, *high, ty)).collect();
    Some(any(parts).unwrap_or_else(|| zero(e.span)))
}

impl Lowerer<'_> {
    /// Conditions for a slot of this region to be read or written. `slot` has no effects.
    fn usable(
        &mut self,
        region: RegionId,
        slot: &Expr,
        what: &str,
        used: Use,
    ) -> Vec<(Expr, Fault<Expr>)> {
        let Some(room) = self.room(region).cloned() else { return Vec::new() };
        let ty = room.pointer();
        let mut conditions = self.some_value(&room, slot, what);
        let outside = Fault::new(FaultKind::Outside, what).of(slot.clone(), room.number);
        if let Some(holds) = inside(slot, &ranges(&room, room.objects.iter().copied()), &room, ty) {
            conditions.push((holds, outside.clone()));
        }
        conditions.extend(self.long_enough(&room, slot, (0, 1)).map(|holds| (holds, outside)));
        conditions.extend(self.there(&room, slot, what, used));
        conditions
    }

    /// Objects whose length is not constant are long enough for so many units, which begin so many
    /// behind the pointer.
    pub(super) fn long_enough(
        &self,
        room: &Room,
        pointer: &Expr,
        (before, units): (u64, u64),
    ) -> Option<Expr> {
        let (span, ty) = (pointer.span, room.pointer());
        let lengths = room.objects.iter().filter_map(|object| {
            let length = object.length?;
            let first = room.code(u64::from(object.first)).saturating_sub(before).max(1);
            // Objects may stand side by side: behind the last slot begins another one.
            let end = room.code(u64::from(object.first + object.slots)).saturating_sub(before);
            let last = end.saturating_sub(1);
            let elsewhere = not(between(pointer, first, last.max(first), ty));
            let end = number(before + units, WIDE, span);
            let end = binary(BinaryOp::Add, wide(pointer.clone()), end);
            let holds = binary(BinaryOp::LessEqual, end, self.end_of(room, object, length, span));
            Some(binary(BinaryOp::LogicalOr, elsewhere, holds))
        });
        all(lengths.collect())
    }

    /// The pointer behind an object whose length is not constant.
    fn end_of(&self, room: &Room, object: &Placed, length: u32, span: Span) -> Expr {
        let at = number(u64::from(length), super::types::unsigned(16), span);
        let length = wide(index(named(&room.lengths_name(), span), at));
        let length = match room.numeric {
            true => binary(BinaryOp::Multiply, length, number(room.unit(), WIDE, span)),
            false => length,
        };
        let first = number(room.code(u64::from(object.first)), WIDE, span);
        binary(BinaryOp::Add, first, length)
    }

    /// The pointer is not null and has a value.
    pub(super) fn some_value(
        &self,
        room: &Room,
        slot: &Expr,
        what: &str,
    ) -> Vec<(Expr, Fault<Expr>)> {
        let (ty, span) = (room.pointer(), slot.span);
        let ne = |n: u64| binary(BinaryOp::NotEqual, slot.clone(), number(n, ty, span));
        let mut conditions = vec![(ne(0), Fault::new(FaultKind::Null, what))];
        if !room.numeric {
            conditions.push((ne(room.invalid()), Fault::new(FaultKind::NoValue, what)));
        }
        conditions
    }

    /// The object exists, and may be written if it is.
    pub(super) fn there(
        &mut self,
        room: &Room,
        slot: &Expr,
        what: &str,
        used: Use,
    ) -> Vec<(Expr, Fault<Expr>)> {
        let ty = room.pointer();
        let mut conditions = Vec::new();
        let alive: Vec<Expr> = room
            .objects
            .iter()
            .filter_map(|object| {
                let flag = object.flag?;
                Some(self.alive_or_elsewhere(room, slot, object, flag))
            })
            .collect();
        if let Some(holds) = all(alive) {
            let heap = room.objects.iter().any(|o| o.heap);
            let local = room.objects.iter().any(|o| o.flag.is_some() && !o.heap);
            let why = match (heap, local) {
                (true, false) => FaultKind::Freed,
                (false, _) => FaultKind::Gone,
                (true, true) => FaultKind::FreedOrGone,
            };
            conditions.push((holds, Fault::new(why, what)));
        }
        if used == Use::Write {
            let constant: Vec<Expr> =
                ranges(room, room.objects.iter().copied().filter(|o| o.constant))
                    .into_iter()
                    .map(|(low, high)| not(between(slot, low, high, ty)))
                    .collect();
            if let Some(holds) = all(constant) {
                conditions.push((holds, Fault::new(FaultKind::Literal, what)));
            }
        }
        conditions
    }

    /// The slot is not in this object, or the object exists.
    fn alive_or_elsewhere(&self, room: &Room, slot: &Expr, object: &Placed, flag: u32) -> Expr {
        let last = u64::from(object.first + object.slots);
        let (low, high) = (room.code(u64::from(object.first)), room.code(last).saturating_sub(1));
        let elsewhere = match low > high {
            true => number(1, TypeName::Bool, slot.span),
            false => not(between(slot, low, high, room.pointer())),
        };
        binary(BinaryOp::LogicalOr, elsewhere, self.flag(room, flag, slot.span))
    }

    /// Does an object exist?
    pub(super) fn flag(&self, room: &Room, flag: u32, span: Span) -> Expr {
        let at = number(u64::from(flag), super::types::unsigned(16), span);
        index(named(&room.flags_name(), span), at)
    }

    /// The place that a pointer leads to. `pointer` may have effects.
    pub(super) fn follow(
        &mut self,
        pointer: Expr,
        region: RegionId,
        what: &str,
        used: Use,
        span: Span,
    ) -> Expr {
        let k = self.held();
        let conditions = self.usable(region, &held(k, pointer.span), what, used);
        let name = self.room(region).map_or(String::new(), |room| room.name.clone());
        let at = held(k, pointer.span);
        let slot = checked(vec![(k, pointer)], conditions, at.clone(), span);
        index(named(&name, span), self.led_to(slot, region, &at))
    }

    /// `pointer + steps`, in elements of the type `to`.
    pub(super) fn walked(
        &mut self,
        pointer: (Expr, RegionId),
        to: &Type,
        steps: Expr,
        back: bool,
        what: &str,
        span: Span,
    ) -> Expr {
        let (pointer, region) = pointer;
        self.regions.walk(region);
        let stride = self.stride(region, to);
        let (p, i) = (self.held(), self.held());
        let Some(room) = self.room(region).cloned() else { return pointer };
        let op = if back { BinaryOp::Subtract } else { BinaryOp::Add };
        let from = held(p, span);
        let steps_wide = match stride {
            1 => wide(held(i, span)),
            n => binary(BinaryOp::Multiply, wide(held(i, span)), number(n, WIDE, span)),
        };
        let sum = binary(op, wide(held(p, span)), steps_wide);
        let ty = room.pointer();
        let mut conditions = Vec::new();
        if !room.numeric {
            conditions.push((
                binary(BinaryOp::NotEqual, from.clone(), number(room.invalid(), ty, span)),
                Fault::new(FaultKind::NoValue, what),
            ));
        }
        // In C nothing may be added to a null pointer but 0.
        let is_null = binary(BinaryOp::Equal, from.clone(), number(0, ty, span));
        let none = binary(BinaryOp::Equal, wide(held(i, span)), number(0, WIDE, span));
        let mut parts = vec![binary(BinaryOp::LogicalAnd, is_null, none)];
        for object in &room.objects {
            let (low, high) = (u64::from(object.first), u64::from(object.first + object.slots));
            let (low, high) = (room.code(low), room.code(high));
            let here = between(&from, low, high, ty);
            let mut there = between(&sum, low, high, WIDE);
            if let Some(length) = object.length {
                let end = self.end_of(&room, object, length, span);
                let before = binary(BinaryOp::LessEqual, sum.clone(), end);
                there = binary(BinaryOp::LogicalAnd, there, before);
            }
            parts.push(binary(BinaryOp::LogicalAnd, here, there));
        }
        if let Some(holds) = any(parts) {
            let fault =
                Fault::new(FaultKind::LeadsOutside, &self.text(span)).of(from.clone(), room.number);
            let fault = counting(Fault { stride, ..fault }, held(i, span), back);
            conditions.push((holds, fault));
        }
        let cuts = self.beyond(&room, &from, &sum, span);
        let mut made = checked(vec![(p, pointer), (i, steps)], conditions, cast(ty, sum), span);
        if let ExprKind::Checked(made) = &mut made.kind {
            made.cuts = cuts;
        }
        made
    }

    /// A pointer to `void` that moves: C does not say what that is. With GNU's compilers it is a
    /// number of bytes, and nothing must hold for it.
    pub(super) fn counted(&mut self, pointer: (Expr, RegionId), steps: Expr, back: bool) -> Expr {
        let (pointer, region) = pointer;
        self.regions.union(region, self.anything);
        self.numbers = true;
        let op = if back { BinaryOp::Subtract } else { BinaryOp::Add };
        let bits = self.pointer_bits();
        cast(super::types::unsigned(bits), binary(op, wide(pointer), wide(steps)))
    }

    /// Where a pointer walks to a part of an object that the model does not have.
    fn beyond(&self, room: &Room, from: &Expr, sum: &Expr, span: Span) -> Vec<Expr> {
        let mut cuts = Vec::new();
        for object in room.objects.iter().filter(|object| object.open) {
            let first = room.code(u64::from(object.first));
            let end = room.code(u64::from(object.first + object.slots));
            let here = between(from, first, end - 1, room.pointer());
            let there = binary(BinaryOp::LessEqual, number(end, WIDE, span), sum.clone());
            let mut cut = binary(BinaryOp::LogicalAnd, here, there);
            if let Some(length) = object.length {
                let more = self.end_of(room, object, length, span);
                let more = binary(BinaryOp::Less, sum.clone(), more);
                cut = binary(BinaryOp::LogicalAnd, cut, more);
            } else {
                let near = number(end + (1 << 31), WIDE, span);
                cut = binary(BinaryOp::LogicalAnd, cut, binary(BinaryOp::Less, sum.clone(), near));
            }
            cuts.push(cut);
        }
        cuts
    }

    /// By how much a pointer of this region grows with each element.
    pub(super) fn stride(&mut self, region: RegionId, to: &Type) -> u64 {
        let bytes = match to {
            Type::Void => Some(1),
            to => self.bytes(to),
        };
        match self.room(region) {
            Some(Room { cell: Some(_), numeric: true, .. }) => bytes.unwrap_or(1),
            Some(Room { cell: Some(cell), .. }) => bytes.unwrap_or(1) / cell,
            _ => 1,
        }
    }

    /// `one - other`, in elements.
    pub(super) fn distance(
        &mut self,
        one: (Expr, RegionId),
        other: (Expr, RegionId),
        to: &Type,
        span: Span,
    ) -> Expr {
        let stride = self.stride(one.1, to);
        let (a, b) = (self.held(), self.held());
        let conditions = self.in_one_object(one.1, &held(a, span), &held(b, span), span);
        let difference = binary(BinaryOp::Subtract, wide(held(a, span)), wide(held(b, span)));
        let mut difference = cast(self.size_type(true), difference);
        if stride > 1 {
            difference = match stride.is_power_of_two() {
                true => super::build::shift_right(difference, u64::from(stride.trailing_zeros())),
                false => {
                    binary(BinaryOp::Divide, difference, number(stride, self.size_type(true), span))
                }
            };
        }
        checked(vec![(a, one.0), (b, other.0)], conditions, difference, span)
    }

    /// `one < other` and its kin.
    pub(super) fn ordered(
        &mut self,
        op: BinaryOp,
        one: (Expr, RegionId),
        other: (Expr, RegionId),
        span: Span,
    ) -> Expr {
        let (a, b) = (self.held(), self.held());
        let conditions = self.in_one_object(one.1, &held(a, span), &held(b, span), span);
        let value = binary(op, held(a, span), held(b, span));
        checked(vec![(a, one.0), (b, other.0)], conditions, value, span)
    }

    fn in_one_object(
        &mut self,
        region: RegionId,
        one: &Expr,
        other: &Expr,
        span: Span,
    ) -> Vec<(Expr, Fault<Expr>)> {
        self.regions.walk(region);
        let Some(room) = self.room(region).cloned() else { return Vec::new() };
        let ty = room.pointer();
        let parts = room.objects.iter().map(|object| {
            let (low, high) = (u64::from(object.first), u64::from(object.first + object.slots));
            let (low, high) = (room.code(low), room.code(high));
            let (here, there) = (between(one, low, high, ty), between(other, low, high, ty));
            binary(BinaryOp::LogicalAnd, here, there)
        });
        let holds = any(parts.collect()).unwrap_or_else(|| zero(span));
        vec![(holds, Fault::new(FaultKind::Apart, &self.text(span)))]
    }

    /// Are two pointers equal?
    pub(super) fn equal(
        &mut self,
        op: BinaryOp,
        one: (Expr, RegionId),
        other: (Expr, RegionId),
        span: Span,
    ) -> Expr {
        let mut operands = Vec::new();
        let mut list = Vec::new();
        let mut conditions = Vec::new();
        let region = one.1;
        for (e, region) in [one, other] {
            if matches!(e.kind, ExprKind::Exactly(..)) {
                operands.push(e);
                continue;
            }
            let k = self.held();
            if let Some(holds) = self.has_value(region, k, e.span) {
                conditions.push(holds);
            }
            operands.push(held(k, e.span));
            list.push((k, e));
        }
        let right = operands.pop().unwrap_or_else(|| zero(span));
        let left = operands.pop().unwrap_or_else(|| zero(span));
        let room = self.room(region).filter(|room| room.numeric).cloned();
        if let Some(room) = room {
            // It is not known which numbers are addresses: a number that is none here may be the
            // address of an object.
            let [one, other] = [(&left, &right), (&right, &left)].map(|(number, object)| {
                let (first, last) = (room.code(0), room.code(u64::from(room.slots) + 1) - 1);
                let is_object = between(object, first, last, room.pointer());
                binary(BinaryOp::LogicalAnd, self.may_be_anywhere(&room, number), is_object)
            });
            let equal = binary(BinaryOp::Equal, left, right);
            let choice = super::build::expr(ExprKind::Choice, span);
            let open = binary(BinaryOp::LogicalOr, one, other);
            let may = binary(BinaryOp::LogicalAnd, open, choice);
            let equal = binary(BinaryOp::LogicalOr, equal, may);
            let value = if op == BinaryOp::Equal { equal } else { not(equal) };
            return checked(list, conditions, value, span);
        }
        let summary = self.room(region).and_then(|room| Some((room.summarized()?, room.pointer())));
        if let Some((summary, ty)) = summary {
            // Two pointers to the summary object may lead to one object or to two.
            let is =
                |e: &Expr| binary(BinaryOp::GreaterEqual, e.clone(), number(summary, ty, span));
            let both = binary(BinaryOp::LogicalAnd, is(&left), is(&right));
            let choice = super::build::expr(ExprKind::Choice, span);
            let value = conditional(both, choice, binary(op, left, right));
            return checked(list, conditions, value, span);
        }
        checked(list, conditions, binary(op, left, right), span)
    }

    /// Is this pointer a number that is the address of nothing in the model, but could be an
    /// address? (Addresses of 64 bits are below the middle.)
    fn may_be_anywhere(&self, room: &Room, pointer: &Expr) -> Expr {
        let ty = room.pointer();
        let last = room.code(u64::from(room.slots) + 1);
        let below = between(pointer, 1, room.code(0) - 1, ty);
        let most = if room.address == 64 { i64::MAX as u64 } else { (1 << room.address) - 1 };
        let above = between(pointer, last, most, ty);
        binary(BinaryOp::LogicalOr, below, above)
    }

    fn has_value(&mut self, region: RegionId, k: u32, span: Span) -> Option<(Expr, Fault<Expr>)> {
        let room = self.room(region).filter(|room| !room.numeric)?;
        let invalid = number(room.invalid(), room.pointer(), span);
        let what = self.text(span);
        let holds = binary(BinaryOp::NotEqual, held(k, span), invalid);
        Some((holds, Fault::new(FaultKind::NoValue, &what)))
    }

    /// Is a pointer not null?
    pub(super) fn truth(&mut self, e: Expr, region: RegionId) -> Expr {
        let (k, span) = (self.held(), e.span);
        let ty = self.room(region).map_or(WIDE, Room::pointer);
        let conditions = self.has_value(region, k, span).into_iter().collect();
        let value = binary(BinaryOp::NotEqual, held(k, span), number(0, ty, span));
        checked(vec![(k, e)], conditions, value, span)
    }

    /// The pointer to the first slot of a variable's object.
    pub(super) fn first_slot(&mut self, key: u32, region: RegionId, span: Span) -> Expr {
        if let Some(place) = self.frame(key) {
            return named(&place, span);
        }
        let first = self.placed(key).map_or(0, |placed| u64::from(placed.first));
        let Some(room) = self.room(region) else { return number(first, WIDE, span) };
        number(room.code(first), room.pointer(), span)
    }

    /// A pointer type's target and region.
    pub(super) fn target(&self, ty: &Type, span: Span) -> Lowered<(Type, RegionId)> {
        match ty {
            Type::Pointer(to, _) if matches!(**to, Type::Void) => {
                refuse(span, "a pointer to `void` that is followed")
            }
            Type::Pointer(to, region) => Ok(((**to).clone(), *region)),
            Type::Null => refuse(span, "a null pointer that is followed"),
            _ => refuse(span, "a value that is used as a pointer"),
        }
    }
}
