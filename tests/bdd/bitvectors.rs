//! Every bit-vector operation against machine arithmetic: exhaustively at widths 1 to 4, at random
//! up to 8.

use crate::support::Random;
use faultline::bdd::{Bdd, BitVector, KernelLimits, Manager, Var};

/// A width, a manager, and two vectors of variables interleaved x0 y0 x1 y1 ….
struct Setting {
    width: u32,
    manager: Manager,
    x: BitVector,
    y: BitVector,
}

impl Setting {
    fn new(width: u32) -> Setting {
        let mut manager = Manager::new(2 * width, KernelLimits::NONE).unwrap();
        let vars = |offset: u32| (0..width).map(|k| Var(2 * k + offset)).collect::<Vec<_>>();
        let x = BitVector::from_variables(&mut manager, &vars(0)).unwrap();
        let y = BitVector::from_variables(&mut manager, &vars(1)).unwrap();
        Setting { width, manager, x, y }
    }

    fn bit(&self, f: Bdd, x: u64, y: u64) -> bool {
        self.manager.eval(f, &|v: Var| (if v.0 & 1 == 0 { x } else { y }) >> (v.0 / 2) & 1 == 1)
    }

    fn value(&self, vector: &BitVector, x: u64, y: u64) -> u64 {
        vector
            .bits()
            .iter()
            .enumerate()
            .fold(0, |value, (k, bit)| value | u64::from(self.bit(*bit, x, y)) << k)
    }

    /// The valuations to try: all at small widths, else some.
    fn samples(&self) -> Vec<(u64, u64)> {
        let size = 1 << self.width;
        if self.width <= 4 {
            return (0..size).flat_map(|x| (0..size).map(move |y| (x, y))).collect();
        }
        let mut random = Random::new(u64::from(self.width));
        let edges = [0, 1, size / 2 - 1, size / 2, size - 1];
        let corners = edges.iter().flat_map(|x| edges.iter().map(|y| (*x, *y)));
        corners.chain((0..400).map(|_| (random.below(size), random.below(size)))).collect()
    }

    fn check(&self, name: &str, vector: &BitVector, expected: impl Fn(u64, u64) -> u64) {
        let mask = mask(vector.width());
        for (x, y) in self.samples() {
            let width = self.width;
            assert_eq!(
                self.value(vector, x, y),
                expected(x, y) & mask,
                "{name} at width {width}, x = {x}, y = {y}"
            );
        }
    }

    fn check_bit(&self, name: &str, f: Bdd, expected: impl Fn(u64, u64) -> bool) {
        self.check(name, &BitVector::from_bool(f), |x, y| u64::from(expected(x, y)));
    }
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn signed(value: u64, width: u32) -> i128 {
    if value >> (width - 1) & 1 == 1 { i128::from(value) - (1 << width) } else { i128::from(value) }
}

fn for_each_width(check: impl Fn(Setting)) {
    (1..=8).for_each(|width| check(Setting::new(width)));
}

#[test]
fn sums_and_products() {
    for_each_width(|mut s| {
        let (x, y) = (s.x.clone(), s.y.clone());
        let m = &mut s.manager;
        let results = (
            x.add(m, &y).unwrap(),
            x.sub(m, &y).unwrap(),
            x.neg(m).unwrap(),
            x.mul(m, &y).unwrap(),
        );
        s.check("add", &results.0, |x, y| x + y);
        s.check("sub", &results.1, |x, y| x.wrapping_sub(y));
        s.check("neg", &results.2, |x, _| x.wrapping_neg());
        s.check("mul", &results.3, |x, y| x * y);
        for factor in [0, 1, 2, 3, 5, 7, 10, 127, 171, 255] {
            let product = x.mul(&mut s.manager, &BitVector::constant(factor, s.width)).unwrap();
            s.check("mul by constant", &product, |x, _| x * factor);
            let product = BitVector::constant(factor, s.width).mul(&mut s.manager, &x).unwrap();
            s.check("mul of constant", &product, |x, _| x * factor);
        }
    });
}

#[test]
fn bitwise() {
    for_each_width(|mut s| {
        let (x, y) = (s.x.clone(), s.y.clone());
        let m = &mut s.manager;
        let less = x.unsigned_less(m, &y).unwrap();
        let results = (
            x.and(m, &y).unwrap(),
            x.or(m, &y).unwrap(),
            x.xor(m, &y).unwrap(),
            x.ite(m, less, &y).unwrap(),
        );
        let any = x.any(m).unwrap();
        s.check("and", &results.0, |x, y| x & y);
        s.check("or", &results.1, |x, y| x | y);
        s.check("xor", &results.2, |x, y| x ^ y);
        s.check("ite", &results.3, |x, y| x.min(y));
        s.check("complement", &x.complement(), |x, _| !x);
        s.check_bit("any", any, |x, _| x != 0);
        let width = s.width;
        s.check("zero extend", &x.zero_extend(width + 3), |x, _| x);
        s.check("sign extend", &x.sign_extend(width + 3), |x, _| signed(x, width) as u64);
        s.check("truncate", &x.zero_extend(width - 1), |x, _| x);
    });
}

#[test]
fn comparisons() {
    for_each_width(|mut s| {
        let (x, y, width) = (s.x.clone(), s.y.clone(), s.width);
        let m = &mut s.manager;
        let equality =
            (x.equal(m, &y).unwrap(), x.not_equal(m, &y).unwrap(), x.equal_constant(m, 1).unwrap());
        let unsigned = (x.unsigned_less(m, &y).unwrap(), x.unsigned_less_equal(m, &y).unwrap());
        let two_complement = (x.signed_less(m, &y).unwrap(), x.signed_less_equal(m, &y).unwrap());
        let too_large = x.equal_constant(m, 1 << width).unwrap();
        s.check_bit("equal", equality.0, |x, y| x == y);
        s.check_bit("not equal", equality.1, |x, y| x != y);
        s.check_bit("equal constant", equality.2, |x, _| x == 1);
        s.check_bit("unsigned less", unsigned.0, |x, y| x < y);
        s.check_bit("unsigned less equal", unsigned.1, |x, y| x <= y);
        s.check_bit("signed less", two_complement.0, |x, y| signed(x, width) < signed(y, width));
        s.check_bit("signed less equal", two_complement.1, |x, y| {
            signed(x, width) <= signed(y, width)
        });
        assert!(too_large.is_false());
    });
}

#[test]
fn divisions() {
    for_each_width(|mut s| {
        let (x, y, width) = (s.x.clone(), s.y.clone(), s.width);
        let (quotient, remainder) = x.unsigned_div_rem(&mut s.manager, &y).unwrap();
        s.check("unsigned quotient", &quotient, |x, y| x.checked_div(y).unwrap_or(0));
        s.check("unsigned remainder", &remainder, |x, y| x.checked_rem(y).unwrap_or(0));
        let (quotient, remainder) = x.signed_div_rem(&mut s.manager, &y).unwrap();
        s.check("signed quotient", &quotient, |x, y| {
            signed(x, width).checked_div(signed(y, width)).unwrap_or(0) as u64
        });
        s.check("signed remainder", &remainder, |x, y| {
            signed(x, width).checked_rem(signed(y, width)).unwrap_or(0) as u64
        });
        let (quotient, remainder) = x.unsigned_div_rem(&mut s.manager, &x).unwrap();
        s.check("quotient by itself", &quotient, |x, _| u64::from(x != 0));
        s.check("remainder by itself", &remainder, |_, _| 0);
        assert_eq!(x.signed_div_rem(&mut s.manager, &x).unwrap(), (quotient, remainder));
    });
}

#[test]
fn shifts() {
    for_each_width(|mut s| {
        let (x, y, width) = (s.x.clone(), s.y.clone(), s.width);
        let arithmetic = move |x: u64, by: u64| {
            if by < u64::from(width) { (signed(x, width) >> by) as u64 } else { 0 }
        };
        let left = move |x: u64, by: u64| if by < u64::from(width) { x << by } else { 0 };
        let right = move |x: u64, by: u64| if by < u64::from(width) { x >> by } else { 0 };
        for by in 0..=width + 1 {
            s.check("left by constant", &x.shift_left_by(by), |x, _| left(x, by.into()));
            s.check("right by constant", &x.logical_shift_right_by(by), |x, _| right(x, by.into()));
            s.check("arithmetic right by constant", &x.arithmetic_shift_right_by(by), |x, _| {
                arithmetic(x, by.into())
            });
        }
        for amount_signed in [false, true] {
            // A negative amount is out of range, like the largest one.
            let amount = move |y: u64| if amount_signed && signed(y, width) < 0 { 64 } else { y };
            let m = &mut s.manager;
            let results = (
                x.shift_left(m, &y, amount_signed).unwrap(),
                x.logical_shift_right(m, &y, amount_signed).unwrap(),
                x.arithmetic_shift_right(m, &y, amount_signed).unwrap(),
            );
            s.check("left", &results.0, |x, y| left(x, amount(y)));
            s.check("right", &results.1, |x, y| right(x, amount(y)));
            s.check("arithmetic right", &results.2, |x, y| arithmetic(x, amount(y)));
        }
    });
}

#[test]
fn shift_amounts_of_another_width() {
    let mut s = Setting::new(4);
    let wide = s.y.sign_extend(10);
    let shifted = s.x.shift_left(&mut s.manager, &wide, true).unwrap();
    s.check("left by wide signed", &shifted, |x, y| if y < 4 { x << y } else { 0 });
    let narrow = s.y.zero_extend(1);
    let shifted = s.x.shift_left(&mut s.manager, &narrow, false).unwrap();
    s.check("left by one bit", &shifted, |x, y| x << (y & 1));
}

#[test]
fn arrays() {
    for_each_width(|mut s| {
        let (x, y, width) = (s.x.clone(), s.y.clone(), s.width);
        for length in [1, 2, 3, 5, 8, 11] {
            // Elements that depend on y: k xor y.
            let constant = |k: u64| BitVector::constant(k, width);
            let elements: Vec<_> =
                (0..length).map(|k| constant(k).xor(&mut s.manager, &y).unwrap()).collect();
            for index_signed in [false, true] {
                let inside = move |x: u64| x < length && !(index_signed && signed(x, width) < 0);
                let read = BitVector::read(&mut s.manager, &elements, &x, index_signed).unwrap();
                s.check("read", &read, |x, y| if inside(x) { x ^ y } else { 0 });
                let written =
                    BitVector::write(&mut s.manager, &elements, &x, index_signed, &constant(1))
                        .unwrap();
                for (k, element) in (0..).zip(&written) {
                    s.check("write", element, |x, y| if inside(x) && x == k { 1 } else { k ^ y });
                }
            }
        }
    });
}

#[test]
fn widest() {
    let mut manager = Manager::new(128, KernelLimits::NONE).unwrap();
    let x =
        BitVector::from_variables(&mut manager, &(0..64).map(|k| Var(2 * k)).collect::<Vec<_>>())
            .unwrap();
    let all_ones = BitVector::constant(u64::MAX, 64);
    let minus_x = x.mul(&mut manager, &all_ones).unwrap();
    assert_eq!(minus_x, x.neg(&mut manager).unwrap());
    assert_eq!(all_ones.as_constant(), Some(u64::MAX));
    let (quotient, remainder) =
        all_ones.unsigned_div_rem(&mut manager, &BitVector::constant(10, 64)).unwrap();
    assert_eq!(
        (quotient.as_constant(), remainder.as_constant()),
        (Some(u64::MAX / 10), Some(u64::MAX % 10))
    );
    // 2^64 dividends, in a few nodes.
    let before = manager.live_nodes();
    let (quotient, remainder) = x.signed_div_rem(&mut manager, &x).unwrap();
    assert_eq!(remainder.as_constant(), Some(0));
    let is_zero = x.equal_constant(&mut manager, 0).unwrap();
    assert_eq!(quotient.bits()[0], !is_zero);
    assert!(manager.live_nodes() - before < 1_000);
    let shifted =
        all_ones.arithmetic_shift_right(&mut manager, &BitVector::constant(63, 64), true).unwrap();
    assert_eq!(shifted.as_constant(), Some(u64::MAX));
    assert!(x.equal_constant(&mut manager, u64::MAX).is_ok());
    for (number, signed) in [(u64::MAX, false), (u64::MAX >> 1, true), (7, false), (7, true)] {
        let same = BitVector::constant(number, 64).is_number(&mut manager, number, signed);
        assert_eq!(same, Ok(Bdd::TRUE), "{number}");
    }
    assert_eq!(all_ones.is_number(&mut manager, u64::MAX, true), Ok(Bdd::FALSE), "it is -1");
    assert_eq!(all_ones.zero_extend(80).as_constant(), Some(u64::MAX));
    assert_eq!(all_ones.sign_extend(80).as_constant(), None, "it has 80 bits");
    let minus_x = x.sign_extend(80).mul(&mut manager, &all_ones.sign_extend(80)).unwrap();
    assert_eq!(minus_x, x.sign_extend(80).neg(&mut manager).unwrap());
}

/// The number counts: no index is 15 if it is read as a signed one of four bits.
#[test]
fn numbers_that_an_index_can_have() {
    for_each_width(|mut s| {
        let (x, width) = (s.x.clone(), s.width);
        for (number, is_signed) in (0..40).flat_map(|n| [(n, false), (n, true)]) {
            let same = x.is_number(&mut s.manager, number, is_signed).unwrap();
            s.check_bit("is a number", same, |x, _| {
                let value = if is_signed { signed(x, width) } else { i128::from(x) };
                value == i128::from(number)
            });
        }
    });
}
