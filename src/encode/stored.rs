//! How many of a variable's bits diagrams mention.
//!
//! Most integers of a program need few of their 32 bits: a flag is 0 or 1, a state one of nine
//! numbers. Where all values of a variable are in a known range ([`crate::cfg::ranges`]), effects
//! store only its low bits, and the others follow from these. No run has another value, so the
//! stores that runs reach are the same, and so is everything that is read off them. What relations
//! say of stores that no run reaches may be different.

use crate::bdd::BitVector;
use crate::cfg::Range;
use crate::lang::model::Scalar;

/// The low bits that are stored, and what the others are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// How many bits are stored.
    pub bits: u8,
    /// Are the others copies of the last stored one? If not, they are 0.
    pub signed: bool,
}

impl Stored {
    /// Every bit.
    pub fn whole(scalar: Scalar) -> Stored {
        Stored { bits: scalar.width, signed: scalar.signed }
    }

    /// The bits that tell the numbers of a range apart.
    pub fn of(range: Range, scalar: Scalar) -> Stored {
        let length = |number: i128| (i128::BITS - number.leading_zeros()) as u8;
        let stored = match range.least < 0 {
            true => {
                let bits = length(!range.least).max(length(range.most.max(0))) + 1;
                Stored { bits, signed: true }
            }
            false => Stored { bits: length(range.most), signed: false },
        };
        if stored.bits >= scalar.width { Stored::whole(scalar) } else { stored }
    }

    /// A stored value as wide as its type.
    pub(super) fn extend(self, value: &BitVector, scalar: Scalar) -> BitVector {
        let width = scalar.width.into();
        match (self.bits, self.signed) {
            (0, _) => BitVector::constant(0, width),
            (_, true) => value.sign_extend(width),
            (_, false) => value.zero_extend(width),
        }
    }

    /// The bit pattern of the whole value.
    pub(super) fn pattern(self, stored: u64, scalar: Scalar) -> u64 {
        if self.bits == 0 {
            return 0;
        }
        let low = Scalar::int(self.bits, self.signed);
        scalar.wrap(low.number(stored))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Do these bits tell what each number of the range is?
    fn tells(stored: Stored, range: Range, scalar: Scalar) -> bool {
        (range.least..=range.most).all(|number| {
            let low = number as u64 & ((1 << stored.bits) - 1);
            stored.pattern(low, scalar) == scalar.wrap(number)
        })
    }

    #[test]
    fn the_fewest_bits_that_tell_a_range_apart() {
        for (width, signed) in (1..=5).flat_map(|width| [(width, false), (width, true)]) {
            let scalar = Scalar::int(width, signed);
            let all = Range::all(scalar);
            for least in all.least..=all.most {
                for range in (least..=all.most).map(|most| Range { least, most }) {
                    let stored = Stored::of(range, scalar);
                    assert!(tells(stored, range, scalar), "{stored:?} of {range:?}");
                    for bits in 0..stored.bits {
                        let fewer = Stored { bits, signed: range.least < 0 };
                        assert!(!tells(fewer, range, scalar), "{stored:?} of {range:?}");
                    }
                }
            }
        }
    }
}
