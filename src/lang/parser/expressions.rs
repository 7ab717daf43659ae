//! Expressions: precedence by an explicit operator stack, so that a nesting level costs few stack
//! frames; what needs room on the stack is kept out of the functions that every level passes
//! through (`inline(never)`).

use super::{MOST_EXPRESSION_DEPTH, Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, Name, Spelling, UnaryOp, join};

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

/// Deepest nesting of blocks inside expressions.
const MOST_INNER_BLOCKS: u32 = 2;

fn leaf(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span, depth: 1 }
}

impl Parser<'_> {
    /// With commas at the top.
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

    /// Without commas at the top.
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

    /// `c ? a : b` and what binds tighter.
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

    /// GNU's `a ?: b`, which evaluates `a` once: only where that makes no difference.
    #[inline(never)]
    fn otherwise(&mut self, condition: Expr) -> Parsed<Expr> {
        self.bump();
        let otherwise = self.nested(Self::conditional)?;
        let span = join(condition.span, otherwise.span);
        let mut stack = vec![&condition];
        let mut pure = true;
        while let Some(e) = stack.pop() {
            pure &= !matches!(
                e.kind,
                ExprKind::Call(..)
                    | ExprKind::Assign(..)
                    | ExprKind::Step { .. }
                    | ExprKind::Statements(_)
            );
            e.children(&mut stack);
        }
        if !pure {
            self.refuse(
                "`?:` without a middle part after a call or an assignment is",
                span,
                "store the first part in a variable",
            );
            return Ok(leaf(ExprKind::Poisoned, span));
        }
        let depth = condition.depth.max(otherwise.depth);
        self.node(
            ExprKind::Conditional(Box::new([condition.clone(), condition, otherwise])),
            span,
            depth,
        )
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

    /// An inner node over children of this depth; caps it.
    fn node(&mut self, kind: ExprKind, span: Span, depth: u16) -> Parsed<Expr> {
        if depth >= MOST_EXPRESSION_DEPTH {
            self.give_up(
                format!(
                    "this expression chains more than {MOST_EXPRESSION_DEPTH} operators: line {}",
                    span.line
                ),
                "split it into several assignments",
            );
            return Err(Recover);
        }
        Ok(Expr { kind, span, depth: depth + 1 })
    }

    fn unary(&mut self) -> Parsed<Expr> {
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
        self.refuse("pointers are", start, "`&` takes an address; pass values, or use a global");
        self.nested(Self::unary)?;
        Ok(leaf(ExprKind::Poisoned, start))
    }

    /// `*` where an operand is due: a choice if nothing follows that it could point through.
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
                    "pointers are",
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
            self.refuse("a value in braces is", start, "declare a variable with this value");
            self.skip_block();
            return Ok(leaf(ExprKind::Poisoned, start));
        }
        let operand = self.nested(Self::unary)?;
        let (span, depth) = (join(start, operand.span), operand.depth);
        let kind = match pointers > 0 || !dimensions.is_empty() {
            true => ExprKind::PointerCast(Box::new(operand)),
            false => ExprKind::Cast(type_name, Box::new(operand)),
        };
        self.node(kind, span, depth)
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let expression = self.primary()?;
        match self.peek() {
            Token::OpenBracket
            | Token::Increment
            | Token::Decrement
            | Token::Dot
            | Token::Arrow
            | Token::OpenParen => self.suffixes(expression),
            _ => Ok(expression),
        }
    }

    #[inline(never)]
    fn suffixes(&mut self, first: Expr) -> Parsed<Expr> {
        let mut expression = first;
        loop {
            let start = expression.span;
            match self.peek() {
                Token::OpenBracket => {
                    self.bump();
                    let index = self.nested(Self::expression)?;
                    let end = self.expect(Token::CloseBracket, "`]`")?;
                    let depth = expression.depth.max(index.depth);
                    expression = self.node(
                        ExprKind::Index(Box::new(expression), Box::new(index)),
                        join(start, end),
                        depth,
                    )?;
                }
                Token::Increment | Token::Decrement => {
                    let lexeme = self.bump();
                    let up = lexeme.token == Token::Increment;
                    let depth = expression.depth;
                    let kind = ExprKind::Step { up, prefix: false, place: Box::new(expression) };
                    expression = self.node(kind, join(start, lexeme.span), depth)?;
                }
                Token::Dot | Token::Arrow if self.c => {
                    let arrow = self.bump().token == Token::Arrow;
                    let name = self.name("a member's name")?;
                    let depth = expression.depth;
                    let span = join(start, name.span);
                    if arrow {
                        expression =
                            self.node(ExprKind::Indirect(Box::new(expression)), start, depth)?;
                    }
                    let depth = expression.depth;
                    expression =
                        self.node(ExprKind::Member(Box::new(expression), name), span, depth)?;
                }
                Token::Dot | Token::Arrow => {
                    let span = self.span();
                    let what =
                        if self.peek() == Token::Dot { "structs are" } else { "pointers are" };
                    self.refuse(what, span, "use plain variables and arrays");
                    self.bump();
                    self.eat(Token::Identifier);
                    expression = leaf(ExprKind::Poisoned, join(start, self.previous_span()));
                }
                Token::OpenParen => {
                    let span = self.span();
                    self.refuse_whole(
                        "function pointers are",
                        span,
                        "call the procedure by its name",
                    );
                    return Err(Recover);
                }
                _ => return Ok(expression),
            }
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        match self.peek() {
            Token::Number => {
                let text = self.word_at(0);
                self.bump();
                Ok(leaf(self.number(text, span), span))
            }
            Token::Character => {
                let text = self.word_at(0);
                self.bump();
                Ok(leaf(self.character(text, span), span))
            }
            Token::Float => {
                self.bump();
                self.refuse("floating point is", span, "use an integer, scaled if need be");
                Ok(leaf(ExprKind::Poisoned, span))
            }
            Token::Text if self.c => {
                while self.peek() == Token::Text {
                    self.bump();
                }
                Ok(leaf(ExprKind::Text, join(span, self.previous_span())))
            }
            Token::Text => {
                self.bump();
                self.refuse("strings are", span, "use integers, or an array of them");
                Ok(leaf(ExprKind::Poisoned, span))
            }
            Token::OpenParen => self.parentheses(),
            Token::Identifier => self.identifier(span),
            _ => {
                self.unexpected("an expression");
                Err(Recover)
            }
        }
    }

    #[inline(never)]
    fn parentheses(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        if self.c && self.peek() == Token::OpenBrace {
            self.inner_blocks += 1;
            if self.inner_blocks > MOST_INNER_BLOCKS {
                self.give_up(
                    "blocks inside expressions nest too deeply".to_string(),
                    "write procedures instead",
                );
                return Err(Recover);
            }
            let block = self.nested(Self::block);
            self.inner_blocks -= 1;
            let block = block?;
            let end = self.expect(Token::CloseParen, "`)`")?;
            self.has_statement_expressions = true;
            return self.node(ExprKind::Statements(Box::new(block)), join(start, end), 1);
        }
        let mut inner = self.nested(Self::expression)?;
        let end = self.expect(Token::CloseParen, "`)`")?;
        inner.span = join(start, end);
        Ok(inner)
    }

    #[inline(never)]
    fn identifier(&mut self, span: Span) -> Parsed<Expr> {
        let text = self.word_at(0);
        self.bump();
        match text {
            "sizeof" | "_Alignof" | "__alignof__" if self.c => return self.size_of(span),
            "L" | "u8" if self.c && self.peek() == Token::Text => {
                self.bump();
                return Ok(leaf(ExprKind::Text, span));
            }
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" | "__FILE__" if self.c => {
                return Ok(leaf(ExprKind::Text, span));
            }
            "__LINE__" if self.c => {
                return Ok(leaf(ExprKind::Number(u64::from(span.line), Spelling::default()), span));
            }
            _ if self.c => {}
            "true" | "TRUE" if self.peek() != Token::OpenParen => {
                return Ok(leaf(ExprKind::Truth(true), span));
            }
            "false" | "FALSE" if self.peek() != Token::OpenParen => {
                return Ok(leaf(ExprKind::Truth(false), span));
            }
            "sizeof" => {
                self.refuse("`sizeof` is", span, "write the number");
                if self.peek() == Token::OpenParen && self.type_starts_at(1) {
                    self.bump();
                    self.specifiers()?;
                    self.expect(Token::CloseParen, "`)`")?;
                } else {
                    self.nested(Self::unary)?;
                }
                return Ok(leaf(ExprKind::Poisoned, span));
            }
            _ => {}
        }
        if self.peek() != Token::OpenParen {
            return Ok(leaf(ExprKind::Name(text.to_string()), span));
        }
        self.bump();
        let mut arguments = Vec::new();
        let mut depth = 1;
        if self.peek() != Token::CloseParen {
            loop {
                let argument = self.nested(Self::assignment)?;
                depth = depth.max(argument.depth);
                arguments.push(argument);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
        }
        let end = self.expect(Token::CloseParen, "`,` or `)`")?;
        let name = Name { text: text.to_string(), span };
        self.node(ExprKind::Call(name, arguments), join(span, end), depth)
    }

    /// After `sizeof`.
    #[inline(never)]
    fn size_of(&mut self, start: Span) -> Parsed<Expr> {
        if self.peek() == Token::OpenParen && self.type_starts_at(1) {
            self.bump();
            let (type_name, pointers, dimensions) = self.type_in_parentheses()?;
            let end = self.expect(Token::CloseParen, "`)`")?;
            let span = join(start, end);
            if pointers > 0 {
                self.refuse("the size of a pointer is", span, "write the number");
                return Ok(leaf(ExprKind::Poisoned, span));
            }
            return Ok(leaf(ExprKind::SizeOfType(type_name, dimensions), span));
        }
        let operand = self.nested(Self::unary)?;
        let (span, depth) = (join(start, operand.span), operand.depth);
        self.node(ExprKind::SizeOf(Box::new(operand)), span, depth)
    }

    #[inline(never)]
    fn number(&mut self, spelt: &str, span: Span) -> ExprKind {
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
    fn character(&mut self, text: &str, span: Span) -> ExprKind {
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

/// At most 40 characters of it.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}
