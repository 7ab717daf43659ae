//! The product of two domains.

use super::{Precision, Semiring};
use crate::util::Bounded;

/// Pairs of weights. Every operation works on both parts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Product<A, B> {
    /// The first domain.
    pub first: A,
    /// The second domain.
    pub second: B,
}

impl<A: Semiring, B: Semiring> Semiring for Product<A, B> {
    type Weight = (A::Weight, B::Weight);

    fn zero(&self) -> Self::Weight {
        (self.first.zero(), self.second.zero())
    }
    fn one(&mut self) -> Bounded<Self::Weight> {
        Ok((self.first.one()?, self.second.one()?))
    }
    fn combine(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight> {
        Ok((self.first.combine(&left.0, &right.0)?, self.second.combine(&left.1, &right.1)?))
    }
    fn extend(&mut self, left: &Self::Weight, right: &Self::Weight) -> Bounded<Self::Weight> {
        Ok((self.first.extend(&left.0, &right.0)?, self.second.extend(&left.1, &right.1)?))
    }
    fn precision(&self) -> Precision {
        self.first.precision().min(self.second.precision())
    }
    fn is_zero(&self, weight: &Self::Weight) -> bool {
        self.first.is_zero(&weight.0) && self.second.is_zero(&weight.1)
    }
}
