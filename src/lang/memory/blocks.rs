//! `memset`, `memcpy` and `memmove` of a constant number of bytes: one step that writes all.

use super::build::{binary, cast, expr, held, number, storing};
use super::flat::Spot;
use super::layout::Room;
use super::lowerer::{Lowered, Lowerer, refuse};
use super::pointers::Use;
use super::regions::RegionId;
use super::types::{CHAR, INT, Type, bits_of, unsigned};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, Name};

/// Most bytes that are written in one step.
const MOST_BYTES: i128 = 256;

/// Does a procedure of the library write a block of memory?
pub(super) fn writes_block(name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    matches!(name, "memset" | "memcpy" | "memmove")
}

/// A block of memory: its room, and the pointer to it without effects.
type Block = (Room, Expr, Spot);

impl Lowerer<'_> {
    /// A call that writes a block of constant size; `None` if it is another call, or writes
    /// characters.
    pub(super) fn block_call(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        span: Span,
    ) -> Lowered<Option<(Expr, Type)>> {
        let unwanted = std::mem::take(&mut self.unwanted);
        let sets = name.text == "memset";
        let ([to, from, size], true) =
            (arguments, sets || matches!(name.text.as_str(), "memcpy" | "memmove"))
        else {
            return Ok(None);
        };
        let Some(size @ 1..=MOST_BYTES) = self.constant(size) else { return Ok(None) };
        let is_block = |this: &mut Self, e: &Expr| {
            let ty = this.static_type(uncast(e)).or_else(|| match &uncast(e).kind {
                ExprKind::Address(place) => this.static_type(place),
                _ => None,
            });
            match ty {
                Some(Type::Pointer(to, _)) => !this.is_character(&to),
                Some(ty) => !this.is_character(ty.element()),
                None => false,
            }
        };
        // The library's own procedure copies characters.
        let other = if sets { to } else { from };
        if !is_block(self, to) || !is_block(self, other) {
            return Ok(None);
        }
        let size = size as u64;
        let (pointer, ty) = self.value(to)?;
        let (value, value_type) = self.value(from)?;
        let Type::Pointer(_, region) = &ty else {
            return refuse(to.span, "a value that is used as a pointer");
        };
        self.whole_cells(*region, size);
        let (k, o) = (self.held(), self.held());
        let source = match (&value_type, sets) {
            (Type::Pointer(_, source), false) => Some(*source),
            (Type::Scalar(_), true) => None,
            _ => return refuse(span, format!("`{}` with these arguments", name.text)),
        };
        if let Some(source) = source {
            self.whole_cells(source, size);
        }
        let Some(target) = self.block_at(held(k, span), *region, to) else {
            return Ok(Some((pointer, ty)));
        };
        let (mut conditions, mut stores) = (Vec::new(), Vec::new());
        let room = &target.0;
        conditions.extend(self.reachable(room, &target.1, &target.2, (size, 1), Use::Write));
        match source {
            None => {
                let cell = room.unit();
                let byte = cast(unsigned(64), cast(unsigned(8), held(o, span)));
                let all = (0..cell).fold(0u64, |all, k| all | 1 << (8 * k));
                let filled = binary(BinaryOp::Multiply, byte, number(all, unsigned(64), span));
                for at in (0..size).step_by(cell as usize) {
                    self.scattered(room, &target.1, (at, cell), &filled, &mut stores);
                }
            }
            Some(source) => {
                let Some(block) = self.block_at(held(o, span), source, from) else {
                    return Ok(Some((pointer, ty)));
                };
                let used = self.reachable(&block.0, &block.1, &block.2, (size, 1), Use::Read);
                conditions.extend(used);
                let step = room.unit().max(block.0.unit());
                if !size.is_multiple_of(step) {
                    return refuse(span, "memory that is used as values of two types");
                }
                for at in (0..size).step_by(step as usize) {
                    let value = self.gathered(&block.0, &block.1, at, step);
                    self.scattered(room, &target.1, (at, step), &value, &mut stores);
                }
            }
        }
        let list = vec![(k, pointer), (o, value)];
        let value = match unwanted {
            true => number(0, INT, span),
            false => held(k, span),
        };
        let made = storing(list, conditions, stores, value, span);
        let ty = Type::Pointer(Box::new(Type::Void), *region);
        Ok(Some((expr(made.kind, span), ty)))
    }

    fn is_character(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(name) => bits_of(*name, self.int) <= bits_of(CHAR, self.int),
            Type::Void => true,
            _ => false,
        }
    }

    /// The region becomes bytes; blocks of this size have no part of a slot.
    fn whole_cells(&mut self, region: RegionId, size: u64) {
        self.regions.flatten(region);
        self.regions.walk(region);
        if self.layout.is_none() {
            self.blocks.push((region, size));
        }
    }

    fn block_at(&mut self, pointer: Expr, region: RegionId, e: &Expr) -> Option<Block> {
        let room = self.flat_room(region)?;
        let what = self.text(e.span);
        let spot = self.spot(&pointer, region, &what)?;
        Some((room, pointer, spot))
    }
}

/// Without casts to other pointers.
fn uncast(e: &Expr) -> &Expr {
    let mut e = e;
    while let ExprKind::PointerCast(_, inner) = &e.kind {
        e = inner;
    }
    e
}
