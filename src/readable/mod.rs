//! Predicates in the program's own words.
//!
//! A predicate is a diagram over bits, which people cannot read. [`readable`] looks for a short
//! formula over *atoms* that is exactly the predicate. Atoms are the program's own comparisons,
//! truth values, value sets and ranges of one variable, and orders and sums of two variables. The
//! formula is the first of these:
//!
//! 1. an atom, or a conjunction of atoms that the predicate implies, or the dual (`conjunction`);
//! 2. a disjunction of such conjunctions over at most twelve atoms, found greedily and shortened by
//!    `boolean_expression` and by the combinations of atoms that no store has (`normal_form`);
//! 3. a case distinction over the values of its variables (`cases`);
//! 4. if all of these are longer than twelve cases, the stores one by one (`listed`), if they are
//!    few; else the words that they are too many.
//!
//! Before a formula is shown, it is turned into a diagram and compared with the predicate.
//! [`predicate`] reads the notation back.

mod atoms;
pub mod c_expression;
mod cases;
mod conjunction;
mod dag_scope;
mod formula;
pub(crate) mod gone;
mod listed;
mod normal_form;
pub mod predicate;
pub(crate) mod scope;
mod separate;
mod values;

use crate::bdd::{Bdd, BitVector, KernelLimits, Manager, Natural, Var};
use crate::lang::model::Scalar;
use crate::util::limits::Bounded;
use atoms::Atoms;
pub use dag_scope::node_scalars;
pub(crate) use dag_scope::place_scalars;
use formula::Formula;
pub use separate::{Separator, separator};
use std::rc::Rc;

/// A scalar that a predicate may mention: a variable, or an element of an array under a name like
/// `a[2]`.
#[derive(Clone, Debug)]
pub struct NamedScalar {
    /// The name as it is written.
    pub name: String,
    /// The type.
    pub scalar: Scalar,
    /// The levels of the bits, least significant first. There are as many as the type is wide.
    pub bits: Vec<Var>,
    /// What its values are called, by number, if it is a pointer: `NULL`, `node#1`, `&a[2]`.
    pub values: Option<Rc<[String]>>,
    /// Do sums of it wrap at its width, as those of the program do? Then an equality of sums is
    /// meant and written so (`i + j = g`). Else it is written with its modulus.
    pub wraps: bool,
}

impl NamedScalar {
    /// The value of the scalar.
    pub(crate) fn vector(&self, manager: &mut Manager) -> Bounded<BitVector> {
        BitVector::from_variables(manager, &self.bits)
    }

    /// Are there sums and an order of its values? A truth value, a pointer and floating point have
    /// none.
    pub(crate) fn is_number(&self) -> bool {
        self.scalar.is_integer() && self.values.is_none()
    }

    /// The value as a signed number. That of an unsigned scalar has one more bit.
    pub(crate) fn number(&self, manager: &mut Manager) -> Bounded<BitVector> {
        let vector = self.vector(manager)?;
        Ok(if self.scalar.signed { vector } else { vector.zero_extend(vector.width() + 1) })
    }
}

/// A predicate in readable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readable {
    /// The formula, or that there are too many stores to be listed.
    pub text: String,
    /// Is the text a formula, equivalent to the predicate?
    pub exact: bool,
    /// How many valuations of the scalars satisfy it.
    pub stores: Natural,
}

/// The text of a predicate without a formula.
const TOO_MANY: &str = "too many sets of values to list";
/// The most cases of a formula.
const MAX_CASES: usize = 12;
/// The most characters of a formula.
const MAX_LENGTH: usize = 400;
/// The most scalars of a predicate that gets a formula.
const MAX_SCALARS: usize = 30;
/// The most nodes of a diagram that gets a formula. Larger ones are only counted.
const MAX_NODES: u64 = 5_000;
/// Kernel steps for the search for atoms, and for each kind of formula. `SEARCH_NODES` limits the
/// nodes that they make.
const SEARCH_STEPS: u64 = 500_000;
/// Kernel steps for all of this together, because a person waits for the answer.
const TOTAL_STEPS: u64 = 1_000_000;
const SEARCH_NODES: u64 = 500_000;

/// The predicate as a short formula over `scalars` and over `own`, further atoms with their text
/// (the program's comparisons).
///
/// It never fails: if the search hits its budget or the manager's limits, the text says that there
/// is no list, and `stores` counts. It makes nodes, so the caller should collect garbage
/// afterwards, with all of its roots.
pub fn readable(
    manager: &mut Manager,
    predicate: Bdd,
    scalars: &[NamedScalar],
    own: &[(String, Bdd)],
) -> Readable {
    let mut over: Vec<Var> = scalars.iter().flat_map(|s| s.bits.iter().copied()).collect();
    over.extend(manager.support(predicate));
    let stores = manager.sat_count(predicate, &over);
    let limits = manager.limits();
    let max_nodes = limits.max_nodes.min(manager.live_nodes() + SEARCH_NODES);
    let max_steps = limits.max_steps.min(manager.steps().saturating_add(TOTAL_STEPS));
    manager.set_limits(KernelLimits { max_nodes, max_steps });
    let formula = search(manager, predicate, scalars, own);
    manager.set_limits(limits);
    match formula {
        Some(formula) => Readable { text: formula.to_string(), exact: true, stores },
        None => Readable { text: TOO_MANY.to_string(), exact: false, stores },
    }
}

fn search(
    manager: &mut Manager,
    predicate: Bdd,
    scalars: &[NamedScalar],
    own: &[(String, Bdd)],
) -> Option<Formula> {
    if predicate.is_constant() {
        return Some(Formula::constant(predicate.is_true()));
    }
    let support = manager.support(predicate);
    let relevant: Vec<&NamedScalar> = scalars
        .iter()
        .filter(|s| s.bits.iter().any(|v| support.binary_search(v).is_ok()))
        .collect();
    let named: Vec<Var> = relevant.iter().flat_map(|s| s.bits.iter().copied()).collect();
    if relevant.len() > MAX_SCALARS
        || manager.node_count(predicate) > MAX_NODES
        || support.iter().any(|v| !named.contains(v))
    {
        return None;
    }
    let mut atoms = Atoms::of_each(manager, predicate, &relevant, own);
    if let Some(formula) =
        within(manager, SEARCH_STEPS, |m| conjunction::exactly(m, predicate, &atoms)).flatten()
    {
        return Some(formula).filter(|formula| formula.length() <= MAX_LENGTH);
    }
    // Few stores are listed where nothing shorter is found: what is searched for first takes the
    // steps of all.
    let listed =
        within(manager, SEARCH_STEPS, |m| listed::one_by_one(m, predicate, &relevant)).flatten();
    atoms.relate(manager, predicate, &relevant);
    if let Some(formula) =
        within(manager, SEARCH_STEPS, |m| conjunction::exactly(m, predicate, &atoms)).flatten()
    {
        return Some(formula).filter(|formula| formula.length() <= MAX_LENGTH);
    }
    let found = [
        within(manager, SEARCH_STEPS, |m| normal_form::disjunctive(m, predicate, &atoms)),
        within(manager, SEARCH_STEPS, |m| normal_form::conjunctive(m, predicate, &atoms)),
        within(manager, SEARCH_STEPS, |m| cases::by_value(m, predicate, &relevant)),
    ];
    let short =
        found.into_iter().flatten().flatten().filter(|formula| formula.length() <= MAX_LENGTH);
    let exact = short
        .filter(|formula| within(manager, SEARCH_STEPS, |m| formula.diagram(m)) == Some(predicate));
    exact.min_by_key(Formula::length).or(listed)
}

/// Returns what `work` finds within so many steps, and within the limits in force. Returns `None`
/// if they do not suffice.
fn within<T>(
    manager: &mut Manager,
    steps: u64,
    work: impl FnOnce(&mut Manager) -> Bounded<T>,
) -> Option<T> {
    let limits = manager.limits();
    manager.set_limits(KernelLimits {
        max_steps: limits.max_steps.min(manager.steps() + steps),
        ..limits
    });
    let result = work(manager);
    manager.set_limits(limits);
    result.ok()
}
