//! From text to tokens with spans, for any set of words and signs.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::DirectiveText;
use crate::lang::lines::Lines;
use crate::lang::model::Span;
use logos::{Lexer, Logos};

/// The words and signs of one language.
pub(in crate::lang) trait Sign:
    for<'s> Logos<'s, Source = str, Error = ()> + Copy + PartialEq
{
    /// The end of the source. The lexer never makes it.
    const END: Self;
    /// A name.
    const IDENTIFIER: Self;
    /// Ends a statement.
    const SEMICOLON: Self;
    /// Is it a comment?
    fn is_comment(self) -> bool;
    /// Does it end the block around it, so that no statement can start with it?
    fn closes(self) -> bool;
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(in crate::lang) struct Lexeme<T> {
    pub(in crate::lang) token: T,
    pub(in crate::lang) span: Span,
}

/// Cuts `source` into tokens, the last of which is [`Sign::END`], and directives, in linear time.
/// It never fails: text that is no token is reported (a run of such characters once) and left out.
pub(in crate::lang) fn scan<T: Sign>(
    source: &str,
    diagnostics: &mut Diagnostics,
) -> (Vec<Lexeme<T>>, Vec<DirectiveText>)
where
    for<'s> <T as Logos<'s>>::Extras: Default,
{
    let mut tokens = Vec::new();
    let mut directives = Vec::new();
    let mut lines = Lines::new(source);
    let mut lexer: Lexer<'_, T> = T::lexer(source);
    let mut garbage_end = usize::MAX;
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = lines.span(range.start, range.end);
        let slice = lexer.slice();
        match result {
            Ok(token) if token.is_comment() => {
                if let Some(text) = slice.strip_prefix("//!") {
                    directives.push(DirectiveText { text: text.trim().to_string(), span });
                }
            }
            Ok(token) => tokens.push(Lexeme { token, span }),
            Err(()) if slice.starts_with("/*") => {
                diagnostics.syntax_error(span, "this comment is never closed", "end it with `*/`")
            }
            Err(()) => {
                if garbage_end != range.start {
                    let shown: String = slice.chars().take(12).collect();
                    diagnostics.syntax_error(
                        span,
                        format!("unexpected character `{}`", shown.escape_debug()),
                        "remove it",
                    );
                }
                garbage_end = range.end;
            }
        }
    }
    tokens.push(Lexeme { token: T::END, span: lines.span(source.len(), source.len()) });
    (tokens, directives)
}

/// For a lexer's `/*`: takes the rest of the comment; false if it never ends.
pub(in crate::lang) fn block_comment<'s, T: Logos<'s, Source = str>>(
    lexer: &mut Lexer<'s, T>,
) -> bool {
    let rest = lexer.remainder();
    let end = rest.find("*/");
    lexer.bump(end.map_or(rest.len(), |length| length + 2));
    end.is_some()
}
