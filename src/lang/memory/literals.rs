//! `strtol` and its kin on string literals: the number is known.

use super::build::{binary, expr, number};
use super::lowerer::{Lowered, Lowerer, refuse};
use super::types::{INT, LONG, Type, UNSIGNED_LONG};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, Spelling};
use crate::wire::options::DataModel;

/// Does this procedure make a number of a text?
pub(super) fn makes_number(name: &str) -> bool {
    name.starts_with("strto") && matches!(&name[5..], "l" | "ll" | "ul" | "ull")
        || matches!(name, "atoi" | "atol" | "atoll")
}

/// The digits of a text as a number, with the number of characters that are read. The number is
/// `None` if it is larger than any.
fn read(text: &[u8], base: u32) -> (bool, Option<u64>, usize) {
    let mut at = text.iter().take_while(|c| **c == 32 || (9..=13).contains(*c)).count();
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(negative || text.get(at) == Some(&b'+'));
    let digit = |at: usize, base: u32| text.get(at).and_then(|c| char::from(*c).to_digit(base));
    let is_hex = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && digit(at + 2, 16).is_some();
    let base = match base {
        0 if is_hex => 16,
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    if is_hex && base == 16 {
        at += 2;
    }
    let first = at;
    let mut value = Some(0u64);
    while let Some(found) = digit(at, base) {
        let scaled = value.and_then(|n| n.checked_mul(u64::from(base)));
        value = scaled.and_then(|n| n.checked_add(u64::from(found)));
        at += 1;
    }
    (negative, value, if at == first { 0 } else { at })
}

impl Lowerer<'_> {
    /// A call of such a procedure with a literal; `None` for other calls.
    pub(super) fn number_of_text(
        &mut self,
        name: &str,
        arguments: &[Expr],
        span: Span,
    ) -> Lowered<Option<(Expr, Type)>> {
        if !makes_number(name) {
            return Ok(None);
        }
        let (text, end, base) = match arguments {
            [text] => (text, None, Some(10)),
            [text, end, base] => (text, Some(end), self.constant(base)),
            _ => return refuse(span, format!("`{name}` with these arguments")),
        };
        let ExprKind::Text(literal) = &text.kind else {
            return refuse(span, format!("`{name}` of a text that is no literal"));
        };
        let (Some(characters), Some(base @ (0 | 2..=36))) = (&literal.characters, base) else {
            return refuse(span, format!("`{name}` with these arguments"));
        };
        let until = characters.iter().position(|c| *c == 0).unwrap_or(characters.len());
        let (negative, value, length) = read(&characters[..until], base as u32);
        let signed = !name.starts_with("strtou");
        let value = match (value, signed, negative) {
            (Some(n), true, false) if n <= i64::MAX as u64 => n,
            (Some(n), true, true) if n <= 1 << 63 => n.wrapping_neg(),
            (_, true, false) => i64::MAX as u64,
            (_, true, true) => 1 << 63,
            (Some(n), false, false) => n,
            (Some(n), false, true) => n.wrapping_neg(),
            (None, false, _) => u64::MAX,
        };
        let ty = match (signed, name) {
            (_, "atoi") => INT,
            (true, _) => LONG,
            (false, _) => UNSIGNED_LONG,
        };
        if self.int != 32 || self.model != DataModel::Lp64 || self.file.traits.reads_errno {
            return refuse(span, format!("`{name}` with these options"));
        }
        let value = number(value, ty, span);
        let Some(end) = end.filter(|end| !self.is_zero(end)) else {
            return Ok(Some((value, Type::Scalar(ty))));
        };
        let place = match &end.kind {
            ExprKind::Address(place) => (**place).clone(),
            _ => expr(ExprKind::Indirect(Box::new(end.clone())), end.span),
        };
        let read = expr(ExprKind::Number(length as u64, Spelling::default()), span);
        let rest = binary(BinaryOp::Add, text.clone(), read);
        let (moved, _) = self.assignment(None, &place, &rest, span)?;
        Ok(Some((expr(ExprKind::Comma(vec![moved, value]), span), Type::Scalar(ty))))
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn numbers_are_read_as_in_c() {
        for (text, base, wanted) in [
            ("12345", 10, (false, Some(12345), 5)),
            ("  -42x", 10, (true, Some(42), 5)),
            ("0x2A", 16, (false, Some(42), 4)),
            ("0x2a", 0, (false, Some(42), 4)),
            ("0x", 16, (false, Some(0), 1)),
            ("017", 0, (false, Some(15), 3)),
            ("abc", 10, (false, Some(0), 0)),
            ("18446744073709551616", 10, (false, None, 20)),
        ] {
            assert_eq!(read(text.as_bytes(), base), wanted, "{text}");
        }
    }
}
