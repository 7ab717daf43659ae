//! Is a text that is offered instead of a part of a statement read by the front end?

use crate::lang::model::Span;
use crate::util::names::continues_name;
use crate::wire::options::RequestedOptions;

/// Reads the program with `new` instead of `old` at any place in a statement.
pub(super) fn is_read(
    source: &str,
    requested: &RequestedOptions,
    statement: Span,
    (old, new): (&str, &str),
) -> bool {
    let (start, end) = (statement.start as usize, statement.end as usize);
    let Some(statement) = source.get(start..end) else { return false };
    places(statement, old).into_iter().any(|(from, to)| {
        let edited = [&source[..start + from], new, &source[start + to..]].concat();
        crate::lang::load(&edited, requested).program.is_some()
    })
}

/// Where a text is in another one, except for white space: first byte, and one past the last.
fn places(text: &str, part: &str) -> Vec<(usize, usize)> {
    let written = |text: &str| -> Vec<(usize, char)> {
        text.char_indices().filter(|(_, c)| !c.is_whitespace()).collect()
    };
    let (text, part) = (written(text), written(part));
    let continues = |at: Option<&(usize, char)>| at.is_some_and(|(_, c)| continues_name(*c));
    let mut found = Vec::new();
    for at in 0..(text.len() + 1).saturating_sub(part.len().max(1)) {
        let here = &text[at..at + part.len()];
        let (Some(first), Some(last)) = (here.first(), here.last()) else { continue };
        let before = at.checked_sub(1).and_then(|k| text.get(k));
        // A part of a name or of a number is no part of the statement.
        let cuts = continues(Some(first)) && continues(before.filter(|c| is_joined(c, first)))
            || continues(text.get(at + part.len()).filter(|c| is_joined(last, c)))
                && continues(Some(last));
        if !cuts && here.iter().map(|(_, c)| c).eq(part.iter().map(|(_, c)| c)) {
            found.push((first.0, last.0 + last.1.len_utf8()));
        }
    }
    found
}

/// Is there no white space between two characters?
fn is_joined(left: &(usize, char), right: &(usize, char)) -> bool {
    left.0 + left.1.len_utf8() == right.0
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn parts_are_found_whatever_the_white_space() {
        assert_eq!(places("x = a  +b;", "a + b"), [(4, 9)]);
        assert_eq!(places("x = a + ba;", "a + b"), []);
        assert_eq!(places("a = a;", "a"), [(0, 1), (4, 5)]);
        assert_eq!(places("return x;", "x"), [(7, 8)]);
        assert_eq!(places("x", "xy"), []);
        assert_eq!(places("x", ""), []);
    }
}
