//! Explicit shortest lengths: the oracle's pushdown system with a length on every rule, in the
//! (min, +) semiring.
//!
//! Through one statement: the least "there from the start" plus "on to the error" over all
//! configurations with the statement on top, read off weighted post\*, weighted pre\* and the
//! product of the two automata. No statement is remembered anywhere, unlike in the product under
//! test. Through two: the same system with the set of statements passed in the control location,
//! and weighted post\* alone.

use crate::pushdown::{Control, Post, Right, Rules, State, Symbol, System, Transition};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

/// A system whose rules have lengths: it depends on what is on top before the rule.
pub trait Lengths: System {
    fn length(&self, control: Control, symbol: Symbol, right: &Right) -> u64;
}

/// Automata with a least length for each transition.
pub struct Weighted {
    pub lengths: FxHashMap<Transition, u64>,
    outgoing: FxHashMap<State, Vec<(Symbol, State)>>,
}

impl Weighted {
    fn settle(&mut self, transition: Transition, length: u64) -> bool {
        if self.lengths.contains_key(&transition) {
            return false;
        }
        self.lengths.insert(transition, length);
        self.outgoing.entry(transition.0).or_default().push((transition.1, transition.2));
        true
    }

    /// Lengths of shortest paths from every state to `Final`, by any word.
    pub fn to_final(&self) -> FxHashMap<State, u64> {
        let mut into: FxHashMap<State, Vec<(State, u64)>> = FxHashMap::default();
        for ((from, _, to), length) in &self.lengths {
            into.entry(*to).or_default().push((*from, *length));
        }
        nearest(State::Final, |state| into.get(&state).cloned().unwrap_or_default())
    }
}

/// Dijkstra.
fn nearest<N: Copy + Ord + std::hash::Hash>(
    start: N,
    edges: impl Fn(N) -> Vec<(N, u64)>,
) -> FxHashMap<N, u64> {
    let mut settled = FxHashMap::default();
    let mut heap = BinaryHeap::from([Reverse((0, start))]);
    while let Some(Reverse((length, node))) = heap.pop() {
        if settled.contains_key(&node) {
            continue;
        }
        settled.insert(node, length);
        heap.extend(edges(node).into_iter().map(|(next, more)| Reverse((length + more, next))));
    }
    settled
}

/// A transition with its length; without a symbol it is ε.
type Waiting = Reverse<(u64, State, Option<Symbol>, State)>;

/// Weighted post\* (Reps, Schwoon, Jha, Melski 2005), nearest first; also the rules met.
pub fn poststar(
    system: &mut impl Lengths,
    initial: &[Transition],
    cap: usize,
) -> Option<(Rules, Weighted)> {
    let mut rules: Rules = FxHashMap::default();
    let mut post = Weighted { lengths: FxHashMap::default(), outgoing: FxHashMap::default() };
    let mut epsilon: FxHashMap<(Control, State), u64> = FxHashMap::default();
    let mut epsilon_into: FxHashMap<State, Vec<(Control, u64)>> = FxHashMap::default();
    let mut heap: BinaryHeap<Waiting> = BinaryHeap::new();
    heap.extend(initial.iter().map(|(from, symbol, to)| Reverse((0, *from, Some(*symbol), *to))));
    while let Some(Reverse((length, from, symbol, to))) = heap.pop() {
        let Some(symbol) = symbol else {
            let State::Control(control) = from else {
                unreachable!("only control locations have epsilon transitions")
            };
            if let Entry::Vacant(unknown) = epsilon.entry((control, to)) {
                unknown.insert(length);
                epsilon_into.entry(to).or_default().push((control, length));
                for (symbol, target) in post.outgoing.get(&to).into_iter().flatten() {
                    heap.push(Reverse((
                        length + post.lengths[&(to, *symbol, *target)],
                        from,
                        Some(*symbol),
                        *target,
                    )));
                }
            }
            continue;
        };
        if !post.settle((from, symbol, to), length) {
            continue;
        }
        if post.lengths.len() > cap {
            return None;
        }
        let State::Control(control) = from else {
            for (control, more) in epsilon_into.get(&from).into_iter().flatten() {
                heap.push(Reverse((length + more, State::Control(*control), Some(symbol), to)));
            }
            continue;
        };
        if let Entry::Vacant(unknown) = rules.entry((control, symbol)) {
            unknown.insert(system.rules(control, symbol)?);
        }
        for right in &rules[&(control, symbol)] {
            let after = length + system.length(control, symbol, right);
            match *right {
                Right::Pop(next) => heap.push(Reverse((after, State::Control(next), None, to))),
                Right::Step(next, top) => {
                    heap.push(Reverse((after, State::Control(next), Some(top), to)))
                }
                Right::Push(next, top, below) => {
                    let middle = State::Middle(next, top);
                    heap.push(Reverse((0, State::Control(next), Some(top), middle)));
                    heap.push(Reverse((after, middle, Some(below), to)));
                }
            }
        }
    }
    Some((rules, post))
}

/// Weighted pre\* of every configuration with control location `error`, under these rules.
pub fn prestar(system: &impl Lengths, rules: &Rules, post: &Weighted, error: Control) -> Weighted {
    type Head = (State, Symbol);
    let mut steps: FxHashMap<Head, Vec<(Head, u64)>> = FxHashMap::default();
    let mut pushes: FxHashMap<Head, Vec<(Head, Symbol, u64)>> = FxHashMap::default();
    let mut waits: FxHashMap<Head, Vec<(Head, u64)>> = FxHashMap::default();
    let mut heap: BinaryHeap<Reverse<(u64, Transition)>> = BinaryHeap::new();
    for ((control, symbol), rights) in rules {
        let head = (State::Control(*control), *symbol);
        for right in rights {
            let length = system.length(*control, *symbol, right);
            match *right {
                Right::Pop(next) => {
                    heap.push(Reverse((length, (head.0, head.1, State::Control(next)))))
                }
                Right::Step(next, top) => {
                    steps.entry((State::Control(next), top)).or_default().push((head, length))
                }
                Right::Push(next, top, below) => pushes
                    .entry((State::Control(next), top))
                    .or_default()
                    .push((head, below, length)),
            }
        }
    }
    for (_, symbol, _) in post.lengths.keys() {
        heap.push(Reverse((0, (State::Control(error), *symbol, State::Final))));
        heap.push(Reverse((0, (State::Final, *symbol, State::Final))));
    }
    let mut pre = Weighted { lengths: FxHashMap::default(), outgoing: FxHashMap::default() };
    while let Some(Reverse((length, (from, symbol, to)))) = heap.pop() {
        if !pre.settle((from, symbol, to), length) {
            continue;
        }
        for ((control, top), more) in steps.get(&(from, symbol)).into_iter().flatten() {
            heap.push(Reverse((length + more, (*control, *top, to))));
        }
        for ((control, top), more) in waits.get(&(from, symbol)).into_iter().flatten() {
            heap.push(Reverse((length + more, (*control, *top, to))));
        }
        for ((control, top), below, more) in
            pushes.get(&(from, symbol)).cloned().into_iter().flatten()
        {
            waits.entry((to, below)).or_default().push(((control, top), length + more));
            let targets: Vec<State> = pre
                .outgoing
                .get(&to)
                .into_iter()
                .flatten()
                .filter(|(symbol, _)| *symbol == below)
                .map(|(_, target)| *target)
                .collect();
            for target in targets {
                heap.push(Reverse((
                    length + more + pre.lengths[&(to, below, target)],
                    (control, top, target),
                )));
            }
        }
    }
    pre
}

/// By head ⟨p, γ⟩: the length of a shortest run from the start to the target that passes a
/// configuration with this head.
pub fn through_heads(post: &Weighted, pre: &Weighted) -> FxHashMap<(Control, Symbol), u64> {
    type Pair = (State, State);
    let mut by_head: FxHashMap<(State, Symbol), Vec<State>> = FxHashMap::default();
    for (from, symbol, to) in pre.lengths.keys() {
        by_head.entry((*from, *symbol)).or_default().push(*to);
    }
    let meet = |pair: Pair, symbol: Symbol, to: State| -> Vec<(Pair, u64)> {
        let there = post.lengths[&(pair.0, symbol, to)];
        let on = by_head.get(&(pair.1, symbol)).into_iter().flatten();
        on.map(|target| ((to, *target), there + pre.lengths[&(pair.1, symbol, *target)])).collect()
    };
    let mut into: FxHashMap<Pair, Vec<(Pair, u64)>> = FxHashMap::default();
    let mut seen: FxHashMap<Pair, ()> = FxHashMap::default();
    let mut heads: Vec<((Control, Symbol), Pair, u64)> = Vec::new();
    let mut work: Vec<Pair> = Vec::new();
    for (from, symbol, to) in post.lengths.keys() {
        let State::Control(control) = from else { continue };
        for (pair, length) in meet((*from, *from), *symbol, *to) {
            heads.push(((*control, *symbol), pair, length));
            work.push(pair);
        }
    }
    while let Some(pair) = work.pop() {
        if seen.insert(pair, ()).is_some() {
            continue;
        }
        for (symbol, to) in post.outgoing.get(&pair.0).into_iter().flatten() {
            for (next, length) in meet(pair, *symbol, *to) {
                into.entry(next).or_default().push((pair, length));
                work.push(next);
            }
        }
    }
    let rest =
        nearest((State::Final, State::Final), |pair| into.get(&pair).cloned().unwrap_or_default());
    let mut least: FxHashMap<(Control, Symbol), u64> = FxHashMap::default();
    for (head, pair, length) in heads {
        let Some(rest) = rest.get(&pair) else { continue };
        let best = least.entry(head).or_insert(u64::MAX);
        *best = (*best).min(length + rest);
    }
    least
}

/// Does [`Post`] agree on which transitions there are? A test of this file against the unweighted
/// oracle.
pub fn same_transitions(post: &Post, weighted: &Weighted) -> bool {
    post.transitions.len() == weighted.lengths.len()
        && post.transitions.iter().all(|t| weighted.lengths.contains_key(t))
}
