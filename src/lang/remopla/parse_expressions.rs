//! Expressions, by operator strength.

use super::lexer::Token;
use super::parser::Parser;
use super::syntax::*;
use crate::lang::message::{Message, are, at_line, is};
use crate::lang::parser::MOST_EXPRESSION_DEPTH;
use crate::lang::reading::cursor::{Parsed, Recover};
use crate::lang::syntax::join;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| parser.operators(0))
    }

    /// Does a quantifier start here: `A` or `E`, a name and `(`?
    pub(super) fn quantifier_starts(&self) -> bool {
        self.peek() == Token::Identifier
            && matches!(self.word_at(0), "A" | "E")
            && self.peek_at(1) == Token::Identifier
            && self.peek_at(2) == Token::OpenParen
    }

    /// `i (low,high)`.
    pub(super) fn range(&mut self) -> Parsed<Range> {
        let name = self.name("a variable")?;
        self.expect(Token::OpenParen, "`(`")?;
        let low = self.expression()?;
        self.expect(Token::Comma, "`,`")?;
        let high = self.expression()?;
        self.expect(Token::CloseParen, "`)`")?;
        Ok(Range { name, low, high })
    }

    fn operators(&mut self, strength: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some((op, own)) = binary_operator(self.peek()).filter(|(_, own)| *own >= strength)
        {
            self.bump();
            let right = self.operators(own + 1)?;
            let span = join(left.span, right.span);
            let depth = self.deeper(left.depth.max(right.depth))?;
            left =
                Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span, depth };
        }
        Ok(left)
    }

    fn deeper(&mut self, depth: u16) -> Parsed<u16> {
        if depth >= MOST_EXPRESSION_DEPTH {
            self.give_up(
                Message::from(at_line(&format!(
                    "an expression deeper than {MOST_EXPRESSION_DEPTH} operators"
                ))),
                "split it",
            );
            return Err(Recover);
        }
        Ok(depth + 1)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let op = match self.peek() {
            Token::Not => UnaryOp::Not,
            Token::Tilde => UnaryOp::Tilde,
            Token::Minus => UnaryOp::Minus,
            _ if self.quantifier_starts() => return self.quantified(),
            _ => return self.postfix(),
        };
        self.bump();
        let inner = self.nested(Self::unary)?;
        let span = join(start, inner.span);
        let depth = self.deeper(inner.depth)?;
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(inner)), span, depth })
    }

    #[inline(never)]
    fn quantified(&mut self) -> Parsed<Expr> {
        let start = self.bump();
        let all = self.text(start) == "A";
        let range = Box::new(self.range()?);
        let body = self.expression()?;
        let span = join(start, body.span);
        let depth = self.deeper(body.depth.max(range.low.depth).max(range.high.depth))?;
        Ok(Expr { kind: ExprKind::Quantified { all, range, body: Box::new(body) }, span, depth })
    }

    /// Reads a place or a leaf, with its indices, fields and ticks.
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let mut e = self.leaf()?;
        loop {
            let kind: fn(Box<Expr>) -> ExprKind = match self.peek() {
                Token::OpenBracket => {
                    self.bump();
                    let index = self.expression()?;
                    let close = self.expect(Token::CloseBracket, "`]`")?;
                    let span = join(e.span, close);
                    let depth = self.deeper(e.depth.max(index.depth))?;
                    e = Expr { kind: ExprKind::Index(Box::new(e), Box::new(index)), span, depth };
                    continue;
                }
                Token::Dot => {
                    self.bump();
                    let field = self.name("a field")?;
                    let span = join(e.span, field.span);
                    let depth = self.deeper(e.depth)?;
                    e = Expr { kind: ExprKind::Field(Box::new(e), field), span, depth };
                    continue;
                }
                Token::Tick => ExprKind::Ticked,
                _ => return Ok(e),
            };
            let span = join(e.span, self.bump());
            let depth = self.deeper(e.depth)?;
            e = Expr { kind: kind(Box::new(e)), span, depth };
        }
    }

    fn leaf(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.peek() {
            Token::OpenParen => {
                self.bump();
                let inner = self.expression()?;
                let close = self.expect(Token::CloseParen, "`)`")?;
                return Ok(Expr { span: join(span, close), ..inner });
            }
            Token::Number => ExprKind::Number(self.number()?),
            Token::True => ExprKind::Truth(true),
            Token::False => ExprKind::Truth(false),
            Token::Undef => ExprKind::Undef,
            Token::Identifier => {
                let name = self.text(span).to_string();
                if self.peek_at(1) == Token::OpenParen {
                    self.refuse(
                        is("a call inside an expression"),
                        span,
                        "call it before: `t = f(x);`",
                    );
                    self.bump();
                    self.bump();
                    self.list(Self::expression)?;
                    return Ok(Expr { kind: ExprKind::Number(0), span, depth: 1 });
                }
                ExprKind::Name(name)
            }
            Token::Float => {
                self.refuse(are("probabilities and floating point"), span, "use an integer");
                ExprKind::Number(0)
            }
            _ => {
                self.unexpected("an expression", "");
                return Err(Recover);
            }
        };
        self.bump();
        Ok(Expr { kind, span, depth: 1 })
    }

    /// The value of the current token.
    fn number(&mut self) -> Parsed<u64> {
        let span = self.span();
        let text = self.text(span);
        let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse::<u64>(),
        };
        parsed.map_err(|_| {
            let shown: String = text.chars().take(40).collect();
            self.diagnostics.syntax_error(
                span,
                format!("`{shown}` is not a number"),
                "numbers here are decimal, or start with 0x",
            );
            self.bump();
            Recover
        })
    }

    /// Reads parts with commas between them, up to and including the `)`.
    pub(super) fn list<R>(&mut self, part: impl Fn(&mut Self) -> Parsed<R>) -> Parsed<Vec<R>> {
        let mut list = Vec::new();
        if self.eat(Token::CloseParen) {
            return Ok(list);
        }
        loop {
            list.push(part(self)?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseParen, "`)`")?;
        Ok(list)
    }
}

fn binary_operator(token: Token) -> Option<(BinaryOp, u8)> {
    use BinaryOp::*;
    Some(match token {
        Token::OrOr => (Or, 1),
        Token::XorXor => (LogicalXor, 2),
        Token::AndAnd => (And, 3),
        Token::Or => (BitOr, 4),
        Token::Xor => (BitXor, 5),
        Token::And => (BitAnd, 6),
        Token::Equal => (Equal, 7),
        Token::NotEqual => (NotEqual, 7),
        Token::Less => (Less, 8),
        Token::LessEqual => (LessEqual, 8),
        Token::Greater => (Greater, 8),
        Token::GreaterEqual => (GreaterEqual, 8),
        Token::ShiftLeft => (ShiftLeft, 9),
        Token::ShiftRight => (ShiftRight, 9),
        Token::Plus => (Add, 10),
        Token::Minus => (Subtract, 10),
        Token::Star => (Multiply, 11),
        Token::Slash => (Divide, 11),
        Token::Percent => (Remainder, 11),
        _ => return None,
    })
}
