//! The heap: a procedure that takes an object of a pool, and one that gives it back.
//!
//! A pool has one object more than may be in use at once. A run may decide that an object, once
//! freed, is never taken again. So each use of freed memory is found in some run, although other
//! objects are taken again. Which of the free objects is taken makes no difference: the first is.

use super::build::{
    any, binary, checked, conditional, expr, held, index, name, named, not, number, statement,
};
use super::layout::{Pool, Room};
use super::lowerer::{Lowered, Lowerer, refuse};
use super::regions::RegionId;
use super::types::{Type, unsigned};
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Block, Declaration, Declarator, Expr, ExprKind, Function, Item, Parameter, Statement,
    StatementKind, TypeName,
};

/// The variable that holds the number of the object that is taken.
const TAKEN: &str = "taken object";
/// The pointer that is given back.
const GIVEN: &str = "given back";
/// The type of numbers of objects.
const NUMBER: TypeName = TypeName::Exact { width: 12, signed: false };

impl Lowerer<'_> {
    /// The name of the procedure that takes an object of this size.
    pub(super) fn allocator(
        &mut self,
        region: RegionId,
        bytes: u64,
        clears: bool,
        span: Span,
    ) -> Lowered<String> {
        let Some(room) = self.room(region).cloned() else { return Ok(String::new()) };
        let each = match self.bytes(&room.element) {
            Some(each) if each > 0 => each,
            _ => return refuse(span, "it is not known what this memory holds"),
        };
        let slots = (bytes / each) as u32;
        let Some(pool) = room.pools.iter().find(|pool| pool.slots == slots).copied() else {
            return refuse(span, "it is not known what this memory holds");
        };
        let word = if clears { "calloc" } else { "malloc" };
        let made = match slots {
            1 => format!("{word} of {}", room.name),
            n => format!("{word} of {n} {}", room.name),
        };
        if !self.made.contains_key(&made) {
            let item = self.taking(&made, &room, pool, clears, span)?;
            self.made.insert(made.clone(), item);
        }
        Ok(made)
    }

    fn taking(
        &mut self,
        made: &str,
        room: &Room,
        pool: Pool,
        clears: bool,
        span: Span,
    ) -> Lowered<Item> {
        let kept = named(&room.kept_name(), span);
        let none = number(u64::from(pool.count), NUMBER, span);
        let mut taken = none.clone();
        for k in (0..pool.count).rev() {
            let slot = number(u64::from(pool.first + k * pool.stride), room.pointer(), span);
            let is_free = not(self.flag(room, pool.first_flag + k, span));
            let is_kept = binary(BinaryOp::Equal, kept.clone(), slot);
            let test = binary(BinaryOp::LogicalAnd, is_free, not(is_kept));
            taken = conditional(test, number(u64::from(k), NUMBER, span), taken);
        }
        let number_taken = named(TAKEN, span);
        let scaled = |offset: u32| {
            let scaled = binary(
                BinaryOp::Multiply,
                super::build::wide(number_taken.clone()),
                number(u64::from(pool.stride), super::types::WIDE, span),
            );
            let first = number(u64::from(pool.first + offset), super::types::WIDE, span);
            super::build::cast(room.pointer(), binary(BinaryOp::Add, scaled, first))
        };
        let flag_at = binary(
            BinaryOp::Add,
            super::build::wide(number_taken.clone()),
            number(u64::from(pool.first_flag), super::types::WIDE, span),
        );
        let flag_at = super::build::cast(unsigned(16), flag_at);
        let mut changes = vec![(
            index(named(&room.flags_name(), span), flag_at),
            Some(number(1, TypeName::Bool, span)),
        )];
        for offset in 0..pool.slots {
            let place = index(named(&room.name, span), scaled(offset));
            self.fresh_values(place, &room.element, clears, &mut changes, span)?;
        }
        if changes.len() > 512 {
            return refuse(span, "the object that is asked for is too large");
        }
        let statements = vec![
            declaration(TAKEN, NUMBER, span),
            statement(StatementKind::Forget(vec![(number_taken.clone(), Some(taken))]), span),
            statement(
                StatementKind::CutOff(binary(BinaryOp::Equal, number_taken.clone(), none)),
                span,
            ),
            statement(StatementKind::Forget(changes), span),
            statement(StatementKind::Return(Some(scaled(0))), span),
        ];
        Ok(procedure(made, room.pointer(), Vec::new(), statements, span))
    }

    /// What new memory holds: any value, or zero; its pointers have no value.
    pub(super) fn fresh_values(
        &mut self,
        place: Expr,
        ty: &Type,
        clears: bool,
        into: &mut Vec<(Expr, Option<Expr>)>,
        span: Span,
    ) -> Lowered<()> {
        match ty {
            Type::Scalar(name) => {
                into.push((place, clears.then(|| number(0, *name, span))));
            }
            Type::Pointer(_, region) => {
                let name = self.written_type(ty);
                let value = if clears { 0 } else { self.invalid(*region) };
                into.push((place, Some(number(value, name, span))));
            }
            Type::Struct(id) => {
                for (member, ty) in self.members(*id, span)? {
                    let kind = ExprKind::Member(Box::new(place.clone()), name(&member, span));
                    self.fresh_values(expr(kind, span), &ty, clears, into, span)?;
                }
            }
            Type::Array(inner, count) => {
                for k in 0..*count {
                    let at = number(u64::from(k), unsigned(16), span);
                    let element = index(place.clone(), at);
                    self.fresh_values(element, inner, clears, into, span)?;
                    if into.len() > 4096 {
                        return refuse(span, "this object is too large");
                    }
                }
            }
            Type::Void | Type::Null | Type::Other(_) | Type::Procedure(_) => {
                return refuse(span, "memory with values of this type");
            }
        }
        Ok(())
    }

    /// Gives an object back.
    pub(super) fn freed(
        &mut self,
        pointer: Expr,
        region: RegionId,
        at: Span,
        span: Span,
    ) -> Lowered<Expr> {
        let Some(room) = self.room(region).cloned() else { return Ok(pointer) };
        let what = self.text(at);
        let (ty, k) = (room.pointer(), self.held());
        let slot = held(k, at);
        let is = |n: u64| binary(BinaryOp::Equal, slot.clone(), number(n, ty, at));
        let is_null = is(0);
        let heap: Vec<_> = room.objects.iter().filter(|o| o.heap).collect();
        let starts = std::iter::once(is_null).chain(heap.iter().map(|o| is(u64::from(o.first))));
        let has_value = binary(BinaryOp::NotEqual, slot.clone(), number(room.invalid(), ty, at));
        let mut conditions = vec![(has_value, format!("`{what}` has no value here"))];
        if let Some(holds) = any(starts.collect()) {
            conditions.push((holds, format!("`{what}` does not point to memory of `malloc`")));
        }
        let alive = heap.iter().filter_map(|o| {
            let other = not(is(u64::from(o.first)));
            Some(binary(BinaryOp::LogicalOr, other, self.flag(&room, o.flag?, at)))
        });
        if let Some(holds) = super::build::all(alive.collect()) {
            conditions.push((holds, format!("`{what}` was freed before")));
        }
        let made = format!("free of {}", room.name);
        if !self.made.contains_key(&made) {
            let item = self.giving(&made, &room, span);
            self.made.insert(made.clone(), item);
        }
        let call = expr(ExprKind::Call(name(&made, span), vec![slot]), span);
        Ok(checked(vec![(k, pointer)], conditions, call, span))
    }

    fn giving(&mut self, made: &str, room: &Room, span: Span) -> Item {
        let ty = room.pointer();
        let given = named(GIVEN, span);
        let mut changes = Vec::new();
        for object in room.objects.iter().filter(|o| o.heap) {
            let Some(flag) = object.flag else { continue };
            let place = self.flag(room, flag, span);
            let slot = number(u64::from(object.first), ty, span);
            let other = binary(BinaryOp::NotEqual, given.clone(), slot);
            let value = binary(BinaryOp::LogicalAnd, place.clone(), other);
            changes.push((place, Some(value)));
        }
        let parameter = Parameter {
            type_name: ty,
            pointers: 0,
            rows: Vec::new(),
            name: Some(name(GIVEN, span)),
            constant: false,
            atomic: false,
            span,
        };
        if !room.pools.is_empty() {
            let kept = named(&room.kept_name(), span);
            let none = number(0, ty, span);
            let free_to_keep = binary(BinaryOp::Equal, kept.clone(), none);
            let choice = expr(ExprKind::Choice, span);
            let test = binary(BinaryOp::LogicalAnd, free_to_keep, choice);
            changes.push((kept.clone(), Some(conditional(test, given, kept))));
        }
        let statements = vec![statement(StatementKind::Forget(changes), span)];
        procedure(made, TypeName::Void, vec![parameter], statements, span)
    }
}

fn procedure(
    made: &str,
    result: TypeName,
    parameters: Vec<Parameter>,
    statements: Vec<Statement>,
    span: Span,
) -> Item {
    Item::Function(Function {
        result,
        pointers: 0,
        name: name(made, span),
        parameters,
        open_ended: false,
        body: Some(Block { statements, end: span }),
        span,
    })
}

/// A local without a value.
fn declaration(text: &str, type_name: TypeName, span: Span) -> Statement {
    let declarator = Declarator {
        name: name(text, span),
        pointers: 0,
        dimensions: Vec::new(),
        initializer: None,
        span,
    };
    statement(StatementKind::Declaration(plain(type_name, vec![declarator])), span)
}

/// A declaration without storage classes.
pub(super) fn plain(type_name: TypeName, declarators: Vec<Declarator>) -> Declaration {
    Declaration {
        enumerations: Vec::new(),
        type_name,
        constant: false,
        is_static: false,
        is_extern: false,
        atomic: false,
        declarators,
    }
}
