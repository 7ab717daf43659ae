//! Predicates that are a conjunction of atoms, or a disjunction.

use super::atoms::Atoms;
use super::formula::{Formula, Literal};
use crate::bdd::{Bdd, Manager};
use crate::util::limits::Bounded;
use crate::util::order::{sort_by, sort_by_key};

/// The shortest literal that equals the predicate. If there is none: a conjunction of implied
/// literals, or the dual.
pub(super) fn exactly(
    manager: &mut Manager,
    predicate: Bdd,
    atoms: &Atoms,
) -> Bounded<Option<Formula>> {
    let literals = || atoms.positive.iter().chain(&atoms.negative);
    if let Some(literal) =
        literals().filter(|l| l.holds == predicate).min_by_key(|l| l.text.chars().count())
    {
        return Ok(Some(Formula::Literal(literal.clone())));
    }
    let (conjuncts, product) = implied(manager, predicate, atoms)?;
    if product == predicate {
        return Ok(Some(Formula::and(conjuncts.into_iter().map(Formula::Literal).collect())));
    }
    let (disjuncts, product) = implied(manager, !predicate, atoms)?;
    if product == !predicate {
        return Ok(Some(Formula::or(
            disjuncts.into_iter().map(|l| Formula::Literal(negation(&l, atoms))).collect(),
        )));
    }
    Ok(None)
}

/// A few literals that follow from the predicate and together say almost as much as all literals
/// that follow. Returns them with their conjunction.
pub(super) fn implied(
    manager: &mut Manager,
    predicate: Bdd,
    atoms: &Atoms,
) -> Bounded<(Vec<Literal>, Bdd)> {
    let mut candidates = Vec::new();
    for literal in atoms.positive.iter().chain(&atoms.negative) {
        if manager.is_subset(predicate, literal.holds)? {
            candidates.push((manager.density(literal.holds)?, literal));
        }
    }
    // The strongest literals come first. Each one that adds something is taken.
    sort_by(&mut candidates, |(density, l), (other, r)| {
        density.total_cmp(other).then_with(|| l.text.len().cmp(&r.text.len()))
    });
    let mut chosen: Vec<Literal> = Vec::new();
    let mut product = Bdd::TRUE;
    for (_, literal) in &candidates {
        let narrower = manager.and(product, literal.holds)?;
        if narrower != product {
            chosen.push((*literal).clone());
            product = narrower;
        }
    }
    drop_redundant(manager, &mut chosen, product)?;
    shorten(manager, &mut chosen, product, candidates.iter().map(|(_, literal)| *literal))?;
    // In the order of the atoms, so that neighbours in the program are neighbours in the text.
    let place =
        |l: &Literal| atoms.positive.iter().position(|p| p.holds == l.holds || p.holds == !l.holds);
    sort_by_key(&mut chosen, place);
    Ok((chosen, product))
}

/// Removes literals, the earlier (stronger) ones last, as long as the conjunction stays the same.
fn drop_redundant(manager: &mut Manager, literals: &mut Vec<Literal>, product: Bdd) -> Bounded<()> {
    let mut k = 0;
    while k < literals.len() {
        let rest: Vec<Bdd> = literals
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != k)
            .map(|(_, l)| l.holds)
            .collect();
        if manager.and_all(&rest)? == product {
            literals.remove(k);
        } else {
            k += 1;
        }
    }
    Ok(())
}

/// Replaces longer literals by shorter ones if the conjunction stays the same.
fn shorten<'a>(
    manager: &mut Manager,
    chosen: &mut [Literal],
    product: Bdd,
    candidates: impl Iterator<Item = &'a Literal> + Clone,
) -> Bounded<()> {
    for k in 0..chosen.len() {
        let rest: Vec<Bdd> = chosen
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != k)
            .map(|(_, l)| l.holds)
            .collect();
        let rest = manager.and_all(&rest)?;
        for candidate in candidates.clone() {
            let shorter = candidate.text.chars().count() < chosen[k].text.chars().count();
            if shorter && manager.and(rest, candidate.holds)? == product {
                chosen[k] = candidate.clone();
            }
        }
    }
    Ok(())
}

/// The literal of the opposite polarity.
pub(super) fn negation(literal: &Literal, atoms: &Atoms) -> Literal {
    let opposite =
        atoms.positive.iter().chain(&atoms.negative).find(|other| other.holds == !literal.holds);
    opposite.expect("atoms come in both polarities").clone()
}
