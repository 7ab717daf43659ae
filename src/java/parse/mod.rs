//! The parser: recursive descent with a bounded depth (JLS, chapters 7 to 15).

mod declarations;
mod expressions;
mod records;
mod references;
mod statements;
mod types;

use crate::mistake::{Read, Wrong, wrong};
use crate::span::Span;
use crate::token::{Lexeme, Token, lex};
use crate::tree::{Name, Unit};

/// So deep do things stand inside of others.
const MOST_DEPTH: u16 = 60;
/// So deep are expressions.
const MOST_EXPRESSION: u16 = 100;

/// The tree of a text, or the first mistake.
pub(crate) fn parse(source: &str) -> Read<Unit> {
    let tokens = lex(source)?;
    Parser { source, tokens, at: 0, depth: 0, is_library: false }.unit()
}

/// The tree of the library: it has no places in the program's text.
pub(crate) fn parse_library(source: &str) -> Read<Unit> {
    let tokens = lex(source)?;
    Parser { source, tokens, at: 0, depth: 0, is_library: true }.unit()
}

struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Lexeme>,
    at: usize,
    depth: u16,
    is_library: bool,
}

impl<'s> Parser<'s> {
    fn lexeme(&self, ahead: usize) -> &Lexeme {
        // The last token is the end.
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// The spelling of a token that is a word or a sign; empty for others.
    fn spelt(&self, ahead: usize) -> &'s str {
        let lexeme = self.lexeme(ahead);
        match lexeme.token {
            Token::Word | Token::Sign => {
                let span = lexeme.span;
                self.source.get(span.start as usize..span.end as usize).unwrap_or_default()
            }
            _ => "",
        }
    }

    fn is(&self, spelling: &str) -> bool {
        self.spelt(0) == spelling
    }

    fn span(&self) -> Span {
        self.shown(self.lexeme(0).span)
    }

    fn shown(&self, span: Span) -> Span {
        if self.is_library { Span::default() } else { span }
    }

    /// The place of the token before.
    fn last(&self) -> Span {
        self.shown(self.tokens[self.at.saturating_sub(1)].span)
    }

    fn from(&self, start: Span) -> Span {
        start.to(self.last())
    }

    fn bump(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn accept(&mut self, spelling: &str) -> bool {
        let is = self.is(spelling);
        if is {
            self.bump();
        }
        is
    }

    fn expect(&mut self, spelling: &'static str) -> Read<Span> {
        let span = self.span();
        match self.accept(spelling) {
            true => Ok(span),
            false => self.expected(spelling),
        }
    }

    fn expected<T>(&self, what: &'static str) -> Read<T> {
        wrong(self.span(), Wrong::Expected(what))
    }

    fn is_name(&self, ahead: usize) -> bool {
        self.lexeme(ahead).token == Token::Word && !is_keyword(self.spelt(ahead))
    }

    fn name(&mut self) -> Read<Name> {
        if !self.is_name(0) {
            return self.expected("a name");
        }
        let name = Name { text: self.spelt(0).to_string(), span: self.span() };
        self.bump();
        Ok(name)
    }

    /// Reads something one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MOST_DEPTH {
            return wrong(self.span(), Wrong::TooDeep);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Do signs of this spelling stand here, one right behind the other?
    fn is_joined(&self, signs: &[&str]) -> bool {
        let joined = |k: usize| self.lexeme(k - 1).span.end == self.lexeme(k).span.start;
        signs.iter().enumerate().all(|(k, sign)| self.spelt(k) == *sign && (k == 0 || joined(k)))
    }
}

/// Is it a reserved word (JLS 3.9)?
fn is_keyword(word: &str) -> bool {
    const WORDS: [&str; 53] = [
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "try",
        "void",
        "volatile",
        "while",
        "true",
        "false",
        "null",
    ];
    WORDS.contains(&word)
}
