//! Structs as values: copies and arguments.

use super::elaborator::Elaborator;
use super::structs::{StructPlace, index_constant};
use super::target::Target;
use super::value::Value;
use crate::lang::lowering::expressions::{binary, cast};
use crate::lang::model::{
    BinaryOperator, Expression, Operation, Place, Scalar, Span, StatementKind, VariableId,
};
use crate::lang::syntax::{Expr, StructId};

/// Most elements that one assignment of structs copies.
const MOST_COPIES: usize = 4096;

impl Elaborator<'_> {
    /// `to = e` for two structs of one type: one edge copies all scalars.
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
        let looks = self.looks(StatementKind::Assignment, span);
        self.emit(Operation::Assign(stores), looks);
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
    fn struct_value(&mut self, e: &Expr) -> Option<StructPlace> {
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
        if place.type_id != id || place.index.is_some() {
            let message = format!("this struct cannot be passed: line {}", e.span.line);
            self.diagnostics.error(
                e.span,
                message,
                "copy it into a variable of the parameter's type first",
            );
            return None;
        }
        let mut values = Vec::new();
        for leaf in place.leaves {
            let variable = self.program.variable(leaf);
            if variable.is_array() {
                let message = format!("structs with arrays are not passed: line {}", e.span.line);
                self.diagnostics.error(e.span, message, "make it a global");
                return None;
            }
            values.push(Value::Typed(Expression::Variable(leaf, variable.scalar)));
        }
        Some(values)
    }
}
