//! JSON (RFC 8259) with the place of every value, so that errors in an instance can be shown at
//! their place.
//!
//! Instances have millions of values. So a document is one flat list of small entries beside the
//! text, and a value is read off the text when it is looked at.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::Span;
use std::borrow::Cow;

/// Deepest nesting of arrays and objects.
const DEEPEST: usize = 64;

/// A text that is JSON.
pub(super) struct Document<'s> {
    source: &'s str,
    /// The values in the order of their first characters; keys of objects count as values.
    entries: Vec<Entry>,
    /// The places of all ends of lines, in bytes.
    lines: Vec<u32>,
}

/// A value of a document: where it is, in bytes, and the number of the first entry behind it and
/// everything in it.
#[derive(Clone, Copy)]
struct Entry {
    start: u32,
    end: u32,
    after: u32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    True,
    False,
    Number,
    /// A text without escapes.
    Plain,
    /// A text with escapes.
    Escaped,
    Array,
    Object,
}

/// A value of a document.
#[derive(Clone, Copy)]
pub(super) struct Value<'d> {
    document: &'d Document<'d>,
    entry: Entry,
    /// The number of the entry behind its own.
    next: u32,
}

/// What a value is.
pub(super) enum Json<'d> {
    Null,
    Truth(bool),
    /// As written.
    Number(&'d str),
    Text(Cow<'d, str>),
    Array(Items<'d>),
    /// Keys and values, in source order; keys may repeat.
    Object(Members<'d>),
}

/// The values in an array.
#[derive(Clone)]
pub(super) struct Items<'d> {
    document: &'d Document<'d>,
    at: u32,
    end: u32,
}

/// The keys of an object, each with its value.
#[derive(Clone)]
pub(super) struct Members<'d>(Items<'d>);

impl<'d> Value<'d> {
    /// What it is.
    pub(super) fn json(self) -> Json<'d> {
        let Entry { start, end, after, kind } = self.entry;
        let items = Items { document: self.document, at: self.next, end: after };
        let written = &self.document.source[start as usize..end as usize];
        match kind {
            Kind::Null => Json::Null,
            Kind::True => Json::Truth(true),
            Kind::False => Json::Truth(false),
            Kind::Number => Json::Number(written),
            Kind::Plain | Kind::Escaped => Json::Text(self.text()),
            Kind::Array => Json::Array(items),
            Kind::Object => Json::Object(Members(items)),
        }
    }

    /// The text that it is; empty if it is no text. Keys are texts.
    pub(super) fn text(self) -> Cow<'d, str> {
        let Entry { start, end, kind, .. } = self.entry;
        match kind {
            Kind::Plain => {
                Cow::Borrowed(&self.document.source[start as usize + 1..end as usize - 1])
            }
            Kind::Escaped => {
                Cow::Owned(unescaped(&self.document.source[start as usize + 1..end as usize - 1]))
            }
            _ => Cow::Borrowed(""),
        }
    }

    /// Its place. The line is that of its first character.
    pub(super) fn span(self) -> Span {
        let Entry { start, end, .. } = self.entry;
        let line = self.document.lines.partition_point(|newline| *newline < start) as u32 + 1;
        Span { start, end, line }
    }

    /// The number of objects in it.
    pub(super) fn objects(self) -> usize {
        let within = self.next as usize..self.entry.after as usize;
        let entries = self.document.entries.get(within).unwrap_or_default();
        entries.iter().filter(|entry| entry.kind == Kind::Object).count()
    }

    /// "a number", for messages.
    pub(super) fn kind(self) -> &'static str {
        match self.entry.kind {
            Kind::Null => "null",
            Kind::True | Kind::False => "a truth value",
            Kind::Number => "a number",
            Kind::Plain | Kind::Escaped => "a text",
            Kind::Array => "an array",
            Kind::Object => "an object",
        }
    }
}

impl<'d> Iterator for Items<'d> {
    type Item = Value<'d>;

    fn next(&mut self) -> Option<Value<'d>> {
        let within = self.at < self.end;
        let entry = *self.document.entries.get(self.at as usize).filter(|_| within)?;
        let value = Value { document: self.document, entry, next: self.at + 1 };
        self.at = entry.after;
        Some(value)
    }
}

impl<'d> Iterator for Members<'d> {
    type Item = (Value<'d>, Value<'d>);

    fn next(&mut self) -> Option<(Value<'d>, Value<'d>)> {
        Some((self.0.next()?, self.0.next()?))
    }
}

impl<'s> Document<'s> {
    /// Reads one value that fills the whole text, in linear time. Reports the first error.
    pub(super) fn read(source: &'s str, diagnostics: &mut Diagnostics) -> Option<Document<'s>> {
        // Each value but the first stands behind one of these signs, so this is room for all.
        let sign = |byte: &&u8| matches!(**byte, b',' | b':' | b'[' | b'{');
        let most = source.as_bytes().iter().filter(sign).count() + 1;
        let mut reader = Reader { source, at: 0, entries: Vec::with_capacity(most) };
        let read = reader.value(0).and_then(|()| {
            reader.blanks();
            match reader.at == source.len() {
                true => Ok(()),
                false => Err(reader.wrong(
                    "the text goes on behind the end of the instance",
                    "remove what follows",
                )),
            }
        });
        match read {
            Ok(()) => {
                let newlines = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
                let lines = newlines.map(|(at, _)| at as u32).collect();
                Some(Document { source, entries: reader.entries, lines })
            }
            Err(Wrong { span, message, hint }) => {
                diagnostics.syntax_error(span, message, hint);
                None
            }
        }
    }

    /// The whole value; `None` never, since a document has one.
    pub(super) fn whole(&self) -> Option<Value<'_>> {
        let end = self.entries.len() as u32;
        Items { document: self, at: 0, end }.next()
    }
}

struct Wrong {
    span: Span,
    message: String,
    hint: &'static str,
}

struct Reader<'s> {
    source: &'s str,
    at: usize,
    entries: Vec<Entry>,
}

impl<'s> Reader<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn blanks(&mut self) {
        let blank = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'\r' | b'\n');
        self.at += self.rest().as_bytes().iter().take_while(blank).count();
    }

    fn wrong(&mut self, message: impl Into<String>, hint: &'static str) -> Wrong {
        let start = self.at;
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        let before = &self.source.as_bytes()[..start];
        let span = Span {
            start: start as u32,
            end: (start + length) as u32,
            line: before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1,
        };
        Wrong { span, message: message.into(), hint }
    }

    fn expected(&mut self, what: &str) -> Wrong {
        let found = match self.rest().chars().next() {
            None => "the end of the text".to_string(),
            Some(c) => format!("`{}`", c.escape_debug()),
        };
        self.wrong(
            format!("expected {what}, found {found}"),
            "the file is to be JSON: an instance as PDAAAL writes it",
        )
    }

    fn eat(&mut self, sign: u8) -> bool {
        self.blanks();
        let there = self.rest().as_bytes().first() == Some(&sign);
        self.at += usize::from(there);
        there
    }

    /// Reads a value: enters it and everything in it.
    fn value(&mut self, depth: usize) -> Result<(), Wrong> {
        self.blanks();
        if depth > DEEPEST {
            return Err(self.wrong(
                format!("arrays and objects nest deeper than {DEEPEST}"),
                "an instance nests six deep",
            ));
        }
        let (start, number) = (self.at as u32, self.entries.len());
        self.entries.push(Entry { start, end: start, after: 0, kind: Kind::Null });
        let kind = match self.rest().as_bytes().first() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => self.text()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        let (end, after) = (self.at as u32, self.entries.len() as u32);
        if let Some(entry) = self.entries.get_mut(number) {
            *entry = Entry { start, end, after, kind };
        }
        Ok(())
    }

    fn word(&mut self) -> Result<Kind, Wrong> {
        let words = [("null", Kind::Null), ("true", Kind::True), ("false", Kind::False)];
        let rest = self.rest();
        let (word, kind) = words
            .into_iter()
            .find(|(word, _)| rest.starts_with(word))
            .ok_or_else(|| self.expected("a value"))?;
        self.at += word.len();
        Ok(kind)
    }

    fn array(&mut self, depth: usize) -> Result<Kind, Wrong> {
        self.at += 1;
        if self.eat(b']') {
            return Ok(Kind::Array);
        }
        loop {
            self.value(depth + 1)?;
            if self.eat(b']') {
                return Ok(Kind::Array);
            }
            if !self.eat(b',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Wrong> {
        self.at += 1;
        if self.eat(b'}') {
            return Ok(Kind::Object);
        }
        loop {
            self.blanks();
            if !self.rest().starts_with('"') {
                return Err(self.expected("a key in quotes"));
            }
            self.value(depth + 1)?;
            if !self.eat(b':') {
                return Err(self.expected("`:`"));
            }
            self.value(depth + 1)?;
            if self.eat(b'}') {
                return Ok(Kind::Object);
            }
            if !self.eat(b',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn number(&mut self) -> Result<Kind, Wrong> {
        let rest = self.rest();
        let part = |byte: &&u8| matches!(**byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let text = &rest[..rest.as_bytes().iter().take_while(part).count()];
        let digits = text.strip_prefix('-').unwrap_or(text);
        let leading_zero =
            digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
        let natural = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty();
        if leading_zero
            || !text.ends_with(|c: char| c.is_ascii_digit())
            || !natural && text.parse::<f64>().is_err()
        {
            return Err(self.wrong("this is no number of JSON", "states are counted 0, 1, 2, …"));
        }
        self.at += text.len();
        Ok(Kind::Number)
    }

    /// Reads a text in quotes, and checks its escapes.
    fn text(&mut self) -> Result<Kind, Wrong> {
        self.at += 1;
        let mut kind = Kind::Plain;
        loop {
            let rest = self.rest().as_bytes();
            let ends = |byte: &u8| matches!(*byte, b'"' | b'\\' | 0..b' ');
            self.at += rest.iter().position(ends).unwrap_or(rest.len());
            match self.rest().as_bytes().first() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(kind);
                }
                Some(b'\\') => {
                    kind = Kind::Escaped;
                    self.at += match escape(self.rest()) {
                        Some((_, length)) => length,
                        None => {
                            return Err(self.wrong(
                                "this escape is none of JSON's",
                                "write `\\\\` for a backslash",
                            ));
                        }
                    };
                }
                Some(_) => {
                    return Err(self.wrong(
                        "a control character in a text",
                        "write it as an escape such as `\\n`",
                    ));
                }
                None => return Err(self.wrong("a text is not closed", "end it with `\"`")),
            }
        }
    }
}

/// A text without its quotes, with its escapes replaced.
fn unescaped(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let (c, length) = escape(&rest[at..]).unwrap_or(('\\', 1));
        out.push(c);
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    out
}

/// The character that an escape at the beginning of a text means, and the escape's length in bytes;
/// `None` if it is none of JSON's.
fn escape(text: &str) -> Option<(char, usize)> {
    let simple = match text.chars().nth(1)? {
        c @ ('"' | '\\' | '/') => Some(c),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        _ => None,
    };
    if let Some(c) = simple {
        return Some((c, 2));
    }
    let unit = |at: usize| -> Option<u32> {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        let hexadecimal = digits.chars().all(|c| c.is_ascii_hexdigit());
        hexadecimal.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    };
    match unit(0)? {
        high @ 0xd800..=0xdbff => match unit(6)? {
            low @ 0xdc00..=0xdfff => {
                let c = char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))?;
                Some((c, 12))
            }
            _ => None,
        },
        one => Some((char::from_u32(one)?, 6)),
    }
}
