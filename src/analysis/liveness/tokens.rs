//! The words and signs of a formula's text.

use super::parser::FormulaError;
use crate::util::names::continues_name;

/// A word, a number or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    /// Bytes of the formula before it.
    pub(super) start: usize,
}

/// All tokens of a formula. Errors: a character that is in none, with its place.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, FormulaError> {
    const SIGNS: [&str; 24] = [
        "<->", "->", "&&", "||", "==", "!=", "<=", ">=", "<>", "[]", "<", ">", "=", "!", "(", ")",
        "[", "]", ".", ":", "+", "-", "*", "%",
    ];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let length = if continues_name(first) {
            rest.find(|c| !continues_name(c)).unwrap_or(rest.len())
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            sign.len()
        } else {
            let message = format!("`{first}` is no part of a formula");
            return Err(FormulaError { message, start: at, end: at + first.len_utf8() });
        };
        found.push(Token { text: &text[at..at + length], start: at });
        at += length;
    }
    Ok(found)
}
