//! JSON (RFC 8259) with the place of every value, so that errors in an instance can be shown at
//! their place.

use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::Span;

/// Deepest nesting of arrays and objects.
const DEEPEST: usize = 64;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Json {
    Null,
    Truth(bool),
    /// As written.
    Number(String),
    Text(String),
    Array(Vec<Placed>),
    /// In source order; keys may repeat.
    Object(Vec<(Placed, Placed)>),
}

/// A value and its place (the line of its first character).
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) json: Json,
    pub(super) span: Span,
}

impl Json {
    /// "a number", for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Truth(_) => "a truth value",
            Json::Number(_) => "a number",
            Json::Text(_) => "a text",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }
}

/// Reads one value that fills the whole text, in linear time. Reports the first error.
pub(super) fn read(source: &str, diagnostics: &mut Diagnostics) -> Option<Placed> {
    let mut reader = Reader { source, at: 0, line: 1, counted: 0 };
    let read = reader.value(0).and_then(|value| {
        reader.blanks();
        match reader.at == source.len() {
            true => Ok(value),
            false => Err(reader
                .wrong("the text goes on behind the end of the instance", "remove what follows")),
        }
    });
    match read {
        Ok(value) => Some(value),
        Err(Wrong { span, message, hint }) => {
            diagnostics.syntax_error(span, message, hint);
            None
        }
    }
}

struct Wrong {
    span: Span,
    message: String,
    hint: &'static str,
}

struct Reader<'a> {
    source: &'a str,
    at: usize,
    line: u32,
    /// The byte up to which lines were counted.
    counted: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn span_from(&mut self, start: usize) -> Span {
        self.line +=
            self.source.as_bytes()[self.counted..start].iter().filter(|b| **b == b'\n').count()
                as u32;
        self.counted = start;
        Span { start: start as u32, end: self.at.max(start) as u32, line: self.line }
    }

    fn wrong(&mut self, message: impl Into<String>, hint: &'static str) -> Wrong {
        let start = self.at.max(self.counted);
        let mut span = self.span_from(start);
        span.end =
            span.start + self.source[start..].chars().next().map_or(0, |c| c.len_utf8() as u32);
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

    fn eat(&mut self, sign: char) -> bool {
        self.blanks();
        let there = self.rest().starts_with(sign);
        self.at += usize::from(there);
        there
    }

    fn value(&mut self, depth: usize) -> Result<Placed, Wrong> {
        self.blanks();
        if depth > DEEPEST {
            return Err(self.wrong(
                format!("arrays and objects nest deeper than {DEEPEST}"),
                "an instance nests six deep",
            ));
        }
        let start = self.at;
        let place = self.span_from(start);
        let rest = &self.source[start..];
        let json = match rest.as_bytes().first() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Json::Text(self.text()?),
            Some(b'-' | b'0'..=b'9') => Json::Number(self.number()?),
            _ => {
                let words = [
                    ("null", Json::Null),
                    ("true", Json::Truth(true)),
                    ("false", Json::Truth(false)),
                ];
                match words.into_iter().find(|(word, _)| rest.starts_with(word)) {
                    Some((word, json)) => {
                        self.at += word.len();
                        json
                    }
                    None => return Err(self.expected("a value")),
                }
            }
        };
        Ok(Placed { json, span: Span { end: self.at as u32, ..place } })
    }

    fn array(&mut self, depth: usize) -> Result<Json, Wrong> {
        self.at += 1;
        let mut items = Vec::new();
        if self.eat(']') {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.eat(']') {
                return Ok(Json::Array(items));
            }
            if !self.eat(',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, Wrong> {
        self.at += 1;
        let mut entries = Vec::new();
        if self.eat('}') {
            return Ok(Json::Object(entries));
        }
        loop {
            self.blanks();
            if !self.rest().starts_with('"') {
                return Err(self.expected("a key in quotes"));
            }
            let key = self.value(depth + 1)?;
            if !self.eat(':') {
                return Err(self.expected("`:`"));
            }
            entries.push((key, self.value(depth + 1)?));
            if self.eat('}') {
                return Ok(Json::Object(entries));
            }
            if !self.eat(',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn number(&mut self) -> Result<String, Wrong> {
        let rest = self.rest();
        let length = rest
            .find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'))
            .unwrap_or(rest.len());
        let text = rest[..length].to_string();
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let leading_zero =
            digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
        if leading_zero
            || !text.ends_with(|c: char| c.is_ascii_digit())
            || text.parse::<f64>().is_err()
        {
            return Err(self.wrong("this is no number of JSON", "states are counted 0, 1, 2, …"));
        }
        self.at += length;
        Ok(text)
    }

    /// Reads a text in quotes and replaces its escapes.
    fn text(&mut self) -> Result<String, Wrong> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.source[self.at..];
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            out.push_str(&rest[..plain]);
            self.at += plain;
            match self.rest().chars().next() {
                Some('"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some('\\') => {
                    let c = self.escape()?;
                    out.push(c);
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

    fn escape(&mut self) -> Result<char, Wrong> {
        let sign = self.source[self.at + 1..].chars().next();
        let simple = match sign {
            Some(c @ ('"' | '\\' | '/')) => Some(c),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            _ => None,
        };
        if let Some(c) = simple {
            self.at += 2;
            return Ok(c);
        }
        let unit = |at: usize| -> Option<u32> {
            let digits = self.source.get(at..at + 6)?.strip_prefix("\\u")?;
            digits
                .chars()
                .all(|c| c.is_ascii_hexdigit())
                .then(|| u32::from_str_radix(digits, 16).ok())
                .flatten()
        };
        let decoded = match unit(self.at) {
            Some(high @ 0xd800..=0xdbff) => match unit(self.at + 6) {
                Some(low @ 0xdc00..=0xdfff) => {
                    char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                        .map(|c| (c, 12))
                }
                _ => None,
            },
            Some(one) => char::from_u32(one).map(|c| (c, 6)),
            None => None,
        };
        match decoded {
            Some((c, length)) => {
                self.at += length;
                Ok(c)
            }
            None => {
                Err(self.wrong("this escape is none of JSON's", "write `\\\\` for a backslash"))
            }
        }
    }
}
