//! Predicates in the program's own words.
//!
//! A predicate is a diagram over bits, and nobody reads bits. [`readable`] looks for a short formula over *atoms* (the program's own
//! comparisons, truth values, value sets and ranges of one variable, orders and sums of two) that is exactly the predicate:
//!
//! 1. an atom, or a conjunction of atoms that the predicate implies, or the dual (`conjunction`);
//! 2. a disjunction of such conjunctions over at most twelve atoms, found greedily and shortened by `boolean_expression` and by the
//!    combinations of atoms that no store has (`normal_form`);
//! 3. a case distinction over the values of its variables (`cases`);
//! 4. where all that is longer than twelve cases, how many stores satisfy it.
//!
//! Every formula is rebuilt as a diagram and compared with the predicate before it is shown. [`predicate`](super::predicate) reads the
//! notation back.

mod atoms;
mod cases;
mod conjunction;
mod formula;
mod normal_form;
mod values;

use crate::bdd::{Bdd, BitVector, KernelLimits, Manager, Natural, Var};
use crate::lang::model::Scalar;
use crate::util::limits::Bounded;
use atoms::Atoms;
use formula::Formula;

/// A scalar that a predicate may mention: a variable, or an element of an array under a name like `a[2]`.
#[derive(Clone, Debug)]
pub struct NamedScalar {
    /// As it is written.
    pub name: String,
    /// Type.
    pub scalar: Scalar,
    /// Where its bits are, least significant first; as many as the type is wide.
    pub bits: Vec<Var>,
}

impl NamedScalar {
    /// Its value.
    pub(crate) fn vector(&self, manager: &mut Manager) -> Bounded<BitVector> {
        BitVector::from_variables(manager, &self.bits)
    }

    /// Its value as a number: one bit wider if unsigned, so that it can be read as signed.
    pub(crate) fn number(&self, manager: &mut Manager) -> Bounded<BitVector> {
        let vector = self.vector(manager)?;
        Ok(if self.scalar.signed { vector } else { vector.zero_extend(vector.width() + 1) })
    }
}

/// A predicate for the eye.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readable {
    /// The formula, or `one of N stores`.
    pub text: String,
    /// Is the text a formula, equivalent to the predicate?
    pub exact: bool,
    /// How many valuations of the scalars satisfy it.
    pub stores: Natural,
}

/// More than so many cases nobody reads.
const MAX_CASES: usize = 12;
/// Formulas longer than this (in characters) nobody reads.
const MAX_LENGTH: usize = 400;
/// Larger diagrams are only counted.
const MAX_NODES: u64 = 20_000;
/// Kernel steps and nodes that one search may take.
const SEARCH_STEPS: u64 = 2_000_000;
const SEARCH_NODES: u64 = 500_000;

/// The predicate as a short formula over `scalars` and over `own`, further atoms with their text (the program's comparisons).
///
/// It never fails: where the search runs into its budget or the manager's limits, the answer is a count. It makes nodes; list your roots
/// and collect afterwards.
pub fn readable(manager: &mut Manager, predicate: Bdd, scalars: &[NamedScalar], own: &[(String, Bdd)]) -> Readable {
    let mut over: Vec<Var> = scalars.iter().flat_map(|s| s.bits.iter().copied()).collect();
    over.extend(manager.support(predicate));
    let stores = manager.sat_count(predicate, &over);
    let limits = manager.limits();
    manager.set_limits(KernelLimits {
        max_nodes: limits.max_nodes.min(manager.live_nodes() + SEARCH_NODES),
        max_steps: limits.max_steps.min(manager.steps() + SEARCH_STEPS),
    });
    let formula = if manager.node_count(predicate) > MAX_NODES { Ok(None) } else { search(manager, predicate, scalars, own) };
    manager.set_limits(limits);
    match formula {
        Ok(Some(formula)) => Readable { text: formula.to_string(), exact: true, stores },
        _ => Readable { text: format!("one of {stores} stores"), exact: false, stores },
    }
}

fn search(manager: &mut Manager, predicate: Bdd, scalars: &[NamedScalar], own: &[(String, Bdd)]) -> Bounded<Option<Formula>> {
    if predicate.is_constant() {
        return Ok(Some(Formula::constant(predicate.is_true())));
    }
    let support = manager.support(predicate);
    let relevant: Vec<&NamedScalar> = scalars.iter().filter(|s| s.bits.iter().any(|v| support.binary_search(v).is_ok())).collect();
    let named: Vec<Var> = relevant.iter().flat_map(|s| s.bits.iter().copied()).collect();
    if support.iter().any(|v| !named.contains(v)) {
        return Ok(None);
    }
    let atoms = Atoms::about(manager, predicate, &relevant, own)?;
    if let Some(formula) = conjunction::exactly(manager, predicate, &atoms)? {
        return Ok(Some(formula));
    }
    let mut found = vec![
        normal_form::disjunctive(manager, predicate, &atoms)?,
        normal_form::conjunctive(manager, predicate, &atoms)?,
        cases::by_value(manager, predicate, &relevant)?,
    ];
    let mut best: Option<Formula> = None;
    for formula in found.drain(..).flatten() {
        let short = formula.length() <= MAX_LENGTH && best.as_ref().is_none_or(|best| formula.length() < best.length());
        if short && formula.diagram(manager)? == predicate {
            best = Some(formula);
        }
    }
    Ok(best)
}
