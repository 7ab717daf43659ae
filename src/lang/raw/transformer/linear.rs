//! Terms as sums of multiples of variables.

use super::{Term, Variable};
use num_bigint::BigInt;
use num_traits::Zero;

/// a0 + Σ ai xi over values before the rule; every variable once, ascending, no ai is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// a0.
    pub constant: BigInt,
    /// Pairs (i, ai).
    pub terms: Vec<(Variable, BigInt)>,
}

impl Linear {
    fn add(&mut self, factor: &BigInt, other: &Linear) {
        self.constant += factor * &other.constant;
        for (variable, coefficient) in &other.terms {
            match self.terms.binary_search_by_key(variable, |(v, _)| *v) {
                Ok(k) => self.terms[k].1 += factor * coefficient,
                Err(k) => self.terms.insert(k, (*variable, factor * coefficient)),
            }
        }
        self.terms.retain(|(_, coefficient)| !coefficient.is_zero());
    }
}

/// The term as a sum; `None` where two variables are multiplied, or one is primed.
pub fn linear(term: &Term) -> Option<Linear> {
    let mut result = Linear::default();
    match term {
        Term::Number(n) => result.constant = BigInt::from(*n),
        Term::Old(variable) => result.terms.push((*variable, BigInt::from(1))),
        Term::New(_) => return None,
        Term::Sum(items) => {
            for (minus, item) in items {
                result.add(&BigInt::from(if *minus { -1 } else { 1 }), &linear(item)?);
            }
        }
        Term::Product(items) => {
            result.constant = BigInt::from(1);
            for item in items {
                let (left, right) = (std::mem::take(&mut result), linear(item)?);
                match (left.terms.is_empty(), right.terms.is_empty()) {
                    (true, _) => result.add(&left.constant, &right),
                    (_, true) => result.add(&right.constant, &left),
                    _ => return None,
                }
            }
        }
    }
    Some(result)
}
