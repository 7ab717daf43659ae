//! Reduce and the neighborhood of error statements (§ 3.2, figure 5).
//!
//! Differs from the paper: constraints are compared together with their location, as its § 3.2
//! suggests; step 5(a)i means "neither c nor its negation is left"; a condition is decided if no
//! constraint of its location was deleted from the sequence's set. Condition 2 of its definition 3
//! contradicts its own step 2 on figure 7, and is left out.

use super::FocusSequence;
use crate::lang::model::EdgeId;
use std::collections::BTreeSet;

/// Deletes complementary constraints that are in exactly two sets, then all but one of identical
/// sequences, until nothing changes; marks deleted assumptions, the sequences that stand for
/// others, and the NESTs. `location` numbers the places of constraints.
pub(super) fn reduce(sequences: &mut [FocusSequence], location: &dyn Fn(EdgeId) -> u32) {
    let mut left: Vec<usize> =
        (0..sequences.len()).filter(|k| sequences[*k].confirmed.is_some()).collect();
    loop {
        let mut changed = false;
        while let Some(pair) = complementary(sequences, &left, location) {
            for (sequence, assumption) in pair {
                sequences[sequence].assumptions[assumption].deleted = true;
            }
            changed = true;
        }
        let mut kept: Vec<usize> = Vec::new();
        for k in std::mem::take(&mut left) {
            match kept.iter().find(|other| is_same(&sequences[k], &sequences[**other], location)) {
                Some(other) => {
                    sequences[k].same_as = Some(*other);
                    changed = true;
                }
                None => kept.push(k),
            }
        }
        left = kept;
        if !changed {
            break;
        }
    }
    // A sequence that represents another one has lost the same assumptions.
    for k in (0..sequences.len()).rev() {
        if let Some(other) = sequences[k].same_as {
            let gone: BTreeSet<_> = sequences[other]
                .assumptions
                .iter()
                .filter(|a| a.deleted)
                .map(|a| (location(a.edge), a.truth))
                .collect();
            for assumption in &mut sequences[k].assumptions {
                assumption.deleted |= gone.contains(&(location(assumption.edge), assumption.truth));
            }
        }
    }
    for sequence in sequences.iter_mut() {
        sequence.nest = nest(sequence, location);
    }
}

/// A constraint that is left in exactly one set while its negation is left in exactly one other.
fn complementary(
    sequences: &[FocusSequence],
    left: &[usize],
    location: &dyn Fn(EdgeId) -> u32,
) -> Option<[(usize, usize); 2]> {
    let mut all = Vec::new();
    for k in left {
        for (j, assumption) in sequences[*k]
            .assumptions
            .iter()
            .enumerate()
            .filter(|(_, assumption)| !assumption.deleted)
        {
            all.push((*k, j, location(assumption.edge), assumption.truth));
        }
    }
    for (k, j, place, truth) in &all {
        let sets = |of| -> Vec<(usize, usize)> {
            all.iter()
                .filter(|(.., other, t)| other == place && *t == of)
                .map(|(k, j, ..)| (*k, *j))
                .collect()
        };
        let (own, negated) = (sets(*truth), sets(!*truth));
        if let ([_], [(other, at)]) = (&own[..], &negated[..])
            && other != k
        {
            return Some([(*k, *j), (*other, *at)]);
        }
    }
    None
}

/// Do both have the same statements and the same assumptions?
fn is_same(a: &FocusSequence, b: &FocusSequence, location: &dyn Fn(EdgeId) -> u32) -> bool {
    let left = |s: &FocusSequence| -> BTreeSet<(u32, crate::bdd::Bdd)> {
        s.assumptions.iter().filter(|a| !a.deleted).map(|a| (location(a.edge), a.truth)).collect()
    };
    a.entries == b.entries && left(a) == left(b)
}

/// The positions of the focus statements in the innermost block opened by the last decided
/// condition before the first undecided one; all of them if every condition is decided, or the
/// first one is not.
fn nest(sequence: &FocusSequence, location: &dyn Fn(EdgeId) -> u32) -> Vec<usize> {
    let all: Vec<usize> = (0..sequence.entries.len()).collect();
    let deleted: BTreeSet<u32> =
        sequence.assumptions.iter().filter(|a| a.deleted).map(|a| location(a.edge)).collect();
    let is_undecided =
        |k: &usize| sequence.conditions[*k] && deleted.contains(&location(sequence.entries[*k]));
    let Some(undecided) = all.iter().copied().find(is_undecided) else { return all };
    let Some(opened) = (0..undecided).rev().find(|k| sequence.conditions[*k]) else { return all };
    let inside = |k: &usize| {
        let mut here = sequence.parents[*k];
        while let Some(parent) = here {
            if parent == opened {
                return true;
            }
            here = sequence.parents[parent];
        }
        false
    };
    let block: Vec<usize> = all.iter().copied().filter(inside).collect();
    if block.is_empty() { all } else { block }
}
