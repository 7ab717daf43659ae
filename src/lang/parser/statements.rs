//! Statements, with recovery at `;` and `}`.

use super::{Parsed, Parser, Recover};
use crate::lang::lexer::Token;
use crate::lang::message::{are, is};
use crate::lang::model::Span;
use crate::lang::syntax::{Block, Branch, Expr, ExprKind, Statement, StatementKind, join};

impl Parser<'_> {
    /// `{ … }`; the current token is the `{`.
    #[inline(never)]
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let depth = self.scopes.len();
        if self.c {
            self.scopes.push(super::c_types::TypeScope::default());
        }
        let block = self.open_block();
        self.scopes.truncate(depth);
        block
    }

    #[inline(never)]
    fn open_block(&mut self) -> Parsed<Block> {
        let open = self.bump().span;
        self.open_braces.push(open);
        let mut statements = Vec::new();
        loop {
            match self.peek() {
                Token::CloseBrace => {
                    let end = self.bump().span;
                    self.open_braces.pop();
                    return Ok(Block { statements, end });
                }
                Token::End => {
                    // Only the innermost open brace is reported; the others would repeat it.
                    if self.open_braces.pop().is_some() {
                        self.diagnostics.syntax_error(
                            open,
                            format!("this `{{` of line {} is never closed", open.line),
                            "add `}`",
                        );
                        self.open_braces.clear();
                    }
                    return Ok(Block { statements, end: self.span() });
                }
                _ => {}
            }
            if self.procedure_starts() {
                let span = self.span();
                if !self.open_braces.is_empty() {
                    let hint = format!("is a `}}` missing before line {}?", span.line);
                    self.diagnostics.syntax_error(
                        span,
                        format!("a procedure starts inside the block of line {}", open.line),
                        hint,
                    );
                    self.open_braces.clear();
                }
                return Ok(Block { statements, end: self.previous_span() });
            }
            let before = self.position;
            if self.peek() == Token::Annotation {
                if let Ok(found) = self.annotation_in_block() {
                    statements.extend(found);
                }
                continue;
            }
            match self.nested(Self::statement) {
                Ok(statement) => {
                    statements.append(&mut self.literals);
                    statements.push(statement);
                }
                Err(Recover) => {
                    self.synchronise();
                    if self.position == before
                        && !matches!(self.peek(), Token::CloseBrace | Token::End)
                    {
                        self.bump();
                    }
                }
            }
        }
    }

    /// Does `type name ( … ) {` start here? If so, a closing brace is missing before it.
    fn procedure_starts(&self) -> bool {
        if !self.type_starts_at(0) {
            return false;
        }
        let mut ahead = 1;
        while ahead < 6 && self.type_starts_at(ahead) {
            ahead += 1;
        }
        if self.peek_at(ahead) != Token::Identifier || self.peek_at(ahead + 1) != Token::OpenParen {
            return false;
        }
        let mut close = ahead + 2;
        while close < ahead + 60
            && !matches!(
                self.peek_at(close),
                Token::CloseParen | Token::Semicolon | Token::OpenBrace | Token::End
            )
        {
            close += 1;
        }
        self.peek_at(close) == Token::CloseParen && self.peek_at(close + 1) == Token::OpenBrace
    }

    fn boxed_statement(&mut self) -> Parsed<Box<Statement>> {
        let statement = self.nested(Self::statement)?;
        Ok(Box::new(self.with_literals(statement)))
    }

    /// Reads a statement. This function only dispatches: a level of nesting must cost little stack,
    /// so nothing that needs room is inlined here.
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let statement = self.any_statement(start)?;
        if !self.literals.is_empty() {
            self.check_literals(&statement);
        }
        Ok(statement)
    }

    #[inline(always)]
    fn any_statement(&mut self, start: Span) -> Parsed<Statement> {
        match self.peek() {
            Token::OpenBrace => {
                let block = self.block()?;
                Ok(Statement { kind: StatementKind::Block(block), span: start })
            }
            Token::If => self.if_chain(start),
            Token::While => self.while_loop(start),
            Token::Do => self.do_while(start),
            Token::For => self.for_loop(start),
            Token::Switch => self.switch(start),
            Token::Annotation => self.annotated_statement(start),
            _ => self.plain_statement(start),
        }
    }

    #[inline(never)]
    fn while_loop(&mut self, start: Span) -> Parsed<Statement> {
        self.bump();
        let condition = self.parenthesised()?;
        let span = join(start, self.previous_span());
        let body = self.boxed_statement()?;
        Ok(Statement { kind: StatementKind::While { condition, body }, span })
    }

    #[inline(never)]
    fn switch(&mut self, start: Span) -> Parsed<Statement> {
        self.bump();
        let scrutinee = self.parenthesised()?;
        let span = join(start, self.previous_span());
        let body = self.boxed_statement()?;
        Ok(Statement { kind: StatementKind::Switch { scrutinee, body }, span })
    }

    /// Reads a statement without a statement inside, except `atomic { … }`.
    #[inline(never)]
    fn plain_statement(&mut self, start: Span) -> Parsed<Statement> {
        match self.peek() {
            Token::Semicolon => {
                self.bump();
                Ok(Statement { kind: StatementKind::Empty, span: start })
            }
            Token::Case => self.case(start),
            Token::Default => {
                self.bump();
                self.expect(Token::Colon, "`:`")?;
                Ok(Statement {
                    kind: StatementKind::Default,
                    span: join(start, self.previous_span()),
                })
            }
            Token::Break | Token::Continue => {
                let kind = if self.bump().token == Token::Break {
                    StatementKind::Break
                } else {
                    StatementKind::Continue
                };
                self.semicolon()?;
                Ok(Statement { kind, span: start })
            }
            Token::Goto => self.goto(start),
            Token::Return => {
                self.bump();
                let value =
                    if self.peek() == Token::Semicolon { None } else { Some(self.expression()?) };
                let span = join(start, self.previous_span());
                self.semicolon()?;
                Ok(Statement { kind: StatementKind::Return(value), span })
            }
            Token::Identifier if self.peek_at(1) == Token::Colon => {
                let name = self.name("a label")?;
                self.bump();
                Ok(Statement {
                    kind: StatementKind::Label(name),
                    span: join(start, self.previous_span()),
                })
            }
            Token::Identifier | Token::Enum if self.type_starts_at(0) => {
                self.local_declaration(start)
            }
            Token::Identifier => self.named_statement(start),
            Token::Else => {
                self.diagnostics.syntax_error(
                    start,
                    "`else` without an `if`",
                    "is there a `;` or `}` too many before it?",
                );
                Err(Recover)
            }
            Token::Preprocessor => {
                self.refuse(
                    is("the preprocessor"),
                    start,
                    "it comes with the C dialect; remove the line",
                );
                self.bump();
                Ok(Statement { kind: StatementKind::Empty, span: start })
            }
            _ => self.expression_statement(start),
        }
    }

    /// `case v:`
    fn case(&mut self, start: Span) -> Parsed<Statement> {
        self.bump();
        let value = self.conditional()?;
        if self.peek() == Token::Ellipsis {
            self.refuse_whole(
                is("a range of cases"),
                self.span(),
                "write the cases one by one, or use conditions",
            );
            return Err(Recover);
        }
        self.expect(Token::Colon, "`:`")?;
        let span = join(start, self.previous_span());
        Ok(Statement { kind: StatementKind::Case(value), span })
    }

    fn goto(&mut self, start: Span) -> Parsed<Statement> {
        self.bump();
        if self.peek() == Token::Star {
            self.refuse_whole(are("computed jumps"), start, "use `switch`");
            return Err(Recover);
        }
        let name = self.name("a label")?;
        let span = join(start, name.span);
        self.semicolon()?;
        Ok(Statement { kind: StatementKind::Goto(name), span })
    }

    /// Reads a statement that starts with a name: perhaps a word of the language, or an unknown
    /// type.
    #[inline(never)]
    fn named_statement(&mut self, start: Span) -> Parsed<Statement> {
        let word = self.word_at(0);
        match (word, self.peek_at(1)) {
            ("thread", Token::Identifier) if !self.c => {
                self.refuse_whole(
                    is("a thread inside a procedure"),
                    start,
                    "put `thread name { … }` outside",
                );
                return Err(Recover);
            }
            ("atomic", Token::OpenBrace) if !self.c => {
                let head = self.bump().span;
                let block = self.nested(Self::block)?;
                return Ok(Statement { kind: StatementKind::Atomic(block), span: head });
            }
            ("asm" | "__asm__" | "__asm", _) if self.c => {
                self.refuse_whole(is("assembly"), start, "write what it does in C");
                return Err(Recover);
            }
            ("__CPROVER_try" | "__CPROVER_catch" | "__CPROVER_finally" | "__CPROVER_throw", _)
                if self.c =>
            {
                self.refuse_whole(are("exceptions"), start, "write `goto` or `return`");
                return Err(Recover);
            }
            ("__label__", _) if self.c => {
                self.synchronise();
                return Ok(Statement { kind: StatementKind::Empty, span: start });
            }
            ("assert" | "assume", token)
                if !self.c
                    && token != Token::OpenParen
                    && token != Token::Semicolon
                    && !is_operator(token) =>
            {
                // The annotation's form, `assert e;`.
                let name = self.name("a name")?;
                let argument = self.assignment()?;
                let span = join(start, argument.span);
                let depth = argument.depth + 1;
                let call = Expr { kind: ExprKind::Call(name, vec![argument]), span, depth };
                self.semicolon()?;
                return Ok(Statement { kind: StatementKind::Expression(call), span });
            }
            (_, Token::Identifier) if self.span_at(1).line == start.line => {
                self.unknown_type(word, start);
                return Err(Recover);
            }
            _ => {}
        }
        self.expression_statement(start)
    }

    #[inline(never)]
    fn expression_statement(&mut self, start: Span) -> Parsed<Statement> {
        let expression = self.expression()?;
        let span = join(start, expression.span);
        self.semicolon()?;
        Ok(Statement { kind: StatementKind::Expression(expression), span })
    }

    #[inline(never)]
    fn local_declaration(&mut self, start: Span) -> Parsed<Statement> {
        let declaration = self.declaration()?;
        let span = join(start, self.previous_span());
        self.semicolon()?;
        Ok(Statement { kind: StatementKind::Declaration(declaration), span })
    }

    /// `( e )`
    #[inline(never)]
    fn parenthesised(&mut self) -> Parsed<Expr> {
        self.expect(Token::OpenParen, "`(`")?;
        let expression = self.expression()?;
        self.expect(Token::CloseParen, "`)`")?;
        Ok(expression)
    }

    #[inline(never)]
    fn if_chain(&mut self, start: Span) -> Parsed<Statement> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        let mut head_start = start;
        loop {
            self.bump();
            let condition = self.parenthesised()?;
            let head = join(head_start, self.previous_span());
            let then = self.nested(Self::statement)?;
            let then = self.with_literals(then);
            branches.push(Branch { condition, then, head });
            if !self.eat(Token::Else) {
                break;
            }
            if self.peek() != Token::If {
                otherwise = Some(self.boxed_statement()?);
                break;
            }
            head_start = self.span();
        }
        let span = branches.first().map_or(start, |b: &Branch| b.head);
        Ok(Statement { kind: StatementKind::If { branches, otherwise }, span })
    }

    #[inline(never)]
    fn do_while(&mut self, start: Span) -> Parsed<Statement> {
        self.bump();
        let body = self.boxed_statement()?;
        let head_start = self.expect(Token::While, "`while`")?;
        let condition = self.parenthesised()?;
        let head = join(head_start, self.previous_span());
        self.semicolon()?;
        Ok(Statement { kind: StatementKind::DoWhile { body, condition, head }, span: start })
    }

    #[inline(never)]
    fn for_loop(&mut self, start: Span) -> Parsed<Statement> {
        self.bump();
        self.expect(Token::OpenParen, "`(`")?;
        let depth = self.scopes.len();
        if self.c {
            self.scopes.push(super::c_types::TypeScope::default());
        }
        let initial_start = self.span();
        let initial = match self.peek() {
            Token::Semicolon => {
                self.bump();
                None
            }
            _ if self.type_starts_at(0) => Some(Box::new(self.local_declaration(initial_start)?)),
            _ => Some(Box::new(self.expression_statement(initial_start)?)),
        };
        let condition =
            if self.peek() == Token::Semicolon { None } else { Some(self.expression()?) };
        self.expect(Token::Semicolon, "`;`")?;
        let step = if self.peek() == Token::CloseParen { None } else { Some(self.expression()?) };
        self.expect(Token::CloseParen, "`)`")?;
        let span = join(start, self.previous_span());
        let body = self.boxed_statement();
        self.scopes.truncate(depth);
        let body = body?;
        Ok(Statement { kind: StatementKind::For { initial, condition, step, body }, span })
    }
}

/// Can this token follow the name of a variable in an expression?
fn is_operator(token: Token) -> bool {
    !matches!(
        token,
        Token::Identifier
            | Token::Number
            | Token::Not
            | Token::Tilde
            | Token::Minus
            | Token::Character
            | Token::Question
    )
}
