//! `sizeof`, in bytes of eight bits; a pointer has two words, as on machines of 64 bits.

use super::lowerer::{Lowered, Lowerer, refuse};
use super::types::Type;
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
