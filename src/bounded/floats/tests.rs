//! Against the processor: all pairs of small formats, and random ones of the formats of C.

use super::*;
use crate::circuit::Node;
use crate::words::constant;
use crate::words::value;

/// So small that all pairs of numbers can be tried.
const TINY: Format = Format { exponent: 4, fraction: 3 };

type Word = Vec<Lit>;
type Build = Box<dyn Fn(&mut Circuit, &[Lit], &[Lit]) -> Word>;
type Operation = fn(&mut Circuit, Format, &[Lit], &[Lit]) -> Word;

/// An operation, and what the processor says of two words.
struct Case {
    name: String,
    /// The operands are numbers of this format, else whole numbers of 64 bits.
    operands: Option<Format>,
    /// So is the result, else all its bits count.
    result: Option<Format>,
    build: Build,
    expected: Box<dyn Fn(u64, u64) -> u64>,
}

/// The number, exactly.
fn decoded(format: Format, bits: u64) -> f64 {
    if format == Format::SINGLE {
        return f64::from(f32::from_bits(bits as u32));
    }
    if format == Format::DOUBLE {
        return f64::from_bits(bits);
    }
    let fraction = bits & ((1 << format.fraction) - 1);
    let exponent = bits >> format.fraction & ((1 << format.exponent) - 1);
    let lead = if exponent == 0 { 0.0 } else { 1.0 };
    let magnitude = if exponent == (1 << format.exponent) - 1 {
        if fraction == 0 { f64::INFINITY } else { f64::NAN }
    } else {
        let power = exponent.max(1) as i32 - format.bias() as i32;
        (lead + fraction as f64 / (1u64 << format.fraction) as f64) * 2f64.powi(power)
    };
    if bits >> (format.width() - 1) & 1 == 1 { -magnitude } else { magnitude }
}

/// The nearest number. Of a tiny format: among all, where infinity is the next power of two.
fn encoded(format: Format, x: f64) -> u64 {
    if format == Format::SINGLE {
        return u64::from((x as f32).to_bits());
    }
    if format == Format::DOUBLE {
        return x.to_bits();
    }
    let infinity = ((1u64 << format.exponent) - 1) << format.fraction;
    let sign = u64::from(x.is_sign_negative()) << (format.width() - 1);
    if x.is_nan() || x.is_infinite() {
        return sign | infinity | u64::from(x.is_nan());
    }
    let next = 2f64.powi(1 << (format.exponent - 1));
    let value = |k: u64| if k == infinity { next } else { decoded(format, k) };
    let distance = |k: &u64| (value(*k) - x.abs()).abs();
    let nearest = (0..=infinity)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)).then((a & 1).cmp(&(b & 1))));
    sign | nearest.unwrap_or(infinity)
}

/// What the processor does in both formats.
struct Both(fn(f32, f32) -> f32, fn(f64, f64) -> f64);

macro_rules! both {
    (|$x:ident, $y:ident| $result:expr) => {
        Both(|$x: f32, $y: f32| $result, |$x: f64, $y: f64| $result)
    };
}

/// An operation on numbers.
fn case(
    (name, f, result): (&str, Format, Option<Format>),
    build: impl Fn(&mut Circuit, &[Lit], &[Lit]) -> Word + 'static,
    expected: impl Fn(u64, u64) -> u64 + 'static,
) -> Case {
    let name = format!("{name}, {} bits", f.width());
    let (build, expected) = (Box::new(build), Box::new(expected));
    Case { name, operands: Some(f), result, build, expected }
}

/// An operation with a number as its result.
fn arithmetic(f: Format, (name, build, both): (&str, Operation, Both)) -> Case {
    let expected = move |a: u64, b: u64| {
        if f == Format::SINGLE {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            return u64::from(both.0(x, y).to_bits());
        }
        encoded(f, both.1(decoded(f, a), decoded(f, b)))
    };
    case((name, f, Some(f)), move |c, a, b| build(c, f, a, b), expected)
}

fn arithmetic_cases(f: Format) -> Vec<Case> {
    let cases: [(&str, Operation, Both); 5] = [
        ("add", Circuit::float_add, both!(|x, y| x + y)),
        ("subtract", Circuit::float_subtract, both!(|x, y| x - y)),
        ("multiply", Circuit::float_multiply, both!(|x, y| x * y)),
        ("divide", Circuit::float_divide, both!(|x, y| x / y)),
        ("root", |c, f, a, _| c.float_square_root(f, a), both!(|x, _y| x.sqrt())),
    ];
    cases.map(|operation| arithmetic(f, operation)).into()
}

fn integral(c: &mut Circuit, f: Format, a: &[Lit], mode: Rounding) -> Word {
    c.float_round_to_integral(f, a, mode)
}

/// The operations that are quick.
fn other_cases(f: Format) -> Vec<Case> {
    let minimum =
        both!(|x, y| { if y.is_nan() || !x.is_nan() && x.total_cmp(&y).is_lt() { x } else { y } });
    let maximum =
        both!(|x, y| { if y.is_nan() || !x.is_nan() && x.total_cmp(&y).is_gt() { x } else { y } });
    let numbers: [(&str, Operation, Both); 9] = [
        ("negate", |c, f, a, _| c.float_negate(f, a), both!(|x, _y| -x)),
        ("absolute", |c, f, a, _| c.float_absolute(f, a), both!(|x, _y| x.abs())),
        ("minimum", Circuit::float_minimum, minimum),
        ("maximum", Circuit::float_maximum, maximum),
        ("trunc", |c, f, a, _| integral(c, f, a, Rounding::Truncate), both!(|x, _y| x.trunc())),
        ("floor", |c, f, a, _| integral(c, f, a, Rounding::Floor), both!(|x, _y| x.floor())),
        ("ceil", |c, f, a, _| integral(c, f, a, Rounding::Ceil), both!(|x, _y| x.ceil())),
        ("round", |c, f, a, _| integral(c, f, a, Rounding::NearestAway), both!(|x, _y| x.round())),
        (
            "rint",
            |c, f, a, _| integral(c, f, a, Rounding::NearestEven),
            both!(|x, _y| x.round_ties_even()),
        ),
    ];
    type Holds = fn(f64, f64) -> bool;
    let conditions: [(&str, Operation, Holds); 6] = [
        ("less", |c, f, a, b| vec![c.float_less(f, a, b)], |x, y| x < y),
        ("less or equal", |c, f, a, b| vec![c.float_less_equal(f, a, b)], |x, y| x <= y),
        ("equal", |c, f, a, b| vec![c.float_equal(f, a, b)], |x, y| x == y),
        ("zero", |c, f, a, _| vec![c.float_is_zero(f, a)], |x, _| x == 0.0),
        ("NaN", |c, f, a, _| vec![c.float_is_nan(f, a)], |x, _| x.is_nan()),
        ("infinite", |c, f, a, _| vec![c.float_is_infinite(f, a)], |x, _| x.is_infinite()),
    ];
    let conditions = conditions.map(|(name, build, holds)| {
        let expected = move |a, b| u64::from(holds(decoded(f, a), decoded(f, b)));
        case((name, f, None), move |c, a, b| build(c, f, a, b), expected)
    });
    numbers.map(|operation| arithmetic(f, operation)).into_iter().chain(conditions).collect()
}

/// The whole number that the lowest bits are.
fn whole(bits: u64, width: usize, signed: bool) -> i128 {
    let high = i128::from(bits) << (128 - width);
    if signed { high >> (128 - width) } else { (high as u128 >> (128 - width)) as i128 }
}

/// The number without its fraction, if it has a place in the type.
fn fitting(x: f64, width: usize, signed: bool) -> Option<u64> {
    let half = 1i128 << (width - 1);
    let range = if signed { -half..half } else { 0..2 * half };
    // This saturates far outside.
    let fits = !x.is_nan() && range.contains(&(x as i128));
    fits.then_some(x as i128 as u64 & (u64::MAX >> (64 - width)))
}

fn integer_cases(f: Format, width: usize, signed: bool) -> [Case; 3] {
    let named = |name| format!("{name} {}{width}", if signed { "i" } else { "u" });
    let least = if signed { 1 << (width - 1) } else { 0 };
    let from = move |a: u64, _: u64| match whole(a, width, signed) {
        whole if f == Format::SINGLE => u64::from((whole as f32).to_bits()),
        whole => encoded(f, whole as f64),
    };
    let build_to = move |c: &mut Circuit, a: &[Lit], _: &[Lit]| {
        let (word, fits) = c.float_to_integer(f, a, width, signed);
        if signed { word } else { c.masked(fits, &word) }
    };
    let to = move |a: u64, _: u64| fitting(decoded(f, a), width, signed).unwrap_or(least);
    let fits = move |a, _| u64::from(fitting(decoded(f, a), width, signed).is_some());
    let build_fits = move |c: &mut Circuit, a: &[Lit], _: &[Lit]| {
        vec![c.float_to_integer(f, a, width, signed).1]
    };
    let build_from =
        move |c: &mut Circuit, a: &[Lit], _: &[Lit]| c.float_from_integer(f, &a[..width], signed);
    [
        Case { operands: None, ..case((&named("from"), f, Some(f)), build_from, from) },
        case((&named("to"), f, None), build_to, to),
        case((&named("fits"), f, None), build_fits, fits),
    ]
}

/// Conversions to and from whole numbers of some widths, and to another format.
fn conversion_cases(f: Format, other: Format, widths: &[usize]) -> Vec<Case> {
    let build = move |c: &mut Circuit, a: &[Lit], _: &[Lit]| c.float_convert(f, other, a);
    let convert =
        case(("convert", f, Some(other)), build, move |a, _| encoded(other, decoded(f, a)));
    let integers = widths
        .iter()
        .flat_map(|width| [true, false].map(|signed| integer_cases(f, *width, signed)));
    integers.flatten().chain([convert]).collect()
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 20) % end
    }

    /// Few bits, near powers of two, or any.
    fn whole(&mut self) -> u64 {
        let by = self.below(64);
        match self.below(4) {
            0 => self.next(),
            1 => self.next() >> by,
            2 => (1u64 << by).wrapping_add(self.below(5)).wrapping_sub(2),
            _ => ((self.next() as i64) >> by) as u64,
        }
    }

    /// A number of each kind that has rules of its own.
    fn number(&mut self, f: Format) -> u64 {
        let (ones, all) = ((1u64 << f.fraction) - 1, (1u64 << f.exponent) - 1);
        let sign = self.below(2) << (f.width() - 1);
        let fraction = match self.below(4) {
            0 => self.next() & ones,
            1 => ones ^ self.below(4),
            2 => (1 << self.below(f.fraction as u64)) ^ self.below(4),
            _ => self.next() & self.next() & self.next() & ones,
        };
        let near = |x: u64, spread: u64| x.wrapping_sub(spread / 2).min(all - spread);
        let exponent = match self.below(9) {
            0 => 0,
            1 => all,
            2 => self.below(4),
            3 => all - self.below(4),
            4 => near(f.bias(), 8) + self.below(8),
            5 => near(f.bias() + f.fraction as u64, 8) + self.below(8),
            6 => f.bias() + self.below(70),
            7 => return sign | encoded(f, self.below(40) as f64 / 2.0),
            _ => self.next() & all,
        };
        let fraction = if self.below(12) == 0 { 0 } else { fraction };
        sign | exponent << f.fraction | fraction
    }

    /// Two numbers, often close to each other.
    fn pair(&mut self, operands: Option<Format>) -> (u64, u64) {
        let Some(f) = operands else { return (self.whole(), self.whole()) };
        let mask = u64::MAX >> (64 - f.width());
        let (a, sign) = (self.number(f), 1u64 << (f.width() - 1));
        let b = match self.below(6) {
            0 => a ^ (self.below(2) * sign),
            1 => a.wrapping_add(self.below(5)).wrapping_sub(2) ^ (self.below(2) * sign),
            2 => {
                let by = self.below(f.fraction as u64 + 4) << f.fraction;
                (a ^ (self.below(2) * sign)).wrapping_sub(by) ^ self.below(4)
            }
            _ => self.number(f),
        };
        (a & mask, b & mask)
    }
}

impl Case {
    fn width(&self) -> usize {
        self.operands.map_or(64, Format::width)
    }

    fn check(&self, a: u64, b: u64, result: u64) {
        let expected = (self.expected)(a, b);
        let nan = |f: Format| decoded(f, expected).is_nan() && decoded(f, result).is_nan();
        let same = result == expected || self.result.is_some_and(nan);
        assert!(same, "{}: {a:#x} {b:#x} give {result:#x}, not {expected:#x}", self.name);
    }

    /// With constants the circuit folds to the result.
    fn check_folded(&self, pairs: usize) {
        let (mut c, mut random) = (Circuit::default(), Random(0x9e37_79b9_7f4a_7c15));
        for _ in 0..pairs {
            let (a, b) = random.pair(self.operands);
            let (left, right) = (constant(a, self.width()), constant(b, self.width()));
            let result = (self.build)(&mut c, &left, &right);
            self.check(a, b, value(&result).expect("constants fold"));
        }
        assert_eq!(c.size(), 1, "constants make no nodes");
    }

    /// The circuit with inputs, and its result.
    fn symbolic(&self) -> (Circuit, Vec<Lit>) {
        let mut c = Circuit::default();
        let (a, b) = (c.word(self.width()), c.word(self.width()));
        let result = (self.build)(&mut c, &a, &b);
        (c, result)
    }

    /// The circuit with inputs, on 64 pairs at once.
    fn check_simulated(&self, pairs: &mut dyn Iterator<Item = (u64, u64)>) {
        let (c, result) = self.symbolic();
        let mut values = vec![0u64; c.size()];
        loop {
            let batch: Vec<(u64, u64)> = pairs.take(64).collect();
            if batch.is_empty() {
                return;
            }
            simulate(&c, &batch, self.width(), &mut values);
            for (lane, (a, b)) in batch.iter().enumerate() {
                let mut word = 0;
                for (k, bit) in result.iter().enumerate() {
                    word |= (of(&values, *bit) >> lane & 1) << k;
                }
                self.check(*a, *b, word);
            }
        }
    }
}

fn of(values: &[u64], lit: Lit) -> u64 {
    values[lit.node()] ^ if lit.negated() { u64::MAX } else { 0 }
}

/// Each node for each pair of inputs, a bit for a pair.
fn simulate(c: &Circuit, batch: &[(u64, u64)], width: usize, values: &mut [u64]) {
    let mut input = 0;
    for index in 0..c.size() {
        values[index] = match c.node(index) {
            Node::Constant => 0,
            Node::Input => {
                let k = input;
                input += 1;
                let bit = |(a, b): &(u64, u64)| {
                    if k < width { a >> k & 1 } else { b >> (k - width) & 1 }
                };
                batch.iter().rev().fold(0, |word, pair| word << 1 | bit(pair))
            }
            Node::And(a, b) => of(values, a) & of(values, b),
            Node::Xor(a, b) => of(values, a) ^ of(values, b),
            Node::Choose(a, b, d) => {
                let condition = of(values, a);
                condition & of(values, b) | !condition & of(values, d)
            }
        };
    }
}

fn check_all(cases: &[Case], folded: usize, simulated: usize) {
    for case in cases {
        case.check_folded(folded);
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        case.check_simulated(
            &mut std::iter::repeat_with(|| random.pair(case.operands)).take(simulated),
        );
    }
}

#[test]
fn arithmetic_as_the_processor() {
    check_all(&arithmetic_cases(Format::SINGLE), 20_000, 20_000);
    check_all(&arithmetic_cases(Format::DOUBLE), 20_000, 20_000);
}

/// All but arithmetic.
fn quick_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (f, other) in [(Format::SINGLE, Format::DOUBLE), (Format::DOUBLE, Format::SINGLE)] {
        cases.extend(other_cases(f));
        cases.extend(conversion_cases(f, other, &[8, 16, 32, 64]));
    }
    cases
}

#[test]
fn the_rest_as_the_processor() {
    check_all(&quick_cases(), 20_000, 20_000);
}

/// All pairs of numbers of eight bits.
#[test]
fn tiny_numbers() {
    let mut cases = arithmetic_cases(TINY);
    cases.extend(other_cases(TINY));
    cases.extend(conversion_cases(TINY, Format::DOUBLE, &[8]));
    for case in &cases {
        case.check_simulated(&mut (0..1 << 16).map(|pair| (pair & 0xff, pair >> 8)));
    }
}

/// A million pairs for each operation, with inputs and folded; and how many nodes each has.
#[test]
#[ignore = "takes minutes"]
fn many_pairs() {
    let mut cases = arithmetic_cases(Format::SINGLE);
    cases.extend(arithmetic_cases(Format::DOUBLE));
    cases.extend(quick_cases());
    for (folded, simulated) in [(0, 1_000_000), (1_000_000, 0)] {
        for case in &cases {
            let size = case.symbolic().0.size() - 1 - 2 * case.width();
            check_all(std::slice::from_ref(case), folded, simulated);
            println!("{}: {size} nodes; {folded} folded, {simulated} simulated", case.name);
        }
    }
}

/// Of double precision, without the inputs. A multiplier has four nodes for two digits.
#[test]
fn sizes() {
    let most = [2_100, 2_100, 13_000, 14_000, 8_000];
    for (case, most) in arithmetic_cases(Format::DOUBLE).iter().zip(most) {
        let size = case.symbolic().0.size() - 129;
        assert!(size < most, "{}: {size} nodes", case.name);
    }
}

/// What is written in two orders is one node.
#[test]
fn symmetric() {
    let mut c = Circuit::default();
    let f = Format::DOUBLE;
    let (a, b) = (c.word(64), c.word(64));
    assert_eq!(c.float_add(f, &a, &b), c.float_add(f, &b, &a));
    assert_eq!(c.float_multiply(f, &a, &b), c.float_multiply(f, &b, &a));
    assert_eq!(c.float_equal(f, &a, &b), c.float_equal(f, &b, &a));
    c.float_subtract(f, &a, &b);
    let before = c.size();
    c.float_subtract(f, &b, &a);
    assert!(c.size() < before + 20, "only the sign is new");
    // Twice: no sum of rows, a carry of rounding at most.
    let two = constant(2f64.to_bits(), 64);
    let mut c = Circuit::default();
    let a = c.word(64);
    c.float_multiply(f, &a, &two);
    assert!(c.size() < 2_000, "{}", c.size());
}
