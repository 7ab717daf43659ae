//! Statements whose relation over all stores would be too large: products, and also quotients,
//! shifts and array accesses whose divisor, amount or index is not a constant.
//!
//! Their relation is built for the stores that saturation brings to them, when it brings them. The
//! operands' bits are simplified by those values (Coudert and Madre 1990, *restrict*). So a product
//! of constants is a constant, and a product of small numbers has a small diagram. The relation is
//! kept and grows. It has no pairs for stores that saturation has not brought yet.

use super::layout::{Cell, Copy, Layout};
use crate::bdd::{Bdd, Manager, VarSet, impl_roots};
use crate::lang::model::{BinaryOperator, Check, EdgeId, Expression, Operation, Place, Program};
use crate::util::order::inserted;
use std::collections::BTreeSet;

/// Products and the like are built at once if their numbers have at most so many bits. The same
/// holds for arrays of at most so many bits in all.
const SMALL: (u32, u32) = (6, 64);

/// A relation that is built for some stores only.
#[derive(Clone, Debug)]
pub(super) struct PartialRelation {
    /// The edge that is executed, and the check if one fails.
    pub(super) source: (EdgeId, Option<usize>),
    /// The levels of everything but the operands now.
    pub(super) not_operands: VarSet,
    /// The values of the operands for which it is built, over [`Copy::Now`].
    pub(super) stores: Bdd,
}

impl PartialRelation {
    /// A relation that covers nothing yet, if the statement should be built on demand.
    pub(super) fn nothing(
        kernel: &mut Manager,
        layout: &Layout,
        program: &Program,
        source: (EdgeId, Option<usize>),
    ) -> Option<PartialRelation> {
        let edge = program.edge(source.0);
        let mut operands = BTreeSet::new();
        let last = source.1.map_or(edge.checks.len(), |check| check + 1);
        for Check { condition, .. } in &edge.checks[..last] {
            collect(condition, layout, false, &mut operands);
        }
        if source.1.is_none() {
            match &edge.operation {
                Operation::Assume(condition) => collect(condition, layout, false, &mut operands),
                Operation::Assign(list) => {
                    for (place, value) in list {
                        collect(value, layout, false, &mut operands);
                        if let Place::Element(array, index) = place
                            && is_large(layout, *array)
                            && !matches!(index, Expression::Constant(..))
                        {
                            collect(index, layout, true, &mut operands);
                        }
                    }
                }
                _ => {}
            }
        }
        if operands.is_empty() {
            return None;
        }
        let operands: BTreeSet<_> =
            inserted(operands.iter().flat_map(|cell| layout.cell(*cell, Copy::Now)));
        let others: Vec<_> = (0..layout.levels())
            .map(crate::bdd::Var)
            .filter(|level| !operands.contains(level))
            .collect();
        let not_operands = kernel.var_set(&others);
        Some(PartialRelation { source, not_operands, stores: Bdd::FALSE })
    }
}

fn is_large(layout: &Layout, array: crate::lang::model::VariableId) -> bool {
    layout.cells(array).map(|cell| u32::from(layout.scalar(cell).width)).sum::<u32>() > SMALL.1
}

/// The cells that occur in operands of what is built on demand. If `inside` such an operand, all
/// cells of the expression.
fn collect(expression: &Expression, layout: &Layout, inside: bool, operands: &mut BTreeSet<Cell>) {
    let is_constant = |e: &Expression| matches!(e, Expression::Constant(..));
    match expression {
        Expression::Constant(..) | Expression::Choice(..) => {}
        Expression::Variable(variable, _) => {
            if inside {
                operands.extend(layout.cells(*variable));
            }
        }
        Expression::Element(array, index, _) => {
            let on_demand = inside || !is_constant(index) && is_large(layout, *array);
            collect(index, layout, on_demand, operands);
            if inside {
                operands.extend(layout.cells(*array));
            }
        }
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
            collect(operand, layout, inside, operands)
        }
        Expression::Binary(operator, left, right) => {
            let hard = match operator {
                BinaryOperator::Multiply => !is_constant(left) && !is_constant(right),
                BinaryOperator::Divide
                | BinaryOperator::Remainder
                | BinaryOperator::ShiftLeft
                | BinaryOperator::ShiftRight => !is_constant(right),
                _ => false,
            };
            let on_demand = inside || hard && u32::from(left.scalar().width) > SMALL.0;
            collect(left, layout, on_demand, operands);
            collect(right, layout, on_demand, operands);
        }
        Expression::Conditional(condition, then, otherwise) => {
            collect(condition, layout, inside, operands);
            collect(then, layout, inside, operands);
            collect(otherwise, layout, inside, operands);
        }
    }
}

impl_roots!(PartialRelation { stores });
