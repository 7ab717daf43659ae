//! Initial values: of objects, of pointers, and of what holds pointers.

use super::assignments::is_place;
use super::build::{assign, expr, forget, index, name, named, number, statement, unset};
use super::flat::{Given, Spot};
use super::lowerer::{Lowered, Lowerer, refuse, unnamed};
use super::places::Place;
use super::regions::RegionId;
use super::types::{CHAR, Type, unsigned};
use crate::lang::model::Span;
use crate::lang::syntax::{
    Declarator, Expr, ExprKind, Initializer, Statement, StatementKind, StructId,
};

impl Lowerer<'_> {
    /// An initial value, with its pointers as numbers.
    pub(super) fn initial(&mut self, initializer: &Initializer, ty: &Type) -> Lowered<Initializer> {
        match (initializer, ty) {
            (Initializer::Value(e), Type::Array(inner, _)) => match (&e.kind, &**inner) {
                (ExprKind::Text(text), Type::Scalar(_)) => match &text.characters {
                    Some(text) => self.characters(text, ty, e.span),
                    None => refuse(e.span, "a string with other characters than ASCII"),
                },
                _ => refuse(e.span, "this initial value of an array"),
            },
            (Initializer::Value(e), _) => Ok(Initializer::Value(self.converted(e, ty)?)),
            (Initializer::List(list, span), Type::Array(inner, _)) => {
                if let (
                    [Initializer::Value(Expr { kind: ExprKind::Text(text), .. })],
                    Type::Scalar(_),
                ) = (&list[..], &**inner)
                    && let Some(text) = &text.characters
                {
                    return self.characters(text, ty, *span);
                }
                let list = &self.with_braces(list, ty, 0);
                let mut parts = Vec::with_capacity(list.len());
                for part in list {
                    let nested = matches!(**inner, Type::Array(..) | Type::Struct(_));
                    parts.push(match part {
                        Initializer::At(at, value) => {
                            let Some(n) = self.constant(at).and_then(|n| u64::try_from(n).ok())
                            else {
                                return refuse(at.span, "an index that is not constant here");
                            };
                            let at = number(n, unsigned(32), at.span);
                            Initializer::At(at, Box::new(self.initial(value, inner)?))
                        }
                        Initializer::Member(..) => return refuse(*span, "this initial value"),
                        Initializer::Value(e) if nested && !matches!(e.kind, ExprKind::Text(_)) => {
                            return refuse(e.span, "an initial value without its braces");
                        }
                        part => self.initial(part, inner)?,
                    });
                }
                Ok(Initializer::List(parts, *span))
            }
            (Initializer::List(list, span), Type::Struct(id)) => {
                let is_zero = matches!(&list[..], [Initializer::Value(e)] if self.is_zero(e));
                let members = self.positions(*id, *span)?;
                let list = &self.with_braces(list, ty, 0);
                // `{0}` sets everything to zero.
                if is_zero && !matches!(&list[..], [Initializer::Value(_)]) {
                    return Ok(Initializer::List(Vec::new(), *span));
                }
                let mut next = 0;
                let mut parts = Vec::with_capacity(list.len());
                for part in list {
                    if let Initializer::Member(member, value) = part {
                        let found = members.iter().position(|(known, _)| *known == member.text);
                        let Some(at) = found else {
                            // A member of a member without a name.
                            let ty = self.member(*id, &member.text, member.span)?;
                            let value = self.initial(value, &ty)?;
                            parts.push(Initializer::Member(member.clone(), Box::new(value)));
                            next = members.len();
                            continue;
                        };
                        let value = self.initial(value, &members[at].1)?;
                        parts.push(Initializer::Member(member.clone(), Box::new(value)));
                        next = at + 1;
                        continue;
                    }
                    let is_zero = matches!(part, Initializer::Value(e) if self.is_zero(e));
                    let Some((_, ty)) = members.get(next) else {
                        // A compiler warns, and leaves it out.
                        if matches!(part, Initializer::Value(e) if self.constant(e).is_some()) {
                            continue;
                        }
                        return refuse(*span, "an initial value with too many parts");
                    };
                    if matches!(ty, Type::Struct(_) | Type::Array(..))
                        && matches!(part, Initializer::Value(e) if !matches!(e.kind, ExprKind::Text(_)))
                    {
                        // `{0}` sets everything to zero.
                        if is_zero && list.len() == 1 {
                            return Ok(Initializer::List(Vec::new(), *span));
                        }
                        return refuse(*span, "an initial value without its braces");
                    }
                    parts.push(self.initial(part, ty)?);
                    next += 1;
                }
                Ok(Initializer::List(parts, *span))
            }
            (Initializer::List(list, _), ty) => match &list[..] {
                [only] => self.initial(only, ty),
                _ => refuse(Span::default(), "this initial value"),
            },
            (Initializer::Member(member, _), _) => refuse(member.span, "this initial value"),
            (Initializer::At(at, _), _) => refuse(at.span, "this initial value"),
        }
    }

    fn characters(&self, text: &[u8], ty: &Type, span: Span) -> Lowered<Initializer> {
        use crate::lang::syntax::{Size, TypeName};
        let Type::Array(inner, count) = ty else { return refuse(span, "this initial value") };
        if !matches!(**inner, Type::Scalar(TypeName::Integer { size: Size::Char, .. })) {
            return refuse(span, "a string as this initial value");
        }
        if text.len() > *count as usize {
            return refuse(span, "a string with more characters than its array has");
        }
        let all = text.iter().copied().chain(std::iter::once(0));
        let parts = all
            .take(*count as usize)
            .map(|c| Initializer::Value(number(u64::from(c), CHAR, span)))
            .collect();
        Ok(Initializer::List(parts, span))
    }

    /// Gives the object of a local its initial value.
    pub(super) fn set_object(
        &mut self,
        place: &Place,
        declarator: &Declarator,
        into: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let span = declarator.span;
        let Some(initializer) = &declarator.initializer else {
            let mut changes = Vec::new();
            self.object_values(place, false, &mut changes, span)?;
            into.extend(unset(changes, span));
            return Ok(());
        };
        if let (Initializer::Value(e), Type::Struct(id)) = (initializer, &place.ty)
            && is_place(e)
        {
            let copied = self.copied(place, *id, e, span)?;
            into.push(statement(StatementKind::Expression(copied), span));
            return Ok(());
        }
        let initializer = self.initial(initializer, &place.ty)?;
        if !matches!(initializer, Initializer::Value(_)) {
            let mut changes = Vec::new();
            self.object_values(place, true, &mut changes, span)?;
            into.extend(forget(changes, span));
        }
        self.set_parts(place, &place.ty.clone(), initializer, into, span)
    }

    pub(super) fn object_values(
        &mut self,
        place: &Place,
        clears: bool,
        into: &mut Vec<(Expr, Option<Expr>)>,
        span: Span,
    ) -> Lowered<()> {
        if let (Some(spot), Some(region)) = (&place.spot, place.region) {
            let bytes = self.bytes(&place.ty).unwrap_or(0);
            let Some(room) = self.flat_room(region) else { return Ok(()) };
            let pointer = spot.pointer.clone();
            let slots = bytes.div_ceil(room.unit());
            if slots > 4096 {
                return refuse(span, "an object this large");
            }
            for k in 0..slots {
                let at = self.slot_at(&room, &pointer, k * room.unit());
                into.push((at, clears.then(|| number(0, unsigned((room.unit() * 8) as u8), span))));
            }
            return Ok(());
        }
        match (&place.ty, &place.slot) {
            (Type::Array(..), Some((slot, region))) => {
                let element = place.ty.element().clone();
                for k in 0..place.ty.elements() {
                    let at = self.slot_behind(slot, *region, k, span);
                    self.fresh_values(at, &element, clears, into, span)?;
                    if into.len() > 4096 {
                        return refuse(span, "an object this large");
                    }
                }
                Ok(())
            }
            _ => self.fresh_values(place.e.clone(), &place.ty, clears, into, span),
        }
    }

    /// The place `k` slots behind a known slot.
    fn slot_behind(&mut self, slot: &Expr, region: RegionId, k: u32, span: Span) -> Expr {
        let (room, ty) = match self.room(region) {
            Some(room) => (room.name.clone(), room.pointer()),
            None => (String::new(), unsigned(1)),
        };
        let first = match slot.kind {
            ExprKind::Exactly(first, _) => first,
            _ => 0,
        };
        index(named(&room, span), number(first + u64::from(k), ty, span))
    }

    fn set_parts(
        &mut self,
        place: &Place,
        ty: &Type,
        initializer: Initializer,
        into: &mut Vec<Statement>,
        span: Span,
    ) -> Lowered<()> {
        let set = |place: Expr, value: Expr| {
            statement(StatementKind::Expression(assign(place, value, span)), span)
        };
        if let Some(spot) = &place.spot {
            let mut parts = Vec::new();
            self.byte_parts(spot, ty, initializer, true, &mut parts, span)?;
            for (spot, ty, value) in parts {
                let stored = self.store(&spot, &ty, value, Given::Nothing, span)?;
                into.push(statement(StatementKind::Expression(stored), span));
            }
            return Ok(());
        }
        match (initializer, ty) {
            (Initializer::Value(value), _) => {
                into.push(set(place.e.clone(), value));
                Ok(())
            }
            (Initializer::List(parts, _), Type::Struct(id)) => {
                let mut members = Vec::new();
                for (position, (member, ty)) in self.members(*id, span)?.into_iter().enumerate() {
                    match (member.is_empty(), &ty) {
                        (true, Type::Struct(_)) => members.push((unnamed(position), ty)),
                        (true, _) => {}
                        (false, _) => members.push((member, ty)),
                    }
                }
                let mut next = 0;
                for part in parts {
                    let (at, value) = match part {
                        Initializer::Member(member, value) => {
                            let found = members.iter().position(|(m, _)| *m == member.text);
                            let Some(found) = found else {
                                return refuse(span, "an initial value of a member of a member");
                            };
                            (found, *value)
                        }
                        value => (next, value),
                    };
                    next = at + 1;
                    let Some((member, ty)) = members.get(at) else { continue };
                    let kind = ExprKind::Member(Box::new(place.e.clone()), name(member, span));
                    let inner = Place::new(expr(kind, span), ty.clone());
                    self.set_parts(&inner, ty, value, into, span)?;
                }
                Ok(())
            }
            (Initializer::List(parts, _), Type::Array(inner, _)) => {
                let mut next = 0u32;
                for part in parts {
                    let (at, value) = match part {
                        Initializer::At(at, value) => match at.kind {
                            ExprKind::Exactly(n, _) => (n as u32, *value),
                            _ => return refuse(span, "this index"),
                        },
                        value => (next, value),
                    };
                    next = at + 1;
                    let e = match &place.slot {
                        Some((slot, region)) => {
                            let k = at.saturating_mul(inner.elements());
                            let slot = number(
                                match slot.kind {
                                    ExprKind::Exactly(first, _) => first + u64::from(k),
                                    _ => 0,
                                },
                                self.room(*region).map_or(unsigned(1), |room| room.pointer()),
                                span,
                            );
                            let e = self.slot_behind(&slot, *region, 0, span);
                            let slot = Some((slot, *region));
                            Place { slot, ..Place::new(e, (**inner).clone()) }
                        }
                        None => {
                            let at = number(u64::from(at), unsigned(16), span);
                            Place::new(index(place.e.clone(), at), (**inner).clone())
                        }
                    };
                    self.set_parts(&e, inner, value, into, span)?;
                    if into.len() > 4096 {
                        return refuse(span, "an object this large");
                    }
                }
                Ok(())
            }
            _ => refuse(span, "this initial value"),
        }
    }

    /// The scalars of an initial value in memory of bytes, each with its spot. Of a local union the
    /// bytes behind a shorter member would have any value.
    fn byte_parts(
        &mut self,
        spot: &Spot,
        ty: &Type,
        initializer: Initializer,
        is_local: bool,
        into: &mut Vec<(Spot, Type, Expr)>,
        span: Span,
    ) -> Lowered<()> {
        if into.len() > 1024 {
            return refuse(span, "an object this large");
        }
        match (initializer, ty) {
            (Initializer::Value(value), Type::Scalar(_) | Type::Pointer(..)) => {
                into.push((spot.clone(), ty.clone(), value));
                Ok(())
            }
            (Initializer::List(parts, _), Type::Struct(id)) => {
                let Some(layout) = self.layout_of(*id) else {
                    return refuse(span, "a struct whose size is not known");
                };
                let mut next = 0;
                for part in parts {
                    let (found, value) = match part {
                        Initializer::Member(member, value) => {
                            let at = layout.members.iter().position(|m| m.name == member.text);
                            next = at.map_or(layout.members.len(), |at| at + 1);
                            (self.member_place(*id, &member.text, 0), *value)
                        }
                        value => {
                            next += 1;
                            (layout.members.get(next - 1).cloned(), value)
                        }
                    };
                    let Some(member) = found else {
                        return refuse(span, "an initial value with too many parts");
                    };
                    let of_union = self.file.structs.get(id.0 as usize).is_some_and(|s| s.is_union);
                    if is_local && of_union && self.bytes(&member.ty) != Some(layout.bytes) {
                        return refuse(span, "an initial value of a part of a union");
                    }
                    let offset = spot.offset + member.offset;
                    let inner = Spot { offset, bits: member.bits, ..spot.clone() };
                    self.byte_parts(&inner, &member.ty, value, is_local, into, span)?;
                }
                Ok(())
            }
            (Initializer::List(parts, _), Type::Array(inner, count)) => {
                let each = self.bytes(inner).unwrap_or(1);
                let mut next = 0u64;
                for part in parts {
                    let (at, value) = match part {
                        Initializer::At(at, value) => match at.kind {
                            ExprKind::Exactly(n, _) => (n, *value),
                            _ => return refuse(span, "this index"),
                        },
                        value => (next, value),
                    };
                    next = at + 1;
                    if at >= u64::from(*count) {
                        return refuse(span, "an initial value with too many parts");
                    }
                    let inner_spot = Spot { offset: spot.offset + at * each, ..spot.clone() };
                    self.byte_parts(&inner_spot, inner, value, is_local, into, span)?;
                }
                Ok(())
            }
            _ => refuse(span, "this initial value"),
        }
    }

    /// The initial value of an object in memory of bytes that lives during the whole run.
    pub(super) fn initial_bytes(
        &mut self,
        place: &Place,
        ty: &Type,
        initializer: Initializer,
        region: RegionId,
        span: Span,
    ) -> Lowered<()> {
        let Some(spot) = &place.spot else { return Ok(()) };
        let mut parts = Vec::new();
        self.byte_parts(spot, ty, initializer, false, &mut parts, span)?;
        for (spot, ty, value) in parts {
            if spot.bits.is_some() {
                return refuse(span, "an initial value of a bit-field in memory of bytes");
            }
            let mut pieces = Vec::new();
            self.initial_pieces(&spot, &ty, &value, &mut pieces)?;
            let list = self.initial.entry(region).or_default();
            for (place, value) in pieces {
                let ExprKind::Index(_, at) = place.kind else { continue };
                let ExprKind::Exactly(slot, _) = at.kind else { continue };
                list.push((slot as u32, Initializer::Value(value)));
            }
        }
        Ok(())
    }

    /// The members that a list of initial values fills, one after the other.
    fn positions(&mut self, id: StructId, span: Span) -> Lowered<Vec<(String, Type)>> {
        let is_union = self.file.structs.get(id.0 as usize).is_some_and(|s| s.is_union);
        let mut members = self.members(id, span)?;
        members.retain(|(name, ty)| !name.is_empty() || matches!(ty, Type::Struct(_)));
        let first = |members: &[(String, Type)]| members.first().cloned().into_iter().collect();
        // Of a union the first member is set, unless one is named.
        Ok(if is_union && members.len() > 1 { first(&members) } else { members })
    }

    /// The list, with braces around the values of each struct and array in it.
    fn with_braces(&mut self, list: &[Initializer], ty: &Type, depth: u32) -> Vec<Initializer> {
        let is_plain = |i: &Initializer| matches!(i, Initializer::Value(_) | Initializer::List(..));
        if depth > 16 || !list.iter().all(is_plain) {
            return list.to_vec();
        }
        let mut rest = list.iter();
        let mut made = self.filled(&mut rest, ty, depth);
        made.extend(rest.cloned());
        made
    }

    /// Takes as many values as a struct or array has parts.
    fn filled(
        &mut self,
        rest: &mut std::slice::Iter<'_, Initializer>,
        ty: &Type,
        depth: u32,
    ) -> Vec<Initializer> {
        let members: Vec<Type> = match ty {
            Type::Array(inner, count) => vec![(**inner).clone(); *count as usize],
            Type::Struct(id) => {
                let known = self.positions(*id, Span::default()).unwrap_or_default();
                known.into_iter().map(|(_, ty)| ty).collect()
            }
            _ => Vec::new(),
        };
        let mut made = Vec::new();
        for member in members {
            let Some(next) = rest.as_slice().first() else { break };
            let inside = match (next, &member) {
                (Initializer::Value(e), Type::Array(..)) => !matches!(e.kind, ExprKind::Text(_)),
                (Initializer::Value(e), Type::Struct(_)) => {
                    !matches!(self.static_type(e), Some(Type::Struct(_)))
                        && !matches!(e.kind, ExprKind::Call(..))
                }
                _ => false,
            };
            if inside && depth < 16 {
                let span = match next {
                    Initializer::Value(e) => e.span,
                    _ => Span::default(),
                };
                let list = self.filled(rest, &member, depth + 1);
                made.push(Initializer::List(list, span));
                continue;
            }
            made.extend(rest.next().cloned());
        }
        made
    }
}
