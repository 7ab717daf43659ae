//! The program in which only some variables are followed (Kurshan 1994, "localization reduction").
//!
//! A variable that is not followed may have any value whenever a statement reads it, also another
//! one each time. Assignments to it are left out. So every run of the program is a run of the
//! localized program, with the same statements and the same values of the followed variables.
//! Locations, edges and variables keep their numbers.
//!
//! An expression that reads a variable that is not followed is any value of its type, up to the
//! nearest operand of a logical operator or condition. This is coarser than to ask which values it
//! can have, and small.

use crate::lang::model::{
    BinaryOperator, ChoiceId, Expression, Initial, Operation, Place, Program, Scalar,
    UnaryOperator, VariableId,
};
use std::rc::Rc;

/// A program and its localization.
pub(super) struct Localized {
    /// The program itself. Its edges have further choices, which it does not read, so that both
    /// programs have the same choices.
    pub(super) source: Rc<Program>,
    /// The localized program.
    pub(super) program: Rc<Program>,
    /// For the order of decision levels alone: the program itself, where each value that the
    /// localized program picks meets what it replaces. Otherwise the bits of what is picked could
    /// lie far from those of what it is assigned to.
    pub(super) ordering: Program,
}

/// What becomes of an expression that depends on a variable that is not followed.
#[derive(Clone, Copy, PartialEq)]
enum Unknown {
    /// Any value.
    Any,
    /// The expression, in a sum with any value.
    Beside,
}

impl Localized {
    /// Localizes a program to the variables for which `followed` is true.
    pub(super) fn new(program: &Program, followed: &[bool]) -> Localized {
        let (localized, ordering) =
            (changed(program, followed, Unknown::Any), changed(program, followed, Unknown::Beside));
        let mut source = program.clone();
        for (edge, localized) in source.edges.iter_mut().zip(&localized.edges) {
            edge.choices.clone_from(&localized.choices);
        }
        Localized { source: Rc::new(source), program: Rc::new(localized), ordering }
    }
}

/// The program with these variables followed.
fn changed(program: &Program, followed: &[bool], unknown: Unknown) -> Program {
    let mut localized = program.clone();
    for (variable, followed) in localized.variables.iter_mut().zip(followed) {
        if !followed {
            variable.initial = Initial::Any;
        }
    }
    for (id, edge) in program.edge_ids().zip(&program.edges) {
        let choices = edge.choices.clone();
        let mut localization = Localization { program, followed, unknown, choices };
        let checks: Vec<Expression> =
            edge.checks.iter().map(|check| localization.value(&check.condition)).collect();
        let operation = localization.operation(&edge.operation);
        let Localization { choices, .. } = localization;
        let edge = &mut localized.edges[id];
        for (check, condition) in edge.checks.iter_mut().zip(checks) {
            check.condition = condition;
        }
        (edge.operation, edge.choices) = (operation, choices);
    }
    localized
}

/// One edge that is being localized.
struct Localization<'p> {
    program: &'p Program,
    followed: &'p [bool],
    unknown: Unknown,
    /// The edge's choices, and those that were made for it.
    choices: Vec<Scalar>,
}

impl Localization<'_> {
    fn follows(&self, variable: VariableId) -> bool {
        self.followed[variable]
    }

    /// Is an assignment to this variable kept?
    fn keeps(&self, variable: VariableId) -> bool {
        self.unknown == Unknown::Beside || self.follows(variable)
    }

    fn operation(&mut self, operation: &Operation) -> Operation {
        match operation {
            Operation::Skip => Operation::Skip,
            Operation::Assume(condition) => Operation::Assume(self.value(condition)),
            Operation::Assign(list) => {
                let mut kept = Vec::new();
                for (place, value) in list {
                    if !self.follows(place.variable()) {
                        if self.unknown == Unknown::Beside {
                            kept.push((place.clone(), value.clone()));
                        }
                        continue;
                    }
                    let place = match place {
                        Place::Variable(variable) => Place::Variable(*variable),
                        Place::Element(variable, index) => {
                            Place::Element(*variable, self.value(index))
                        }
                    };
                    let value = self.value(value);
                    kept.push((place, value));
                }
                if kept.is_empty() { Operation::Skip } else { Operation::Assign(kept) }
            }
            Operation::Havoc(variables) => {
                let kept: Vec<VariableId> =
                    variables.iter().copied().filter(|variable| self.keeps(*variable)).collect();
                if kept.is_empty() { Operation::Skip } else { Operation::Havoc(kept) }
            }
            Operation::Call { callee, arguments, result } => {
                let parameters = self.program.procedure(*callee).parameters.clone();
                let arguments = arguments.iter().zip(parameters).map(|(argument, parameter)| {
                    if self.follows(parameter) { self.value(argument) } else { self.any(argument) }
                });
                let arguments = arguments.collect();
                let result = result.filter(|variable| self.keeps(*variable));
                Operation::Call { callee: *callee, arguments, result }
            }
        }
    }

    /// Any value of the expression's type.
    fn any(&mut self, expression: &Expression) -> Expression {
        let scalar = expression.scalar();
        self.choices.push(scalar);
        let choice = Expression::Choice(ChoiceId(self.choices.len() as u32 - 1), scalar);
        match self.unknown {
            Unknown::Any => choice,
            // One bit is near everything.
            Unknown::Beside if scalar == Scalar::BOOL => expression.clone(),
            Unknown::Beside => Expression::binary(BinaryOperator::Add, expression.clone(), choice),
        }
    }

    /// The expression, with any value for what cannot be known.
    fn value(&mut self, expression: &Expression) -> Expression {
        self.known(expression).unwrap_or_else(|| self.any(expression))
    }

    /// The expression over followed variables; `None` if it depends on another one.
    fn known(&mut self, expression: &Expression) -> Option<Expression> {
        let known = match expression {
            Expression::Constant(..) | Expression::Choice(..) => expression.clone(),
            Expression::Variable(variable, _) => {
                self.follows(*variable).then(|| expression.clone())?
            }
            Expression::Element(variable, index, scalar) => {
                if !self.follows(*variable) {
                    return None;
                }
                Expression::Element(*variable, Box::new(self.known(index)?), *scalar)
            }
            Expression::Unary(operator, inner) => {
                let inner = match operator {
                    UnaryOperator::Not => self.value(inner),
                    UnaryOperator::Negate | UnaryOperator::Complement => self.known(inner)?,
                };
                Expression::Unary(*operator, Box::new(inner))
            }
            Expression::Binary(operator, left, right) => {
                let is_logical = matches!(operator, BinaryOperator::And | BinaryOperator::Or)
                    && left.scalar() == Scalar::BOOL;
                let (left, right) = if is_logical {
                    (self.value(left), self.value(right))
                } else {
                    (self.known(left)?, self.known(right)?)
                };
                Expression::binary(*operator, left, right)
            }
            Expression::Cast(scalar, inner) => {
                Expression::Cast(*scalar, Box::new(self.known(inner)?))
            }
            Expression::Conditional(condition, then, otherwise) => Expression::Conditional(
                Box::new(self.value(condition)),
                Box::new(self.value(then)),
                Box::new(self.value(otherwise)),
            ),
        };
        Some(known)
    }
}
