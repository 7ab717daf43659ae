//! Statements, with recovery at their ends.

use super::lexer::Token;
use super::parser::{Parser, resumes};
use super::syntax::*;
use crate::lang::message::{are, is};
use crate::lang::model::Span;
use crate::lang::reading::cursor::{Parsed, Recover};
use crate::lang::reading::scan::Sign;
use crate::lang::syntax::join;

impl Parser<'_> {
    /// Reads statements, up to a token that closes them.
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        use Token::*;
        let mut statements = Vec::new();
        while !matches!(self.peek(), CloseBrace | Od | Fi | Option | EndOfSource | Module | Choicep)
        {
            if self.eat(Semicolon) {
                continue;
            }
            match self.nested(Self::statement) {
                Ok(statement) => statements.push(statement),
                Err(Recover) => self.synchronise(resumes),
            }
        }
        statements
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let mut labels = Vec::new();
        while self.peek() == Token::Identifier && self.peek_at(1) == Token::Colon {
            labels.push(self.name("a label")?);
            self.bump();
        }
        let start = self.span();
        let kind = match self.peek() {
            Token::Do | Token::If => self.select(start)?,
            Token::Pchoice => self.probabilistic(start)?,
            Token::OpenBrace => {
                self.bump();
                let body = self.statements();
                self.expect(Token::CloseBrace, "`}`")?;
                StatementKind::Block(body)
            }
            // A label at the end of a block belongs to an empty statement.
            token if token.closes() && !labels.is_empty() => StatementKind::Block(Vec::new()),
            _ => {
                let kind = self.plain()?;
                let span = join(start, self.previous_span());
                self.semicolon()?;
                return Ok(Statement { labels, kind, span });
            }
        };
        Ok(Statement { labels, kind, span: start })
    }

    /// `do :: g -> … :: else -> … od`, `if … fi`.
    #[inline(never)]
    fn select(&mut self, start: Span) -> Parsed<StatementKind> {
        let is_loop = self.peek() == Token::Do;
        self.bump();
        let mut options = Vec::new();
        while self.eat(Token::Option) {
            let head = self.span();
            let guard = if self.eat(Token::Else) { None } else { Some(self.expression()?) };
            let head = join(head, self.previous_span());
            self.expect(Token::Arrow, "`->`")?;
            let body = self.statements();
            if guard.is_none() && options.iter().any(|o: &Choice| o.guard.is_none()) {
                self.diagnostics.error(
                    head,
                    "a second `else`",
                    "one option is taken when no other is open",
                );
            }
            options.push(Choice { guard, body, head });
        }
        if options.is_empty() {
            self.unexpected("`::`", "options start with it: `:: x == 0 -> skip;`");
            return Err(Recover);
        }
        let (token, word) = if is_loop { (Token::Od, "od") } else { (Token::Fi, "fi") };
        if !self.eat(token) {
            self.unexpected(
                &format!("`{word}`"),
                &format!("add `{word}`: it closes line {}", start.line),
            );
            return Err(Recover);
        }
        Ok(StatementKind::Select { is_loop, options })
    }

    /// Refuses `pchoice … choicep`, once, and leaves it out.
    fn probabilistic(&mut self, start: Span) -> Parsed<StatementKind> {
        let hint = "for a choice without probabilities write `if :: true -> …; :: true -> …; fi`";
        self.refuse(are("probabilistic choices (`pchoice`)"), start, hint);
        let mut open = 0u32;
        loop {
            match self.peek() {
                Token::Pchoice => open += 1,
                Token::Choicep => open -= 1,
                Token::EndOfSource => return Err(Recover),
                _ => {}
            }
            self.bump();
            if open == 0 {
                return Ok(StatementKind::Skip(None));
            }
        }
    }

    /// Reads a statement without a statement inside.
    #[inline(never)]
    fn plain(&mut self) -> Parsed<StatementKind> {
        let token = self.peek();
        match token {
            Token::Identifier => return self.named(),
            Token::Skip
            | Token::Break
            | Token::Goto
            | Token::Return
            | Token::Fork
            | Token::Assert => {}
            _ if self.type_starts() => {
                let span = self.span();
                self.diagnostics.syntax_error(
                    span,
                    "a declaration after a statement",
                    "write it at the start of the module",
                );
                return Err(Recover);
            }
            _ => {
                self.unexpected("a statement", "");
                return Err(Recover);
            }
        }
        self.bump();
        Ok(match token {
            Token::Skip if self.eat(Token::OpenParen) => {
                let guard = self.expression()?;
                self.expect(Token::CloseParen, "`)`")?;
                StatementKind::Skip(Some(guard))
            }
            Token::Skip => StatementKind::Skip(None),
            Token::Break => StatementKind::Break,
            Token::Goto => StatementKind::Goto(self.name("a label")?),
            Token::Return if self.peek() == Token::Semicolon || self.peek().closes() => {
                StatementKind::Return(None)
            }
            Token::Return => StatementKind::Return(Some(self.expression()?)),
            Token::Fork => {
                let callee = self.name("a module")?;
                self.expect(Token::OpenParen, "`(`")?;
                StatementKind::Fork { callee, arguments: self.list(Self::expression)? }
            }
            _ => StatementKind::Assert(self.expression()?),
        })
    }

    /// Reads a call or assignments.
    fn named(&mut self) -> Parsed<StatementKind> {
        if self.peek_at(1) == Token::OpenParen {
            let callee = self.name("a module")?;
            self.bump();
            return Ok(StatementKind::Call {
                target: None,
                callee,
                arguments: self.list(Self::expression)?,
            });
        }
        let mut list = Vec::new();
        loop {
            let mut ranges = Vec::new();
            while self.quantifier_starts() {
                if self.word_at(0) == "E" {
                    let span = self.span();
                    self.diagnostics.syntax_error(
                        span,
                        "an assignment is for all: `A`, not `E`",
                        "write `A i (0,3) a[i] = 0`",
                    );
                }
                self.bump();
                ranges.push(self.range()?);
            }
            let place = self.postfix()?;
            self.expect(Token::Assign, "`=`")?;
            if self.peek() == Token::Identifier
                && self.peek_at(1) == Token::OpenParen
                && !self.quantifier_starts()
            {
                let callee = self.name("a module")?;
                self.bump();
                let arguments = self.list(Self::expression)?;
                if !ranges.is_empty() || !list.is_empty() || self.peek() == Token::Comma {
                    self.refuse(
                        is("a call among parallel assignments"),
                        callee.span,
                        "call it in a statement of its own",
                    );
                    if !self.eat(Token::Comma) {
                        return Ok(StatementKind::Assign(list));
                    }
                    continue;
                }
                return Ok(StatementKind::Call { target: Some(place), callee, arguments });
            }
            let value = self.expression()?;
            list.push(Assignment { ranges, place, value });
            if !self.eat(Token::Comma) {
                return Ok(StatementKind::Assign(list));
            }
        }
    }
}
