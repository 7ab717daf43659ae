//! Value sets of one scalar: their runs of consecutive numbers, and their text.

use super::NamedScalar;
use super::formula::Literal;
use crate::bdd::{Bdd, Manager};
use crate::util::limits::Bounded;

/// A set with more runs than this has no text of its own.
const MAX_RUNS: usize = 8;

/// A literal that says that the scalar's value is in `set`, a predicate over its bits alone; `None` if there is no short one.
pub(super) fn describe(manager: &mut Manager, set: Bdd, scalar: &NamedScalar) -> Bounded<Option<Literal>> {
    Ok(text(manager, set, scalar)?.map(|text| Literal { text, holds: set }))
}

fn text(manager: &mut Manager, set: Bdd, scalar: &NamedScalar) -> Bounded<Option<String>> {
    if set.is_constant() {
        return Ok(None);
    }
    let name = &scalar.name;
    let lowest_bit = manager.var(scalar.bits[0])?;
    if scalar.scalar.boolean {
        return Ok(Some(if set == lowest_bit { name.clone() } else { format!("¬{name}") }));
    }
    let inside = runs(manager, set, scalar)?;
    let outside = runs(manager, !set, scalar)?;
    match (inside.as_deref(), outside.as_deref()) {
        (Some([(low, high)]), _) if low == high => return Ok(Some(format!("{name} = {low}"))),
        (_, Some([(low, high)])) if low == high => return Ok(Some(format!("{name} ≠ {low}"))),
        (Some([run]), _) => return Ok(Some(describe_run(*run, scalar))),
        _ if set == lowest_bit => return Ok(Some(format!("{name} odd"))),
        _ if set == !lowest_bit => return Ok(Some(format!("{name} even"))),
        _ => {}
    }
    let weight = |runs: &[(i128, i128)]| runs.iter().map(|(low, high)| (high - low).min(1) + 1).sum::<i128>();
    Ok(match (inside, outside) {
        (Some(inside), Some(outside)) if weight(&outside) < weight(&inside) => Some(format!("{name} ∉ {{{}}}", list(&outside))),
        (Some(inside), _) => Some(format!("{name} ∈ {{{}}}", list(&inside))),
        (None, Some(outside)) => Some(format!("{name} ∉ {{{}}}", list(&outside))),
        (None, None) => None,
    })
}

/// The text for a run of at least two values, but not all.
fn describe_run((low, high): (i128, i128), scalar: &NamedScalar) -> String {
    let name = &scalar.name;
    let (least, greatest) = bounds(scalar);
    match (low == least, high == greatest) {
        (true, _) => format!("{name} < {}", high + 1),
        (_, true) => format!("{name} > {}", low - 1),
        _ => format!("{low} ≤ {name} ≤ {high}"),
    }
}

fn list(runs: &[(i128, i128)]) -> String {
    let items: Vec<String> = runs
        .iter()
        .map(|(low, high)| match high - low {
            0 => low.to_string(),
            1 => format!("{low}, {high}"),
            _ => format!("{low}..{high}"),
        })
        .collect();
    items.join(", ")
}

/// Least and greatest number of the type.
fn bounds(scalar: &NamedScalar) -> (i128, i128) {
    let width = u32::from(scalar.scalar.width);
    if scalar.scalar.signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
}

/// The maximal runs of consecutive numbers in `set`, ascending; `None` if there are too many.
fn runs(manager: &mut Manager, set: Bdd, scalar: &NamedScalar) -> Bounded<Option<Vec<(i128, i128)>>> {
    let mut runs: Vec<(i128, i128)> = Vec::new();
    let mut pending = vec![(set, scalar.bits.len(), bounds(scalar).0)];
    while let Some((part, undecided, low)) = pending.pop() {
        if part.is_false() {
            continue;
        }
        if part.is_true() {
            let high = low + (1 << undecided) - 1;
            let full = runs.len() == MAX_RUNS;
            match runs.last_mut() {
                Some(last) if last.1 + 1 == low => last.1 = high,
                _ if full => return Ok(None),
                _ => runs.push((low, high)),
            }
            continue;
        }
        let (lower, upper) = halves(manager, part, undecided, scalar)?;
        pending.push((upper, undecided - 1, low + (1 << (undecided - 1))));
        pending.push((lower, undecided - 1, low));
    }
    Ok(Some(runs))
}

/// Cofactors for the smaller and the greater numbers, by the highest undecided bit.
fn halves(manager: &mut Manager, part: Bdd, undecided: usize, scalar: &NamedScalar) -> Bounded<(Bdd, Bdd)> {
    let bit = scalar.bits[undecided - 1];
    let negative_first = scalar.scalar.signed && undecided == scalar.bits.len();
    Ok((manager.cofactor(part, &[(bit, negative_first)])?, manager.cofactor(part, &[(bit, !negative_first)])?))
}

/// The literal that bounds the scalar by the least and the greatest number of a set that is not empty; `None` if that says nothing.
pub(super) fn hull(manager: &mut Manager, set: Bdd, scalar: &NamedScalar) -> Bounded<Option<Literal>> {
    let (least, greatest) = (extreme(manager, set, scalar, false)?, extreme(manager, set, scalar, true)?);
    let vector = scalar.number(manager)?;
    let (low, high) = (constant(least, scalar), constant(greatest, scalar));
    let above = low.signed_less_equal(manager, &vector)?;
    let below = vector.signed_less_equal(manager, &high)?;
    let both = manager.and(above, below)?;
    describe(manager, both, scalar)
}

/// The literal that says what the low bits have in common on a set; `None` if nothing.
pub(super) fn congruence(manager: &mut Manager, set: Bdd, scalar: &NamedScalar) -> Bounded<Option<Literal>> {
    let mut remainder = 0u64;
    let mut holds = Bdd::TRUE;
    let mut common = 0;
    for bit in &scalar.bits {
        let bit = manager.var(*bit)?;
        let value = manager.is_subset(set, bit)?;
        if !value && !manager.disjoint(set, bit)? {
            break;
        }
        remainder |= u64::from(value) << common;
        common += 1;
        holds = manager.and(holds, if value { bit } else { !bit })?;
    }
    if common == 0 || scalar.scalar.boolean || common == scalar.bits.len() {
        return Ok(None);
    }
    let text = match (common, remainder) {
        (1, 0) => format!("{} even", scalar.name),
        (1, _) => format!("{} odd", scalar.name),
        _ => format!("{} = {remainder} (mod {})", scalar.name, 1u64 << common),
    };
    Ok(Some(Literal { text, holds }))
}

fn extreme(manager: &mut Manager, set: Bdd, scalar: &NamedScalar, greatest: bool) -> Bounded<i128> {
    let mut part = set;
    let mut number = bounds(scalar).0;
    for undecided in (1..=scalar.bits.len()).rev() {
        let (lower, upper) = halves(manager, part, undecided, scalar)?;
        let up = if greatest { !upper.is_false() } else { lower.is_false() };
        part = if up { upper } else { lower };
        number += if up { 1 << (undecided - 1) } else { 0 };
    }
    Ok(number)
}

/// As wide as [`NamedScalar::number`].
fn constant(number: i128, scalar: &NamedScalar) -> crate::bdd::BitVector {
    let width = u32::from(scalar.scalar.width);
    let vector = crate::bdd::BitVector::constant(number as u64, width);
    if scalar.scalar.signed { vector } else { vector.zero_extend(width + 1) }
}
