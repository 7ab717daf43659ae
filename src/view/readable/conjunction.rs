//! Predicates that are a conjunction of atoms, or a disjunction.

use super::atoms::Atoms;
use super::formula::{Formula, Literal};
use crate::bdd::{Bdd, Manager};
use crate::util::limits::Bounded;

/// The shortest literal that is the predicate; else a conjunction of implied literals, or the dual.
pub(super) fn exactly(manager: &mut Manager, predicate: Bdd, atoms: &Atoms) -> Bounded<Option<Formula>> {
    let literals = || atoms.positive.iter().chain(&atoms.negative);
    if let Some(literal) = literals().filter(|l| l.holds == predicate).min_by_key(|l| l.text.chars().count()) {
        return Ok(Some(Formula::Literal(literal.clone())));
    }
    let (conjuncts, product) = implied(manager, predicate, atoms)?;
    if product == predicate {
        return Ok(Some(Formula::and(conjuncts.into_iter().map(Formula::Literal).collect())));
    }
    let (disjuncts, product) = implied(manager, !predicate, atoms)?;
    if product == !predicate {
        return Ok(Some(Formula::or(disjuncts.into_iter().map(|l| Formula::Literal(negation(&l, atoms))).collect())));
    }
    Ok(None)
}

/// Few literals that follow from the predicate and together say as much about it as all that follow; with their conjunction.
pub(super) fn implied(manager: &mut Manager, predicate: Bdd, atoms: &Atoms) -> Bounded<(Vec<Literal>, Bdd)> {
    let mut candidates = Vec::new();
    for literal in atoms.positive.iter().chain(&atoms.negative) {
        if manager.is_subset(predicate, literal.holds)? {
            candidates.push(literal);
        }
    }
    let mut chosen: Vec<Literal> = Vec::new();
    let mut product = Bdd::TRUE;
    while product != predicate {
        let mut best: Option<(f64, usize, &Literal, Bdd)> = None;
        for literal in &candidates {
            let narrower = manager.and(product, literal.holds)?;
            let (density, length) = (manager.density(narrower), literal.text.chars().count());
            if narrower != product && best.as_ref().is_none_or(|best| (density, length) < (best.0, best.1)) {
                best = Some((density, length, literal, narrower));
            }
        }
        let Some((_, _, literal, narrower)) = best else { break };
        chosen.push(literal.clone());
        product = narrower;
    }
    drop_redundant(manager, &mut chosen, product)?;
    // In the order of the atoms, so that neighbours in the program are neighbours in the text.
    let place = |l: &Literal| atoms.positive.iter().position(|p| p.holds == l.holds || p.holds == !l.holds);
    chosen.sort_by_key(place);
    Ok((chosen, product))
}

/// Leaves out literals, the earlier (stronger) ones last, as long as the conjunction stays.
fn drop_redundant(manager: &mut Manager, literals: &mut Vec<Literal>, product: Bdd) -> Bounded<()> {
    let mut k = 0;
    while k < literals.len() {
        let rest: Vec<Bdd> = literals.iter().enumerate().filter(|(other, _)| *other != k).map(|(_, l)| l.holds).collect();
        if manager.and_all(&rest)? == product {
            literals.remove(k);
        } else {
            k += 1;
        }
    }
    Ok(())
}

/// The literal of the opposite polarity.
pub(super) fn negation(literal: &Literal, atoms: &Atoms) -> Literal {
    let opposite = atoms.positive.iter().chain(&atoms.negative).find(|other| other.holds == !literal.holds);
    opposite.expect("atoms come in both polarities").clone()
}
