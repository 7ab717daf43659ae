//! A short formula that holds in every store of one set and in none of another: a readable
//! interpolant.
//!
//! First it forgets every variable that is not needed to distinguish the sets. It forgets them in
//! both sets; these stay disjoint, and a formula that separates the images separates the sets. Then
//! it tries atoms of both images, in this order: one literal; a conjunction of literals that the
//! first set implies, or the dual; few cubes, which may have any value outside the two sets; one of
//! the sets itself, written exactly.

use super::atoms::Atoms;
use super::formula::{Formula, Literal};
use super::{
    MAX_LENGTH, MAX_SCALARS, NamedScalar, SEARCH_NODES, SEARCH_STEPS, normal_form, readable, within,
};
use crate::bdd::{Bdd, KernelLimits, Manager, Var};
use crate::util::limits::Bounded;

/// A predicate between two sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Separator {
    /// Its text, as [`predicate`](crate::readable::predicate) reads it.
    pub text: String,
    /// The predicate that the text describes.
    pub holds: Bdd,
}

/// A readable predicate that holds in all of `inside` and nowhere in `outside`; Returns `None` if
/// the sets meet over these scalars, or if the budget ended before a short one was found. Every
/// answer is checked once more, as the diagram of its own text.
pub fn separator(
    manager: &mut Manager,
    inside: Bdd,
    outside: Bdd,
    scalars: &[NamedScalar],
    own: &[(String, Bdd)],
) -> Option<Separator> {
    let limits = manager.limits();
    let max_nodes = limits.max_nodes.min(manager.live_nodes() + SEARCH_NODES);
    manager.set_limits(KernelLimits { max_nodes, ..limits });
    let text = search(manager, inside, outside, scalars, own);
    let found = text.and_then(|text| {
        let holds = within(manager, SEARCH_STEPS, |m| {
            Ok(crate::readable::predicate::parse(m, &text, scalars))
        })?
        .ok()?;
        let sound = within(manager, SEARCH_STEPS, |m| {
            Ok(m.is_subset(inside, holds)? && m.disjoint(holds, outside)?)
        })?;
        sound.then_some(Separator { text, holds })
    });
    manager.set_limits(limits);
    found
}

fn search(
    manager: &mut Manager,
    inside: Bdd,
    outside: Bdd,
    scalars: &[NamedScalar],
    own: &[(String, Bdd)],
) -> Option<String> {
    if outside.is_false() || inside.is_false() {
        return Some(Formula::constant(outside.is_false()).to_string());
    }
    let (inside, outside) =
        within(manager, SEARCH_STEPS, |m| forget(m, inside, outside, scalars)).flatten()?;
    let support = manager.support_all(&[inside, outside]);
    let relevant: Vec<&NamedScalar> = scalars
        .iter()
        .filter(|s| s.bits.iter().any(|v| support.binary_search(v).is_ok()))
        .collect();
    if relevant.len() > MAX_SCALARS {
        return None;
    }
    let mut atoms = Atoms::of_each(manager, inside, &relevant, own);
    atoms.also_of(manager, outside, &relevant);
    let mut formula =
        within(manager, SEARCH_STEPS, |m| simple(m, inside, outside, &atoms)).flatten();
    if formula.is_none() {
        atoms.relate(manager, inside, &relevant);
        formula = within(manager, SEARCH_STEPS, |m| simple(m, inside, outside, &atoms)).flatten();
    }
    if formula.is_none() {
        formula =
            within(manager, SEARCH_STEPS, |m| normal_form::between(m, inside, outside, &atoms))
                .flatten();
    }
    let text =
        formula.filter(|formula| formula.length() <= MAX_LENGTH).map(|formula| formula.to_string());
    let exactly = |manager: &mut Manager, set: Bdd| {
        Some(readable(manager, set, scalars, own)).filter(|r| r.exact).map(|r| r.text)
    };
    text.or_else(|| exactly(manager, inside)).or_else(|| exactly(manager, !outside))
}

/// Both sets without the variables that are not needed to distinguish them. Returns `None` if
/// variables other than the scalars are needed.
fn forget(
    manager: &mut Manager,
    inside: Bdd,
    outside: Bdd,
    scalars: &[NamedScalar],
) -> Bounded<Option<(Bdd, Bdd)>> {
    let named: Vec<Var> = scalars.iter().flat_map(|s| s.bits.iter().copied()).collect();
    let (mut left, mut right) = (inside, outside);
    // A variable that only one of the two sets mentions is never needed.
    let (of_left, of_right) = (manager.support(left), manager.support(right));
    let shared = |v: &Var| {
        named.contains(v) && of_left.binary_search(v).is_ok() && of_right.binary_search(v).is_ok()
    };
    let gone: Vec<Var> = of_left.iter().chain(&of_right).copied().filter(|v| !shared(v)).collect();
    let gone = manager.var_set(&gone);
    (left, right) = (manager.exists(left, gone)?, manager.exists(right, gone)?);
    if !manager.disjoint(left, right)? {
        return Ok(None);
    }
    for scalar in scalars.iter().rev() {
        let bits = manager.var_set(&scalar.bits);
        let without = (manager.exists(left, bits)?, manager.exists(right, bits)?);
        if manager.disjoint(without.0, without.1)? {
            (left, right) = without;
        }
    }
    Ok(Some((left, right)))
}

/// The shortest literal between the two sets. If there is none: a conjunction, or a disjunction.
fn simple(
    manager: &mut Manager,
    inside: Bdd,
    outside: Bdd,
    atoms: &Atoms,
) -> Bounded<Option<Formula>> {
    let literals: Vec<&Literal> = atoms.positive.iter().chain(&atoms.negative).collect();
    let (mut implied, mut excluding) = (Vec::new(), Vec::new());
    for literal in literals {
        let (covers, excludes) =
            (manager.is_subset(inside, literal.holds)?, manager.disjoint(literal.holds, outside)?);
        match (covers, excludes) {
            (true, true) => implied.insert(0, literal),
            (true, false) => implied.push(literal),
            (false, true) => excluding.push(literal),
            _ => {}
        }
    }
    let mut best: Option<&Literal> = None;
    for literal in &implied {
        if manager.disjoint(literal.holds, outside)?
            && best.is_none_or(|b| literal.text.chars().count() < b.text.chars().count())
        {
            best = Some(literal);
        }
    }
    if let Some(literal) = best {
        return Ok(Some(Formula::Literal(literal.clone())));
    }
    if let Some(chosen) = rule_out(manager, outside, &implied, false)? {
        return Ok(Some(Formula::and(chosen)));
    }
    Ok(rule_out(manager, inside, &excluding, true)?.map(Formula::or))
}

/// A few literals such that each of these stores is outside one of them (or, for the dual, inside
/// one). The literal that excludes most stores comes first.
fn rule_out(
    manager: &mut Manager,
    stores: Bdd,
    literals: &[&Literal],
    inside: bool,
) -> Bounded<Option<Vec<Formula>>> {
    let mut left = stores;
    let mut chosen = Vec::new();
    while !left.is_false() {
        let mut best: Option<(f64, Bdd, &Literal)> = None;
        for literal in literals {
            let rest = if inside {
                manager.difference(left, literal.holds)?
            } else {
                manager.and(left, literal.holds)?
            };
            let density = manager.density(rest)?;
            if rest != left
                && best.as_ref().is_none_or(|(least, _, b)| {
                    (density, literal.text.len()) < (*least, b.text.len())
                })
            {
                best = Some((density, rest, literal));
            }
        }
        let Some((_, rest, literal)) = best.filter(|_| chosen.len() < 6) else { return Ok(None) };
        left = rest;
        chosen.push(Formula::Literal(literal.clone()));
    }
    Ok(Some(chosen))
}
