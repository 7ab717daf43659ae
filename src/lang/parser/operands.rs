//! Operands: names, calls, numbers, parentheses and what follows them.

use super::expressions::leaf;
use super::literals::characters;
use super::{Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::message::{are, is};
use crate::lang::model::Span;
use crate::lang::syntax::{Expr, ExprKind, Name, PointedType, Spelling, Text, TypeName, join};

/// Deepest nesting of blocks inside expressions.
const MOST_INNER_BLOCKS: u32 = 2;

impl Parser<'_> {
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
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
                    let what = if self.peek() == Token::Dot {
                        are("structs")
                    } else {
                        are("pointers").of_memory()
                    };
                    self.refuse(what, span, "use plain variables and arrays");
                    self.bump();
                    self.eat(Token::Identifier);
                    expression = leaf(ExprKind::Poisoned, join(start, self.previous_span()));
                }
                Token::OpenParen if self.c => {
                    let (arguments, end, depth) = self.arguments()?;
                    let depth = expression.depth.max(depth);
                    let kind = ExprKind::Through(Box::new(expression), arguments);
                    expression = self.node(kind, join(start, end), depth)?;
                }
                Token::OpenParen => {
                    let span = self.span();
                    self.refuse_whole(
                        are("function pointers").of_memory(),
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
            Token::Float if self.c => {
                let text = self.word_at(0);
                self.bump();
                Ok(leaf(self.floating(text, span), span))
            }
            Token::Float => {
                self.bump();
                self.refuse(is("floating point"), span, "use an integer, scaled if need be");
                Ok(leaf(ExprKind::Poisoned, span))
            }
            Token::Text if self.c => {
                let mut text = Text { characters: Some(Vec::new()), ..Text::default() };
                while self.peek() == Token::Text {
                    let part = inside(self.word_at(0));
                    text.spelt.push_str(part);
                    text.characters =
                        text.characters.zip(characters(part)).map(|(mut all, more)| {
                            all.extend(more);
                            all
                        });
                    self.bump();
                }
                Ok(leaf(ExprKind::Text(text), join(span, self.previous_span())))
            }
            Token::Text => {
                self.bump();
                self.refuse(are("strings"), span, "use integers, or an array of them");
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
            "offsetof" | "__builtin_offsetof"
                if self.c && self.peek() == Token::OpenParen && self.type_starts_at(1) =>
            {
                return self.offset_of(span);
            }
            "L" | "u8" if self.c && self.peek() == Token::Text => {
                let spelt = inside(self.word_at(0)).to_string();
                self.bump();
                return Ok(leaf(ExprKind::Text(Text { spelt, ..Text::default() }), span));
            }
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" | "__FILE__" if self.c => {
                return Ok(leaf(ExprKind::Text(Text::default()), span));
            }
            "__CPROVER_forall" | "__CPROVER_exists"
                if self.c && self.peek() == Token::OpenBrace =>
            {
                self.refuse(are("quantifiers"), span, "write a loop");
                // What is in its braces is of no language that is read here.
                let mut depth = 0;
                while self.peek() != Token::End {
                    match self.bump().token {
                        Token::OpenBrace => depth += 1,
                        Token::CloseBrace => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                }
                return Ok(leaf(ExprKind::Poisoned, join(span, self.previous_span())));
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
                self.refuse(is("`sizeof`"), span, "write the number");
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
        let (arguments, end, depth) = self.arguments()?;
        let name = Name { text: text.to_string(), span };
        self.node(ExprKind::Call(name, arguments), join(span, end), depth)
    }

    /// Reads `(a, b)`; gives the place of its end and the depth of the deepest argument, too.
    fn arguments(&mut self) -> Parsed<(Vec<Expr>, Span, u16)> {
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
        Ok((arguments, end, depth))
    }

    /// Reads `offsetof(struct S, a)`, which is the number `(unsigned long)&((struct S *)0)->a`.
    #[inline(never)]
    fn offset_of(&mut self, start: Span) -> Parsed<Expr> {
        self.bump();
        let (type_name, pointers, _) = self.type_in_parentheses()?;
        self.expect(Token::Comma, "`,`")?;
        let to = PointedType { type_name, pointers: pointers + 1, other: false };
        let null = leaf(ExprKind::Number(0, Spelling::default()), start);
        let null = self.node(ExprKind::PointerCast(to, Box::new(null)), start, 1)?;
        let mut place = self.node(ExprKind::Indirect(Box::new(null)), start, 2)?;
        let member = self.name("a member's name")?;
        let depth = place.depth;
        place = self.node(ExprKind::Member(Box::new(place), member), start, depth)?;
        loop {
            let depth = place.depth;
            if self.eat(Token::Dot) {
                let member = self.name("a member's name")?;
                place = self.node(ExprKind::Member(Box::new(place), member), start, depth)?;
            } else if self.eat(Token::OpenBracket) {
                let at = self.nested(Self::conditional)?;
                self.expect(Token::CloseBracket, "`]`")?;
                let depth = depth.max(at.depth);
                place = self.node(ExprKind::Index(Box::new(place), Box::new(at)), start, depth)?;
            } else {
                break;
            }
        }
        let end = self.expect(Token::CloseParen, "`)`")?;
        let (span, depth) = (join(start, end), place.depth);
        let address = self.node(ExprKind::Address(Box::new(place)), span, depth)?;
        let size = TypeName::Integer { size: self.long(), signed: false };
        let depth = address.depth;
        self.node(ExprKind::Cast(size, Box::new(address)), span, depth)
    }

    /// Reads the operand of `sizeof`.
    #[inline(never)]
    fn size_of(&mut self, start: Span) -> Parsed<Expr> {
        if self.peek() == Token::OpenParen && self.type_starts_at(1) {
            self.bump();
            let (type_name, pointers, dimensions) = self.type_in_parentheses()?;
            let end = self.expect(Token::CloseParen, "`)`")?;
            let span = join(start, end);
            if pointers > 0 {
                return Ok(leaf(ExprKind::SizeOfPointer, span));
            }
            return Ok(leaf(ExprKind::SizeOfType(type_name, dimensions), span));
        }
        let operand = self.nested(Self::unary)?;
        let (span, depth) = (join(start, operand.span), operand.depth);
        self.node(ExprKind::SizeOf(Box::new(operand)), span, depth)
    }
}

/// A string without its quotes; its escape sequences stay as they are written.
fn inside(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}
