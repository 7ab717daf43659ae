//! `Scanner`, `BufferedReader` and `System.in`: all read from one place of the input on. A scanner
//! of a text has a place of its own.

use super::super::heap::Cell;
use super::super::value::{NULL, Value};
use super::super::{Done, Machine};
use super::{characters, given};
use std::borrow::Cow;

/// The fields of a `Scanner` in `src/java/library/util/reading.java`.
const TEXT: usize = 0;
const PLACE: usize = 1;

/// What is left to be read, from its place on.
fn rest<'p>(m: &Machine<'p>, scanner: Value) -> (Option<u32>, Cow<'p, [u8]>) {
    let text = m.state.heap.field(scanner.reference(), TEXT).reference();
    match m.state.heap.text_at(text) {
        Some(units) => {
            let at = m.state.heap.field(scanner.reference(), PLACE).int() as usize;
            let text = String::from_utf16_lossy(units).into_bytes();
            (Some(scanner.reference()), text.get(at..).unwrap_or_default().to_vec().into())
        }
        None => {
            let input: &'p [u8] = m.input;
            (None, input.get(m.state.at..).unwrap_or_default().into())
        }
    }
}

/// So many bytes more were read.
fn advance(m: &mut Machine<'_>, scanner: Option<u32>, bytes: usize) {
    match scanner {
        None => m.state.at = (m.state.at + bytes).min(m.input.len()),
        Some(scanner) => {
            if let Some(Cell::Object(_, fields)) = m.state.heap.get_mut(scanner)
                && let Some(place) = fields.get_mut(PLACE)
            {
                *place = Value::Int(place.int() + bytes as i32);
            }
        }
    }
}

/// The next word: where it begins and ends. Bytes that are no UTF-8 belong to words.
fn word(bytes: &[u8]) -> Option<(usize, usize)> {
    let (mut start, mut at) = (None, 0);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match (characters::is_white(c), start) {
                (true, Some(start)) => return Some((start, at)),
                (false, None) => start = Some(at),
                _ => {}
            }
            at += c.len_utf8();
        }
        if !chunk.invalid().is_empty() {
            start.get_or_insert(at);
            at += chunk.invalid().len();
        }
    }
    start.map(|start| (start, at))
}

/// The part in which the next word is: nearly always a small one.
fn bounded(bytes: &[u8]) -> &[u8] {
    match word(&bytes[..bytes.len().min(512)]) {
        Some((_, end)) if end < 500 => &bytes[..bytes.len().min(512)],
        _ => bytes,
    }
}

fn next_word(m: &mut Machine<'_>, list: &[Value], is_taken: bool) -> Done<Value> {
    let (scanner, bytes) = rest(m, given(list, 0));
    let bytes = bounded(&bytes);
    let Some((start, end)) = word(bytes) else { return Ok(NULL) };
    let text = String::from_utf8_lossy(&bytes[start..end]).into_owned();
    if is_taken {
        advance(m, scanner, end);
    }
    Ok(m.state.heap.text(&text))
}

/// The next word, which is read; `null` at the end.
pub(super) fn token(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    next_word(m, list, true)
}

/// The next word, which stays.
pub(super) fn peek(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    next_word(m, list, false)
}

/// The rest of the line, without its end; `null` at the end of the input.
pub(super) fn line(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let (scanner, bytes) = rest(m, given(list, 0));
    if bytes.is_empty() {
        return Ok(NULL);
    }
    let end = bytes.iter().position(|b| *b == b'\n' || *b == b'\r').unwrap_or(bytes.len());
    let behind = match bytes.get(end..) {
        Some([b'\r', b'\n', ..]) => end + 2,
        Some([_, ..]) => end + 1,
        _ => end,
    };
    let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
    advance(m, scanner, behind);
    Ok(m.state.heap.text(&text))
}

pub(super) fn has_line(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    Ok((!rest(m, given(list, 0)).1.is_empty()).into())
}

/// `BufferedReader.readLine`: always of the input.
pub(super) fn read_line(m: &mut Machine<'_>, _: &[Value]) -> Done<Value> {
    line(m, &[NULL])
}

/// A character, or -1 at the end.
pub(super) fn read(m: &mut Machine<'_>, _: &[Value]) -> Done<Value> {
    let Some(byte) = m.input.get(m.state.at).copied() else { return Ok(Value::Int(-1)) };
    m.state.at += 1;
    Ok(Value::Int(i32::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn words_of_any_bytes() {
        assert_eq!(word(b"  12 x"), Some((2, 4)));
        assert_eq!(word(b" \n\t"), None);
        assert_eq!(word(b" \xff\xfe 1"), Some((1, 3)));
        assert_eq!(word("\u{2003}ä".as_bytes()), Some((3, 5)));
    }
}
