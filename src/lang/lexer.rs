//! From text to tokens with spans. Comments are left out. Directives (`//! key = value`) are kept
//! in a list of their own. An annotation (`//@ …`, `/*@ … */`) is one token: leaving it out could
//! change a verdict.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::lines::Lines;
use crate::lang::model::Span;
use crate::util::names::is_name;
use logos::{Lexer, Logos};

/// The words and signs of Cimple. Type names are identifiers: only the parser knows which of them
/// are types.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"([ \t\r\n\x0b\x0c]|\\\r?\n)+")]
#[rustfmt::skip]
pub(crate) enum Token {
    #[regex(r"[A-Za-z_\u{AA}\u{B5}\u{BA}\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{1FFF}\u{2071}-\u{218F}\u{2C00}-\u{2DFF}\u{2E80}-\u{2FFF}\u{3005}-\u{3007}\u{3021}-\u{FDFF}\u{FE20}-\u{FEFE}\u{FF10}-\u{FF19}\u{FF21}-\u{FFEF}\u{10000}-\u{1EFFF}\u{20000}-\u{EFFFF}][A-Za-z0-9_\u{AA}\u{B5}\u{B7}\u{BA}\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{1FFF}\u{203F}\u{2040}\u{2054}\u{2071}-\u{218F}\u{2C00}-\u{2DFF}\u{2E80}-\u{2FFF}\u{3005}-\u{3007}\u{3021}-\u{FDFF}\u{FE20}-\u{FEFE}\u{FF10}-\u{FF19}\u{FF21}-\u{FFEF}\u{10000}-\u{1EFFF}\u{20000}-\u{EFFFF}]*", |lexer| is_word(lexer.slice()))] Identifier,
    #[regex(r"[0-9][0-9A-Za-z_]*")] Number,
    #[regex(r"[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?[fFlL]?")]
    #[regex(r"[0-9]+[eE][+-][0-9]+[fFlL]?")]
    #[regex(r"0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+[fFlL]?", priority = 100)]
    #[regex(r"\.[0-9]+([eE][+-]?[0-9]+)?[fFlL]?")] Float,
    #[regex(r"'([^'\\\n]|\\[^\n])*'")] Character,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)] Text,
    #[regex(r"//[^\n]*", allow_greedy = true)] LineComment,
    #[token("/*", block_comment)] BlockComment,
    #[regex(r"#([^\n\\]|\\\r?\n|\\[^\n])*", allow_greedy = true)] Preprocessor,

    #[token("if")] If, #[token("else")] Else, #[token("while")] While, #[token("do")] Do, #[token("for")] For,
    #[token("switch")] Switch, #[token("case")] Case, #[token("default")] Default, #[token("break")] Break,
    #[token("continue")] Continue, #[token("goto")] Goto, #[token("return")] Return, #[token("enum")] Enum,

    #[token("(")] OpenParen, #[token(")")] CloseParen, #[token("[")] OpenBracket, #[token("]")] CloseBracket,
    #[token("{")] OpenBrace, #[token("}")] CloseBrace, #[token(";")] Semicolon, #[token(",")] Comma, #[token(":")] Colon,
    #[token("?")] Question, #[token(".")] Dot, #[token("->")] Arrow, #[token("...")] Ellipsis,
    #[token("=")] Assign, #[token("+=")] PlusAssign, #[token("-=")] MinusAssign, #[token("*=")] StarAssign, #[token("/=")] SlashAssign,
    #[token("%=")] PercentAssign, #[token("<<=")] ShiftLeftAssign, #[token(">>=")] ShiftRightAssign, #[token("&=")] AndAssign,
    #[token("|=")] OrAssign, #[token("^=")] XorAssign, #[token("++")] Increment, #[token("--")] Decrement,
    #[token("+")] Plus, #[token("-")] Minus, #[token("*")] Star, #[token("/")] Slash, #[token("%")] Percent,
    #[token("<<")] ShiftLeft, #[token(">>")] ShiftRight, #[token("&")] And, #[token("|")] Or, #[token("^")] Xor, #[token("~")] Tilde,
    #[token("!")] Not, #[token("&&")] AndAnd, #[token("||")] OrOr, #[token("==")] Equal, #[token("!=")] NotEqual,
    #[token("<")] Less, #[token("<=")] LessEqual, #[token(">")] Greater, #[token(">=")] GreaterEqual,

    /// `//@ …` or `/*@ … */`; its spelling is the text inside. The expressions above never make it.
    Annotation,
    /// The end of the source. The lexer never makes it.
    End,
}

/// The expression above takes whole blocks of characters: a table of every letter would be large.
fn is_word(text: &str) -> bool {
    text.is_ascii() || is_name(text)
}

fn block_comment(lexer: &mut Lexer<'_, Token>) -> bool {
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            true
        }
        None => {
            lexer.bump(lexer.remainder().len());
            false
        }
    }
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    /// Its place in the source. The place of a token that a macro makes is the place where the
    /// macro is used.
    pub(crate) span: Span,
    /// The bytes that spell it. They differ from `span` for a token that a macro makes.
    pub(crate) spelling: (u32, u32),
}

impl Lexeme {
    /// A token whose spelling is at its place.
    pub(crate) fn new(token: Token, span: Span) -> Lexeme {
        Lexeme { token, span, spelling: (span.start, span.end) }
    }

    /// Its text in the source that it was read from.
    pub(crate) fn spelt_in(self, text: &str) -> &str {
        &text[self.spelling.0 as usize..self.spelling.1 as usize]
    }
}

/// The text after `//!`.
#[derive(Clone, Debug)]
pub(crate) struct DirectiveText {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// The result of [`lex`].
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    /// Ends with [`Token::End`].
    pub(crate) tokens: Vec<Lexeme>,
    pub(crate) directives: Vec<DirectiveText>,
    /// The texts of comments `/*! rule … */`.
    pub(crate) rules: Vec<DirectiveText>,
}

/// Cuts `source` into tokens, in linear time. It never fails: text that is no token is reported (a
/// run of such characters once) and left out.
pub(crate) fn lex(source: &str, diagnostics: &mut Diagnostics) -> Lexed {
    let mut lexed = Lexed::default();
    let mut lines = Lines::new(source);
    // A byte order mark says nothing.
    let start = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    scan(&source[start..], start, &mut lines, &mut lexed, diagnostics);
    let end = lines.span(source.len(), source.len());
    lexed.tokens.push(Lexeme::new(Token::End, end));
    lexed
}

/// The tokens of a piece of the source: from byte `start`, in line `line`, to `end`. Without
/// [`Token::End`].
pub(crate) fn lex_piece(
    source: &str,
    start: usize,
    end: usize,
    line: u32,
    diagnostics: &mut Diagnostics,
) -> Vec<Lexeme> {
    let mut lexed = Lexed::default();
    let place = Span { start: start as u32, end: end as u32, line };
    let mut lines = Lines::new(source).from(place);
    scan(&source[start..end], start, &mut lines, &mut lexed, diagnostics);
    lexed.tokens
}

/// Tokens of `text`, which starts at byte `base` of the source.
fn scan(
    text: &str,
    base: usize,
    lines: &mut Lines<'_>,
    lexed: &mut Lexed,
    diagnostics: &mut Diagnostics,
) {
    let mut lexer = Token::lexer(text);
    let mut garbage_end = usize::MAX;
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = lines.span(base + range.start, base + range.end);
        let slice = lexer.slice();
        match result {
            Ok(Token::LineComment) => line_comment(slice, span, base + range.start, lexed),
            Ok(Token::BlockComment) => {
                if let Some(text) = rule_in(slice) {
                    lexed.rules.push(DirectiveText { text: text.to_string(), span });
                }
                if let Some(annotation) = slice.strip_prefix("/*@") {
                    let inner = annotation.strip_suffix("*/").unwrap_or(annotation);
                    annotate(inner, span, base + range.start + 3, lexed);
                }
            }
            Ok(token) => lexed.tokens.push(Lexeme::new(token, span)),
            Err(()) if slice.starts_with("/*") => {
                diagnostics.syntax_error(span, "this comment is never closed", "end it with `*/`")
            }
            Err(()) => {
                if garbage_end != range.start {
                    let shown: String = slice.chars().take(12).collect();
                    diagnostics.syntax_error(
                        span,
                        format!("unexpected character `{}`", shown.escape_debug()),
                        garbage_hint(&shown),
                    );
                }
                garbage_end = range.end;
            }
        }
    }
}

/// The text of a comment `/*! rule … */`, from behind the `!` on.
fn rule_in(comment: &str) -> Option<&str> {
    let text = comment.strip_prefix("/*!")?.strip_suffix("*/")?;
    let rest = text.trim_start().strip_prefix("rule")?;
    rest.starts_with([' ', '\t', '"']).then_some(text)
}

fn garbage_hint(text: &str) -> &'static str {
    match text.chars().next() {
        Some('"') => "close it by `\"` in the same line",
        Some('\'') => "write a character like 'a' or '\\n'",
        _ => "remove it",
    }
}

fn line_comment(slice: &str, span: Span, start: usize, lexed: &mut Lexed) {
    if let Some(directive) = slice.strip_prefix("//!") {
        lexed.directives.push(DirectiveText { text: directive.trim().to_string(), span });
    } else if let Some(annotation) = slice.strip_prefix("//@") {
        annotate(annotation, span, start + 3, lexed);
    }
}

/// Adds an annotation, of which the text starts at byte `base`.
fn annotate(text: &str, span: Span, base: usize, lexed: &mut Lexed) {
    let spelling = (base as u32, (base + text.len()) as u32);
    lexed.tokens.push(Lexeme { token: Token::Annotation, span, spelling });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str) -> (Vec<Token>, Vec<String>) {
        let mut diagnostics = Diagnostics::default();
        let lexed = lex(source, &mut diagnostics);
        let messages = diagnostics.finish().into_iter().map(|d| d.message).collect();
        (lexed.tokens.iter().map(|l| l.token).collect(), messages)
    }

    #[test]
    fn comments_go_and_lines_count() {
        let mut diagnostics = Diagnostics::default();
        let lexed = lex("a // one\n/* two\nthree */ b", &mut diagnostics);
        let lines: Vec<u32> = lexed.tokens.iter().map(|l| l.span.line).collect();
        assert_eq!(lines, [1, 3, 3]);
    }

    #[test]
    fn longest_match() {
        use Token::*;
        assert_eq!(tokens("a<<=b").0, [Identifier, ShiftLeftAssign, Identifier, End]);
        assert_eq!(tokens("iffy 1.5 0x1F").0, [Identifier, Float, Number, End]);
        assert_eq!(
            tokens("\u{feff}ifä größe=数;").0,
            [Identifier, Identifier, Assign, Identifier, Semicolon, End]
        );
        assert_eq!(tokens("x 😀 y").1, ["unexpected character `😀`"]);
    }

    #[test]
    fn annotations() {
        use Token::*;
        let source = "x //@ assert x;\n/*@ requires y; */";
        let lexed = lex(source, &mut Diagnostics::default());
        let found: Vec<Token> = lexed.tokens.iter().map(|l| l.token).collect();
        assert_eq!(found, [Identifier, Annotation, Annotation, End]);
        assert_eq!(lexed.tokens[1].spelt_in(source), " assert x;");
        assert_eq!(lexed.tokens[2].spelt_in(source), " requires y; ");
        assert_eq!(lexed.tokens[2].span.line, 2);
    }

    #[test]
    fn directives_anywhere_on_a_line() {
        let mut diagnostics = Diagnostics::default();
        let lexed = lex("int x; //! bits = 3\n", &mut diagnostics);
        assert_eq!(lexed.directives[0].text, "bits = 3");
    }

    #[test]
    fn garbage_is_reported_once_per_run() {
        assert_eq!(tokens("a @@@@ b").1, ["unexpected character `@`"]);
        assert_eq!(tokens("/* x").1, ["this comment is never closed"]);
    }
}
