//! `StringBuilder` and `StringBuffer`.

use super::super::heap::Cell;
use super::super::value::{NULL, Value};
use super::super::{Done, Limit, Machine, Stop, throw};
use super::{given, no_index};

/// Changes the characters.
fn change(
    m: &mut Machine<'_>,
    builder: Value,
    work: impl FnOnce(&mut Vec<u16>) -> Done,
) -> Done<Value> {
    let most = m.limits.memory;
    if let Some(Cell::Builder(_, text)) = m.state.heap.get_mut(builder.reference()) {
        let before = text.len();
        work(text)?;
        let (after, grown) = (text.len(), text.len().saturating_sub(before));
        m.state.heap.grew(grown);
        if after as u64 > most {
            return Err(Stop::Limit(Limit::Memory));
        }
    }
    Ok(NULL)
}

pub(super) fn add(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let more = m.units(given(list, 1))?.to_vec();
    change(m, given(list, 0), |text| {
        text.extend(more);
        Ok(())
    })
}

pub(super) fn length(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    Ok(Value::Int(m.units(given(list, 0))?.len() as i32))
}

pub(super) fn char_at(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (units, index) = (m.units(given(list, 0))?, given(list, 1).int());
    match usize::try_from(index).ok().and_then(|at| units.get(at)) {
        Some(unit) => Ok(Value::Int(i32::from(*unit))),
        None => no_index(index, units.len()),
    }
}

pub(super) fn set(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (index, unit) = (given(list, 1).int(), given(list, 2).int() as u16);
    change(m, given(list, 0), |text| {
        let length = text.len();
        match usize::try_from(index).ok().and_then(|at| text.get_mut(at)) {
            Some(place) => {
                *place = unit;
                Ok(())
            }
            None => no_index(index, length),
        }
    })
}

pub(super) fn insert(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (at, more) = (given(list, 1).int(), m.units(given(list, 2))?.to_vec());
    change(m, given(list, 0), |text| {
        let length = text.len();
        if at < 0 || at as usize > length {
            let message = format!("offset {at}, length {length}");
            return throw("StringIndexOutOfBoundsException", message);
        }
        text.splice(at as usize..at as usize, more);
        Ok(())
    })
}

/// Removes what is between two places; the second may be behind the end.
pub(super) fn cut(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (from, to) = (given(list, 1).int(), given(list, 2).int());
    change(m, given(list, 0), |text| {
        let length = text.len();
        let end = to.min(length as i32);
        if from < 0 || from > end {
            let message = format!("start {from}, end {end}, length {length}");
            return throw("StringIndexOutOfBoundsException", message);
        }
        text.drain(from as usize..end as usize);
        Ok(())
    })
}

pub(super) fn set_length(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let length = given(list, 1).int();
    let most = m.limits.memory;
    change(m, given(list, 0), |text| {
        if length < 0 {
            let message = format!("String index out of range: {length}");
            return throw("StringIndexOutOfBoundsException", message);
        }
        if length as u64 > most {
            return Err(Stop::Limit(Limit::Memory));
        }
        text.resize(length as usize, 0);
        Ok(())
    })
}

/// The other way round; the two halves of a character beyond 16 bits stay in order.
pub(super) fn reverse(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    change(m, given(list, 0), |text| {
        let decoded = char::decode_utf16(text.iter().copied());
        let mut pieces: Vec<Vec<u16>> = decoded
            .map(|c| match c {
                Ok(c) => c.encode_utf16(&mut [0; 2]).to_vec(),
                Err(half) => vec![half.unpaired_surrogate()],
            })
            .collect();
        pieces.reverse();
        *text = pieces.concat();
        Ok(())
    })
}

pub(super) fn text(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let units = m.units(given(list, 0))?.to_vec();
    m.made(units)
}
