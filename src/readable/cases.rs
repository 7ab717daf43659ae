//! Predicates as a case distinction over the values of their variables:
//! `(x = 3 ∧ b) ∨ (x > 5 ∧ y < 2)`.

use super::atoms::classes;
use super::formula::Formula;
use super::{MAX_CASES, NamedScalar, values};
use crate::bdd::{Bdd, Manager};
use crate::util::limits::Bounded;

/// The cases by the values of one scalar after the other. Returns `None` if there are too many, or
/// if a set of values has no short text.
pub(super) fn by_value(
    manager: &mut Manager,
    predicate: Bdd,
    scalars: &[&NamedScalar],
) -> Bounded<Option<Formula>> {
    let mut cases = 0;
    Ok(split(manager, predicate, scalars, &mut cases)?.filter(|_| cases <= MAX_CASES))
}

fn split(
    manager: &mut Manager,
    predicate: Bdd,
    scalars: &[&NamedScalar],
    cases: &mut usize,
) -> Bounded<Option<Formula>> {
    if predicate.is_constant() {
        *cases += usize::from(predicate.is_true());
        return Ok(Some(Formula::constant(predicate.is_true())));
    }
    // The scalar with the fewest classes of values leads to the fewest cases.
    let support = manager.support(predicate);
    let mut best = None;
    for scalar in scalars.iter().filter(|s| s.bits.iter().any(|v| support.contains(v))) {
        if let Some(found) = classes(manager, predicate, scalar)? {
            let fewer = best
                .as_ref()
                .is_none_or(|(_, best): &(&NamedScalar, Vec<_>)| found.len() < best.len());
            best = if fewer { Some((*scalar, found)) } else { best };
        }
    }
    let Some((scalar, classes)) = best else { return Ok(None) };
    let mut parts = Vec::new();
    for class in classes.into_iter().filter(|class| !class.rest.is_false()) {
        let Some(values) = values::describe(manager, class.values, scalar, values::LONG_LIST)?
        else {
            return Ok(None);
        };
        let Some(rest) = split(manager, class.rest, scalars, cases)? else { return Ok(None) };
        if *cases > MAX_CASES {
            return Ok(None);
        }
        parts.push(Formula::and(vec![Formula::Literal(values), rest]));
    }
    Ok(Some(Formula::or(parts)))
}
