//! Tokens of Java (JLS, chapter 3). `>` is always a token of its own, so that `List<List<A>>` needs
//! no rule; the parser joins neighbours to `>>`, `>=` and the like.

use crate::mistake::{Read, Wrong, wrong};
use crate::span::Span;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// A word: a name or a keyword.
    Word,
    /// A whole number; does `L` stand behind it, and is it decimal?
    Integer { value: u64, long: bool, decimal: bool },
    /// A number with a point; is it a `float`?
    Floating { value: f64, single: bool },
    /// `'c'`
    Character(u16),
    /// `"text"`
    Text(String),
    /// A sign.
    Sign,
    /// The end of the text.
    End,
}

/// A token with its place.
#[derive(Clone, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) span: Span,
}

/// Longest signs first.
const SIGNS: [&str; 40] = [
    "<<=", "...", "->", "::", "++", "--", "&&", "||", "==", "!=", "<=", "+=", "-=", "*=", "/=",
    "&=", "|=", "^=", "%=", "<<", "(", ")", "{", "}", "[", "]", ";", ",", ".", "@", "=", ">", "<",
    "!", "~", "?", ":", "+", "-", "*",
];
const MORE_SIGNS: [&str; 5] = ["/", "&", "|", "^", "%"];

/// The tokens of a text, with [`Token::End`] at their end.
pub(crate) fn lex(source: &str) -> Read<Vec<Lexeme>> {
    let mut lexer = Lexer { source, at: 0, line: 1, tokens: Vec::new() };
    while lexer.next()? {}
    Ok(lexer.tokens)
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    line: u32,
    tokens: Vec<Lexeme>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        if c == '\n' {
            self.line += 1;
        }
        Some(c)
    }

    fn span_from(&self, start: usize, line: u32) -> Span {
        Span { start: start as u32, end: self.at as u32, line }
    }

    /// Skips blanks and comments.
    fn blanks(&mut self) -> Read<()> {
        loop {
            let (start, line) = (self.at, self.line);
            if self.rest().starts_with("//") {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.bump();
                }
            } else if self.rest().starts_with("/*") {
                self.at += 2;
                while !self.rest().starts_with("*/") {
                    if self.bump().is_none() {
                        return wrong(self.span_from(start, line), Wrong::NoToken);
                    }
                }
                self.at += 2;
            } else if self.peek().is_some_and(|c| c.is_whitespace() || c == '\u{feff}') {
                self.bump();
            } else {
                return Ok(());
            }
        }
    }

    /// Reads a token; false at the end.
    fn next(&mut self) -> Read<bool> {
        self.blanks()?;
        let (start, line) = (self.at, self.line);
        let Some(first) = self.peek() else {
            let span = self.span_from(start, line);
            self.tokens.push(Lexeme { token: Token::End, span });
            return Ok(false);
        };
        let second = self.rest().chars().nth(1);
        let token = match first {
            c if is_start(c) => {
                while self.peek().is_some_and(|c| is_start(c) || c.is_ascii_digit()) {
                    self.bump();
                }
                Token::Word
            }
            c if c.is_ascii_digit() => self.number(start, line)?,
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number(start, line)?,
            '\'' => {
                self.bump();
                let c = self.character(start, line, '\'')?;
                let ends = self.bump() == Some('\'');
                match c {
                    Some(c) if ends => Token::Character(c),
                    _ => return wrong(self.span_from(start, line), Wrong::NoToken),
                }
            }
            '"' => self.text(start, line)?,
            _ => {
                let found = SIGNS.iter().chain(&MORE_SIGNS).find(|s| self.rest().starts_with(**s));
                let Some(sign) = found else {
                    self.bump();
                    return wrong(self.span_from(start, line), Wrong::NoToken);
                };
                self.at += sign.len();
                Token::Sign
            }
        };
        let span = self.span_from(start, line);
        self.tokens.push(Lexeme { token, span });
        Ok(true)
    }

    fn text(&mut self, start: usize, line: u32) -> Read<Token> {
        let is_block = self.rest().starts_with("\"\"\"");
        self.at += if is_block { 3 } else { 1 };
        let mut text: Vec<u16> = Vec::new();
        loop {
            let ends = if is_block { "\"\"\"" } else { "\"" };
            if self.rest().starts_with(ends) {
                self.at += ends.len();
                let text = String::from_utf16_lossy(&text);
                return Ok(Token::Text(if is_block { without_indentation(&text) } else { text }));
            }
            if is_block && self.peek() == Some('\n') {
                self.bump();
                text.push(u16::from(b'\n'));
                continue;
            }
            let c = self.peek();
            match self.character(start, line, '\0')? {
                Some(first) => {
                    text.push(first);
                    if let Some(c) = c.filter(|c| c.len_utf16() == 2) {
                        let mut units = [0; 2];
                        text.push(c.encode_utf16(&mut units)[1]);
                    }
                }
                None => return wrong(self.span_from(start, line), Wrong::NoToken),
            }
        }
    }

    /// A character of a literal; `None` at the end of the line, and where the literal ends.
    fn character(&mut self, start: usize, line: u32, end: char) -> Read<Option<u16>> {
        let Some(c) = self.peek().filter(|c| *c != '\n' && *c != end) else { return Ok(None) };
        self.bump();
        if c != '\\' {
            let mut units = [0; 2];
            return Ok(Some(c.encode_utf16(&mut units)[0]));
        }
        let value = match self.bump() {
            Some('n') => 10,
            Some('t') => 9,
            Some('r') => 13,
            Some('b') => 8,
            Some('f') => 12,
            Some('s') => 32,
            Some(c @ ('\\' | '\'' | '"')) => c as u16,
            Some('u') => {
                while self.peek() == Some('u') {
                    self.bump();
                }
                let digits = self.rest().get(..4).unwrap_or_default();
                let Ok(value) = u16::from_str_radix(digits, 16) else {
                    return wrong(self.span_from(start, line), Wrong::NoToken);
                };
                self.at += 4;
                value
            }
            Some(c) if c.is_digit(8) => {
                let mut value = c.to_digit(8).unwrap_or(0);
                while value < 32
                    && let Some(d) = self.peek().and_then(|c| c.to_digit(8))
                {
                    self.bump();
                    value = value * 8 + d;
                }
                value as u16
            }
            _ => return wrong(self.span_from(start, line), Wrong::NoToken),
        };
        Ok(Some(value))
    }

    fn number(&mut self, start: usize, line: u32) -> Read<Token> {
        let lower = |k: usize, lexer: &Self| {
            lexer.rest().as_bytes().get(k).map(u8::to_ascii_lowercase).unwrap_or(0)
        };
        let radix = match (lower(0, self), lower(1, self)) {
            (b'0', b'x') => 16,
            (b'0', b'b') => 2,
            (b'0', b'0'..=b'9' | b'_') => 8,
            _ => 10,
        };
        if radix == 16 || radix == 2 {
            self.at += 2;
        }
        let digits_from = self.at;
        let is_digit = |c: char| c == '_' || c.is_digit(if radix == 16 { 16 } else { 10 });
        while self.peek().is_some_and(is_digit) {
            self.bump();
        }
        let mut is_floating = false;
        if radix == 10 || radix == 8 {
            if self.peek() == Some('.') && lower(1, self).is_ascii_digit()
                || self.peek() == Some('.')
                    && !is_start(char::from(lower(1, self)))
                    && lower(1, self) != b'.'
            {
                is_floating = true;
                self.bump();
                while self.peek().is_some_and(is_digit) {
                    self.bump();
                }
            }
            if matches!(self.peek(), Some('e' | 'E')) {
                is_floating = true;
                self.bump();
                if matches!(self.peek(), Some('+' | '-')) {
                    self.bump();
                }
                while self.peek().is_some_and(is_digit) {
                    self.bump();
                }
            }
        }
        let digits: String =
            self.source[digits_from..self.at].chars().filter(|c| *c != '_').collect();
        let suffix = self.peek().map(|c| c.to_ascii_lowercase());
        let no_token = |lexer: &Self| wrong(lexer.span_from(start, line), Wrong::NoToken);
        if is_floating || (radix == 10 || radix == 8) && matches!(suffix, Some('f' | 'd')) {
            let single = suffix == Some('f');
            if matches!(suffix, Some('f' | 'd')) {
                self.bump();
            }
            let value = match single {
                true => digits.parse::<f32>().map(f64::from).ok(),
                false => digits.parse::<f64>().ok(),
            };
            return match value {
                Some(value) => Ok(Token::Floating { value, single }),
                None => no_token(self),
            };
        }
        let long = suffix == Some('l');
        if long {
            self.bump();
        }
        if self.peek().is_some_and(is_start) || digits.is_empty() {
            return no_token(self);
        }
        match u64::from_str_radix(&digits, radix) {
            Ok(value) => Ok(Token::Integer { value, long, decimal: radix == 10 }),
            Err(_) => wrong(self.span_from(start, line), Wrong::TooLarge),
        }
    }
}

/// A text block without what indents all its lines (JLS 3.10.6).
fn without_indentation(text: &str) -> String {
    let Some((_, text)) = text.split_once('\n') else { return text.to_string() };
    let lines: Vec<&str> = text.split('\n').collect();
    let last = lines.len() - 1;
    let is_blank = |line: &str| line.trim().is_empty();
    let counted = lines.iter().enumerate().filter(|(k, line)| *k == last || !is_blank(line));
    let indentation = counted.map(|(_, line)| line.len() - line.trim_start().len()).min();
    let from = indentation.unwrap_or(0);
    let cut: Vec<&str> =
        lines.iter().map(|line| line.get(from..).unwrap_or("").trim_end()).collect();
    cut.join("\n")
}

fn is_start(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphabetic()
}
