//! Reads transformers, and the variables that a system has.
//!
//! ```text
//! variables = name+ [ "{" "0" ".." n "}" ] { "," name+ "{" "0" ".." n "}" }        the sets of numbers for relations only
//! weight    = item { "," item }
//! item      = name ":=" ( "*" | sum ) | either
//! either    = both { "||" both }
//! both      = negation { "&&" negation }
//! negation  = "!" negation | comparison
//! comparison= sum [ ( "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum ]
//! sum       = [ "-" ] product { ( "+" | "-" ) product }
//! product   = factor { "*" factor }
//! factor    = number | name | name "'" | "-" factor | "(" either ")"
//! ```

use super::{Comparison, Condition, Term, Transformer, Variable};
use crate::lang::model::Span;

/// Deepest nesting of parentheses and signs.
const DEEPEST: u32 = 64;
/// Greatest magnitude of a term.
const GREATEST: i128 = 1 << 62;
/// Widest variable of a relation.
pub(crate) const WIDEST: u32 = 32;
/// Most variables.
const MOST_VARIABLES: usize = 256;

/// What is wrong, and what to do.
pub(crate) type Complaint = (Span, String, String);

/// The variables with their widths. `bits` is `None` if numbers have no widths.
pub(crate) struct Names<'a> {
    pub(crate) names: &'a [String],
    pub(crate) bits: Option<&'a [u32]>,
}

/// What a line `weights …` declares.
#[derive(Default)]
pub(crate) struct Declared {
    pub(crate) names: Vec<String>,
    /// By variable; empty without ranges.
    pub(crate) bits: Vec<u32>,
    /// w of `modulo 2^w`.
    pub(crate) modulo: Option<u32>,
}

/// A piece of text with its place.
#[derive(Clone, Copy, Debug)]
struct Piece<'a> {
    text: &'a str,
    span: Span,
}

const SIGNS: [&str; 23] = [
    ":=", "..", "==", "!=", "<=", ">=", "&&", "||", "=", "<", ">", "!", "+", "-", "*", "(", ")",
    ",", "{", "}", ":", "'", "^",
];

/// Cuts a text into pieces. The text starts at byte `start` in line `line`.
fn pieces(text: &str, start: u32, line: u32) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if in_name(c) {
            rest.find(|c| !in_name(c)).unwrap_or(rest.len())
        } else {
            SIGNS
                .iter()
                .find(|sign| rest.starts_with(**sign))
                .map_or(c.len_utf8(), |sign| sign.len())
        };
        let span = Span { start: start + at as u32, end: start + (at + length) as u32, line };
        found.push(Piece { text: &rest[..length], span });
        at += length;
    }
    found
}

fn in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(in_name)
}

struct Reader<'a, 'n> {
    pieces: Vec<Piece<'a>>,
    at: usize,
    end: Span,
    names: &'n [String],
    bits: Option<&'n [u32]>,
    depth: u32,
}

/// A term or a condition, while it is not known which one it is.
enum Expression {
    Term(Term),
    Condition(Condition),
}

/// Reads the text after `weights relation` or `weights affine`: names, and their widths if `ranges`
/// is true. Returns the rest of the text.
pub(crate) fn read_variables(
    text: &str,
    start: u32,
    line: u32,
    ranges: bool,
) -> Result<Declared, Complaint> {
    let mut reader = Reader::new(text, (start, line), Names { names: &[], bits: None });
    let hint = if ranges {
        "write `weights relation x y {0..7}, b {0..1}`"
    } else {
        "write `weights affine x y`, or `… modulo 2^8`"
    };
    let Declared { mut names, mut bits, mut modulo } = Declared::default();
    loop {
        let first = names.len();
        while let Some(piece) = reader.peek().filter(|piece| is_variable(piece.text)) {
            if !ranges
                && piece.text == "modulo"
                && reader.next_text().starts_with(|c: char| c.is_ascii_digit())
            {
                break;
            }
            if names.iter().any(|name| name == piece.text) {
                return Err((
                    piece.span,
                    format!("the variable `{}` is there already", shown(piece.text)),
                    "leave it out".to_string(),
                ));
            }
            if piece.text.len() > 64 || names.len() >= MOST_VARIABLES {
                let message = format!(
                    "more than {MOST_VARIABLES} variables, or a name of more than 64 bytes"
                );
                return Err((piece.span, message, "use fewer and shorter ones".to_string()));
            }
            names.push(piece.text.to_string());
            reader.at += 1;
        }
        if names.len() == first {
            return Err(reader.expected("the name of a variable", hint));
        }
        if ranges {
            bits.resize(names.len(), reader.range(hint)?);
            if reader.takes(",") {
                continue;
            }
        } else if reader.takes("modulo") {
            modulo = Some(reader.modulus(hint)?);
        }
        return if reader.peek().is_none() {
            Ok(Declared { names, bits, modulo })
        } else {
            Err(reader.expected("the end of the line", hint))
        };
    }
}

/// Reads a rule's weight: conditions and assignments.
pub(crate) fn read_transformer(
    text: &str,
    start: u32,
    line: u32,
    names: Names<'_>,
) -> Result<Transformer, Complaint> {
    let mut reader = Reader::new(text, (start, line), names);
    let mut transformer = Transformer::default();
    loop {
        let item = reader.peek();
        if let Some(variable) =
            item.filter(|piece| is_variable(piece.text) && reader.next_text() == ":=")
        {
            let index = reader.variable(variable)?;
            reader.at += 2;
            if transformer.assigned.iter().any(|(old, _)| *old == index) {
                let hint =
                    "all assignments of a rule happen at once: one for each variable".to_string();
                return Err((
                    variable.span,
                    format!("`{}` is assigned twice", shown(variable.text)),
                    hint,
                ));
            }
            let value = if reader.takes("*") { None } else { Some(reader.right_side()?) };
            transformer.assigned.push((index, value));
        } else {
            let place = reader.place();
            match reader.either()? {
                Expression::Condition(condition) => transformer.conditions.push(condition),
                Expression::Term(_) => {
                    let hint =
                        "write an assignment `x := x + 1` or a condition `x < 3`".to_string();
                    return Err((
                        place,
                        "a number is neither a condition nor an assignment".to_string(),
                        hint,
                    ));
                }
            }
        }
        if !reader.takes(",") {
            break;
        }
    }
    match reader.peek() {
        None => Ok(transformer),
        Some(_) => Err(reader.expected(
            "`,` or the end of the line",
            "a rule's weight is a list: `x > 0, x := x - 1, y := *`",
        )),
    }
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

impl<'a, 'n> Reader<'a, 'n> {
    fn new(text: &'a str, (start, line): (u32, u32), names: Names<'n>) -> Reader<'a, 'n> {
        let stop = start + text.trim_end().len() as u32;
        let end = Span { start: stop, end: stop, line };
        Reader {
            pieces: pieces(text, start, line),
            at: 0,
            end,
            names: names.names,
            bits: names.bits,
            depth: 0,
        }
    }

    fn peek(&self) -> Option<Piece<'a>> {
        self.pieces.get(self.at).copied()
    }

    fn next_text(&self) -> &'a str {
        self.pieces.get(self.at + 1).map_or("", |piece| piece.text)
    }

    fn place(&self) -> Span {
        self.peek().map_or(self.end, |piece| piece.span)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let there = self.peek().is_some_and(|piece| piece.text == sign);
        self.at += usize::from(there);
        there
    }

    fn expected(&self, what: &str, hint: &str) -> Complaint {
        let found = self
            .peek()
            .map_or("the end of the line".to_string(), |piece| format!("`{}`", shown(piece.text)));
        (self.place(), format!("expected {what}, found {found}"), hint.to_string())
    }

    fn number(&mut self, hint: &str) -> Result<i64, Complaint> {
        let Some(piece) =
            self.peek().filter(|piece| piece.text.bytes().all(|c| c.is_ascii_digit()))
        else {
            return Err(self.expected("a number", hint));
        };
        self.at += 1;
        match piece.text.parse::<i64>() {
            Ok(n) if i128::from(n) < GREATEST => Ok(n),
            _ => Err((
                piece.span,
                format!("the number {} is too large", shown(piece.text)),
                "numbers are below 2^62".to_string(),
            )),
        }
    }

    /// `{0..7}`: how many bits.
    fn range(&mut self, hint: &str) -> Result<u32, Complaint> {
        let place = self.place();
        for sign in ["{", "0", ".."] {
            if !self.takes(sign) {
                return Err(self.expected(&format!("`{sign}`"), hint));
            }
        }
        let greatest = self.number(hint)?;
        if !self.takes("}") {
            return Err(self.expected("`}`", hint));
        }
        let bits = 64 - greatest.leading_zeros();
        if greatest == 0 || greatest & (greatest + 1) != 0 || bits > WIDEST {
            let message = format!("numbers up to {greatest} are not all numbers of some bits");
            let hint = format!("write {{0..1}}, {{0..3}}, {{0..7}} and so on, up to {WIDEST} bits");
            return Err((place, message, hint));
        }
        Ok(bits)
    }

    /// `2^8`: the exponent.
    fn modulus(&mut self, hint: &str) -> Result<u32, Complaint> {
        if !self.takes("2") || !self.takes("^") {
            return Err(self.expected("`2^`", hint));
        }
        let place = self.place();
        match self.number(hint)? {
            width @ 1..=64 => Ok(width as u32),
            width => {
                Err((place, format!("modulo 2^{width}"), "the exponent is 1 to 64".to_string()))
            }
        }
    }

    fn variable(&self, piece: Piece<'a>) -> Result<Variable, Complaint> {
        match self.names.iter().position(|name| name == piece.text) {
            Some(index) => Ok(index as Variable),
            None => {
                let message = format!("there is no variable `{}`", shown(piece.text));
                Err((
                    piece.span,
                    message,
                    "variables are named in the line `weights …`".to_string(),
                ))
            }
        }
    }

    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Complaint>,
    ) -> Result<T, Complaint> {
        if self.depth == DEEPEST {
            return Err((
                self.place(),
                format!("nested deeper than {DEEPEST}"),
                "write it with fewer parentheses".to_string(),
            ));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn condition(&self, expression: Expression, place: Span) -> Result<Condition, Complaint> {
        match expression {
            Expression::Condition(condition) => Ok(condition),
            Expression::Term(_) => Err((
                place,
                "a number stands where a condition is expected".into(),
                "compare it: `x != 0`".into(),
            )),
        }
    }

    fn term(&self, expression: Expression, place: Span) -> Result<Term, Complaint> {
        match expression {
            Expression::Term(term) => Ok(term),
            Expression::Condition(_) => Err((
                place,
                "a condition stands where a number is expected".into(),
                "conditions have no value".into(),
            )),
        }
    }

    fn either(&mut self) -> Result<Expression, Complaint> {
        self.joined("||", Self::both, Condition::Any)
    }

    fn both(&mut self) -> Result<Expression, Complaint> {
        self.joined("&&", Self::negation, Condition::All)
    }

    fn joined(
        &mut self,
        sign: &str,
        part: fn(&mut Self) -> Result<Expression, Complaint>,
        make: fn(Vec<Condition>) -> Condition,
    ) -> Result<Expression, Complaint> {
        let mut place = self.place();
        let first = part(self)?;
        if self.peek().is_none_or(|piece| piece.text != sign) {
            return Ok(first);
        }
        let mut items = vec![self.condition(first, place)?];
        while self.takes(sign) {
            place = self.place();
            let next = part(self)?;
            items.push(self.condition(next, place)?);
        }
        Ok(Expression::Condition(make(items)))
    }

    fn negation(&mut self) -> Result<Expression, Complaint> {
        if !self.takes("!") {
            return self.comparison();
        }
        let place = self.place();
        let inner = self.nested(Self::negation)?;
        Ok(Expression::Condition(Condition::Not(Box::new(self.condition(inner, place)?))))
    }

    fn comparison(&mut self) -> Result<Expression, Complaint> {
        let place = self.place();
        let left = self.sum()?;
        let how = match self.peek().map(|piece| piece.text) {
            Some("=" | "==") => Comparison::Equal,
            Some("!=") => Comparison::NotEqual,
            Some("<") => Comparison::Less,
            Some("<=") => Comparison::LessEqual,
            Some(">") => Comparison::Greater,
            Some(">=") => Comparison::GreaterEqual,
            _ => return Ok(left),
        };
        let left = self.term(left, place)?;
        self.at += 1;
        let place = self.place();
        let right = self.sum()?;
        let right = self.term(right, place)?;
        Ok(Expression::Condition(Condition::Compare(how, left, right)))
    }

    /// Reads the right side of an assignment.
    fn right_side(&mut self) -> Result<Term, Complaint> {
        let place = self.place();
        let sum = self.sum()?;
        let term = self.term(sum, place)?;
        let mut primed = false;
        term.primed(&mut |_| primed = true);
        if primed {
            return Err((
                place,
                "an assignment takes values from before the rule".into(),
                "write a condition: `x' = y' + 1`".into(),
            ));
        }
        Ok(term)
    }

    fn sum(&mut self) -> Result<Expression, Complaint> {
        let place = self.place();
        let minus = self.takes("-");
        let first = self.product()?;
        if !minus && self.peek().is_none_or(|piece| !matches!(piece.text, "+" | "-")) {
            return Ok(first);
        }
        let mut items = vec![(minus, self.term(first, place)?)];
        loop {
            let minus = match self.peek().map(|piece| piece.text) {
                Some("+") => false,
                Some("-") => true,
                _ => break,
            };
            self.at += 1;
            let place = self.place();
            let item = self.product()?;
            items.push((minus, self.term(item, place)?));
        }
        self.small(Term::Sum(items), place).map(Expression::Term)
    }

    fn product(&mut self) -> Result<Expression, Complaint> {
        let place = self.place();
        let first = self.factor()?;
        if self.peek().is_none_or(|piece| piece.text != "*") {
            return Ok(first);
        }
        let mut items = vec![self.term(first, place)?];
        while self.takes("*") {
            let place = self.place();
            let item = self.factor()?;
            items.push(self.term(item, place)?);
        }
        self.small(Term::Product(items), place).map(Expression::Term)
    }

    fn factor(&mut self) -> Result<Expression, Complaint> {
        let hint = "a factor is a number, a variable, or stands in parentheses";
        let Some(piece) = self.peek() else {
            return Err(self.expected("a number or a variable", hint));
        };
        if piece.text == "(" {
            self.at += 1;
            let inner = self.nested(Self::either)?;
            return if self.takes(")") {
                Ok(inner)
            } else {
                Err(self.expected("`)`", "a parenthesis is not closed"))
            };
        }
        if piece.text == "-" {
            self.at += 1;
            let place = self.place();
            let inner = self.nested(Self::factor)?;
            return Ok(Expression::Term(Term::Sum(vec![(true, self.term(inner, place)?)])));
        }
        if is_variable(piece.text) {
            let index = self.variable(piece)?;
            self.at += 1;
            return Ok(Expression::Term(if self.takes("'") {
                Term::New(index)
            } else {
                Term::Old(index)
            }));
        }
        self.number(hint).map(|n| Expression::Term(Term::Number(n)))
    }

    /// If variables have widths, terms must stay within 62 bits.
    fn small(&self, term: Term, place: Span) -> Result<Term, Complaint> {
        match self.bits.map(|bits| farthest(&term, bits)) {
            Some(None) => Err((
                place,
                "the numbers in this term get too large".into(),
                "they must stay below 2^62".into(),
            )),
            _ => Ok(term),
        }
    }
}

/// The greatest magnitude that a term can have; `None` if it is too great.
fn farthest(term: &Term, bits: &[u32]) -> Option<i128> {
    let far = match term {
        Term::Number(n) => i128::from(*n).abs(),
        Term::Old(variable) | Term::New(variable) => {
            1i128 << bits.get(*variable as usize).copied().unwrap_or(0)
        }
        Term::Sum(items) => {
            items.iter().try_fold(0i128, |sum, (_, item)| sum.checked_add(farthest(item, bits)?))?
        }
        Term::Product(items) => items
            .iter()
            .try_fold(1i128, |product, item| product.checked_mul(farthest(item, bits)?))?,
    };
    (far < GREATEST).then_some(far)
}
