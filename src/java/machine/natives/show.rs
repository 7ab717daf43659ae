//! Floating point numbers as text: `Double.toString` and `Float.toString`, with the fewest digits
//! that tell a number from its neighbours.

/// A number's digits, and the power of ten of the first.
pub(in super::super) struct Decimal {
    pub(in super::super) digits: Vec<u8>,
    pub(in super::super) exponent: i32,
}

/// Of the text that `{:e}` makes: `d.ddde±x`.
fn decimal(text: &str) -> Decimal {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    Decimal {
        digits: digits.bytes().filter(u8::is_ascii_digit).map(|d| d - b'0').collect(),
        exponent: exponent.parse().unwrap_or(0),
    }
}

/// The shortest digits of a positive number.
pub(in super::super) fn shortest(x: f64) -> Decimal {
    two_digits(decimal(&format!("{x:e}")), || {
        let text = format!("{x:.1e}");
        (text.parse() == Ok(x)).then_some(text)
    })
}

/// Where one digit is enough, Java takes the nearest number of two (4.9E-324).
fn two_digits(found: Decimal, other: impl Fn() -> Option<String>) -> Decimal {
    if found.digits.len() > 1 {
        return found;
    }
    let Some(mut other) = other().map(|text| decimal(&text)) else { return found };
    if other.digits.last() == Some(&0) {
        other.digits.pop();
    }
    other
}

/// `Double.toString`
pub(in super::super) fn double(x: f64) -> String {
    special(x)
        .unwrap_or_else(|| written(x < 0.0 || x == 0.0 && x.is_sign_negative(), &shortest(x.abs())))
}

/// `Float.toString`
pub(in super::super) fn float(x: f32) -> String {
    let negative = x < 0.0 || x == 0.0 && x.is_sign_negative();
    let x = x.abs();
    let shown = || {
        let two = || {
            let text = format!("{x:.1e}");
            (text.parse() == Ok(x)).then_some(text)
        };
        written(negative, &two_digits(decimal(&format!("{x:e}")), two))
    };
    special(f64::from(if negative { -x } else { x })).unwrap_or_else(shown)
}

fn special(x: f64) -> Option<String> {
    let text = match x {
        _ if x.is_nan() => "NaN",
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => return None,
    };
    Some(text.to_string())
}

fn written(negative: bool, decimal: &Decimal) -> String {
    let digit = |k: usize| char::from(b'0' + decimal.digits.get(k).copied().unwrap_or(0));
    let count = decimal.digits.len();
    let mut text = if negative { "-".to_string() } else { String::new() };
    let exponent = decimal.exponent;
    if (-3..0).contains(&exponent) {
        text.push_str("0.");
        (exponent + 1..0).for_each(|_| text.push('0'));
        (0..count).for_each(|k| text.push(digit(k)));
        return text;
    }
    let is_plain = (0..7).contains(&exponent);
    let before = if is_plain { exponent as usize + 1 } else { 1 };
    (0..before).for_each(|k| text.push(digit(k)));
    text.push('.');
    match count > before {
        true => (before..count).for_each(|k| text.push(digit(k))),
        false => text.push('0'),
    }
    if !is_plain {
        text.push_str(&format!("E{exponent}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{double, float};

    #[test]
    fn numbers_as_java_shows_them() {
        for (x, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (100.0, "100.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e7, "1.0E7"),
            (9_999_999.0, "9999999.0"),
            (0.001, "0.001"),
            (9.999e-4, "9.999E-4"),
            (123456.789, "123456.789"),
            (1e21, "1.0E21"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
            (-1234.5, "-1234.5"),
        ] {
            assert_eq!(double(x), text);
        }
        for (x, text) in [(0.1f32, "0.1"), (1e10, "1.0E10"), (3.4028235e38, "3.4028235E38")] {
            assert_eq!(float(x), text);
        }
    }
}
