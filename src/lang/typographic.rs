//! Characters that word processors and web pages put into programs: typographic quotes, spaces that
//! do not break a line, dashes, wide signs.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::lines::Lines;

/// A text with such characters outside of strings and comments.
pub(super) struct Typographic {
    /// Byte of each character, the character, and what C writes for it.
    found: Vec<(usize, char, &'static str)>,
}

/// Looks for such characters. `None` if there are none. Linear.
pub(super) fn typographic(source: &str) -> Option<Typographic> {
    let mut found = Vec::new();
    if !source.chars().any(|c| plain(c).is_some()) {
        return None;
    }
    let mut rest = source.trim_start_matches('\u{feff}');
    while let Some(first) = rest.chars().next() {
        let at = source.len() - rest.len();
        let line = rest.split('\n').next().unwrap_or_default();
        let mut length = first.len_utf8();
        if rest.starts_with("//") {
            length = line.len();
        } else if rest.starts_with("/*") {
            length = rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if let '"' | '\'' = first {
            length = closed(line, first).unwrap_or(1);
        } else if let Some(sign) = plain(first) {
            found.push((at, first, sign));
            // What a string holds stays as it is.
            let ends = |c: char| c == '"' || plain(c) == Some("\"");
            if sign == "\""
                && let Some(end) = line[length..].find(ends)
            {
                length += end;
                let end = rest[length..].chars().next().unwrap_or('"');
                if end != '"' {
                    found.push((at + length, end, "\""));
                }
                length += end.len_utf8();
            }
        }
        rest = &rest[length..];
    }
    (!found.is_empty()).then_some(Typographic { found })
}

impl Typographic {
    /// The text with what C writes, and with blanks that keep all other places.
    pub(super) fn aligned(&self, source: &str) -> String {
        let mut opens = [true; 2];
        self.replaced(source, 0, source.len(), |c, sign| {
            let blanks = " ".repeat(c.len_utf8().saturating_sub(sign.len()));
            // The blanks are outside of the string.
            let before = match sign {
                "\"" => turn(&mut opens[0]),
                "'" => turn(&mut opens[1]),
                _ => false,
            };
            if before { blanks + sign } else { sign.to_string() + &blanks }
        })
    }

    /// Reports all of them at once, with an edit that replaces all.
    pub(super) fn report(&self, source: &str, diagnostics: &mut Diagnostics) {
        let (Some((start, first, _)), Some((last, end, _))) =
            (self.found.first().copied(), self.found.last().copied())
        else {
            return;
        };
        let end = last + end.len_utf8();
        let mut kinds: Vec<(&str, &str, usize)> = Vec::new();
        for (_, _, sign) in &self.found {
            let (one, several) = match *sign {
                "\"" | "'" => ("typographic quote", "typographic quotes"),
                " " => ("no-break space", "no-break spaces"),
                "" => ("invisible character", "invisible characters"),
                "-" | "..." => ("typographic dash", "typographic dashes"),
                _ => ("wide sign", "wide signs"),
            };
            match kinds.iter_mut().find(|(known, ..)| *known == one) {
                Some((.., count)) => *count += 1,
                None => kinds.push((one, several, 1)),
            }
        }
        let counted = kinds.iter().map(|(one, several, count)| match count {
            1 => format!("1 {one}"),
            n => format!("{n} {several}"),
        });
        let counted = counted.collect::<Vec<_>>().join(", ");
        let message = format!("the text has {counted}: C does not read them");
        let span = Lines::new(source).span(start, start + first.len_utf8());
        diagnostics.syntax_error(span, message, "write `\"`, `'`, `-` and plain spaces instead");
        let mut place = Lines::new(source).span(start, end);
        place.line = span.line;
        let new = self.replaced(source, start, end, |_, sign| sign.to_string());
        diagnostics.offer_all(place, &source[start..end], new, self.found.len() as u32);
    }

    fn replaced(
        &self,
        source: &str,
        start: usize,
        end: usize,
        mut write: impl FnMut(char, &'static str) -> String,
    ) -> String {
        let (mut text, mut at) = (String::with_capacity(end - start), start);
        for (place, c, sign) in &self.found {
            text += &source[at..*place];
            text += &write(*c, sign);
            at = place + c.len_utf8();
        }
        text += &source[at..end];
        text
    }
}

/// The value before it is negated.
fn turn(value: &mut bool) -> bool {
    *value = !*value;
    !*value
}

/// The length of the string or character that the line starts with.
fn closed(line: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in line.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// What C writes for a typographic character.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' | '＂' => "\"",
        '‘' | '’' | '‚' | '‛' | '′' | '´' | '＇' => "'",
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => " ",
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => "",
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '－' => "-",
        '…' => "...",
        '\u{37e}' | '；' => ";",
        '，' => ",",
        '：' => ":",
        '（' => "(",
        '）' => ")",
        '［' => "[",
        '］' => "]",
        '｛' => "{",
        '｝' => "}",
        '＝' => "=",
        '＋' => "+",
        '＊' => "*",
        '＜' => "<",
        '＞' => ">",
        '！' => "!",
        '？' => "?",
        '．' => ".",
        '／' => "/",
        '％' => "%",
        '＆' => "&",
        '｜' => "|",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message and the text after the edit.
    fn told(source: &str) -> Option<(String, String)> {
        let found = typographic(source)?;
        let aligned = found.aligned(source);
        assert_eq!(aligned.len(), source.len(), "{aligned}");
        assert!(typographic(&aligned).is_none(), "{aligned}");
        let mut diagnostics = Diagnostics::default();
        found.report(source, &mut diagnostics);
        let said = diagnostics.finish();
        let edit = said[0].edit.clone().expect("all can be replaced");
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        Some((
            said[0].message.clone(),
            format!("{}{}{}", &source[..start], edit.new, &source[end..]),
        ))
    }

    #[test]
    fn all_are_told_at_once() {
        let (message, text) =
            told("int main() {\n\u{a0}\u{a0}puts(“it’s – 1”);\n  int c = ‘a’ − 1；\n}")
                .expect("some");
        assert_eq!(
            message,
            "the text has 2 no-break spaces, 4 typographic quotes, 1 typographic dash, 1 wide sign: C does not read them"
        );
        assert_eq!(text, "int main() {\n  puts(\"it’s – 1\");\n  int c = 'a' - 1;\n}");
        assert_eq!(told("puts(\"a”);").expect("one").1, "puts(\"a\");");
        assert_eq!(told("puts(“a\");").expect("one").1, "puts(\"a\");");
        assert_eq!(told("int x\u{200b};").expect("one").1, "int x;");
    }

    #[test]
    fn strings_and_comments_may_have_them() {
        for source in ["", "// “\n/* – */ char *s = \"“\u{a0}”\"; int c = '–';", "\u{feff}int x;"]
        {
            assert!(told(source).is_none(), "{source}");
        }
    }
}
