//! The heap: a procedure that takes an object of a pool, and one that gives it back.
//!
//! A pool has one object more than may be in use at once. A run may decide that an object, once
//! freed, is never taken again. So each use of freed memory is found in some run, although other
//! objects are taken again. Which of the free objects is taken makes no difference: the first is.

use super::build::{
    any, binary, checked, conditional, expr, held, index, name, named, not, number, statement,
    unset,
};
use super::layout::{Placed, Pool, Room};
use super::lowerer::{Lowered, Lowerer, refuse};
use super::regions::RegionId;
use super::types::{Type, unsigned, width_of};
use crate::lang::fault::{Fault, FaultKind};
use crate::lang::model::Span;
use crate::lang::syntax::{
    BinaryOp, Block, Branch, Declaration, Declarator, Expr, ExprKind, Function, Item, Parameter,
    Statement, StatementKind, TypeName,
};

/// The variable that holds the number of the object that is taken.
const TAKEN: &str = "taken object";
/// The pointer that is given back.
const GIVEN: &str = "given back";
/// The size that is asked for.
const ASKED: &str = "asked bytes";
/// The new memory of `realloc`.
const NEW: &str = "new memory";

impl Lowerer<'_> {
    /// The name of the procedure that takes an object of this size.
    pub(super) fn allocator(
        &mut self,
        region: RegionId,
        bytes: Option<u64>,
        clears: bool,
        span: Span,
    ) -> Lowered<String> {
        let Some(room) = self.room(region).cloned() else { return Ok(String::new()) };
        let each = match self.bytes(&room.element) {
            Some(each) if each > 0 => each,
            _ => return refuse(span, "memory of which nothing says what it holds"),
        };
        let fits = |pool: &&Pool| match bytes {
            Some(bytes) => pool.fits((bytes / each) as u32, false),
            None => pool.owner.is_none() && pool.first_length.is_some(),
        };
        let slots = bytes.map(|bytes| bytes / each);
        let Some(pool) = room.pools.iter().find(fits).copied() else {
            return refuse(span, "memory of which nothing says what it holds");
        };
        let word = if clears { "calloc" } else { "malloc" };
        let made = match slots {
            Some(1) => format!("{word} of {}", room.name),
            Some(n) => format!("{word} of {n} {}", room.name),
            None => format!("{word} of some {}", room.name),
        };
        let line = self.line_number(region, span);
        let made = match line {
            Some(_) => format!("{made}, line {}", span.line),
            None => made,
        };
        if !self.made.contains_key(&made) {
            let item = self.taking(&made, &room, (pool, each), clears, line, span)?;
            self.made.insert(made.clone(), item);
        }
        Ok(made)
    }

    pub(super) fn taking(
        &mut self,
        made: &str,
        room: &Room,
        (pool, each): (Pool, u64),
        clears: bool,
        line: Option<(u64, TypeName)>,
        span: Span,
    ) -> Lowered<Item> {
        let kept = named(&room.kept_name(), span);
        // As few bits as can be: each value that it could have is told apart.
        let number_type = unsigned(width_of(u64::from(pool.count)));
        let none = number(u64::from(pool.count), number_type, span);
        let mut taken = none.clone();
        for k in (0..pool.count).rev() {
            let first = room.code(u64::from(pool.first + k * pool.stride));
            let slot = number(first, room.pointer(), span);
            let is_free = not(self.flag(room, pool.first_flag + k, span));
            let is_kept = binary(BinaryOp::Equal, kept.clone(), slot);
            let test = binary(BinaryOp::LogicalAnd, is_free, not(is_kept));
            taken = conditional(test, number(u64::from(k), number_type, span), taken);
        }
        if pool.summary {
            // Which objects are individual ones is the run's choice.
            taken = conditional(expr(ExprKind::Choice, span), taken, none.clone());
        }
        let number_taken = named(TAKEN, span);
        let number_of_slot = unsigned(room.width());
        let scaled = |offset: u32| {
            let scaled = binary(
                BinaryOp::Multiply,
                super::build::wide(number_taken.clone()),
                number(u64::from(pool.stride), super::types::WIDE, span),
            );
            let first = number(u64::from(pool.first + offset), super::types::WIDE, span);
            super::build::cast(number_of_slot, binary(BinaryOp::Add, scaled, first))
        };
        let flag_at = binary(
            BinaryOp::Add,
            super::build::wide(number_taken.clone()),
            number(u64::from(pool.first_flag), super::types::WIDE, span),
        );
        let flag_at = super::build::cast(unsigned(16), flag_at);
        let mut changes = vec![(
            index(named(&room.flags_name(), span), flag_at.clone()),
            Some(number(1, TypeName::Bool, span)),
        )];
        if let Some((line, ty)) = line {
            let place = index(named(&room.lines_name(), span), flag_at);
            changes.push((place, Some(number(line, ty, span))));
        }
        for offset in 0..pool.slots {
            let place = index(named(&room.name, span), scaled(offset));
            self.fresh_values(place, &room.element, clears, &mut changes, span)?;
        }
        if changes.len() > 512 {
            return refuse(span, "an object this large on the heap");
        }
        let mut parameters = Vec::new();
        let mut too_long = Vec::new();
        if let Some(first_length) = pool.first_length {
            parameters.push(plain_parameter(ASKED, super::types::WIDE, span));
            let asked = named(ASKED, span);
            let most = number(u64::from(pool.slots) * each, super::types::WIDE, span);
            let more = binary(BinaryOp::Less, most, asked.clone());
            too_long.push(statement(StatementKind::CutOff(more), span));
            let at = binary(
                BinaryOp::Add,
                super::build::wide(number_taken.clone()),
                number(u64::from(first_length), super::types::WIDE, span),
            );
            let at = super::build::cast(unsigned(16), at);
            let length = match each.is_power_of_two() {
                true => super::build::shift_right(asked, u64::from(each.trailing_zeros())),
                false => {
                    let each = number(each, super::types::WIDE, span);
                    binary(BinaryOp::Divide, asked, each)
                }
            };
            let length = super::build::cast(unsigned(16), length);
            changes.push((index(named(&room.lengths_name(), span), at), Some(length)));
        }
        let first = super::build::wide(scaled(0));
        let pointer = match room.numeric {
            false => first,
            true => {
                let unit = number(room.unit(), super::types::WIDE, span);
                let base = number(room.code(0), super::types::WIDE, span);
                binary(BinaryOp::Add, binary(BinaryOp::Multiply, first, unit), base)
            }
        };
        let pointer = super::build::cast(room.pointer(), pointer);
        let is_none = binary(BinaryOp::Equal, number_taken.clone(), none);
        let without = match room.summarized().filter(|_| pool.summary) {
            None => StatementKind::CutOff(is_none),
            Some(summary) => {
                let summary = number(summary, room.pointer(), span);
                let then = statement(StatementKind::Return(Some(summary)), span);
                let branch = Branch { condition: is_none, then, head: span };
                StatementKind::If { branches: vec![branch], otherwise: None }
            }
        };
        let mut statements = too_long;
        statements.extend([
            declaration(TAKEN, number_type, span),
            statement(StatementKind::Forget(vec![(number_taken.clone(), Some(taken))]), span),
            statement(without, span),
        ]);
        statements.extend(unset(changes, span));
        statements.push(statement(StatementKind::Return(Some(pointer)), span));
        Ok(procedure(made, room.pointer(), parameters, statements, span))
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
                let value = match (clears, self.invalid(*region)) {
                    (true, _) => Some(0),
                    (false, invalid) => invalid,
                };
                into.push((place, value.map(|value| number(value, name, span))));
            }
            Type::Struct(id) => {
                for (position, (member, ty)) in self.members(*id, span)?.into_iter().enumerate() {
                    let member = match (member.is_empty(), &ty) {
                        (true, Type::Struct(_)) => super::lowerer::unnamed(position),
                        (true, _) => continue,
                        _ => member,
                    };
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
                        return refuse(span, "an object this large");
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
        if self.room(region).is_none() {
            return Ok(pointer);
        }
        let (held, conditions, slot) = self.returned_memory(pointer, region, at)?;
        let made = self.giver(region, span);
        let call = expr(ExprKind::Call(name(&made, span), vec![slot.clone()]), span);
        Ok(self.led_to(checked(held, conditions, call, span), region, &slot))
    }

    /// A pointer that is given back: what is held, what must hold, and the pointer.
    #[allow(clippy::type_complexity)]
    pub(super) fn returned_memory(
        &mut self,
        pointer: Expr,
        region: RegionId,
        at: Span,
    ) -> Lowered<(Vec<(u32, Expr)>, Vec<(Expr, Fault<Expr>)>, Expr)> {
        let Some(room) = self.room(region).cloned() else {
            return Ok((Vec::new(), Vec::new(), pointer));
        };
        let what = self.text(at);
        let (ty, k) = (room.pointer(), self.held());
        let slot = held(k, at);
        let is = |n: u64| binary(BinaryOp::Equal, slot.clone(), number(n, ty, at));
        let is_null = is(0);
        let heap: Vec<_> = room.objects.iter().filter(|o| o.heap).collect();
        let start = |o: &Placed| match room.summarized() {
            Some(summary) if summary == u64::from(o.first) => {
                binary(BinaryOp::GreaterEqual, slot.clone(), number(summary, ty, at))
            }
            _ => is(room.code(u64::from(o.first))),
        };
        let starts = std::iter::once(is_null).chain(heap.iter().map(|o| start(o)));
        let mut conditions = Vec::new();
        if !room.numeric {
            let invalid = number(room.invalid(), ty, at);
            let has_value = binary(BinaryOp::NotEqual, slot.clone(), invalid);
            conditions.push((has_value, Fault::new(FaultKind::FreedNoValue, &what)));
        }
        if let Some(holds) = any(starts.collect()) {
            conditions.push((holds, Fault::new(FaultKind::NotTaken, &what)));
        }
        let alive = heap.iter().filter_map(|o| {
            let other = not(start(o));
            Some(binary(BinaryOp::LogicalOr, other, self.flag(&room, o.flag?, at)))
        });
        if let Some(holds) = super::build::all(alive.collect()) {
            conditions.push((holds, Fault::new(FaultKind::FreedBefore, &what)));
        }
        Ok((vec![(k, pointer)], conditions, slot))
    }

    /// The procedure that gives memory of a region back.
    pub(super) fn giver(&mut self, region: RegionId, span: Span) -> String {
        let Some(room) = self.room(region).cloned() else { return String::new() };
        let made = format!("free of {}", room.name);
        if !self.made.contains_key(&made) {
            let item = self.giving(&made, &room, span);
            self.made.insert(made.clone(), item);
        }
        made
    }

    /// The name of the procedure that takes other memory for what stands in some.
    pub(super) fn reallocator(
        &mut self,
        region: RegionId,
        bytes: u64,
        span: Span,
    ) -> Lowered<String> {
        let Some(room) = self.room(region).cloned() else { return Ok(String::new()) };
        let given = named(GIVEN, span);
        let ty = room.pointer();
        let giver = self.giver(region, span);
        let free = expr(ExprKind::Call(name(&giver, span), vec![given.clone()]), span);
        let free = statement(StatementKind::Expression(free), span);
        let mut statements = Vec::new();
        if bytes == 0 {
            statements.push(free);
            statements.push(statement(StatementKind::Return(Some(number(0, ty, span))), span));
        } else {
            let taker = self.allocator(region, Some(bytes), false, span)?;
            let new = named(NEW, span);
            let call = expr(ExprKind::Call(name(&taker, span), Vec::new()), span);
            statements.push(declaration(NEW, ty, span));
            let set = super::build::assign(new.clone(), call, span);
            statements.push(statement(StatementKind::Expression(set), span));
            let each = self.bytes(&room.element).unwrap_or(1).max(1);
            if matches!(room.element, Type::Struct(_)) {
                return refuse(span, "`realloc` of structs");
            }
            if room.lengths > 0 {
                return refuse(span, "`realloc` of memory of a size that is not constant");
            }
            let mut changes = Vec::new();
            for k in 0..bytes / each {
                let at = if room.cell.is_some() { k * each } else { k };
                let (to, from) = (self.slot_at(&room, &new, at), self.slot_at(&room, &given, at));
                let is_long = room.objects.iter().filter(|o| o.heap && u64::from(o.slots) > k);
                let starts = is_long.map(|o| {
                    let start = number(room.code(u64::from(o.first)), ty, span);
                    binary(BinaryOp::Equal, given.clone(), start)
                });
                let Some(there) = any(starts.collect()) else { continue };
                // Behind what stood there, any value.
                let written = self.written_type(&room.element);
                let value = conditional(there, from, to.clone());
                changes.push((to, Some(super::build::cast(written, value))));
            }
            if changes.len() > 512 {
                return refuse(span, "an object this large on the heap");
            }
            statements.push(statement(StatementKind::Forget(changes), span));
            statements.push(free);
            statements.push(statement(StatementKind::Return(Some(new)), span));
        }
        let made = match self.line_number(region, span) {
            Some(_) => format!("realloc to {bytes} of {}, line {}", room.name, span.line),
            None => format!("realloc to {bytes} of {}", room.name),
        };
        let parameters = vec![plain_parameter(GIVEN, ty, span)];
        self.made.insert(made.clone(), procedure(&made, ty, parameters, statements, span));
        Ok(made)
    }

    fn giving(&mut self, made: &str, room: &Room, span: Span) -> Item {
        let ty = room.pointer();
        let given = named(GIVEN, span);
        let mut changes = Vec::new();
        for object in room.objects.iter().filter(|o| o.pooled) {
            let Some(flag) = object.flag else { continue };
            let place = self.flag(room, flag, span);
            let slot = number(room.code(u64::from(object.first)), ty, span);
            let other = binary(BinaryOp::NotEqual, given.clone(), slot);
            let value = binary(BinaryOp::LogicalAnd, place.clone(), other);
            changes.push((place, Some(value)));
        }
        let parameter = plain_parameter(GIVEN, ty, span);
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

/// A call without arguments, as a statement.
pub(super) fn plain_call(callee: &str, span: Span) -> Statement {
    let call = expr(ExprKind::Call(name(callee, span), Vec::new()), span);
    statement(StatementKind::Expression(call), span)
}

pub(super) fn procedure(
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
        shared: true,
        contract: None,
    })
}

/// A parameter that is a number or a pointer of the new tree.
pub(super) fn plain_parameter(text: &str, type_name: TypeName, span: Span) -> Parameter {
    Parameter {
        type_name,
        pointers: 0,
        rows: Vec::new(),
        name: Some(name(text, span)),
        constant: false,
        atomic: false,
        array: false,
        span,
    }
}

/// A local without a value.
pub(super) fn declaration(text: &str, type_name: TypeName, span: Span) -> Statement {
    let declarator = Declarator {
        name: name(text, span),
        pointers: 0,
        dimensions: Vec::new(),
        initializer: None,
        span,
    };
    statement(StatementKind::Declaration(Declaration::plain(type_name, vec![declarator])), span)
}
