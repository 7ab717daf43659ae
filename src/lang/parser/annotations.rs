//! Annotations among the tokens: contracts before procedures, assertions, invariants of loops.

use super::{Parsed, Parser, Recover};
use crate::lang::contracts::{self, Annotation, Clause, Says};
use crate::lang::lexer::{Lexeme, Token, lex_piece};
use crate::lang::model::Span;
use crate::lang::syntax::{Block, Statement, StatementKind, join};
use crate::lang::tree::{call, effect, ghost};

const HERE: &str = "write a contract before a procedure, `assert` or `loop invariant` inside";

impl Parser<'_> {
    /// An annotation outside of procedures: the contract of the one that follows.
    pub(super) fn annotation_before_item(&mut self) {
        let lexeme = self.bump();
        if !self.c {
            return self.refuse_annotation(lexeme, ONLY_ASSERT);
        }
        match self.annotation(lexeme) {
            Annotation::Contract(contract) => {
                self.leave_contract();
                self.contract = Some(Box::new(contract));
            }
            Annotation::Nothing => {}
            _ => self.refuse_annotation(lexeme, HERE),
        }
    }

    /// A contract before something else than a procedure says nothing.
    pub(super) fn leave_contract(&mut self) {
        if let Some(contract) = self.contract.take() {
            let what = crate::lang::message::is("a contract before what is no procedure");
            self.refuse(what, contract.span, HERE);
        }
    }

    /// An annotation in a block. Gives the statements that it stands for: if it is about a loop,
    /// with the loop.
    pub(super) fn annotation_in_block(&mut self) -> Parsed<Vec<Statement>> {
        let lexeme = self.bump();
        if !self.c {
            return Ok(self.plain_assertion(lexeme).into_iter().collect());
        }
        match self.annotation(lexeme) {
            Annotation::Assertion(clause) => Ok(vec![self.assertion(&clause)]),
            Annotation::Invariants(invariants) => Ok(vec![self.loop_of(&invariants, lexeme)?]),
            Annotation::Nothing => Ok(Vec::new()),
            Annotation::Contract(_) => {
                self.refuse_annotation(lexeme, HERE);
                Ok(Vec::new())
            }
        }
    }

    /// An annotation where one statement stands: it belongs to that statement.
    pub(super) fn annotated_statement(&mut self, start: Span) -> Parsed<Statement> {
        let mut statements = self.annotation_in_block()?;
        let is_loop = |s: &Statement| matches!(s.kind, StatementKind::Block(_));
        if !statements.last().is_some_and(is_loop) {
            statements.push(self.nested(Self::statement)?);
        }
        Ok(Statement { kind: StatementKind::Block(Block { statements, end: start }), span: start })
    }

    fn annotation(&mut self, lexeme: Lexeme) -> Annotation {
        contracts::read(lexeme.spelt_in(self.source), inside(lexeme), self.diagnostics)
    }

    fn refuse_annotation(&mut self, lexeme: Lexeme, hint: &str) {
        let text = lexeme.spelt_in(self.source);
        contracts::refuse(text, inside(lexeme), self.diagnostics, hint);
    }

    fn assertion(&mut self, clause: &Clause) -> Statement {
        if let Some(plain) = clause.formula.plain() {
            let span = join(clause.span, plain.span);
            return effect(call("assert", vec![plain], span));
        }
        let text = format!("the `assert` in line {} does not hold", clause.span.line);
        let says = Says { source: self.source, text, begins: "assert", at_call: false };
        ghost(contracts::require(&clause.formula, &says), clause.span)
    }

    fn loop_of(&mut self, invariants: &[Clause], lexeme: Lexeme) -> Parsed<Statement> {
        if self.peek() == Token::Annotation {
            let what = crate::lang::message::is("an annotation between a loop's own and the loop");
            self.refuse(what, self.span(), "put it before");
            return Err(Recover);
        }
        let own = self.nested(Self::statement)?;
        match contracts::with_invariants(invariants, own, self.source) {
            Ok(found) => Ok(found),
            Err(other) => {
                self.refuse_annotation(lexeme, "write it before a loop");
                Ok(*other)
            }
        }
    }

    /// Cimple has `//@ assert e;` alone.
    fn plain_assertion(&mut self, lexeme: Lexeme) -> Option<Statement> {
        let (start, end) = (lexeme.spelling.0 as usize, lexeme.spelling.1 as usize);
        let end = end - usize::from(self.source[start..end].ends_with('@'));
        let mut tokens = lex_piece(self.source, start, end, lexeme.span.line, self.diagnostics);
        if tokens.first().is_none_or(|first| first.spelt_in(self.source) != "assert") {
            self.refuse_annotation(lexeme, ONLY_ASSERT);
            return None;
        }
        tokens.push(Lexeme::new(Token::End, lexeme.span));
        let mut inner = Parser::new(self.source, &tokens, self.diagnostics);
        let statement = inner.statement().ok()?;
        if inner.peek() != Token::End {
            inner.unexpected("the end of the annotation");
        }
        Some(statement)
    }
}

const ONLY_ASSERT: &str =
    "only `//@ assert e;` is understood; remove it, or state the property as an assertion";

/// The place of an annotation's text.
fn inside(lexeme: Lexeme) -> Span {
    Span { start: lexeme.spelling.0, end: lexeme.spelling.1, line: lexeme.span.line }
}
