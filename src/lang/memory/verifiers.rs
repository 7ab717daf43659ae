//! Procedures that only verifiers have, and those with which the library is written.

use super::build::{any, between, binary, cast, checked, conditional, expr, held, number, zero};
use super::layout::Room;
use super::lowerer::{Lowered, Lowerer, refuse};
use super::types::{CHAR, INT, Type};
use crate::lang::fault::{Fault, FaultKind};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind};

/// Any values for what a variable of the library holds.
pub(super) const ANY: &str = "__faultline_any";

/// The library's procedures that fail if they are given a null pointer.
const GIVEN: &str = "__faultline_given";

/// Any pointer.
pub(super) const ANY_POINTER: &str = "__VERIFIER_nondet_pointer";

/// Does a program call this, and it has a meaning for pointers?
pub(super) fn is_known(name: &str) -> bool {
    asks_size(name) || asks_object(name) || name == ANY_POINTER
}

fn asks_size(name: &str) -> bool {
    matches!(name, "__ESBMC_get_object_size" | "__CPROVER_OBJECT_SIZE")
}

fn asks_object(name: &str) -> bool {
    matches!(name, "__ESBMC_same_object" | "__CPROVER_same_object" | "__CPROVER_POINTER_OBJECT_EQ")
}

/// Is the pointer in one of the objects that the predicate allows? With what it gives for each.
fn by_object<T>(room: &Room, pointer: &Expr, mut of: impl FnMut(u64, Expr) -> T) -> Vec<T> {
    let found = room.objects.iter().map(|object| {
        let first = room.code(u64::from(object.first));
        let end = room.code(u64::from(object.first + object.slots));
        let slots = match room.summarized() {
            // Each of the objects for which it stands has one slot.
            Some(summary) if summary == u64::from(object.first) => 1,
            _ => u64::from(object.slots) * room.cell.unwrap_or(1),
        };
        of(slots, between(pointer, first, end.max(first), room.pointer()))
    });
    found.collect()
}

impl Lowerer<'_> {
    /// A call of one of these procedures; `None` for other names.
    pub(super) fn verifier_call(
        &mut self,
        name: &str,
        arguments: &[Expr],
        span: Span,
    ) -> Lowered<Option<(Expr, Type)>> {
        Ok(match arguments {
            [] if name == ANY_POINTER => Some(self.any_pointer(span)?),
            [pointer] if name == GIVEN => Some(self.given(pointer, span)?),
            [pointer] if asks_size(name) => Some(self.object_size(pointer, span)?),
            [one, other] if asks_object(name) => Some(self.same_object(one, other, span)?),
            [_, _, _] if name == "strptime" && arguments.iter().any(|a| self.is_zero(a)) => {
                let fault = Fault::new(FaultKind::GivenNull, &self.text(span));
                let ty = self.pointer_to(Type::Scalar(CHAR));
                let null = number(0, self.written_type(&ty), span);
                Some((checked(Vec::new(), vec![(zero(span), fault)], null, span), ty))
            }
            _ => None,
        })
    }

    /// The address of any place, be there an object or none.
    pub(super) fn any_address(&mut self, span: Span) -> Lowered<(Expr, Type)> {
        let ty = self.pointer_to(Type::Void);
        let written = self.written_type(&ty);
        Ok((cast(written, expr(ExprKind::Choice, span)), ty))
    }

    /// Are two addresses the same? Nothing is asked of what stands there. A pointer without a value
    /// is the address of nothing.
    pub(super) fn same_address(
        &mut self,
        one: &Expr,
        other: &Expr,
        span: Span,
    ) -> Lowered<(Expr, Type)> {
        let int = Type::Scalar(INT);
        let ((a, a_type), (b, b_type)) = (self.value(one)?, self.value(other)?);
        let Type::Pointer(_, region) = a_type else { return refuse(span, "this comparison") };
        if !self.regions.unify(&a_type, &b_type) {
            return refuse(span, "this comparison");
        }
        let Some(room) = self.room(region).cloned() else { return Ok((zero(span), int)) };
        let (j, k) = (self.held(), self.held());
        let mut same = binary(BinaryOp::Equal, held(j, span), held(k, span));
        if !room.numeric {
            let invalid = number(room.invalid(), room.pointer(), span);
            let valid = binary(BinaryOp::NotEqual, held(j, span), invalid);
            same = binary(BinaryOp::LogicalAnd, valid, same);
        }
        Ok((checked(vec![(j, a), (k, b)], Vec::new(), same, span), int))
    }

    /// A run in which the pointer is null fails.
    fn given(&mut self, pointer: &Expr, span: Span) -> Lowered<(Expr, Type)> {
        let (value, ty) = self.value(pointer)?;
        let Type::Pointer(_, region) = ty else { return refuse(span, "this call") };
        let Some(room) = self.room(region).cloned() else {
            return Ok((value, Type::Scalar(INT)));
        };
        let k = self.held();
        let what = self.text(span);
        let ty = room.pointer();
        let mut conditions = Vec::new();
        let ne = |n: u64| binary(BinaryOp::NotEqual, held(k, span), number(n, ty, span));
        conditions.push((ne(0), Fault::new(FaultKind::GivenNull, &what)));
        if !room.numeric {
            let fault = Fault::new(FaultKind::GivenNoValue, &what);
            conditions.push((ne(room.invalid()), fault));
        }
        Ok((checked(vec![(k, value)], conditions, zero(span), span), Type::Scalar(INT)))
    }

    /// The bytes of the object that a pointer points to.
    fn object_size(&mut self, pointer: &Expr, span: Span) -> Lowered<(Expr, Type)> {
        let (value, ty) = self.value(pointer)?;
        let Type::Pointer(_, region) = &ty else { return refuse(span, "this call") };
        let name = self.size_type(false);
        let ty = Type::Scalar(name);
        self.regions.walk(*region);
        let Some(room) = self.room(*region).cloned() else { return Ok((value, ty)) };
        if room.objects.iter().any(|object| object.open || object.length.is_some()) {
            return refuse(span, "the size of an object whose size is not constant");
        }
        let each = match room.cell {
            Some(_) => 1,
            None => self.bytes(&room.element).unwrap_or(1),
        };
        let k = self.held();
        let at = held(k, span);
        let conditions = self.some_value(&room, &at, &self.text(pointer.span));
        let mut size = number(0, name, span);
        for (slots, here) in by_object(&room, &at, |slots, here| (slots, here)) {
            size = conditional(here, number(slots * each, name, span), size);
        }
        Ok((checked(vec![(k, value)], conditions, size, span), ty))
    }

    /// Do two pointers point into one object? A run ends where one has no value.
    fn same_object(&mut self, one: &Expr, other: &Expr, span: Span) -> Lowered<(Expr, Type)> {
        let int = Type::Scalar(INT);
        let (a, b) = match (self.is_zero(one), self.is_zero(other)) {
            (true, true) => return Ok((number(1, INT, span), int)),
            (true, false) => (other, None),
            (false, true) => (one, None),
            (false, false) => (one, Some(other)),
        };
        let (a, a_type) = self.value(a)?;
        let b = match b {
            Some(b) => Some(self.value(b)?),
            None => None,
        };
        let Type::Pointer(_, region) = a_type else { return refuse(span, "this call") };
        if let Some((_, b_type)) = &b
            && !self.regions.unify(&a_type, b_type)
        {
            return refuse(span, "this call");
        }
        self.regions.walk(region);
        let Some(room) = self.room(region).cloned() else { return Ok((a, int)) };
        let ty = room.pointer();
        let (j, k) = (self.held(), self.held());
        let is = |k: u32, n: u64| binary(BinaryOp::Equal, held(k, span), number(n, ty, span));
        let mut list = vec![(j, a)];
        let mut cuts = vec![is(j, room.invalid())];
        let mut value = is(j, 0);
        if let Some((b, _)) = b {
            list.push((k, b));
            cuts.push(is(k, room.invalid()));
            let first = by_object(&room, &held(j, span), |_, here| here);
            let second = by_object(&room, &held(k, span), |_, here| here);
            let both = |(one, other)| binary(BinaryOp::LogicalAnd, one, other);
            let mut parts: Vec<Expr> = first.into_iter().zip(second).map(both).collect();
            parts.push(binary(BinaryOp::LogicalAnd, value, is(k, 0)));
            value = any(parts).unwrap_or_else(|| zero(span));
        }
        let mut made = checked(list, Vec::new(), value, span);
        if let (ExprKind::Checked(made), false) = (&mut made.kind, room.numeric) {
            made.cuts = cuts;
        }
        Ok((expr(made.kind, span), int))
    }
}
