//! Numbers and characters.

use super::Parser;
use super::c_types::OTHER_FLOATING;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::floating;
use crate::lang::model::Span;
use crate::lang::syntax::{ExprKind, Spelling, TypeName};
use crate::wire::options::DataModel;

/// The number that an annotation spells.
pub(crate) fn number_of(spelt: &str, span: Span, diagnostics: &mut Diagnostics) -> ExprKind {
    Parser::new(spelt, &[], diagnostics).number(spelt, span)
}

/// The character that an annotation spells, between quotes.
pub(crate) fn character_of(spelt: &str, span: Span, diagnostics: &mut Diagnostics) -> ExprKind {
    Parser::new(spelt, &[], diagnostics).character(spelt, span)
}

impl Parser<'_> {
    #[inline(never)]
    pub(super) fn number(&mut self, spelt: &str, span: Span) -> ExprKind {
        let text = spelt.to_ascii_lowercase();
        let hexadecimal = text.starts_with("0x");
        let digits_end = text.rfind(|c: char| !(c == 'u' || c == 'l')).map_or(0, |i| i + 1);
        let (body, suffix) = text.split_at(digits_end);
        let (digits, radix) = match body {
            b if hexadecimal => (&b[2..], 16),
            b if b.starts_with("0b") => (&b[2..], 2),
            b if b.len() > 1 && b.starts_with('0') => (&b[1..], 8),
            b => (b, 10),
        };
        if self.c && matches!(radix, 8 | 10) && digits.contains('e') {
            return self.floating(spelt, span);
        }
        let longs = suffix.matches('l').count();
        let spelled = suffix.matches('u').count() <= 1 && longs <= 2;
        if digits.is_empty() || !spelled || !digits.chars().all(|c| c.is_digit(radix)) {
            self.diagnostics.syntax_error(
                span,
                format!("`{}` is not a number", shown(spelt)),
                "write it like 12, 0x1F or 12u",
            );
            return ExprKind::Poisoned;
        }
        match u64::from_str_radix(digits, radix) {
            Ok(value) => ExprKind::Number(
                value,
                Spelling {
                    unsigned: suffix.contains('u'),
                    long: longs > 1 || (longs == 1 && self.model == DataModel::Lp64),
                    pattern: radix != 10,
                    computed: false,
                },
            ),
            Err(_) => {
                self.diagnostics.syntax_error(
                    span,
                    format!("{} needs more than 64 bits", shown(spelt)),
                    "integers have at most 64 bits",
                );
                ExprKind::Poisoned
            }
        }
    }

    /// A literal of floating point.
    #[inline(never)]
    pub(super) fn floating(&mut self, text: &str, span: Span) -> ExprKind {
        match floating::literal(text) {
            Some((bits, width)) => ExprKind::Exactly(bits, TypeName::Floating { width }),
            None if text.ends_with(['l', 'L']) => {
                self.refuse(OTHER_FLOATING, span, "write a `double`");
                ExprKind::Poisoned
            }
            None => {
                self.diagnostics.syntax_error(
                    span,
                    format!("`{}` is not a number that a `double` holds", shown(text)),
                    "write it like 1.5, 2e-3 or 0x1.8p3",
                );
                ExprKind::Poisoned
            }
        }
    }

    #[inline(never)]
    pub(super) fn character(&mut self, text: &str, span: Span) -> ExprKind {
        let inner = &text[1..text.len() - 1];
        let value = match characters(inner).as_deref() {
            Some([character]) => Some(u64::from(*character)),
            _ => None,
        };
        match value {
            Some(value) => ExprKind::Number(value, Spelling::default()),
            None => {
                self.diagnostics.syntax_error(
                    span,
                    format!("{} is not a character", shown(text)),
                    "write one like 'a' or '\\n'",
                );
                ExprKind::Poisoned
            }
        }
    }
}

/// The characters between quotes, with escapes replaced (C11 6.4.4.4); `None` if one is not ASCII
/// or an escape is none of C's.
pub(super) fn characters(mut text: &str) -> Option<Vec<u8>> {
    let mut characters = Vec::with_capacity(text.len());
    while let Some(first) = text.chars().next() {
        let (value, length) = match (first, text.as_bytes().get(1)) {
            ('\\', kind) => escape(*kind?, &text[1..])?,
            (c, _) => (u32::from(c), 1),
        };
        characters.push(u8::try_from(value).ok().filter(u8::is_ascii)?);
        text = &text[length..];
    }
    Some(characters)
}

/// The value and the length, the backslash included, of an escape. `text` begins behind the
/// backslash, with the character `kind`.
fn escape(kind: u8, text: &str) -> Option<(u32, usize)> {
    let number = |digits: &str, radix, before| {
        Some((u32::from_str_radix(digits, radix).ok()?, before + digits.len()))
    };
    let leading = |text: &str, most: usize, fits: fn(&u8) -> bool| {
        text.bytes().take(most).take_while(fits).count()
    };
    let value = match kind {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'\\' | b'\'' | b'"' | b'?' => u32::from(kind),
        b'0'..=b'7' => {
            let length = leading(text, 3, |byte| matches!(byte, b'0'..=b'7'));
            return number(&text[..length], 8, 1);
        }
        b'x' => {
            let length = leading(&text[1..], usize::MAX, u8::is_ascii_hexdigit);
            return number(&text[1..=length], 16, 2);
        }
        _ => return None,
    };
    Some((value, 2))
}

/// At most 40 characters of a text, for messages.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::characters;

    #[test]
    fn escapes_are_those_of_c() {
        assert_eq!(characters(r#"a\n\0\101\x4a\'\"\\b"#), Some(b"a\n\0AJ'\"\\b".to_vec()));
        assert_eq!(characters(r"\0012"), Some(b"\x012".to_vec()));
        assert_eq!(characters(""), Some(Vec::new()));
        for refused in [r"\q", r"\x", r"\xff", r"\777", "ü", "\\"] {
            assert_eq!(characters(refused), None, "{refused}");
        }
    }
}
