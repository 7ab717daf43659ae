//! Expressions. An explicit stack of operators handles precedence, so that a level of nesting costs
//! few stack frames. Code that needs room on the stack is kept out of the functions that every
//! level calls (`inline(never)`).

use super::{MOST_EXPRESSION_DEPTH, Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::message::{Message, are, at_line};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, PointedType, UnaryOp, join};

/// The operator, and how tightly it binds.
fn binary_operator(token: Token) -> Option<(BinaryOp, u8)> {
    Some(match token {
        Token::OrOr => (BinaryOp::LogicalOr, 1),
        Token::AndAnd => (BinaryOp::LogicalAnd, 2),
        Token::Or => (BinaryOp::BitOr, 3),
        Token::Xor => (BinaryOp::BitXor, 4),
        Token::And => (BinaryOp::BitAnd, 5),
        Token::Equal => (BinaryOp::Equal, 6),
        Token::NotEqual => (BinaryOp::NotEqual, 6),
        Token::Less => (BinaryOp::Less, 7),
        Token::LessEqual => (BinaryOp::LessEqual, 7),
        Token::Greater => (BinaryOp::Greater, 7),
        Token::GreaterEqual => (BinaryOp::GreaterEqual, 7),
        Token::ShiftLeft => (BinaryOp::ShiftLeft, 8),
        Token::ShiftRight => (BinaryOp::ShiftRight, 8),
        Token::Plus => (BinaryOp::Add, 9),
        Token::Minus => (BinaryOp::Subtract, 9),
        Token::Star => (BinaryOp::Multiply, 10),
        Token::Slash => (BinaryOp::Divide, 10),
        Token::Percent => (BinaryOp::Remainder, 10),
        _ => return None,
    })
}

/// Plain `=` is `Some(None)`.
fn assignment_operator(token: Token) -> Option<Option<BinaryOp>> {
    Some(match token {
        Token::Assign => None,
        Token::PlusAssign => Some(BinaryOp::Add),
        Token::MinusAssign => Some(BinaryOp::Subtract),
        Token::StarAssign => Some(BinaryOp::Multiply),
        Token::SlashAssign => Some(BinaryOp::Divide),
        Token::PercentAssign => Some(BinaryOp::Remainder),
        Token::ShiftLeftAssign => Some(BinaryOp::ShiftLeft),
        Token::ShiftRightAssign => Some(BinaryOp::ShiftRight),
        Token::AndAssign => Some(BinaryOp::BitAnd),
        Token::OrAssign => Some(BinaryOp::BitOr),
        Token::XorAssign => Some(BinaryOp::BitXor),
        _ => return None,
    })
}

pub(super) fn leaf(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span, depth: 1 }
}

impl Parser<'_> {
    /// Reads an expression, perhaps with commas at the top.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let first = self.assignment()?;
        if self.peek() == Token::Comma { self.comma(first) } else { Ok(first) }
    }

    #[inline(never)]
    fn comma(&mut self, first: Expr) -> Parsed<Expr> {
        let mut span = first.span;
        let mut depth = first.depth;
        let mut list = vec![first];
        while self.eat(Token::Comma) {
            let next = self.assignment()?;
            span = join(span, next.span);
            depth = depth.max(next.depth);
            list.push(next);
        }
        self.node(ExprKind::Comma(list), span, depth)
    }

    /// Reads an expression without commas at the top.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        let left = self.conditional()?;
        match assignment_operator(self.peek()) {
            Some(operator) => self.assigned(operator, left),
            None => Ok(left),
        }
    }

    #[inline(never)]
    fn assigned(&mut self, operator: Option<BinaryOp>, left: Expr) -> Parsed<Expr> {
        self.bump();
        let right = self.nested(Self::assignment)?;
        let span = join(left.span, right.span);
        let depth = left.depth.max(right.depth);
        self.node(ExprKind::Assign(operator, Box::new(left), Box::new(right)), span, depth)
    }

    /// Reads `c ? a : b`, or an expression whose operators bind tighter.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let condition = self.binary()?;
        if self.eat(Token::Question) { self.alternatives(condition) } else { Ok(condition) }
    }

    #[inline(never)]
    fn alternatives(&mut self, condition: Expr) -> Parsed<Expr> {
        if self.c && self.peek() == Token::Colon {
            return self.otherwise(condition);
        }
        let then = self.nested(Self::expression)?;
        self.expect(Token::Colon, "`:`")?;
        let otherwise = self.nested(Self::conditional)?;
        let span = join(condition.span, otherwise.span);
        let depth = condition.depth.max(then.depth).max(otherwise.depth);
        self.node(ExprKind::Conditional(Box::new([condition, then, otherwise])), span, depth)
    }

    /// GNU's `a ?: b`, which evaluates `a` once.
    #[inline(never)]
    fn otherwise(&mut self, value: Expr) -> Parsed<Expr> {
        self.bump();
        let otherwise = self.nested(Self::conditional)?;
        let span = join(value.span, otherwise.span);
        let depth = value.depth.max(otherwise.depth);
        self.node(ExprKind::Otherwise(Box::new([value, otherwise])), span, depth)
    }

    fn binary(&mut self) -> Parsed<Expr> {
        let left = self.unary()?;
        if binary_operator(self.peek()).is_none() { Ok(left) } else { self.operators(left) }
    }

    #[inline(never)]
    fn operators(&mut self, first: Expr) -> Parsed<Expr> {
        let mut left = first;
        // Left operands that wait for a tighter operator on their right; at most one per
        // precedence.
        let mut waiting: Vec<(Expr, BinaryOp, u8)> = Vec::new();
        while let Some((operator, binding)) = binary_operator(self.peek()) {
            self.bump();
            while waiting.last().is_some_and(|w| w.2 >= binding) {
                left = self.reduce(&mut waiting, left)?;
            }
            waiting.push((left, operator, binding));
            left = self.unary()?;
        }
        while !waiting.is_empty() {
            left = self.reduce(&mut waiting, left)?;
        }
        Ok(left)
    }

    #[inline(never)]
    fn reduce(&mut self, waiting: &mut Vec<(Expr, BinaryOp, u8)>, right: Expr) -> Parsed<Expr> {
        let Some((left, operator, _)) = waiting.pop() else { return Ok(right) };
        let span = join(left.span, right.span);
        let depth = left.depth.max(right.depth);
        self.node(ExprKind::Binary(operator, Box::new(left), Box::new(right)), span, depth)
    }

    /// Makes an inner node over children of this depth. The depth is capped.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span, depth: u16) -> Parsed<Expr> {
        if depth >= MOST_EXPRESSION_DEPTH {
            self.give_up(
                Message::from(at_line(&format!(
                    "this expression chains more than {MOST_EXPRESSION_DEPTH} operators"
                ))),
                "split it into several assignments",
            );
            return Err(Recover);
        }
        Ok(Expr { kind, span, depth: depth + 1 })
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        match self.peek() {
            Token::Plus | Token::Minus | Token::Tilde | Token::Not => self.signed(),
            Token::Increment | Token::Decrement => self.prefix_step(),
            Token::Star => self.star(),
            Token::And => self.address(),
            Token::Question if !self.c => Ok(leaf(ExprKind::Choice, self.bump().span)),
            Token::OpenParen if self.type_starts_at(1) => self.cast(),
            Token::Identifier if self.c && self.word_at(0) == "__extension__" => {
                self.bump();
                self.nested(Self::unary)
            }
            _ => self.postfix(),
        }
    }

    #[inline(never)]
    fn signed(&mut self) -> Parsed<Expr> {
        let lexeme = self.bump();
        let operator = match lexeme.token {
            Token::Plus => UnaryOp::Plus,
            Token::Minus => UnaryOp::Minus,
            Token::Tilde => UnaryOp::Tilde,
            _ => UnaryOp::Not,
        };
        let operand = self.nested(Self::unary)?;
        let (span, depth) = (join(lexeme.span, operand.span), operand.depth);
        self.node(ExprKind::Unary(operator, Box::new(operand)), span, depth)
    }

    #[inline(never)]
    fn prefix_step(&mut self) -> Parsed<Expr> {
        let lexeme = self.bump();
        let up = lexeme.token == Token::Increment;
        let place = self.nested(Self::unary)?;
        let (span, depth) = (join(lexeme.span, place.span), place.depth);
        self.node(ExprKind::Step { up, prefix: true, place: Box::new(place) }, span, depth)
    }

    #[inline(never)]
    fn address(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        if self.c {
            let operand = self.nested(Self::unary)?;
            let (span, depth) = (join(start, operand.span), operand.depth);
            return self.node(ExprKind::Address(Box::new(operand)), span, depth);
        }
        self.refuse(
            are("pointers").of_memory(),
            start,
            "`&` takes an address; pass values, or use a global",
        );
        self.nested(Self::unary)?;
        Ok(leaf(ExprKind::Poisoned, start))
    }

    /// `*` in place of an operand. It is a choice if no pointer follows.
    #[inline(never)]
    fn star(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        if self.c {
            let operand = self.nested(Self::unary)?;
            let (span, depth) = (join(start, operand.span), operand.depth);
            return self.node(ExprKind::Indirect(Box::new(operand)), span, depth);
        }
        match self.peek() {
            Token::Identifier
            | Token::Number
            | Token::OpenParen
            | Token::Star
            | Token::And
            | Token::Increment
            | Token::Decrement => {
                self.refuse(
                    are("pointers").of_memory(),
                    start,
                    "`*p` reads through a pointer; use a variable or an array",
                );
                self.nested(Self::unary)?;
                Ok(leaf(ExprKind::Poisoned, start))
            }
            _ => Ok(leaf(ExprKind::Choice, start)),
        }
    }

    #[inline(never)]
    fn cast(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        if self.c {
            return self.c_cast(start);
        }
        let specifiers = self.specifiers()?;
        let pointer = self.pointer_stars();
        self.expect(Token::CloseParen, "`)`")?;
        let operand = self.nested(Self::unary)?;
        let (span, depth) = (join(start, operand.span), operand.depth);
        let kind = if pointer {
            ExprKind::Poisoned
        } else {
            ExprKind::Cast(specifiers.type_name, Box::new(operand))
        };
        self.node(kind, span, depth)
    }

    #[inline(never)]
    fn c_cast(&mut self, start: Span) -> Parsed<Expr> {
        let (type_name, pointers, dimensions) = self.type_in_parentheses()?;
        self.expect(Token::CloseParen, "`)`")?;
        if self.peek() == Token::OpenBrace {
            return self.braced_value(start, type_name, pointers, dimensions);
        }
        let operand = self.nested(Self::unary)?;
        let (span, depth) = (join(start, operand.span), operand.depth);
        let kind = match pointers > 0 || !dimensions.is_empty() {
            true => {
                let other = !dimensions.is_empty() || self.procedure_type;
                let to = PointedType { type_name, pointers, other };
                ExprKind::PointerCast(to, Box::new(operand))
            }
            false => ExprKind::Cast(type_name, Box::new(operand)),
        };
        self.node(kind, span, depth)
    }
}
