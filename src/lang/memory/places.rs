//! Places: variables, members, elements, and what pointers lead to.

use super::build::{
    any, between, binary, cast, checked, counting, expr, held, index, named, number, wide,
};
use super::flat::Spot;
use super::layout::Room;
use super::lowerer::{Lowered, Lowerer, Variable, refuse};
use super::pointers::Use;
use super::regions::RegionId;
use super::types::{Type, WIDE};
use crate::lang::fault::{Fault, FaultKind};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, StructId};

/// A place in the new tree.
pub(super) struct Place {
    pub(super) e: Expr,
    pub(super) ty: Type,
    /// The slot of the place, if it is a whole slot or an array of slots. The array's own
    /// expression is not used then.
    pub(super) slot: Option<(Expr, RegionId)>,
    /// The region in which the place stands, if a pointer can point to it.
    pub(super) region: Option<RegionId>,
    /// The variable of which it is a part.
    pub(super) variable: Option<String>,
    /// Where it stands in memory of bytes. The expression is not used then.
    pub(super) spot: Option<Spot>,
}

impl Place {
    /// A place that no pointer reaches.
    pub(super) fn new(e: Expr, ty: Type) -> Place {
        Place { e, ty, slot: None, region: None, variable: None, spot: None }
    }
}

impl Lowerer<'_> {
    /// A place that is read or written.
    pub(super) fn place(&mut self, e: &Expr, used: Use) -> Lowered<Place> {
        match &e.kind {
            ExprKind::Name(name) => self.named_place(name, e.span),
            ExprKind::Member(base, member) => {
                let base = match &base.kind {
                    ExprKind::Indirect(_)
                    | ExprKind::Name(_)
                    | ExprKind::Member(..)
                    | ExprKind::Index(..) => self.place(base, used)?,
                    _ => return refuse(e.span, "a member of a struct that is no variable"),
                };
                let Type::Struct(id) = base.ty else {
                    return refuse(e.span, "a value that is used as a struct");
                };
                self.member_of(base, id, &member.text, e.span)
            }
            ExprKind::Indirect(pointer) => {
                let (value, ty) = self.value(pointer)?;
                if let Type::Null = ty {
                    return self.nowhere(e.span);
                }
                let (to, region) = self.target(&ty, e.span)?;
                let what = self.text(pointer.span);
                self.led(value, region, to, &what, used, e.span)
            }
            ExprKind::Index(base, at) => self.element(base, at, e.span, used),
            _ => refuse(e.span, "this expression as a place"),
        }
    }

    /// A member, by its name, of a struct at a place.
    fn member_of(&mut self, base: Place, id: StructId, text: &str, span: Span) -> Lowered<Place> {
        let path = self.path_to(id, text, span)?;
        let ty = path.last().map_or(Type::Void, |(_, ty)| ty.clone());
        let mut spot = base.spot;
        if let Some(spot) = &mut spot {
            let Some(member) = self.member_place(id, text, 0) else {
                return refuse(span, "a struct whose size is not known");
            };
            let is_last = self.is_last(id, &member);
            spot.shared |= self.file.structs.get(id.0 as usize).is_some_and(|s| s.is_union);
            spot.last &= is_last;
            spot.offset += member.offset;
            spot.bits = member.bits;
        }
        let mut e = base.e;
        for (name, _) in path {
            let name = super::build::name(&name, span);
            e = expr(ExprKind::Member(Box::new(e), name), span);
        }
        let (region, variable) = (base.region, base.variable);
        Ok(Place { e, ty, slot: None, region, variable, spot })
    }

    /// What a pointer leads to.
    fn led(
        &mut self,
        pointer: Expr,
        region: RegionId,
        to: Type,
        what: &str,
        used: Use,
        span: Span,
    ) -> Lowered<Place> {
        if matches!(to, Type::Array(..)) {
            self.regions.flatten(region);
        }
        let spot = self.spot(&pointer, region, what);
        let e = match spot {
            Some(_) => pointer,
            None => self.follow(pointer, region, what, used, span),
        };
        Ok(Place { e, ty: to, slot: None, region: Some(region), variable: None, spot })
    }

    /// What the null pointer leads to: a run that gets there fails.
    fn nowhere(&mut self, span: Span) -> Lowered<Place> {
        refuse(span, "a null pointer that is followed")
    }

    fn named_place(&mut self, name: &str, span: Span) -> Lowered<Place> {
        let Some(variable) = self.find(name).cloned() else {
            return refuse(span, format!("`{name}` as a place"));
        };
        if variable.closed {
            return refuse(span, "this use of the command line's arguments");
        }
        Ok(self.variable_place(name, &variable, span))
    }

    pub(super) fn variable_place(&mut self, name: &str, variable: &Variable, span: Span) -> Place {
        let ty = variable.ty.clone();
        let (region, root) = (Some(variable.region), Some(name.to_string()));
        if self.placed(variable.key).is_none() {
            return Place { region, variable: root, ..Place::new(named(name, span), ty) };
        }
        let slot = self.first_slot(variable.key, variable.region, span);
        if let Some(spot) = self.spot(&slot, variable.region, name) {
            let spot = Some(Spot { trusted: true, ..spot });
            return Place { region, variable: root, spot, ..Place::new(slot, ty) };
        }
        let room = self.room(variable.region).map_or(String::new(), |room| room.name.clone());
        let e = index(named(&room, span), slot.clone());
        let slot = Some((slot, variable.region));
        Place { e, ty, slot, region, variable: root, spot: None }
    }

    /// `base[at]`
    fn element(&mut self, base: &Expr, at: &Expr, span: Span, used: Use) -> Lowered<Place> {
        if let Some(array) = self.array(base, used)? {
            let Type::Array(inner, count) = array.ty else {
                return refuse(span, "a value that is used as an array");
            };
            let (steps, ty) = self.value(at)?;
            if !matches!(ty, Type::Scalar(_)) {
                return refuse(at.span, "this index");
            }
            let (at_region, variable) = (array.region, array.variable);
            if let Some(spot) = array.spot {
                let spot = Some(self.indexed(spot, &inner, count, steps, base, span)?);
                let e = super::build::zero(span);
                return Ok(Place { e, ty: *inner, slot: None, region: at_region, variable, spot });
            }
            let Some((slot, region)) = array.slot else {
                let kind = ExprKind::Index(Box::new(array.e), Box::new(steps));
                let e = expr(kind, span);
                let (ty, region) = (*inner, at_region);
                return Ok(Place { e, ty, slot: None, region, variable, spot: None });
            };
            let name = self.text(base.span);
            let slot = self.stepped(slot, region, steps, (inner.elements(), count), &name, span);
            let room = self.room(region).map_or(String::new(), |room| room.name.clone());
            let e = index(named(&room, span), slot.clone());
            let slot = Some((slot, region));
            return Ok(Place { e, ty: *inner, slot, region: at_region, variable, spot: None });
        }
        let (pointer, ty) = self.value(base)?;
        let (to, region) = self.target(&ty, span)?;
        let (steps, ty) = self.value(at)?;
        if !matches!(ty, Type::Scalar(_)) {
            return refuse(at.span, "this index");
        }
        let what = self.text(span);
        if self.constant(at) == Some(0) {
            let what = self.text(base.span);
            return self.led(pointer, region, to, &what, used, span);
        }
        let pointer = self.not_null(pointer, region, base.span);
        let sum = self.walked((pointer, region), &to, steps, false, &what, span);
        self.led(sum, region, to, &what, used, span)
    }

    /// An element of an array in memory of bytes.
    fn indexed(
        &mut self,
        spot: Spot,
        inner: &Type,
        count: u32,
        steps: Expr,
        base: &Expr,
        span: Span,
    ) -> Lowered<Spot> {
        let Some(each) = self.bytes(inner) else {
            return refuse(span, "an object whose size is not known");
        };
        if let ExprKind::Number(n, _) = steps.kind
            && n < u64::from(count).max(1)
        {
            return Ok(Spot { offset: spot.offset + n * each, last: false, ..spot });
        }
        let Some(room) = self.flat_room(spot.region) else { return Ok(spot) };
        let per = if room.numeric { 1 } else { room.unit() };
        if each % per != 0 {
            return refuse(span, "memory that is used as values of two types");
        }
        let (p, k) = (self.held(), self.held());
        let at = wide(held(k, span));
        let mut conditions = Vec::new();
        // An array at the end of an object that was asked for may be longer than it says.
        if !spot.shared && (spot.trusted || !spot.last) {
            let limit = number(u64::from(count), WIDE, span);
            let holds = binary(BinaryOp::Less, at.clone(), limit);
            let name = self.text(base.span);
            let fault = Fault::new(FaultKind::Elements(count), &name);
            conditions.push((holds, counting(fault, held(k, span), false)));
        }
        let scaled = binary(BinaryOp::Multiply, at, number(each / per, WIDE, span));
        let sum = binary(BinaryOp::Add, wide(held(p, span)), scaled);
        if conditions.is_empty() {
            let before = spot.offset / per;
            let parts = room.objects.iter().map(|object| {
                let first = room.code(u64::from(object.first));
                let end = room.code(u64::from(object.first + object.slots));
                let here = between(&held(p, span), first, end.max(first), room.pointer());
                let (first, end) = (first.saturating_sub(before), end.saturating_sub(before));
                let there = between(&sum, first, end.max(first), WIDE);
                binary(BinaryOp::LogicalAnd, here, there)
            });
            let holds = any(parts.collect()).unwrap_or_else(|| super::build::zero(span));
            let fault =
                Fault::new(FaultKind::Outside, &self.text(span)).of(held(p, span), room.number);
            let fault = Fault { stride: each / per, offset: spot.offset / per, ..fault };
            conditions.push((holds, counting(fault, held(k, span), false)));
        }
        let sum = cast(room.pointer(), sum);
        let pointer = checked(vec![(p, spot.pointer), (k, steps)], conditions, sum, span);
        Ok(Spot { pointer, trusted: false, last: false, ..spot })
    }

    /// The place of an array that is indexed without a pointer; `None` if it is no array.
    fn array(&mut self, base: &Expr, used: Use) -> Lowered<Option<Place>> {
        let is_place = matches!(
            base.kind,
            ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Indirect(_)
        );
        if !is_place {
            return Ok(None);
        }
        if let ExprKind::Name(name) = &base.kind
            && self.find(name).is_some_and(|variable| variable.varies)
        {
            return Ok(None);
        }
        match self.static_type(base) {
            Some(Type::Array(..)) => self.place(base, used).map(Some),
            _ => Ok(None),
        }
    }

    /// The type of a place, without effects on what is known.
    pub(super) fn static_type(&mut self, e: &Expr) -> Option<Type> {
        match &e.kind {
            ExprKind::Name(name) => self.find(name).map(|v| v.ty.clone()),
            ExprKind::Member(base, member) => match self.static_type(base)? {
                Type::Struct(id) => self.member(id, &member.text, e.span).ok(),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) => {
                let points = |ty: &Type| matches!(ty, Type::Pointer(..) | Type::Array(..));
                let one = self.static_type(left).filter(points);
                let other = self.static_type(right).filter(points);
                // The difference of two pointers is a number.
                match (one, other) {
                    (Some(_), Some(_)) => None,
                    (one, other) => one.or(other),
                }
            }
            ExprKind::Step { place, .. } => self.static_type(place),
            ExprKind::Index(base, _) | ExprKind::Indirect(base) => match self.static_type(base)? {
                Type::Array(inner, _) | Type::Pointer(inner, _) => Some(*inner),
                _ => None,
            },
            _ => None,
        }
    }

    fn not_null(&mut self, pointer: Expr, region: RegionId, span: Span) -> Expr {
        let k = self.held();
        let ty = self.room(region).map_or(WIDE, Room::pointer);
        let holds = binary(BinaryOp::NotEqual, held(k, span), number(0, ty, span));
        let what = self.text(span);
        let condition = (holds, Fault::new(FaultKind::Null, &what));
        checked(vec![(k, pointer)], vec![condition], held(k, span), span)
    }

    /// The slot of an element of an array; the index is checked.
    fn stepped(
        &mut self,
        first: Expr,
        region: RegionId,
        steps: Expr,
        (stride, count): (u32, u32),
        name: &str,
        span: Span,
    ) -> Expr {
        let k = self.held();
        let Some(ty) = self.room(region).map(Room::pointer) else { return first };
        if let (ExprKind::Exactly(first, _), ExprKind::Number(n, _)) = (&first.kind, &steps.kind)
            && *n < u64::from(count)
        {
            return number(first + n * u64::from(stride), ty, span);
        }
        let at = wide(held(k, span));
        let limit = number(u64::from(count), WIDE, span);
        let holds = binary(BinaryOp::Less, at.clone(), limit);
        let fault = Fault::new(FaultKind::Elements(count), name);
        let fault = counting(fault, held(k, span), false);
        let scaled = match stride {
            1 => at,
            n => binary(BinaryOp::Multiply, at, number(u64::from(n), WIDE, span)),
        };
        let sum = cast(ty, binary(BinaryOp::Add, wide(first), scaled));
        checked(vec![(k, steps)], vec![(holds, fault)], sum, span)
    }

    /// `&e`, or the first element of an array: a pointer, with what it points to.
    pub(super) fn address(&mut self, e: &Expr) -> Lowered<(Expr, Type)> {
        match &e.kind {
            ExprKind::Indirect(pointer) => self.value(pointer),
            ExprKind::Name(name) => {
                let Some(variable) = self.find(name).cloned() else {
                    return self.procedure(name, e.span);
                };
                self.address_variable(name, &variable)?;
                if matches!(variable.ty, Type::Array(..)) {
                    self.regions.flatten(variable.region);
                }
                let slot = self.first_slot(variable.key, variable.region, e.span);
                Ok((slot, Type::Pointer(Box::new(variable.ty), variable.region)))
            }
            ExprKind::Index(base, at) if !self.is_inside(base) => {
                let (pointer, ty) = self.value(base)?;
                let Type::Pointer(to, region) = &ty else {
                    return refuse(e.span, "a value that is used as an array");
                };
                if self.constant(at) == Some(0) {
                    return Ok((pointer, ty));
                }
                let (steps, _) = self.value(at)?;
                let what = self.text(e.span);
                let sum = self.walked((pointer, *region), to, steps, false, &what, e.span);
                Ok((sum, ty))
            }
            ExprKind::Index(..) | ExprKind::Member(..) => {
                let place = self.place(e, Use::Read)?;
                let ty = place.ty.clone();
                self.part_address(place, ty, e.span)
            }
            _ => refuse(e.span, "the address of a value"),
        }
    }

    /// Is it an array inside a struct, or inside another array?
    fn is_inside(&mut self, base: &Expr) -> bool {
        let is_name = matches!(base.kind, ExprKind::Name(_));
        !is_name && matches!(self.static_type(base), Some(Type::Array(..)))
    }

    /// The address of a part of an object, as a pointer to this type. The object becomes bytes.
    fn part_address(&mut self, place: Place, ty: Type, span: Span) -> Lowered<(Expr, Type)> {
        let Some(region) = place.region else {
            return refuse(span, "the address of a value");
        };
        if let Some(name) = &place.variable
            && let Some(variable) = self.find(name).cloned()
        {
            self.address_variable(name, &variable)?;
        }
        self.regions.flatten(region);
        self.regions.walk(region);
        self.regions.hold(region, ty.element());
        let pointer = Type::Pointer(Box::new(ty), region);
        let Some(spot) = place.spot else { return Ok((place.e, pointer)) };
        if spot.bits.is_some() {
            return refuse(span, "the address of a bit-field");
        }
        let Some(room) = self.flat_room(region) else { return Ok((spot.pointer, pointer)) };
        let per = if room.numeric { 1 } else { room.unit() };
        if spot.offset % per != 0 {
            return refuse(span, "memory that is used as values of two types");
        }
        let e = match (&spot.pointer.kind, spot.offset / per) {
            (_, 0) => spot.pointer,
            (ExprKind::Exactly(n, _), more) => number(n + more, room.pointer(), span),
            (_, more) => {
                let p = self.held();
                let is_null =
                    binary(BinaryOp::NotEqual, held(p, span), number(0, room.pointer(), span));
                let condition = (is_null, Fault::new(FaultKind::Null, &spot.what));
                let sum = binary(BinaryOp::Add, wide(held(p, span)), number(more, WIDE, span));
                let sum = cast(room.pointer(), sum);
                checked(vec![(p, spot.pointer)], vec![condition], sum, span)
            }
        };
        Ok((e, pointer))
    }

    /// An array that is used as a pointer to its first element.
    pub(super) fn decayed(&mut self, e: &Expr) -> Lowered<(Expr, Type)> {
        let mut root = e;
        while let ExprKind::Index(base, _) = &root.kind {
            root = base;
        }
        let variable = match &root.kind {
            ExprKind::Name(name) => self.find(name).cloned().map(|found| (name, found)),
            _ => None,
        };
        let place = match variable {
            Some((name, variable)) if matches!(variable.ty, Type::Array(..)) => {
                self.address_variable(name, &variable)?;
                let place = self.place(e, Use::Read)?;
                match &place.ty {
                    Type::Array(inner, _)
                        if !matches!(**inner, Type::Array(..)) && place.spot.is_none() =>
                    {
                        let ty = Type::Pointer(inner.clone(), variable.region);
                        return Ok((place.slot.map_or(place.e, |(slot, _)| slot), ty));
                    }
                    _ if place.spot.is_some() => {
                        let Type::Array(inner, _) = place.ty.clone() else {
                            return refuse(e.span, "a value that is used as an array");
                        };
                        return self.first_of(place, *inner, e.span);
                    }
                    _ => place,
                }
            }
            _ => self.place(e, Use::Read)?,
        };
        let Type::Array(inner, _) = place.ty.clone() else {
            return refuse(e.span, "a value that is used as an array");
        };
        self.part_address(place, *inner, e.span)
    }

    /// The first element of an array in memory of bytes.
    fn first_of(&mut self, place: Place, inner: Type, span: Span) -> Lowered<(Expr, Type)> {
        self.part_address(place, inner, span)
    }
}
