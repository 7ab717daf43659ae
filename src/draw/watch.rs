//! Expressions of a person's own over the variables of a run: `a[i] - a[i - 1]`, `top >= 0`. They
//! are evaluated on the values before a statement, in whole numbers without a bound, so that a
//! watched sum does not wrap.
//!
//! ```text
//! or      = and ("||" and)*
//! and     = compare ("&&" compare)*
//! compare = sum (("==" | "!=" | "<" | "<=" | ">" | ">=") sum)?
//! sum     = product (("+" | "-") product)*
//! product = unary (("*" | "/" | "%") unary)*
//! unary   = ("-" | "!")* (number | "(" or ")" | name ("." name)* ("[" or "]")*)
//! ```

use crate::wire::trace::TraceEntry;
use crate::wire::value::Value;

/// The most nested parts of an expression.
const DEPTH: usize = 60;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Watch {
    /// A number.
    Number(i128),
    /// A variable, as the run names it.
    Name(String),
    /// An element.
    Index(Box<Watch>, Box<Watch>),
    /// Minus, or not.
    Unary(char, Box<Watch>),
    /// An operator of two operands.
    Binary(&'static str, Box<Watch>, Box<Watch>),
}

/// Operators by how tightly they bind, the loosest first.
const LEVELS: [&[&str]; 5] =
    [&["||"], &["&&"], &["==", "!=", "<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

/// Reads an expression. Fails with what was expected.
pub fn read(text: &str) -> Result<Watch, String> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0 };
    let found = reader.level(0, 0)?;
    match reader.peek() {
        None => Ok(found),
        Some(token) => Err(format!("`{token}` is too much here")),
    }
}

/// The words of a text: names, numbers, and operators of one or two characters.
fn tokens(text: &str) -> Result<Vec<&str>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if ["||", "&&", "==", "!=", "<=", ">="].iter().any(|two| rest.starts_with(two)) {
            2
        } else if "()[]+-*/%<>!.".contains(first) {
            1
        } else {
            return Err(format!("`{first}` is no part of an expression"));
        };
        let (token, after) = rest.split_at(length);
        found.push(token);
        rest = after.trim_start();
    }
    Ok(found)
}

struct Reader<'t> {
    tokens: Vec<&'t str>,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).copied()
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn level(&mut self, level: usize, depth: usize) -> Result<Watch, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary(depth) };
        let mut left = self.level(level + 1, depth)?;
        while let Some(operator) = operators.iter().find(|o| self.peek() == Some(**o)) {
            self.at += 1;
            let right = self.level(level + 1, depth)?;
            left = Watch::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self, depth: usize) -> Result<Watch, String> {
        if depth > DEPTH {
            return Err("too many parts inside of each other".into());
        }
        for sign in ['-', '!'] {
            if self.take(sign.encode_utf8(&mut [0; 4])) {
                return Ok(Watch::Unary(sign, Box::new(self.unary(depth + 1)?)));
            }
        }
        if self.take("(") {
            let inside = self.level(0, depth + 1)?;
            return if self.take(")") { Ok(inside) } else { Err("`)` is missing".into()) };
        }
        let Some(token) = self.peek() else { return Err("something is missing at the end".into()) };
        self.at += 1;
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            let number = token.parse().map_err(|_| format!("`{token}` is no whole number"))?;
            return Ok(Watch::Number(number));
        }
        if !token.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(format!("a variable or a number, and not `{token}`"));
        }
        let mut name = token.to_string();
        while self.take(".") {
            let member = self.peek().ok_or("a member's name is missing")?;
            self.at += 1;
            name = format!("{name}.{member}");
        }
        let mut found = Watch::Name(name);
        while self.take("[") {
            let index = self.level(0, depth + 1)?;
            if !self.take("]") {
                return Err("`]` is missing".into());
            }
            found = Watch::Index(Box::new(found), Box::new(index));
        }
        Ok(found)
    }
}

/// Its value before a statement of a run. `None` where a variable is not in scope, an index is
/// outside, or a division is by zero.
pub fn value(watch: &Watch, entry: &TraceEntry) -> Option<Value> {
    Some(match watch {
        Watch::Number(number) => Value::Number(*number),
        // The innermost variable of a name is the last.
        Watch::Name(name) => {
            entry.values.0.iter().rev().find(|(known, _)| known == name)?.1.clone()
        }
        Watch::Index(array, index) => {
            let Value::List(items) = value(array, entry)? else { return None };
            items.get(usize::try_from(number(&value(index, entry)?)?).ok()?)?.clone()
        }
        Watch::Unary('-', inside) => Value::Number(number(&value(inside, entry)?)?.checked_neg()?),
        Watch::Unary(_, inside) => Value::Truth(number(&value(inside, entry)?)? == 0),
        Watch::Binary(operator, left, right) => {
            let a = number(&value(left, entry)?)?;
            // As in C, the second operand may have no value where the first one decides.
            match (*operator, a) {
                ("||", a) if a != 0 => return Some(Value::Truth(true)),
                ("&&", 0) => return Some(Value::Truth(false)),
                _ => {}
            }
            let b = number(&value(right, entry)?)?;
            match *operator {
                "+" => Value::Number(a.checked_add(b)?),
                "-" => Value::Number(a.checked_sub(b)?),
                "*" => Value::Number(a.checked_mul(b)?),
                "/" => Value::Number(a.checked_div(b)?),
                "%" => Value::Number(a.checked_rem(b)?),
                "==" => Value::Truth(a == b),
                "!=" => Value::Truth(a != b),
                "<" => Value::Truth(a < b),
                "<=" => Value::Truth(a <= b),
                ">" => Value::Truth(a > b),
                ">=" => Value::Truth(a >= b),
                _ => Value::Truth(b != 0),
            }
        }
    })
}

/// A value as a number: truth is 0 or 1. `None` for arrays and names.
pub fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Truth(truth) => Some(i128::from(*truth)),
        Value::Number(number) | Value::Character(number) => Some(*number),
        Value::List(_) | Value::Name(_) | Value::Decimal(_) => None,
    }
}

/// What a statement reads and changes, to stand behind its line: `i = 3, a[3] = 7 → 2`. Of the
/// variables that it reads, those that it names; what it changes with both values.
pub fn beside(entry: &TraceEntry) -> String {
    let changed = |name: &str| entry.changes.iter().any(|change| change.element.place == name);
    // What is no part of an expression here, as `=`, stands between names.
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let named: Vec<&str> = entry.statement.split(|c| !is_word(c)).collect();
    let mut parts: Vec<String> = Vec::new();
    for (name, value) in &entry.values.0 {
        let first = name.split('.').next().unwrap_or(name);
        let is_short = !matches!(value, Value::List(_));
        if is_short && named.contains(&first) && !changed(name) {
            parts.push(format!("{name} = {}", value.brief()));
        }
    }
    for read in entry.reads.iter().filter(|read| !read.indices.is_empty()) {
        let array = entry.values.0.iter().rev().find(|(name, _)| *name == read.variable);
        let element = array.and_then(|(_, list)| read.indices.iter().try_fold(list, item));
        if let Some(element) = element.filter(|_| !changed(&read.place)) {
            parts.push(format!("{} = {}", read.place, element.brief()));
        }
    }
    for change in &entry.changes {
        let (place, after) = (&change.element.place, change.after.brief());
        parts.push(match &change.before {
            Some(before) => format!("{place} = {} \u{2192} {after}", before.brief()),
            None => format!("{place} = {after}"),
        });
    }
    parts.join(", ")
}

/// An element of an array.
fn item<'v>(list: &'v Value, at: &u32) -> Option<&'v Value> {
    match list {
        Value::List(items) => items.get(*at as usize),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::report::Values;
    use crate::wire::step::{Change, Element};

    fn entry() -> TraceEntry {
        let list = Value::List([5, 2, 9].map(Value::Number).to_vec());
        let values = [
            ("i".to_string(), Value::Number(2)),
            ("a".to_string(), list),
            ("ok".to_string(), Value::Truth(true)),
            ("p.x".to_string(), Value::Character(97)),
        ];
        TraceEntry { values: Values(values.to_vec()), ..TraceEntry::default() }
    }

    fn told(text: &str) -> String {
        match read(text) {
            Ok(watch) => value(&watch, &entry()).map_or("-".into(), |value| value.to_string()),
            Err(why) => why,
        }
    }

    #[test]
    fn expressions_over_the_values_of_a_step() {
        for (text, expected) in [
            ("a[i] - a[i - 1]", "7"),
            ("2 + 3 * 4 - 1", "13"),
            ("-(i - 5) % 2", "1"),
            ("i < 3 && !ok || a[0] == 5", "true"),
            ("a", "[5, 2, 9]"),
            ("p.x", "97 'a'"),
            ("p.x + 1", "98"),
            ("a[3]", "-"),
            ("i / (i - 2)", "-"),
            ("i == 2 || i / (i - 2)", "true"),
            ("nobody", "-"),
            ("a + 1", "-"),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_say_what_is_missing() {
        assert_eq!(told("a[i"), "`]` is missing");
        assert_eq!(told("(i + 1"), "`)` is missing");
        assert_eq!(told("i +"), "something is missing at the end");
        assert_eq!(told("i i"), "`i` is too much here");
        assert_eq!(told("* i"), "a variable or a number, and not `*`");
        assert_eq!(told("i ? 1 : 2"), "`?` is no part of an expression");
        assert!(read(&"(".repeat(10_000)).is_err());
        assert!(read(&"-".repeat(10_000)).is_err());
    }

    #[test]
    fn what_stands_behind_a_line() {
        let change = Change {
            element: Element { place: "a[2]".into(), variable: "a".into(), indices: vec![2] },
            before: Some(Value::Number(9)),
            after: Value::Number(4),
            frame: Some(0),
            character: false,
        };
        let read = Element { place: "a[1]".into(), variable: "a".into(), indices: vec![1] };
        let statement = "a[i] = a[1] * 2".to_string();
        let entry = TraceEntry { statement, changes: vec![change], reads: vec![read], ..entry() };
        assert_eq!(beside(&entry), "i = 2, a[1] = 2, a[2] = 9 \u{2192} 4");
    }
}
