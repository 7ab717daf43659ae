//! Variables that are only copied and compared.
//!
//! Apel, Beyer, Friedberger, Raimondi and von Rhein (*Domain types: abstract-domain selection based
//! on variable usage*, 2013) tell variables that are compared from those that are calculated with.
//! A variable that is only copied and compared has few values that matter, so a diagram follows it
//! cheaply. Sums make relations between numbers, which can be large.

use crate::lang::model::{
    BinaryOperator, Expression, Operation, Place, Program, Scalar, UnaryOperator, VariableId,
};

/// By variable: is it a scalar that no operator calculates with, and that never holds what was
/// calculated?
pub(in crate::analysis::cegar) fn only_compared(program: &Program) -> Vec<bool> {
    let calculated = program.variables.iter().map(|variable| variable.is_array()).collect();
    let mut uses = Uses { calculated, copies: Vec::new() };
    for edge in &program.edges {
        for check in &edge.checks {
            uses.flow(&check.condition, false);
        }
        uses.operation(program, &edge.operation);
    }
    let Uses { mut calculated, copies } = uses;
    loop {
        let mut has_grown = false;
        for (from, to) in &copies {
            if calculated[*from] && !calculated[*to] {
                calculated[*to] = true;
                has_grown = true;
            }
        }
        if !has_grown {
            return calculated.into_iter().map(|calculated| !calculated).collect();
        }
    }
}

/// What a value is made of.
#[derive(Default)]
struct Flow {
    /// The variables that it may be a copy of.
    copied: Vec<VariableId>,
    /// May it be the result of an operator that calculates with variables?
    is_calculated: bool,
}

impl Flow {
    fn and(mut self, other: Flow) -> Flow {
        self.copied.extend(other.copied);
        self.is_calculated |= other.is_calculated;
        self
    }
}

struct Uses {
    /// By variable.
    calculated: Vec<bool>,
    /// From one variable into another.
    copies: Vec<(VariableId, VariableId)>,
}

impl Uses {
    fn operation(&mut self, program: &Program, operation: &Operation) {
        match operation {
            Operation::Skip | Operation::Havoc(_) => {}
            Operation::Assume(condition) => {
                self.flow(condition, false);
            }
            Operation::Assign(list) => {
                for (place, value) in list {
                    if let Place::Element(_, index) = place {
                        self.flow(index, true);
                    }
                    self.write(place.variable(), value);
                }
            }
            Operation::Call { callee, arguments, result } => {
                let callee = program.procedure(*callee);
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    self.write(*parameter, argument);
                }
                self.copies.extend(callee.result.zip(*result));
            }
        }
    }

    fn write(&mut self, target: VariableId, value: &Expression) {
        let Flow { copied, is_calculated } = self.flow(value, false);
        self.calculated[target] |= is_calculated;
        self.copies.extend(copied.into_iter().map(|from| (from, target)));
    }

    /// What flows into a value; `calculates`: does an operator around it calculate with it?
    fn flow(&mut self, expression: &Expression, calculates: bool) -> Flow {
        match expression {
            Expression::Constant(..) | Expression::Choice(..) => Flow::default(),
            Expression::Variable(variable, _) => {
                self.calculated[*variable] |= calculates;
                Flow { copied: vec![*variable], is_calculated: calculates }
            }
            Expression::Element(array, index, _) => {
                self.flow(index, true);
                Flow { copied: vec![*array], is_calculated: calculates }
            }
            Expression::Unary(UnaryOperator::Not, inner) => self.flow(inner, false),
            Expression::Unary(_, inner) => self.flow(inner, true),
            Expression::Cast(scalar, inner) => {
                let flow = self.flow(inner, calculates && *scalar != Scalar::BOOL);
                if *scalar == Scalar::BOOL { Flow::default() } else { flow }
            }
            Expression::Conditional(condition, then, otherwise) => {
                self.flow(condition, false);
                self.flow(then, calculates).and(self.flow(otherwise, calculates))
            }
            Expression::Binary(operator, left, right) => {
                let compares = matches!(
                    operator,
                    BinaryOperator::Equal
                        | BinaryOperator::NotEqual
                        | BinaryOperator::Less
                        | BinaryOperator::LessEqual
                );
                let is_logical = left.scalar() == Scalar::BOOL
                    && matches!(
                        operator,
                        BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor
                    );
                let inside = !compares && !is_logical;
                let flow = self.flow(left, inside).and(self.flow(right, inside));
                if compares { Flow::default() } else { flow }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::RequestedOptions;

    #[test]
    fn what_is_calculated_with_and_what_holds_a_sum_is_not_only_compared() {
        let source = "int state, copy, count, sum, far, idle; int list[4];
            int next(int given) { return given; }
            void main() {
                state = 3; copy = state; idle = *;
                if (copy != idle) { count = count + 1; }
                sum = count; far = next(sum);
                list[idle] = state;
                assert(far < 7);
            }";
        let program = crate::lang::load(source, &RequestedOptions::default()).program.unwrap();
        let only = only_compared(&program);
        let is_only = |name: &str| {
            let at = program.variables.iter().position(|variable| variable.name == name).unwrap();
            only[at]
        };
        assert!(["state", "copy"].into_iter().all(is_only));
        for name in ["count", "sum", "far", "given", "idle", "list"] {
            assert!(!is_only(name), "{name}");
        }
    }
}
