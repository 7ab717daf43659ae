//! The expressions of `#if`: integers of 64 bits.

use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::token::{Kind, Token};

/// How deep brackets nest.
const DEEPEST: u32 = 100;

/// Is the value of the expression not zero? Macros are expanded; other names are 0.
pub(super) fn holds(list: &[Token], span: Span) -> Result<bool, Mistake> {
    let mut reader = Reader { list, at: 0, span, depth: 0 };
    let value = reader.conditional()?;
    if reader.at < list.len() {
        return Err(reader.wrong());
    }
    Ok(value != 0)
}

struct Reader<'t> {
    list: &'t [Token],
    at: usize,
    span: Span,
    depth: u32,
}

/// The binary operators, by how tightly they bind.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Reader<'_> {
    fn wrong(&self) -> Mistake {
        Mistake::new(MistakeKind::NotConstant, self.span)
    }

    fn takes(&mut self, text: &str) -> bool {
        let found = self.list.get(self.at).is_some_and(|token| token.is(text));
        self.at += usize::from(found);
        found
    }

    fn conditional(&mut self) -> Result<i64, Mistake> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Mistake::new(MistakeKind::TooLarge, self.span));
        }
        let condition = self.binary(0)?;
        let value = if self.takes("?") {
            let then = self.conditional()?;
            if !self.takes(":") {
                return Err(self.wrong());
            }
            let otherwise = self.conditional()?;
            if condition != 0 { then } else { otherwise }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, level: usize) -> Result<i64, Mistake> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators
            .iter()
            .find(|operator| self.list.get(self.at).is_some_and(|token| token.is(operator)))
        {
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = match *operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                "<=" => i64::from(left <= right),
                ">" => i64::from(left > right),
                ">=" => i64::from(left >= right),
                "<<" => left.wrapping_shl(right as u32),
                ">>" => left.wrapping_shr(right as u32),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                "/" => left.checked_div(right).ok_or_else(|| self.wrong())?,
                _ => left.checked_rem(right).ok_or_else(|| self.wrong())?,
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, Mistake> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Mistake::new(MistakeKind::TooLarge, self.span));
        }
        let value = if self.takes("!") {
            i64::from(self.unary()? == 0)
        } else if self.takes("-") {
            self.unary()?.wrapping_neg()
        } else if self.takes("+") {
            self.unary()?
        } else if self.takes("~") {
            !self.unary()?
        } else if self.takes("(") {
            let value = self.conditional()?;
            if !self.takes(")") {
                return Err(self.wrong());
            }
            value
        } else {
            let token = self.list.get(self.at).ok_or_else(|| self.wrong())?;
            self.at += 1;
            match token.kind {
                Kind::Word => 0,
                Kind::Number => {
                    crate::parse::literal::integer(&token.text).ok_or_else(|| self.wrong())?.0
                        as i64
                }
                Kind::Character => {
                    crate::parse::literal::character(&token.text).ok_or_else(|| self.wrong())?
                }
                _ => return Err(self.wrong()),
            }
        };
        self.depth -= 1;
        Ok(value)
    }
}
