//! From tokens to the syntax tree, by recursive descent.
//!
//! The parser is written by hand, without parser combinators. Recovery at `;` and `}` is explicit,
//! the stack per level of nesting is small and known (wasm has about 1 MB), and the page's worker
//! stays small.
//!
//! Nesting is capped *before* the parser goes down a level. A loop builds chains of operators, and
//! their depth is capped, so that every later walk over the tree is safe too. `else if` chains are
//! flat.

mod annotations;
mod braced_values;
mod c_types;
mod containment;
mod declarations;
mod expressions;
mod functions;
mod header_types;
mod initializers;
mod items;
mod literals;
mod operands;
mod statements;
mod types;

use crate::lang::contracts::Contract;
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::{Lexeme, Token};
use crate::lang::message::{Message, What, at_line};
use crate::lang::model::Span;
use crate::lang::syntax::{
    ArrayType, Expr, File, Item, Name, PointedType, Statement, StructType, Traits,
};
use crate::wire::options::DataModel;
use std::collections::BTreeSet;

/// Deepest nesting of statements and parentheses.
pub(crate) const MOST_NESTING: u32 = 256;
/// Deepest expression tree, which bounds operator chains.
pub(crate) const MOST_EXPRESSION_DEPTH: u16 = 500;

/// A syntax error that was reported. The caller resumes at a safe place.
pub(crate) struct Recover;

type Parsed<T> = Result<T, Recover>;

/// Reads a whole file. What could not be read is reported and left out.
pub(crate) fn parse(source: &str, tokens: &[Lexeme], diagnostics: &mut Diagnostics) -> File {
    let mut parser = Parser::new(source, tokens, diagnostics);
    parser.file()
}

/// Reads a C file from preprocessed tokens; `text` holds their spelling.
pub(crate) fn parse_c(
    text: &str,
    tokens: &[Lexeme],
    model: DataModel,
    diagnostics: &mut Diagnostics,
) -> File {
    let mut parser = Parser::new(text, tokens, diagnostics);
    parser.c = true;
    parser.model = model;
    File { traits: traits(text, tokens), ..parser.file() }
}

/// What the tokens of a C program say of all of it.
fn traits(text: &str, tokens: &[Lexeme]) -> Traits {
    let mut found = Traits::default();
    // Inside of `__attribute__((...))`: the number of its parentheses that are open.
    let mut attribute: Option<u32> = None;
    for (lexeme, next) in tokens.iter().zip(tokens.iter().skip(1)) {
        match (lexeme.token, &mut attribute) {
            (Token::OpenParen, Some(open)) => *open += 1,
            (Token::CloseParen, Some(open)) => {
                *open = open.saturating_sub(1);
                if *open == 0 {
                    attribute = None;
                }
            }
            (Token::Identifier, inside) => match lexeme.spelt_in(text) {
                "__attribute__" | "__attribute" => attribute = Some(0),
                "packed" | "__packed__" if inside.is_some() => found.packs = true,
                "aligned" | "__aligned__" if inside.is_some() => {
                    found.packs |= next.token == Token::OpenParen;
                }
                "pthread_create" | "thrd_create" => found.starts_threads = true,
                "errno" => found.reads_errno = true,
                _ => {}
            },
            _ => {}
        }
    }
    found
}

/// Reads one expression that fills the whole text; `None` if that was reported as wrong.
pub(crate) fn parse_expression(
    source: &str,
    tokens: &[Lexeme],
    diagnostics: &mut Diagnostics,
) -> Option<Expr> {
    Parser::new(source, tokens, diagnostics).only_expression()
}

/// As [`parse_expression`], of C: with its casts.
pub(crate) fn parse_c_expression(
    source: &str,
    tokens: &[Lexeme],
    diagnostics: &mut Diagnostics,
) -> Option<Expr> {
    let mut parser = Parser::new(source, tokens, diagnostics);
    parser.c = true;
    parser.only_expression()
}

pub(crate) use literals::{character_of, number_of};

struct Parser<'a> {
    source: &'a str,
    tokens: &'a [Lexeme],
    position: usize,
    nesting: u32,
    /// Is the language C? Otherwise it is Cimple.
    c: bool,
    /// Where `long` is as wide as `int`, it is read as `int`: all values are the same.
    model: DataModel,
    /// Types by block, innermost last; in Cimple there is one, of enumerations only.
    scopes: Vec<c_types::TypeScope>,
    structs: Vec<StructType>,
    /// What procedures give back to which there are pointers.
    procedure_types: Vec<PointedType>,
    array_types: Vec<ArrayType>,
    /// Number of enumerations so far.
    enumerations: u32,
    has_statement_expressions: bool,
    /// Was the type in parentheses that was read last one of procedures?
    procedure_type: bool,
    /// Number of open blocks inside expressions.
    inner_blocks: u32,
    /// Procedures that are declared inside others, or among other declarators.
    inner_functions: Vec<Item>,
    /// The declarations of values in braces, which come before the statement that is being read.
    literals: Vec<Statement>,
    /// Number of values in braces so far.
    literal_count: u32,
    /// Their names.
    braced_values: BTreeSet<String>,
    /// The contract of the procedure that comes next.
    contract: Option<Box<Contract>>,
    /// Open braces of statement blocks, to say which one is never closed.
    open_braces: Vec<Span>,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Parser<'a> {
    /// An expression that fills the whole text.
    fn only_expression(&mut self) -> Option<Expr> {
        let expression = self.expression().ok()?;
        match self.peek() {
            Token::End => Some(expression),
            _ => {
                self.unexpected("an operator or the end");
                None
            }
        }
    }

    fn new(source: &'a str, tokens: &'a [Lexeme], diagnostics: &'a mut Diagnostics) -> Self {
        Parser {
            source,
            tokens,
            position: 0,
            nesting: 0,
            c: false,
            model: DataModel::default(),
            scopes: vec![c_types::TypeScope::default()],
            structs: Vec::new(),
            procedure_types: Vec::new(),
            array_types: Vec::new(),
            enumerations: 0,
            has_statement_expressions: false,
            procedure_type: false,
            inner_blocks: 0,
            inner_functions: Vec::new(),
            literals: Vec::new(),
            literal_count: 0,
            braced_values: BTreeSet::new(),
            contract: None,
            open_braces: Vec::new(),
            diagnostics,
        }
    }

    fn peek(&self) -> Token {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Token {
        self.tokens.get(self.position + ahead).map_or(Token::End, |l| l.token)
    }

    fn span(&self) -> Span {
        self.span_at(0)
    }

    fn span_at(&self, ahead: usize) -> Span {
        let last = self.tokens.len() - 1;
        self.tokens[(self.position + ahead).min(last)].span
    }

    /// The place of the token before the current one.
    fn previous_span(&self) -> Span {
        self.tokens[self.position.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    fn spelt(&self, lexeme: Lexeme) -> &'a str {
        lexeme.spelt_in(self.source)
    }

    /// The spelling of the token that is `ahead` tokens after the current one.
    fn word_at(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.position + ahead).map_or("", |lexeme| self.spelt(*lexeme))
    }

    fn bump(&mut self) -> Lexeme {
        let lexeme = self.tokens[self.position.min(self.tokens.len() - 1)];
        if lexeme.token != Token::End {
            self.position += 1;
        }
        lexeme
    }

    fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, token: Token, what: &str) -> Parsed<Span> {
        if self.peek() == token {
            return Ok(self.bump().span);
        }
        self.unexpected(what);
        Err(Recover)
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let text = self.word_at(0);
        let span = self.expect(Token::Identifier, what)?;
        Ok(Name { text: text.to_string(), span })
    }

    /// Reports that the current token is not expected.
    fn unexpected(&mut self, expected: &str) {
        let span = self.span();
        let found = match self.peek() {
            Token::End => "the end of the program".to_string(),
            Token::Text => "a string".to_string(),
            _ => format!("`{}`", self.word_at(0).chars().take(40).collect::<String>()),
        };
        let hint = match self.peek() {
            Token::Text if !self.c => "strings are not modelled",
            Token::Preprocessor if !self.c => "choose C as the language, or remove the line",
            _ => "",
        };
        self.diagnostics.syntax_error(span, format!("expected {expected}, found {found}"), hint);
    }

    /// Reports a construct that is not modelled, by name.
    fn refuse(&mut self, what: What<'_>, span: Span, hint: &str) {
        self.diagnostics.error(span, what, hint);
    }

    /// As [`Self::refuse`], for a construct that may declare names. Later errors about these names
    /// would only be noise.
    fn refuse_whole(&mut self, what: What<'_>, span: Span, hint: &str) {
        self.diagnostics.syntax_error(span, what, hint);
    }

    /// Reads the `;` that ends a statement. If it is missing at the end of a line, this is reported
    /// there, and no token is skipped.
    fn semicolon(&mut self) -> Parsed<()> {
        if self.eat(Token::Semicolon) {
            return Ok(());
        }
        let before = self.previous_span();
        if self.span().line > before.line || matches!(self.peek(), Token::CloseBrace | Token::End) {
            let after = Span {
                start: before.end.saturating_sub(1).max(before.start),
                end: before.end,
                line: before.line,
            };
            let text = self
                .tokens
                .get(self.position.saturating_sub(1))
                .map_or("", |lexeme| self.spelt(*lexeme));
            self.diagnostics.syntax_error(after, format!("expected `;` after `{text}`"), "add `;`");
            let behind = Span { start: before.end, end: before.end, line: before.line };
            self.diagnostics.offer(behind, "", ";".to_string());
            return Ok(());
        }
        self.unexpected("`;`");
        Err(Recover)
    }

    /// Parses one level deeper. Beyond the cap, the rest of the file is not read.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MOST_NESTING {
            self.give_up(
                Message::from(at_line(&format!("nested deeper than {MOST_NESTING} levels"))),
                "split it into procedures or steps",
            );
            return Err(Recover);
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// Stops reading: the text after this place cannot be read in a useful way.
    fn give_up(&mut self, message: impl Into<Message>, hint: &str) {
        let span = self.span();
        self.diagnostics.syntax_error(span, message, hint);
        self.position = self.tokens.len() - 1;
        self.open_braces.clear();
    }

    /// Skips to a place where a statement may start: after a `;`, or before a brace.
    fn synchronise(&mut self) {
        loop {
            match self.peek() {
                Token::Semicolon => {
                    self.bump();
                    return;
                }
                Token::OpenBrace | Token::CloseBrace | Token::End => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Skips a balanced `{ … }`; the current token is the `{`.
    fn skip_block(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.bump().token {
                Token::OpenBrace => depth += 1,
                Token::CloseBrace => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return;
                    }
                }
                Token::End => return,
                _ => {}
            }
        }
    }
}
