//! Sums, products, quotients and roots.

use super::{Format, Unrounded, doubled, joined, ordered};
use crate::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::words::{constant, extend};

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
    pub(super) fn divide_significands(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
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
    pub(super) fn root_of_significand(&mut self, radicand: &[Lit]) -> (Vec<Lit>, Lit) {
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
