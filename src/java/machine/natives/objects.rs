//! Objects, arrays and the system.

use super::super::heap::{Cell, Elements};
use super::super::outcome::Piece;
use super::super::value::{NULL, Value};
use super::super::{Done, Limit, Machine, Stop, throw, throw_bare};
use super::given;

/// A number that stays with the object. Java's own is random; this one counts.
pub(super) fn hash_code(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let object = given(list, 0).reference();
    let next = m.state.hashes.len() as i32 + 1;
    // Spread over the numbers as Java's own are, and never negative.
    let spread = next.wrapping_mul(0x3779_b9b1) & 0x7fff_ffff;
    Ok(Value::Int(*m.state.hashes.entry(object).or_insert(spread)))
}

/// An object of `Class`: its fields are the name and the simple name.
pub(super) fn get_class(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let object = given(list, 0);
    let name = m.name_of(object);
    let simple = match m.class_of(object) {
        Some(class) => m.program.classes[class.index()].simple_name().to_string(),
        None => String::new(),
    };
    let Some(class) = m.known.get("Class").copied() else { return Ok(NULL) };
    let mut fields = m.code.layouts[class.index()].clone();
    for (field, text) in fields.iter_mut().zip([name, simple]) {
        *field = m.state.heap.text(&text);
    }
    Ok(m.state.heap.add(Cell::Object(class, fields.into())))
}

pub(super) fn name(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let Some((class, number)) = m.ordinal(given(list, 0)) else { return Ok(NULL) };
    let names = m.program.classes[class.index()].constants.as_ref();
    let name = names.and_then(|names| names.get(number as usize)).cloned().unwrap_or_default();
    Ok(m.state.heap.text(&name))
}

pub(super) fn ordinal(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    Ok(Value::Int(m.ordinal(given(list, 0)).map_or(0, |(_, number)| number)))
}

/// Output: 1 is `System.out`, 2 is `System.err`.
pub(super) fn print(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let stream = given(list, 0).int();
    let text = String::from_utf16_lossy(m.units(given(list, 1))?);
    let into = if stream == 2 { &mut m.errors } else { &mut m.output };
    into.extend(text.bytes());
    let length = into.len();
    if stream != 2 && !text.is_empty() {
        let (end, point) = (length as u32, m.point);
        match m.pieces.last_mut().filter(|last| last.point == point) {
            Some(last) => last.end = end,
            None => m.pieces.push(Piece { end, point }),
        }
    }
    match length as u64 > m.limits.output {
        true => Err(Stop::Limit(Limit::Output)),
        false => Ok(NULL),
    }
}

pub(super) fn exit(_: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    Err(Stop::Exit(given(list, 0).int()))
}

/// The clock counts operations, so that a run is the same each time.
pub(super) fn clock(m: &mut Machine<'_>, _: &[Value]) -> Done<Value> {
    Ok(Value::Long(m.steps as i64))
}

pub(super) fn array_copy(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let [from, to] = [given(list, 0), given(list, 2)];
    let [at, into, count] = [1, 3, 4].map(|k| i64::from(given(list, k).int()));
    let (length, room) = (m.elements(from)?.len() as i64, m.elements(to)?.len() as i64);
    let outside = |what: &str, at: i64, length: i64| {
        let message = format!("arraycopy: {what} index {at} out of bounds for length {length}");
        throw("ArrayIndexOutOfBoundsException", message)
    };
    if count < 0 {
        let message = format!("arraycopy: length {count} is negative");
        return throw("ArrayIndexOutOfBoundsException", message);
    }
    if at < 0 || at + count > length {
        let (what, index) = if at < 0 { ("source", at) } else { ("last source", at + count) };
        return outside(what, index, length);
    }
    if into < 0 || into + count > room {
        let (what, index) =
            if into < 0 { ("destination", into) } else { ("last destination", into + count) };
        return outside(what, index, room);
    }
    m.steps += count as u64 / 8;
    let values: Vec<Value> = {
        let elements = m.elements(from)?;
        (at..at + count).filter_map(|k| elements.get(k as usize)).collect()
    };
    for (k, value) in values.into_iter().enumerate() {
        m.set_element(to, (into + k as i64) as i32, value)?;
    }
    Ok(NULL)
}

pub(super) fn cloned(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    match m.state.heap.get(given(list, 0).reference()) {
        cell @ Cell::Array(..) => {
            let cell = cell.clone();
            Ok(m.state.heap.add(cell))
        }
        _ => throw_bare("NullPointerException"),
    }
}

/// An array of the same type with these elements of another one; zeros behind its end.
pub(super) fn resized(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (array, from, to) = (given(list, 0), given(list, 1).int(), given(list, 2).int());
    let Cell::Array(ty, _) = m.state.heap.get(array.reference()) else {
        return throw_bare("NullPointerException");
    };
    let (ty, kind) = (*ty, m.element_kind(*ty));
    let count = i64::from(to) - i64::from(from);
    let elements = m.elements(array)?;
    if count < 0 || from < 0 || from as usize > elements.len() {
        return throw_bare("ArrayIndexOutOfBoundsException");
    }
    let bytes = Elements::bytes(kind, count as u64);
    if m.state.heap.bytes().saturating_add(bytes) > m.limits.memory.saturating_mul(2) {
        return Err(Stop::Limit(Limit::Memory));
    }
    let mut made = Elements::new(kind, count as usize);
    for k in 0..count as usize {
        match elements.get(from as usize + k) {
            Some(value) => made.set(k, value),
            None => break,
        };
    }
    m.steps += count as u64 / 8;
    Ok(m.state.heap.add(Cell::Array(ty, made)))
}

/// Sorts a part of an array of numbers.
pub(super) fn sorted(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (from, to) = (given(list, 1).int(), given(list, 2).int());
    let Some(Cell::Array(_, elements)) = m.state.heap.get_mut(given(list, 0).reference()) else {
        return throw_bare("NullPointerException");
    };
    let range = from.max(0) as usize..(to.max(from.max(0)) as usize).min(elements.len());
    let count = range.len() as u64;
    match elements {
        Elements::Byte(list) => list[range].sort_unstable(),
        Elements::Short(list) => list[range].sort_unstable(),
        Elements::Char(list) => list[range].sort_unstable(),
        Elements::Int(list) => list[range].sort_unstable(),
        Elements::Long(list) => list[range].sort_unstable(),
        Elements::Float(list) => list[range].sort_by(f32::total_cmp),
        Elements::Double(list) => list[range].sort_by(f64::total_cmp),
        Elements::Boolean(_) | Elements::Reference(_) => {}
    }
    m.steps += count;
    Ok(NULL)
}
