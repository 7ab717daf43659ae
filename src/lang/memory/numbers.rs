//! Casts, and numbers that are made of pointers.

use super::build::{binary, cast, expr, not, number, zero};
use super::lowerer::{Lowered, Lowerer, refuse, refuse_procedure};
use super::types::{Type, bits_of};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, Initializer, Item, PointedType, TypeName};
use crate::wire::options::DataModel;

/// What is refused of an address that is cut to fewer bits.
pub(in crate::lang) const PART_OF_ADDRESS: &str = "a part of an address as a number";

impl Lowerer<'_> {
    pub(super) fn cast(
        &mut self,
        name: TypeName,
        inner: &Expr,
        span: Span,
    ) -> Lowered<(Expr, Type)> {
        let (value, ty) = self.value(inner)?;
        match (name, ty) {
            (TypeName::Void, _) => Ok((cast(name, value), Type::Void)),
            (TypeName::Bool, Type::Pointer(_, region)) => {
                Ok((self.truth(value, region), Type::Scalar(name)))
            }
            (_, Type::Pointer(_, region)) => {
                self.regions.union(region, self.anything);
                self.numbers = true;
                let kind = ExprKind::Cast(name, Box::new(value));
                Ok((expr(kind, span), Type::Scalar(name)))
            }
            (_, Type::Null) => Ok((number(0, name, span), Type::Scalar(name))),
            (TypeName::Struct(_) | TypeName::Handle(_) | TypeName::Poisoned, _) => {
                refuse(span, "this cast")
            }
            (name, _) => {
                let kind = ExprKind::Cast(name, Box::new(value));
                Ok((expr(kind, span), Type::Scalar(name)))
            }
        }
    }

    pub(super) fn pointer_cast(
        &mut self,
        to: PointedType,
        inner: &Expr,
        span: Span,
    ) -> Lowered<(Expr, Type)> {
        if self.is_zero(inner) {
            return Ok((zero(span), Type::Null));
        }
        let (value, from) = self.value(inner)?;
        if to.other {
            // Which procedures a pointer may lead to does not depend on how it is cast.
            if matches!(&from, Type::Pointer(to, _) if matches!(**to, Type::Procedure(_))) {
                return Ok((value, from));
            }
            return refuse(span, "a cast to a pointer to a procedure or an array");
        }
        let ty = self.declared(to.type_name, to.pointers, &[], span)?;
        let value = self.fitted(value, &from, &ty, span)?;
        Ok((value, ty))
    }

    /// An address may be compared, may have a number added, and may be cast back; more would depend
    /// on where memory stands.
    pub(super) fn no_address(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Lowered<()> {
        let harmless = match op {
            BinaryOp::Add | BinaryOp::Subtract => true,
            BinaryOp::Remainder | BinaryOp::BitAnd => {
                self.constant(right).is_some_and(|n| (0..=16).contains(&n))
            }
            BinaryOp::Equal | BinaryOp::NotEqual => [left, right]
                .iter()
                .all(|side| self.constant(side).is_none_or(|n| (0..=1).contains(&n))),
            // Nothing stands in the first page of memory.
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                [left, right]
                    .iter()
                    .any(|side| self.fixed(side).is_some_and(|n| (0..=4000).contains(&n)))
            }
            _ => false,
        };
        if self.is_lossy(left) || self.is_lossy(right) {
            return match op {
                BinaryOp::Remainder | BinaryOp::BitAnd if harmless => Ok(()),
                _ => refuse(span, PART_OF_ADDRESS),
            };
        }
        if !harmless && (self.is_address(left, 0) || self.is_address(right, 0)) {
            return refuse(span, "this arithmetic on an address");
        }
        Ok(())
    }

    /// The value of a constant, or of a global that is declared as one: `const int limit = 2012;`.
    fn fixed(&mut self, e: &Expr) -> Option<i128> {
        if let Some(n) = self.constant(e) {
            return Some(n);
        }
        let ExprKind::Name(name) = &e.kind else { return None };
        if !self.find(name)?.is_global {
            return None;
        }
        let file = self.file;
        let mut values = file.items.iter().filter_map(|item| match item {
            Item::Declaration(declaration) if declaration.constant => declaration
                .declarators
                .iter()
                .find_map(|declarator| match &declarator.initializer {
                    Some(Initializer::Value(value))
                        if declarator.name.text == *name
                            && declarator.pointers == 0
                            && declarator.dimensions.is_empty() =>
                    {
                        Some(value)
                    }
                    _ => None,
                }),
            _ => None,
        });
        let value = values.next()?;
        self.constant(value)
    }

    /// Is it a number that is made of an address?
    pub(super) fn is_address(&mut self, e: &Expr, depth: u32) -> bool {
        if depth > 16 {
            return true;
        }
        match &e.kind {
            ExprKind::Cast(_, inner) if self.offset_in(inner).is_some() => false,
            ExprKind::Cast(_, inner) => {
                let to = match &inner.kind {
                    ExprKind::Address(_) | ExprKind::PointerCast(..) => true,
                    ExprKind::Assign(_, place, _) => self.is_pointer(place),
                    _ => self.is_pointer(inner),
                };
                to || self.is_address(inner, depth + 1)
            }
            ExprKind::Name(name) => match self.find(name) {
                Some(variable) => self.addresses.contains(&variable.key),
                None => false,
            },
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) => {
                self.is_address(left, depth + 1) != self.is_address(right, depth + 1)
            }
            ExprKind::Binary(BinaryOp::BitOr | BinaryOp::BitXor, left, right) => {
                self.is_address(left, depth + 1) || self.is_address(right, depth + 1)
            }
            ExprKind::Assign(_, place, value) => {
                self.is_address(place, depth + 1) || self.is_address(value, depth + 1)
            }
            ExprKind::Conditional(parts) => {
                self.is_address(&parts[1], depth + 1) || self.is_address(&parts[2], depth + 1)
            }
            _ => false,
        }
    }

    /// Is it a number that is made of an address, and too narrow for it?
    pub(super) fn is_lossy(&mut self, e: &Expr) -> bool {
        let narrow = |this: &Self, name: TypeName| bits_of(name, this.int) < this.pointer_bits();
        let is_narrow = match &e.kind {
            ExprKind::Cast(TypeName::Bool, _) => false,
            ExprKind::Cast(name, _) => narrow(self, *name),
            ExprKind::Name(name) => match self.find(name).map(|variable| variable.ty.clone()) {
                Some(Type::Scalar(name)) => narrow(self, name),
                _ => false,
            },
            _ => false,
        };
        is_narrow && self.is_address(e, 0)
    }

    /// Is the low half of an address 0? It is so for the null pointer, and may be so for others. It
    /// is asked only once: the answer would be the same at another time.
    pub(super) fn low_half(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Lowered<Option<Expr>> {
        let compares = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let (ExprKind::Cast(name, inner), true) = (&left.kind, compares && self.is_zero(right))
        else {
            return Ok(None);
        };
        let half =
            self.int == 32 && self.model == DataModel::Lp64 && bits_of(*name, self.int) == 32;
        let points = matches!(self.static_type(inner), Some(Type::Pointer(..)));
        let again = self.low_halves > 0 || self.owner != "main" || self.has_goto;
        if !half || !points || again || self.scopes.iter().any(|scope| scope.is_loop) {
            return Ok(None);
        }
        self.low_halves += 1;
        let (value, ty) = self.value(inner)?;
        let Type::Pointer(_, region) = ty else { return Ok(None) };
        let not_null = self.truth(value, region);
        let choice = expr(ExprKind::Choice, span);
        let differs = binary(BinaryOp::LogicalAnd, not_null, choice);
        Ok(Some(if op == BinaryOp::NotEqual { differs } else { not(differs) }))
    }

    fn is_pointer(&mut self, e: &Expr) -> bool {
        matches!(self.static_type(e), Some(Type::Pointer(..) | Type::Array(..)))
    }

    /// Notes that a variable may hold a number that is made of an address.
    pub(super) fn note_address(&mut self, name: &str, value: &Expr) {
        if self.is_address(value, 0)
            && let Some(key) = self.find(name).map(|variable| variable.key)
        {
            self.addresses.insert(key);
        }
    }

    /// A library's procedure that is not known may give back a pointer.
    pub(super) fn no_pointer_of_library(&self, value: &Expr) -> Lowered<()> {
        let mut value = value;
        while let ExprKind::Cast(_, inner) = &value.kind {
            value = inner;
        }
        match &value.kind {
            ExprKind::Call(name, _)
                if !self.signatures.contains_key(&name.text) && !name.text.contains("nondet") =>
            {
                refuse_procedure(value.span, &name.text)
            }
            _ => Ok(()),
        }
    }
}
