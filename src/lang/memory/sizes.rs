//! `sizeof`, in bytes of eight bits; a pointer has two words, as on machines of 64 bits.

use super::lowerer::{Lowered, Lowerer, MOST_DEPTH, refuse};
use super::types::Type;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, PointedType, TypeName};

impl Lowerer<'_> {
    /// The value of `sizeof`.
    pub(super) fn size_of(&mut self, e: &Expr) -> Lowered<u64> {
        let ty = match &e.kind {
            ExprKind::SizeOfPointer => return Ok(self.pointer_bytes()),
            ExprKind::SizeOfType(name, dimensions) => {
                self.declared(*name, 0, dimensions, e.span)?
            }
            ExprKind::SizeOf(operand) => self.type_of(operand)?,
            _ => return refuse(e.span, "this size"),
        };
        match self.bytes(&ty) {
            Some(bytes) if bytes > 0 => Ok(bytes),
            _ => refuse(e.span, "this size"),
        }
    }

    /// The number of bytes that `&((struct S *)0)->a` stands for; `None` for other expressions.
    pub(super) fn offset_in(&mut self, e: &Expr) -> Option<u64> {
        match &e.kind {
            ExprKind::Address(place) => self.offset_of_place(place, 0).map(|(bytes, _)| bytes),
            _ => None,
        }
    }

    fn offset_of_place(&mut self, e: &Expr, depth: u16) -> Option<(u64, Type)> {
        if depth > MOST_DEPTH {
            return None;
        }
        match &e.kind {
            ExprKind::Member(base, name) => {
                let (bytes, ty) = self.offset_of_place(base, depth + 1)?;
                let Type::Struct(id) = ty else { return None };
                let member = self.member_place(id, &name.text, 0)?;
                member.bits.is_none().then_some((bytes + member.offset, member.ty))
            }
            ExprKind::Index(base, at) => {
                let (bytes, ty) = self.offset_of_place(base, depth + 1)?;
                let Type::Array(inner, _) = ty else { return None };
                let at = u64::try_from(self.constant(at)?).ok()?;
                let each = self.bytes(&inner)?;
                Some((bytes.checked_add(each.checked_mul(at)?)?, *inner))
            }
            ExprKind::Indirect(pointer) => match &pointer.kind {
                ExprKind::PointerCast(to, inner) if self.is_zero(inner) => {
                    let PointedType { type_name, pointers: 1, .. } = *to else { return None };
                    match type_name {
                        TypeName::Struct(id) => Some((0, Type::Struct(id))),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The bytes of an array whose length is not constant.
    pub(super) fn varying_size(&mut self, e: &Expr) -> Option<Expr> {
        let ExprKind::Name(name) = &e.kind else { return None };
        let variable = self.find(name).filter(|variable| variable.varies)?.clone();
        let each = self.bytes(variable.ty.element())?;
        let length = self.placed(variable.key).and_then(|placed| placed.length);
        let (Some(room), Some(length)) = (self.room(variable.region).cloned(), length) else {
            return Some(super::build::zero(e.span));
        };
        let at = super::build::number(u64::from(length), super::types::unsigned(16), e.span);
        let lengths = super::build::named(&room.lengths_name(), e.span);
        let slots = super::build::wide(super::build::index(lengths, at));
        let each = super::build::number(room.cell.unwrap_or(each), super::types::WIDE, e.span);
        Some(super::build::binary(BinaryOp::Multiply, slots, each))
    }

    /// The type of an expression that is not evaluated.
    fn type_of(&mut self, e: &Expr) -> Lowered<Type> {
        match &e.kind {
            ExprKind::Name(name) => match self.find(name) {
                Some(variable) if variable.varies => {
                    refuse(e.span, "the size of an array whose length is not constant")
                }
                Some(variable) => Ok(variable.ty.clone()),
                None => Ok(Type::Scalar(super::types::INT)),
            },
            ExprKind::Indirect(inner) => self.pointed(inner),
            ExprKind::Index(inner, _) => self.pointed(inner),
            ExprKind::Member(inner, name) => match self.type_of(inner)? {
                Type::Struct(id) => self.member(id, &name.text, e.span),
                _ => refuse(e.span, "this size"),
            },
            ExprKind::Cast(name, _) => self.declared(*name, 0, &[], e.span),
            ExprKind::PointerCast(..) | ExprKind::Address(_) => Ok(Type::Null),
            ExprKind::Text(text) => {
                let length = text.characters.as_ref().map_or(0, Vec::len) as u32 + 1;
                Ok(Type::Array(Box::new(Type::Scalar(super::types::CHAR)), length))
            }
            ExprKind::Number(n, spelling) => Ok(self.literal_type(*n, *spelling)),
            _ => refuse(e.span, "the size of this expression"),
        }
    }

    fn pointed(&mut self, e: &Expr) -> Lowered<Type> {
        match self.type_of(e)? {
            Type::Pointer(to, _) | Type::Array(to, _) => Ok(*to),
            _ => refuse(e.span, "the size of this expression"),
        }
    }
}
