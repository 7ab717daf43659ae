//! Statements.

use super::Parser;
use crate::mistake::Read;
use crate::span::Span;
use crate::token::Token;
use crate::tree::{Block, Catch, Expr, Group, Modifiers, Statement, StatementKind};

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Read<Block> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.is("}") {
            if self.lexeme(0).token == Token::End {
                return self.expected("`}`");
            }
            statements.push(self.deeper(Self::statement)?);
        }
        let end = self.expect("}")?;
        Ok(Block { statements, end })
    }

    fn statement(&mut self) -> Read<Statement> {
        let start = self.span();
        let kind = match self.spelt(0) {
            "{" => StatementKind::Block(self.block()?),
            ";" => {
                self.bump();
                StatementKind::Empty
            }
            "if" => return self.if_statement(start),
            "while" => {
                self.bump();
                let condition = self.parenthesized()?;
                let span = self.from(start);
                let body = Box::new(self.deeper(Self::statement)?);
                return Ok(Statement { kind: StatementKind::While(condition, body), span });
            }
            "do" => {
                self.bump();
                let body = Box::new(self.deeper(Self::statement)?);
                let head = self.expect("while")?;
                let condition = self.parenthesized()?;
                let head = self.from(head);
                self.expect(";")?;
                let kind = StatementKind::Do(body, condition, head);
                return Ok(Statement { kind, span: start });
            }
            "for" => return self.for_statement(start),
            "switch" => return self.switch_statement(start),
            "break" | "continue" => {
                let is_break = self.is("break");
                self.bump();
                let label = if self.is_name(0) { Some(self.name()?) } else { None };
                self.semicolon(match is_break {
                    true => StatementKind::Break(label),
                    false => StatementKind::Continue(label),
                })?
            }
            "return" => {
                self.bump();
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.semicolon(StatementKind::Return(value))?
            }
            "throw" => {
                self.bump();
                let value = self.expression()?;
                self.semicolon(StatementKind::Throw(value))?
            }
            "assert" => {
                self.bump();
                let condition = self.expression()?;
                let text = if self.accept(":") { Some(self.expression()?) } else { None };
                self.semicolon(StatementKind::Assert(condition, text))?
            }
            "try" => return self.try_statement(start),
            "synchronized" => {
                self.bump();
                let lock = self.parenthesized()?;
                let span = self.from(start);
                let body = self.block()?;
                return Ok(Statement { kind: StatementKind::Synchronized(lock, body), span });
            }
            "yield" if !matches!(self.spelt(1), "=" | "." | "++" | "--" | "[") => {
                self.bump();
                let value = self.expression()?;
                self.semicolon(StatementKind::Yield(value))?
            }
            _ if self.is_name(0) && self.spelt(1) == ":" => {
                let label = self.name()?;
                self.bump();
                let body = Box::new(self.deeper(Self::statement)?);
                return Ok(Statement { kind: StatementKind::Labelled(label, body), span: start });
            }
            _ => return self.simple(start),
        };
        Ok(Statement { kind, span: self.without_semicolon(start) })
    }

    /// The place up to a `;` that was just read.
    fn without_semicolon(&self, start: Span) -> Span {
        match self.at >= 2 && start.start < self.last().start {
            true => start.to(self.shown(self.tokens[self.at - 2].span)),
            false => start,
        }
    }

    fn semicolon(&mut self, kind: StatementKind) -> Read<StatementKind> {
        self.expect(";")?;
        Ok(kind)
    }

    /// A declaration or an expression, with `;`.
    fn simple(&mut self, start: Span) -> Read<Statement> {
        let kind = self.declaration_or_expression(start)?;
        if matches!(kind, StatementKind::LocalType(_)) {
            return Ok(Statement { kind, span: start });
        }
        let kind = self.semicolon(kind)?;
        Ok(Statement { kind, span: self.without_semicolon(start) })
    }

    fn declaration_or_expression(&mut self, start: Span) -> Read<StatementKind> {
        let modifiers = self.modifiers()?;
        if let Some(found) = self.type_declaration(modifiers)? {
            return Ok(StatementKind::LocalType(found));
        }
        if modifiers != Modifiers::default() || self.begins_declaration() {
            let type_name = self.type_name()?;
            return Ok(StatementKind::Local(type_name, self.declarators(start)?));
        }
        Ok(StatementKind::Expression(self.expression()?))
    }

    /// Does a type with a name behind it stand here?
    fn begins_declaration(&mut self) -> bool {
        let (at, depth) = (self.at, self.depth);
        let is_type = self.type_name().is_ok() && self.is_name(0);
        let goes_on = matches!(self.spelt(1), "=" | ";" | "," | ":" | "[");
        (self.at, self.depth) = (at, depth);
        is_type && goes_on
    }

    pub(super) fn parenthesized(&mut self) -> Read<Expr> {
        self.expect("(")?;
        let e = self.expression()?;
        self.expect(")")?;
        Ok(e)
    }

    fn if_statement(&mut self, start: Span) -> Read<Statement> {
        self.bump();
        let condition = self.parenthesized()?;
        let span = self.from(start);
        let then = Box::new(self.deeper(Self::statement)?);
        let otherwise = match self.accept("else") {
            true => Some(Box::new(self.deeper(Self::statement)?)),
            false => None,
        };
        Ok(Statement { kind: StatementKind::If(condition, then, otherwise), span })
    }

    fn for_statement(&mut self, start: Span) -> Read<Statement> {
        self.bump();
        self.expect("(")?;
        let (at, depth) = (self.at, self.depth);
        let is_each = self.modifiers().is_ok()
            && self.type_name().is_ok()
            && self.is_name(0)
            && self.spelt(1) == ":";
        (self.at, self.depth) = (at, depth);
        if is_each {
            self.modifiers()?;
            let type_name = self.type_name()?;
            let name = self.name()?;
            self.expect(":")?;
            let list = self.expression()?;
            self.expect(")")?;
            let span = self.from(start);
            let body = Box::new(self.deeper(Self::statement)?);
            let kind = StatementKind::ForEach(type_name, name, list, body);
            return Ok(Statement { kind, span });
        }
        let mut first = Vec::new();
        while !self.is(";") {
            let start = self.span();
            let kind = self.declaration_or_expression(start)?;
            first.push(Statement { kind, span: self.from(start) });
            if !self.accept(",") {
                break;
            }
        }
        self.expect(";")?;
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let mut step = Vec::new();
        while !self.is(")") {
            step.push(self.expression()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        let span = self.from(start);
        let body = Box::new(self.deeper(Self::statement)?);
        Ok(Statement { kind: StatementKind::For { first, condition, step, body }, span })
    }

    fn switch_statement(&mut self, start: Span) -> Read<Statement> {
        self.bump();
        let value = self.parenthesized()?;
        let span = self.from(start);
        let groups = self.groups()?;
        Ok(Statement { kind: StatementKind::Switch(value, groups), span })
    }

    /// The braces of `switch`.
    pub(super) fn groups(&mut self) -> Read<Vec<Group>> {
        self.expect("{")?;
        let mut groups: Vec<Group> = Vec::new();
        while !self.accept("}") {
            let at = self.span();
            let mut labels = Vec::new();
            let mut arrow = false;
            loop {
                if self.accept("default") {
                    labels.push(None);
                } else if self.accept("case") {
                    loop {
                        match self.accept("default") {
                            true => labels.push(None),
                            false => labels.push(Some(self.conditional()?)),
                        }
                        if !self.accept(",") {
                            break;
                        }
                    }
                } else {
                    return self.expected("`case`");
                }
                if self.accept("->") {
                    arrow = true;
                    break;
                }
                self.expect(":")?;
                if !self.is("case") && !self.is("default") {
                    break;
                }
            }
            let mut body = Vec::new();
            match arrow {
                true => body.push(self.deeper(Self::statement)?),
                false => {
                    while !matches!(self.spelt(0), "case" | "default" | "}") {
                        if self.lexeme(0).token == Token::End {
                            return self.expected("`}`");
                        }
                        body.push(self.deeper(Self::statement)?);
                    }
                }
            }
            groups.push(Group { labels, body, arrow, span: at });
        }
        Ok(groups)
    }

    fn try_statement(&mut self, start: Span) -> Read<Statement> {
        self.bump();
        let mut resources = Vec::new();
        if self.accept("(") {
            while !self.accept(")") {
                let start = self.span();
                let kind = self.declaration_or_expression(start)?;
                resources.push(Statement { kind, span: self.from(start) });
                if !self.accept(";") && !self.is(")") {
                    return self.expected("`)`");
                }
            }
        }
        let body = self.block()?;
        let mut catches = Vec::new();
        while self.accept("catch") {
            self.expect("(")?;
            self.modifiers()?;
            let mut types = vec![self.type_name()?];
            while self.accept("|") {
                types.push(self.type_name()?);
            }
            let name = self.name()?;
            self.expect(")")?;
            catches.push(Catch { types, name, body: self.block()? });
        }
        let finally = if self.accept("finally") { Some(self.block()?) } else { None };
        if catches.is_empty() && finally.is_none() && resources.is_empty() {
            return self.expected("`catch` or `finally`");
        }
        Ok(Statement {
            kind: StatementKind::Try { resources, body, catches, finally },
            span: start,
        })
    }
}
