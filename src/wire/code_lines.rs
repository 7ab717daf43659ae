//! The words and signs of a text in an unknown language, line by line, without comments and without
//! what strings hold. Enough to tell languages apart.

use std::str::SplitInclusive;

/// One line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLine<'s> {
    /// 1-based.
    pub number: u32,
    /// The byte at which the line's text starts, after its indentation.
    pub start: u32,
    /// The line without the white space around it, comments included.
    pub text: &'s str,
    /// Words (letters, digits, `_`) and signs (one character each). A string or character is its
    /// first quote alone.
    pub words: Vec<&'s str>,
    /// The text after `//!`.
    pub directive: Option<&'s str>,
}

/// Cuts a text into lines of words, in linear time. Comments are those of C. A byte order mark is
/// left out.
pub fn code_lines(source: &str) -> CodeLines<'_> {
    CodeLines { lines: source.split_inclusive('\n'), number: 0, start: 0, in_comment: false }
}

/// What [`code_lines`] gives.
pub struct CodeLines<'s> {
    lines: SplitInclusive<'s, char>,
    number: u32,
    start: u32,
    in_comment: bool,
}

impl<'s> Iterator for CodeLines<'s> {
    type Item = CodeLine<'s>;

    fn next(&mut self) -> Option<CodeLine<'s>> {
        let line = self.lines.next()?;
        self.number += 1;
        let behind = self.start + line.len() as u32;
        let body = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let start = behind - body.len() as u32;
        self.start = behind;
        let text = body.trim_end();
        let mut found =
            CodeLine { number: self.number, start, text, words: Vec::new(), directive: None };
        cut(text, &mut self.in_comment, &mut found);
        Some(found)
    }
}

fn cut<'s>(text: &'s str, in_comment: &mut bool, found: &mut CodeLine<'s>) {
    let mut at = 0;
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        if *in_comment {
            let Some(length) = rest.find("*/") else { return };
            *in_comment = false;
            at += length + 2;
        } else if rest.starts_with("//") {
            found.directive = rest.strip_prefix("//!").map(str::trim);
            return;
        } else if rest.starts_with("/*") {
            *in_comment = true;
            at += 2;
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            found.words.push(&rest[..length]);
            at += length;
        } else if first.is_whitespace() {
            at += first.len_utf8();
        } else {
            found.words.push(&rest[..first.len_utf8()]);
            at += match first {
                '"' | '\'' => quoted(rest, first),
                _ => first.len_utf8(),
            };
        }
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of the string or character that `rest` starts with; 1 if it does not end in this
/// line, or is no character of C.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (inside, (index, c)) in rest.char_indices().skip(1).enumerate() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => {
                let is_one = quote == '"' || inside == 1 || rest[1..].starts_with('\\');
                return if is_one { index + 1 } else { 1 };
            }
            _ => {}
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<Vec<&str>> {
        code_lines(source).map(|line| line.words).collect()
    }

    #[test]
    fn comments_and_strings_say_nothing() {
        assert_eq!(
            words("int x; // decl\n/* a\n b */ y = \"thread // \\\" z\" + 'c' + '\\n'; x' = 1"),
            [
                vec!["int", "x", ";"],
                vec![],
                vec!["y", "=", "\"", "+", "'", "+", "'", ";", "x", "'", "=", "1"]
            ]
        );
        assert_eq!(words("\"open"), [["\"", "open"]]);
        assert_eq!(words("größe<2"), [["größe", "<", "2"]]);
    }

    #[test]
    fn places_count_bytes() {
        let lines: Vec<_> = code_lines("\u{feff}a\n\n  ä b //! bits = 3 \n").collect();
        assert_eq!((lines[0].start, lines[0].text), (3, "a"));
        assert_eq!((lines[2].number, lines[2].start), (3, 8));
        assert_eq!(lines[2].directive, Some("bits = 3"));
    }
}
