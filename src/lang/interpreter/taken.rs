//! Which values a statement takes from outside when it is executed: `&&`, `||` and `?:` leave some
//! calls out.

use super::execute::{Configuration, Machine};
use crate::lang::ids::{ChoiceId, EdgeId};
use crate::lang::model::{BinaryOperator, Edge, Expression, Operation, Place};
use std::collections::BTreeSet;

/// What an edge evaluates, checks first.
fn evaluated(edge: &Edge) -> Vec<&Expression> {
    let mut list: Vec<&Expression> = edge.checks.iter().map(|check| &check.condition).collect();
    match &edge.operation {
        Operation::Skip | Operation::Havoc(_) => {}
        Operation::Assume(condition) => list.push(condition),
        Operation::Assign(pairs) => {
            for (place, value) in pairs {
                if let Place::Element(_, index) = place {
                    list.push(index);
                }
                list.push(value);
            }
        }
        Operation::Call { arguments, .. } => list.extend(arguments),
    }
    list
}

impl Machine<'_> {
    /// The choices that are made when the edge is executed here, in the order of the text. A choice
    /// that nothing mentions is made: it is the result of a call that is a statement.
    pub fn taken(
        &self,
        configuration: &Configuration,
        edge: EdgeId,
        choices: &[u64],
    ) -> BTreeSet<ChoiceId> {
        let edge = self.program().edge(edge);
        let list = evaluated(edge);
        let is = |e: &Expression, k| matches!(e, Expression::Choice(id, _) if id.0 == k);
        let mut found: BTreeSet<ChoiceId> = (0..edge.choices.len() as u32)
            .filter(|k| !list.iter().any(|e| e.any(|part| is(part, *k))))
            .map(ChoiceId)
            .collect();
        for e in list {
            self.take(configuration, e, choices, &mut found);
        }
        found
    }

    fn take(
        &self,
        configuration: &Configuration,
        e: &Expression,
        choices: &[u64],
        found: &mut BTreeSet<ChoiceId>,
    ) {
        match e {
            Expression::Constant(..) | Expression::Variable(..) => {}
            Expression::Choice(id, _) => drop(found.insert(*id)),
            Expression::Element(_, e, _) | Expression::Unary(_, e) | Expression::Cast(_, e) => {
                self.take(configuration, e, choices, found);
            }
            Expression::Binary(operator, left, right) => {
                self.take(configuration, left, choices, found);
                let decides = match operator {
                    BinaryOperator::And if left.scalar().boolean => Some(0),
                    BinaryOperator::Or if left.scalar().boolean => Some(1),
                    _ => None,
                };
                if decides.is_none_or(|bit| self.evaluate(configuration, left, choices) != bit) {
                    self.take(configuration, right, choices, found);
                }
            }
            Expression::Conditional(condition, then, otherwise) => {
                self.take(configuration, condition, choices, found);
                let holds = self.evaluate(configuration, condition, choices) == 1;
                self.take(configuration, if holds { then } else { otherwise }, choices, found);
            }
        }
    }
}
