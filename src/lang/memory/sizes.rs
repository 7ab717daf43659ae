//! `sizeof`, in bytes of eight bits; a pointer has two words, as on machines of 64 bits.

use super::lowerer::{Lowered, Lowerer, refuse};
use super::types::{Type, bits_of};
use crate::lang::model::Span;
use crate::lang::syntax::{Expr, ExprKind};

impl Lowerer<'_> {
    /// The value of `sizeof`.
    pub(super) fn size_of(&mut self, e: &Expr) -> Lowered<u64> {
        let ty = match &e.kind {
            ExprKind::SizeOfPointer => return Ok(self.pointer_bytes()),
            ExprKind::SizeOfType(name, dimensions) => {
                self.declared(*name, 0, dimensions, e.span)?
            }
            ExprKind::SizeOf(operand) => self.type_of(operand)?,
            _ => return refuse(e.span, "this size is not known"),
        };
        match self.bytes(&ty) {
            Some(bytes) if bytes > 0 => Ok(bytes),
            _ => refuse(e.span, "this size is not known"),
        }
    }

    fn pointer_bytes(&self) -> u64 {
        (u64::from(self.int) * 2).div_ceil(8)
    }

    /// Bytes of a value; `None` if the type has no size.
    pub(super) fn bytes(&mut self, ty: &Type) -> Option<u64> {
        self.bytes_within(ty, 0).map(|(bytes, _)| bytes)
    }

    /// Bytes, and the alignment.
    fn bytes_within(&mut self, ty: &Type, depth: u32) -> Option<(u64, u64)> {
        match ty {
            Type::Scalar(name) => {
                let bytes = u64::from(bits_of(*name, self.int)).div_ceil(8);
                Some((bytes, bytes))
            }
            Type::Pointer(..) | Type::Null => {
                let bytes = self.pointer_bytes();
                Some((bytes, bytes))
            }
            Type::Array(inner, count) => {
                let (bytes, alignment) = self.bytes_within(inner, depth)?;
                Some((bytes.checked_mul(u64::from(*count))?, alignment))
            }
            Type::Struct(id) if depth < 16 => {
                let (mut total, mut most) = (0u64, 1u64);
                for (_, member) in self.members(*id, Span::default()).ok()? {
                    let (bytes, alignment) = self.bytes_within(&member, depth + 1)?;
                    total = total.div_ceil(alignment) * alignment + bytes;
                    most = most.max(alignment);
                }
                Some((total.div_ceil(most) * most, most))
            }
            _ => None,
        }
    }

    /// The type of an expression that is not evaluated.
    fn type_of(&mut self, e: &Expr) -> Lowered<Type> {
        match &e.kind {
            ExprKind::Name(name) => match self.find(name) {
                Some(variable) => Ok(variable.ty.clone()),
                None => Ok(Type::Scalar(super::types::INT)),
            },
            ExprKind::Indirect(inner) => self.pointed(inner),
            ExprKind::Index(inner, _) => self.pointed(inner),
            ExprKind::Member(inner, name) => match self.type_of(inner)? {
                Type::Struct(id) => self.member(id, &name.text, e.span),
                _ => refuse(e.span, "this size is not known"),
            },
            ExprKind::Cast(name, _) => self.declared(*name, 0, &[], e.span),
            ExprKind::PointerCast(..) | ExprKind::Address(_) => Ok(Type::Null),
            ExprKind::Text(text) => {
                let length = text.characters.as_ref().map_or(0, Vec::len) as u32 + 1;
                Ok(Type::Array(Box::new(Type::Scalar(super::types::CHAR)), length))
            }
            ExprKind::Number(_, spelling) if spelling.long => Ok(Type::Scalar(super::types::LONG)),
            ExprKind::Number(..) => Ok(Type::Scalar(super::types::INT)),
            _ => refuse(e.span, "the size of this expression is not known"),
        }
    }

    fn pointed(&mut self, e: &Expr) -> Lowered<Type> {
        match self.type_of(e)? {
            Type::Pointer(to, _) | Type::Array(to, _) => Ok(*to),
            _ => refuse(e.span, "the size of this expression is not known"),
        }
    }
}
