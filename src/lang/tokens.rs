//! The words and signs of a Cimple or C source with their positions, for code that edits the text.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::{Lexeme, Token, lex, lex_piece};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name; also of a type or a macro.
    Name,
    /// A word of the language.
    Keyword,
    /// An integer.
    Number,
    /// Anything else.
    Sign,
}

/// A token of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceToken {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Does it stand in a preprocessor's directive?
    pub directive: bool,
}

/// All tokens in order, without comments. Tokens of `#define` lines are included, those of other
/// directives are not. Linear; text that is no token is left out.
pub fn tokens(source: &str) -> Vec<SourceToken> {
    let mut ignored = Diagnostics::default();
    let lexed = lex(source, &mut ignored);
    let mut tokens = Vec::with_capacity(lexed.tokens.len());
    for lexeme in &lexed.tokens {
        match lexeme.token {
            Token::End | Token::Annotation => {}
            Token::Preprocessor => {
                let (start, end) = (lexeme.span.start as usize, lexeme.span.end as usize);
                let inside = lex_piece(source, start + 1, end, lexeme.span.line, &mut ignored);
                let is_define = inside.first().is_some_and(|word| text(source, word) == "define");
                if is_define {
                    tokens.extend(inside.iter().skip(1).map(|lexeme| token(lexeme, true)));
                }
            }
            _ => tokens.push(token(lexeme, false)),
        }
    }
    tokens
}

/// Has the source an annotation, `//@ …` or `/*@ … */`?
pub fn has_annotation(source: &str) -> bool {
    let lexed = lex(source, &mut Diagnostics::default());
    lexed.tokens.iter().any(|lexeme| lexeme.token == Token::Annotation)
}

fn text<'s>(source: &'s str, lexeme: &Lexeme) -> &'s str {
    source.get(lexeme.span.start as usize..lexeme.span.end as usize).unwrap_or_default()
}

fn token(lexeme: &Lexeme, directive: bool) -> SourceToken {
    let kind = match lexeme.token {
        Token::Identifier => TokenKind::Name,
        Token::Number => TokenKind::Number,
        Token::If
        | Token::Else
        | Token::While
        | Token::Do
        | Token::For
        | Token::Switch
        | Token::Case
        | Token::Default => TokenKind::Keyword,
        Token::Break | Token::Continue | Token::Goto | Token::Return | Token::Enum => {
            TokenKind::Keyword
        }
        _ => TokenKind::Sign,
    };
    SourceToken { kind, start: lexeme.span.start, end: lexeme.span.end, directive }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_cut_up_too() {
        let source = "#include <a.h>\n#define N 3 /* three */\nint x = N;";
        let found: Vec<(&str, bool)> = tokens(source)
            .iter()
            .map(|t| (&source[t.start as usize..t.end as usize], t.directive))
            .collect();
        assert_eq!(
            found,
            [
                ("N", true),
                ("3", true),
                ("int", false),
                ("x", false),
                ("=", false),
                ("N", false),
                (";", false)
            ]
        );
    }
}
