//! Comparisons, signs and special numbers.

use super::{Format, joined, ordered};
use crate::circuit::{Circuit, FALSE, Lit};

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
    pub(super) fn compare_magnitudes(
        &mut self,
        format: Format,
        a: &[Lit],
        b: &[Lit],
    ) -> (Lit, Lit) {
        let (a, b) = (&a[..format.width() - 1], &b[..format.width() - 1]);
        let (first, second) = ordered(a, b);
        let less = self.less(first, second, false);
        let equal = self.equal_words(first, second);
        let greater = self.or(less, equal);
        (if first == a { less } else { !greater }, equal)
    }

    /// `a` stands before `b`, if neither is NaN; `-0` before `0`.
    pub(super) fn before(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let (less, equal) = self.compare_magnitudes(format, a, b);
        let (left, right) = (a[format.width() - 1], b[format.width() - 1]);
        let greater = self.or(less, equal);
        // Of two negative numbers the one with the greater magnitude is less.
        let same = self.choose(left, !greater, less);
        let different = self.xor(left, right);
        self.choose(different, left, same)
    }

    /// Are both numbers, neither NaN?
    pub(super) fn are_numbers(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let (left, right) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        self.and(!left, !right)
    }

    /// Is one of both not zero?
    pub(super) fn is_one_nonzero(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
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
    pub(super) fn number_of(
        &mut self,
        format: Format,
        first: Lit,
        a: &[Lit],
        b: &[Lit],
    ) -> Vec<Lit> {
        let (left, right) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        let first = self.and(first, !left);
        let first = self.or(first, right);
        self.choose_word(first, a, b)
    }
}
