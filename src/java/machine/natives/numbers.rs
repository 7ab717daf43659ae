//! Texts as numbers, and back.

use super::super::value::Value;
use super::super::{Done, Machine, throw};
use super::given;

fn no_number<T>(text: &str, radix: i32) -> Done<T> {
    let under = if radix == 10 { String::new() } else { format!(" under radix {radix}") };
    throw("NumberFormatException", format!("For input string: \"{text}\"{under}"))
}

fn parse(m: &Machine<'_>, list: &[Value]) -> Done<(String, Option<i64>, i32)> {
    let radix = given(list, 1).int();
    let Some(units) = m.state.heap.text_at(given(list, 0).reference()) else {
        return throw("NumberFormatException", "Cannot parse null string");
    };
    let text = String::from_utf16_lossy(units);
    if !(2..=36).contains(&radix) {
        let message = match radix < 2 {
            true => format!("radix {radix} less than Character.MIN_RADIX"),
            false => format!("radix {radix} greater than Character.MAX_RADIX"),
        };
        return throw("NumberFormatException", message);
    }
    let value = i64::from_str_radix(&text, radix as u32).ok();
    Ok((text, value, radix))
}

pub(super) fn parse_int(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (text, value, radix) = parse(m, list)?;
    match value.and_then(|value| i32::try_from(value).ok()) {
        Some(value) => Ok(Value::Int(value)),
        None => no_number(&text, radix),
    }
}

pub(super) fn parse_long(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (text, value, radix) = parse(m, list)?;
    match value {
        Some(value) => Ok(Value::Long(value)),
        None => no_number(&text, radix),
    }
}

/// The number that a text says, if it is written as Java's `Double.valueOf` takes it. Hexadecimal
/// ones are not read.
pub(super) fn double_of(text: &str) -> Option<f64> {
    let trimmed = text.trim_matches(|c: char| c <= ' ');
    let unsigned = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
    match unsigned {
        "NaN" => return Some(f64::NAN),
        "Infinity" if trimmed.starts_with('-') => return Some(f64::NEG_INFINITY),
        "Infinity" => return Some(f64::INFINITY),
        _ => {}
    }
    let digits = trimmed.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(trimmed);
    // Rust reads names as well, which Java does not.
    let is_plain = digits.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    digits.parse().ok().filter(|_| is_plain)
}

pub(super) fn parse_double(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let text = String::from_utf16_lossy(m.units(given(list, 0))?);
    match double_of(&text) {
        Some(value) => Ok(Value::Double(value)),
        None if text.trim_matches(|c: char| c <= ' ').is_empty() => {
            throw("NumberFormatException", "empty String")
        }
        None => no_number(&text, 10),
    }
}

/// A whole number in another radix.
pub(super) fn digits(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (value, radix) = (given(list, 0).long(), given(list, 1).int());
    let radix = if (2..=36).contains(&radix) { radix as u64 } else { 10 };
    let mut rest = value.unsigned_abs();
    let mut units = Vec::new();
    loop {
        let digit = (rest % radix) as u32;
        units.push(char::from_digit(digit, 36).unwrap_or('0') as u16);
        rest /= radix;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        units.push(u16::from(b'-'));
    }
    units.reverse();
    m.made(units)
}

pub(super) fn bits(_: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let x = given(list, 0).double();
    Ok(Value::Long(if x.is_nan() { 0x7ff8 << 48 } else { x.to_bits() as i64 }))
}

pub(super) fn bits_of_float(_: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let x = given(list, 0).float();
    Ok(Value::Int(if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() as i32 }))
}
