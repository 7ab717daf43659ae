//! Contracts of C's procedures, in ACSL's notation (Baudin and others, *ACSL: ANSI/ISO C
//! Specification Language*, 2.2 to 2.4).
//!
//! An annotation is cut into words (`words`) and read (`read`, `terms`, `ranges`) into a
//! `Formula`. What must hold becomes statements that check it (`checks`); quantifiers become
//! loops over their ranges. The contract of a procedure is woven around its calls (`weave`), with
//! what `\old` says kept before them (`old`).

mod checks;
mod loops;
mod old;
mod ranges;
mod read;
mod terms;
mod weave;
mod words;

use crate::lang::model::{Expression, Span};
use crate::lang::syntax::Expr;

pub(in crate::lang) use checks::{Says, require, suppose};
pub(in crate::lang) use loops::with_invariants;
pub(in crate::lang) use read::{Annotation, read, refuse};
pub(in crate::lang) use weave::{Promise, called, weave};

/// A clause of a contract does not hold: the condition, the message, whether it is told at the
/// call, then names of bound variables and their values. The elaboration reads it.
pub(in crate::lang) const CLAUSE: &str = "clause of a contract";
/// May these elements behind a pointer be read and written? The lowering of memory reads it.
pub(in crate::lang) const VALID: &str = "valid elements";
/// The same for reading alone.
pub(in crate::lang) const READABLE: &str = "readable elements";
/// What a procedure gives back, in its contract.
pub(in crate::lang) const RESULT: &str = "result of the procedure";
/// `\old(e)`, until it is replaced.
const OLD: &str = "value before the call";

/// What a procedure promises.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contract {
    pub(in crate::lang) requires: Vec<Clause>,
    pub(in crate::lang) ensures: Vec<Clause>,
    /// Where `assigns` stands.
    pub(in crate::lang) assigns: Option<Span>,
    pub(in crate::lang) span: Span,
}

/// `requires e;`
#[derive(Clone, Debug)]
pub(in crate::lang) struct Clause {
    pub(in crate::lang) formula: Formula,
    pub(in crate::lang) span: Span,
}

/// A formula over a program's variables. Operators on numbers are mathematical.
#[derive(Clone, Debug)]
pub(in crate::lang) enum Formula {
    Holds(Expr),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Equivalent(Box<Formula>, Box<Formula>),
    All(Box<Quantified>),
    Exists(Box<Quantified>),
}

/// What a quantifier says.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Quantified {
    /// The range of each may depend on those before it.
    pub(in crate::lang) variables: Vec<Bound>,
    pub(in crate::lang) body: Formula,
    pub(in crate::lang) span: Span,
}

/// A bound variable, from `low` up to before `end`.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Bound {
    /// No person can write such a name.
    pub(in crate::lang) name: String,
    /// As the annotation calls it.
    pub(in crate::lang) written: String,
    pub(in crate::lang) low: Expr,
    pub(in crate::lang) end: Expr,
}

/// The clause that a check of the program model is about.
#[derive(Clone, Debug)]
pub struct Broken {
    /// What does not hold: "the `ensures` of `max` in line 3 does not hold: `\result >= a[i]`".
    pub text: String,
    /// The clause: `ensures \result >= a[i]`.
    pub clause: String,
    /// Is it told at the call, by its caller's mistake?
    pub at_call: bool,
    /// Bound variables, and their values where the check fails.
    pub bound: Vec<(String, Expression)>,
}

impl Broken {
    /// The message where it is told at this call.
    pub fn message(&self, call: &str) -> String {
        match self.at_call {
            true => format!("{}, by `{call}`", self.text),
            false => self.text.clone(),
        }
    }
}
