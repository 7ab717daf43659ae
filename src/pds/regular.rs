//! Regular sets of configurations: finite automata over stack symbols, and reading a weighted
//! automaton over them.
//!
//! A(C) = ⊕ { A(c) | c ∈ C } by intersection and `path_summary` (Lal, Kidd, Reps, Touili 2007, §
//! 3.3).

use super::automaton::{PAutomaton, State, Transition};
use super::direction::{Backward, Forward, Read};
use super::system::{ControlLocation, RuleId, StackSymbol};
use super::weights::{Compose, ForwardWeights, Weights};
use crate::util::Bounded;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A nondeterministic finite automaton that reads a stack from its top. State 0 is initial.
#[derive(Clone, Debug, Default)]
pub struct StackAutomaton {
    edges: Vec<Vec<(Label, u32)>>,
    finals: BTreeSet<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Symbol(StackSymbol),
    Any,
}

impl StackAutomaton {
    /// The set {γ w | w any stack}: "at γ".
    pub fn top(symbol: StackSymbol) -> StackAutomaton {
        StackAutomaton {
            edges: vec![vec![(Label::Symbol(symbol), 1)], vec![(Label::Any, 1)]],
            finals: BTreeSet::from([1]),
        }
    }

    /// The set with exactly this stack, top first.
    pub fn exactly(stack: &[StackSymbol]) -> StackAutomaton {
        let mut edges: Vec<_> = stack
            .iter()
            .enumerate()
            .map(|(k, symbol)| vec![(Label::Symbol(*symbol), k as u32 + 1)])
            .collect();
        edges.push(Vec::new());
        StackAutomaton { edges, finals: BTreeSet::from([stack.len() as u32]) }
    }

    /// May a stack end at this place?
    pub(super) fn ends_at(&self, place: u32) -> bool {
        self.finals.contains(&place)
    }

    /// The places to which a symbol leads from a place.
    pub(super) fn read(&self, place: u32, symbol: StackSymbol) -> impl Iterator<Item = u32> + '_ {
        let edges = self.edges[place as usize].iter();
        edges
            .filter(move |(label, _)| *label == Label::Any || *label == Label::Symbol(symbol))
            .map(|(_, to)| *to)
    }

    /// The set of all stacks.
    pub fn all() -> StackAutomaton {
        StackAutomaton { edges: vec![vec![(Label::Any, 0)]], finals: BTreeSet::from([0]) }
    }

    /// The stacks γ δ w with δ in `below` right under the top γ: "at γ, called from one of these
    /// return sites". Tests read automata over such sets.
    pub fn called_from(symbol: StackSymbol, below: &[StackSymbol]) -> StackAutomaton {
        let second = below.iter().map(|b| (Label::Symbol(*b), 2)).collect();
        StackAutomaton {
            edges: vec![vec![(Label::Symbol(symbol), 1)], second, vec![(Label::Any, 2)]],
            finals: BTreeSet::from([2]),
        }
    }

    /// The unweighted set ⟨p, these stacks⟩ as an automaton from which saturation can start. Every
    /// transition has the weight `one`. Symbols range over `symbols`.
    pub fn configurations<W: Clone>(
        &self,
        locations: u32,
        p: ControlLocation,
        symbols: u32,
        one: &W,
    ) -> PAutomaton<W> {
        let mut automaton = PAutomaton::new(locations);
        let states: Vec<State> = self.edges.iter().map(|_| automaton.add_state()).collect();
        for (from, edges) in self.edges.iter().enumerate() {
            for (label, to) in edges {
                let range = match label {
                    Label::Symbol(symbol) => symbol.0..symbol.0 + 1,
                    Label::Any => 0..symbols,
                };
                for symbol in range {
                    let to = states[*to as usize];
                    // The control location gets copies of the edges that leave the initial state,
                    // because no transition may enter a control location.
                    let sources = if from == 0 {
                        vec![State::from(p), states[0]]
                    } else {
                        vec![states[from]]
                    };
                    for from in sources {
                        let transition =
                            Transition { from, symbol: Some(StackSymbol(symbol)), to, via: None };
                        if automaton.find(transition).is_none() {
                            automaton.insert(transition, one.clone());
                        }
                    }
                }
            }
        }
        for state in &self.finals {
            automaton.set_final(states[*state as usize]);
        }
        if self.finals.contains(&0) {
            automaton.set_final(State::from(p));
        }
        automaton
    }
}

/// ⊕ over all stacks in `set` of the weight of ⟨p, stack⟩ in a *forward* automaton (made by pre\*).
pub fn read_forward<D: Compose>(
    domain: &mut D,
    automaton: Read<'_, D::Weight, Forward>,
    p: ControlLocation,
    set: &StackAutomaton,
    one: &D::Weight,
) -> Bounded<D::Weight> {
    read(domain, &automaton, p, set, one, |domain, here, next| domain.compose(here, next.weight))
}

/// ⊕ over all stacks in `set` of the weight of ⟨p, stack⟩ in a *backward* automaton (made by
/// post\*; ε transitions are followed).
pub fn read_backward<D: Compose + ForwardWeights>(
    domain: &mut D,
    automaton: Read<'_, D::Weight, Backward>,
    p: ControlLocation,
    set: &StackAutomaton,
    one: &D::Weight,
) -> Bounded<D::Weight> {
    read(domain, &automaton, p, set, one, |domain, here, next| match next.via {
        // The way came by an ε: the callee has returned, and its caller continues.
        Some(rule) if next.is_first => domain.return_after(next.weight, rule, here),
        Some(rule) => {
            let called = domain.after(next.weight, rule)?;
            domain.compose(&called, here)
        }
        None => domain.compose(next.weight, here),
    })
}

/// ⊕ of the weights of all configurations that a forward automaton accepts from p (Lal, Kidd, Reps,
/// Touili 2007, § 3.3).
pub fn path_summary<D: Compose>(
    domain: &mut D,
    automaton: Read<'_, D::Weight, Forward>,
    p: ControlLocation,
    one: &D::Weight,
) -> Bounded<D::Weight> {
    read_forward(domain, automaton, p, &StackAutomaton::all(), one)
}

/// A transition that extends a path.
struct Next<'a, W> {
    weight: &'a W,
    via: Option<RuleId>,
    /// Was no symbol read before?
    is_first: bool,
}

fn read<D: Weights>(
    domain: &mut D,
    automaton: &PAutomaton<D::Weight>,
    p: ControlLocation,
    set: &StackAutomaton,
    one: &D::Weight,
    extend: impl Fn(&mut D, &D::Weight, Next<'_, D::Weight>) -> Bounded<D::Weight>,
) -> Bounded<D::Weight> {
    // The product with `set`, explored from ⟨p, 0⟩. The paper's l(q) is `label`. The third part
    // says whether no symbol was read yet.
    let mut label: FxHashMap<(State, u32, bool), D::Weight> = FxHashMap::default();
    let start = (State::from(p), 0, true);
    label.insert(start, one.clone());
    let mut worklist = BTreeSet::from([start]);
    while let Some((state, place, unread)) = worklist.pop_first() {
        let here = label[&(state, place, unread)].clone();
        for &id in automaton.outgoing(state) {
            let transition = automaton.transition(id);
            let places: Vec<u32> = match transition.symbol {
                None => vec![place],
                Some(symbol) => set.read(place, symbol).collect(),
            };
            if places.is_empty() {
                continue;
            }
            let weight = automaton.weight(id);
            let next = Next { weight, via: transition.via, is_first: unread };
            let there = extend(domain, &here, next)?;
            for place in places {
                let key = (transition.to, place, unread && transition.symbol.is_none());
                let old = label.entry(key).or_insert_with(|| domain.zero()).clone();
                let new = domain.combine(&old, &there)?;
                if new != old {
                    label.insert(key, new);
                    worklist.insert(key);
                }
            }
        }
    }
    let mut total = domain.zero();
    let mut ends: Vec<_> = label
        .into_iter()
        .filter(|((q, place, _), _)| automaton.is_final(*q) && set.finals.contains(place))
        .collect();
    ends.sort_by_key(|(key, _)| *key);
    for (_, weight) in ends {
        total = domain.combine(&total, &weight)?;
    }
    Ok(total)
}
