//! Numbers and characters.

use super::Parser;
use crate::lang::model::Span;
use crate::lang::syntax::{ExprKind, Spelling};

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
                    long: longs > 0,
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

    #[inline(never)]
    pub(super) fn character(&mut self, text: &str, span: Span) -> ExprKind {
        let inner = &text[1..text.len() - 1];
        let value = match inner.strip_prefix('\\') {
            None => {
                inner.chars().next().filter(|c| inner.len() == 1 && c.is_ascii()).map(|c| c as u64)
            }
            Some("n") => Some(10),
            Some("t") => Some(9),
            Some("r") => Some(13),
            Some("0") => Some(0),
            Some("\\") => Some(92),
            Some("'") => Some(39),
            Some("\"") => Some(34),
            Some(_) => None,
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

/// At most 40 characters of a text, for messages.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}
