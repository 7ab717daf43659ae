//! What can be written: variables and array elements; assignment, compound assignment, `++` and
//! `--`.

use super::Elaborator;
use super::aggregates::StructPlace;
use super::conversions::{and, binary, cast};
use super::expressions::Effects;
use super::names::Entity;
use super::paths::{Index, Path};
use super::value::Value;
use crate::lang::lowering::expressions::below;
use crate::lang::model::{
    BinaryOperator, ErrorKind, Expression, Operation, Place, Scalar, Span, StatementKind,
    VariableId,
};
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, StructId, TypeName};

/// A place, its indices already evaluated.
pub(super) enum Target {
    Variable(VariableId, Scalar),
    Element {
        array: VariableId,
        /// Flattened.
        index: Expression,
        /// When the index is inside, if that is neither certain nor checked.
        inside: Option<Expression>,
        /// Of two dimensions: an index past the end, for writes outside (a column outside would
        /// meet an element of another row).
        past: Option<Expression>,
        scalar: Scalar,
    },
    /// C: a whole struct.
    Struct(StructPlace),
    /// Already reported.
    Poisoned,
}

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
                let inside = self.bounds(inside, &name, e.span);
                Target::Element { array: id, index, inside, past: None, scalar }
            }
            _ => self.cell(id, scalar, &name, &dimensions, &indices, e.span),
        }
    }

    /// An index with its type.
    fn index_value(&mut self, index: Index<'_>, span: Span) -> Expression {
        match index {
            Index::Given(e) => {
                let value = self.expression(e);
                self.settle(value, e.span)
            }
            Index::Zero => self.int_constant(0, span),
        }
    }

    /// A whole struct.
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
            let message = format!("`{name}` is no single struct: line {}", span.line);
            self.diagnostics.error(span, message, "index it down to one struct of an array");
            return Target::Poisoned;
        }
        let index = match indices {
            [only] => {
                let index = self.index_value(*only, span);
                let inside = below(&index, i128::from(dimensions[0]));
                if let Some(inside) = inside {
                    // Reading past the end would give any value to every member: that is asked for
                    // by no program that means it.
                    self.require_named(ErrorKind::Bounds, inside, format!("index of {name}"), span);
                }
                Some(index)
            }
            _ => None,
        };
        Target::Struct(StructPlace { type_id, leaves, index })
    }

    /// An element of a two-dimensional array, flattened row by row.
    fn cell(
        &mut self,
        array: VariableId,
        scalar: Scalar,
        name: &str,
        dimensions: &[u32],
        indices: &[Index<'_>],
        span: Span,
    ) -> Target {
        let row = self.index_value(indices[0], span);
        let effects = match indices[1] {
            Index::Given(e) => self.effects(e),
            Index::Zero => Effects::default(),
        };
        let row = self.keep(Value::Typed(row), effects, span);
        let row = self.settle(row, span);
        let column = self.index_value(indices[1], span);
        let inside = match (
            below(&row, i128::from(dimensions[0])),
            below(&column, i128::from(dimensions[1])),
        ) {
            (Some(one), Some(other)) => Some(and(one, other)),
            (one, other) => one.or(other),
        };
        let total = dimensions[0] * dimensions[1];
        let wide = Scalar::int((32 - total.leading_zeros()) as u8, false);
        let constant = |n: u32| Expression::Constant(u64::from(n), wide);
        let start = match cast(row, wide) {
            Expression::Constant(bits, _) => {
                Expression::Constant(wide.wrap(i128::from(bits) * i128::from(dimensions[1])), wide)
            }
            row => binary(BinaryOperator::Multiply, row, constant(dimensions[1])),
        };
        let flat = match (start, cast(column, wide)) {
            (Expression::Constant(r, _), Expression::Constant(c, _)) => {
                Expression::Constant(wide.wrap(i128::from(r) + i128::from(c)), wide)
            }
            (start, column) => binary(BinaryOperator::Add, start, column),
        };
        let inside = self.bounds(inside, name, span);
        Target::Element { array, index: flat, inside, past: Some(constant(total)), scalar }
    }

    /// Checks the bounds, or hands the condition on to the read.
    fn bounds(&mut self, inside: Option<Expression>, name: &str, span: Span) -> Option<Expression> {
        let inside = inside?;
        if self.checked(ErrorKind::Bounds) {
            self.require_named(ErrorKind::Bounds, inside, format!("index of {name}"), span);
            return None;
        }
        Some(inside)
    }

    /// The value at a place; any value where an unchecked index is outside.
    #[inline(never)]
    pub(super) fn read(&mut self, target: &Target, span: Span) -> Value {
        match target {
            Target::Poisoned => Value::Poisoned,
            Target::Struct(_) => {
                let message = format!("a whole struct is no number: line {}", span.line);
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

    /// `place = value`, `place op= value`. The value of the whole is asked for only inside another
    /// expression.
    #[inline(never)]
    pub(super) fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        place: &Expr,
        value: &Expr,
        span: Span,
        wanted: bool,
    ) -> Value {
        let target = self.place(place);
        self.writable(place);
        if let (Target::Struct(to), None) = (&target, op) {
            self.copy_struct(to, value, span);
            return Value::Void;
        }
        let atomic = self.open_indivisible(place, op.is_some());
        let value = self.assign_to(target, op, place, value, span, wanted);
        self.close_indivisible(atomic, span);
        value
    }

    fn assign_to(
        &mut self,
        target: Target,
        op: Option<BinaryOp>,
        place: &Expr,
        value: &Expr,
        span: Span,
        wanted: bool,
    ) -> Value {
        let effects = self.effects(value);
        let target = self.keep_index(target, effects, wanted, place.span);
        if let (None, Target::Variable(id, scalar), ExprKind::Call(name, arguments)) =
            (op, &target, &value.kind)
            && self.calls_with_result(&name.text, *scalar)
        {
            self.call(name, arguments, value.span, Some(*id), Some(span));
            return self.read(&target, span);
        }
        let result = match op {
            None => self.expression(value),
            Some(op) => {
                let old = self.read(&target, place.span);
                let old = self.keep(old, effects, place.span);
                let right = self.expression(value);
                self.combine(op, old, right, span)
            }
        };
        self.write(&target, result, span, value.span)
    }

    /// `++` and `--`.
    #[inline(never)]
    pub(super) fn step(
        &mut self,
        up: bool,
        prefix: bool,
        place: &Expr,
        span: Span,
        wanted: bool,
    ) -> Value {
        let target = self.place(place);
        self.writable(place);
        let atomic = self.open_indivisible(place, true);
        let value = self.step_at(target, up, prefix, place, span, wanted);
        self.close_indivisible(atomic, span);
        value
    }

    fn step_at(
        &mut self,
        target: Target,
        up: bool,
        prefix: bool,
        place: &Expr,
        span: Span,
        wanted: bool,
    ) -> Value {
        let target = self.keep_index(target, Effects::default(), wanted, place.span);
        let old = self.read(&target, place.span);
        let written = Effects { calls: false, assigns: true };
        let old = if wanted && !prefix { self.keep(old, written, place.span) } else { old };
        let op = if up { BinaryOp::Add } else { BinaryOp::Subtract };
        let one = if self.c { Value::Typed(self.int_constant(1, span)) } else { Value::number(1) };
        let new = self.combine(op, old.clone(), one, span);
        let value = self.write(&target, new, span, span);
        if prefix { value } else { old }
    }

    /// The indices of a place that is used again after effects.
    fn keep_index(&mut self, target: Target, effects: Effects, wanted: bool, span: Span) -> Target {
        match target {
            Target::Element { array, index, inside, past, scalar } => {
                let effects = if wanted { Effects { calls: true, assigns: true } } else { effects };
                let mut kept = self
                    .keep_together(std::iter::once(index).chain(inside).collect(), effects, span)
                    .into_iter();
                let index = kept.next().expect("one expression is kept for each that is given");
                Target::Element { array, index, inside: kept.next(), past, scalar }
            }
            other => other,
        }
    }

    #[inline(never)]
    fn write(&mut self, target: &Target, value: Value, span: Span, value_span: Span) -> Value {
        let (place, scalar) = match target {
            Target::Poisoned => return Value::Poisoned,
            Target::Struct(_) => return self.read(target, span),
            Target::Variable(id, scalar) => (Place::Variable(*id), *scalar),
            Target::Element { array, index, inside: Some(inside), past: Some(past), scalar } => {
                let index = Expression::Conditional(
                    Box::new(inside.clone()),
                    Box::new(index.clone()),
                    Box::new(past.clone()),
                );
                (Place::Element(*array, index), *scalar)
            }
            Target::Element { array, index, scalar, .. } => {
                (Place::Element(*array, index.clone()), *scalar)
            }
        };
        let value = self.convert(value, scalar, value_span);
        let looks = self.looks(StatementKind::Assignment, span);
        if !self.c {
            self.emit(Operation::Assign(vec![(place, value)]), looks);
            return self.read(target, span);
        }
        // The value of an assignment is the one that was stored, whatever another thread writes.
        let kept =
            if self.reads_apart() { self.kept_apart(value, place.variable(), span) } else { value };
        let result = if self.reads_apart() { Some(kept.clone()) } else { None };
        self.emit(Operation::Assign(vec![(place, kept)]), looks);
        match result {
            Some(value) => Value::Typed(value),
            None => self.read(target, span),
        }
    }

    /// Reports a write to what is declared `const`.
    fn writable(&mut self, place: &Expr) {
        let mut node = place;
        while let ExprKind::Index(base, _) | ExprKind::Member(base, _) = &node.kind {
            node = base;
        }
        let ExprKind::Name(name) = &node.kind else { return };
        let constant = match self.names.find(name) {
            Some(Entity::Variable { constant, .. }) => constant,
            Some(Entity::Aggregate(index)) => self.aggregates[index as usize].constant,
            _ => false,
        };
        if constant {
            self.diagnostics.error(
                place.span,
                format!("`{name}` is `const`"),
                "leave `const` out of its declaration",
            );
        }
    }

    /// `(type) value`: wraps silently.
    #[inline(never)]
    pub(super) fn explicit_cast(&mut self, type_name: TypeName, value: Value, span: Span) -> Value {
        match type_name {
            TypeName::Void => return Value::Void,
            TypeName::Struct(_) | TypeName::Handle(_) => {
                let message = format!("this cast is not modelled: line {}", span.line);
                self.diagnostics.error(span, message, "cast to an integer's type");
                return Value::Poisoned;
            }
            TypeName::Poisoned => return Value::Poisoned,
            _ => {}
        }
        let Some(scalar) = self.scalar(type_name) else { return Value::Poisoned };
        match value {
            Value::Poisoned => Value::Poisoned,
            Value::Number(n, _) if !scalar.boolean => {
                Value::Typed(Expression::Constant(scalar.wrap(n), scalar))
            }
            Value::Typed(e) => Value::Typed(cast(e, scalar)),
            other => Value::Typed(self.convert(other, scalar, span)),
        }
    }
}
