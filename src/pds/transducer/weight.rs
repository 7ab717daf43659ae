//! The weight of all runs from one configuration to another.
//!
//! The two configurations are the tapes. In the first part of the transducer weights are extended
//! in the order of a path, so they are summed up from its start. In the second part they are
//! extended against it, so they are summed up from its end. A run crosses from the first to the
//! second part once.

use super::{Letter, Move, Transducer, TransducerState};
use crate::pds::system::{ControlLocation, StackSymbol};
use crate::pds::weights::Compose;
use crate::util::Bounded;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A configuration: its location, and its stack from the top.
type Stacked<'a> = (ControlLocation, &'a [StackSymbol]);

/// A state, with how much of the input was read and how much of the output was written.
type Position = (TransducerState, usize, usize);

fn follow<W>(
    (_, read, written): Position,
    step: &Move<W>,
    input: &[Letter],
    output: &[Letter],
) -> Option<Position> {
    let advance = |letter: Option<Letter>, tape: &[Letter], at: usize| match letter {
        None => Some(at),
        Some(letter) => (tape.get(at) == Some(&letter)).then_some(at + 1),
    };
    Some((step.to, advance(step.input, input, read)?, advance(step.output, output, written)?))
}

/// The results for the first part of the transducer.
struct Forward<W> {
    /// The weight up to each position of the first part.
    ahead: FxHashMap<Position, W>,
    /// Moves from the first part to the second.
    crossings: BTreeSet<(Position, Position)>,
    /// The moves of the second part, by their targets.
    reversed: FxHashMap<Position, Vec<(Position, u32)>>,
}

impl<W: Clone + PartialEq> Transducer<W> {
    /// ⊕ of the weights of all runs from one configuration to another.
    pub fn weight<D: Compose<Weight = W>>(
        &self,
        domain: &mut D,
        from: Stacked<'_>,
        to: Stacked<'_>,
    ) -> Bounded<W> {
        let tape = |(p, stack): Stacked<'_>| -> Vec<Letter> {
            let symbols = stack.iter().map(|symbol| Letter::Symbol(*symbol));
            std::iter::once(Letter::Location(p)).chain(symbols).collect()
        };
        let (input, output) = (tape(from), tape(to));
        let Forward { ahead, crossings, reversed } = self.forward(domain, &input, &output)?;
        let end = (TransducerState::Copy, input.len(), output.len());
        let behind = self.backward(domain, end, &reversed)?;
        let mut total = domain.zero();
        for (before, after) in crossings {
            if let (Some(first), Some(second)) = (ahead.get(&before), behind.get(&after)) {
                let weight = domain.compose(first, second)?;
                total = domain.combine(&total, &weight)?;
            }
        }
        Ok(total)
    }

    /// All positions that the start leads to, with the weights of those in the first part.
    fn forward<D: Compose<Weight = W>>(
        &self,
        domain: &mut D,
        input: &[Letter],
        output: &[Letter],
    ) -> Bounded<Forward<W>> {
        let start = (TransducerState::Start, 0, 0);
        let mut found = Forward {
            ahead: FxHashMap::from_iter([(start, self.one.clone())]),
            crossings: BTreeSet::new(),
            reversed: FxHashMap::default(),
        };
        let mut seen = FxHashSet::default();
        let mut worklist = BTreeSet::from([start]);
        while let Some(here) = worklist.pop_first() {
            let first_time = seen.insert(here);
            for &id in self.by_source.get(&here.0).map_or(&[][..], Vec::as_slice) {
                let step = &self.moves[id as usize];
                let Some(there) = follow(here, step, input, output) else { continue };
                match (here.0.is_backward(), step.to.is_backward()) {
                    (false, false) => {
                        let weight = domain.compose(&found.ahead[&here], &step.weight)?;
                        if raise(domain, &mut found.ahead, there, &weight)? {
                            worklist.insert(there);
                        }
                        continue;
                    }
                    (false, true) => _ = found.crossings.insert((here, there)),
                    _ if first_time => found.reversed.entry(there).or_default().push((here, id)),
                    _ => continue,
                }
                if !seen.contains(&there) {
                    worklist.insert(there);
                }
            }
        }
        Ok(found)
    }

    /// The weight from a position of the second part to the end, against the path.
    fn backward<D: Compose<Weight = W>>(
        &self,
        domain: &mut D,
        end: Position,
        reversed: &FxHashMap<Position, Vec<(Position, u32)>>,
    ) -> Bounded<FxHashMap<Position, W>> {
        let mut behind = FxHashMap::from_iter([(end, self.one.clone())]);
        let mut worklist = BTreeSet::from([end]);
        while let Some(here) = worklist.pop_first() {
            for (before, id) in reversed.get(&here).map_or(&[][..], Vec::as_slice) {
                let weight = domain.compose(&behind[&here], &self.moves[*id as usize].weight)?;
                if raise(domain, &mut behind, *before, &weight)? {
                    worklist.insert(*before);
                }
            }
        }
        Ok(behind)
    }
}

/// Adds to the weight of a position, and returns whether it has grown.
fn raise<D: Compose>(
    domain: &mut D,
    weights: &mut FxHashMap<Position, D::Weight>,
    at: Position,
    weight: &D::Weight,
) -> Bounded<bool> {
    let old = weights.entry(at).or_insert_with(|| domain.zero()).clone();
    let new = domain.combine(&old, weight)?;
    let grew = new != old;
    if grew {
        weights.insert(at, new);
    }
    Ok(grew)
}
