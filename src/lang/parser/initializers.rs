//! Initial values, and lists of them.

use super::expressions::leaf;
use super::{Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::message::is;
use crate::lang::syntax::{ExprKind, Initializer, Spelling, join};

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.peek() != Token::OpenBrace {
            let mut value = self.assignment()?;
            if let ExprKind::Text(text) = &mut value.kind {
                let characters = text.characters.iter().flat_map(|all| all.iter().chain([&0]));
                let number = |c: &u8| ExprKind::Number(u64::from(*c), Spelling::default());
                text.elements = characters.map(|c| leaf(number(c), value.span)).collect();
            }
            return Ok(Initializer::Value(value));
        }
        let start = self.bump().span;
        let mut list = Vec::new();
        while self.peek() != Token::CloseBrace {
            list.push(self.nested(Self::designated)?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        let end = self.expect(Token::CloseBrace, "`,` or `}`")?;
        Ok(Initializer::List(list, join(start, end)))
    }

    /// An entry of a list, in C perhaps `.member = …` or `[index] = …`.
    fn designated(&mut self) -> Parsed<Initializer> {
        if self.c && self.peek() == Token::Dot {
            self.bump();
            let name = self.name("a member's name")?;
            return Ok(Initializer::Member(name, Box::new(self.designated_value()?)));
        }
        if self.c && self.peek() == Token::OpenBracket {
            let start = self.bump().span;
            let index = self.conditional()?;
            if self.peek() == Token::Ellipsis {
                self.refuse_whole(is("a range in a list"), start, "write the values one by one");
                return Err(Recover);
            }
            self.expect(Token::CloseBracket, "`]`")?;
            return Ok(Initializer::At(index, Box::new(self.designated_value()?)));
        }
        self.initializer()
    }

    /// What follows `.member` or `[index]`: a further part of the designator, or `= …`.
    fn designated_value(&mut self) -> Parsed<Initializer> {
        if matches!(self.peek(), Token::Dot | Token::OpenBracket) {
            return self.nested(Self::designated);
        }
        self.expect(Token::Assign, "`=`")?;
        self.initializer()
    }
}
