//! Initial values: of objects, of pointers, and of what holds pointers.

use super::build::{assign, expr, index, name, named, number, statement};
use super::lowerer::{Lowered, Lowerer, refuse};
use super::places::Place;
use super::regions::RegionId;
use super::types::{CHAR, Type, unsigned};
use crate::lang::model::Span;
use crate::lang::syntax::{Declarator, Expr, ExprKind, Initializer, Statement, StatementKind};

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
                let mut parts = Vec::with_capacity(list.len());
                for part in list {
                    let nested = matches!(**inner, Type::Array(..) | Type::Struct(_));
                    parts.push(match part {
                        Initializer::At(at, value) => {
                            let Some(n) = self.constant(at).and_then(|n| u64::try_from(n).ok())
                            else {
                                return refuse(at.span, "this index is no constant");
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
                let members = self.members(*id, *span)?;
                let mut next = 0;
                let mut parts = Vec::with_capacity(list.len());
                for part in list {
                    if let Initializer::Member(member, value) = part {
                        let found = members.iter().position(|(known, _)| *known == member.text);
                        let Some(at) = found else {
                            return refuse(member.span, "there is no such member");
                        };
                        let value = self.initial(value, &members[at].1)?;
                        parts.push(Initializer::Member(member.clone(), Box::new(value)));
                        next = at + 1;
                        continue;
                    }
                    let is_zero = matches!(part, Initializer::Value(e) if self.is_zero(e));
                    let Some((_, ty)) = members.get(next) else {
                        return refuse(*span, "too many initial values");
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
            return refuse(span, "a string fills an array of characters only");
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
            into.push(statement(StatementKind::Forget(changes), span));
            return Ok(());
        };
        let initializer = self.initial(initializer, &place.ty)?;
        if !matches!(initializer, Initializer::Value(_)) {
            let mut changes = Vec::new();
            self.object_values(place, true, &mut changes, span)?;
            into.push(statement(StatementKind::Forget(changes), span));
        }
        self.set_parts(place, &place.ty.clone(), initializer, into, span)
    }

    fn object_values(
        &mut self,
        place: &Place,
        clears: bool,
        into: &mut Vec<(Expr, Option<Expr>)>,
        span: Span,
    ) -> Lowered<()> {
        match (&place.ty, &place.slot) {
            (Type::Array(..), Some((slot, region))) => {
                let element = place.ty.element().clone();
                for k in 0..place.ty.elements() {
                    let at = self.slot_behind(slot, *region, k, span);
                    self.fresh_values(at, &element, clears, into, span)?;
                    if into.len() > 4096 {
                        return refuse(span, "this object is too large");
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
        match (initializer, ty) {
            (Initializer::Value(value), _) => {
                into.push(set(place.e.clone(), value));
                Ok(())
            }
            (Initializer::List(parts, _), Type::Struct(id)) => {
                let members = self.members(*id, span)?;
                let mut next = 0;
                for part in parts {
                    let (at, value) = match part {
                        Initializer::Member(member, value) => {
                            let found = members.iter().position(|(m, _)| *m == member.text);
                            (found.unwrap_or(0), *value)
                        }
                        value => (next, value),
                    };
                    next = at + 1;
                    let Some((member, ty)) = members.get(at) else { continue };
                    let kind = ExprKind::Member(Box::new(place.e.clone()), name(member, span));
                    let inner = Place { e: expr(kind, span), ty: ty.clone(), slot: None };
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
                            Place { e, ty: (**inner).clone(), slot: Some((slot, *region)) }
                        }
                        None => {
                            let at = number(u64::from(at), unsigned(16), span);
                            Place {
                                e: index(place.e.clone(), at),
                                ty: (**inner).clone(),
                                slot: None,
                            }
                        }
                    };
                    self.set_parts(&e, inner, value, into, span)?;
                    if into.len() > 4096 {
                        return refuse(span, "this object is too large");
                    }
                }
                Ok(())
            }
            _ => refuse(span, "this initial value"),
        }
    }
}
