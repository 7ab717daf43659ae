//! The words and signs of `.pds`, line by line.

use crate::lang::model::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Name,
    Open,
    Close,
    Arrow,
    Comma,
    Left,
    Right,
    Bar,
    Star,
    Plus,
    Question,
    Dot,
    Other,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) sign: Sign,
    pub(super) text: &'a str,
    pub(super) span: Span,
}

/// Can this character be part of a name?
pub(super) fn in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'' | '$' | '@' | '⊥' | '⊤')
}

/// The tokens of a line and how far they are read.
#[derive(Default)]
pub(super) struct Line<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) at: usize,
    /// The place after its last token.
    pub(super) end: Span,
    /// The text without its comment, and the byte at which it starts.
    pub(super) code: &'a str,
    pub(super) start: usize,
}

impl<'a> Line<'a> {
    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek();
        self.at += 1;
        token
    }

    pub(super) fn skip(&mut self, sign: Sign) -> bool {
        let there = self.peek().is_some_and(|token| token.sign == sign);
        self.at += usize::from(there);
        there
    }

    /// The text from the next token on, and the byte at which that starts.
    pub(super) fn rest(&self) -> (&'a str, u32) {
        let start = self.place().start;
        (&self.code[start as usize - self.start..], start)
    }

    pub(super) fn place(&self) -> Span {
        self.peek().map_or(self.end, |token| token.span)
    }
}

/// Cuts a line, without its comment, into tokens. `start` and `line` are its first byte and its
/// number. Linear; never fails: text that is no token is `Other`.
pub(super) fn tokens(code: &str, start: usize, line: u32) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = code[at..].chars().next() {
        let rest = &code[at..];
        let (sign, length) = match c {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '<' => (Sign::Left, 1),
            '>' => (Sign::Right, 1),
            ',' => (Sign::Comma, 1),
            '(' => (Sign::Open, 1),
            ')' => (Sign::Close, 1),
            '|' => (Sign::Bar, 1),
            '*' => (Sign::Star, 1),
            '+' => (Sign::Plus, 1),
            '?' => (Sign::Question, 1),
            '.' => (Sign::Dot, 1),
            '-' if rest.starts_with("->") => (Sign::Arrow, 2),
            c if in_name(c) => (Sign::Name, rest.find(|c| !in_name(c)).unwrap_or(rest.len())),
            c => (Sign::Other, c.len_utf8()),
        };
        let span = Span { start: (start + at) as u32, end: (start + at + length) as u32, line };
        found.push(Token { sign, text: &rest[..length], span });
        at += length;
    }
    found
}
