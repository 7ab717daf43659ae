//! `String.format` and `printf` (`java.util.Formatter`).

use super::super::heap::{Cell, Elements};
use super::super::value::{NULL, Value};
use super::super::{Done, Limit, Machine, Stop, throw, throw_bare};
use super::{given, show};

/// `%[place$][flags][width][.precision]conversion`
#[derive(Default)]
struct Specifier {
    /// Its text, for messages.
    text: String,
    place: Option<usize>,
    is_previous: bool,
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    comma: bool,
    parentheses: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    conversion: char,
}

/// An argument, taken out of its object.
enum Argument {
    Null,
    Truth(bool),
    Whole(i64, u32),
    Character(u16),
    Floating(f64),
    /// Anything else, with its text.
    Text(String),
}

/// The text of a format with arguments; the third array has the texts of those that are objects.
pub(super) fn formatted(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let format: Vec<char> = String::from_utf16_lossy(m.units(given(list, 0))?).chars().collect();
    let mut made = String::new();
    let (mut at, mut next, mut previous) = (0, 0, 0);
    while let Some(c) = format.get(at) {
        at += 1;
        if *c != '%' {
            made.push(*c);
            continue;
        }
        let specifier = specifier(&format, &mut at)?;
        if made.len() + specifier.width > m.limits.output as usize * 2 {
            return Err(Stop::Limit(Limit::Output));
        }
        match specifier.conversion {
            'n' => made.push('\n'),
            '%' => padded(&mut made, "%", &specifier),
            _ => {
                let place = match specifier.place {
                    _ if specifier.is_previous => previous,
                    Some(place) => place - 1,
                    None => {
                        next += 1;
                        next - 1
                    }
                };
                previous = place;
                let text = one(m, list, place, &specifier)?;
                padded(&mut made, &text, &specifier);
            }
        }
    }
    m.made(made.encode_utf16().collect())
}

fn number(format: &[char], at: &mut usize) -> Option<usize> {
    let from = *at;
    while format.get(*at).is_some_and(char::is_ascii_digit) {
        *at += 1;
    }
    let text: String = format[from..*at].iter().collect();
    text.parse().ok().filter(|n| *n < 100_000)
}

fn specifier(format: &[char], at: &mut usize) -> Done<Specifier> {
    let start = *at;
    let mut found = Specifier::default();
    let from = *at;
    match number(format, at) {
        Some(place) if format.get(*at) == Some(&'$') && place > 0 => {
            *at += 1;
            found.place = Some(place);
        }
        _ => *at = from,
    }
    loop {
        let flag = match format.get(*at) {
            Some('-') => &mut found.left,
            Some('+') => &mut found.plus,
            Some(' ') => &mut found.space,
            Some('0') => &mut found.zero,
            Some(',') => &mut found.comma,
            Some('(') => &mut found.parentheses,
            Some('#') => &mut found.alternate,
            Some('<') => &mut found.is_previous,
            _ => break,
        };
        *flag = true;
        *at += 1;
    }
    found.width = number(format, at).unwrap_or(0);
    if format.get(*at) == Some(&'.') {
        *at += 1;
        found.precision = Some(number(format, at).unwrap_or(0));
    }
    let Some(conversion) = format.get(*at) else {
        return throw("UnknownFormatConversionException", "Conversion = '%'");
    };
    *at += 1;
    found.conversion = *conversion;
    found.text = format[start..*at].iter().collect();
    if !"bBhHsScCdoxXeEfgGn%".contains(*conversion) {
        let message = format!("Conversion = '{conversion}'");
        return throw("UnknownFormatConversionException", message);
    }
    Ok(found)
}

fn argument(m: &Machine<'_>, list: &[Value], place: usize) -> Done<Option<(Argument, Value)>> {
    let Cell::Array(_, arguments) = m.state.heap.get(given(list, 1).reference()) else {
        return throw_bare("NullPointerException");
    };
    let Some(object) = arguments.get(place) else { return Ok(None) };
    let text = match m.state.heap.get(given(list, 2).reference()) {
        Cell::Array(_, Elements::Reference(texts)) => texts.get(place).copied().unwrap_or(0),
        _ => 0,
    };
    if object == NULL {
        return Ok(Some((Argument::Null, object)));
    }
    let class = m.class_of(object).map(|class| m.program.classes[class.index()].name.as_str());
    let held = m.state.heap.field(object.reference(), 0);
    let argument = match (class, held) {
        (Some("Integer"), Value::Int(n)) => Argument::Whole(i64::from(n), 32),
        (Some("Short"), Value::Int(n)) => Argument::Whole(i64::from(n), 16),
        (Some("Byte"), Value::Int(n)) => Argument::Whole(i64::from(n), 8),
        (Some("Long"), Value::Long(n)) => Argument::Whole(n, 64),
        (Some("Character"), Value::Int(n)) => Argument::Character(n as u16),
        (Some("Boolean"), Value::Int(n)) => Argument::Truth(n != 0),
        (Some("Double"), Value::Double(x)) => Argument::Floating(x),
        // Java formats a `float` as the `double` of its digits.
        (Some("Float"), Value::Float(x)) => {
            Argument::Floating(show::float(x).parse().unwrap_or(f64::from(x)))
        }
        _ => Argument::Text(m.string(Value::Reference(text))),
    };
    Ok(Some((argument, object)))
}

/// One argument as its specifier says, without the width.
fn one(m: &mut Machine<'_>, list: &[Value], place: usize, by: &Specifier) -> Done<String> {
    let Some((argument, object)) = argument(m, list, place)? else {
        let message = format!("Format specifier '%{}'", by.text);
        return throw("MissingFormatArgumentException", message);
    };
    let lower = by.conversion.to_ascii_lowercase();
    let text = match (lower, &argument) {
        ('b', Argument::Truth(truth)) => cut(truth.to_string(), by),
        ('b', Argument::Null) => cut("false".to_string(), by),
        ('b', _) => cut("true".to_string(), by),
        ('s', argument) => cut(plain(argument), by),
        ('h', _) => return Err(Stop::NotKnown("`%h`")),
        (_, Argument::Null) => "null".to_string(),
        ('c', Argument::Character(unit)) => String::from_utf16_lossy(&[*unit]),
        ('c', Argument::Whole(n, 32 | 16 | 8)) => match char::from_u32(*n as u32) {
            Some(c) => c.to_string(),
            None => return throw_bare("IllegalFormatCodePointException"),
        },
        ('d', Argument::Whole(n, _)) => {
            signed(*n < 0, grouped(&n.unsigned_abs().to_string(), by), by)
        }
        ('x', Argument::Whole(n, bits)) => prefixed(format!("{:x}", pattern(*n, *bits)), "0x", by),
        ('o', Argument::Whole(n, bits)) => prefixed(format!("{:o}", pattern(*n, *bits)), "0", by),
        ('f' | 'e' | 'g', Argument::Floating(x)) => floating(*x, lower, by),
        _ => {
            let class = m.name_of(object);
            let message = format!("{} != {class}", by.conversion);
            return throw("IllegalFormatConversionException", message);
        }
    };
    Ok(if by.conversion.is_ascii_uppercase() { text.to_uppercase() } else { text })
}

/// The bits of a number of this width.
fn pattern(n: i64, bits: u32) -> u64 {
    if bits == 64 { n as u64 } else { n as u64 & ((1 << bits) - 1) }
}

fn plain(argument: &Argument) -> String {
    match argument {
        Argument::Null => "null".to_string(),
        Argument::Truth(truth) => truth.to_string(),
        Argument::Whole(n, _) => n.to_string(),
        Argument::Character(unit) => String::from_utf16_lossy(&[*unit]),
        Argument::Floating(x) => show::double(*x),
        Argument::Text(text) => text.clone(),
    }
}

fn cut(text: String, by: &Specifier) -> String {
    match by.precision {
        Some(most) => text.chars().take(most).collect(),
        None => text,
    }
}

fn grouped(digits: &str, by: &Specifier) -> String {
    if !by.comma {
        return digits.to_string();
    }
    let (whole, rest) = match digits.find('.') {
        Some(at) => digits.split_at(at),
        None => (digits, ""),
    };
    let mut made = String::new();
    for (k, digit) in whole.chars().enumerate() {
        if k > 0 && (whole.len() - k) % 3 == 0 {
            made.push(',');
        }
        made.push(digit);
    }
    made + rest
}

/// With its sign, and filled with zeros to the width if that is wanted.
fn signed(negative: bool, digits: String, by: &Specifier) -> String {
    let (before, behind) = match (negative, by.parentheses) {
        (true, true) => ("(", ")"),
        (true, false) => ("-", ""),
        (false, _) if by.plus => ("+", ""),
        (false, _) if by.space => (" ", ""),
        _ => ("", ""),
    };
    let mut zeros = String::new();
    if by.zero {
        let have = before.len() + digits.len() + behind.len();
        (have..by.width).for_each(|_| zeros.push('0'));
    }
    format!("{before}{zeros}{digits}{behind}")
}

fn prefixed(digits: String, prefix: &str, by: &Specifier) -> String {
    let prefix = if by.alternate { prefix } else { "" };
    let mut zeros = String::new();
    if by.zero {
        (prefix.len() + digits.len()..by.width).for_each(|_| zeros.push('0'));
    }
    format!("{prefix}{zeros}{digits}")
}

fn floating(x: f64, conversion: char, by: &Specifier) -> String {
    if !x.is_finite() {
        let text = if x.is_nan() { "NaN" } else { "Infinity" };
        let by = Specifier { zero: false, width: 0, ..plain_sign(by) };
        return signed(x < 0.0, text.to_string(), &by);
    }
    let precision = by.precision.unwrap_or(6);
    let negative = x < 0.0 || x == 0.0 && x.is_sign_negative();
    let x = x.abs();
    let digits = match conversion {
        'f' => fixed(x, precision),
        'e' => scientific(x, precision),
        _ => general(x, precision),
    };
    signed(negative, grouped(&digits, by), by)
}

fn plain_sign(by: &Specifier) -> Specifier {
    Specifier {
        plus: by.plus,
        parentheses: by.parentheses,
        space: by.space,
        ..Specifier::default()
    }
}

/// The shortest digits of a number, rounded half up behind so many of them. The exponent grows if
/// the first digit does.
fn rounded(x: f64, keep: i64) -> (Vec<u8>, i32) {
    let show::Decimal { mut digits, mut exponent } = show::shortest(x);
    if keep < 0 {
        return (vec![0], 0);
    }
    let keep = keep as usize;
    if keep < digits.len() {
        let up = digits[keep] >= 5;
        digits.truncate(keep);
        if up {
            let mut carry = true;
            for digit in digits.iter_mut().rev() {
                if *digit < 9 {
                    *digit += 1;
                    carry = false;
                    break;
                }
                *digit = 0;
            }
            if carry {
                digits.insert(0, 1);
                exponent += 1;
            }
        }
    }
    (digits, exponent)
}

/// Java rounds the digits that `Double.toString` shows, half up.
fn fixed(x: f64, precision: usize) -> String {
    let exponent = show::shortest(x).exponent;
    let keep = i64::from(exponent) + 1 + precision as i64;
    let (digits, exponent) = if x == 0.0 { (vec![0], 0) } else { rounded(x, keep) };
    let digit = |power: i64| {
        let k = i64::from(exponent) - power;
        let known = usize::try_from(k).ok().and_then(|k| digits.get(k));
        char::from(b'0' + known.copied().unwrap_or(0))
    };
    let mut text: String = (0..=i64::from(exponent.max(0))).rev().map(digit).collect();
    if precision > 0 {
        text.push('.');
        text.extend((1..=precision as i64).map(|k| digit(-k)));
    }
    text
}

fn scientific(x: f64, precision: usize) -> String {
    let (digits, exponent) = match x == 0.0 {
        true => (vec![0], 0),
        false => rounded(x, precision as i64 + 1),
    };
    let digit = |k: usize| char::from(b'0' + digits.get(k).copied().unwrap_or(0));
    let mut text = digit(0).to_string();
    if precision > 0 {
        text.push('.');
        text.extend((1..=precision).map(digit));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    text + &format!("e{sign}{:02}", exponent.abs())
}

fn general(x: f64, precision: usize) -> String {
    let precision = precision.max(1);
    if x == 0.0 {
        return fixed(0.0, precision - 1);
    }
    let (_, exponent) = rounded(x, precision as i64);
    match (-4..precision as i32).contains(&exponent) {
        true => fixed(x, (precision as i32 - 1 - exponent).max(0) as usize),
        false => scientific(x, precision - 1),
    }
}

fn padded(made: &mut String, text: &str, by: &Specifier) {
    let fill: String = " ".repeat(by.width.saturating_sub(text.encode_utf16().count()));
    match by.left {
        true => made.extend([text, &fill]),
        false => made.extend([&fill, text]),
    }
}

#[cfg(test)]
mod tests {
    use super::{fixed, general, scientific};

    #[test]
    fn digits_are_rounded_half_up() {
        assert_eq!(fixed(2.5, 0), "3");
        assert_eq!(fixed(0.15, 1), "0.2");
        assert_eq!(fixed(0.125, 2), "0.13");
        assert_eq!(fixed(99.999, 2), "100.00");
        assert_eq!(fixed(0.05, 0), "0");
        assert_eq!(fixed(0.5, 0), "1");
        assert_eq!(fixed(0.004, 2), "0.00");
        assert_eq!(fixed(1e21, 1), "1000000000000000000000.0");
        assert_eq!(scientific(12345.678, 6), "1.234568e+04");
        assert_eq!(scientific(0.0, 2), "0.00e+00");
        assert_eq!(general(0.0001, 6), "0.000100000");
        assert_eq!(general(1e10, 6), "1.00000e+10");
    }
}
