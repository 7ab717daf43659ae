//! The simple patterns of `split`, `matches`, `replaceAll`: characters, classes of characters, `.`,
//! groups are not read; `*`, `+`, `?` behind one of them; `|` between them.

use super::super::heap::{Cell, Elements};
use super::super::value::Value;
use super::super::{Done, Limit, Machine, Stop};
use super::given;

/// Characters that fit at one place.
enum Class {
    Any,
    One(u16),
    Digit,
    Blank,
    Word,
    Not(Box<Class>),
    Of(Vec<Class>),
    Range(u16, u16),
}

impl Class {
    fn fits(&self, unit: u16) -> bool {
        let c = char::from_u32(u32::from(unit)).unwrap_or('\u{fffd}');
        match self {
            Class::Any => unit != 10 && unit != 13,
            Class::One(one) => *one == unit,
            Class::Digit => c.is_ascii_digit(),
            Class::Blank => matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}'),
            Class::Word => c.is_ascii_alphanumeric() || c == '_',
            Class::Not(class) => !class.fits(unit),
            Class::Of(list) => list.iter().any(|class| class.fits(unit)),
            Class::Range(from, to) => (*from..=*to).contains(&unit),
        }
    }
}

/// So many places has a pattern.
const MOST_ITEMS: usize = 500;

/// A place, with how often it may stand.
struct Item {
    class: Class,
    least: usize,
    most: usize,
}

/// Alternatives, each a sequence.
struct Pattern(Vec<Vec<Item>>);

const NOT_KNOWN: Stop = Stop::NotKnown("a pattern with groups, anchors or counts");

fn escaped(c: char) -> Option<Class> {
    let negated = |class| Class::Not(Box::new(class));
    Some(match c {
        'd' => Class::Digit,
        'D' => negated(Class::Digit),
        's' => Class::Blank,
        'S' => negated(Class::Blank),
        'w' => Class::Word,
        'W' => negated(Class::Word),
        't' => Class::One(9),
        'n' => Class::One(10),
        'r' => Class::One(13),
        c if !c.is_alphanumeric() => Class::One(c as u16),
        _ => return None,
    })
}

/// Behind `[`.
fn class_of(text: &[char], at: &mut usize) -> Option<Class> {
    let is_negated = text.get(*at) == Some(&'^');
    *at += usize::from(is_negated);
    let mut list = Vec::new();
    loop {
        let c = *text.get(*at)?;
        *at += 1;
        match c {
            ']' if !list.is_empty() => break,
            '[' | '&' => return None,
            '\\' => {
                list.push(escaped(*text.get(*at)?)?);
                *at += 1;
            }
            _ if text.get(*at) == Some(&'-') && text.get(*at + 1).is_some_and(|c| *c != ']') => {
                list.push(Class::Range(c as u16, *text.get(*at + 1)? as u16));
                *at += 2;
            }
            c => list.push(Class::One(c as u16)),
        }
    }
    let found = Class::Of(list);
    Some(if is_negated { Class::Not(Box::new(found)) } else { found })
}

fn read(text: &str) -> Option<Pattern> {
    let text: Vec<char> = text.chars().collect();
    let mut list = vec![Vec::new()];
    let mut at = 0;
    while let Some(c) = text.get(at) {
        at += 1;
        let class = match c {
            '|' => {
                list.push(Vec::new());
                continue;
            }
            '(' | ')' | '{' | '}' | '^' | '$' | '*' | '+' | '?' => return None,
            '.' => Class::Any,
            '[' => class_of(&text, &mut at)?,
            '\\' => {
                at += 1;
                escaped(*text.get(at - 1)?)?
            }
            c if *c as u32 > 0xffff => return None,
            c => Class::One(*c as u16),
        };
        let (least, most) = match text.get(at) {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            _ => (1, 1),
        };
        if (least, most) != (1, 1) {
            at += 1;
            // Reluctant and possessive ones.
            if matches!(text.get(at), Some('?' | '+')) {
                return None;
            }
        }
        let items = list.last_mut()?;
        items.push(Item { class, least, most });
        if items.len() > MOST_ITEMS {
            return None;
        }
    }
    Some(Pattern(list))
}

/// Where a sequence ends that begins at a place; the longest first, as Java backtracks. `work`
/// bounds the steps.
fn ends(items: &[Item], text: &[u16], at: usize, whole: bool, work: &mut u64) -> Option<usize> {
    *work += 1;
    if *work > 5_000_000 {
        return None;
    }
    let Some((item, rest)) = items.split_first() else {
        return (!whole || at == text.len()).then_some(at);
    };
    let fits = text[at..].iter().take_while(|unit| item.class.fits(**unit)).take(item.most).count();
    let mut counts = (item.least..=fits).rev();
    counts.find_map(|count| ends(rest, text, at + count, whole, work))
}

impl Pattern {
    fn at(&self, text: &[u16], at: usize, whole: bool, work: &mut u64) -> Option<usize> {
        self.0.iter().find_map(|items| ends(items, text, at, whole, work))
    }

    /// All places where it fits, one behind the other.
    fn all(&self, text: &[u16], work: &mut u64) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut at = 0;
        while at <= text.len() {
            match self.at(text, at, false, work) {
                Some(end) => {
                    found.push((at, end));
                    at = if end > at { end } else { at + 1 };
                }
                None => at += 1,
            }
        }
        found
    }
}

fn pattern(m: &Machine<'_>, text: Value) -> Done<Pattern> {
    read(&String::from_utf16_lossy(m.units(text)?)).ok_or(NOT_KNOWN)
}

fn within(m: &mut Machine<'_>, work: u64) -> Done {
    m.steps += work / 16;
    if work > 5_000_000 { Err(Stop::Limit(Limit::Steps)) } else { Ok(()) }
}

pub(super) fn matches(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let pattern = pattern(m, given(list, 1))?;
    let mut work = 0;
    let found = pattern.at(m.units(given(list, 0))?, 0, true, &mut work).is_some();
    within(m, work)?;
    Ok(found.into())
}

/// `split(pattern, limit)`, into an array of the type of the third argument.
pub(super) fn split(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let pattern = pattern(m, given(list, 1))?;
    let limit = given(list, 2).int();
    let text = m.units(given(list, 0))?.to_vec();
    let mut work = 0;
    let mut pieces: Vec<&[u16]> = Vec::new();
    let mut from = 0;
    for (start, end) in pattern.all(&text, &mut work) {
        if limit > 0 && pieces.len() as i32 == limit - 1 {
            break;
        }
        // Nothing stands before a first place without width, nor is there one at the end.
        if end == 0 || start == end && start == text.len() {
            continue;
        }
        pieces.push(&text[from..start]);
        from = end;
    }
    let found_none = pieces.is_empty();
    pieces.push(&text[from..]);
    if limit == 0 && !found_none {
        while pieces.last().is_some_and(|piece| piece.is_empty()) {
            pieces.pop();
        }
    }
    within(m, work)?;
    let texts = pieces.iter().map(|piece| m.state.heap.units(piece.to_vec()).reference());
    let texts = texts.collect();
    let ty = m.code.texts_type;
    Ok(m.state.heap.add(Cell::Array(ty, Elements::Reference(texts))))
}

/// Each place where a pattern fits, or the first, as another text.
pub(super) fn replace(m: &mut Machine<'_>, list: &[Value]) -> Done<Value> {
    let pattern = pattern(m, given(list, 1))?;
    let new = m.units(given(list, 2))?.to_vec();
    if new.iter().any(|unit| *unit == u16::from(b'$') || *unit == u16::from(b'\\')) {
        return Err(Stop::NotKnown("a replacement with `$` or `\\`"));
    }
    let only_first = given(list, 3).truth();
    let text = m.units(given(list, 0))?.to_vec();
    let mut work = 0;
    let (mut made, mut from) = (Vec::new(), 0);
    let places = pattern.all(&text, &mut work);
    for (start, end) in places.into_iter().take(if only_first { 1 } else { usize::MAX }) {
        made.extend(&text[from..start]);
        made.extend(&new);
        from = end;
    }
    made.extend(&text[from..]);
    within(m, work)?;
    m.made(made)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn simple_patterns() {
        let fits = |pattern: &str, text: &str| {
            let text: Vec<u16> = text.encode_utf16().collect();
            read(pattern).map(|p| p.at(&text, 0, true, &mut 0).is_some())
        };
        assert_eq!(fits("[a-c]+\\d?", "abc7"), Some(true));
        assert_eq!(fits("a.c|x", "abd"), Some(false));
        assert_eq!(fits("[^,]*,", "ab,"), Some(true));
        assert_eq!(fits("(a)", "a"), None);
    }
}
