//! Predicates as a list of the stores that satisfy them, where these are few:
//! `(x = 1 ∧ y = 4) ∨ (x = 3 ∧ y = 0)`.

use super::formula::Formula;
use super::{NamedScalar, values};
use crate::bdd::{Bdd, Manager, Var};
use crate::util::limits::Bounded;

/// The most stores that are listed.
const MOST: u64 = 16;
/// The most characters of a list.
const MOST_LENGTH: usize = 1_200;

/// The stores one by one. Returns `None` if they are too many, or if the list is too long. The
/// predicate must be over these scalars alone.
pub(super) fn one_by_one(
    manager: &mut Manager,
    predicate: Bdd,
    scalars: &[&NamedScalar],
) -> Bounded<Option<Formula>> {
    let over: Vec<Var> = scalars.iter().flat_map(|scalar| scalar.bits.iter().copied()).collect();
    if manager.sat_count(predicate, &over).to_u64().is_none_or(|count| count > MOST) {
        return Ok(None);
    }
    let (mut stores, mut rest) = (Vec::new(), predicate);
    while let Some(bits) = manager.pick(rest, &over) {
        let mut bits = bits.into_iter();
        let (mut store, mut whole) = (Vec::new(), Bdd::TRUE);
        for scalar in scalars {
            let literals: Vec<(Var, bool)> = scalar.bits.iter().copied().zip(&mut bits).collect();
            let value = manager.cube(&literals)?;
            let Some(told) = values::describe(manager, value, scalar, 1)? else { return Ok(None) };
            store.push(Formula::Literal(told));
            whole = manager.and(whole, value)?;
        }
        rest = manager.difference(rest, whole)?;
        stores.push(Formula::and(store));
    }
    Ok(Some(Formula::or(stores)).filter(|formula| formula.length() <= MOST_LENGTH))
}
