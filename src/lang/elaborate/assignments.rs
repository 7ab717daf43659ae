//! Assignment, compound assignment, `++` and `--`.

use super::effects::Effects;
use super::elaborator::Elaborator;
use super::names::Entity;
use super::target::Target;
use super::value::Value;
use crate::lang::model::{Expression, Operation, Place, Span, StatementKind};
use crate::lang::syntax::{BinaryOp, Expr, ExprKind};

impl Elaborator<'_> {
    /// `place = value`, `place op= value`. `wanted` says whether the value of the whole is used,
    /// which is so inside another expression.
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
        match op {
            Some(op) if self.is_indivisible(&target) => {
                self.indivisible_assignment(target, op, place, value, span)
            }
            _ => self.assign_to(target, op, place, value, span, wanted),
        }
    }

    /// `place op= value` at an `_Atomic` place: the value is computed first, then one step reads
    /// and writes the place (C11 6.5.16.2).
    fn indivisible_assignment(
        &mut self,
        target: Target,
        op: BinaryOp,
        place: &Expr,
        value: &Expr,
        span: Span,
    ) -> Value {
        let target = self.keep_index(target, self.effects(value), true, place.span);
        let right = self.expression(value);
        let right = self.keep(right, Effects { calls: true, ..Effects::default() }, value.span);
        let saved = self.open_indivisible(place.span);
        let old = self.read(&target, place.span);
        let result = self.combine(op, old, right, span);
        let result = self.write(&target, result, span, value.span);
        self.close_indivisible(saved, span);
        result
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
            self.settle_result(span);
            return self.read_stored(&target, span);
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
        if !self.is_indivisible(&target) {
            return self.step_at(target, up, prefix, place, span, wanted);
        }
        let saved = self.open_indivisible(place.span);
        let value = self.step_at(target, up, prefix, place, span, wanted);
        self.close_indivisible(saved, span);
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
        let written = Effects { assigns: true, ..Effects::default() };
        let old = if wanted && !prefix { self.keep(old, written, place.span) } else { old };
        let op = if up { BinaryOp::Add } else { BinaryOp::Subtract };
        let one = if self.c { Value::Typed(self.int_constant(1, span)) } else { Value::number(1) };
        let new = self.combine(op, old.clone(), one, span);
        let value = self.write(&target, new, span, span);
        if prefix { value } else { old }
    }

    /// Stores the indices of a place that is used again after these effects.
    pub(super) fn keep_index(
        &mut self,
        target: Target,
        effects: Effects,
        wanted: bool,
        span: Span,
    ) -> Target {
        match target {
            Target::Element { array, index, inside, past, scalar } => {
                let effects = if wanted { Effects::ALL } else { effects };
                let mut kept = self
                    .keep_together(std::iter::once(index).chain(inside).collect(), effects, span)
                    .into_iter();
                let index = kept.next().expect("one expression is kept for each that is given");
                Target::Element { array, index, inside: kept.next(), past, scalar }
            }
            other => other,
        }
    }

    /// Writes a value to a place, by an edge that is shown as the statement at `span`.
    #[inline(never)]
    pub(super) fn write(
        &mut self,
        target: &Target,
        value: Value,
        span: Span,
        value_span: Span,
    ) -> Value {
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
            return self.read_stored(target, span);
        }
        // The value of an assignment is the stored value, even if another thread writes the place
        // meanwhile.
        let kept =
            if self.reads_apart() { self.kept_apart(value, place.variable(), span) } else { value };
        let result = if self.reads_apart() { Some(kept.clone()) } else { None };
        self.emit(Operation::Assign(vec![(place, kept)]), looks);
        match result {
            Some(value) => Value::Typed(value),
            None => self.read_stored(target, span),
        }
    }

    /// Reports a write to a variable that is declared `const`.
    pub(super) fn writable(&mut self, place: &Expr) {
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
}
