//! A position among the tokens, with the operations that recursive descent needs in every language.
//!
//! Nesting is capped before the parser goes down a level, and the code that builds chains caps
//! their depth. Therefore later walks over the tree need little stack.

use super::scan::{Lexeme, Sign};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::message::{Message, What, at_line};
use crate::lang::model::Span;
use crate::lang::parser::MOST_NESTING;
use crate::lang::syntax::Name;

/// A syntax error that was reported. The caller resumes at a safe place.
pub(in crate::lang) struct Recover;

pub(in crate::lang) type Parsed<T> = Result<T, Recover>;

pub(in crate::lang) struct Cursor<'a, T> {
    source: &'a str,
    tokens: &'a [Lexeme<T>],
    pub(in crate::lang) position: usize,
    /// The index of the first token that is not seen.
    end: usize,
    nesting: u32,
    pub(in crate::lang) diagnostics: &'a mut Diagnostics,
}

impl<'a, T: Sign> Cursor<'a, T> {
    /// A cursor at the first token. There must be at least one token.
    pub(in crate::lang) fn new(
        source: &'a str,
        tokens: &'a [Lexeme<T>],
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Cursor { source, tokens, position: 0, end: tokens.len(), nesting: 0, diagnostics }
    }

    pub(in crate::lang) fn peek(&self) -> T {
        self.peek_at(0)
    }

    pub(in crate::lang) fn peek_at(&self, ahead: usize) -> T {
        let position = self.position + ahead;
        if position >= self.end {
            T::END
        } else {
            self.tokens.get(position).map_or(T::END, |l| l.token)
        }
    }

    pub(in crate::lang) fn span(&self) -> Span {
        self.tokens[self.position.min(self.tokens.len() - 1)].span
    }

    /// The place of the token before the current one.
    pub(in crate::lang) fn previous_span(&self) -> Span {
        self.tokens[self.position.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    pub(in crate::lang) fn text(&self, span: Span) -> &'a str {
        &self.source[span.start as usize..span.end as usize]
    }

    /// The spelling of the token that is `ahead` tokens after the current one.
    pub(in crate::lang) fn word_at(&self, ahead: usize) -> &'a str {
        self.text(self.tokens[(self.position + ahead).min(self.tokens.len() - 1)].span)
    }

    pub(in crate::lang) fn bump(&mut self) -> Span {
        let span = self.span();
        if self.peek() != T::END {
            self.position += 1;
        }
        span
    }

    pub(in crate::lang) fn eat(&mut self, token: T) -> bool {
        let found = self.peek() == token;
        if found {
            self.bump();
        }
        found
    }

    pub(in crate::lang) fn expect(&mut self, token: T, what: &str) -> Parsed<Span> {
        if self.peek() == token {
            return Ok(self.bump());
        }
        self.unexpected(what, "");
        Err(Recover)
    }

    pub(in crate::lang) fn name(&mut self, what: &str) -> Parsed<Name> {
        let span = self.expect(T::IDENTIFIER, what)?;
        Ok(Name { text: self.text(span).to_string(), span })
    }

    /// Reports that the current token is not expected.
    pub(in crate::lang) fn unexpected(&mut self, expected: &str, hint: &str) {
        let span = self.span();
        let found = match self.peek() == T::END {
            true if self.position + 1 < self.tokens.len() => "the end of the line".to_string(),
            true => "the end of the program".to_string(),
            false => format!("`{}`", self.text(span).chars().take(40).collect::<String>()),
        };
        self.diagnostics.syntax_error(span, format!("expected {expected}, found {found}"), hint);
    }

    /// Reports a construct that is not modelled, by name.
    pub(in crate::lang) fn refuse(&mut self, what: What<'_>, span: Span, hint: &str) {
        self.diagnostics.error(span, what, hint);
    }

    /// Reads the `;` that ends a statement. It may be absent before a word that closes the block
    /// around it. If it is missing at the end of a line, this is reported there, and no token is
    /// skipped.
    pub(in crate::lang) fn semicolon(&mut self) -> Parsed<()> {
        if self.eat(T::SEMICOLON) || self.peek().closes() {
            return Ok(());
        }
        let before = self.previous_span();
        if self.span().line > before.line {
            let text = self.text(before);
            let after = Span {
                start: before.end.saturating_sub(1).max(before.start),
                end: before.end,
                line: before.line,
            };
            self.diagnostics.syntax_error(after, format!("expected `;` after `{text}`"), "add `;`");
            return Ok(());
        }
        self.unexpected("`;`", "");
        Err(Recover)
    }

    /// Parses one level deeper. Beyond the cap, the rest of the file is not read.
    pub(in crate::lang) fn nested<R>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Parsed<R>,
    ) -> Parsed<R> {
        if self.nesting >= MOST_NESTING {
            let message =
                Message::from(at_line(&format!("nested deeper than {MOST_NESTING} levels")));
            self.give_up(message, "split it into procedures or steps");
            return Err(Recover);
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// Stops reading: the text after this place cannot be read in a useful way.
    pub(in crate::lang) fn give_up(&mut self, message: impl Into<Message>, hint: &str) {
        let span = self.span();
        self.diagnostics.syntax_error(span, message, hint);
        self.position = self.tokens.len() - 1;
    }

    /// Skips to a place where a statement may start or end: after a `;`, or before a token that
    /// says so.
    pub(in crate::lang) fn synchronise(&mut self, stops: impl Fn(T) -> bool) {
        let before = self.position;
        while self.peek() != T::END && !self.peek().closes() {
            if self.eat(T::SEMICOLON) || self.position > before && stops(self.peek()) {
                return;
            }
            self.bump();
        }
    }

    /// Reads as if the current line ended the file.
    pub(in crate::lang) fn on_this_line<R>(
        &mut self,
        line: u32,
        parse: impl FnOnce(&mut Self) -> Parsed<R>,
    ) -> Parsed<R> {
        let rest = &self.tokens[self.position..];
        self.end =
            self.position + rest.iter().position(|l| l.span.line != line).unwrap_or(rest.len());
        let result = parse(self);
        self.end = self.tokens.len();
        result
    }
}
