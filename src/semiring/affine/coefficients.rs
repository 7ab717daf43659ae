//! The numbers that affine relations are made of: the rationals, or the integers modulo 2^w.
//!
//! Both are rings in which, of any two elements, one divides the other up to a unit. Echelon forms
//! need no other property.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::fmt::Debug;

/// A commutative ring whose ideals form a chain. Arithmetic is exact: nothing overflows, and
/// nothing is rounded.
pub trait Coefficients {
    /// A number.
    type Number: Clone + PartialEq + Eq + Debug;
    /// 0.
    fn zero(&self) -> Self::Number;
    /// 1.
    fn one(&self) -> Self::Number {
        self.integer(&BigInt::one())
    }
    /// The image of an integer.
    fn integer(&self, n: &BigInt) -> Self::Number;
    /// Is it 0?
    fn is_zero(&self, a: &Self::Number) -> bool;
    /// a + b c.
    fn add_product(&self, a: &Self::Number, b: &Self::Number, c: &Self::Number) -> Self::Number;
    /// a − b c.
    fn subtract_product(
        &self,
        a: &Self::Number,
        b: &Self::Number,
        c: &Self::Number,
    ) -> Self::Number;
    /// a b.
    fn multiply(&self, a: &Self::Number, b: &Self::Number) -> Self::Number {
        self.add_product(&self.zero(), a, b)
    }
    /// For a ≠ 0, a unit u such that u a is the chosen generator of the ideal of a.
    fn unit(&self, a: &Self::Number) -> Self::Number;
    /// Does the chosen generator g divide a?
    fn divides(&self, g: &Self::Number, a: &Self::Number) -> bool;
    /// For a chosen generator g, a q such that a − q g is the chosen residue of a modulo g (0 if g
    /// divides a).
    fn quotient(&self, a: &Self::Number, g: &Self::Number) -> Self::Number;
    /// For a chosen generator g, a generator of { a : a g = 0 }; `None` if that is {0}.
    fn annihilator(&self, g: &Self::Number) -> Option<Self::Number>;
    /// Is the number so long that the computation must stop?
    fn is_huge(&self, a: &Self::Number) -> bool {
        let _ = a;
        false
    }
    /// The integers that people read for a row of coefficients: a multiple of the row by a unit,
    /// whose entries are small integers.
    fn readable(&self, row: &[Self::Number]) -> Vec<BigInt>;
}

/// ℚ. For programs whose integers do not wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rationals;

impl Coefficients for Rationals {
    type Number = BigRational;

    fn zero(&self) -> BigRational {
        BigRational::zero()
    }
    fn integer(&self, n: &BigInt) -> BigRational {
        BigRational::from_integer(n.clone())
    }
    fn is_zero(&self, a: &BigRational) -> bool {
        a.is_zero()
    }
    fn add_product(&self, a: &BigRational, b: &BigRational, c: &BigRational) -> BigRational {
        if b.is_zero() || c.is_zero() { a.clone() } else { a + b * c }
    }
    fn subtract_product(&self, a: &BigRational, b: &BigRational, c: &BigRational) -> BigRational {
        if b.is_zero() || c.is_zero() { a.clone() } else { a - b * c }
    }
    fn unit(&self, a: &BigRational) -> BigRational {
        a.recip()
    }
    fn divides(&self, _: &BigRational, _: &BigRational) -> bool {
        true
    }
    fn quotient(&self, a: &BigRational, _: &BigRational) -> BigRational {
        a.clone()
    }
    fn annihilator(&self, _: &BigRational) -> Option<BigRational> {
        None
    }
    fn is_huge(&self, a: &BigRational) -> bool {
        a.numer().bits().max(a.denom().bits()) > 1 << 16
    }
    fn readable(&self, row: &[BigRational]) -> Vec<BigInt> {
        let mut common = BigInt::one();
        for number in row {
            common = num_integer::lcm(common, number.denom().clone());
        }
        row.iter().map(|number| number.numer() * (&common / number.denom())).collect()
    }
}

/// ℤ modulo 2^w, 1 ≤ w ≤ 64: machine integers that wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modular {
    width: u32,
}

impl Modular {
    /// The integers modulo 2^`width`; the width is cut to 1 … 64.
    pub fn new(width: u32) -> Modular {
        Modular { width: width.clamp(1, 64) }
    }
    /// w.
    pub fn width(self) -> u32 {
        self.width
    }
    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width)
    }
}

impl Coefficients for Modular {
    type Number = u64;

    fn zero(&self) -> u64 {
        0
    }
    fn integer(&self, n: &BigInt) -> u64 {
        let low = n & BigInt::from(self.mask());
        low.iter_u64_digits().next().unwrap_or(0)
    }
    fn is_zero(&self, a: &u64) -> bool {
        *a == 0
    }
    fn add_product(&self, a: &u64, b: &u64, c: &u64) -> u64 {
        a.wrapping_add(b.wrapping_mul(*c)) & self.mask()
    }
    fn subtract_product(&self, a: &u64, b: &u64, c: &u64) -> u64 {
        a.wrapping_sub(b.wrapping_mul(*c)) & self.mask()
    }
    /// The generator of the ideal of 2^r · odd is 2^r.
    fn unit(&self, a: &u64) -> u64 {
        let odd = a >> a.trailing_zeros();
        // Newton's iteration: each round doubles the number of correct bits; odd · odd = 1 modulo
        // 8.
        let mut inverse = odd;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        inverse & self.mask()
    }
    fn divides(&self, g: &u64, a: &u64) -> bool {
        *a == 0 || a.trailing_zeros() >= g.trailing_zeros()
    }
    fn quotient(&self, a: &u64, g: &u64) -> u64 {
        a >> g.trailing_zeros()
    }
    fn annihilator(&self, g: &u64) -> Option<u64> {
        (*g != 1).then(|| 1 << (self.width - g.trailing_zeros()))
    }
    fn readable(&self, row: &[u64]) -> Vec<BigInt> {
        let half = 1u64 << (self.width - 1);
        let signed = |a: &u64| {
            let a = BigInt::from(*a);
            if a >= BigInt::from(half) && self.width > 1 {
                a - (BigInt::one() << self.width)
            } else {
                a
            }
        };
        row.iter().map(signed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_make_powers_of_two() {
        for width in [1, 3, 8, 32, 64] {
            let ring = Modular::new(width);
            let mut state = 9u64;
            for _ in 0..200 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let a = (state >> 3) & ring.mask();
                if a != 0 {
                    let unit = ring.unit(&a);
                    assert_eq!(unit & 1, 1);
                    assert_eq!(
                        ring.multiply(&unit, &a),
                        1 << a.trailing_zeros(),
                        "{a} modulo 2^{width}"
                    );
                }
            }
        }
    }

    #[test]
    fn integers_wrap() {
        let ring = Modular::new(4);
        assert_eq!(ring.integer(&BigInt::from(-1)), 15);
        assert_eq!(ring.integer(&BigInt::from(35)), 3);
        assert_eq!(Modular::new(64).integer(&BigInt::from(-2)), u64::MAX - 1);
    }

    /// One bit has no sign.
    #[test]
    fn readable_numbers_have_signs() {
        let ring = Modular::new(4);
        assert_eq!(ring.readable(&[0, 1, 7, 8, 15]), [0, 1, 7, -8, -1].map(BigInt::from));
        assert_eq!(Modular::new(1).readable(&[0, 1]), [0, 1].map(BigInt::from));
        let row = Modular::new(64).readable(&[u64::MAX, 1 << 63]);
        assert_eq!(row, [-1, i64::MIN].map(BigInt::from));
    }

    #[test]
    fn readable_fractions_are_multiplied_by_the_common_denominator() {
        let row = [(1, 2), (-1, 3), (2, 1)].map(|(a, b)| BigRational::new(a.into(), b.into()));
        assert_eq!(Rationals.readable(&row), [3, -2, 12].map(BigInt::from));
    }

    #[test]
    fn numbers_of_more_than_65536_bits_are_huge() {
        let power = |bits: u32| BigRational::from_integer(BigInt::one() << bits);
        assert!(!Rationals.is_huge(&power(65_535)));
        assert!(Rationals.is_huge(&power(65_536)));
        assert!(Rationals.is_huge(&power(65_536).recip()));
        assert!(!Modular::new(64).is_huge(&u64::MAX));
    }
}
