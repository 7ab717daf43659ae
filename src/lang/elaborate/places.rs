//! Places: variables, array elements and structs, with their indices evaluated.

use super::effects::Effects;
use super::elaborator::Elaborator;
use super::structs::StructPlace;
use super::target::{Index, Path, Target};
use super::value::Value;
use crate::lang::lowering::expressions::{and, below, binary, cast};
use crate::lang::message::{Message, at_line, is};
use crate::lang::model::{
    BinaryOperator, ErrorKind, Expression, Scalar, Span, Subject, VariableId,
};
use crate::lang::rooms::Room;
use crate::lang::syntax::{Expr, StructId};

impl Elaborator<'_> {
    /// Evaluates the indices of a place.
    #[inline(never)]
    pub(super) fn place(&mut self, e: &Expr) -> Target {
        let (id, name, indices) = match self.path(e) {
            Path::Variable { id, name, indices } => (id, name, indices),
            Path::Struct { type_id, leaves, dimensions, name, indices } => {
                return self.struct_target(type_id, leaves, &dimensions, &name, &indices, e.span);
            }
            Path::Poisoned => return Target::Poisoned,
        };
        let variable = self.program.variable(id);
        let (scalar, dimensions) = (variable.scalar, variable.dimensions.clone());
        if dimensions.len() != indices.len() {
            let message = match dimensions.len() {
                0 => format!("`{name}` is not an array"),
                _ if indices.is_empty() => format!("`{name}` is an array"),
                n => format!(
                    "`{name}` takes {n} {}, not {}",
                    if n == 1 { "index" } else { "indices" },
                    indices.len()
                ),
            };
            let hint = if dimensions.is_empty() {
                "leave the index out"
            } else {
                "arrays are not passed or copied; name one element"
            };
            self.diagnostics.error(e.span, message, hint);
            return Target::Poisoned;
        }
        match indices[..] {
            [] => Target::Variable(id, scalar),
            [only] => {
                let index = self.index_value(only, e.span);
                let inside = below(&index, i128::from(dimensions[0]));
                let subject = indices_of(&name, std::slice::from_ref(&index), &dimensions);
                let inside = match self.is_summarized(&name) {
                    true => inside,
                    false => self.bounds(inside, subject, &name, e.span),
                };
                Target::Element { array: id, index, inside, past: None, scalar }
            }
            _ => self.cell(id, scalar, &name, &dimensions, &indices, e.span),
        }
    }

    /// Is it an array of slots, or a member of one, behind which the summary object begins?
    fn is_summarized(&self, name: &str) -> bool {
        self.program.memory.rooms.iter().any(|room| room.summary.is_some() && begins(room, name))
    }

    /// Is it an array of slots, or a member of one?
    fn is_memory(&self, name: &str) -> bool {
        self.program.memory.rooms.iter().any(|room| begins(room, name))
    }

    /// The value of an index.
    fn index_value(&mut self, index: Index<'_>, span: Span) -> Expression {
        match index {
            Index::Given(e) => {
                let value = self.expression(e);
                self.settle(value, e.span)
            }
            Index::Zero => self.int_constant(0, span),
        }
    }

    /// The place of a whole struct.
    fn struct_target(
        &mut self,
        type_id: StructId,
        leaves: Vec<VariableId>,
        dimensions: &[u32],
        name: &str,
        indices: &[Index<'_>],
        span: Span,
    ) -> Target {
        if dimensions.len() != indices.len() || dimensions.len() > 1 {
            let message = Message::from(at_line(&format!("`{name}` is no single struct")));
            self.diagnostics.error(span, message, "index it down to one struct of an array");
            return Target::Poisoned;
        }
        let index = match indices {
            [only] => {
                let index = self.index_value(*only, span);
                let inside = below(&index, i128::from(dimensions[0]));
                if self.is_summarized(name) {
                    let message = is("a whole struct of a summary object");
                    self.diagnostics.error(span, message, "copy member by member");
                }
                if let Some(inside) = inside {
                    // A read past the end would give any value to every member. No program intends
                    // that, so it is always an error.
                    let subject = indices_of(name, std::slice::from_ref(&index), dimensions);
                    let message = format!("index of {name}");
                    self.require_named(ErrorKind::Bounds, inside, subject, message, span);
                }
                Some(index)
            }
            _ => None,
        };
        Target::Struct(StructPlace { type_id, leaves, index })
    }

    /// An element of an array of several dimensions, whose elements are numbered row by row.
    fn cell(
        &mut self,
        array: VariableId,
        scalar: Scalar,
        name: &str,
        dimensions: &[u32],
        indices: &[Index<'_>],
        span: Span,
    ) -> Target {
        let mut values = Vec::with_capacity(indices.len());
        for (k, index) in indices.iter().enumerate() {
            let value = self.index_value(*index, span);
            let mut later = Effects::default();
            for index in &indices[k + 1..] {
                if let Index::Given(e) = index {
                    later = later.with(self.effects(e));
                }
            }
            let value = match k + 1 < indices.len() {
                true => {
                    let kept = self.keep(Value::Typed(value), later, span);
                    self.settle(kept, span)
                }
                false => value,
            };
            values.push(value);
        }
        // The first index of memory is the slot, which is none of the program's.
        let own = usize::from(values.len() > 1 && self.is_memory(name));
        let shown = match (own, indices.get(1)) {
            (1, Some(Index::Given(first))) => {
                let array = Span { end: first.span.start, ..span };
                let text = self.tidy(array);
                text.strip_suffix('[').map(str::to_string).unwrap_or(text)
            }
            _ => name.to_string(),
        };
        let subject = indices_of(&shown, &values[own..], &dimensions[own..]);
        // Behind the slots of a room the summary object begins.
        let slots = usize::from(self.is_summarized(name));
        let mut conditions =
            (values.iter().zip(dimensions)).map(|(value, size)| below(value, i128::from(*size)));
        let is_individual = conditions.by_ref().take(slots).flatten().next();
        let inside = conditions.flatten().reduce(and);
        let total = dimensions.iter().product::<u32>();
        let wide = Scalar::int((32 - total.leading_zeros()) as u8, false);
        let constant = |n: u32| Expression::Constant(u64::from(n), wide);
        let mut flat = constant(0);
        for (k, (value, size)) in values.into_iter().zip(dimensions).enumerate() {
            let value = cast(value, wide);
            if k == 0 {
                flat = value;
                continue;
            }
            let start = match flat {
                Expression::Constant(bits, _) => {
                    Expression::Constant(wide.wrap(i128::from(bits) * i128::from(*size)), wide)
                }
                row => binary(BinaryOperator::Multiply, row, constant(*size)),
            };
            flat = match (start, value) {
                (Expression::Constant(r, _), Expression::Constant(c, _)) => {
                    Expression::Constant(wide.wrap(i128::from(r) + i128::from(c)), wide)
                }
                (start, value) => binary(BinaryOperator::Add, start, value),
            };
        }
        let inside = self.bounds(inside, subject, &shown, span);
        let inside = is_individual.into_iter().chain(inside).reduce(and);
        Target::Element { array, index: flat, inside, past: Some(constant(total)), scalar }
    }

    /// Checks the bounds if that check is on. Otherwise it returns the condition, which the read
    /// takes into account.
    fn bounds(
        &mut self,
        inside: Option<Expression>,
        subject: Subject,
        name: &str,
        span: Span,
    ) -> Option<Expression> {
        let inside = inside?;
        if self.checked(ErrorKind::Bounds) {
            let message = format!("index of {name}");
            self.require_named(ErrorKind::Bounds, inside, subject, message, span);
            return None;
        }
        Some(inside)
    }

    /// The value at a place. It is any value if an unchecked index is outside.
    #[inline(never)]
    pub(super) fn read(&mut self, target: &Target, span: Span) -> Value {
        if self.checks_reads() {
            match target {
                Target::Variable(id, scalar) => {
                    self.has_value(&Expression::Variable(*id, *scalar), span);
                }
                Target::Element { array, index, scalar, .. } => {
                    let element = Expression::Element(*array, Box::new(index.clone()), *scalar);
                    self.has_value(&element, span);
                }
                Target::Struct(_) | Target::Poisoned => {}
            }
        }
        self.read_stored(target, span)
    }

    /// The value at a place that was just written.
    pub(super) fn read_stored(&mut self, target: &Target, span: Span) -> Value {
        match target {
            Target::Poisoned => Value::Poisoned,
            Target::Struct(_) => {
                let message = at_line("a whole struct is no number");
                self.diagnostics.error(span, message, "name a member of it");
                Value::Poisoned
            }
            Target::Variable(id, scalar) => {
                let value = Expression::Variable(*id, *scalar);
                Value::Typed(self.read_apart(*id, value, span))
            }
            Target::Element { array, index, inside, scalar, .. } => {
                let element = Expression::Element(*array, Box::new(index.clone()), *scalar);
                let value = match inside {
                    None => element,
                    Some(inside) => self.any_unless(inside.clone(), element, span),
                };
                Value::Typed(self.read_apart(*array, value, span))
            }
        }
    }
}

/// Is this the name of a room's slots, or of a member of them?
fn begins(room: &Room, name: &str) -> bool {
    let rest = name.strip_prefix(&room.array).filter(|_| !room.array.is_empty());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The indices of an element, with the sizes of the array's dimensions.
fn indices_of(array: &str, indices: &[Expression], sizes: &[u32]) -> Subject {
    Subject::Index { array: array.to_string(), indices: indices.to_vec(), sizes: sizes.to_vec() }
}
