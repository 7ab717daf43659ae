//! Floating-point numbers of IEEE 754 as words of literals, in the binary interchange layout:
//! lowest the fraction, then the exponent with its bias, highest the sign.
//!
//! An operation takes its operands apart (`unpack`), works on whole numbers, and packs the result
//! (`round_and_pack`), rounded to the nearest number, in a tie to the even one (Brain, Schanda and
//! Sun 2019; Muller and others, Handbook of Floating-Point Arithmetic, 2018, chapters 7 and 8).
//! Special operands take no paths of their own. What is computed for them is ignored when packing.

mod arithmetic;
mod comparison;
mod conversion;

use crate::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::words::extend;

/// How many bits the parts of a number have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: usize,
    /// Bits of the fraction, without the leading one that is not stored.
    pub fraction: usize,
}

impl Format {
    /// IEEE 754 binary32, C's `float`.
    pub const SINGLE: Format = Format { exponent: 8, fraction: 23 };
    /// IEEE 754 binary64, C's `double`.
    pub const DOUBLE: Format = Format { exponent: 11, fraction: 52 };

    /// Bits of a number: the sign, the exponent and the fraction.
    pub fn width(self) -> usize {
        1 + self.exponent + self.fraction
    }

    /// The stored exponent of 1.0.
    fn bias(self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Bits in which exponents are computed, with a sign: the sum of two finds room.
    fn wide(self) -> usize {
        self.exponent + 2
    }
}

/// Which whole number stands for a number between two of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// Towards zero: C's `trunc`.
    Truncate,
    /// Down: C's `floor`.
    Floor,
    /// Up: C's `ceil`.
    Ceil,
    /// The nearest, in a tie the one farther from zero: C's `round`.
    NearestAway,
    /// The nearest, in a tie the even one: C's `rint` and `nearbyint`, as a program starts.
    NearestEven,
}

/// A number taken apart.
struct Unpacked {
    sign: Lit,
    /// With its bias. It is 1 for subnormal numbers too: they have the least exponent, and no
    /// leading one. Without a sign as stored, with one if normalised.
    exponent: Vec<Lit>,
    /// Fraction and leading bit: one bit more than the fraction has.
    significand: Vec<Lit>,
    is_nan: Lit,
    is_infinite: Lit,
    is_zero: Lit,
}

/// A result before it is rounded: `significand` with its point behind the highest bit, times two to
/// the exponent. Of the three marks `is_nan` is the strongest, then `is_infinite`.
struct Unrounded {
    sign: Lit,
    /// With its bias and a sign, less one.
    exponent: Vec<Lit>,
    /// At least two bits more than the number keeps. The lowest may stand for all below it.
    significand: Vec<Lit>,
    is_nan: Lit,
    is_infinite: Lit,
    is_zero: Lit,
}

/// How many bits of a shift's amount matter to a word of so many bits.
fn stages(width: usize) -> usize {
    width.next_power_of_two().trailing_zeros() as usize
}

/// One bit up.
fn doubled(word: &[Lit]) -> Vec<Lit> {
    let mut result = vec![FALSE];
    result.extend(&word[..word.len() - 1]);
    result
}

/// `low` below `high`.
fn joined(low: &[Lit], high: &[Lit]) -> Vec<Lit> {
    [low, high].concat()
}

/// Both operands of a commutative operation in one order, so that `b + a` is the node of `a + b`.
fn ordered<'a>(a: &'a [Lit], b: &'a [Lit]) -> (&'a [Lit], &'a [Lit]) {
    if a <= b { (a, b) } else { (b, a) }
}

/// Taking apart and packing.
impl Circuit {
    /// The parts of a number as they are stored.
    fn unpack(&mut self, format: Format, a: &[Lit]) -> Unpacked {
        let (fraction, rest) = a.split_at(format.fraction);
        let mut exponent = rest[..format.exponent].to_vec();
        let (is_normal, is_special) = (self.any(&exponent), self.all(&exponent));
        let has_fraction = self.any(fraction);
        exponent[0] = self.or(exponent[0], !is_normal);
        Unpacked {
            sign: rest[format.exponent],
            exponent,
            significand: joined(fraction, &[is_normal]),
            is_nan: self.and(is_special, has_fraction),
            is_infinite: self.and(is_special, !has_fraction),
            is_zero: self.and(!is_normal, !has_fraction),
        }
    }

    /// The parts of a number, subnormal ones shifted until they have a leading one. The leading bit
    /// is `TRUE`, also of zero: `is_zero` says it, and multipliers and dividers get smaller.
    fn unpack_normalised(&mut self, format: Format, a: &[Lit]) -> Unpacked {
        let raw = self.unpack(format, a);
        let (significand, zeros) = self.normalise(&raw.significand);
        let exponent = extend(&raw.exponent, format.wide(), false);
        let exponent = self.subtract(&exponent, &extend(&zeros, format.wide(), false));
        Unpacked { exponent, significand, ..raw }
    }

    /// Shifted up until the highest bit is set, and by how many bits. Each stage asks if the upper
    /// half of what may still be zero is zero. 0001 0110: the upper four bits are not, the upper
    /// two are (0101 1000), the upper one is (1011 0000): binary 011 bits. The highest bit is said
    /// to be
    /// `TRUE`, which is wrong for zero only.
    fn normalise(&mut self, word: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = word.len();
        let mut word = word.to_vec();
        let mut zeros = vec![FALSE; stages(width)];
        for stage in (0..zeros.len()).rev() {
            let step = 1 << stage;
            zeros[stage] = !self.any(&word[width - step..]);
            let moved = joined(&vec![FALSE; step], &word[..width - step]);
            word = self.choose_word(zeros[stage], &moved, &word);
        }
        word[width - 1] = TRUE;
        (word, zeros)
    }

    /// Shifted up until the highest bit is set, but by no more than `most` bits; and what is left
    /// of
    /// `most`. A sum that gets too small for a leading one stops where subnormal numbers have their
    /// point, and none is shifted back. A stage shifts if its bits are zero and `most` allows them.
    fn normalise_within(&mut self, word: &[Lit], most: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = word.len();
        let (mut word, mut left) = (word.to_vec(), most.to_vec());
        for stage in (0..stages(width)).rev() {
            let step = 1 << stage;
            let empty = !self.any(&word[width - step..]);
            let allowed = self.any(&left[stage.min(most.len())..]);
            let shift = self.and(empty, allowed);
            let moved = joined(&vec![FALSE; step], &word[..width - step]);
            word = self.choose_word(shift, &moved, &word);
            // left - step: the borrow starts at the stage's bit.
            let mut borrow = shift;
            for bit in left.iter_mut().skip(stage) {
                let next = self.and(borrow, !*bit);
                *bit = self.xor(*bit, borrow);
                borrow = next;
            }
        }
        (word, left)
    }

    /// If the highest bit is not set, then the next one is: one bit up. And was the highest set?
    fn normalise_once(&mut self, word: &[Lit]) -> (Vec<Lit>, Lit) {
        let top = word[word.len() - 1];
        let mut result = self.choose_word(top, word, &doubled(word));
        result[word.len() - 1] = TRUE;
        (result, top)
    }

    /// Shifted to lower bits, and whether a bit was lost that was set. Amounts beyond the width
    /// lose all: their high bits are one condition and no stages.
    fn shift_right_sticky(&mut self, word: &[Lit], by: &[Lit]) -> (Vec<Lit>, Lit) {
        let width = word.len();
        let (low, high) = by.split_at(stages(width).min(by.len()));
        let (mut word, mut sticky) = (word.to_vec(), FALSE);
        for (stage, bit) in low.iter().enumerate() {
            let step = 1 << stage;
            let lost = self.any(&word[..step]);
            let lost = self.and(*bit, lost);
            sticky = self.or(sticky, lost);
            let moved = joined(&word[step..], &vec![FALSE; step]);
            word = self.choose_word(*bit, &moved, &word);
        }
        let (beyond, rest) = (self.any(high), self.any(&word));
        let lost = self.and(beyond, rest);
        (self.masked(!beyond, &word), self.or(sticky, lost))
    }

    /// Numbers too small for a leading one are shifted to the least exponent. Less one, that is
    /// zero, and a number is too small if its exponent is negative.
    fn denormalise(&mut self, number: Unrounded) -> Unrounded {
        let small = number.exponent[number.exponent.len() - 1];
        let below = self.negate(&number.exponent);
        let below = self.masked(small, &below[..below.len() - 1]);
        let (shifted, sticky) = self.shift_right_sticky(&number.significand, &below);
        let exponent = self.masked(!small, &number.exponent);
        Unrounded { exponent, significand: joined(&[sticky], &shifted), ..number }
    }

    /// Rounded to the nearest number, in a tie to the even one; above the largest, infinity.
    ///
    /// The leading one is not stored. It is added to the exponent instead, which for this is one
    /// less: 1.5 in single precision is 126·2²³ + 11000…0₂ = 0x3f000000 + 0xc00000 = 0x3fc00000.
    /// Without a leading one the same sum has exponent 0, that of subnormal numbers. A carry of
    /// rounding goes on to the exponent too: 1.11…1₂ becomes 10.0…0₂, that is 1.0₂ with the next
    /// exponent.
    fn round_and_pack(&mut self, format: Format, number: &Unrounded) -> Vec<Lit> {
        let fraction = format.fraction;
        let (lost, kept) = number.significand.split_at(number.significand.len() - fraction - 1);
        let (guard, below) = (lost[lost.len() - 1], self.any(&lost[..lost.len() - 1]));
        // Up if above the half, or at the half if odd.
        let up = self.or(below, kept[0]);
        let up = self.and(guard, up);
        let base = joined(&vec![FALSE; fraction], &number.exponent);
        let (sum, _) = self.add_with(&extend(kept, base.len(), false), &base, up);
        let (stored, above) = sum[fraction..].split_at(format.exponent);
        let (all, above) = (self.all(stored), self.any(above));
        let too_large = self.or(all, above);
        let too_large = self.and(too_large, !number.is_zero);
        let special = self.any(&[number.is_nan, number.is_infinite, too_large]);
        let empty = self.or(special, number.is_zero);
        let mut result = self.masked(!empty, &sum[..fraction]);
        result[fraction - 1] = self.or(result[fraction - 1], number.is_nan);
        for bit in stored {
            let bit = self.and(*bit, !number.is_zero);
            result.push(self.or(bit, special));
        }
        // The NaN of x86 is negative.
        result.push(self.or(number.sign, number.is_nan));
        result
    }
}

#[cfg(test)]
mod tests;
