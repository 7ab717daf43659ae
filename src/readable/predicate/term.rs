//! The sides of a comparison, and what it means.

use crate::bdd::{Bdd, BitVector, Manager};
use crate::util::limits::Bounded;
use std::rc::Rc;

/// A side of a comparison: a signed number.
pub(super) struct Term {
    pub(super) value: BitVector,
    /// The bit itself, if the term consists of a bool variable.
    pub(super) truth: Option<Bdd>,
    /// What the values are called, if the term consists of a pointer.
    pub(super) values: Option<Rc<[String]>>,
    pub(super) sum: Sum,
}

/// Of what a term consists.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Sum {
    /// Of constants.
    Constant,
    /// Of one variable that wraps at this width.
    Variable(u32),
    /// Of several variables that wrap at this width, or of multiples, and of constants.
    Wrapping(u32),
    /// Of something else.
    Other,
}

impl Sum {
    /// Both, added, or multiplied if one of them is a constant.
    pub(super) fn join(self, other: Sum) -> Sum {
        match (self, other) {
            (Sum::Constant, Sum::Constant) => Sum::Constant,
            (Sum::Variable(width) | Sum::Wrapping(width), Sum::Constant)
            | (Sum::Constant, Sum::Variable(width) | Sum::Wrapping(width)) => Sum::Wrapping(width),
            (
                Sum::Variable(width) | Sum::Wrapping(width),
                Sum::Variable(same) | Sum::Wrapping(same),
            ) if width == same => Sum::Wrapping(width),
            _ => Sum::Other,
        }
    }

    /// The width at which two sides are compared for equality, if one of them is a sum that wraps.
    pub(super) fn modulo(self, other: Sum) -> Option<u32> {
        match (self, other) {
            (Sum::Wrapping(width), Sum::Constant) | (Sum::Constant, Sum::Wrapping(width)) => {
                Some(width)
            }
            (Sum::Wrapping(width), Sum::Variable(same) | Sum::Wrapping(same))
            | (Sum::Variable(width), Sum::Wrapping(same)) => (width == same).then_some(width),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Longer spellings come before their prefixes.
pub(super) const RELATIONS: [(&str, Relation); 10] = [
    ("==", Relation::Equal),
    ("=", Relation::Equal),
    ("≠", Relation::NotEqual),
    ("!=", Relation::NotEqual),
    ("≤", Relation::LessEqual),
    ("<=", Relation::LessEqual),
    ("<", Relation::Less),
    ("≥", Relation::GreaterEqual),
    (">=", Relation::GreaterEqual),
    (">", Relation::Greater),
];

/// A constant as a signed vector that is wide enough.
pub(super) fn constant(number: i128) -> BitVector {
    let width = 128 - number.unsigned_abs().leading_zeros() + 1;
    let bits = (0..width).map(|k| Bdd::constant(number >> k & 1 == 1)).collect();
    BitVector::from_bits(bits)
}

pub(super) fn compare(
    manager: &mut Manager,
    relation: Relation,
    left: &BitVector,
    right: &BitVector,
) -> Bounded<Bdd> {
    let width = left.width().max(right.width());
    let (left, right) = (left.sign_extend(width), right.sign_extend(width));
    match relation {
        Relation::Equal => left.equal(manager, &right),
        Relation::NotEqual => left.not_equal(manager, &right),
        Relation::Less => left.signed_less(manager, &right),
        Relation::LessEqual => left.signed_less_equal(manager, &right),
        Relation::Greater => right.signed_less(manager, &left),
        Relation::GreaterEqual => right.signed_less_equal(manager, &left),
    }
}
