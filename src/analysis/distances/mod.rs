//! Programs of which only distances matter.
//!
//! A counter may go up for ever while the program only asks how far apart it is from other
//! variables: sequence numbers, tickets, positions in a stream. Such variables are only copied,
//! moved by constants, and compared for equality with each other. Then each run stays a run if all
//! of them are moved by the same number: translations are symmetries of the program, and one store
//! of each orbit is enough (symmetry reduction: Emerson and Sistla 1996).
//!
//! So one of them, the *anchor*, is set to 0 for ever, and the others hold their distance to it. An
//! assignment to the anchor moves them. The program of distances has the same edges and the same
//! runs, statement by statement, but perhaps far fewer stores.

mod finding;
mod rewriting;

use crate::lang::interpreter::{Assignment, ConcreteRun};
use crate::lang::model::{BinaryOperator, Expression, Program, Scalar, VariableId};
use crate::util::order::inserted;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A program of distances.
#[derive(Clone, Debug)]
pub struct Distances {
    /// It. Its variables, locations and edges have the numbers of the program's.
    pub program: Rc<Program>,
    /// The variable to which the others have a distance.
    pub anchor: VariableId,
    /// All of them, the anchor as well.
    pub members: BTreeSet<VariableId>,
    /// The anchor's value at the start.
    base: u64,
}

impl Distances {
    /// The program of distances, modulo the variables' width; `None` if there are no such
    /// variables, if none of them is ever moved by a constant, so that distances would gain
    /// nothing, or if the program has threads or more statements than are looked at.
    pub fn of(program: &Program) -> Option<Distances> {
        let found = finding::find(program)?;
        let program = Rc::new(rewriting::rewritten(program, &found));
        let finding::Found { anchor, members, base, .. } = found;
        Some(Distances { program, anchor, members, base })
    }

    /// A run of the program of distances with the values that the program starts with. The program
    /// executes it, unless it depends on the values of uninitialised locals.
    pub fn run_of_program(&self, run: &ConcreteRun) -> ConcreteRun {
        let at_start = |values: &Assignment| -> Assignment {
            inserted(values.iter().map(|(id, bits)| {
                let scalar = self.program.variable(*id).scalar;
                let moved = |bits: &u64| scalar.wrap(i128::from(*bits) + i128::from(self.base));
                let bits = match self.members.contains(id) {
                    true => bits.iter().map(moved).collect(),
                    false => bits.clone(),
                };
                (*id, bits)
            }))
        };
        ConcreteRun {
            initial_globals: at_start(&run.initial_globals),
            initial_locals: at_start(&run.initial_locals),
            steps: run.steps.clone(),
        }
    }
}

/// A variable moved by a constant, or a constant: the value is `variable + offset`, modulo the
/// width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum {
    variable: Option<VariableId>,
    offset: i128,
}

/// Reads an expression as such a sum of this width.
fn sum(e: &Expression, width: u8) -> Option<Sum> {
    let fits = |scalar: &Scalar| scalar.width == width && scalar.is_integer();
    match e {
        Expression::Constant(bits, scalar) if fits(scalar) => {
            Some(Sum { variable: None, offset: scalar.number(*bits) })
        }
        Expression::Variable(id, scalar) if fits(scalar) => {
            Some(Sum { variable: Some(*id), offset: 0 })
        }
        Expression::Cast(scalar, inner) if fits(scalar) => sum(inner, width),
        Expression::Binary(operator, left, right) => {
            let sign = match operator {
                BinaryOperator::Add => 1,
                BinaryOperator::Subtract => -1,
                _ => return None,
            };
            let (left, right) = (sum(left, width)?, sum(right, width)?);
            let variable = match (left.variable, right.variable) {
                (variable, None) => variable,
                (None, variable) if sign == 1 => variable,
                _ => return None,
            };
            Some(Sum { variable, offset: left.offset + sign * right.offset })
        }
        _ => None,
    }
}

/// The two sides of a comparison for equality; `Cast(bool, e)` compares `e` with 0.
fn sides(e: &Expression) -> Option<(BinaryOperator, &Expression, Option<&Expression>)> {
    match e {
        Expression::Binary(
            operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual),
            left,
            right,
        ) => Some((*operator, left, Some(right))),
        Expression::Cast(scalar, inner) if scalar.boolean && !inner.scalar().boolean => {
            Some((BinaryOperator::NotEqual, inner, None))
        }
        _ => None,
    }
}

/// The direct parts of an expression.
fn parts(e: &Expression) -> Vec<&Expression> {
    match e {
        Expression::Constant(..) | Expression::Variable(..) | Expression::Choice(..) => Vec::new(),
        Expression::Element(_, e, _) | Expression::Unary(_, e) | Expression::Cast(_, e) => vec![e],
        Expression::Binary(_, l, r) => vec![l, r],
        Expression::Conditional(c, t, e) => vec![c, t, e],
    }
}
