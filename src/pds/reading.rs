//! Reading a weighted automaton over a regular set of configurations, with the paths that make the
//! weight.
//!
//! A(C) = ⊕ { A(c) | c ∈ C } (Lal, Kidd, Reps, Touili 2007, § 3.3), C given by an automaton too.
//! Paths through the product of the two are made in the order of their lengths. A path is dropped
//! if it adds nothing to the weight of the other paths to the same pair of states. By
//! distributivity nothing is lost. So only finitely many paths are kept if ascending chains of
//! weights are finite.

use super::automaton::{PAutomaton, State};
use super::recording::Star;
use super::system::{ControlLocation, StackSymbol};
use super::weights::{Compose, ForwardWeights};
use crate::util::{Bounded, Limit};
use rustc_hash::FxHashMap;

/// A path that accepts a configuration of the set.
#[derive(Clone, Debug)]
pub struct ReadPath<W> {
    /// The control location where it starts.
    pub location: ControlLocation,
    /// The transitions that read the stack, its top first. ε transitions are among them.
    pub transitions: Vec<u32>,
    /// The weight of the path.
    pub weight: W,
}

/// The weight of a set, and paths whose weights combine to it. The first paths are short.
#[derive(Clone, Debug)]
pub struct SetReading<W> {
    /// A(C).
    pub weight: W,
    /// The paths. A weight that is not zero has at least one.
    pub paths: Vec<ReadPath<W>>,
}

/// A shorter path with one more transition: where it ends, what it weighs, and from which path it
/// comes.
struct PathEnd<W> {
    at: (State, State),
    weight: W,
    before: Option<(usize, u32)>,
}

/// A(C) for a plain domain. `star` gives the direction in which `automaton` is read, and `set` is
/// unweighted. Error: more than `most` pairs of transitions.
pub fn read_set<D: Compose + ForwardWeights>(
    domain: &mut D,
    automaton: &PAutomaton<D::Weight>,
    set: &PAutomaton<bool>,
    star: Star,
    one: &D::Weight,
    most: u64,
) -> Bounded<SetReading<D::Weight>> {
    let mut reads: FxHashMap<(State, StackSymbol), Vec<State>> = FxHashMap::default();
    for read in set.transitions() {
        if let Some(symbol) = read.symbol {
            reads.entry((read.from, symbol)).or_default().push(read.to);
        }
    }
    let mut brought: FxHashMap<(State, State), D::Weight> = FxHashMap::default();
    let mut places: Vec<PathEnd<D::Weight>> = Vec::new();
    for p in (0..set.locations().min(automaton.locations())).map(State) {
        if set.is_final(p) || !set.outgoing(p).is_empty() {
            places.push(PathEnd { at: (p, p), weight: one.clone(), before: None });
            brought.insert((p, p), one.clone());
        }
    }
    let (mut next, mut looked) = (0, 0);
    while next < places.len() {
        let (left, right) = places[next].at;
        let here = places[next].weight.clone();
        for &id in automaton.outgoing(left) {
            let transition = automaton.transition(id);
            let ends = match transition.symbol {
                None => vec![right],
                Some(symbol) => reads.get(&(right, symbol)).cloned().unwrap_or_default(),
            };
            looked += ends.len() as u64;
            looked += 1;
            if looked > most {
                return Err(Limit::Steps);
            }
            if ends.is_empty() {
                continue;
            }
            let weight = match transition.via {
                Some(rule) => domain.after(automaton.weight(id), rule)?,
                None => automaton.weight(id).clone(),
            };
            let there = match star {
                Star::Pre => domain.compose(&here, &weight)?,
                Star::Post => domain.compose(&weight, &here)?,
            };
            for end in ends {
                let at = (transition.to, end);
                let old = brought.get(&at).cloned().unwrap_or_else(|| domain.zero());
                let new = domain.combine(&old, &there)?;
                if new != old {
                    brought.insert(at, new);
                    places.push(PathEnd { at, weight: there.clone(), before: Some((next, id)) });
                }
            }
        }
        next += 1;
    }
    accepting(domain, automaton, set, &places)
}

/// The weight of the paths that accept, and these paths.
fn accepting<D: Compose>(
    domain: &mut D,
    automaton: &PAutomaton<D::Weight>,
    set: &PAutomaton<bool>,
    places: &[PathEnd<D::Weight>],
) -> Bounded<SetReading<D::Weight>> {
    let mut reading = SetReading { weight: domain.zero(), paths: Vec::new() };
    for k in 0..places.len() {
        let (left, right) = places[k].at;
        if !automaton.is_final(left) || !set.is_final(right) {
            continue;
        }
        reading.weight = domain.combine(&reading.weight, &places[k].weight)?;
        let (mut at, mut transitions) = (k, Vec::new());
        while let Some((before, id)) = places[at].before {
            transitions.push(id);
            at = before;
        }
        transitions.reverse();
        reading.paths.push(ReadPath {
            location: ControlLocation(places[at].at.0.0),
            transitions,
            weight: places[k].weight.clone(),
        });
    }
    Ok(reading)
}
