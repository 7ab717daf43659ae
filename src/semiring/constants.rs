//! Constant propagation: which variables are constant, or equal to one fixed affine expression of
//! the values before?
//!
//! This domain is only monotone. Where two paths give a variable two different expressions, the
//! variable may have any value from then on, even if the two expressions always have the same
//! value: after `x := a` on one path and `x := b` on the other, with a = b = 3 before, x is 3, but
//! 3 is not found. This makes the domain quick (Kildall 1973; Sagiv, Reps, Horwitz 1996 for
//! expressions of one variable). Its results are safe, not exact.

use super::affine::AffineExpression;
use super::{Merge, Precision, Semiring};
use crate::util::{Bounded, Limit};
use num_bigint::BigInt;
use std::ops::Range;

/// The most bits of a coefficient. Expressions with longer ones are given up.
const WIDEST: u64 = 4_096;

/// By variable: its value behind the paths as an expression of the values before, or `None` for any
/// value. The whole is `None` if there is no path.
pub type ConstantValues = Option<Vec<Option<AffineExpression>>>;

/// The domain over some integer variables. ⊕ keeps the expressions that both sides agree on; ⊗
/// substitutes the left ones into the right ones. A chain 0 ⊏ w1 ⊏ w2 … has at most n + 2 members.
#[derive(Clone, Debug)]
pub struct ConstantPropagation {
    variables: usize,
    locals: Range<usize>,
    operations: u64,
    most_operations: u64,
}

impl ConstantPropagation {
    /// The domain for `variables` variables. After `most_operations` multiplications of numbers,
    /// every operation returns [`Limit::Steps`].
    pub fn new(variables: usize, most_operations: u64) -> ConstantPropagation {
        ConstantPropagation { variables, locals: 0..0, operations: 0, most_operations }
    }

    /// The same domain, with locals in these variables, for [`Merge`].
    pub fn with_locals(mut self, locals: Range<usize>) -> ConstantPropagation {
        self.locals = locals;
        self
    }

    /// x_j := e for each pair, in parallel; `None` stands for any value.
    pub fn assign(&self, targets: &[(usize, Option<AffineExpression>)]) -> ConstantValues {
        let mut values: Vec<Option<AffineExpression>> =
            (0..self.variables).map(|k| Some(AffineExpression::variable(k))).collect();
        for (target, expression) in targets {
            if let Some(value) = values.get_mut(*target) {
                *value = expression.clone().map(sorted).filter(is_small);
            }
        }
        Some(values)
    }

    fn substitute(
        &mut self,
        into: &AffineExpression,
        values: &[Option<AffineExpression>],
    ) -> Bounded<Option<AffineExpression>> {
        let mut result = AffineExpression::constant(into.constant.clone());
        for (variable, factor) in &into.terms {
            let Some(Some(value)) = values.get(*variable) else { return Ok(None) };
            self.operations += 1 + value.terms.len() as u64;
            if self.operations > self.most_operations {
                return Err(Limit::Steps);
            }
            result = result.add_scaled(factor, value);
        }
        Ok(Some(sorted(result)).filter(is_small))
    }
}

/// Sorts the terms by variable, so that equal expressions are equal values.
fn sorted(mut expression: AffineExpression) -> AffineExpression {
    expression.terms.retain(|(_, factor)| *factor != BigInt::ZERO);
    expression.terms.sort_by_key(|(variable, _)| *variable);
    expression
}

fn is_small(expression: &AffineExpression) -> bool {
    expression.constant.bits() <= WIDEST
        && expression.terms.iter().all(|(_, factor)| factor.bits() <= WIDEST)
}

impl Semiring for ConstantPropagation {
    type Weight = ConstantValues;

    fn zero(&self) -> ConstantValues {
        None
    }
    fn one(&mut self) -> Bounded<ConstantValues> {
        Ok(self.assign(&[]))
    }
    fn combine(
        &mut self,
        left: &ConstantValues,
        right: &ConstantValues,
    ) -> Bounded<ConstantValues> {
        Ok(match (left, right) {
            (Some(a), Some(b)) => {
                Some(a.iter().zip(b).map(|(a, b)| if a == b { a.clone() } else { None }).collect())
            }
            (some, None) | (None, some) => some.clone(),
        })
    }
    fn extend(&mut self, left: &ConstantValues, right: &ConstantValues) -> Bounded<ConstantValues> {
        let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
        let mut values = Vec::with_capacity(right.len());
        for value in right {
            values.push(match value {
                Some(expression) => self.substitute(expression, left)?,
                None => None,
            });
        }
        Ok(Some(values))
    }
    fn precision(&self) -> Precision {
        Precision::Safe
    }
}

impl Merge for ConstantPropagation {
    fn merge(&mut self, weight: &ConstantValues) -> Bounded<ConstantValues> {
        Ok(weight.clone().map(|mut values| {
            for (k, value) in values.iter_mut().enumerate().filter(|(k, _)| self.locals.contains(k))
            {
                *value = Some(AffineExpression::variable(k));
            }
            values
        }))
    }
}
