//! Readable predicates as C expressions, for witnesses: `x even ∧ y ∈ {1, 3..5}` is
//! `(x % 2 == 0) && (y == 1 || (3 <= y && y <= 5))`.
//!
//! The module reads the notation of [`predicate`](crate::readable::predicate) and writes C's
//! notation. [`predicate`](crate::readable::predicate) can read both, so a test compares the two as
//! diagrams.

use crate::util::names::{continues_name, starts_name};

/// The C expression of a readable predicate without entry values. Returns `None` if the text is no
/// such predicate.
pub fn c_expression(text: &str) -> Option<String> {
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens: &tokens, at: 0, nesting: 0 };
    let written = reader.predicate()?;
    (reader.at == tokens.len()).then_some(written.text)
}

const MAX_NESTING: u32 = 64;

fn tokens(text: &str) -> Option<Vec<String>> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            first if starts_name(first) => rest.find(|c| !continues_name(c)).unwrap_or(rest.len()),
            '0'..='9' => rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()),
            '.' if rest.starts_with("..") => 2,
            _ => first.len_utf8(),
        };
        tokens.push(rest.get(..length)?.to_string());
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// A piece of C, with how tightly its outermost operator binds.
struct Written {
    text: String,
    tight: bool,
}

impl Written {
    fn tight(text: String) -> Written {
        Written { text, tight: true }
    }
    fn loose(text: String) -> Written {
        Written { text, tight: false }
    }
    /// The text as an operand, in parentheses if it needs them.
    fn operand(self) -> String {
        if self.tight { self.text } else { format!("({})", self.text) }
    }
}

struct Reader<'a> {
    tokens: &'a [String],
    at: usize,
    nesting: u32,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn takes(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn needs(&mut self, token: &str) -> Option<()> {
        self.takes(token).then_some(())
    }

    fn predicate(&mut self) -> Option<Written> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return None;
        }
        let left = self.joined("∨", "||", Self::both)?;
        let result = if self.takes("→") {
            let right = self.predicate()?;
            Written::loose(format!(
                "!{} || {}",
                Written::loose(left.text).operand(),
                right.operand()
            ))
        } else {
            left
        };
        self.nesting -= 1;
        Some(result)
    }

    fn both(&mut self) -> Option<Written> {
        self.joined("∧", "&&", Self::factor)
    }

    fn joined(
        &mut self,
        symbol: &str,
        operator: &str,
        part: fn(&mut Self) -> Option<Written>,
    ) -> Option<Written> {
        let first = part(self)?;
        if self.peek() != symbol {
            return Some(first);
        }
        let mut all = vec![first.operand()];
        while self.takes(symbol) {
            all.push(part(self)?.operand());
        }
        Some(Written::loose(all.join(&format!(" {operator} "))))
    }

    fn factor(&mut self) -> Option<Written> {
        if self.takes("¬") {
            self.nesting += 1;
            let inner = if self.nesting > MAX_NESTING { None } else { self.factor() };
            self.nesting -= 1;
            let inner = inner?;
            let bare = inner.text.chars().all(|c| c.is_alphanumeric() || "_[].".contains(c));
            return Some(Written::tight(if bare {
                format!("!{}", inner.text)
            } else {
                format!("!({})", inner.text)
            }));
        }
        let start = self.at;
        if let Some(comparison) = self.comparison() {
            return Some(comparison);
        }
        self.at = start;
        self.needs("(")?;
        let inner = self.predicate()?;
        self.needs(")")?;
        Some(inner)
    }

    fn comparison(&mut self) -> Option<Written> {
        for (word, value) in [("true", "1"), ("false", "0")] {
            if self.takes(word) {
                return Some(Written::tight(value.to_string()));
            }
        }
        let first = self.sum()?;
        for (word, relation) in [("even", "=="), ("odd", "!=")] {
            if self.takes(word) {
                return Some(Written::loose(format!("{} % 2 {relation} 0", first.operand())));
            }
        }
        for (symbol, inside) in [("∈", true), ("∉", false)] {
            if self.takes(symbol) {
                let within = self.membership(&first.operand())?;
                return Some(if inside {
                    within
                } else {
                    Written::tight(format!("!({})", within.text))
                });
            }
        }
        let mut terms = vec![first];
        let mut relations = Vec::new();
        while let Some((_, relation)) = RELATIONS.iter().find(|(symbol, _)| *symbol == self.peek())
        {
            self.at += 1;
            relations.push(*relation);
            terms.push(self.sum()?);
        }
        if relations.is_empty() {
            return terms.pop().filter(|term| term.tight);
        }
        if self.peek() == "(" && self.tokens.get(self.at + 1).is_some_and(|word| word == "mod") {
            self.at += 2;
            let modulus = self.number()?;
            self.needs(")")?;
            let [left, right] = <[Written; 2]>::try_from(terms).ok()?;
            // C's remainder has the sign of the dividend, so only "is it zero" means the same in
            // both notations.
            let zero = relations.first().filter(|relation| matches!(**relation, "==" | "!="))?;
            let difference = if right.text == "0" {
                left.operand()
            } else {
                format!("({} - {})", left.text, right.operand())
            };
            return Some(Written::loose(format!("{difference} % {modulus} {zero} 0")));
        }
        let terms: Vec<String> = terms.into_iter().map(|term| term.text).collect();
        let all: Vec<String> = relations
            .iter()
            .zip(terms.windows(2))
            .map(|(relation, two)| format!("{} {relation} {}", two[0], two[1]))
            .collect();
        Some(Written::loose(all.join(" && ")))
    }

    fn membership(&mut self, term: &str) -> Option<Written> {
        self.needs("{")?;
        let mut cases = Vec::new();
        loop {
            let low = self.signed_number()?;
            cases.push(if self.takes("..") {
                format!("({low} <= {term} && {term} <= {})", self.signed_number()?)
            } else {
                format!("{term} == {low}")
            });
            if self.takes("}") {
                return Some(Written::loose(cases.join(" || ")));
            }
            self.needs(",")?;
        }
    }

    fn sum(&mut self) -> Option<Written> {
        let mut left = self.operand()?;
        while matches!(self.peek(), "+" | "-") {
            let operator = self.peek().to_string();
            self.at += 1;
            left =
                Written::loose(format!("{} {operator} {}", left.text, self.operand()?.operand()));
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<Written> {
        if self.takes("-") {
            return Some(Written::tight(format!("-{}", self.number()?)));
        }
        let first = self.peek().chars().next()?;
        if first.is_ascii_digit() {
            return self.number().map(Written::tight);
        }
        if !starts_name(first) {
            return None;
        }
        let mut name = self.peek().to_string();
        self.at += 1;
        loop {
            if self.takes("[") {
                name.push_str(&format!("[{}]", self.number()?));
                self.needs("]")?;
            } else if self.takes(".") {
                let member = self.peek().to_string();
                if !member.starts_with(starts_name) {
                    return None;
                }
                self.at += 1;
                name.push_str(&format!(".{member}"));
            } else {
                break;
            }
        }
        (self.peek() != "at").then_some(Written::tight(name))
    }

    fn signed_number(&mut self) -> Option<String> {
        let sign = if self.takes("-") { "-" } else { "" };
        Some(format!("{sign}{}", self.number()?))
    }

    fn number(&mut self) -> Option<String> {
        let number = self.peek().to_string();
        let digits = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        self.at += usize::from(digits);
        digits.then_some(number)
    }
}

const RELATIONS: [(&str, &str); 6] =
    [("=", "=="), ("≠", "!="), ("<", "<"), ("≤", "<="), (">", ">"), ("≥", ">=")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_operators() {
        let expectations = [
            ("true", "1"),
            ("b ∧ ¬c", "b && !c"),
            ("x even", "x % 2 == 0"),
            ("x + y odd", "(x + y) % 2 != 0"),
            ("1 ≤ x ≤ 5", "1 <= x && x <= 5"),
            ("x ∈ {1, 3..5}", "x == 1 || (3 <= x && x <= 5)"),
            ("x ∉ {-2, 9}", "!(x == -2 || x == 9)"),
            ("x + y = 3 (mod 16)", "(x + y - 3) % 16 == 0"),
            ("(x = 0 ∧ a[2] ≠ 1) ∨ ¬b", "((x == 0) && (a[2] != 1)) || !b"),
            ("¬(x < y + 1)", "!(x < y + 1)"),
            ("x = 1 → b", "!(x == 1) || b"),
            ("s.x < p[1].y.z ∧ ¬s.b", "(s.x < p[1].y.z) && !s.b"),
        ];
        for (text, expected) in expectations {
            assert_eq!(c_expression(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_predicate_is_refused() {
        for text in
            ["too many sets of values to list", "x = x at entry", "", "x +", "(x", "x ≤ y (mod 4)"]
        {
            assert_eq!(c_expression(text), None, "{text}");
        }
    }
}
