//! Readable formulas evaluated by numbers in one store: written apart from the product's reader of
//! predicates, which makes diagrams.

/// Does the formula hold? `None` if it mentions a name that has no value, or is no formula.
pub fn holds(text: &str, value: &dyn Fn(&str) -> Option<i128>) -> Option<bool> {
    let mut reader = Reader { tokens: tokens(text), at: 0, value };
    let holds = reader.formula()?;
    (reader.at == reader.tokens.len()).then_some(holds)
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut word = false;
    for c in text.chars() {
        let part = c.is_alphanumeric() || c == '_' || c == '[' || c == ']';
        if part && word {
            tokens.last_mut().expect("a word has begun").push(c);
        } else if !c.is_whitespace() {
            tokens.push(c.to_string());
        }
        word = part;
    }
    tokens
}

struct Reader<'a> {
    tokens: Vec<String>,
    at: usize,
    value: &'a dyn Fn(&str) -> Option<i128>,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", String::as_str)
    }

    fn takes(&mut self, token: &str) -> bool {
        let found = self.peek(0) == token;
        self.at += usize::from(found);
        found
    }

    fn formula(&mut self) -> Option<bool> {
        let mut any = self.conjunction()?;
        while self.takes("∨") {
            let next = self.conjunction()?;
            any |= next;
        }
        Some(any)
    }

    fn conjunction(&mut self) -> Option<bool> {
        let mut all = self.factor()?;
        while self.takes("∧") {
            let next = self.factor()?;
            all &= next;
        }
        Some(all)
    }

    fn factor(&mut self) -> Option<bool> {
        if self.takes("¬") {
            return Some(!self.factor()?);
        }
        if self.peek(0) == "(" {
            let start = self.at;
            self.at += 1;
            if let Some(inner) = self.formula()
                && self.takes(")")
                && !["=", "≠", "<", "≤", ">", "≥", "+", "-", "even", "odd", "∈", "∉"]
                    .contains(&self.peek(0))
            {
                return Some(inner);
            }
            self.at = start;
        }
        match self.peek(0) {
            "true" => return Some(self.takes("true")),
            "false" => return Some(!self.takes("false")),
            _ => {}
        }
        let mut left = self.sum()?;
        if self.takes("even") {
            return Some(left.rem_euclid(2) == 0);
        }
        if self.takes("odd") {
            return Some(left.rem_euclid(2) == 1);
        }
        let (inside, outside) = (self.takes("∈"), self.takes("∉"));
        if inside || outside {
            return Some(self.member(left)? == inside);
        }
        let mut relations = Vec::new();
        let mut terms = vec![left];
        while ["=", "≠", "<", "≤", ">", "≥"].contains(&self.peek(0)) {
            relations.push(self.peek(0).to_string());
            self.at += 1;
            left = self.sum()?;
            terms.push(left);
        }
        if relations.is_empty() {
            return Some(terms[0] == 1);
        }
        if self.peek(0) == "(" && self.peek(1) == "mod" {
            self.at += 2;
            let modulus: i128 = self.peek(0).parse().ok()?;
            self.at += 1;
            self.takes(")").then_some(())?;
            terms.iter_mut().for_each(|term| *term = term.rem_euclid(modulus));
        }
        let compare = |(k, relation): (usize, &String)| match relation.as_str() {
            "=" => terms[k] == terms[k + 1],
            "≠" => terms[k] != terms[k + 1],
            "<" => terms[k] < terms[k + 1],
            "≤" => terms[k] <= terms[k + 1],
            ">" => terms[k] > terms[k + 1],
            _ => terms[k] >= terms[k + 1],
        };
        Some(relations.iter().enumerate().all(compare))
    }

    fn member(&mut self, value: i128) -> Option<bool> {
        self.takes("{").then_some(())?;
        let mut any = false;
        loop {
            let low = self.number()?;
            let high = if self.takes(".") && self.takes(".") { self.number()? } else { low };
            any |= (low..=high).contains(&value);
            if self.takes("}") {
                return Some(any);
            }
            self.takes(",").then_some(())?;
        }
    }

    fn number(&mut self) -> Option<i128> {
        let sign = if self.takes("-") { -1 } else { 1 };
        let number: i128 = self.peek(0).parse().ok()?;
        self.at += 1;
        Some(sign * number)
    }

    fn sum(&mut self) -> Option<i128> {
        let mut total = self.operand()?;
        loop {
            if self.takes("+") {
                total += self.operand()?;
            } else if self.takes("-") {
                total -= self.operand()?;
            } else {
                return Some(total);
            }
        }
    }

    fn operand(&mut self) -> Option<i128> {
        if self.takes("-") {
            return Some(-self.operand()?);
        }
        if self.takes("(") {
            let inner = self.sum()?;
            self.takes(")").then_some(())?;
            return Some(inner);
        }
        let token = self.peek(0).to_string();
        let value = token.parse().ok().or_else(|| (self.value)(&token))?;
        self.at += 1;
        Some(value)
    }
}

#[test]
fn formulas_are_read_as_they_are_written() {
    let value = |name: &str| {
        Some(match name {
            "x" => 3,
            "y" => -2,
            "b" => 1,
            "a[1]" => 6,
            _ => return None,
        })
    };
    for text in [
        "x = 3",
        "b ∧ ¬(x < y)",
        "x + y = 1",
        "x - (y + 1) = 4",
        "-2 ≤ y < x",
        "a[1] ∈ {1, 4..6}",
        "x odd ∧ (y even ∨ b)",
        "x = y + 5 (mod 8)",
        "y ∉ {0..9}",
        "true",
    ] {
        assert_eq!(holds(text, &value), Some(true), "{text}");
    }
    assert_eq!(holds("x = 4 ∨ y = 0", &value), Some(false));
    assert_eq!(holds("z = 4", &value), None);
}
