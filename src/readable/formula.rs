//! Formulas over literals: their text and their diagram.

use std::fmt;

use crate::bdd::{Bdd, Manager};
use crate::util::limits::Bounded;

/// An atom or its negation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) text: String,
    pub(super) holds: Bdd,
}

#[derive(Clone, Debug)]
pub(super) enum Formula {
    Literal(Literal),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Formula {
    pub(super) fn constant(value: bool) -> Formula {
        if value { Formula::And(Vec::new()) } else { Formula::Or(Vec::new()) }
    }

    /// The conjunction; nested ones are flattened.
    pub(super) fn and(parts: Vec<Formula>) -> Formula {
        let flat = parts
            .into_iter()
            .flat_map(|part| if let Formula::And(parts) = part { parts } else { vec![part] });
        Formula::one(flat.collect(), Formula::And)
    }

    /// The disjunction; nested ones are flattened.
    pub(super) fn or(parts: Vec<Formula>) -> Formula {
        let flat = parts
            .into_iter()
            .flat_map(|part| if let Formula::Or(parts) = part { parts } else { vec![part] });
        Formula::one(flat.collect(), Formula::Or)
    }

    fn one(mut parts: Vec<Formula>, join: fn(Vec<Formula>) -> Formula) -> Formula {
        if parts.len() == 1 { parts.swap_remove(0) } else { join(parts) }
    }

    /// The length in characters.
    pub(super) fn length(&self) -> usize {
        self.to_string().chars().count()
    }

    pub(super) fn diagram(&self, manager: &mut Manager) -> Bounded<Bdd> {
        match self {
            Formula::Literal(literal) => Ok(literal.holds),
            Formula::And(parts) => parts.iter().try_fold(Bdd::TRUE, |all, part| {
                let part = part.diagram(manager)?;
                manager.and(all, part)
            }),
            Formula::Or(parts) => parts.iter().try_fold(Bdd::FALSE, |any, part| {
                let part = part.diagram(manager)?;
                manager.or(any, part)
            }),
        }
    }

    fn write_parts(out: &mut fmt::Formatter<'_>, parts: &[Formula], operator: &str) -> fmt::Result {
        for (k, part) in parts.iter().enumerate() {
            if k > 0 {
                write!(out, " {operator} ")?;
            }
            match part {
                Formula::Literal(_) => write!(out, "{part}")?,
                _ => write!(out, "({part})")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Literal(literal) => out.write_str(&literal.text),
            Formula::And(parts) if parts.is_empty() => out.write_str("true"),
            Formula::Or(parts) if parts.is_empty() => out.write_str("false"),
            Formula::And(parts) => Formula::write_parts(out, parts, "∧"),
            Formula::Or(parts) => Formula::write_parts(out, parts, "∨"),
        }
    }
}
