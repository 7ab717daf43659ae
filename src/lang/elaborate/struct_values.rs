//! Structs as values: copies, arguments, values in lists.

use super::address::Address;
use super::effects::Effects;
use super::elaborator::Elaborator;
use super::names::Entity;
use super::structs::{StructPlace, index_constant};
use super::target::{Path, Target};
use super::value::{Value, reads};
use crate::lang::lowering::expressions::{binary, cast};
use crate::lang::lowering::graph::Looks;
use crate::lang::message::at_line;
use crate::lang::model::{
    BinaryOperator, Expression, Operation, Place, STRUCT_RESULT, Scalar, Span, StatementKind,
    Variable, VariableId, VariableKind,
};
use crate::lang::syntax::{Expr, ExprKind, StructId};

/// Most elements that one assignment of structs copies.
const MOST_COPIES: usize = 4096;

/// Is it where a procedure leaves a struct that it returns, or where a caller takes it?
fn is_result(variable: &Variable) -> bool {
    variable.name.starts_with(STRUCT_RESULT)
}

impl Elaborator<'_> {
    /// `to = e` for two structs of one type. Between threads each scalar is copied by steps of its
    /// own, in the order of the members; otherwise one edge copies all of them.
    pub(super) fn copy_struct(&mut self, to: &StructPlace, e: &Expr, span: Span) {
        let Some(from) = self.struct_value(e) else { return };
        if from.type_id != to.type_id {
            self.diagnostics.error(
                span,
                "these are two different structs",
                "assign members one by one",
            );
            return;
        }
        let apart = self.reads_apart() && (self.is_shared(&from) || self.is_shared(to));
        let (to, from) = match apart {
            true => (self.with_kept_index(to, span), self.with_kept_index(&from, span)),
            false => (to.clone(), from),
        };
        let mut stores = Vec::new();
        for (target, source) in to.leaves.iter().zip(&from.leaves) {
            let scalar = self.program.variable(*target).scalar;
            let each = self.elements_each(*target, to.index.is_some());
            for element in 0..each {
                let value = match self.indexed(*source, from.index.as_ref(), element, each) {
                    Some(index) => Expression::Element(*source, Box::new(index), scalar),
                    None => Expression::Variable(*source, scalar),
                };
                let place = match self.indexed(*target, to.index.as_ref(), element, each) {
                    Some(index) => Place::Element(*target, index),
                    None => Place::Variable(*target),
                };
                stores.push((place, value));
            }
        }
        if stores.len() > MOST_COPIES {
            self.diagnostics.error(
                span,
                format!("this copies more than {MOST_COPIES} elements"),
                "copy what is needed",
            );
            return;
        }
        if apart {
            return self.copy_apart(stores, self.is_atomic_struct(&to), span);
        }
        // What a procedure gives back is told where somebody takes it.
        let is_result = to.leaves.iter().any(|leaf| is_result(self.program.variable(*leaf)));
        let kind = if is_result { StatementKind::Hidden } else { StatementKind::Assignment };
        let looks = self.looks(kind, span);
        self.emit(Operation::Assign(stores), looks);
    }

    /// Copies scalars one after another. Each read and each write of a variable that threads may
    /// share is a step. Only structs that are `_Atomic` are read or written in one step.
    fn copy_apart(&mut self, stores: Vec<(Place, Expression)>, write_whole: bool, span: Span) {
        let looks = self.looks(StatementKind::Assignment, span);
        let hidden = Looks { kind: StatementKind::Hidden, ..looks.clone() };
        let (places, values): (Vec<Place>, Vec<Expression>) = stores.into_iter().unzip();
        let is_global =
            |this: &Self, id: VariableId| this.program.variable(id).kind == VariableKind::Global;
        let from_whole =
            values.iter().any(|value| reads(value, |id| self.threads.atomic_structs.contains(&id)));
        if from_whole || write_whole {
            let values = match from_whole {
                true => {
                    let every = Effects { calls: true, ..Effects::default() };
                    self.keep_together(values, every, span)
                }
                false => values.into_iter().map(|v| self.store(v, hidden.clone())).collect(),
            };
            let stores: Vec<(Place, Expression)> = places.into_iter().zip(values).collect();
            if write_whole {
                return self.emit(Operation::Assign(stores), looks);
            }
            return self.store_apart(stores, &looks, &hidden);
        }
        let count = places.len();
        for (index, (place, value)) in places.into_iter().zip(values).enumerate() {
            let value = match is_global(self, place.variable())
                && reads(&value, |id| is_global(self, id))
            {
                true => self.store(value, hidden.clone()),
                false => value,
            };
            let looks = if index + 1 == count { &looks } else { &hidden };
            self.emit(Operation::Assign(vec![(place, value)]), looks.clone());
        }
    }

    /// Writes values one after another; only the last step is shown as the statement.
    fn store_apart(&mut self, stores: Vec<(Place, Expression)>, looks: &Looks, hidden: &Looks) {
        let count = stores.len();
        for (index, store) in stores.into_iter().enumerate() {
            let looks = if index + 1 == count { looks } else { hidden };
            self.emit(Operation::Assign(vec![store]), looks.clone());
        }
    }

    /// May threads share this struct?
    fn is_shared(&self, place: &StructPlace) -> bool {
        let global = |id: &VariableId| self.program.variable(*id).kind == VariableKind::Global;
        place.leaves.iter().any(global)
    }

    /// Is the struct `_Atomic` as a whole?
    fn is_atomic_struct(&self, place: &StructPlace) -> bool {
        place.leaves.iter().any(|leaf| self.threads.atomic_structs.contains(leaf))
    }

    /// The place with an index that the copy cannot change.
    fn with_kept_index(&mut self, place: &StructPlace, span: Span) -> StructPlace {
        let every = Effects::ALL;
        let index = place.index.clone().map(|index| {
            let kept = self.keep(Value::Typed(index), every, span);
            self.settle(kept, span)
        });
        StructPlace { index, ..place.clone() }
    }

    /// Number of elements of a leaf that belong to one struct of an array.
    fn elements_each(&self, leaf: VariableId, indexed: bool) -> usize {
        let variable = self.program.variable(leaf);
        match indexed {
            // The first extent is the array of structs.
            true => variable.dimensions.iter().skip(1).product::<u32>() as usize,
            false => variable.elements() as usize,
        }
    }

    /// The flattened index of an element of one struct's leaf; `None` for a plain scalar.
    fn indexed(
        &self,
        leaf: VariableId,
        index: Option<&Expression>,
        element: usize,
        each: usize,
    ) -> Option<Expression> {
        let variable = self.program.variable(leaf);
        if !variable.is_array() {
            return None;
        }
        let total = variable.elements();
        let Some(index) = index else { return Some(index_constant(element, total)) };
        let wide = Scalar::int((33 - total.leading_zeros()) as u8, false);
        let row = cast(index.clone(), wide);
        let scaled = binary(BinaryOperator::Multiply, row, Expression::Constant(each as u64, wide));
        Some(match each {
            1 => cast(index.clone(), wide),
            _ => binary(BinaryOperator::Add, scaled, Expression::Constant(element as u64, wide)),
        })
    }

    /// An expression that must be a struct; `None` if that was reported.
    fn struct_value(&mut self, mut e: &Expr) -> Option<StructPlace> {
        while let ExprKind::Comma(parts) = &e.kind {
            let (last, before) = parts.split_last()?;
            before.iter().for_each(|part| _ = self.expression(part));
            e = last;
        }
        match self.place(e) {
            Target::Struct(place) => Some(place),
            Target::Poisoned => None,
            _ => {
                self.diagnostics.error(
                    e.span,
                    "this is not a struct",
                    "assign a struct of the same type",
                );
                None
            }
        }
    }

    /// The scalars of a struct that is passed by value, in the order of its leaves.
    pub(super) fn struct_argument(&mut self, e: &Expr, id: StructId) -> Option<Vec<Value>> {
        let place = self.struct_value(e)?;
        if place.type_id != id {
            let message = at_line("this struct cannot be passed");
            self.diagnostics.error(e.span, message, "pass a struct of the parameter's type");
            return None;
        }
        let extents = usize::from(place.index.is_some());
        if place.leaves.iter().any(|l| self.program.variable(*l).dimensions.len() > extents) {
            let message = at_line("structs with arrays are not passed");
            self.diagnostics.error(e.span, message, "make it a global");
            return None;
        }
        let scalars = self.struct_scalars(&place, e.span);
        Some(scalars.into_iter().flatten().map(Value::Typed).collect())
    }

    /// A struct in a list of initial values: for each of its leaves the values of its elements.
    pub(super) fn struct_in_list(&mut self, e: &Expr) -> Option<Vec<Vec<Expression>>> {
        let place = self.struct_value(e)?;
        Some(self.struct_scalars(&place, e.span))
    }

    /// Reads a struct: for each of its leaves the values of its elements. Each scalar that threads
    /// may share is read by a step of its own, unless the struct is `_Atomic`.
    fn struct_scalars(&mut self, place: &StructPlace, span: Span) -> Vec<Vec<Expression>> {
        let place = self.with_kept_index(place, span);
        let whole = self.is_atomic_struct(&place);
        let mut values = Vec::new();
        let mut sizes = Vec::new();
        for leaf in &place.leaves {
            let scalar = self.program.variable(*leaf).scalar;
            let each = self.elements_each(*leaf, place.index.is_some());
            sizes.push(each);
            for element in 0..each {
                let value = match self.indexed(*leaf, place.index.as_ref(), element, each) {
                    Some(index) => Expression::Element(*leaf, Box::new(index), scalar),
                    None => Expression::Variable(*leaf, scalar),
                };
                values.push(if whole { value } else { self.read_apart(*leaf, value, span) });
            }
        }
        if whole && self.reads_apart() {
            let every = Effects { calls: true, ..Effects::default() };
            values = self.keep_together(values, every, span);
        }
        let mut values = values.into_iter();
        sizes.into_iter().map(|size| values.by_ref().take(size).collect()).collect()
    }

    /// The type of the struct that an expression names; `None` for anything else. Evaluates
    /// nothing.
    pub(super) fn structure_of_place(&mut self, mut e: &Expr) -> Option<StructId> {
        while let ExprKind::Comma(parts) = &e.kind {
            e = parts.last()?;
        }
        let mut root = e;
        while let ExprKind::Index(base, _)
        | ExprKind::Member(base, _)
        | ExprKind::Indirect(base)
        | ExprKind::Address(base) = &root.kind
        {
            root = base;
        }
        let ExprKind::Name(name) = &root.kind else { return None };
        let is_struct = |entity| {
            matches!(entity, Entity::Aggregate(_) | Entity::Pointer(Address::Aggregate(_)))
        };
        if !self.names.find(name).is_some_and(is_struct) {
            return None;
        }
        match self.path(e) {
            Path::Struct { type_id, dimensions, indices, .. }
                if indices.len() == dimensions.len() =>
            {
                Some(type_id)
            }
            _ => None,
        }
    }
}
