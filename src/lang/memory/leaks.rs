//! `--check leak`: memory on the heap that is still there when `main` ends, and that nothing
//! reaches from variables that outlive `main`.
//!
//! The check is a procedure of the new tree. It marks what globals and static locals point to, then
//! what marked objects point to, as often as there are objects. A pointer into an object reaches
//! it. Where memory is bytes, each aligned group of bytes that is the address of an object counts.

use super::build::{
    any, between, binary, checked, expr, index, name, named, not, number, statement, zero,
};
use super::heap::{declaration, plain_call, procedure};
use super::layout::{Life, Placed, Room};
use super::library::AT_EXIT;
use super::lowerer::{Lowered, Lowerer, refuse, unnamed};
use super::regions::RegionId;
use super::types::{Type, bits_of, unsigned, width_of};
use crate::lang::fault::{Fault, FaultKind};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, Item, Statement, StatementKind, TypeName};

/// The procedure that checks.
const CHECK: &str = "memory at the end";

/// Most objects on the heap that are checked.
const MOST_OBJECTS: usize = 32;

/// Most pointers that are looked at.
const MOST_POINTERS: usize = 1024;

/// A pointer somewhere: its value, its type in the new tree, and the region into which it points.
type Pointer = (Expr, TypeName, RegionId);

/// An object on the heap.
struct Object {
    region: RegionId,
    room: Room,
    placed: Placed,
    name: String,
}

impl Lowerer<'_> {
    /// The lines that ask for memory of a region.
    fn lines(&self, region: RegionId) -> Vec<Span> {
        let root = self.regions.find(region);
        let mine = self.allocations.iter().filter(|a| self.regions.find(a.region) == root);
        let mut lines: Vec<Span> = mine.map(|allocation| allocation.span).collect();
        lines.sort_by_key(|span| span.line);
        lines.dedup_by_key(|span| span.line);
        lines
    }

    /// Which of the lines that ask for memory of a region is this one? `None` if there are not
    /// several.
    pub(super) fn line_number(&self, region: RegionId, span: Span) -> Option<(u64, TypeName)> {
        let lines = self.lines(region);
        if !self.leak || lines.len() < 2 {
            return None;
        }
        let at = lines.iter().position(|line| line.line == span.line)? as u64;
        Some((at, line_type(lines.len())))
    }

    /// The type of the numbers of lines; `None` if there are not several lines.
    pub(super) fn line_numbers(&self, region: RegionId) -> Option<TypeName> {
        let lines = self.lines(region).len();
        (self.leak && lines > 1).then(|| line_type(lines))
    }

    /// What is called where `main` ends: the procedures of `atexit`, and what checks.
    pub(super) fn end_of_main(&mut self, span: Span) -> Vec<Statement> {
        if self.owner != "main" {
            return Vec::new();
        }
        let mut made: Vec<Statement> = self.at_exit(span).into_iter().collect();
        let takes = self
            .layout
            .as_ref()
            .is_some_and(|layout| layout.rooms.values().any(|room| !room.pools.is_empty()));
        if self.leak && takes {
            made.push(plain_call(CHECK, span));
        }
        made
    }

    /// The call of what `atexit` was given, if the program uses that.
    pub(super) fn at_exit(&mut self, span: Span) -> Option<Statement> {
        if !self.is_defined(AT_EXIT) || self.is_written(AT_EXIT) {
            return None;
        }
        let owner = self.owner.clone();
        self.calls.entry(owner).or_default().insert(AT_EXIT.to_string());
        Some(plain_call(AT_EXIT, span))
    }

    /// Makes the procedure that checks.
    pub(super) fn leaks(&mut self) -> Lowered<()> {
        let objects = self.heap_objects();
        let Some(first) = objects.first() else { return Ok(()) };
        if !self.leak {
            return Ok(());
        }
        let file = self.file;
        let end = file.items.iter().find_map(|item| match item {
            Item::Function(f) if f.name.text == "main" => f.body.as_ref().map(|body| body.end),
            _ => None,
        });
        let span = end.unwrap_or(first.room.span);
        if self.calls.values().any(|called| called.contains("main")) {
            return refuse(span, "the check of leaks in a program that calls `main`");
        }
        if objects.len() > MOST_OBJECTS {
            return refuse(span, "the check of leaks with this many objects");
        }
        let roots = self.outliving(span)?;
        let mut inner = Vec::with_capacity(objects.len());
        for object in &objects {
            let mut pointers = Vec::new();
            self.pointers_of(&object.room.clone(), &object.placed, &mut pointers, span)?;
            inner.push(pointers);
        }
        let reached = |k: usize| named(&format!("reached {}", k + 1), span);
        let mut made: Vec<Statement> = Vec::new();
        let mut marks = Vec::new();
        for (k, object) in objects.iter().enumerate() {
            made.push(declaration(&format!("reached {}", k + 1), TypeName::Bool, span));
            let points = self.one_points(&roots, object).unwrap_or_else(|| none(span));
            marks.push((reached(k), Some(points)));
        }
        made.push(statement(StatementKind::Forget(marks), span));
        let mut spreads = Vec::new();
        for (k, object) in objects.iter().enumerate() {
            let mut ways = vec![reached(k)];
            for (j, pointers) in inner.iter().enumerate().filter(|(j, _)| *j != k) {
                let Some(points) = self.one_points(pointers, object) else { continue };
                let alive = self.exists(&objects[j], span);
                let from = binary(BinaryOp::LogicalAnd, reached(j), alive);
                ways.push(binary(BinaryOp::LogicalAnd, from, points));
            }
            if ways.len() > 1 {
                let value = any(ways).unwrap_or_else(|| none(span));
                spreads.push((reached(k), Some(value)));
            }
        }
        if !spreads.is_empty() {
            // Each time, a mark goes at least one object further.
            for _ in 1..objects.len() {
                made.push(statement(StatementKind::Forget(spreads.clone()), span));
            }
        }
        for (k, object) in objects.iter().enumerate() {
            let lost = binary(BinaryOp::LogicalAnd, self.exists(object, span), not(reached(k)));
            let lines = self.lines(object.region);
            for (number_of_line, line) in lines.iter().enumerate() {
                let mut holds = not(lost.clone());
                if let (true, Some(flag)) = (lines.len() > 1, object.placed.flag) {
                    let at = number(u64::from(flag), unsigned(16), span);
                    let asked = index(named(&object.room.lines_name(), span), at);
                    let here = number(number_of_line as u64, line_type(lines.len()), span);
                    let other = binary(BinaryOp::NotEqual, asked, here);
                    holds = binary(BinaryOp::LogicalOr, holds, other);
                }
                let fault = Fault::new(FaultKind::Lost { taken: line.line }, &object.name);
                let check = checked(Vec::new(), vec![(holds, fault)], zero(*line), *line);
                made.push(statement(StatementKind::Expression(check), *line));
            }
        }
        let mut item = procedure(CHECK, TypeName::Void, Vec::new(), made, span);
        // Its checks stand where the memory is taken.
        if let Item::Function(function) = &mut item {
            function.shared = false;
        }
        self.made.insert(CHECK.to_string(), item);
        Ok(())
    }

    fn exists(&self, object: &Object, span: Span) -> Expr {
        match object.placed.flag {
            Some(flag) => self.flag(&object.room, flag, span),
            None => number(1, TypeName::Bool, span),
        }
    }

    /// Does one of these pointers point into the object? `None` if none can.
    fn one_points(&self, pointers: &[Pointer], object: &Object) -> Option<Expr> {
        let room = &object.room;
        let first = room.code(u64::from(object.placed.first));
        let end = room.code(u64::from(object.placed.first + object.placed.slots));
        let last = end.saturating_sub(1).max(first);
        let mine = pointers.iter().filter(|(_, _, region)| *region == object.region);
        any(mine.map(|(pointer, ty, _)| between(pointer, first, last, *ty)).collect())
    }

    /// The objects on the heap, with their names.
    fn heap_objects(&self) -> Vec<Object> {
        let Some(layout) = &self.layout else { return Vec::new() };
        let mut found = Vec::new();
        for (region, room) in &layout.rooms {
            if !self.used.contains(region) {
                continue;
            }
            let word = room.name.split(" objects").next().unwrap_or("object");
            for (k, placed) in room.objects.iter().filter(|placed| placed.heap).enumerate() {
                found.push(Object {
                    region: *region,
                    room: room.clone(),
                    placed: *placed,
                    name: format!("{word}#{}", k + 1),
                });
            }
        }
        found
    }

    /// The pointers in variables that are still there when `main` has ended.
    fn outliving(&mut self, span: Span) -> Lowered<Vec<Pointer>> {
        let mut found = Vec::new();
        let mut globals: Vec<_> = self.globals.clone().into_iter().collect();
        globals.sort_by(|one, other| one.0.cmp(&other.0));
        for (text, variable) in globals {
            if self.placed(variable.key).is_none() && !variable.closed {
                self.pointers_at(named(&text, span), &variable.ty, &mut found, span)?;
            }
        }
        let whole: Vec<(RegionId, u32)> = self
            .objects
            .iter()
            .filter(|(_, object)| object.life == Life::Whole && object.owner.is_none())
            .map(|(key, object)| (self.regions.find(object.region), *key))
            .collect();
        for (region, key) in whole {
            let (Some(room), Some(placed)) = (self.room(region).cloned(), self.placed(key)) else {
                continue;
            };
            self.pointers_of(&room, &placed, &mut found, span)?;
        }
        Ok(found)
    }

    /// The pointers in the slots of an object.
    fn pointers_of(
        &mut self,
        room: &Room,
        placed: &Placed,
        into: &mut Vec<Pointer>,
        span: Span,
    ) -> Lowered<()> {
        if matches!(room.element, Type::Procedure(_)) {
            return Ok(());
        }
        let Some(cell) = room.cell else {
            for slot in placed.first..placed.first + placed.slots {
                let at = number(u64::from(slot), unsigned(16), span);
                self.pointers_at(index(named(&room.name, span), at), &room.element, into, span)?;
            }
            return Ok(());
        };
        // Pointers that stand in memory of bytes all point into one region.
        let anything = self.regions.find(self.anything);
        let Some(target) = self.room(anything).cloned() else { return Ok(()) };
        let size = self.pointer_bytes();
        let ty = unsigned(self.pointer_bits());
        let bytes = u64::from(placed.slots) * cell;
        for at in (0..bytes.saturating_sub(size - 1)).step_by(size as usize) {
            let first = number(room.code(u64::from(placed.first)), target.pointer(), span);
            into.push((self.gathered(room, &first, at, size), ty, anything));
        }
        enough(into, span)
    }

    /// The pointers in a value of this type.
    fn pointers_at(
        &mut self,
        e: Expr,
        ty: &Type,
        into: &mut Vec<Pointer>,
        span: Span,
    ) -> Lowered<()> {
        match ty {
            Type::Pointer(_, region) => {
                let region = self.regions.find(*region);
                into.push((e, self.written_type(ty), region));
            }
            Type::Scalar(name)
                if self.numbers && bits_of(*name, self.int) == self.pointer_bits() =>
            {
                let written = unsigned(self.pointer_bits());
                let anything = self.regions.find(self.anything);
                into.push((super::build::cast(written, e), written, anything));
            }
            Type::Array(inner, count) => {
                for k in 0..*count {
                    let at = number(u64::from(k), unsigned(16), span);
                    self.pointers_at(index(e.clone(), at), inner, into, span)?;
                    enough(into, span)?;
                }
            }
            Type::Struct(id) => {
                for (position, (member, ty)) in self.members(*id, span)?.into_iter().enumerate() {
                    let written = if member.is_empty() { unnamed(position) } else { member };
                    let kind = ExprKind::Member(Box::new(e.clone()), name(&written, span));
                    self.pointers_at(expr(kind, span), &ty, into, span)?;
                }
            }
            _ => {}
        }
        enough(into, span)
    }
}

fn enough(pointers: &[Pointer], span: Span) -> Lowered<()> {
    match pointers.len() > MOST_POINTERS {
        true => refuse(span, "the check of leaks with this many pointers"),
        false => Ok(()),
    }
}

fn line_type(lines: usize) -> TypeName {
    unsigned(width_of(lines as u64 - 1))
}

fn none(span: Span) -> Expr {
    number(0, TypeName::Bool, span)
}
