//! Conversions from and to whole numbers, and between formats.

use super::{Format, Rounding, Unrounded, joined, stages};
use crate::circuit::{Circuit, FALSE, Lit, TRUE};
use crate::words::{constant, extend};

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
    pub(super) fn below_point(
        &mut self,
        before: &[Lit],
        is_small: Lit,
        fraction: usize,
    ) -> Vec<Lit> {
        let (low, high) = before.split_at(stages(fraction).min(before.len()));
        let beyond = self.any(high);
        let ones = self.shift_right(&vec![TRUE; fraction], low, FALSE);
        let mask = self.masked(!beyond, &ones);
        mask.iter().map(|bit| self.or(*bit, is_small)).collect()
    }

    /// Is the nearest whole number the one farther from zero? `mask` are the bits below the point,
    /// so that the highest of them is one half. Below 1 that is the leading one, if the exponent
    /// says so.
    pub(super) fn is_nearest_above(
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
