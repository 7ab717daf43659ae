//! A statement's source as one tidy line.

use crate::lang::model::Span;

/// Longer texts are cut.
const MOST_CHARACTERS: usize = 160;

/// The source of a place, without comments, on one line.
pub(in crate::lang) fn tidy_at(source: &str, span: Span) -> String {
    tidy(source.get(span.start as usize..span.end as usize).unwrap_or_default())
}

/// This piece of source, without comments, on one line.
fn tidy(source: &str) -> String {
    let mut text = String::new();
    let mut gap = false;
    let mut characters = 0;
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            gap = true;
            continue;
        }
        if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
            gap = true;
            continue;
        }
        rest = &rest[next.len_utf8()..];
        if next.is_whitespace() {
            gap = true;
            continue;
        }
        if gap && !text.is_empty() {
            text.push(' ');
        }
        gap = false;
        text.push(next);
        characters += 1;
        if characters >= MOST_CHARACTERS {
            text.push('…');
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn one_line_without_comments() {
        assert_eq!(tidy("x  =\n /* two */ y // z\n + 1"), "x = y + 1");
        assert!(tidy(&"x".repeat(1000)).chars().count() < 200);
    }
}
