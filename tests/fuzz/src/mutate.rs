//! Changes of a text that mostly keep it a program: a number becomes another number, an operator
//! one of its kind, a name another name of the text; lines are doubled, left out, exchanged.

use std::collections::HashSet;

/// Operators that stand for each other.
const KINDS: [&[&str]; 9] = [
    &["+", "-"],
    &["&", "|", "^"],
    &["==", "!=", "<", "<=", ">", ">="],
    &["&&", "||"],
    &["++", "--"],
    &["+=", "-=", "*="],
    &["true", "false"],
    &["int", "unsigned", "short", "char"],
    &["assert", "assume"],
];

/// Pieces (blanks among them) to either side of a name among which another is chosen for it.
const NEARBY: usize = 60;

const NUMBERS: [&str; 10] = ["0", "1", "2", "3", "4", "7", "8", "15", "100", "255"];

/// Words that are no names; they stay as they are.
const WORDS: &str = " int unsigned short char long void struct enum union typedef static const \
    bool text symbol shared rules control choicep pchoice overflow negation constant undef \
    result start start_thread end_thread fork atomic_begin atomic_end DEFAULT_INT_BITS sgnint \
    signed return while for if else do switch case default break continue goto extern volatile \
    decl begin end then elsif fi od skip call assume assert enforce constrain schoose dead print T F A E abortif \
    main init module define initial target weights relation boolean minpath affine modulo thread \
    atomic lock unlock nondet true false include ifdef ifndef endif elif undef defined pragma line \
    pthread_create pthread_join pthread_t pthread_mutex_t pthread_mutex_lock _Atomic sizeof \
    pthread_mutex_unlock h stdio stdlib pthread fail error bits globals check states pop push \
    swap to accepting edges ";

/// Small numbers that follow from a seed (xorshift, Marsaglia 2003).
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

/// The pieces of a text: comments, words, numbers, operators of two signs, single signs, and what
/// braces enclose if it has no further sign (variables of Boolean programs).
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(end) = enclosed(rest) {
            end
        } else if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if KINDS
            .iter()
            .flat_map(|kind| *kind)
            .any(|op| op.len() == 2 && rest.starts_with(op))
        {
            2
        } else {
            first.len_utf8()
        };
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

/// Where `{one}` or `{a == 0}` ends, if the text begins with such a thing.
fn enclosed(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('{')?;
    let length = inside.find(['{', '}', ';', ',', '\n'])?;
    inside[length..].starts_with('}').then_some(length + 2)
}

fn is_number(piece: &str) -> bool {
    piece.bytes().all(|b| b.is_ascii_digit())
}

fn is_name(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !WORDS.contains(&format!(" {piece} "))
}

/// One or two such changes; `None` if the text is no UTF-8 or offers nothing to change.
pub fn gently(data: &[u8], seed: u32) -> Option<String> {
    let mut text = std::str::from_utf8(data).ok()?.to_string();
    let mut draws = Draws(u64::from(seed) << 16 | 0x9E37);
    for _ in 0..1 + draws.below(2) {
        text = match draws.below(8) {
            0 => lines(&text, &mut draws)?,
            _ => piece(&text, &mut draws)?,
        };
    }
    Some(text)
}

/// Another piece of the same kind in the place of one.
fn piece(text: &str, draws: &mut Draws) -> Option<String> {
    let mut pieces = pieces(text);
    let kind_of = |piece: &str| KINDS.iter().find(|kind| kind.contains(&piece));
    let is_blank = |k: usize| pieces.get(k).is_some_and(|piece| piece.trim().is_empty());
    // `a - b`, but neither `-b` nor `<p, a>`.
    let stands_alone = |k: usize| k > 0 && is_blank(k - 1) && is_blank(k + 1);
    let is_sign = |piece: &str| piece.len() == 1 && !piece.starts_with(char::is_alphanumeric);
    // Where a name comes first it is mostly declared, and stays.
    let mut seen = HashSet::new();
    let comes_first: Vec<bool> = pieces.iter().map(|piece| seen.insert(*piece)).collect();
    let can_change = |k: &usize| {
        let piece = pieces[*k];
        let known = kind_of(piece).is_some() && (!is_sign(piece) || stands_alone(*k));
        is_number(piece) || is_name(piece) && !comes_first[*k] || known
    };
    let places: Vec<usize> = (0..pieces.len()).filter(can_change).collect();
    let place = *places.get(draws.below(places.len()))?;
    let old = pieces[place];
    pieces[place] = if is_number(old) {
        NUMBERS[draws.below(NUMBERS.len())]
    } else if let Some(kind) = kind_of(old) {
        kind[draws.below(kind.len())]
    } else {
        // A name nearby, so mostly one that is known here, that stands before the same kind of
        // sign: a procedure's, a label's, another.
        let before = |k: usize| {
            let next = pieces[k + 1..].iter().find(|piece| !piece.trim().is_empty());
            next.filter(|piece| ["(", ":", "["].contains(piece)).copied()
        };
        let alike = |k: &usize| is_name(pieces[*k]) && before(*k) == before(place);
        let nearby = place.saturating_sub(NEARBY)..pieces.len().min(place + NEARBY);
        let names: Vec<usize> = nearby.filter(alike).collect();
        pieces[names[draws.below(names.len())]]
    };
    Some(pieces.concat())
}

/// A line that is a statement is doubled, left out, or exchanged with another.
fn lines(text: &str, draws: &mut Draws) -> Option<String> {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let ends = |line: &str| line.trim_end().ends_with(';') || line.starts_with('<');
    let places: Vec<usize> = (0..lines.len()).filter(|k| ends(lines[*k])).collect();
    let place = *places.get(draws.below(places.len()))?;
    let other = places[draws.below(places.len())];
    match draws.below(3) {
        0 => lines.insert(place, lines[place]),
        1 => drop(lines.remove(place)),
        _ => lines.swap(place, other),
    }
    Some(lines.concat())
}
