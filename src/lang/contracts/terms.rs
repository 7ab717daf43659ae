//! Formulas and terms of annotations, by recursive descent.

use super::read::{Read, Refused};
use super::words::{Kind, Word, words};
use super::{Formula, OLD, Quantified, READABLE, RESULT, VALID};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::message::is;
use crate::lang::model::Span;
use crate::lang::parser;
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, Name, UnaryOp, join};
use crate::lang::tree::{call, expr, mathematical, named, number};

/// Deepest nesting.
const MOST_NESTING: u32 = 60;
/// Deepest term.
const MOST_DEPTH: u16 = 100;
/// Most words of one annotation.
const MOST_WORDS: usize = 4000;

/// Elements behind a pointer: `p + (low .. high)`, `a[low .. high]`.
#[derive(Debug)]
pub(super) struct Elements {
    pub(super) pointer: Expr,
    pub(super) low: Expr,
    /// One behind the last.
    pub(super) end: Expr,
}

pub(super) struct Reader<'s, 'd> {
    words: Vec<Word<'s>>,
    at: usize,
    nesting: u32,
    /// May the term name several elements?
    pub(super) ranges: bool,
    /// Those that it names.
    pub(super) range: Option<Elements>,
    /// Bound variables, innermost last: as written, and by their own names.
    pub(super) bound: Vec<(String, String)>,
    /// Number of bound variables so far.
    pub(super) count: u32,
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl<'s, 'd> Reader<'s, 'd> {
    pub(super) fn new(text: &'s str, span: Span, diagnostics: &'d mut Diagnostics) -> Self {
        let mut words = words(text, span);
        if words.len() > MOST_WORDS {
            diagnostics.error(span, is("an annotation this long"), "split it into several clauses");
            words.drain(..words.len() - 1);
        }
        Reader {
            words,
            at: 0,
            nesting: 0,
            ranges: false,
            range: None,
            bound: Vec::new(),
            count: 0,
            diagnostics,
        }
    }

    pub(super) fn word(&self) -> Word<'s> {
        self.words[self.at.min(self.words.len() - 1)]
    }

    fn next(&self) -> Word<'s> {
        self.words[(self.at + 1).min(self.words.len() - 1)]
    }

    pub(super) fn bump(&mut self) -> Word<'s> {
        let word = self.word();
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    fn before(&self) -> Span {
        self.words[self.at.saturating_sub(1)].span
    }

    fn is_sign(&self, sign: &str) -> bool {
        self.word().kind == Kind::Sign && self.word().text == sign
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Read<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{sign}`"))),
        }
    }

    pub(super) fn unexpected(&mut self, expected: &str) -> Refused {
        let word = self.word();
        let found = match word.kind {
            Kind::End => "the end of the annotation".to_string(),
            _ => format!("`{}`", word.text.chars().take(40).collect::<String>()),
        };
        self.diagnostics.error(word.span, format!("expected {expected}, found {found}"), "");
        Refused
    }

    fn refuse(&mut self, what: &str, span: Span, hint: &str) -> Refused {
        self.diagnostics.error(span, is(what), hint);
        Refused
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.nesting >= MOST_NESTING {
            let span = self.word().span;
            return Err(self.refuse("an annotation that nests this deep", span, "split it"));
        }
        self.nesting += 1;
        let found = read(self);
        self.nesting -= 1;
        found
    }

    /// A formula; `label:` may stand before it.
    pub(super) fn formula(&mut self) -> Read<Formula> {
        if self.word().kind == Kind::Name && self.next().text == ":" {
            self.bump();
            self.bump();
        }
        self.nested(Self::equivalence)
    }

    /// `a <==> b`
    fn equivalence(&mut self) -> Read<Formula> {
        let mut left = self.implication()?;
        while self.eat("<==>") {
            let right = self.implication()?;
            left = Formula::Equivalent(Box::new(left), Box::new(right));
            self.deeper()?;
        }
        Ok(left)
    }

    /// Chains count as nesting: each link is a level of the formula.
    fn deeper(&mut self) -> Read<()> {
        self.nested(|_| Ok(()))?;
        self.nesting += 1;
        Ok(())
    }

    /// `a ==> b ==> c` is `a ==> (b ==> c)`.
    fn implication(&mut self) -> Read<Formula> {
        let left = self.disjunction()?;
        if self.eat("?") {
            let test = self.condition(left)?;
            let then = self.nested(Self::implication)?;
            self.expect(":")?;
            let otherwise = self.nested(Self::implication)?;
            let (then, otherwise) = (self.condition(then)?, self.condition(otherwise)?);
            let span = join(test.span, otherwise.span);
            // Sums have a sign and enough bits, so the type of both holds the number of each.
            let sum = |e: Expr| mathematical(BinaryOp::Add, e, number(0, span), span);
            let kind = ExprKind::Conditional(Box::new([test, sum(then), sum(otherwise)]));
            return Ok(Formula::Holds(self.shallow(expr(kind, span))?));
        }
        match self.eat("==>") {
            false => Ok(left),
            true => {
                let right = self.nested(Self::implication)?;
                Ok(Formula::Implies(Box::new(left), Box::new(right)))
            }
        }
    }

    fn disjunction(&mut self) -> Read<Formula> {
        let mut list = vec![self.conjunction()?];
        while self.eat("||") {
            list.push(self.conjunction()?);
        }
        if self.is_sign("^^") {
            let span = self.word().span;
            return Err(self.refuse("`^^`", span, "write `!(a <==> b)`"));
        }
        Ok(match list.len() {
            1 => list.remove(0),
            _ => Formula::Or(list),
        })
    }

    fn conjunction(&mut self) -> Read<Formula> {
        let mut list = vec![self.relations()?];
        while self.eat("&&") {
            list.push(self.relations()?);
        }
        Ok(match list.len() {
            1 => list.remove(0),
            _ => Formula::And(list),
        })
    }

    /// `0 <= i < n` says both.
    fn relations(&mut self) -> Read<Formula> {
        let first = self.operand(0)?;
        let mut parts = Vec::new();
        let mut left = first;
        loop {
            let op = match self.word().text {
                "<" => BinaryOp::Less,
                "<=" => BinaryOp::LessEqual,
                ">" => BinaryOp::Greater,
                ">=" => BinaryOp::GreaterEqual,
                "==" => BinaryOp::Equal,
                "!=" => BinaryOp::NotEqual,
                _ => break,
            };
            if self.word().kind != Kind::Sign {
                break;
            }
            self.bump();
            let l = self.number(left)?;
            let right = self.operand(0)?;
            let r = self.number(right)?;
            let span = join(l.span, r.span);
            parts.push(Formula::Holds(self.shallow(mathematical(op, l, r.clone(), span))?));
            left = Formula::Holds(r);
        }
        let formula = match parts.len() {
            0 => left,
            1 => parts.remove(0),
            _ => Formula::And(parts),
        };
        Ok(formula)
    }

    /// The term of a formula that is one.
    fn number(&mut self, formula: Formula) -> Read<Expr> {
        match formula {
            Formula::Holds(e) => Ok(e),
            _ => {
                let span = self.before();
                Err(self.refuse("a formula that is used as a number", span, "write it apart"))
            }
        }
    }

    /// A formula without quantifiers as a condition.
    fn condition(&mut self, formula: Formula) -> Read<Expr> {
        match formula.plain() {
            Some(e) => Ok(e),
            None => {
                let span = self.before();
                Err(self.refuse("a quantifier in a term", span, "write it apart"))
            }
        }
    }

    /// A term. Only a term within the bounds of depth is made.
    pub(super) fn term(&mut self) -> Read<Expr> {
        let found = self.nested(|reader| reader.operand(0))?;
        self.number(found)
    }

    fn shallow(&mut self, e: Expr) -> Read<Expr> {
        match e.depth > MOST_DEPTH {
            true => Err(self.refuse("a term that nests this deep", e.span, "split it")),
            false => Ok(e),
        }
    }

    /// Operators between comparisons and unary ones, by binding power.
    fn operand(&mut self, least: u8) -> Read<Formula> {
        let mut left = self.unary()?;
        loop {
            let word = self.word();
            let (op, power) = match (word.kind, word.text) {
                (Kind::Sign, "|") => (BinaryOp::BitOr, 1),
                (Kind::Sign, "^") => (BinaryOp::BitXor, 2),
                (Kind::Sign, "&") => (BinaryOp::BitAnd, 3),
                (Kind::Sign, "<<") => (BinaryOp::ShiftLeft, 4),
                (Kind::Sign, ">>") => (BinaryOp::ShiftRight, 4),
                (Kind::Sign, "+") => (BinaryOp::Add, 5),
                (Kind::Sign, "-") => (BinaryOp::Subtract, 5),
                (Kind::Sign, "*") => (BinaryOp::Multiply, 6),
                (Kind::Sign, "/") => (BinaryOp::Divide, 6),
                (Kind::Sign, "%") => (BinaryOp::Remainder, 6),
                _ => return Ok(left),
            };
            if power <= least {
                return Ok(left);
            }
            self.bump();
            let l = self.number(left)?;
            if op == BinaryOp::Add && self.ranges && self.is_sign("(") && self.range.is_none() {
                let inside = self.in_parentheses()?;
                if self.range.as_ref().is_some_and(|range| range.pointer.is_open()) {
                    self.points_to(l.clone());
                    return Ok(Formula::Holds(l));
                }
                let r = self.number(inside)?;
                let span = join(l.span, r.span);
                left = Formula::Holds(self.shallow(mathematical(op, l, r, span))?);
                continue;
            }
            let right = self.operand(power)?;
            let r = self.number(right)?;
            let span = join(l.span, r.span);
            left = Formula::Holds(self.shallow(mathematical(op, l, r, span))?);
        }
    }

    fn points_to(&mut self, pointer: Expr) {
        if let Some(range) = &mut self.range {
            range.pointer = pointer;
        }
    }

    fn unary(&mut self) -> Read<Formula> {
        let word = self.word();
        let span = word.span;
        match (word.kind, word.text) {
            (Kind::Sign, "!") => {
                self.bump();
                let inner = self.nested(Self::unary)?;
                Ok(Formula::Not(Box::new(inner)))
            }
            (Kind::Sign, "-") => {
                self.bump();
                let inner = self.nested(Self::unary)?;
                let e = self.number(inner)?;
                let at = join(span, e.span);
                let zero = number(0, span);
                Ok(Formula::Holds(self.shallow(mathematical(BinaryOp::Subtract, zero, e, at))?))
            }
            (Kind::Sign, sign @ ("+" | "~" | "*" | "&")) => {
                self.bump();
                let inner = self.nested(Self::unary)?;
                let e = self.number(inner)?;
                let at = join(span, e.span);
                let boxed = Box::new(e);
                let kind = match sign {
                    "+" => ExprKind::Unary(UnaryOp::Plus, boxed),
                    "~" => ExprKind::Unary(UnaryOp::Tilde, boxed),
                    "*" => ExprKind::Indirect(boxed),
                    _ => ExprKind::Address(boxed),
                };
                Ok(Formula::Holds(self.shallow(expr(kind, at))?))
            }
            (Kind::Backslash, "\\forall") => self.nested(|reader| reader.quantified(true)),
            (Kind::Backslash, "\\exists") => self.nested(|reader| reader.quantified(false)),
            _ => self.postfix(),
        }
    }

    fn postfix(&mut self) -> Read<Formula> {
        let mut found = self.primary()?;
        loop {
            let word = self.word();
            match (word.kind, word.text) {
                (Kind::Sign, "[") => {
                    let base = self.number(found)?;
                    self.bump();
                    let at = self.term()?;
                    if self.ranges && self.range.is_none() && self.eat("..") {
                        let high = self.term()?;
                        self.expect("]")?;
                        let end = behind(high);
                        self.range = Some(Elements { pointer: base.clone(), low: at, end });
                        found = Formula::Holds(base);
                        continue;
                    }
                    self.expect("]")?;
                    let span = join(base.span, self.before());
                    let kind = ExprKind::Index(Box::new(base), Box::new(at));
                    found = Formula::Holds(self.shallow(expr(kind, span))?);
                }
                (Kind::Sign, sign @ ("." | "->")) => {
                    let base = self.number(found)?;
                    self.bump();
                    let member = self.bump();
                    if member.kind != Kind::Name {
                        self.at = self.at.saturating_sub(1);
                        return Err(self.unexpected("a member"));
                    }
                    let span = join(base.span, member.span);
                    let base = match sign {
                        "->" => expr(ExprKind::Indirect(Box::new(base)), span),
                        _ => base,
                    };
                    let name = Name { text: member.text.to_string(), span: member.span };
                    let kind = ExprKind::Member(Box::new(base), name);
                    found = Formula::Holds(self.shallow(expr(kind, span))?);
                }
                _ => return Ok(found),
            }
        }
    }

    /// `( … )`, also `(low .. high)` where elements may be named.
    fn in_parentheses(&mut self) -> Read<Formula> {
        let open = self.bump().span;
        let inner = self.nested(Self::equivalence)?;
        if self.ranges && self.range.is_none() && self.eat("..") {
            let low = self.number(inner)?;
            let high = self.term()?;
            self.expect(")")?;
            let pointer = expr(ExprKind::Poisoned, open);
            self.range = Some(Elements { pointer, low, end: behind(high) });
            return Ok(Formula::Holds(number(0, open)));
        }
        self.expect(")")?;
        Ok(match inner {
            Formula::Holds(mut e) => {
                e.span = join(open, self.before());
                Formula::Holds(e)
            }
            other => other,
        })
    }

    fn primary(&mut self) -> Read<Formula> {
        let word = self.word();
        let span = word.span;
        let kind = match (word.kind, word.text) {
            (Kind::Sign, "(") => return self.in_parentheses(),
            (Kind::Number, text) => {
                self.bump();
                match parser::number_of(text, span, self.diagnostics) {
                    ExprKind::Poisoned => return Err(Refused),
                    kind => kind,
                }
            }
            (Kind::Character, text) => {
                self.bump();
                match parser::character_of(text, span, self.diagnostics) {
                    ExprKind::Poisoned => return Err(Refused),
                    kind => kind,
                }
            }
            (Kind::Name, text) => {
                self.bump();
                if self.is_sign("(") {
                    let what = format!("`{text}(…)` in an annotation");
                    let hint = "write what it says, without a call";
                    return Err(self.refuse(&what, span, hint));
                }
                let bound = self.bound.iter().rev().find(|(written, _)| written == text);
                ExprKind::Name(bound.map_or(text, |(_, name)| name).to_string())
            }
            (Kind::Backslash, text) => return self.named_term(text, span),
            _ => return Err(self.unexpected("a term")),
        };
        Ok(Formula::Holds(expr(kind, span)))
    }

    fn named_term(&mut self, text: &str, span: Span) -> Read<Formula> {
        self.bump();
        Ok(Formula::Holds(match text {
            "\\true" => expr(ExprKind::Truth(true), span),
            "\\false" => expr(ExprKind::Truth(false), span),
            "\\null" => number(0, span),
            "\\result" => named(RESULT, span),
            "\\old" => {
                self.expect("(")?;
                let inner = self.nested(Self::equivalence)?;
                let e = self.condition(inner)?;
                self.expect(")")?;
                let span = join(span, self.before());
                self.shallow(call(OLD, vec![e], span))?
            }
            "\\valid" | "\\valid_read" => {
                self.expect("(")?;
                let outside = (std::mem::replace(&mut self.ranges, true), self.range.take());
                let pointer = self.term();
                let range = self.range.take();
                (self.ranges, self.range) = outside;
                let pointer = pointer?;
                self.expect(")")?;
                let span = join(span, self.before());
                let (pointer, low, end) = match range {
                    Some(range) => (range.pointer, range.low, range.end),
                    None => (pointer, number(0, span), number(1, span)),
                };
                let name = if text == "\\valid" { VALID } else { READABLE };
                self.shallow(call(name, vec![pointer, low, end], span))?
            }
            _ => {
                let hint = "read are \\result, \\old, \\valid, \\valid_read, \\forall, \\exists, \
                    \\true, \\false and \\null";
                return Err(self.refuse(&format!("`{text}`"), span, hint));
            }
        }))
    }

    /// `integer i, j; …`, behind the quantifier.
    fn quantified(&mut self, all: bool) -> Read<Formula> {
        let first = self.bump().span;
        let mut names: Vec<(String, String)> = Vec::new();
        let mut types = 0;
        loop {
            let word = self.bump();
            match (word.kind, self.word().text) {
                (Kind::Name, "," | ";") => {
                    self.count += 1;
                    // A space: no variable of the program is called so.
                    let own = format!("{} of line {}, {}", word.text, word.span.line, self.count);
                    names.push((word.text.to_string(), own));
                    if !self.eat(",") {
                        break;
                    }
                }
                (Kind::Name, _) if names.is_empty() => types += 1,
                _ => {
                    self.at = self.at.saturating_sub(1);
                    return Err(self.unexpected("a variable of a quantifier"));
                }
            }
        }
        if types == 0 {
            let what = "a quantifier without a type";
            return Err(self.refuse(what, first, "write `\\forall integer i; …`"));
        }
        self.expect(";")?;
        let outside = self.bound.len();
        self.bound.extend(names.iter().cloned());
        let body = self.nested(Self::equivalence);
        self.bound.truncate(outside);
        let span = join(first, self.before());
        match super::ranges::ranged(&names, body?, all) {
            Ok((variables, body)) => {
                let quantified = Box::new(Quantified { variables, body, span });
                Ok(if all { Formula::All(quantified) } else { Formula::Exists(quantified) })
            }
            Err(name) => {
                let what = format!("a quantifier over `{name}` without a range");
                let hint = match all {
                    true => format!("write `0 <= {name} < n ==> …`"),
                    false => format!("write `0 <= {name} < n && …`"),
                };
                Err(self.refuse(&what, span, &hint))
            }
        }
    }
}

/// One behind: `high + 1`, or `n` for `n - 1`.
pub(super) fn behind(high: Expr) -> Expr {
    let span = high.span;
    let one = |e: &Expr| matches!(e.kind, ExprKind::Number(1, _));
    match &high.kind {
        ExprKind::Mathematical(BinaryOp::Subtract, left, right) if one(right) => (**left).clone(),
        ExprKind::Number(n, _) if *n < u64::from(u32::MAX) => number(n + 1, span),
        _ => mathematical(BinaryOp::Add, high, number(1, span), span),
    }
}

impl Expr {
    fn is_open(&self) -> bool {
        matches!(self.kind, ExprKind::Poisoned)
    }
}
