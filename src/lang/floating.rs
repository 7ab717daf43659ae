//! Floating point as patterns of bits (IEEE 754): literals, whole numbers, text.
//!
//! A pattern of 32 bits is that of a `float`, one of 64 bits that of a `double`. Nothing here
//! computes with anything but constants. What comes later in the page
//! (`static/delivery/later.mjs`) is never inlined.

use crate::lang::syntax::BinaryOp;

/// Fewer significant hexadecimal digits than an `i64` has, so that none is lost.
const MOST_DIGITS: usize = 15;

/// The pattern and the width of a literal of C, `1.5`, `2e-3f` or `0x1.4p+4` (C11 6.4.4.2). `None`
/// if it is none, or a `long double`, or has too many hexadecimal digits.
#[inline(never)]
pub(crate) fn literal(text: &str) -> Option<(u64, u8)> {
    let text = text.to_ascii_lowercase();
    let hexadecimal = text.strip_prefix("0x");
    let (body, is_float) = match text.strip_suffix('f') {
        Some(body) if hexadecimal.is_none() || text.contains('p') => (body, true),
        _ => (&text[..], false),
    };
    match hexadecimal {
        Some(_) => {
            let number = from_hexadecimal(body.strip_prefix("0x")?)?;
            Some(if is_float { single(number as f32) } else { double(number) })
        }
        None if is_float => Some(single(body.parse().ok()?)),
        None => Some(double(body.parse().ok()?)),
    }
}

fn single(number: f32) -> (u64, u8) {
    (u64::from(number.to_bits()), 32)
}

fn double(number: f64) -> (u64, u8) {
    (number.to_bits(), 64)
}

/// `1.4p+4`: the digits times a power of two, which is exact for normal numbers.
fn from_hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = format!("{whole}{part}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if digits.is_empty() || significant.len() > MOST_DIGITS {
        return None;
    }
    let kept = i64::from_str_radix(&digits, 16).ok().filter(|n| *n < 1 << 53)?;
    let exponent = exponent.checked_sub(4 * i32::try_from(part.len()).ok()?)?;
    // Twice, since one power alone may be too small or too large for a number.
    let half = exponent.clamp(-2200, 2200) / 2;
    Some(kept as f64 * 2f64.powi(half) * 2f64.powi(exponent.clamp(-2200, 2200) - half))
}

/// The pattern of the nearest number.
#[inline(never)]
pub(crate) fn of_integer(n: i128, width: u8) -> u64 {
    if width == 32 { u64::from((n as f32).to_bits()) } else { (n as f64).to_bits() }
}

/// The pattern in another width, rounded.
#[inline(never)]
pub(crate) fn resized(bits: u64, from: u8, to: u8) -> u64 {
    match (from, to) {
        (32, 64) => f64::from(f32::from_bits(bits as u32)).to_bits(),
        (64, 32) => u64::from((f64::from_bits(bits) as f32).to_bits()),
        _ => bits,
    }
}

/// The sum, difference, product or quotient of two `double`s with these patterns, in this width;
/// `None` for other operators. A `float` is rounded twice here, which gives the same (Figueroa
/// 1995: a `double` has more than twice the digits).
#[inline(never)]
pub(crate) fn combined(op: BinaryOp, (left, right): (u64, u64), width: u8) -> Option<u64> {
    let (left, right) = (f64::from_bits(left), f64::from_bits(right));
    let number = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Subtract => left - right,
        BinaryOp::Multiply => left * right,
        BinaryOp::Divide => left / right,
        _ => return None,
    };
    Some(resized(number.to_bits(), 64, width))
}

/// The number without its fraction (C11 6.3.1.4); `None` if it has no value that 64 bits hold.
#[inline(never)]
pub(crate) fn integer(bits: u64, width: u8) -> Option<i128> {
    let number = f64::from_bits(resized(bits, width, 64)).trunc();
    (number.abs() < 2f64.powi(63)).then_some(number as i128)
}

/// The number, in the fewest digits that give it back.
#[inline(never)]
pub(crate) fn shown(bits: u64, width: u8) -> String {
    match width {
        32 => format!("{:?}", f32::from_bits(bits as u32)),
        _ => format!("{:?}", f64::from_bits(bits)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_c_have_their_patterns() {
        let bits = |text: &str| literal(text).map(|(bits, width)| (f64::from_bits(bits), width));
        assert_eq!(bits("1.5"), Some((1.5, 64)));
        assert_eq!(bits(".5e1"), Some((5.0, 64)));
        assert_eq!(bits("2e-3"), Some((0.002, 64)));
        assert_eq!(bits("0x1.4p+4"), Some((20.0, 64)));
        assert_eq!(bits("0X.8P1"), Some((1.0, 64)));
        assert_eq!(bits("0x1p-1074"), Some((5e-324, 64)));
        assert_eq!(bits("0x1p5000"), Some((f64::INFINITY, 64)));
        assert_eq!(literal("1.5f"), Some((u64::from(1.5f32.to_bits()), 32)));
        assert_eq!(literal("0x1.8p0f"), Some((u64::from(1.5f32.to_bits()), 32)));
        for none in ["1.5L", "0x1.123456789abcdefp0", "0x1.8", "e5", "0xp1"] {
            assert_eq!(literal(none), None, "{none}");
        }
    }

    #[test]
    fn numbers_are_shown_as_people_write_them() {
        assert_eq!(shown(20f64.to_bits(), 64), "20.0");
        assert_eq!(shown(u64::from(0.1f32.to_bits()), 32), "0.1");
        assert_eq!(shown(u64::MAX, 64), "NaN");
    }

    #[test]
    fn constants_are_computed() {
        let (half, two) = (0.5f64.to_bits(), 2f64.to_bits());
        assert_eq!(combined(BinaryOp::Divide, (half, two), 64), Some(0.25f64.to_bits()));
        let third = combined(BinaryOp::Divide, (1f64.to_bits(), 3f64.to_bits()), 32);
        assert_eq!(third, Some(u64::from((1f32 / 3f32).to_bits())));
        assert_eq!(combined(BinaryOp::Remainder, (half, two), 64), None);
    }

    #[test]
    fn integers_come_from_patterns_and_go_into_them() {
        assert_eq!(integer(of_integer(-3, 64), 64), Some(-3));
        assert_eq!(integer(resized((-2.75f64).to_bits(), 64, 32), 32), Some(-2));
        assert_eq!(integer(f64::NAN.to_bits(), 64), None);
        assert_eq!(integer(1e300f64.to_bits(), 64), None);
    }
}
