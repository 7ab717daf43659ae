//! The value of an `#if`'s condition: integers of 64 bits, macros, `defined`, and C's operators.

use super::macros::Expander;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::{Lexeme, Token};

/// Deepest nesting of parentheses and prefix operators.
const MOST_NESTING: u32 = 64;

/// The value of a condition; `None` if it is not an integer constant expression. A name that is not
/// a macro is 0.
pub(super) fn value(
    tokens: &[Lexeme],
    text: &str,
    expander: &mut Expander,
    diagnostics: &mut Diagnostics,
) -> Option<i128> {
    let spelt = |lexeme: &Lexeme| lexeme.spelt_in(text);
    // `defined` comes before expansion.
    let mut cursor = 0;
    let mut expanded = Vec::new();
    let mut facts = Vec::new();
    while let Some(lexeme) = tokens.get(cursor) {
        if spelt(lexeme) != "defined" {
            let end = tokens[cursor..]
                .iter()
                .position(|l| spelt(l) == "defined")
                .map_or(tokens.len(), |n| cursor + n);
            expander.expand(&tokens[cursor..end], text, &mut expanded, diagnostics);
            cursor = end;
            continue;
        }
        let parenthesised = tokens.get(cursor + 1).is_some_and(|l| l.token == Token::OpenParen);
        let name = tokens.get(cursor + 1 + usize::from(parenthesised))?;
        facts.push((expanded.len(), expander.is_defined(spelt(name))));
        expanded.push(*lexeme);
        cursor += if parenthesised { 4 } else { 2 };
    }
    let mut reader = Reader { tokens: &expanded, facts: &facts, text, position: 0, nesting: 0 };
    let value = reader.conditional()?;
    (reader.position == expanded.len()).then_some(value)
}

struct Reader<'t> {
    tokens: &'t [Lexeme],
    /// The places of `defined`, each with its value.
    facts: &'t [(usize, bool)],
    text: &'t str,
    position: usize,
    nesting: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.position).map(|l| l.token)
    }

    fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == Some(token);
        self.position += usize::from(found);
        found
    }

    fn conditional(&mut self) -> Option<i128> {
        let condition = self.binary(0)?;
        if !self.eat(Token::Question) {
            return Some(condition);
        }
        let then = self.nested(Self::conditional)?;
        if !self.eat(Token::Colon) {
            return None;
        }
        let otherwise = self.nested(Self::conditional)?;
        Some(if condition != 0 { then } else { otherwise })
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Option<i128>) -> Option<i128> {
        self.nesting += 1;
        let value = if self.nesting > MOST_NESTING { None } else { read(self) };
        self.nesting -= 1;
        value
    }

    fn binary(&mut self, least: u8) -> Option<i128> {
        let mut left = self.unary()?;
        while let Some((token, binding)) =
            self.peek().and_then(|t| Some((t, binding(t)?))).filter(|(_, b)| *b > least)
        {
            self.position += 1;
            let right = self.nested(|reader| reader.binary(binding))?;
            left = apply(token, left, right)?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i128> {
        let lexeme = *self.tokens.get(self.position)?;
        self.position += 1;
        match lexeme.token {
            Token::Not => Some(i128::from(self.nested(Self::unary)? == 0)),
            Token::Minus => Some(-self.nested(Self::unary)?),
            Token::Plus => self.nested(Self::unary),
            Token::Tilde => Some(!self.nested(Self::unary)?),
            Token::OpenParen => {
                let value = self.nested(Self::conditional)?;
                self.eat(Token::CloseParen).then_some(value)
            }
            Token::Number => number(lexeme.spelt_in(self.text)),
            Token::Identifier => {
                let fact = self
                    .facts
                    .iter()
                    .find(|(at, _)| *at == self.position - 1)
                    .map(|f| i128::from(f.1));
                Some(fact.unwrap_or(0))
            }
            _ => None,
        }
    }
}

fn number(text: &str) -> Option<i128> {
    let text = text.to_ascii_lowercase();
    let body = text.trim_end_matches(['u', 'l']);
    let value = match body {
        b if b.starts_with("0x") => u64::from_str_radix(&b[2..], 16),
        b if b.starts_with("0b") => u64::from_str_radix(&b[2..], 2),
        b if b.len() > 1 && b.starts_with('0') => u64::from_str_radix(&b[1..], 8),
        b => b.parse(),
    };
    value.ok().map(i128::from)
}

fn binding(token: Token) -> Option<u8> {
    Some(match token {
        Token::OrOr => 1,
        Token::AndAnd => 2,
        Token::Or => 3,
        Token::Xor => 4,
        Token::And => 5,
        Token::Equal | Token::NotEqual => 6,
        Token::Less | Token::LessEqual | Token::Greater | Token::GreaterEqual => 7,
        Token::ShiftLeft | Token::ShiftRight => 8,
        Token::Plus | Token::Minus => 9,
        Token::Star | Token::Slash | Token::Percent => 10,
        _ => return None,
    })
}

fn apply(token: Token, l: i128, r: i128) -> Option<i128> {
    let value = match token {
        Token::OrOr => i128::from(l != 0 || r != 0),
        Token::AndAnd => i128::from(l != 0 && r != 0),
        Token::Or => l | r,
        Token::Xor => l ^ r,
        Token::And => l & r,
        Token::Equal => i128::from(l == r),
        Token::NotEqual => i128::from(l != r),
        Token::Less => i128::from(l < r),
        Token::LessEqual => i128::from(l <= r),
        Token::Greater => i128::from(l > r),
        Token::GreaterEqual => i128::from(l >= r),
        Token::ShiftLeft if (0..64).contains(&r) => l.checked_mul(1i128 << r)?,
        Token::ShiftRight if (0..64).contains(&r) => l >> r,
        Token::Plus => l + r,
        Token::Minus => l - r,
        Token::Star => l.checked_mul(r)?,
        Token::Slash => l.checked_div(r)?,
        Token::Percent => l.checked_rem(r)?,
        _ => return None,
    };
    // Beyond 64 bits the result in C depends on signedness, which is not known here.
    (value.unsigned_abs() < 1 << 64).then_some(value)
}
