//! Conditions and terms of a raw system's rules, as those of formulas: both are of whole numbers.

use super::atoms::{Comparison, Condition, Term, TermOperator};
use crate::lang::model::VariableId;
use crate::lang::raw::RawRule;
use crate::lang::raw::transformer;

/// A condition of a rule over the values before it. Errors: a sentence that names the rule.
pub(super) fn condition_of(
    condition: &transformer::Condition,
    rule: &RawRule,
) -> Result<Condition, String> {
    use transformer::Comparison as Raw;
    let all = |items: &[transformer::Condition],
               join: fn(Box<Condition>, Box<Condition>) -> Condition,
               none: bool| {
        let mut joined: Option<Condition> = None;
        for item in items {
            let item = condition_of(item, rule)?;
            joined = Some(match joined {
                None => item,
                Some(before) => join(Box::new(before), Box::new(item)),
            });
        }
        Ok(joined.unwrap_or(Condition::Constant(none)))
    };
    match condition {
        transformer::Condition::Compare(how, a, b) => {
            let (a, b) = (term_of(a, rule)?, term_of(b, rule)?);
            let (how, a, b) = match how {
                Raw::Equal => (Comparison::Equal, a, b),
                Raw::NotEqual => (Comparison::NotEqual, a, b),
                Raw::Less => (Comparison::Less, a, b),
                Raw::LessEqual => (Comparison::LessEqual, a, b),
                Raw::Greater => (Comparison::Less, b, a),
                Raw::GreaterEqual => (Comparison::LessEqual, b, a),
            };
            Ok(Condition::Compare(how, a, b))
        }
        transformer::Condition::Not(inner) => {
            Ok(Condition::Not(Box::new(condition_of(inner, rule)?)))
        }
        transformer::Condition::All(items) => all(items, Condition::And, true),
        transformer::Condition::Any(items) => all(items, Condition::Or, false),
    }
}

/// A term of a rule, likewise.
pub(super) fn term_of(term: &transformer::Term, rule: &RawRule) -> Result<Term, String> {
    let binary = |op, a, b| Term::Binary(op, Box::new(a), Box::new(b));
    match term {
        transformer::Term::Number(n) => Ok(Term::Number(i128::from(*n))),
        transformer::Term::Old(variable) => {
            Ok(Term::Variable(vec![VariableId(*variable)], Vec::new()))
        }
        transformer::Term::New(_) => Err(format!(
            "line {}: for formulas a rule's conditions and assignments speak of the values before \
             it; this one has a primed variable",
            rule.span.line
        )),
        transformer::Term::Sum(items) => {
            let mut sum = Term::Number(0);
            for (minus, item) in items {
                let op = if *minus { TermOperator::Subtract } else { TermOperator::Add };
                sum = binary(op, sum, term_of(item, rule)?);
            }
            Ok(sum)
        }
        transformer::Term::Product(items) => {
            let mut product = Term::Number(1);
            for item in items {
                product = binary(TermOperator::Multiply, product, term_of(item, rule)?);
            }
            Ok(product)
        }
    }
}
