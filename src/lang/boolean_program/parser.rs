//! From tokens to the syntax tree, by recursive descent, with recovery at statement ends.

use super::lexer::Token;
use super::syntax::*;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::message::{Message, at_line, is};
use crate::lang::model::Span;
use crate::lang::parser::MOST_EXPRESSION_DEPTH;
use crate::lang::reading::cursor::{Cursor, Parsed, Recover};
use crate::lang::reading::scan::{Lexeme, Sign};
use crate::lang::syntax::{Name, join};

type Parser<'a> = Cursor<'a, Token>;

/// Most results of one procedure: they are packed into one number.
const MOST_RESULTS: u32 = 64;

/// Reads a whole file. What could not be read is reported and left out.
pub(super) fn parse(source: &str, tokens: &[Lexeme<Token>], diagnostics: &mut Diagnostics) -> File {
    Parser::new(source, tokens, diagnostics).file()
}

/// Where reading resumes after an error.
fn resumes(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        Decl | Begin
            | End
            | If
            | While
            | Goto
            | Return
            | Fi
            | Od
            | Else
            | Elsif
            | Skip
            | Assert
            | Assume
            | Void
            | Bool
    )
}

impl Parser<'_> {
    fn file(&mut self) -> File {
        let mut file = File::default();
        loop {
            let before = self.position;
            let read = match self.peek() {
                Token::EndOfSource => return file,
                Token::Semicolon => {
                    self.bump();
                    Ok(())
                }
                Token::Decl => self.declaration(&mut file.globals),
                Token::Void | Token::Bool | Token::Identifier => {
                    self.procedure().map(|procedure| file.procedures.push(procedure))
                }
                _ => {
                    self.unexpected(
                        "a declaration or a procedure",
                        "write `decl g;` or `void main() begin … end`",
                    );
                    Err(Recover)
                }
            };
            if read.is_err() {
                while !matches!(
                    self.peek(),
                    Token::Decl | Token::Void | Token::Bool | Token::EndOfSource
                ) {
                    self.bump();
                }
                if self.position == before {
                    self.bump();
                }
            }
        }
    }

    /// `decl a, b;`; the current token is `decl`.
    fn declaration(&mut self, into: &mut Vec<Name>) -> Parsed<()> {
        self.bump();
        into.extend(self.names("a variable")?);
        self.semicolon()
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(Token::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn procedure(&mut self) -> Parsed<Procedure> {
        let start = self.span();
        let results = self.results()?;
        let name = self.name("the procedure's name")?;
        self.expect(Token::OpenParen, "`(`")?;
        let parameters =
            if self.peek() == Token::CloseParen { Vec::new() } else { self.names("a parameter")? };
        self.expect(Token::CloseParen, "`)`")?;
        let span = join(start, self.previous_span());
        self.expect(Token::Begin, "`begin`")?;
        let (mut locals, mut enforced, mut body) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            match self.peek() {
                Token::Decl if body.is_empty() => {
                    if self.declaration(&mut locals).is_err() {
                        self.synchronise(resumes);
                    }
                }
                Token::Enforce if body.is_empty() => {
                    self.bump();
                    match self.expression() {
                        Ok(e) => {
                            enforced.push(e);
                            let _ = self.semicolon();
                        }
                        Err(Recover) => self.synchronise(resumes),
                    }
                }
                _ => break,
            }
            if self.peek() == Token::EndOfSource {
                break;
            }
        }
        body.extend(self.statements());
        // After an error there may be a closing word whose opening word was not read.
        while self.diagnostics.is_broken()
            && matches!(self.peek(), Token::Fi | Token::Od | Token::Else | Token::Elsif)
        {
            self.bump();
            body.extend(self.statements());
        }
        let end = self.span();
        if !self.eat(Token::End) {
            let found = self.text(end).to_string();
            let message =
                format!("the procedure `{}` of line {} is never closed", name.text, span.line);
            match self.peek() {
                token if token.closes() => {
                    self.diagnostics.syntax_error(
                        end,
                        format!("`{found}` closes nothing"),
                        "remove it, or open what it closes",
                    );
                }
                _ => self.diagnostics.syntax_error(span, message, "add `end`"),
            }
            return Err(Recover);
        }
        Ok(Procedure { name, results, parameters, locals, enforced, body, span, end })
    }

    /// Reads the number of results, which stands before the name.
    fn results(&mut self) -> Parsed<u32> {
        if self.eat(Token::Void) || self.peek() == Token::Identifier {
            return Ok(0);
        }
        self.expect(Token::Bool, "`void` or `bool`")?;
        if !self.eat(Token::Less) {
            return Ok(1);
        }
        let span = self.expect(Token::Number, "how many values are returned")?;
        let count = self.text(span).parse::<u32>().unwrap_or(u32::MAX);
        if count > MOST_RESULTS {
            self.diagnostics.error(
                span,
                format!("more than {MOST_RESULTS} results"),
                "use globals",
            );
        }
        self.expect(Token::Greater, "`>`")?;
        Ok(count.min(MOST_RESULTS))
    }

    /// Reads statements, up to a word that closes them.
    fn statements(&mut self) -> Vec<Statement> {
        use Token::*;
        let mut statements = Vec::new();
        while !matches!(self.peek(), End | Fi | Od | Else | Elsif | EndOfSource | Void | Bool) {
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
        let (kind, span) = match self.peek() {
            Token::If => self.if_chain(start)?,
            Token::While => self.while_loop(start)?,
            Token::Begin => {
                self.bump();
                let body = self.statements();
                self.expect(Token::End, "`end`")?;
                (StatementKind::Block(body), start)
            }
            _ => {
                let kind = self.plain(start, &labels)?;
                let span = join(start, self.previous_span());
                self.semicolon()?;
                (kind, span)
            }
        };
        // `fi;`, `od;`
        if !matches!(kind, StatementKind::Skip) {
            while self.eat(Token::Semicolon) {}
        }
        Ok(Statement { labels, kind, span })
    }

    /// `if c then … elsif … else … fi`, or `if c begin … end else begin … end`.
    #[inline(never)]
    fn if_chain(&mut self, start: Span) -> Parsed<(StatementKind, Span)> {
        self.bump();
        let condition = self.expression()?;
        let span = join(start, self.previous_span());
        let mut branches = Vec::new();
        let mut otherwise = None;
        if self.peek() == Token::Begin {
            branches.push(Branch { condition, body: self.block()?, head: span });
            if self.eat(Token::Else) {
                otherwise = Some(self.block()?);
            }
            return Ok((StatementKind::If { branches, otherwise }, span));
        }
        self.expect(Token::Then, "`then` or `begin`")?;
        branches.push(Branch { condition, body: self.statements(), head: span });
        while self.peek() == Token::Elsif {
            let start = self.bump();
            let condition = self.expression()?;
            let head = join(start, self.previous_span());
            self.expect(Token::Then, "`then`")?;
            branches.push(Branch { condition, body: self.statements(), head });
        }
        if self.eat(Token::Else) {
            otherwise = Some(self.statements());
        }
        self.closed(Token::Fi, "fi", span)?;
        Ok((StatementKind::If { branches, otherwise }, span))
    }

    #[inline(never)]
    fn while_loop(&mut self, start: Span) -> Parsed<(StatementKind, Span)> {
        self.bump();
        let condition = self.expression()?;
        let span = join(start, self.previous_span());
        let body = if self.peek() == Token::Begin {
            self.block()?
        } else {
            self.expect(Token::Do, "`do` or `begin`")?;
            let body = self.statements();
            self.closed(Token::Od, "od", span)?;
            body
        };
        Ok((StatementKind::While { condition, body }, span))
    }

    /// `begin … end`.
    fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.expect(Token::Begin, "`begin`")?;
        let body = self.statements();
        self.expect(Token::End, "`end`")?;
        Ok(body)
    }

    fn closed(&mut self, token: Token, word: &str, head: Span) -> Parsed<()> {
        if self.eat(token) {
            return Ok(());
        }
        let hint = format!("add `{word}`: it closes line {}", head.line);
        self.unexpected(&format!("`{word}`"), &hint);
        Err(Recover)
    }

    /// Reads a statement without a statement inside.
    #[inline(never)]
    fn plain(&mut self, start: Span, labels: &[Name]) -> Parsed<StatementKind> {
        use StatementKind as Kind;
        let token = self.peek();
        if token == Token::Identifier {
            return self.named(labels);
        }
        if matches!(token, Token::Decl | Token::Enforce) {
            let word = self.text(start);
            let message = format!("`{word}` after a statement");
            self.diagnostics.syntax_error(start, message, "write it at the start of the procedure");
            return Err(Recover);
        }
        self.bump();
        Ok(match token {
            Token::Skip => Kind::Skip,
            Token::Print => Kind::Print(self.expressions()?),
            Token::Assert => Kind::Assert(self.expression()?),
            Token::Assume => Kind::Assume(self.expression()?),
            Token::Dead => Kind::Dead(self.names("a variable")?),
            Token::Goto => Kind::Goto(self.names("a label")?),
            Token::Return if self.peek() == Token::Semicolon || self.peek().closes() => {
                Kind::Return(Vec::new())
            }
            Token::Return => Kind::Return(self.expressions()?),
            Token::StartThread => {
                let callee = self.name("a procedure")?;
                Kind::StartThread { callee, arguments: self.arguments()? }
            }
            Token::EndThread => Kind::EndThread,
            Token::AtomicBegin => Kind::AtomicBegin,
            Token::AtomicEnd => Kind::AtomicEnd,
            _ => {
                self.position -= usize::from(token != Token::EndOfSource);
                self.unexpected("a statement", "");
                return Err(Recover);
            }
        })
    }

    /// Reads a call or an assignment.
    fn named(&mut self, labels: &[Name]) -> Parsed<StatementKind> {
        if self.peek_at(1) == Token::OpenParen {
            let callee = self.name("a procedure")?;
            let arguments = self.arguments()?;
            let is_thread = labels.iter().any(|label| is_asynchronous(&label.text));
            return Ok(match is_thread {
                true => StatementKind::StartThread { callee, arguments },
                false => StatementKind::Call { targets: Vec::new(), callee, arguments },
            });
        }
        let targets: Vec<Option<Name>> =
            self.names("a variable")?.into_iter().map(|n| (n.text != "_").then_some(n)).collect();
        self.expect(Token::Assign, "`:=`")?;
        if self.peek() == Token::Identifier && self.peek_at(1) == Token::OpenParen {
            let callee = self.name("a procedure")?;
            let arguments = self.arguments()?;
            if self.peek() == Token::Constrain {
                let span = self.span();
                self.refuse(
                    is("`constrain` behind a call"),
                    span,
                    "assume the condition in the next statement",
                );
                self.bump();
                self.expression()?;
            }
            return Ok(StatementKind::Call { targets, callee, arguments });
        }
        let values = self.expressions()?;
        let constraint = if self.eat(Token::Constrain) { Some(self.expression()?) } else { None };
        Ok(StatementKind::Assign { targets, values, constraint })
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(Token::OpenParen, "`(`")?;
        let arguments =
            if self.peek() == Token::CloseParen { Vec::new() } else { self.expressions()? };
        self.expect(Token::CloseParen, "`)`")?;
        Ok(arguments)
    }

    fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expression()?];
        while self.eat(Token::Comma) {
            list.push(self.expression()?);
        }
        Ok(list)
    }

    fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| parser.operators(0))
    }

    /// Operators at this strength or above: `=>` (to the right), `|`, `^`, `&`, then `=` and `!=`.
    fn operators(&mut self, strength: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some((op, own)) = binary_operator(self.peek()).filter(|(_, own)| *own >= strength)
        {
            self.bump();
            let right = if op == BinaryOp::Implies {
                self.nested(|p| p.operators(own))?
            } else {
                self.operators(own + 1)?
            };
            let depth = left.depth.max(right.depth) + 1;
            let span = join(left.span, right.span);
            if depth > MOST_EXPRESSION_DEPTH {
                self.give_up(
                    Message::from(at_line(&format!(
                        "an expression deeper than {MOST_EXPRESSION_DEPTH} operators"
                    ))),
                    "split it",
                );
                return Err(Recover);
            }
            left =
                Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span, depth };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        match self.peek() {
            Token::Not | Token::Tilde => {
                self.bump();
                let inner = self.nested(Self::unary)?;
                let (span, depth) = (join(start, inner.span), inner.depth + 1);
                Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span, depth })
            }
            Token::OpenParen => {
                self.bump();
                let inner = self.expression()?;
                let close = self.expect(Token::CloseParen, "`)`")?;
                Ok(Expr { span: join(start, close), ..inner })
            }
            Token::Star | Token::Question => Ok(leaf(ExprKind::Choice, self.bump())),
            Token::Number => self.number(),
            Token::Tick => {
                self.bump();
                let name = self.name("a variable")?;
                Ok(leaf(ExprKind::Ticked(name.text), join(start, name.span)))
            }
            Token::Identifier => self.name_or_constant(),
            Token::Schoose => {
                self.bump();
                self.expect(Token::OpenBracket, "`[`")?;
                let positive = self.expression()?;
                self.expect(Token::Comma, "`,`")?;
                let negative = self.expression()?;
                let close = self.expect(Token::CloseBracket, "`]`")?;
                let depth = positive.depth.max(negative.depth) + 1;
                Ok(Expr {
                    kind: ExprKind::Schoose(Box::new([positive, negative])),
                    span: join(start, close),
                    depth,
                })
            }
            _ => {
                self.unexpected("an expression", "");
                Err(Recover)
            }
        }
    }

    /// `0` or `1`.
    fn number(&mut self) -> Parsed<Expr> {
        let span = self.bump();
        match self.text(span) {
            "0" => Ok(leaf(ExprKind::Truth(false), span)),
            "1" => Ok(leaf(ExprKind::Truth(true), span)),
            other => {
                let message = format!(
                    "`{}` is not a truth value",
                    other.chars().take(40).collect::<String>()
                );
                self.diagnostics.syntax_error(span, message, "numbers here are 0 and 1");
                Err(Recover)
            }
        }
    }

    /// Reads a variable, perhaps with a tick after it, or a constant.
    fn name_or_constant(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let name = self.name("a variable")?;
        if self.peek() == Token::OpenParen {
            self.refuse(
                is("a call inside an expression"),
                name.span,
                "call it before: `t := f(x);`",
            );
            self.arguments()?;
            return Ok(leaf(ExprKind::Truth(false), start));
        }
        if self.eat(Token::Tick) {
            return Ok(leaf(ExprKind::Ticked(name.text), join(start, self.previous_span())));
        }
        let kind = match name.text.as_str() {
            "T" => ExprKind::Truth(true),
            "F" => ExprKind::Truth(false),
            _ => ExprKind::Name(name.text),
        };
        Ok(leaf(kind, name.span))
    }
}

fn leaf(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span, depth: 1 }
}

/// `ASYNC_1`: the call after this label starts a thread.
fn is_asynchronous(label: &str) -> bool {
    label
        .strip_prefix("ASYNC_")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

fn binary_operator(token: Token) -> Option<(BinaryOp, u8)> {
    Some(match token {
        Token::Implies => (BinaryOp::Implies, 1),
        Token::Or | Token::OrOr => (BinaryOp::Or, 2),
        Token::Xor => (BinaryOp::Xor, 3),
        Token::And | Token::AndAnd => (BinaryOp::And, 4),
        Token::Equal | Token::EqualEqual => (BinaryOp::Equal, 5),
        Token::NotEqual => (BinaryOp::NotEqual, 5),
        _ => return None,
    })
}
