//! Places: variables, members, elements, and what pointers lead to.

use super::build::{binary, cast, checked, expr, held, index, named, number, wide};
use super::layout::Room;
use super::lowerer::{Lowered, Lowerer, Variable, refuse};
use super::pointers::Use;
use super::regions::RegionId;
use super::types::{Type, WIDE};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind};

/// A place in the new tree.
pub(super) struct Place {
    pub(super) e: Expr,
    pub(super) ty: Type,
    /// The slot of the place, if it is a whole slot or an array of slots. The array's own
    /// expression is not used then.
    pub(super) slot: Option<(Expr, RegionId)>,
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
                    return refuse(e.span, "this is no struct");
                };
                let ty = self.member(id, &member.text, e.span)?;
                let kind = ExprKind::Member(Box::new(base.e), member.clone());
                Ok(Place { e: expr(kind, e.span), ty, slot: None })
            }
            ExprKind::Indirect(pointer) => {
                let (value, ty) = self.value(pointer)?;
                let (to, region) = self.target(&ty, e.span)?;
                let what = self.text(pointer.span);
                let e = self.follow(value, region, &what, used, e.span);
                Ok(Place { e, ty: to, slot: None })
            }
            ExprKind::Index(base, at) => self.element(base, at, e.span, used),
            _ => refuse(e.span, "this is no place that can be read or written"),
        }
    }

    fn named_place(&mut self, name: &str, span: Span) -> Lowered<Place> {
        let Some(variable) = self.find(name).cloned() else {
            return refuse(span, format!("`{name}` is no variable"));
        };
        if variable.closed {
            return refuse(span, "the arguments of the command line are not modelled");
        }
        Ok(self.variable_place(name, &variable, span))
    }

    pub(super) fn variable_place(&mut self, name: &str, variable: &Variable, span: Span) -> Place {
        let ty = variable.ty.clone();
        if self.placed(variable.key).is_none() {
            return Place { e: named(name, span), ty, slot: None };
        }
        let slot = self.first_slot(variable.key, variable.region, span);
        let room = self.room(variable.region).map_or(String::new(), |room| room.name.clone());
        let e = index(named(&room, span), slot.clone());
        Place { e, ty, slot: Some((slot, variable.region)) }
    }

    /// `base[at]`
    fn element(&mut self, base: &Expr, at: &Expr, span: Span, used: Use) -> Lowered<Place> {
        if let Some(array) = self.array(base, used)? {
            let Type::Array(inner, count) = array.ty else {
                return refuse(span, "this is no array");
            };
            let (steps, ty) = self.value(at)?;
            if !matches!(ty, Type::Scalar(_)) {
                return refuse(at.span, "this index is no number");
            }
            let Some((slot, region)) = array.slot else {
                let kind = ExprKind::Index(Box::new(array.e), Box::new(steps));
                return Ok(Place { e: expr(kind, span), ty: *inner, slot: None });
            };
            let name = self.text(base.span);
            let slot = self.stepped(slot, region, steps, (inner.elements(), count), &name, span);
            let room = self.room(region).map_or(String::new(), |room| room.name.clone());
            let e = index(named(&room, span), slot.clone());
            return Ok(Place { e, ty: *inner, slot: Some((slot, region)) });
        }
        let (pointer, ty) = self.value(base)?;
        let (to, region) = self.target(&ty, span)?;
        let (steps, ty) = self.value(at)?;
        if !matches!(ty, Type::Scalar(_)) {
            return refuse(at.span, "this index is no number");
        }
        let what = self.text(span);
        let e = match self.constant(at) {
            Some(0) => {
                let what = self.text(base.span);
                self.follow(pointer, region, &what, used, span)
            }
            _ => {
                let pointer = self.not_null(pointer, region, base.span);
                let sum = self.walked((pointer, region), steps, false, &what, span);
                self.follow(sum, region, &what, used, span)
            }
        };
        Ok(Place { e, ty: to, slot: None })
    }

    /// The place of an array that is indexed without a pointer; `None` if it is no array.
    fn array(&mut self, base: &Expr, used: Use) -> Lowered<Option<Place>> {
        let is_place =
            matches!(base.kind, ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..));
        if !is_place {
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
        let condition = (holds, format!("`{what}` is NULL here"));
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
        let message = format!("the index of `{name}` is outside of its {count} elements");
        let scaled = match stride {
            1 => at,
            n => binary(BinaryOp::Multiply, at, number(u64::from(n), WIDE, span)),
        };
        let sum = cast(ty, binary(BinaryOp::Add, wide(first), scaled));
        checked(vec![(k, steps)], vec![(holds, message)], sum, span)
    }

    /// `&e`, or the first element of an array: a pointer, with what it points to.
    pub(super) fn address(&mut self, e: &Expr) -> Lowered<(Expr, Type)> {
        match &e.kind {
            ExprKind::Indirect(pointer) => self.value(pointer),
            ExprKind::Name(name) => {
                let Some(variable) = self.find(name).cloned() else {
                    return self.procedure(name, e.span);
                };
                if matches!(variable.ty, Type::Array(..)) {
                    return refuse(e.span, "the address of a whole array");
                }
                self.address_variable(name, &variable)?;
                let slot = self.first_slot(variable.key, variable.region, e.span);
                Ok((slot, Type::Pointer(Box::new(variable.ty), variable.region)))
            }
            ExprKind::Index(base, at) => {
                let (pointer, ty) = self.value(base)?;
                let Type::Pointer(_, region) = &ty else {
                    return refuse(e.span, "this is no array");
                };
                if self.constant(at) == Some(0) {
                    return Ok((pointer, ty));
                }
                let (steps, _) = self.value(at)?;
                let what = self.text(e.span);
                let sum = self.walked((pointer, *region), steps, false, &what, e.span);
                Ok((sum, ty))
            }
            _ => refuse(e.span, "the address of a member of a struct"),
        }
    }

    /// An array that is used as a pointer to its first element.
    pub(super) fn decayed(&mut self, e: &Expr) -> Lowered<(Expr, Type)> {
        let mut root = e;
        while let ExprKind::Index(base, _) = &root.kind {
            root = base;
        }
        let ExprKind::Name(name) = &root.kind else {
            return refuse(e.span, "an array inside a struct is used as a pointer");
        };
        let Some(variable) = self.find(name).cloned() else {
            return refuse(e.span, format!("`{name}` is no variable"));
        };
        if !matches!(variable.ty, Type::Array(..)) {
            return refuse(e.span, "an array behind a pointer is used as a pointer");
        }
        self.address_variable(name, &variable)?;
        let place = self.place(e, Use::Read)?;
        let Type::Array(inner, _) = &place.ty else {
            return refuse(e.span, "this is no array");
        };
        if matches!(**inner, Type::Array(..)) {
            return refuse(e.span, "a pointer to an array");
        }
        let ty = Type::Pointer(inner.clone(), variable.region);
        Ok((place.slot.map_or(place.e, |(slot, _)| slot), ty))
    }
}
