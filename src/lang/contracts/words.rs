//! The words and signs of an annotation.

use crate::lang::model::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `requires`, `i`.
    Name,
    /// `\result`.
    Backslash,
    Number,
    Character,
    Sign,
    /// What is none of these.
    Other,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'s> {
    pub(super) kind: Kind,
    pub(super) text: &'s str,
    pub(super) span: Span,
}

/// Longest first.
const SIGNS: [&str; 39] = [
    "<==>", "==>", "...", "..", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "^^", "->", "<",
    ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "?", ":", ";", ",", "(", ")", "[", "]",
    "{", "}", ".", "=", "@",
];

/// Cuts the text of an annotation, which starts at this place of the source.
pub(super) fn words(text: &str, place: Span) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut line = place.line;
    let mut at = 0;
    let span = |from: usize, to: usize, line: u32| Span {
        start: place.start + from as u32,
        end: place.start + to as u32,
        line,
    };
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            line += u32::from(first == '\n');
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = |from: usize| {
            let length: usize =
                rest[from..].chars().take_while(|c| is_word(*c)).map(char::len_utf8).sum();
            from + length
        };
        let (kind, length) = match first {
            '\\' => (Kind::Backslash, word(1)),
            '0'..='9' => (Kind::Number, word(0)),
            '\'' => match character(rest) {
                Some(length) => (Kind::Character, length),
                None => (Kind::Other, 1),
            },
            c if is_word(c) => (Kind::Name, word(0)),
            _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                // In front of the lines of a comment.
                Some(&"@") => {
                    at += 1;
                    continue;
                }
                Some(sign) => (Kind::Sign, sign.len()),
                None => (Kind::Other, first.len_utf8()),
            },
        };
        let text = &rest[..length];
        found.push(Word { kind, text, span: span(at, at + length, line) });
        at += length;
    }
    found.push(Word { kind: Kind::End, text: "", span: span(at, at, line) });
    found
}

/// The length of `'a'` or `'\n'`.
fn character(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\'' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_lines() {
        let place = Span { start: 10, end: 60, line: 3 };
        let found = words("requires 0 .. n-1;\n  @ ensures \\result ==> '\\'';", place);
        let texts: Vec<(&str, u32)> = found.iter().map(|w| (w.text, w.span.line)).collect();
        assert_eq!(
            texts,
            [
                ("requires", 3),
                ("0", 3),
                ("..", 3),
                ("n", 3),
                ("-", 3),
                ("1", 3),
                (";", 3),
                ("ensures", 4),
                ("\\result", 4),
                ("==>", 4),
                ("'\\''", 4),
                (";", 4),
                ("", 4),
            ]
        );
        assert_eq!(found[0].span.start, 10);
    }
}
