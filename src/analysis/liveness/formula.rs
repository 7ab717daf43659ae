//! Formulas of linear temporal logic over the states of a program's runs.
//!
//! A [`Formula`] is what a person writes. [`Normal`] is its negation normal form, simplified, from
//! which the automaton is made: negations stand at atoms only, and of the temporal operators only
//! `X`, `U` and `R` are left (Gerth, Peled, Vardi, Wolper 1995, § 2).

use std::fmt;

/// The number of an atom in the table of a [`Reading`](super::parser::Reading).
pub type AtomId = u32;

/// Temporal operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Temporal {
    /// The right one holds at some time, and the left one until then.
    Until,
    /// The right one holds up to and including the time when the left one does, or for ever.
    Release,
    /// As `Until`, or the left one holds for ever.
    WeakUntil,
}

/// A formula as it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formula {
    /// `true` or `false`.
    Constant(bool),
    /// A statement about one state.
    Atom(AtomId),
    /// `!`
    Not(Box<Formula>),
    /// `&&`
    And(Box<Formula>, Box<Formula>),
    /// `||`
    Or(Box<Formula>, Box<Formula>),
    /// `->`
    Implies(Box<Formula>, Box<Formula>),
    /// `<->`
    Iff(Box<Formula>, Box<Formula>),
    /// `X`: in the next state.
    Next(Box<Formula>),
    /// `F`: at some time.
    Finally(Box<Formula>),
    /// `G`: always.
    Globally(Box<Formula>),
    /// `U`, `R`, `W`
    Binary(Temporal, Box<Formula>, Box<Formula>),
}

/// A formula in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Normal {
    /// Always true.
    True,
    /// Never true.
    False,
    /// The atom has this value.
    Literal(AtomId, bool),
    /// Both.
    And(Box<Normal>, Box<Normal>),
    /// One of them.
    Or(Box<Normal>, Box<Normal>),
    /// In the next state.
    Next(Box<Normal>),
    /// Left until right.
    Until(Box<Normal>, Box<Normal>),
    /// Left releases right.
    Release(Box<Normal>, Box<Normal>),
}

impl Formula {
    /// `!self`
    pub fn negated(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// `self && other`
    pub fn and(self, other: Formula) -> Formula {
        Formula::And(Box::new(self), Box::new(other))
    }

    /// The operands, left to right.
    pub fn operands(&self) -> Vec<&Formula> {
        match self {
            Formula::Constant(_) | Formula::Atom(_) => Vec::new(),
            Formula::Not(a) | Formula::Next(a) | Formula::Finally(a) | Formula::Globally(a) => {
                vec![a]
            }
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Iff(a, b)
            | Formula::Binary(_, a, b) => vec![a, b],
        }
    }

    /// All subformulas, each once, operands before what they are in; constants are left out.
    pub fn subformulas(&self) -> Vec<&Formula> {
        fn collect<'f>(formula: &'f Formula, all: &mut Vec<&'f Formula>) {
            for operand in formula.operands() {
                collect(operand, all);
            }
            if !matches!(formula, Formula::Constant(_)) && !all.contains(&formula) {
                all.push(formula);
            }
        }
        let mut all = Vec::new();
        collect(self, &mut all);
        all
    }

    /// The number of operators and atoms.
    pub fn size(&self) -> usize {
        1 + self.operands().into_iter().map(Formula::size).sum::<usize>()
    }

    /// The negation normal form, simplified; of the negation, if `positive` is false.
    pub fn normal(&self, positive: bool) -> Normal {
        let both = |a: &Formula, b: &Formula, p, q| (a.normal(p), b.normal(q));
        match (self, positive) {
            (Formula::Constant(value), _) => constant(*value == positive),
            (Formula::Atom(atom), _) => Normal::Literal(*atom, positive),
            (Formula::Not(a), _) => a.normal(!positive),
            (Formula::And(a, b), true) => and(a.normal(true), b.normal(true)),
            (Formula::And(a, b), false) => or(a.normal(false), b.normal(false)),
            (Formula::Or(a, b), true) => or(a.normal(true), b.normal(true)),
            (Formula::Or(a, b), false) => and(a.normal(false), b.normal(false)),
            (Formula::Implies(a, b), true) => or(a.normal(false), b.normal(true)),
            (Formula::Implies(a, b), false) => and(a.normal(true), b.normal(false)),
            (Formula::Iff(a, b), _) => {
                let (a1, b1) = both(a, b, true, positive);
                let (a2, b2) = both(a, b, false, !positive);
                or(and(a1, b1), and(a2, b2))
            }
            (Formula::Next(a), _) => next(a.normal(positive)),
            (Formula::Finally(a), true) => until(Normal::True, a.normal(true)),
            (Formula::Finally(a), false) => release(Normal::False, a.normal(false)),
            (Formula::Globally(a), true) => release(Normal::False, a.normal(true)),
            (Formula::Globally(a), false) => until(Normal::True, a.normal(false)),
            (Formula::Binary(Temporal::Until, a, b), true) => until(a.normal(true), b.normal(true)),
            (Formula::Binary(Temporal::Until, a, b), false) => {
                release(a.normal(false), b.normal(false))
            }
            (Formula::Binary(Temporal::Release, a, b), true) => {
                release(a.normal(true), b.normal(true))
            }
            (Formula::Binary(Temporal::Release, a, b), false) => {
                until(a.normal(false), b.normal(false))
            }
            // a W b = b R (a || b)
            (Formula::Binary(Temporal::WeakUntil, a, b), true) => {
                let (a, b) = both(a, b, true, true);
                release(b.clone(), or(a, b))
            }
            (Formula::Binary(Temporal::WeakUntil, a, b), false) => {
                let (a, b) = both(a, b, false, false);
                until(b.clone(), and(a, b))
            }
        }
    }

    /// The text, with the atoms as these texts.
    pub fn text(&self, atoms: &[String]) -> String {
        Shown { formula: self, atoms }.to_string()
    }
}

fn constant(value: bool) -> Normal {
    if value { Normal::True } else { Normal::False }
}

/// Is one the negation of the other? Looks at literals only.
fn opposed(a: &Normal, b: &Normal) -> bool {
    matches!((a, b), (Normal::Literal(x, p), Normal::Literal(y, q)) if x == y && p != q)
}

/// The conjunction, with constants folded and operands in order.
pub(super) fn and(a: Normal, b: Normal) -> Normal {
    match (a, b) {
        (Normal::True, x) | (x, Normal::True) => x,
        (Normal::False, _) | (_, Normal::False) => Normal::False,
        (a, b) if a == b => a,
        (a, b) if opposed(&a, &b) => Normal::False,
        // G a && G b = G (a && b); X a && X b = X (a && b)
        (Normal::Release(a, x), Normal::Release(b, y))
            if *a == Normal::False && *b == Normal::False =>
        {
            release(Normal::False, and(*x, *y))
        }
        (Normal::Next(x), Normal::Next(y)) => next(and(*x, *y)),
        (a, b) => {
            let (a, b) = if a <= b { (a, b) } else { (b, a) };
            Normal::And(Box::new(a), Box::new(b))
        }
    }
}

/// The disjunction, likewise.
fn or(a: Normal, b: Normal) -> Normal {
    match (a, b) {
        (Normal::False, x) | (x, Normal::False) => x,
        (Normal::True, _) | (_, Normal::True) => Normal::True,
        (a, b) if a == b => a,
        (a, b) if opposed(&a, &b) => Normal::True,
        // F a || F b = F (a || b); X a || X b = X (a || b)
        (Normal::Until(a, x), Normal::Until(b, y)) if *a == Normal::True && *b == Normal::True => {
            until(Normal::True, or(*x, *y))
        }
        (Normal::Next(x), Normal::Next(y)) => next(or(*x, *y)),
        (a, b) => {
            let (a, b) = if a <= b { (a, b) } else { (b, a) };
            Normal::Or(Box::new(a), Box::new(b))
        }
    }
}

fn next(a: Normal) -> Normal {
    match a {
        Normal::True | Normal::False => a,
        a if is_suffix_free(&a) => a,
        a => Normal::Next(Box::new(a)),
    }
}

/// Does the formula hold in a state iff it holds in the next one? So it is of `G F` and `F G`.
fn is_suffix_free(a: &Normal) -> bool {
    match a {
        Normal::Until(left, right) => {
            **left == Normal::True && (is_always(right) || is_suffix_free(right))
        }
        Normal::Release(left, right) => {
            **left == Normal::False && (is_finally(right) || is_suffix_free(right))
        }
        Normal::And(a, b) | Normal::Or(a, b) => is_suffix_free(a) && is_suffix_free(b),
        _ => false,
    }
}

fn is_always(a: &Normal) -> bool {
    matches!(a, Normal::Release(left, _) if **left == Normal::False)
}

fn is_finally(a: &Normal) -> bool {
    matches!(a, Normal::Until(left, _) if **left == Normal::True)
}

fn until(a: Normal, b: Normal) -> Normal {
    match (a, b) {
        (_, b @ (Normal::True | Normal::False)) => b,
        (Normal::False, b) => b,
        (a, b) if a == b => b,
        // F of what does not depend on a beginning, and F F a = F a
        (Normal::True, b) if is_suffix_free(&b) || is_finally(&b) => b,
        (a, b) => Normal::Until(Box::new(a), Box::new(b)),
    }
}

fn release(a: Normal, b: Normal) -> Normal {
    match (a, b) {
        (_, b @ (Normal::True | Normal::False)) => b,
        (Normal::True, b) => b,
        (a, b) if a == b => b,
        (Normal::False, b) if is_suffix_free(&b) || is_always(&b) => b,
        (a, b) => Normal::Release(Box::new(a), Box::new(b)),
    }
}

struct Shown<'f> {
    formula: &'f Formula,
    atoms: &'f [String],
}

impl Shown<'_> {
    /// An operand, in parentheses if it has two operands itself.
    fn operand(&self, f: &mut fmt::Formatter<'_>, formula: &Formula) -> fmt::Result {
        let shown = Shown { formula, atoms: self.atoms };
        let is_comparison = |text: &str| text.contains(' ') && !text.ends_with(')');
        match formula {
            Formula::Atom(atom)
                if self.atoms.get(*atom as usize).is_some_and(|text| is_comparison(text)) =>
            {
                write!(f, "({shown})")
            }
            Formula::And(..)
            | Formula::Or(..)
            | Formula::Implies(..)
            | Formula::Iff(..)
            | Formula::Binary(..) => write!(f, "({shown})"),
            _ => write!(f, "{shown}"),
        }
    }

    fn two(&self, f: &mut fmt::Formatter<'_>, a: &Formula, sign: &str, b: &Formula) -> fmt::Result {
        self.operand(f, a)?;
        write!(f, " {sign} ")?;
        self.operand(f, b)
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |f: &mut fmt::Formatter<'_>, sign: &str, a: &Formula| {
            write!(f, "{sign}")?;
            self.operand(f, a)
        };
        match self.formula {
            Formula::Constant(value) => write!(f, "{value}"),
            Formula::Atom(atom) => {
                write!(f, "{}", self.atoms.get(*atom as usize).map_or("?", String::as_str))
            }
            Formula::Not(a) => one(f, "!", a),
            Formula::Next(a) => one(f, "X ", a),
            Formula::Finally(a) => one(f, "F ", a),
            Formula::Globally(a) => one(f, "G ", a),
            Formula::And(a, b) => self.two(f, a, "&&", b),
            Formula::Or(a, b) => self.two(f, a, "||", b),
            Formula::Implies(a, b) => self.two(f, a, "->", b),
            Formula::Iff(a, b) => self.two(f, a, "<->", b),
            Formula::Binary(Temporal::Until, a, b) => self.two(f, a, "U", b),
            Formula::Binary(Temporal::Release, a, b) => self.two(f, a, "R", b),
            Formula::Binary(Temporal::WeakUntil, a, b) => self.two(f, a, "W", b),
        }
    }
}
