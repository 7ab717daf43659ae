//! Value sets of one scalar: their intervals of consecutive numbers, and their text.

use super::NamedScalar;
use super::formula::Literal;
use crate::bdd::{Bdd, Manager};
use crate::util::limits::Bounded;

/// The most numbers that an atom may list. A formula describes larger sets better.
pub(super) const SHORT_LIST: usize = 6;
/// The most numbers in a list if no other text was found.
pub(super) const LONG_LIST: usize = 20;

/// The least and the greatest of consecutive numbers.
type Run = (i128, i128);

/// A literal that says that the scalar's value is in `set`, a predicate over the scalar's bits
/// alone. Returns `None` if this needs more than `list` numbers.
pub(super) fn describe(
    manager: &mut Manager,
    set: Bdd,
    scalar: &NamedScalar,
    list: usize,
) -> Bounded<Option<Literal>> {
    Ok(text(manager, set, scalar, list)?.map(|text| Literal { text, holds: set }))
}

fn text(
    manager: &mut Manager,
    set: Bdd,
    scalar: &NamedScalar,
    max: usize,
) -> Bounded<Option<String>> {
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
    if let Some(names) = &scalar.values {
        return Ok(named(name, names, (inside, outside), max));
    }
    if scalar.scalar.floating {
        return Ok(patterns(scalar, (inside, outside), max));
    }
    match (inside.as_deref(), outside.as_deref()) {
        (Some([(low, high)]), _) if low == high => return Ok(Some(format!("{name} = {low}"))),
        (_, Some([(low, high)])) if low == high => return Ok(Some(format!("{name} ≠ {low}"))),
        (Some([run]), _) => return Ok(Some(describe_run(*run, scalar))),
        _ if set == lowest_bit => return Ok(Some(format!("{name} odd"))),
        _ if set == !lowest_bit => return Ok(Some(format!("{name} even"))),
        _ => {}
    }
    let short = |runs: Option<Vec<(i128, i128)>>| {
        runs.map(|runs| (numbers(&runs), runs)).filter(|(numbers, _)| *numbers <= max)
    };
    Ok(match (short(inside), short(outside)) {
        (Some((inside, _)), Some((fewer, outside))) if fewer < inside => {
            Some(format!("{name} ∉ {{{}}}", list(&outside)))
        }
        (Some((_, inside)), _) => Some(format!("{name} ∈ {{{}}}", list(&inside))),
        (None, Some((_, outside))) => Some(format!("{name} ∉ {{{}}}", list(&outside))),
        (None, None) => None,
    })
}

/// The text for a set of few values of floating point, or of all but a few. Comes later in the page
/// (`static/delivery/later.mjs`).
#[inline(never)]
fn patterns(
    scalar: &NamedScalar,
    (inside, outside): (Option<Vec<Run>>, Option<Vec<Run>>),
    max: usize,
) -> Option<String> {
    let listed = |runs: Option<Vec<Run>>| {
        let runs = runs?;
        let count: i128 = runs.iter().map(|(low, high)| high - low + 1).sum();
        let all = runs.iter().flat_map(|(low, high)| *low..=*high);
        // In words that are no expressions of C, which could not say the same.
        let shown = |number| match scalar.scalar.show(scalar.scalar.wrap(number)).as_str() {
            "NaN" => "no number".to_string(),
            shown => shown.replace("inf", "∞"),
        };
        (count <= max as i128).then(|| all.map(shown).collect::<Vec<String>>())
    };
    let name = &scalar.name;
    Some(match (listed(inside), listed(outside)) {
        (Some(some), _) if some.len() == 1 => format!("{name} = {}", some[0]),
        (_, Some(others)) if others.len() == 1 => format!("{name} ≠ {}", others[0]),
        (Some(some), _) => format!("{name} ∈ {{{}}}", some.join(", ")),
        (None, Some(others)) => format!("{name} ∉ {{{}}}", others.join(", ")),
        (None, None) => return None,
    })
}

/// The text for a set of a pointer's values.
fn named(
    name: &str,
    names: &[String],
    (inside, outside): (Option<Vec<Run>>, Option<Vec<Run>>),
    max: usize,
) -> Option<String> {
    let listed = |runs: Vec<Run>| {
        let count: i128 = runs.iter().map(|(low, high)| high - low + 1).sum();
        let called = |number: i128| {
            let name = usize::try_from(number).ok().and_then(|number| names.get(number));
            name.map_or("no value", String::as_str)
        };
        let mut all: Vec<&str> = Vec::new();
        if count <= max as i128 {
            all.extend(runs.iter().flat_map(|(low, high)| *low..=*high).map(called));
            all.dedup();
        }
        all
    };
    let inside = inside.map(listed).unwrap_or_default();
    let outside = outside.map(listed).unwrap_or_default();
    match (&inside[..], &outside[..]) {
        ([], []) => None,
        ([one], _) => Some(format!("{name} = {one}")),
        (_, [one]) => Some(format!("{name} ≠ {one}")),
        (some, others) if others.is_empty() || some.len() <= others.len() && !some.is_empty() => {
            Some(format!("{name} ∈ {{{}}}", some.join(", ")))
        }
        (_, others) => Some(format!("{name} ∉ {{{}}}", others.join(", "))),
    }
}

/// How many numbers a text of these intervals has.
fn numbers(runs: &[(i128, i128)]) -> usize {
    runs.iter().map(|(low, high)| if low == high { 1 } else { 2 }).sum()
}

/// The text for an interval of at least two values, but not of all.
fn describe_run((low, high): (i128, i128), scalar: &NamedScalar) -> String {
    let name = &scalar.name;
    let (least, greatest) = bounds(scalar);
    match (low == least, high == greatest) {
        (true, _) if high == 0 => format!("{name} ≤ 0"),
        (true, _) => format!("{name} < {}", high + 1),
        (_, true) if low == 1 => format!("{name} > 0"),
        (_, true) => format!("{name} ≥ {low}"),
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

/// The least and the greatest number of the type.
fn bounds(scalar: &NamedScalar) -> (i128, i128) {
    let width = u32::from(scalar.scalar.width);
    if scalar.scalar.signed {
        (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    } else {
        (0, (1 << width) - 1)
    }
}

/// The maximal intervals of consecutive numbers in `set`, ascending. Returns `None` if there are
/// too many.
fn runs(
    manager: &mut Manager,
    set: Bdd,
    scalar: &NamedScalar,
) -> Bounded<Option<Vec<(i128, i128)>>> {
    let mut runs: Vec<(i128, i128)> = Vec::new();
    let mut pending = vec![(set, scalar.bits.len(), bounds(scalar).0)];
    while let Some((part, undecided, low)) = pending.pop() {
        if part.is_false() {
            continue;
        }
        if part.is_true() {
            let high = low + (1 << undecided) - 1;
            let full = runs.len() == LONG_LIST;
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

/// The cofactors for the smaller and the greater numbers, by the highest undecided bit.
fn halves(
    manager: &mut Manager,
    part: Bdd,
    undecided: usize,
    scalar: &NamedScalar,
) -> Bounded<(Bdd, Bdd)> {
    let bit = scalar.bits[undecided - 1];
    let negative_first = scalar.scalar.signed && undecided == scalar.bits.len();
    Ok((
        manager.cofactor(part, &[(bit, negative_first)])?,
        manager.cofactor(part, &[(bit, !negative_first)])?,
    ))
}

/// The sets that limit the scalar by the least number of a nonempty set, by its greatest number,
/// and by both.
pub(super) fn bounding_sets(
    manager: &mut Manager,
    set: Bdd,
    scalar: &NamedScalar,
) -> Bounded<[Bdd; 3]> {
    let (least, greatest) =
        (extreme(manager, set, scalar, false)?, extreme(manager, set, scalar, true)?);
    let vector = scalar.number(manager)?;
    let (low, high) = (constant(least, scalar), constant(greatest, scalar));
    let above = low.signed_less_equal(manager, &vector)?;
    let below = vector.signed_less_equal(manager, &high)?;
    Ok([above, below, manager.and(above, below)?])
}

/// The literal that describes the common low bits of the numbers of a set. Returns `None` if there
/// are none.
pub(super) fn congruence(
    manager: &mut Manager,
    set: Bdd,
    scalar: &NamedScalar,
) -> Bounded<Option<Literal>> {
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

/// A constant as wide as [`NamedScalar::number`].
fn constant(number: i128, scalar: &NamedScalar) -> crate::bdd::BitVector {
    let width = u32::from(scalar.scalar.width);
    let vector = crate::bdd::BitVector::constant(number as u64, width);
    if scalar.scalar.signed { vector } else { vector.zero_extend(width + 1) }
}
