//! Statements (C11 6.8).

use super::{Parser, Result, Scope};
use crate::mistake::{Mistake, MistakeKind};
use crate::token::Kind;
use crate::tree::{Pointed, Statement, StatementKind};
use crate::types::Type;

impl Parser {
    /// `{ … }`, with a scope of its own.
    pub(super) fn block(&mut self) -> Result<Statement> {
        self.nested(|parser| {
            parser.scopes.push(Scope::default());
            let result = parser.block_here();
            parser.scopes.pop();
            result
        })
    }

    fn block_here(&mut self) -> Result<Statement> {
        let start = self.expect("{")?;
        let mut list = Vec::new();
        while !self.is("}") {
            if self.peek().kind == Kind::End {
                return Err(self.expected("`}`"));
            }
            self.item(&mut list)?;
        }
        let span = start.to(self.next().span);
        Ok(Statement { kind: StatementKind::Block(list), span, point: None })
    }

    /// A declaration or a statement.
    fn item(&mut self, list: &mut Vec<Statement>) -> Result<()> {
        let label = self.peek_at(1).is(":");
        if (self.begins_type(0) || self.is("_Static_assert")) && !label {
            return self.local_declaration(list);
        }
        let statement = self.statement()?;
        list.push(statement);
        Ok(())
    }

    pub(super) fn statement(&mut self) -> Result<Statement> {
        self.nested(Parser::statement_here)
    }

    fn statement_here(&mut self) -> Result<Statement> {
        let start = self.peek().span;
        let token = self.peek().clone();
        if token.kind == Kind::Word
            && self.peek_at(1).is(":")
            && !super::specifiers::is_keyword(&token.text)
        {
            self.next();
            self.next();
            let inner = self.labelled()?;
            return Ok(Statement {
                kind: StatementKind::Label(token.text.to_string(), Box::new(inner)),
                span: start,
                point: None,
            });
        }
        let word = if token.kind == Kind::Word || token.kind == Kind::Punctuator {
            &*token.text
        } else {
            ""
        };
        let kind = match word {
            "{" => return self.block(),
            ";" => {
                self.next();
                StatementKind::Empty
            }
            "if" => {
                self.next();
                let condition = self.condition()?;
                let then = Box::new(self.statement()?);
                let otherwise =
                    if self.takes("else") { Some(Box::new(self.statement()?)) } else { None };
                StatementKind::If(condition, then, otherwise)
            }
            "while" => {
                self.next();
                let condition = self.condition()?;
                StatementKind::While(condition, Box::new(self.body(true)?))
            }
            "do" => {
                self.next();
                let body = Box::new(self.body(true)?);
                self.expect("while")?;
                let condition = self.condition()?;
                self.expect(";")?;
                StatementKind::DoWhile(body, condition)
            }
            "for" => return self.for_loop(),
            "switch" => {
                self.next();
                let condition = self.condition()?;
                self.switches += 1;
                let body = self.body(false);
                self.switches -= 1;
                StatementKind::Switch(condition, Box::new(body?))
            }
            "case" => {
                if self.switches == 0 {
                    return Err(Mistake::new(MistakeKind::Stray("case"), start));
                }
                self.next();
                let low = self.constant()?;
                let high = if self.takes("...") { self.constant()? } else { low };
                self.expect(":")?;
                StatementKind::Case(low, high, Box::new(self.labelled()?))
            }
            "default" => {
                if self.switches == 0 {
                    return Err(Mistake::new(MistakeKind::Stray("default"), start));
                }
                self.next();
                self.expect(":")?;
                StatementKind::Default(Box::new(self.labelled()?))
            }
            "goto" => {
                self.next();
                if self.is("*") {
                    let kind = MistakeKind::NotExecuted("a computed `goto`".into());
                    return Err(Mistake::new(kind, start));
                }
                let name = self.name("the name of a label")?;
                self.expect(";")?;
                return Ok(self.plain(StatementKind::Goto(name.text.to_string()), start));
            }
            "break" | "continue" => {
                self.next();
                let end = word == "break";
                if (if end { self.breakable } else { self.loops }) == 0 {
                    let word = if end { "break" } else { "continue" };
                    return Err(Mistake::new(MistakeKind::Stray(word), start));
                }
                self.expect(";")?;
                let kind = if end { StatementKind::Break } else { StatementKind::Continue };
                return Ok(self.plain(kind, start));
            }
            "return" => {
                self.next();
                let result = self.tree.procedures[self.current.index()].signature.result.clone();
                let mut value = None;
                if !self.is(";") {
                    let found = self.expression()?;
                    value = Some(if result == Type::Void {
                        found
                    } else {
                        self.converted(found, &result)?
                    });
                }
                let span = start.to(self.last_span());
                self.expect(";")?;
                let point = Some(self.point(span));
                return Ok(Statement { kind: StatementKind::Return(value), span, point });
            }
            "asm" | "__asm__" => {
                let kind = MistakeKind::NotExecuted("assembly".into());
                return Err(Mistake::new(kind, start));
            }
            _ => {
                let value = self.expression()?;
                let span = start.to(self.last_span());
                self.expect(";")?;
                let point = Some(self.point(span));
                return Ok(Statement { kind: StatementKind::Expression(value), span, point });
            }
        };
        Ok(Statement { kind, span: start.to(self.last_span()), point: None })
    }

    fn plain(&mut self, kind: StatementKind, start: crate::span::Span) -> Statement {
        let span = start.to(self.last_span());
        let point = Some(self.point(span));
        Statement { kind, span, point }
    }

    /// What stands behind a label: a statement, or a declaration, or the end of the block.
    fn labelled(&mut self) -> Result<Statement> {
        if self.is("}") {
            let span = self.last_span();
            return Ok(Statement { kind: StatementKind::Empty, span, point: None });
        }
        if self.begins_type(0) && !self.peek_at(1).is(":") {
            let start = self.peek().span;
            let mut list = Vec::new();
            self.local_declaration(&mut list)?;
            let span = start.to(self.last_span());
            // No scope: its names are visible behind it.
            return Ok(Statement { kind: StatementKind::Block(list), span, point: None });
        }
        self.statement()
    }

    /// A condition in brackets.
    fn condition(&mut self) -> Result<Pointed> {
        self.expect("(")?;
        let value = self.expression()?;
        self.expect(")")?;
        let value = self.scalar(value)?;
        Ok(self.pointed(value))
    }

    fn pointed(&mut self, value: crate::tree::Expr) -> Pointed {
        let point = self.point(value.span);
        Pointed { value, point }
    }

    /// The body of a loop or a switch.
    fn body(&mut self, is_loop: bool) -> Result<Statement> {
        self.breakable += 1;
        self.loops += u32::from(is_loop);
        let result = self.statement();
        self.breakable -= 1;
        self.loops -= u32::from(is_loop);
        result
    }

    fn for_loop(&mut self) -> Result<Statement> {
        let start = self.next().span;
        self.scopes.push(Scope::default());
        let result = self.for_parts(start);
        self.scopes.pop();
        result
    }

    fn for_parts(&mut self, start: crate::span::Span) -> Result<Statement> {
        self.expect("(")?;
        let mut list = Vec::new();
        if self.begins_type(0) {
            self.local_declaration(&mut list)?;
        } else if !self.takes(";") {
            let value = self.expression()?;
            let span = value.span;
            self.expect(";")?;
            let point = Some(self.point(span));
            list.push(Statement { kind: StatementKind::Expression(value), span, point });
        }
        let mut condition = None;
        if !self.is(";") {
            let value = self.expression()?;
            let value = self.scalar(value)?;
            condition = Some(self.pointed(value));
        }
        self.expect(";")?;
        let mut step = None;
        if !self.is(")") {
            let value = self.expression()?;
            step = Some(self.pointed(value));
        }
        self.expect(")")?;
        let body = Box::new(self.body(true)?);
        let span = start.to(self.last_span());
        let kind = StatementKind::For(condition, step, body);
        list.push(Statement { kind, span, point: None });
        Ok(Statement { kind: StatementKind::Block(list), span, point: None })
    }
}
