//! Floating-point numbers of IEEE 754 as words of literals, in the binary interchange layout:
//! lowest the fraction, then the exponent with its bias, highest the sign.
//!
//! An operation takes its operands apart (`unpack`), works on whole numbers, and packs the result
//! (`round_and_pack`), rounded to the nearest number, in a tie to the even one (Brain, Schanda and
//! Sun 2019; Muller and others, Handbook of Floating-Point Arithmetic, 2018, chapters 7 and 8).
//! Special operands take no paths of their own. What is computed for them is ignored when packing.

use crate::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::words::{constant, extend};

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

/// Comparisons, signs and special numbers.
impl Circuit {
    /// Is it `0` or `-0`?
    pub fn float_is_zero(&mut self, format: Format, a: &[Lit]) -> Lit {
        !self.any(&a[..format.width() - 1])
    }

    /// Is it not a number?
    pub fn float_is_nan(&mut self, format: Format, a: &[Lit]) -> Lit {
        self.unpack(format, a).is_nan
    }

    /// Is it infinite, with any sign?
    pub fn float_is_infinite(&mut self, format: Format, a: &[Lit]) -> Lit {
        self.unpack(format, a).is_infinite
    }

    /// `-a`: the other sign, also of NaN. As many bits as `a`.
    pub fn float_negate(&mut self, format: Format, a: &[Lit]) -> Vec<Lit> {
        joined(&a[..format.width() - 1], &[!a[format.width() - 1]])
    }

    /// C's `fabs`: no sign, also of NaN. As many bits as `a`.
    pub fn float_absolute(&mut self, format: Format, a: &[Lit]) -> Vec<Lit> {
        joined(&a[..format.width() - 1], &[FALSE])
    }

    /// `a < b` and `a == b` without their signs. The layout is made so that this is what whole
    /// numbers do. One comparator for both orders of the operands.
    fn compare_magnitudes(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> (Lit, Lit) {
        let (a, b) = (&a[..format.width() - 1], &b[..format.width() - 1]);
        let (first, second) = ordered(a, b);
        let less = self.less(first, second, false);
        let equal = self.equal_words(first, second);
        let greater = self.or(less, equal);
        (if first == a { less } else { !greater }, equal)
    }

    /// `a` stands before `b`, if neither is NaN; `-0` before `0`.
    fn before(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let (less, equal) = self.compare_magnitudes(format, a, b);
        let (left, right) = (a[format.width() - 1], b[format.width() - 1]);
        let greater = self.or(less, equal);
        // Of two negative numbers the one with the greater magnitude is less.
        let same = self.choose(left, !greater, less);
        let different = self.xor(left, right);
        self.choose(different, left, same)
    }

    /// Are both numbers, neither NaN?
    fn are_numbers(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let (left, right) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        self.and(!left, !right)
    }

    /// Is one of both not zero?
    fn is_one_nonzero(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let (left, right) = (self.float_is_zero(format, a), self.float_is_zero(format, b));
        !self.and(left, right)
    }

    /// `a < b`; never with NaN, and not `-0 < 0`.
    pub fn float_less(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let before = self.before(format, a, b);
        let numbers = self.are_numbers(format, a, b);
        let nonzero = self.is_one_nonzero(format, a, b);
        self.all(&[before, nonzero, numbers])
    }

    /// `a <= b`; never with NaN.
    pub fn float_less_equal(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let after = self.before(format, b, a);
        let numbers = self.are_numbers(format, a, b);
        let nonzero = self.is_one_nonzero(format, a, b);
        let after = self.and(after, nonzero);
        self.and(!after, numbers)
    }

    /// `a == b`; never with NaN, and `-0 == 0`.
    pub fn float_equal(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = ordered(a, b);
        let (_, equal) = self.compare_magnitudes(format, a, b);
        let signs = self.equal(a[format.width() - 1], b[format.width() - 1]);
        // With equal magnitudes one speaks for both.
        let (is_zero, is_nan) = (self.float_is_zero(format, a), self.float_is_nan(format, a));
        let signs = self.or(signs, is_zero);
        self.all(&[equal, signs, !is_nan])
    }

    /// C's `fmin`: the lesser; the other one, if one is NaN; `-0`, if both are zero and one is `-0`
    /// (minimumNumber of IEEE 754-2019). As many bits as `a`.
    pub fn float_minimum(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let before = self.before(format, a, b);
        self.number_of(format, before, a, b)
    }

    /// C's `fmax`: the greater; the other one, if one is NaN; `0`, if both are zero and one is `0`
    /// (maximumNumber of IEEE 754-2019). As many bits as `a`.
    pub fn float_maximum(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let before = self.before(format, a, b);
        self.number_of(format, !before, a, b)
    }

    /// `a` if `first`, else `b`; but never a NaN beside a number.
    fn number_of(&mut self, format: Format, first: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let (left, right) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        let first = self.and(first, !left);
        let first = self.or(first, right);
        self.choose_word(first, a, b)
    }
}

/// Arithmetic.
impl Circuit {
    /// `a + b`, rounded to the nearest. As many bits as the format has.
    ///
    /// The number of lesser magnitude is shifted to the exponent of the greater one, and added or
    /// subtracted (Muller and others, 7.3). Three bits below the last are enough: if more than one
    /// bit was shifted out, then the difference lacks at most one leading bit. After it is shifted
    /// up by one there are still the bit that decides and one that stands for all below.
    pub fn float_add(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        // One order by magnitude: a - b and b - a share all but the sign.
        let sign = format.width() - 1;
        let (a, b) = if (&a[..sign], a[sign]) <= (&b[..sign], b[sign]) { (a, b) } else { (b, a) };
        let (less, equal) = self.compare_magnitudes(format, a, b);
        let (large, small) = (self.choose_word(less, b, a), self.choose_word(less, a, b));
        let (large, small) = (self.unpack(format, &large), self.unpack(format, &small));
        let difference = self.subtract(&large.exponent, &small.exponent);
        let significand = joined(&[FALSE; 2], &small.significand);
        let (shifted, sticky) = self.shift_right_sticky(&significand, &difference);
        let subtracted = self.xor(large.sign, small.sign);
        let addend: Vec<Lit> = joined(&[sticky], &shifted);
        let addend: Vec<Lit> = addend.iter().map(|bit| self.xor(*bit, subtracted)).collect();
        let significand = joined(&[FALSE; 3], &large.significand);
        let (sum, carry) = self.add_with(&significand, &addend, subtracted);
        // A difference always carries, as the smaller number is subtracted.
        let carry = self.and(carry, !subtracted);
        let (significand, exponent) =
            self.normalise_within(&joined(&sum, &[carry]), &large.exponent);
        // NaN is greater than infinity: the larger operand tells of all special ones.
        let is_zero = self.and(subtracted, equal);
        let undefined = self.and(large.is_infinite, is_zero);
        let number = Unrounded {
            // The sum is zero of two opposite numbers: `0`. Or of two zeros with one sign.
            sign: self.and(large.sign, !is_zero),
            exponent,
            significand,
            is_nan: self.or(large.is_nan, undefined),
            is_infinite: large.is_infinite,
            is_zero,
        };
        self.round_and_pack(format, &number)
    }

    /// `a - b`, rounded to the nearest. As many bits as the format has.
    pub fn float_subtract(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let b = self.float_negate(format, b);
        self.float_add(format, a, &b)
    }

    /// `a * b`, rounded to the nearest. As many bits as the format has.
    ///
    /// Significands are at least 1 and below 2, the product below 4 (Muller and others, 7.4): the
    /// highest bit of the product may be zero, but then the next one is not.
    pub fn float_multiply(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let (a, b) = ordered(a, b);
        let (a, b) = (self.unpack_normalised(format, a), self.unpack_normalised(format, b));
        let digits = format.fraction + 1;
        let product = self.multiply_to(&a.significand, &b.significand, 2 * digits);
        let (low, high) = product.split_at(digits - 2);
        let sticky = self.any(low);
        let (significand, top) = self.normalise_once(&joined(&[sticky], high));
        // The bias is in both exponents. With the highest bit the exponent is one more.
        let exponent = self.subtract(&a.exponent, &constant(format.bias() + 1, format.wide()));
        let exponent = self.add_with(&exponent, &b.exponent, top).0;
        let left = self.and(a.is_infinite, b.is_zero);
        let right = self.and(b.is_infinite, a.is_zero);
        let number = Unrounded {
            sign: self.xor(a.sign, b.sign),
            exponent,
            significand,
            is_nan: self.any(&[a.is_nan, b.is_nan, left, right]),
            is_infinite: self.or(a.is_infinite, b.is_infinite),
            is_zero: self.or(a.is_zero, b.is_zero),
        };
        let number = self.denormalise(number);
        self.round_and_pack(format, &number)
    }

    /// `a / b`, rounded to the nearest. As many bits as the format has.
    pub fn float_divide(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let (a, b) = (self.unpack_normalised(format, a), self.unpack_normalised(format, b));
        let (quotient, rest) = self.divide_significands(&a.significand, &b.significand);
        let (significand, top) = self.normalise_once(&joined(&[rest], &quotient));
        // The bias is in neither exponent. Without the highest bit the exponent is one less.
        let exponent = self.subtract(&a.exponent, &b.exponent);
        let bias = constant(format.bias() - 2, format.wide());
        let exponent = self.add_with(&exponent, &bias, top).0;
        let zeros = self.and(a.is_zero, b.is_zero);
        let infinities = self.and(a.is_infinite, b.is_infinite);
        let number = Unrounded {
            sign: self.xor(a.sign, b.sign),
            exponent,
            significand,
            is_nan: self.any(&[a.is_nan, b.is_nan, zeros, infinities]),
            is_infinite: self.or(a.is_infinite, b.is_zero),
            is_zero: self.or(a.is_zero, b.is_infinite),
        };
        let number = self.denormalise(number);
        self.round_and_pack(format, &number)
    }

    /// The quotient of two normalised significands in two bits more, the highest before the point,
    /// and whether something remains. It is above one half and below 2: one of the two highest bits
    /// is set. Digit by digit: 1.00₂ / 1.10₂ is 0, remainder 1.00; doubled 10.00 - 1.10, 1,
    /// remainder 0.10; doubled 1.00, 0, and so on: 0.1010…₂.
    fn divide_significands(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
        let width = a.len();
        let divisor = extend(b, width + 1, false);
        let mut quotient = vec![FALSE; width + 2];
        let mut remainder = extend(a, width + 1, false);
        for digit in quotient.iter_mut().rev() {
            let (difference, less) = self.subtract_with(&remainder, &divisor);
            *digit = !less;
            // Less than the divisor, so the highest bit is zero. `doubled` drops it.
            remainder = doubled(&self.choose_word(less, &remainder, &difference));
        }
        let rest = self.any(&remainder);
        (quotient, rest)
    }

    /// C's `sqrt`, rounded to the nearest. As many bits as the format has.
    ///
    /// The exponent must be even to be halved. If it is odd, it is one less and the significand
    /// doubled, now below 4. The root of it is at least 1 and below 2, and nothing gets subnormal.
    pub fn float_square_root(&mut self, format: Format, a: &[Lit]) -> Vec<Lit> {
        let a = self.unpack_normalised(format, a);
        // With e the exponent without bias: (e + 2·bias - 2) / 2 is e/2 with bias, less one. As the
        // bias is odd, the last bit of this sum is that of e.
        let sum = self.add(&a.exponent, &constant(format.bias() - 2, format.wide()));
        let (odd, half) = (sum[0], extend(&sum[1..], format.wide(), true));
        let single = joined(&a.significand, &[FALSE]);
        let radicand = self.choose_word(odd, &doubled(&single), &single);
        let (root, rest) = self.root_of_significand(&radicand);
        let negative = self.and(a.sign, !a.is_zero);
        let number = Unrounded {
            sign: a.sign,
            exponent: half,
            significand: joined(&[rest], &root),
            is_nan: self.or(a.is_nan, negative),
            is_infinite: a.is_infinite,
            is_zero: a.is_zero,
        };
        self.round_and_pack(format, &number)
    }

    /// The root of a number of at least 1 and below 4, two bits before the point, in as many bits,
    /// one before the point; and whether something remains.
    ///
    /// Each step brings down two bits of the number and finds one of the root (Muller and others,
    /// 8.6). With the root r so far, r1₂ squared is 4r² + 4r + 1: the digit is one if the remainder
    /// is at least 4r + 1. Of 10.01₂ first 10: root 1, remainder 1. Then 101 against 101: root 11,
    /// remainder 0, and 1.1₂ squared is 10.01₂. The remainder is at most 2r: a bit more than the
    /// root.
    fn root_of_significand(&mut self, radicand: &[Lit]) -> (Vec<Lit>, Lit) {
        let digits = radicand.len();
        let radicand = joined(&vec![FALSE; digits], radicand);
        let (mut root, mut remainder) = (Vec::new(), Vec::new());
        for pair in radicand.chunks(2).rev() {
            let wide = joined(pair, &remainder);
            let trial = extend(&joined(&[TRUE, FALSE], &root), wide.len(), false);
            let (difference, less) = self.subtract_with(&wide, &trial);
            // The first digit is one, as the number is at least 1.
            let digit = if root.is_empty() { TRUE } else { !less };
            remainder = self.choose_word(digit, &difference, &wide);
            root.insert(0, digit);
            remainder.truncate(root.len() + 1);
        }
        let rest = self.any(&remainder);
        (root, rest)
    }
}

/// Conversions.
impl Circuit {
    /// A whole number of any width as a floating-point number, rounded to the nearest.
    pub fn float_from_integer(&mut self, format: Format, word: &[Lit], signed: bool) -> Vec<Lit> {
        let sign = if signed { word[word.len() - 1] } else { FALSE };
        let magnitude = self.negate_if(sign, word);
        let is_zero = !self.any(&magnitude);
        let (significand, zeros) = self.normalise(&magnitude);
        let wide = format.wide().max(stages(word.len()) + 2);
        let highest = constant(format.bias() + word.len() as u64 - 2, wide);
        let exponent = self.subtract(&highest, &extend(&zeros, wide, false));
        let missing = (format.fraction + 3).saturating_sub(word.len());
        let significand = joined(&vec![FALSE; missing], &significand);
        let (is_nan, is_infinite) = (FALSE, FALSE);
        let number = Unrounded { sign, exponent, significand, is_nan, is_infinite, is_zero };
        self.round_and_pack(format, &number)
    }

    /// A number as a whole number of so many bits, without its fraction, and whether it has a place
    /// in the type. If it has none, NaN among them: 0x80…0 for signed types, as x86 has it
    /// (`cvttsd2si`), and any word for the others.
    ///
    /// The significand starts at the top of the word, as if the number had the highest exponent,
    /// and is shifted down by what its exponent is less. Bits below the word would be shifted out
    /// anyway.
    pub fn float_to_integer(
        &mut self,
        format: Format,
        a: &[Lit],
        width: usize,
        signed: bool,
    ) -> (Vec<Lit>, Lit) {
        let a = self.unpack(format, a);
        let missing = width.saturating_sub(format.fraction + 1);
        let aligned = joined(&vec![FALSE; missing], &a.significand);
        let wide = format.wide().max(stages(width) + 2);
        let highest = constant(format.bias() + width as u64 - 1, wide);
        let by = self.subtract(&highest, &extend(&a.exponent, wide, false));
        let (by, above) = by.split_at(wide - 1);
        let (by, beyond) = by.split_at(stages(width).min(by.len()));
        let beyond = self.any(beyond);
        let magnitude = self.shift_right(&aligned[aligned.len() - width..], by, FALSE);
        let magnitude = self.masked(!beyond, &magnitude);
        if !signed {
            // -0.9 has a place: it is 0.
            let nonzero = self.any(&magnitude);
            let negative = self.and(a.sign, nonzero);
            let wrong = self.or(negative, above[0]);
            return (magnitude, !wrong);
        }
        // 2^(width-1) has a place with a minus only.
        let below = self.any(&magnitude[..width - 1]);
        let least = self.and(a.sign, !below);
        let wrong = self.and(magnitude[width - 1], !least);
        let wrong = self.or(wrong, above[0]);
        let word = self.negate_if(a.sign, &magnitude);
        let mut result = self.masked(!wrong, &word);
        result[width - 1] = self.or(word[width - 1], wrong);
        (result, !wrong)
    }

    /// A number in another format, rounded to the nearest. As many bits as that format has.
    ///
    /// Into a larger format nothing is lost, but what was subnormal is not any more. Into a smaller
    /// one, subnormal numbers are far below all others, and need no leading one to be shifted away.
    pub fn float_convert(&mut self, from: Format, to: Format, a: &[Lit]) -> Vec<Lit> {
        if from == to {
            return a.to_vec();
        }
        let larger = to.exponent > from.exponent;
        let a = if larger { self.unpack_normalised(from, a) } else { self.unpack(from, a) };
        let wide = from.wide().max(to.wide());
        let bias = constant(to.bias().wrapping_sub(from.bias() + 1), wide);
        let exponent = self.add(&extend(&a.exponent, wide, larger), &bias);
        let missing = (to.fraction + 3).saturating_sub(from.fraction + 1);
        let mut number = Unrounded {
            sign: a.sign,
            exponent,
            significand: joined(&vec![FALSE; missing], &a.significand),
            is_nan: a.is_nan,
            is_infinite: a.is_infinite,
            is_zero: a.is_zero,
        };
        if !larger {
            number = self.denormalise(number);
        }
        self.round_and_pack(to, &number)
    }

    /// The number rounded to a whole one, of the same sign, also if it is zero (C's `trunc`,
    /// `floor`,
    /// `ceil`, `round`, `rint`). NaN and infinity stay. As many bits as `a`.
    ///
    /// The bits below the point are found in place. To round up, they are all set and one is added,
    /// as the layout lets a carry go on to the exponent: of 1.11₂ with the fraction 11 the point
    /// stands before both bits, 1.11₂ plus a last bit is 10.00₂. Below 1 all bits are below the
    /// point, and the number is first replaced by 0, or by the one before 1 to be rounded up.
    pub fn float_round_to_integral(
        &mut self,
        format: Format,
        a: &[Lit],
        mode: Rounding,
    ) -> Vec<Lit> {
        let (fraction, rest) = a.split_at(format.fraction);
        let (exponent, sign) = (&rest[..format.exponent], rest[format.exponent]);
        let bias = constant(format.bias(), format.exponent);
        // How many bits of the fraction stand before the point.
        let (before, is_small) = self.subtract_with(exponent, &bias);
        let mask = self.below_point(&before, is_small, format.fraction);
        let up = match mode {
            Rounding::Truncate => FALSE,
            Rounding::Floor | Rounding::Ceil => {
                let lost = self.bitwise(fraction, &mask, Circuit::and);
                let (lost, is_zero) = (self.any(&lost), self.float_is_zero(format, a));
                let small = self.and(is_small, !is_zero);
                let inexact = self.or(lost, small);
                self.and(inexact, if mode == Rounding::Floor { sign } else { !sign })
            }
            Rounding::NearestAway | Rounding::NearestEven => {
                let last = constant(format.bias() - 1, format.exponent);
                let is_half = self.equal_words(exponent, &last);
                self.is_nearest_above(fraction, &mask, is_small, is_half, mode)
            }
        };
        let mut word = Vec::with_capacity(format.width());
        for (bit, below) in fraction.iter().zip(&mask) {
            word.push(self.choose(*below, up, *bit));
        }
        for (k, bit) in exponent.iter().enumerate() {
            let small = if (format.bias() - 1) >> k & 1 == 1 { up } else { FALSE };
            word.push(self.choose(is_small, small, *bit));
        }
        let zero = vec![FALSE; word.len()];
        let (mut result, _) = self.add_with(&word, &zero, up);
        result.push(sign);
        result
    }

    /// Which bits of the fraction stand below the point: none, some of the lowest, or all.
    fn below_point(&mut self, before: &[Lit], is_small: Lit, fraction: usize) -> Vec<Lit> {
        let (low, high) = before.split_at(stages(fraction).min(before.len()));
        let beyond = self.any(high);
        let ones = self.shift_right(&vec![TRUE; fraction], low, FALSE);
        let mask = self.masked(!beyond, &ones);
        mask.iter().map(|bit| self.or(*bit, is_small)).collect()
    }

    /// Is the nearest whole number the one farther from zero? `mask` are the bits below the point,
    /// so that the highest of them is one half. Below 1 that is the leading one, if the exponent
    /// says so.
    fn is_nearest_above(
        &mut self,
        fraction: &[Lit],
        mask: &[Lit],
        is_small: Lit,
        is_half: Lit,
        mode: Rounding,
    ) -> Lit {
        let next = joined(&mask[1..], &[FALSE]);
        let highest: Vec<Lit> = mask.iter().zip(&next).map(|(m, n)| self.and(*m, !*n)).collect();
        let half = self.bitwise(fraction, &highest, Circuit::and);
        let half = self.any(&half);
        let half = self.choose(is_small, is_half, half);
        if mode == Rounding::NearestAway {
            return half;
        }
        // The bit before the point, where the leading one stands above the fraction.
        let integral = joined(&fraction[1..], &[TRUE]);
        let odd = self.bitwise(&integral, &highest, Circuit::and);
        let odd = self.any(&odd);
        let below = self.bitwise(fraction, &next, Circuit::and);
        let (below, any) = (self.any(&below), self.any(fraction));
        let other = self.or(odd, below);
        let other = self.choose(is_small, any, other);
        self.and(half, other)
    }
}

#[cfg(test)]
mod tests;
