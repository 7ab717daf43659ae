//! `Character`.

use super::super::value::Value;
use super::super::{Done, Machine};
use super::given;

/// White space as `Character.isWhitespace` has it: no blank that does not break.
pub(super) fn is_white(c: char) -> bool {
    match c {
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{85}' => false,
        '\u{1c}'..='\u{1f}' => true,
        c => c.is_whitespace(),
    }
}

/// Bits: 1 digit, 2 letter, 4 upper case, 8 lower case, 16 white space.
pub(super) fn kind(_: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let c = char::from_u32(given(list, 0).int() as u32).unwrap_or('\0');
    let is_digit = c.is_ascii_digit() || !c.is_ascii() && c.is_numeric() && c.is_alphanumeric();
    let is_letter = c.is_alphabetic();
    let bits = [is_digit && !is_letter, is_letter, c.is_uppercase(), c.is_lowercase(), is_white(c)];
    let bits = bits.iter().enumerate().map(|(k, bit)| i32::from(*bit) << k).sum();
    Ok(Value::Int(bits))
}

/// Another case, if it is one character of 16 bits.
fn one(c: Option<char>, changed: impl Iterator<Item = char>, old: i32) -> Value {
    let mut changed = changed.take(2).collect::<Vec<char>>();
    match (c, changed.len()) {
        (Some(_), 1) => Value::Int(changed.remove(0) as i32),
        _ => Value::Int(old),
    }
}

pub(super) fn upper(_: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let old = given(list, 0).int();
    let c = char::from_u32(old as u32);
    Ok(one(c, c.into_iter().flat_map(char::to_uppercase), old))
}

pub(super) fn lower(_: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let old = given(list, 0).int();
    let c = char::from_u32(old as u32);
    Ok(one(c, c.into_iter().flat_map(char::to_lowercase), old))
}
