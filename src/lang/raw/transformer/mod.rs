//! What a rule does to variables: a guarded parallel assignment, as plain data.
//!
//! ```text
//! x > 0, y' != x, x := x - 1, z := *        conditions (x' is the value afterwards) and assignments (* is any value)
//! ```
//!
//! All right sides are read before anything is written. A variable that is neither assigned nor
//! primed in a condition stays as it is. A variable that is only primed may get any value for which
//! the conditions hold. Terms are exact integers; a variable of w bits takes the assigned value
//! modulo 2^w. [`Transformer::relates`] says whether a rule can lead from one store to another. It
//! evaluates the terms; replayed runs and tests rely on it.

mod linear;
mod print;
mod read;

pub use linear::{Linear, linear};
pub(super) use read::{Declared, Names, read_transformer, read_variables};

/// A variable's number in [`RawWeights`](super::RawWeights).
pub type Variable = u32;

/// An integer term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A constant.
    Number(i64),
    /// x, before the rule.
    Old(Variable),
    /// x', after the rule.
    New(Variable),
    /// Terms, each with whether it is subtracted. Not empty.
    Sum(Vec<(bool, Term)>),
    /// The factors; at least two.
    Product(Vec<Term>),
}

/// How two terms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// =
    Equal,
    /// !=
    NotEqual,
    /// <
    Less,
    /// <=
    LessEqual,
    /// >
    Greater,
    /// >=
    GreaterEqual,
}

/// A condition on the stores before and after a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A comparison.
    Compare(Comparison, Term, Term),
    /// !
    Not(Box<Condition>),
    /// &&; at least two.
    All(Vec<Condition>),
    /// ||; at least two.
    Any(Vec<Condition>),
}

/// What a rule does. The default: nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transformer {
    /// All of them must hold.
    pub conditions: Vec<Condition>,
    /// Every variable at most once; `None` is any value.
    pub assigned: Vec<(Variable, Option<Term>)>,
}

/// The values of all variables.
pub type Store = Vec<u64>;

impl Term {
    /// The value of the term; `None` if it needs more than 128 bits, which no term that was read
    /// does.
    pub fn evaluate(&self, old: &[u64], new: &[u64]) -> Option<i128> {
        let value = |store: &[u64], variable: &Variable| {
            store.get(*variable as usize).map(|value| i128::from(*value))
        };
        match self {
            Term::Number(n) => Some(i128::from(*n)),
            Term::Old(variable) => value(old, variable),
            Term::New(variable) => value(new, variable),
            Term::Sum(items) => items.iter().try_fold(0i128, |sum, (minus, item)| {
                let item = item.evaluate(old, new)?;
                if *minus { sum.checked_sub(item) } else { sum.checked_add(item) }
            }),
            Term::Product(items) => items
                .iter()
                .try_fold(1i128, |product, item| product.checked_mul(item.evaluate(old, new)?)),
        }
    }

    /// Calls `visit` on every primed variable.
    fn primed(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Term::New(variable) => visit(*variable),
            Term::Number(_) | Term::Old(_) => {}
            Term::Sum(items) => items.iter().for_each(|(_, item)| item.primed(visit)),
            Term::Product(items) => items.iter().for_each(|item| item.primed(visit)),
        }
    }
}

impl Condition {
    /// Does the condition hold? False if a number needs more than 128 bits.
    pub fn holds(&self, old: &[u64], new: &[u64]) -> bool {
        match self {
            Condition::Compare(how, left, right) => {
                match (left.evaluate(old, new), right.evaluate(old, new)) {
                    (Some(left), Some(right)) => match how {
                        Comparison::Equal => left == right,
                        Comparison::NotEqual => left != right,
                        Comparison::Less => left < right,
                        Comparison::LessEqual => left <= right,
                        Comparison::Greater => left > right,
                        Comparison::GreaterEqual => left >= right,
                    },
                    _ => false,
                }
            }
            Condition::Not(inner) => !inner.holds(old, new),
            Condition::All(items) => items.iter().all(|item| item.holds(old, new)),
            Condition::Any(items) => items.iter().any(|item| item.holds(old, new)),
        }
    }

    fn primed(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Condition::Compare(_, left, right) => {
                [left, right].into_iter().for_each(|term| term.primed(visit))
            }
            Condition::Not(inner) => inner.primed(visit),
            Condition::All(items) | Condition::Any(items) => {
                items.iter().for_each(|item| item.primed(visit))
            }
        }
    }
}

impl Transformer {
    /// Variables that a condition primes, ascending.
    pub fn primed(&self) -> Vec<Variable> {
        let mut found = Vec::new();
        self.conditions
            .iter()
            .for_each(|condition| condition.primed(&mut |variable| found.push(variable)));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Can the rule lead from one store to the other? `bits`: by variable, how wide it is.
    pub fn relates(&self, bits: &[u32], old: &[u64], new: &[u64]) -> bool {
        let primed = self.primed();
        let taken = |(variable, bits): (usize, &u32)| {
            let mask = if *bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
            match self.assigned.iter().find(|(assigned, _)| *assigned as usize == variable) {
                Some((_, None)) => true,
                Some((_, Some(term))) => term
                    .evaluate(old, new)
                    .is_some_and(|value| value as u64 & mask == new[variable]),
                None => primed.contains(&(variable as u32)) || old[variable] == new[variable],
            }
        };
        bits.iter().enumerate().all(taken)
            && self.conditions.iter().all(|condition| condition.holds(old, new))
    }
}
