//! Reads a cheapest run into a set off pre\* with costs as weights, and the shortest one of those.
//!
//! A transition's weight after pre\* is the least cost of the rules that lead from what it reads to
//! what the given automaton reads (Reps, Schwoon, Jha, Melski 2005, § 3.2). So there is always a
//! rule, with transitions that read its right side, whose costs together are that weight. Following
//! such rules ends, because each rule makes the remaining length smaller by one.

use super::automaton::{PAutomaton, State, Transition};
use super::derivation::Derived;
use super::system::{ControlLocation, Pds, Right, RuleId, StackSymbol};
use crate::semiring::PathCost;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The least cost of a run from a configuration that `initial` accepts to one that the given
/// automaton accepted; `None` if there is no such run. The result has the run itself, unless it has
/// more than `longest` rules or its cost is not counted. `costs`: by rule, each of length 1.
/// `automaton` is pre\* of the given automaton, saturated; the `given` transitions of that cost
/// nothing. In the result, `given` has numbers of `initial`'s transitions, and its location is
/// where the run starts.
pub fn derive_shortest(
    pds: &Pds,
    initial: &PAutomaton<bool>,
    costs: &[Option<PathCost>],
    automaton: &PAutomaton<Option<PathCost>>,
    given: u32,
    longest: u64,
) -> Option<(PathCost, Option<Derived>)> {
    let (cost, location, read, path) = cheapest_common(initial, automaton)?;
    if cost.length > longest {
        return Some((cost, None));
    }
    let mut path: Vec<u32> = path.into_iter().rev().collect();
    let mut rules = Vec::new();
    while let Some(id) = path.pop().filter(|id| *id >= given) {
        let (rule, top, below) = cause(pds, costs, automaton, id);
        path.extend(below);
        path.extend(top);
        rules.push(rule);
    }
    Some((cost, Some(Derived { rules, given: read, location })))
}

/// Dijkstra's search in the product, from every pair ⟨p, p⟩. Returns the least cost, its location,
/// and the transitions of both automata.
fn cheapest_common(
    initial: &PAutomaton<bool>,
    automaton: &PAutomaton<Option<PathCost>>,
) -> Option<(PathCost, ControlLocation, Vec<u32>, Vec<u32>)> {
    type Pair = (State, State);
    // The pair before, and the transitions that lead from it.
    type Parent = Option<(Pair, u32, u32)>;
    let mut known: FxHashMap<Pair, (PathCost, Parent)> = FxHashMap::default();
    let mut by_symbol: FxHashMap<(State, Option<StackSymbol>), Vec<u32>> = FxHashMap::default();
    for (id, transition) in (0u32..).zip(automaton.transitions()) {
        by_symbol.entry((transition.from, transition.symbol)).or_default().push(id);
    }
    let mut waiting = BinaryHeap::new();
    let nothing = PathCost { weight: 0, length: 0 };
    for p in (0..initial.locations()).map(State) {
        if initial.is_final(p) || !initial.outgoing(p).is_empty() {
            known.insert((p, p), (nothing, None));
            waiting.push(Reverse((nothing, (p, p))));
        }
    }
    while let Some(Reverse((cost, pair))) = waiting.pop() {
        if known[&pair].0 < cost {
            continue;
        }
        if initial.is_final(pair.0) && automaton.is_final(pair.1) {
            let (mut at, mut left, mut right) = (pair, Vec::new(), Vec::new());
            while let Some((before, l, r)) = known[&at].1 {
                left.push(l);
                right.push(r);
                at = before;
            }
            left.reverse();
            right.reverse();
            return Some((cost, ControlLocation(at.0.0), left, right));
        }
        for &l in initial.outgoing(pair.0) {
            let read = initial.transition(l);
            for &r in by_symbol.get(&(pair.1, read.symbol)).map_or(&[][..], Vec::as_slice) {
                let Some(weight) = *automaton.weight(r) else { continue };
                let (to, cost) = ((read.to, automaton.transition(r).to), cost.then(weight));
                if known.get(&to).is_none_or(|(old, _)| cost < *old) {
                    known.insert(to, (cost, Some((pair, l, r))));
                    waiting.push(Reverse((cost, to)));
                }
            }
        }
    }
    None
}

/// A rule, and the transitions that read its right side (the top, and the symbol below it), which
/// together have exactly this cost.
fn cause(
    pds: &Pds,
    costs: &[Option<PathCost>],
    automaton: &PAutomaton<Option<PathCost>>,
    id: u32,
) -> (RuleId, Option<u32>, Option<u32>) {
    let t = automaton.transition(id);
    let p = automaton.control(t.from).expect("only control locations get transitions");
    let symbol = t.symbol.expect("pre* makes no epsilon transitions");
    let cost = automaton.weight(id).expect("a transition of pre* has a cost");
    let weighed = |from: State, symbol, to: State| {
        let found = automaton.find(Transition { from, symbol: Some(symbol), to, via: None })?;
        Some((found, (*automaton.weight(found))?))
    };
    let found = pds.from_head(p, symbol).iter().find_map(|&rule| {
        let (right, own) = (pds.rule(rule), costs[rule]?);
        let to = State::from(right.to);
        match right.right {
            Right::Pop => (to == t.to && own == cost).then_some((rule, None, None)),
            Right::Step(top) => weighed(to, top, t.to)
                .filter(|(_, rest)| own.then(*rest) == cost)
                .map(|(top, _)| (rule, Some(top), None)),
            Right::Push(top, below) => automaton.outgoing(to).iter().find_map(|&first| {
                let callee = automaton.transition(first);
                let inside = automaton.weight(first).filter(|_| callee.symbol == Some(top))?;
                let (rest, after) = weighed(callee.to, below, t.to)?;
                (own.then(inside).then(after) == cost).then_some((rule, Some(first), Some(rest)))
            }),
        }
    });
    found.expect("a finished pre* explains every cost")
}
