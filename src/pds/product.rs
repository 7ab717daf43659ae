//! The configurations that two unweighted automata have in common: is there one, and which
//! transitions read them?
//!
//! The pairs of states that can be reached from a pair ⟨p, p⟩ by reading the same stack are
//! explored breadth-first; then a backward search marks those from which both automata can accept.
//! ε transitions (of post\*, in the left automaton) are followed.

use super::automaton::{PAutomaton, State};
use super::system::{ControlLocation, StackSymbol};
use crate::util::{Bounded, Limit};
use rustc_hash::{FxHashMap, FxHashSet};

/// A configuration that both accept, by the numbers of the transitions that read it, top of the
/// stack first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// Its control location.
    pub location: ControlLocation,
    /// Transitions of the left automaton. The first one may be an ε transition.
    pub left: Vec<u32>,
    /// Transitions of the right automaton.
    pub right: Vec<u32>,
}

/// How a pair was found first: from another pair, by these transitions.
#[derive(Clone, Copy, Debug)]
struct Parent {
    pair: u32,
    left: u32,
    /// The right transition. `None`: the left one was an ε transition.
    right: Option<u32>,
}

/// An exploration in progress.
pub struct Product {
    by_symbol: FxHashMap<(State, StackSymbol), Vec<u32>>,
    pairs: Vec<(State, State)>,
    index: FxHashMap<(State, State), u32>,
    parents: Vec<Option<Parent>>,
    /// The edges between pairs, in the order of discovery.
    edges: Vec<(u32, u32)>,
    accepting: Vec<u32>,
    next: usize,
    /// Does the search stop at the first pair that accepts?
    first_only: bool,
    alive: Option<FxHashSet<(State, State)>>,
}

impl Product {
    /// Looks for one common configuration, with a shortest stack.
    pub fn first(left: &PAutomaton<bool>, right: &PAutomaton<bool>) -> Product {
        Product::new(left, right, true)
    }

    /// Looks for all common configurations.
    pub fn all(left: &PAutomaton<bool>, right: &PAutomaton<bool>) -> Product {
        Product::new(left, right, false)
    }

    fn new(left: &PAutomaton<bool>, right: &PAutomaton<bool>, first_only: bool) -> Product {
        let mut product = Product {
            by_symbol: FxHashMap::default(),
            pairs: Vec::new(),
            index: FxHashMap::default(),
            parents: Vec::new(),
            edges: Vec::new(),
            accepting: Vec::new(),
            next: 0,
            first_only,
            alive: None,
        };
        for (id, transition) in (0u32..).zip(right.transitions()) {
            if let Some(symbol) = transition.symbol {
                product.by_symbol.entry((transition.from, symbol)).or_default().push(id);
            }
        }
        for p in (0..left.locations()).map(State) {
            let (l, r) = (
                left.is_final(p) || !left.outgoing(p).is_empty(),
                right.is_final(p) || !right.outgoing(p).is_empty(),
            );
            if l && r {
                product.pair(left, right, (p, p), None);
            }
        }
        product
    }

    /// The number of pairs and edges so far, as a measure of memory.
    pub fn size(&self) -> u64 {
        (self.pairs.len() + self.edges.len()) as u64
    }

    /// Is the exploration over?
    pub fn is_done(&self) -> bool {
        self.next == self.pairs.len() || self.first_only && !self.accepting.is_empty()
    }

    /// Explores one pair. Returns the number of pairs of transitions that it looked at. Error: its
    /// size would exceed `most`.
    pub fn step(
        &mut self,
        left: &PAutomaton<bool>,
        right: &PAutomaton<bool>,
        most: u64,
    ) -> Bounded<u64> {
        if self.is_done() {
            return Ok(0);
        }
        let from = self.next as u32;
        let (a, b) = self.pairs[self.next];
        self.next += 1;
        let mut looked = 1;
        for &l in left.outgoing(a) {
            let transition = left.transition(l);
            let Some(symbol) = transition.symbol else {
                self.pair(
                    left,
                    right,
                    (transition.to, b),
                    Some(Parent { pair: from, left: l, right: None }),
                );
                continue;
            };
            let count = self.by_symbol.get(&(b, symbol)).map_or(0, Vec::len);
            for k in 0..count {
                let r = self.by_symbol[&(b, symbol)][k];
                let to = (transition.to, right.transition(r).to);
                self.pair(left, right, to, Some(Parent { pair: from, left: l, right: Some(r) }));
                looked += 1;
            }
            if self.size() > most {
                return Err(Limit::Nodes);
            }
        }
        Ok(looked)
    }

    fn pair(
        &mut self,
        left: &PAutomaton<bool>,
        right: &PAutomaton<bool>,
        pair: (State, State),
        parent: Option<Parent>,
    ) {
        let next = self.pairs.len() as u32;
        let id = *self.index.entry(pair).or_insert(next);
        if id == next {
            self.pairs.push(pair);
            self.parents.push(parent);
            if left.is_final(pair.0) && right.is_final(pair.1) {
                self.accepting.push(id);
            }
        }
        if let (Some(parent), false) = (parent, self.first_only) {
            self.edges.push((parent.pair, id));
        }
    }

    /// A common configuration, if one was found.
    pub fn common(&self) -> Option<Common> {
        let mut at = *self.accepting.first()?;
        let mut common =
            Common { location: ControlLocation(0), left: Vec::new(), right: Vec::new() };
        while let Some(parent) = self.parents[at as usize] {
            common.left.push(parent.left);
            common.right.extend(parent.right);
            at = parent.pair;
        }
        common.location = ControlLocation(self.pairs[at as usize].0.0);
        common.left.reverse();
        common.right.reverse();
        Some(common)
    }

    /// Marks the pairs from which both accept. The exploration must be done, and not only for the
    /// first pair.
    pub fn mark(&mut self) {
        let mut starts = vec![0u32; self.pairs.len() + 1];
        for (_, to) in &self.edges {
            starts[*to as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut filled = starts.clone();
        let mut sources = vec![0u32; self.edges.len()];
        for (from, to) in &self.edges {
            sources[filled[*to as usize] as usize] = *from;
            filled[*to as usize] += 1;
        }
        let mut marked = vec![false; self.pairs.len()];
        let mut waiting = self.accepting.clone();
        while let Some(id) = waiting.pop() {
            if !std::mem::replace(&mut marked[id as usize], true) {
                waiting.extend(
                    &sources[starts[id as usize] as usize..starts[id as usize + 1] as usize],
                );
            }
        }
        self.alive =
            Some((0..self.pairs.len()).filter(|k| marked[*k]).map(|k| self.pairs[k]).collect());
    }

    /// Can both automata read the same rest of a stack to its end, from these states? Only for
    /// pairs that were explored.
    pub fn accepts_from(&self, left: State, right: State) -> bool {
        self.alive.as_ref().is_some_and(|alive| alive.contains(&(left, right)))
    }

    /// The right automaton's transitions with this symbol from this state.
    pub fn right_reading(&self, from: State, symbol: StackSymbol) -> &[u32] {
        self.by_symbol.get(&(from, symbol)).map_or(&[], Vec::as_slice)
    }
}
