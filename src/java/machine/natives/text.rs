//! `String`: texts of 16-bit characters.

use super::super::heap::{Cell, Elements};
use super::super::value::{Kind, NULL, Value};
use super::super::{Done, Machine, Stop, throw};
use super::given;

pub(super) fn length(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    Ok(Value::Int(m.units(given(list, 0))?.len() as i32))
}

pub(super) fn char_at(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (units, index) = (m.units(given(list, 0))?, given(list, 1).int());
    match usize::try_from(index).ok().and_then(|at| units.get(at)) {
        Some(unit) => Ok(Value::Int(i32::from(*unit))),
        None => {
            let message = format!("String index out of range: {index}");
            throw("StringIndexOutOfBoundsException", message)
        }
    }
}

pub(super) fn equals(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let own = m.units(given(list, 0))?;
    let other = m.state.heap.get(given(list, 1).reference());
    Ok(matches!(other, Cell::Text(other) if other[..] == *own).into())
}

pub(super) fn hash_code(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let units = m.units(given(list, 0))?;
    let hash = |sum: i32, unit: &u16| sum.wrapping_mul(31).wrapping_add(i32::from(*unit));
    Ok(Value::Int(units.iter().fold(0, hash)))
}

pub(super) fn compare(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (own, other) = (m.units(given(list, 0))?, m.units(given(list, 1))?);
    let differs = own.iter().zip(other).find(|(a, b)| a != b);
    Ok(Value::Int(match differs {
        Some((a, b)) => i32::from(*a) - i32::from(*b),
        None => own.len() as i32 - other.len() as i32,
    }))
}

pub(super) fn substring(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let units = m.units(given(list, 0))?;
    let (begin, end) = (given(list, 1).int(), given(list, 2).int());
    let length = units.len();
    if begin < 0 || end < begin || end as usize > length {
        let message = format!("begin {begin}, end {end}, length {length}");
        return throw("StringIndexOutOfBoundsException", message);
    }
    if begin == 0 && end as usize == length {
        return Ok(given(list, 0));
    }
    let part = units[begin as usize..end as usize].to_vec();
    m.made(part)
}

/// Where a text is found first, from a place on.
pub(super) fn find(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (own, wanted) = (m.units(given(list, 0))?, m.units(given(list, 1))?);
    let from = given(list, 2).int().max(0) as usize;
    Ok(Value::Int(place_of(own, wanted, from).map_or(-1, |at| at as i32)))
}

fn place_of(own: &[u16], wanted: &[u16], from: usize) -> Option<usize> {
    let last = own.len().checked_sub(wanted.len())?;
    match from > last {
        true => (wanted.is_empty()).then_some(own.len()),
        false => (from..=last).find(|at| own[*at..].starts_with(wanted)),
    }
}

/// Where a text is found last, at a place or before it.
pub(super) fn find_last(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (own, wanted) = (m.units(given(list, 0))?, m.units(given(list, 1))?);
    let from = given(list, 2).int();
    let found = own.len().checked_sub(wanted.len()).filter(|_| from >= 0).and_then(|last| {
        (0..=last.min(from as usize)).rev().find(|at| own[*at..].starts_with(wanted))
    });
    Ok(Value::Int(found.map_or(-1, |at| at as i32)))
}

pub(super) fn upper(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let text = String::from_utf16_lossy(m.units(given(list, 0))?).to_uppercase();
    m.made(text.encode_utf16().collect())
}

pub(super) fn lower(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let text = String::from_utf16_lossy(m.units(given(list, 0))?).to_lowercase();
    m.made(text.encode_utf16().collect())
}

/// Without what is at most a blank at both ends.
pub(super) fn trim(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let units = m.units(given(list, 0))?;
    let start = units.iter().position(|unit| *unit > 32).unwrap_or(units.len());
    let end = units.iter().rposition(|unit| *unit > 32).map_or(start, |at| at + 1);
    let part = units[start..end].to_vec();
    m.made(part)
}

/// Without white space: 1 at the start, 2 at the end, 3 at both.
pub(super) fn strip(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let text = String::from_utf16_lossy(m.units(given(list, 0))?);
    let blank = super::characters::is_white;
    let part = match given(list, 1).int() {
        1 => text.trim_start_matches(blank),
        2 => text.trim_end_matches(blank),
        _ => text.trim_matches(blank),
    };
    m.made(part.encode_utf16().collect())
}

pub(super) fn to_chars(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let units = m.units(given(list, 0))?.to_vec();
    let chars = crate::typed::Type::Array(Box::new(crate::typed::Type::Char));
    let ty = m.code.types.iter().position(|ty| *ty == chars);
    let ty = super::super::code::TypeId(ty.unwrap_or(0) as u32);
    Ok(m.state.heap.add(Cell::Array(ty, Elements::Char(units))))
}

/// The text of some characters of an array.
pub(super) fn of_chars(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (from, count) = (given(list, 1).int(), given(list, 2).int());
    let elements = m.elements(given(list, 0))?;
    let length = elements.len();
    let Elements::Char(chars) = elements else { return Ok(NULL) };
    let end = i64::from(from) + i64::from(count);
    if from < 0 || count < 0 || end > length as i64 {
        let message = format!("offset {from}, count {count}, length {length}");
        return throw("StringIndexOutOfBoundsException", message);
    }
    let part = chars[from as usize..end as usize].to_vec();
    m.made(part)
}

pub(super) fn of_char(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    m.made(vec![given(list, 0).converted(Kind::Char).int() as u16])
}

/// Each occurrence of a text replaced by another.
pub(super) fn exchange(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let own = m.units(given(list, 0))?;
    let (old, new) = (m.units(given(list, 1))?, m.units(given(list, 2))?);
    let mut made = Vec::new();
    let mut at = 0;
    loop {
        if own[at..].starts_with(old) {
            made.extend(new);
            if !old.is_empty() {
                at += old.len();
                continue;
            }
        }
        match own.get(at) {
            Some(unit) => made.push(*unit),
            None => break,
        }
        at += 1;
        if made.len() as u64 > m.limits.memory {
            return Err(Stop::Limit(super::super::Limit::Memory));
        }
    }
    m.made(made)
}

/// The literal of these characters, or this text as the one of its kind.
pub(super) fn intern(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let units = m.units(given(list, 0))?.to_vec();
    let known = m.code.texts.iter().position(|text| text.encode_utf16().eq(units.iter().copied()));
    match known {
        Some(k) => {
            let k = k as u32;
            let own = given(list, 0).reference();
            Ok(Value::Reference(*m.state.literals.entry(k).or_insert(own)))
        }
        None => Err(Stop::NotKnown("`String.intern` of a text that is no literal")),
    }
}

/// A new text with the same characters.
pub(super) fn fresh(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let units = m.units(given(list, 0))?.to_vec();
    m.made(units)
}
