//! Predicates as text, read into diagrams: the notation that [`readable`](crate::readable) writes,
//! and its ASCII twin.
//!
//! ```text
//! predicate   = either { ("→" | "->") predicate }
//! either      = both { ("∨" | "||") both }
//! both        = factor { ("∧" | "&&") factor }
//! factor      = ("¬" | "!") factor | "(" predicate ")" | "true" | "false" | bool-name | comparison
//! comparison  = sum { ("=" | "==" | "≠" | "!=" | "<" | "≤" | "<=" | ">" | "≥" | ">=") sum } [ "(" "mod" number ")" ]
//!             | sum ("even" | "odd") | sum ("∈" | "∉" | "in") "{" item { "," item } "}"
//! item        = number [ ".." number ]
//! sum         = product { ("+" | "-") product }
//! product     = [ "-" ] (number | name | "(" sum ")") { ("*" | "%") … }        a % b as in C: with the sign of a
//! ```
//!
//! Sums do not wrap, unless `(mod 2^k)` says so; but sides of `=` and `≠` that are sums of
//! variables which [wrap](NamedScalar::wraps) are equal modulo 2^width, as in the program. A name
//! may have constant indices and members (`a[2]`, `s.x`, `node#1.x`), and after them `at entry`
//! (the value when the frame was entered) or `of f` (the parameter with which f is entered). The
//! value of a call is named by the call's text, `max(a, b)`.
//! Comparisons chain (`1 ≤ x ≤ 5`). A pointer is
//! compared with the names of its values (`head ≠ NULL`, `p = &a[2]`); `exists(node#1)` says that
//! an object exists.

mod term;

use crate::bdd::{Bdd, BitVector, Manager};
use crate::readable::NamedScalar;
use crate::util::limits::Limit;
use term::{RELATIONS, Relation, Sum, Term, compare, constant};

/// The reason why a text is no predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PredicateError {
    /// Something else was expected at this byte.
    Expected(&'static str, usize),
    /// No variable has this name.
    UnknownName(String, usize),
    /// A modulus that is no power of two, at this byte.
    Modulus(usize),
    /// The text is nested too deeply, or its numbers are too large.
    TooLarge(usize),
    /// The diagram hit a limit.
    Limit(Limit),
}

impl From<Limit> for PredicateError {
    fn from(limit: Limit) -> PredicateError {
        PredicateError::Limit(limit)
    }
}

impl std::fmt::Display for PredicateError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PredicateError::Expected(what, at) => write!(out, "expected {what} at byte {at}"),
            PredicateError::UnknownName(name, _) => {
                write!(out, "no variable is called `{name}` here")
            }
            PredicateError::Modulus(at) => {
                write!(out, "the modulus at byte {at} must be a power of two")
            }
            PredicateError::TooLarge(at) => {
                write!(out, "too deeply nested, or too large a number, at byte {at}")
            }
            PredicateError::Limit(limit) => write!(out, "out of {}", limit.word()),
        }
    }
}

type Parsed<T> = Result<T, PredicateError>;

/// The most nested parentheses and negations.
const MAX_NESTING: u32 = 64;
/// The most bits of an intermediate number.
const MAX_WIDTH: u32 = 160;

/// The predicate that `text` describes over these scalars. If several have one name, the first
/// counts.
pub fn parse(
    manager: &mut Manager,
    text: &str,
    scalars: &[NamedScalar],
) -> Result<Bdd, PredicateError> {
    let mut reader = Reader { manager, text, at: 0, scalars, nesting: 0 };
    let predicate = reader.predicate()?;
    reader.skip_space();
    if reader.at == text.len() {
        Ok(predicate)
    } else {
        Err(reader.expected("the end or a connective"))
    }
}

struct Reader<'a> {
    manager: &'a mut Manager,
    text: &'a str,
    at: usize,
    scalars: &'a [NamedScalar],
    nesting: u32,
}

impl Reader<'_> {
    fn expected(&self, what: &'static str) -> PredicateError {
        PredicateError::Expected(what, self.at)
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes a symbol if it comes next.
    fn takes(&mut self, symbol: &str) -> bool {
        self.skip_space();
        let found = self.text[self.at..].starts_with(symbol);
        self.at += if found { symbol.len() } else { 0 };
        found
    }

    /// Takes a word if it comes next and is complete.
    fn takes_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let found = self.peek_name() == word;
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn peek_name(&mut self) -> &str {
        self.skip_space();
        let rest = &self.text[self.at..];
        if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return "";
        }
        // Objects of the heap have a number: `node#1`.
        let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
        &rest[..rest.find(|c: char| !inside(c)).unwrap_or(rest.len())]
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting == MAX_NESTING {
            return Err(PredicateError::TooLarge(self.at));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    fn predicate(&mut self) -> Parsed<Bdd> {
        let left = self.either()?;
        if self.takes("→") || self.takes("->") {
            let right = self.nested(Self::predicate)?;
            return Ok(self.manager.implies(left, right)?);
        }
        Ok(left)
    }

    fn either(&mut self) -> Parsed<Bdd> {
        let mut left = self.both()?;
        while self.takes("∨") || self.takes("||") {
            let right = self.both()?;
            left = self.manager.or(left, right)?;
        }
        Ok(left)
    }

    fn both(&mut self) -> Parsed<Bdd> {
        let mut left = self.factor()?;
        while self.takes("∧") || self.takes("&&") {
            let right = self.factor()?;
            left = self.manager.and(left, right)?;
        }
        Ok(left)
    }

    fn factor(&mut self) -> Parsed<Bdd> {
        if self.takes("¬") || self.takes("!") {
            return Ok(!self.nested(Self::factor)?);
        }
        // A parenthesis may open a predicate or a sum. The reading that goes further counts.
        self.skip_space();
        let start = self.at;
        let comparison = self.comparison();
        if comparison.is_ok()
            || !self.text[start..].starts_with('(')
            || matches!(comparison, Err(PredicateError::Limit(_)))
        {
            return comparison;
        }
        let reached = self.at;
        self.at = start + 1;
        let inner = match self.nested(Self::predicate) {
            // The error of the reading that went further is reported.
            Err(PredicateError::Expected(_, at)) if at < reached => return comparison,
            other => other?,
        };
        if self.takes(")") { Ok(inner) } else { Err(self.expected("`)`")) }
    }

    fn comparison(&mut self) -> Parsed<Bdd> {
        for (word, value) in [("true", Bdd::TRUE), ("false", Bdd::FALSE)] {
            if self.takes_word(word) {
                return Ok(value);
            }
        }
        let first = self.sum()?;
        for (word, odd) in [("even", false), ("odd", true)] {
            if self.takes_word(word) {
                return Ok(if odd { first.value.bits()[0] } else { !first.value.bits()[0] });
            }
        }
        if self.takes("∉") {
            return Ok(!self.membership(&first)?);
        }
        if self.takes("∈") || self.takes_word("in") {
            return self.membership(&first);
        }
        let truth = first.truth;
        let mut names = first.values;
        let (mut terms, mut relations) = (vec![first.value], Vec::new());
        let mut sums = vec![first.sum];
        while let Some(relation) = self.relation() {
            relations.push(relation);
            match names.as_deref().and_then(|names| self.named_value(names)) {
                Some(number) => {
                    terms.push(constant(number));
                    sums.push(Sum::Other);
                }
                None => {
                    let term = self.sum()?;
                    sums.push(term.sum);
                    names = term.values;
                    terms.push(term.value);
                }
            }
        }
        if relations.is_empty() {
            return truth.ok_or_else(|| self.expected("a comparison"));
        }
        let wrapped = |term: &BitVector, width: u32| term.sign_extend(width).zero_extend(width + 1);
        let modulus = self.modulus()?;
        if let Some(width) = modulus {
            terms = terms.iter().map(|term| wrapped(term, width)).collect();
        }
        let mut all = Bdd::TRUE;
        for (k, relation) in relations.into_iter().enumerate() {
            let (left, right) = (&terms[k], &terms[k + 1]);
            let equates = matches!(relation, Relation::Equal | Relation::NotEqual);
            let width = sums[k].modulo(sums[k + 1]).filter(|_| equates && modulus.is_none());
            let holds = match width {
                Some(width) => {
                    let (left, right) = (wrapped(left, width), wrapped(right, width));
                    compare(self.manager, relation, &left, &right)?
                }
                None => compare(self.manager, relation, left, right)?,
            };
            all = self.manager.and(all, holds)?;
        }
        Ok(all)
    }

    /// Takes the name of a pointer's value, the longest that comes next.
    fn named_value(&mut self, names: &[String]) -> Option<i128> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '#' | '[' | '.');
        let comes =
            |name: &str| rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(goes_on));
        let all = (0..).zip(names).filter(|(_, name)| !name.is_empty() && comes(name));
        let (number, name) = all.max_by_key(|(_, name)| name.len())?;
        self.at += name.len();
        Some(number)
    }

    fn relation(&mut self) -> Option<Relation> {
        RELATIONS.iter().find(|(symbol, _)| self.takes(symbol)).map(|(_, relation)| *relation)
    }

    /// The k of `(mod 2^k)`, if this follows.
    fn modulus(&mut self) -> Parsed<Option<u32>> {
        let start = self.at;
        if !(self.takes("(") && self.takes_word("mod")) {
            self.at = start;
            return Ok(None);
        }
        self.skip_space();
        let at = self.at;
        let modulus = self.number()?;
        if !self.takes(")") {
            return Err(self.expected("`)`"));
        }
        if modulus > 0 && modulus & (modulus - 1) == 0 {
            Ok(Some(modulus.trailing_zeros()))
        } else {
            Err(PredicateError::Modulus(at))
        }
    }

    fn membership(&mut self, of: &Term) -> Parsed<Bdd> {
        let value = &of.value;
        if !self.takes("{") {
            return Err(self.expected("`{`"));
        }
        let mut any = Bdd::FALSE;
        loop {
            let named = of.values.as_deref().and_then(|names| self.named_value(names));
            let (low, high) = match named {
                Some(number) => (number, number),
                None => {
                    let low = self.signed_number()?;
                    (low, if self.takes("..") { self.signed_number()? } else { low })
                }
            };
            let above = compare(self.manager, Relation::LessEqual, &constant(low), value)?;
            let below = compare(self.manager, Relation::LessEqual, value, &constant(high))?;
            let inside = self.manager.and(above, below)?;
            any = self.manager.or(any, inside)?;
            if self.takes("}") {
                return Ok(any);
            }
            if !self.takes(",") {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn sum(&mut self) -> Parsed<Term> {
        let mut left = self.product()?;
        loop {
            self.skip_space();
            let minus =
                self.text[self.at..].starts_with('-') && !self.text[self.at..].starts_with("->");
            if !minus && !self.takes("+") {
                return Ok(left);
            }
            self.at += usize::from(minus);
            let right = self.product()?;
            let width = self.fitting(left.value.width().max(right.value.width()) + 1)?;
            let (a, b) = (left.value.sign_extend(width), right.value.sign_extend(width));
            let value = if minus { a.sub(self.manager, &b)? } else { a.add(self.manager, &b)? };
            left = Term { value, truth: None, values: None, sum: left.sum.join(right.sum) };
        }
    }

    fn product(&mut self) -> Parsed<Term> {
        let mut left = self.operand()?;
        loop {
            let remainder = self.takes("%");
            if !remainder && !self.takes("*") {
                return Ok(left);
            }
            let right = self.operand()?;
            if remainder {
                let width = left.value.width().max(right.value.width());
                let (a, b) = (left.value.sign_extend(width), right.value.sign_extend(width));
                left = Term {
                    value: a.signed_div_rem(self.manager, &b)?.1,
                    truth: None,
                    values: None,
                    sum: Sum::Other,
                };
                continue;
            }
            let width = self.fitting(left.value.width() + right.value.width())?;
            let (a, b) = (left.value.sign_extend(width), right.value.sign_extend(width));
            let sum = match (left.sum, right.sum) {
                (one, Sum::Constant) | (Sum::Constant, one) => one.join(Sum::Constant),
                _ => Sum::Other,
            };
            left = Term { value: a.mul(self.manager, &b)?, truth: None, values: None, sum };
        }
    }

    fn fitting(&self, width: u32) -> Parsed<u32> {
        if width <= MAX_WIDTH { Ok(width) } else { Err(PredicateError::TooLarge(self.at)) }
    }

    fn operand(&mut self) -> Parsed<Term> {
        self.skip_space();
        if let Some(term) = self.made()? {
            return Ok(term);
        }
        let next = self.text[self.at..].chars().next();
        match next {
            Some('-') => {
                self.at += 1;
                let Term { value: inner, sum, .. } = self.nested(Self::operand)?;
                let width = self.fitting(inner.width() + 1)?;
                Ok(Term {
                    value: inner.sign_extend(width).neg(self.manager)?,
                    truth: None,
                    values: None,
                    sum: sum.join(Sum::Constant),
                })
            }
            Some('(') => {
                self.at += 1;
                let inner = self.nested(Self::sum)?;
                if self.takes(")") { Ok(inner) } else { Err(self.expected("`)`")) }
            }
            Some(c) if c.is_ascii_digit() => {
                let value = constant(self.number()?);
                Ok(Term { value, truth: None, values: None, sum: Sum::Constant })
            }
            _ => self.variable(),
        }
    }

    /// A value that has no name but its text in the program, `max(a, b)`, at this place.
    fn made(&mut self) -> Parsed<Option<Term>> {
        let rest = &self.text[self.at..];
        let continues = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let named = self
            .scalars
            .iter()
            .map(|scalar| scalar.name.as_str())
            .filter(|name| name.contains('('))
            .filter(|name| rest.strip_prefix(name).is_some_and(|rest| !continues(rest)))
            .max_by_key(|name| name.len());
        let Some(name) = named else { return Ok(None) };
        let start = self.at;
        self.at += name.len();
        self.term(name, start).map(Some)
    }

    fn variable(&mut self) -> Parsed<Term> {
        let start = self.at;
        let length = self.peek_name().len();
        if length == 0 {
            return Err(self.expected("a name or a number"));
        }
        self.at += length;
        let mut name = self.text[start..self.at].to_string();
        if name == "exists" && self.takes("(") {
            let object = self.peek_name().to_string();
            self.at += object.len();
            if !self.takes(")") {
                return Err(self.expected("`)`"));
            }
            name = format!("exists({object})");
        }
        loop {
            if self.takes("[") {
                name.push_str(&format!("[{}]", self.number()?));
                if !self.takes("]") {
                    return Err(self.expected("`]`"));
                }
            } else if self.takes(".") {
                let member = self.peek_name().to_string();
                if member.is_empty() {
                    return Err(self.expected("a member's name"));
                }
                self.at += member.len();
                name.push_str(&format!(".{member}"));
            } else {
                break;
            }
        }
        // The value at the entry, of a relation between a frame's entry and now.
        let end = self.at;
        if self.takes_word("at") && self.takes_word("entry") {
            name.push_str(" at entry");
        } else {
            self.at = end;
        }
        // The parameter with which a callee is entered, at the pivot of a call.
        let end = self.at;
        if self.takes_word("of") && !self.peek_name().is_empty() {
            let callee = self.peek_name().to_string();
            self.at += callee.len();
            name.push_str(" of ");
            name.push_str(&callee);
        } else {
            self.at = end;
        }
        self.term(&name, start)
    }

    /// The value of the variable of this name, which begins at `start`.
    fn term(&mut self, name: &str, start: usize) -> Parsed<Term> {
        let Some(scalar) = self.scalars.iter().find(|s| s.name == name) else {
            return Err(PredicateError::UnknownName(name.to_string(), start));
        };
        if scalar.scalar.floating {
            return Err(PredicateError::Expected("a variable without floating point", start));
        }
        let sum = match scalar.wraps && scalar.is_number() {
            true => Sum::Variable(scalar.scalar.width.into()),
            false => Sum::Other,
        };
        let value = scalar.number(self.manager)?;
        let values = scalar.values.clone();
        Ok(Term { truth: scalar.scalar.boolean.then(|| value.bits()[0]), value, values, sum })
    }

    fn signed_number(&mut self) -> Parsed<i128> {
        let negative = self.takes("-");
        let number = self.number()?;
        Ok(if negative { -number } else { number })
    }

    fn number(&mut self) -> Parsed<i128> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
        if digits.is_empty() {
            return Err(self.expected("a number"));
        }
        if digits.len() > 20 {
            return Err(PredicateError::TooLarge(self.at));
        }
        self.at += digits.len();
        Ok(digits.bytes().fold(0, |number, digit| 10 * number + i128::from(digit - b'0')))
    }
}
