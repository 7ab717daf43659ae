//! Numbers, characters and strings (C11 6.4.4, 6.4.5).

use crate::types::Integer;

/// The value and the type of an integer literal.
pub(crate) fn integer(text: &str) -> Option<(u64, Integer)> {
    let lower = text.to_ascii_lowercase();
    let digits_end = lower.trim_end_matches(['u', 'l']).len();
    // `0xful`: its letters are digits, and `u`, `l` are none.
    let (digits, suffix) = lower.split_at(digits_end);
    let (value, decimal) = if let Some(digits) = digits.strip_prefix("0x") {
        (u64::from_str_radix(digits, 16).ok()?, false)
    } else if let Some(digits) = digits.strip_prefix("0b") {
        (u64::from_str_radix(digits, 2).ok()?, false)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (u64::from_str_radix(&digits[1..], 8).ok()?, false)
    } else {
        (digits.parse().ok()?, true)
    };
    let unsigned = suffix.contains('u');
    let long = suffix.chars().filter(|c| *c == 'l').count();
    let ranks = [
        (Integer::Int, Integer::UnsignedInt),
        (Integer::Long, Integer::UnsignedLong),
        (Integer::LongLong, Integer::UnsignedLongLong),
    ];
    for (signed, without) in &ranks[long.min(2)..] {
        let bits = signed.size() * 8;
        if !unsigned && value >> (bits - 1) == 0 {
            return Some((value, *signed));
        }
        if (unsigned || !decimal) && (bits == 64 || value >> bits == 0) {
            return Some((value, *without));
        }
    }
    Some((value, Integer::UnsignedLong))
}

/// The value of a floating literal without its suffix, and whether it is a `float`.
pub(crate) fn floating(text: &str) -> Option<(f64, bool)> {
    let lower = text.to_ascii_lowercase();
    if let Some(hexadecimal) = lower.strip_prefix("0x") {
        let single = lower.ends_with('f') && lower.contains('p');
        let body = hexadecimal.trim_end_matches(['l']);
        let body = if single { body.trim_end_matches('f') } else { body };
        let (mantissa, exponent) = body.split_once('p')?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut value = 0.0;
        for digit in whole.chars() {
            value = value * 16.0 + f64::from(digit.to_digit(16)?);
        }
        let mut scale = 1.0 / 16.0;
        for digit in fraction.chars() {
            value += scale * f64::from(digit.to_digit(16)?);
            scale /= 16.0;
        }
        let value = libm::ldexp(value, exponent.parse().ok()?);
        return Some((value, single));
    }
    let body = lower.trim_end_matches(['f', 'l']);
    let single = lower[body.len()..].contains('f');
    if single {
        return Some((f64::from(body.parse::<f32>().ok()?), true));
    }
    Some((body.parse().ok()?, false))
}

/// The value of a character literal.
pub(crate) fn character(text: &str) -> Option<i64> {
    let wide = !text.starts_with('\'');
    let body = text.trim_start_matches(['L', 'u', 'U']);
    let body = body.strip_prefix('\'')?.strip_suffix('\'')?;
    if wide {
        return body.chars().next().map(|c| i64::from(u32::from(c)));
    }
    let bytes = unescaped(body)?;
    match bytes.as_slice() {
        [] => None,
        [byte] => Some(i64::from(*byte as i8)),
        // As gcc computes it.
        several => Some(i64::from(several.iter().fold(0i32, |sum, b| sum << 8 | i32::from(*b)))),
    }
}

/// The bytes of a string literal, without a zero; `None` for a wide one.
pub(crate) fn string(text: &str) -> Option<Vec<u8>> {
    let body = text.strip_prefix("u8").unwrap_or(text);
    unescaped(body.strip_prefix('"')?.strip_suffix('"')?)
}

fn unescaped(body: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(body.len());
    let mut rest = body.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next()? {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'a' => bytes.push(7),
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'v' => bytes.push(11),
            b'e' => bytes.push(27),
            b'x' => {
                let mut value = 0u32;
                while let Some(digit) = rest.peek().and_then(|b| char::from(*b).to_digit(16)) {
                    value = value << 4 | digit;
                    rest.next();
                }
                bytes.push(value as u8);
            }
            first @ b'0'..=b'7' => {
                let mut value = u32::from(first - b'0');
                for _ in 0..2 {
                    let Some(digit) = rest.peek().and_then(|b| char::from(*b).to_digit(8)) else {
                        break;
                    };
                    value = value << 3 | digit;
                    rest.next();
                }
                bytes.push(value as u8);
            }
            kind @ (b'u' | b'U') => {
                let mut value = 0u32;
                for _ in 0..if kind == b'u' { 4 } else { 8 } {
                    let digit = rest.next().and_then(|b| char::from(b).to_digit(16))?;
                    value = value << 4 | digit;
                }
                let mut room = [0; 4];
                bytes.extend(char::from_u32(value)?.encode_utf8(&mut room).bytes());
            }
            b'\r' => {
                rest.next();
            }
            b'\n' => {}
            other => bytes.push(other),
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        assert_eq!(integer("5000000000"), Some((5_000_000_000, Integer::Long)));
        assert_eq!(integer("4294967295"), Some((4_294_967_295, Integer::Long)));
        assert_eq!(integer("0xffffffff"), Some((4_294_967_295, Integer::UnsignedInt)));
        assert_eq!(integer("0xful"), Some((15, Integer::UnsignedLong)));
        assert_eq!(integer("017ll"), Some((15, Integer::LongLong)));
        assert_eq!(integer("08"), None);
        assert_eq!(floating("1.5e3f"), Some((1500.0, true)));
        assert_eq!(floating("0x1.8p1"), Some((3.0, false)));
        assert_eq!(character("'\\n'"), Some(10));
        assert_eq!(character("'\\xff'"), Some(-1));
        assert_eq!(string("\"\\u0201\\xe8\""), Some(vec![0xc8, 0x81, 0xe8]));
        assert_eq!(string("\"a\\0b\\x41\\101\""), Some(b"a\0bAA".to_vec()));
    }
}
