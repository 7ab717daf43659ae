//! The text of a formula.
//!
//! ```text
//! formula  = implied { "<->" implied }
//! implied  = either [ "->" implied ]
//! either   = both { "||" both }
//! both     = timed { "&&" timed }
//! timed    = unary [ ("U" | "R" | "W") timed ]
//! unary    = ("!" | "X" | "F" | "G" | "[]" | "<>") unary | compared
//! compared = sum [ ("==" | "=" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//! sum      = product { ("+" | "-") product }
//! product  = factor { ("*" | "%") factor }
//! factor   = number | name { "[" sum "]" | "." name } | "-" factor | "(" formula ")"
//!          | "true" | "false" | "fails" | "at" "(" (line | label) ")"
//!          | ("enter" | "leave") "(" procedure ")" | "inside" "(" procedure ":" formula ")"
//! ```
//!
//! A number alone, as in `G lock`, says that it is not zero.

use super::atoms::{Atom, Comparison, Condition, NamedAtom, Term, TermOperator, atoms_of};
use super::formula::{Formula, Temporal};
use super::tokens::{Token, tokens};
use crate::lang::model::{ProcedureId, Program};
use crate::util::names::starts_name;

/// A formula that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The formula, over these atoms.
    pub formula: Formula,
    /// By number.
    pub atoms: Vec<Atom>,
    /// The text of each atom.
    pub texts: Vec<String>,
}

impl Reading {
    /// The formula as text.
    pub fn text(&self) -> String {
        self.formula.text(&self.texts)
    }
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// What is wrong.
    pub message: String,
    /// The byte where it is.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

/// The most nested parentheses and operators.
const MAX_NESTING: u32 = 64;
/// The longest text.
const MAX_LENGTH: usize = 4_000;
/// The most bits of a number in a condition.
const MAX_BITS: u32 = 64;

/// Reads a formula about a program.
pub fn parse(program: &Program, source: &str, text: &str) -> Result<Reading, FormulaError> {
    parse_with(program, source, None, text)
}

/// The same about a program that stands for something else: these names are atoms, beside
/// conditions over its globals. It has no places and no procedures that a formula could name.
pub fn parse_named(
    program: &Program,
    names: &[NamedAtom],
    text: &str,
) -> Result<Reading, FormulaError> {
    parse_with(program, "", Some(names), text)
}

fn parse_with(
    program: &Program,
    source: &str,
    names: Option<&[NamedAtom]>,
    text: &str,
) -> Result<Reading, FormulaError> {
    if text.len() > MAX_LENGTH {
        let message = format!("a formula has at most {MAX_LENGTH} letters");
        return Err(FormulaError { message, start: MAX_LENGTH, end: text.len() });
    }
    let tokens = tokens(text)?;
    let mut parser = Parser {
        program,
        source,
        names,
        text,
        tokens,
        at: 0,
        nesting: 0,
        inside: None,
        atoms: Vec::new(),
        texts: Vec::new(),
    };
    let formula = parser.formula()?;
    if parser.at < parser.tokens.len() {
        return Err(parser.expected("an operator or the end of the formula"));
    }
    Ok(Reading { formula, atoms: parser.atoms, texts: parser.texts })
}

/// The formula of `terminates`: every run ends. Its negation says that the end is never reached.
pub fn termination() -> Reading {
    // A run that ends stutters in its last state, and no other run does so for ever: the product
    // (see `super::product`) leaves out the ends instead of asking for them.
    Reading { formula: Formula::Constant(false), atoms: Vec::new(), texts: Vec::new() }
}

/// A formula, or a number that may become one.
pub(super) enum Item {
    Formula(Formula),
    Number(Term),
}

pub(super) struct Parser<'t> {
    pub(super) program: &'t Program,
    pub(super) source: &'t str,
    /// Names of atoms, if the program stands for something else.
    pub(super) names: Option<&'t [NamedAtom]>,
    text: &'t str,
    tokens: Vec<Token<'t>>,
    pub(super) at: usize,
    nesting: u32,
    /// The procedure whose locals are named.
    pub(super) inside: Option<ProcedureId>,
    pub(super) atoms: Vec<Atom>,
    pub(super) texts: Vec<String>,
}

pub(super) type Parsed<T> = Result<T, FormulaError>;

impl<'t> Parser<'t> {
    pub(super) fn peek(&self) -> &'t str {
        self.tokens.get(self.at).map_or("", |token| token.text)
    }

    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let found = self.peek() == sign;
        self.at += usize::from(found);
        found
    }

    pub(super) fn needs(&mut self, sign: &str) -> Parsed<()> {
        if self.takes(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// Where the next token begins.
    fn place(&self) -> usize {
        self.tokens.get(self.at).map_or(self.text.len(), |token| token.start)
    }

    pub(super) fn expected(&self, what: &str) -> FormulaError {
        let start = self.place();
        let found = self.peek();
        let message = match found {
            "" => format!("expected {what}, but the formula ends here"),
            found => format!("expected {what}, found `{found}`"),
        };
        FormulaError { message, start, end: start + found.len() }
    }

    /// An error at the tokens from this one on that were read.
    pub(super) fn error(&self, from: usize, message: String) -> FormulaError {
        let start = self.tokens.get(from).map_or(self.text.len(), |token| token.start);
        FormulaError { message, start, end: self.end().max(start) }
    }

    /// The end of the last token that was read.
    fn end(&self) -> usize {
        let last = self.at.checked_sub(1).and_then(|k| self.tokens.get(k));
        last.map_or(0, |token| token.start + token.text.len())
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.error(self.at, "the formula is nested too deeply".to_string()));
        }
        let read = read(self);
        self.nesting -= 1;
        read
    }

    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        let from = self.at;
        let item = self.deeper(Parser::equivalent)?;
        self.as_formula(from, item)
    }

    /// A number alone says that it is not zero.
    fn as_formula(&mut self, from: usize, item: Item) -> Parsed<Formula> {
        match item {
            Item::Formula(formula) => Ok(formula),
            Item::Number(term) => self.compare(from, Comparison::NotEqual, term, Term::Number(0)),
        }
    }

    /// Reads operands with one operator between them, to the left.
    fn chain(
        &mut self,
        sign: &str,
        operand: fn(&mut Self) -> Parsed<Item>,
        make: fn(Box<Formula>, Box<Formula>) -> Formula,
    ) -> Parsed<Item> {
        let from = self.at;
        let mut left = operand(self)?;
        while self.peek() == sign {
            let a = self.as_formula(from, left)?;
            self.at += 1;
            let begin = self.at;
            let b = operand(self)?;
            let b = self.as_formula(begin, b)?;
            left = Item::Formula(make(Box::new(a), Box::new(b)));
        }
        Ok(left)
    }

    fn equivalent(&mut self) -> Parsed<Item> {
        self.chain("<->", Parser::implied, Formula::Iff)
    }

    fn implied(&mut self) -> Parsed<Item> {
        let from = self.at;
        let left = self.chain("||", Parser::both, Formula::Or)?;
        if self.peek() != "->" {
            return Ok(left);
        }
        let a = self.as_formula(from, left)?;
        self.at += 1;
        let begin = self.at;
        let right = self.deeper(Parser::implied)?;
        let b = self.as_formula(begin, right)?;
        Ok(Item::Formula(Formula::Implies(Box::new(a), Box::new(b))))
    }

    fn both(&mut self) -> Parsed<Item> {
        self.chain("&&", Parser::timed, Formula::And)
    }

    fn timed(&mut self) -> Parsed<Item> {
        let from = self.at;
        let left = self.unary()?;
        let operator = match self.peek() {
            "U" => Temporal::Until,
            "R" => Temporal::Release,
            "W" => Temporal::WeakUntil,
            _ => return Ok(left),
        };
        self.is_timed(self.at)?;
        let a = self.as_formula(from, left)?;
        self.at += 1;
        let begin = self.at;
        let right = self.deeper(Parser::timed)?;
        let b = self.as_formula(begin, right)?;
        Ok(Item::Formula(Formula::Binary(operator, Box::new(a), Box::new(b))))
    }

    /// Time does not pass inside `inside`.
    fn is_timed(&self, at: usize) -> Parsed<()> {
        if self.inside.is_none() {
            return Ok(());
        }
        let token = &self.tokens[at];
        let message = format!("`{}` speaks of other states; `inside` is about one", token.text);
        Err(FormulaError { message, start: token.start, end: token.start + token.text.len() })
    }

    fn unary(&mut self) -> Parsed<Item> {
        let make: fn(Box<Formula>) -> Formula = match self.peek() {
            "!" => Formula::Not,
            "X" => Formula::Next,
            "F" | "<>" => Formula::Finally,
            "G" | "[]" => Formula::Globally,
            _ => return self.compared(),
        };
        if self.peek() != "!" {
            self.is_timed(self.at)?;
        }
        self.at += 1;
        let from = self.at;
        let operand = self.deeper(Parser::unary)?;
        let operand = self.as_formula(from, operand)?;
        Ok(Item::Formula(make(Box::new(operand))))
    }

    fn compared(&mut self) -> Parsed<Item> {
        let from = self.at;
        let left = self.sum()?;
        let sign = self.peek();
        if !matches!(sign, "==" | "=" | "!=" | "<" | "<=" | ">" | ">=") {
            return Ok(left);
        }
        let left = self.number(from, left)?;
        self.at += 1;
        let begin = self.at;
        let right = self.sum()?;
        let right = self.number(begin, right)?;
        let (operator, a, b) = match sign {
            "!=" => (Comparison::NotEqual, left, right),
            "<" => (Comparison::Less, left, right),
            "<=" => (Comparison::LessEqual, left, right),
            ">" => (Comparison::Less, right, left),
            ">=" => (Comparison::LessEqual, right, left),
            _ => (Comparison::Equal, left, right),
        };
        self.compare(from, operator, a, b).map(Item::Formula)
    }

    pub(super) fn number(&self, from: usize, item: Item) -> Parsed<Term> {
        match item {
            Item::Number(term) => Ok(term),
            Item::Formula(Formula::Constant(value)) => Ok(Term::Number(i128::from(value))),
            Item::Formula(_) => Err(self.error(from, "this is no number".to_string())),
        }
    }

    fn compare(&mut self, from: usize, op: Comparison, a: Term, b: Term) -> Parsed<Formula> {
        if let (Term::Number(a), Term::Number(b)) = (&a, &b) {
            return Ok(Formula::Constant(match op {
                Comparison::Equal => a == b,
                Comparison::NotEqual => a != b,
                Comparison::Less => a < b,
                Comparison::LessEqual => a <= b,
            }));
        }
        let condition = Condition::Compare(op, a, b);
        if condition.width(self.program) > MAX_BITS {
            return Err(self.error(from, format!("numbers here need more than {MAX_BITS} bits")));
        }
        Ok(self.atom(from, Atom::Condition(condition)))
    }

    /// The atom's formula; its text is what was read since `from`.
    pub(super) fn atom(&mut self, from: usize, atom: Atom) -> Formula {
        let known = self.atoms.iter().position(|known| *known == atom);
        let number = known.unwrap_or_else(|| {
            let start = self.tokens.get(from).map_or(0, |token| token.start);
            self.texts.push(self.text[start..self.end()].trim().to_string());
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        Formula::Atom(number as u32)
    }

    pub(super) fn sum(&mut self) -> Parsed<Item> {
        self.numbers(Parser::product, |sign| match sign {
            "+" => Some(TermOperator::Add),
            "-" => Some(TermOperator::Subtract),
            _ => None,
        })
    }

    fn product(&mut self) -> Parsed<Item> {
        self.numbers(Parser::factor, |sign| match sign {
            "*" => Some(TermOperator::Multiply),
            "%" => Some(TermOperator::Remainder),
            _ => None,
        })
    }

    fn numbers(
        &mut self,
        operand: fn(&mut Self) -> Parsed<Item>,
        operator: fn(&str) -> Option<TermOperator>,
    ) -> Parsed<Item> {
        let from = self.at;
        let mut left = operand(self)?;
        while let Some(operator) = operator(self.peek()) {
            let a = self.number(from, left)?;
            self.at += 1;
            let begin = self.at;
            let b = operand(self)?;
            let b = self.number(begin, b)?;
            left = Item::Number(Term::Binary(operator, Box::new(a), Box::new(b)));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Parsed<Item> {
        let from = self.at;
        if self.takes("(") {
            let item = self.deeper(Parser::equivalent)?;
            self.needs(")")?;
            return Ok(item);
        }
        if self.takes("-") {
            let begin = self.at;
            let operand = self.deeper(Parser::factor)?;
            let operand = self.number(begin, operand)?;
            return Ok(Item::Number(Term::Negated(Box::new(operand))));
        }
        let word = self.peek();
        let begins = word.chars().next();
        if begins.is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
            let number = match word.strip_prefix("0x") {
                Some(digits) => i128::from_str_radix(digits, 16).ok(),
                None => word.parse::<i128>().ok(),
            };
            let number = number.filter(|n| *n <= i128::from(u64::MAX));
            let number =
                number.ok_or_else(|| self.error(from, format!("`{word}` is no number")))?;
            return Ok(Item::Number(Term::Number(number)));
        }
        if !begins.is_some_and(starts_name) {
            return Err(self.expected("a condition"));
        }
        let calls = self.tokens.get(self.at + 1).is_some_and(|token| token.text == "(");
        if let Some(names) = self.names {
            let known = names.iter().find(|known| known.name == word);
            let is_place = matches!(word, "fails" | "at" | "enter" | "leave" | "inside");
            if known.is_some() || is_place {
                self.at += 1;
            }
            if let Some(known) = known {
                let atom = Atom::Condition(known.condition.clone());
                return Ok(Item::Formula(self.atom(from, atom)));
            }
            if is_place {
                let message = format!("`{word}` is about programs; {}", atoms_of(names));
                return Err(self.error(from, message));
            }
        }
        match word {
            "true" | "false" => {
                self.at += 1;
                Ok(Item::Formula(Formula::Constant(word == "true")))
            }
            "fails" if self.inside.is_none() => {
                self.at += 1;
                Ok(Item::Formula(self.atom(from, Atom::Fails)))
            }
            "at" | "enter" | "leave" | "inside" if calls => {
                if self.inside.is_some() {
                    let message = format!("`{word}` cannot stand inside `inside`");
                    self.at += 1;
                    return Err(self.error(from, message));
                }
                self.place_atom(from, word)
            }
            "U" | "R" | "W" | "X" | "F" | "G" => Err(self.expected("a condition")),
            _ => self.variable(from),
        }
    }
}
